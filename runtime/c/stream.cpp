// SPDX-License-Identifier: MIT
// The C interface: draw streams.
#include "c/c.hpp"

struct pchr_stream : pchr::DrawStream {};

namespace pchr::c {
namespace {

static_assert(sizeof(pchr_stream_vertex) == sizeof(StreamVertex) &&
              offsetof(pchr_stream_vertex, color) == offsetof(StreamVertex, color));
static_assert(sizeof(pchr_stream_command) == sizeof(StreamCommand) &&
              offsetof(pchr_stream_command, image) == offsetof(StreamCommand, image) &&
              offsetof(pchr_stream_command, first_index) == offsetof(StreamCommand, first_index) &&
              offsetof(pchr_stream_command, blend) == offsetof(StreamCommand, blend));
static_assert(sizeof(pchr_stream_look) == sizeof(StreamLook) &&
              offsetof(pchr_stream_look, additive) == offsetof(StreamLook, additive));

/// Returns nothing if the options are not valid for a pose of `character`.
std::optional<StreamOptions> options_of(const pchr_stream_options* options, const Character& character,
                                        const DrawList& list) noexcept {
  const std::optional<pchr_stream_options> given = read(options);
  const std::optional<Appearance> appearance = given ? appearance_of(given->appearance) : std::nullopt;
  if (!appearance || given->first_item > list.size()) return std::nullopt;
  if (given->skin != nullptr && !is_same(character, given->skin->character)) return std::nullopt;
  StreamOptions result;
  result.appearance = *appearance;
  if (given->skin != nullptr) result.skin = &given->skin->data;
  result.source = given->source;
  if (given->camera != nullptr) {
    result.camera = camera_of(given->camera);
    if (!result.camera) return std::nullopt;
  }
  const std::size_t left = list.size() - given->first_item;
  const std::size_t count = given->item_count == 0 ? left : std::min<std::size_t>(left, given->item_count);
  result.items = std::span(list).subspan(given->first_item, count);
  result.linear_light = given->linear_light;
  if (given->max_vertices != 0) result.max_vertices = given->max_vertices;
  if (given->max_indices != 0) result.max_indices = given->max_indices;
  return result;
}

}  // namespace
}  // namespace pchr::c

using namespace pchr::c;

pchr_stream* pchr_stream_create(uint32_t data) {
  return call([&] {
    auto* const stream = new pchr_stream;
    stream->with_3d = (data & PCHR_STREAM_3D) != 0;
    stream->with_looks = (data & PCHR_STREAM_LOOKS) != 0;
    return stream;
  });
}

void pchr_stream_free(pchr_stream* stream) { delete stream; }

bool pchr_stream_copy(pchr_stream* stream, const pchr_stream* from) {
  return call([&] { *stream = *from; }, stream, from);
}

void pchr_stream_clear(pchr_stream* stream) {
  if (stream != nullptr) stream->clear();
}

bool pchr_stream_add(pchr_stream* stream, const pchr_pose* pose, const pchr_stream_options* options) {
  return call(
      [&] {
        const std::optional<pchr::StreamOptions> given = options_of(options, pose->character, pose->posed.draw_list);
        return given && append_draw_stream(pose->character, pose->posed, *given, *stream);
      },
      stream, pose);
}

const pchr_stream_vertex* pchr_stream_vertices(const pchr_stream* stream, uint32_t* count) {
  if (stream == nullptr) return no_array<pchr_stream_vertex>(count);
  return array_of<pchr_stream_vertex>(stream->vertices, count);
}

const pchr_vertex_3d* pchr_stream_vertices_3d(const pchr_stream* stream, uint32_t* count) {
  if (stream == nullptr) return no_array<pchr_vertex_3d>(count);
  return array_of<pchr_vertex_3d>(stream->vertices_3d, count);
}

const pchr_stream_look* pchr_stream_looks(const pchr_stream* stream, uint32_t* count) {
  if (stream == nullptr) return no_array<pchr_stream_look>(count);
  return array_of<pchr_stream_look>(stream->looks, count);
}

const uint32_t* pchr_stream_indices(const pchr_stream* stream, uint32_t* count) {
  if (stream == nullptr) return no_array<uint32_t>(count);
  return array_of<uint32_t>(stream->indices, count);
}

const pchr_stream_command* pchr_stream_commands(const pchr_stream* stream, uint32_t* count) {
  if (stream == nullptr) return no_array<pchr_stream_command>(count);
  return array_of<pchr_stream_command>(stream->commands, count);
}
