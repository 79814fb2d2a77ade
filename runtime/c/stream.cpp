// SPDX-License-Identifier: MIT
// Draw streams for C.
#include "c/handles.hpp"

#include <pchr/draw_stream.hpp>

#include <array>
#include <cstddef>

struct pchr_stream {
  pchr::DrawStream stream;
};

namespace pchr::c {

static_assert(sizeof(pchr_stream_vertex) == sizeof(StreamVertex) &&
              offsetof(pchr_stream_vertex, colour) == offsetof(StreamVertex, colour));
static_assert(sizeof(pchr_stream_command) == sizeof(StreamCommand) &&
              offsetof(pchr_stream_command, image) == offsetof(StreamCommand, image) &&
              offsetof(pchr_stream_command, first_index) == offsetof(StreamCommand, first_index));

}  // namespace pchr::c

using namespace pchr::c;

pchr_stream* pchr_stream_create() {
  return guarded<pchr_stream*>(nullptr, [] { return new pchr_stream; });
}

void pchr_stream_free(pchr_stream* stream) { delete stream; }

void pchr_stream_clear(pchr_stream* stream) { stream->stream.clear(); }

bool pchr_stream_add(pchr_stream* stream, const pchr_pose* pose, const pchr_appearance* appearance, uint32_t source) {
  return guarded(false, [&] {
    pchr::Appearance look;
    if (appearance != nullptr) {
      const auto [a, b, c, d, tx, ty] = appearance->placement;
      look = {{a, b, c, d, tx, ty}, std::to_array(appearance->tint)};
    }
    pchr::record(pose->character, pose->posed, look, nullptr, stream->stream, source);
    return true;
  });
}

const pchr_stream_vertex* pchr_stream_vertices(const pchr_stream* stream, uint32_t* count) {
  return array_of<pchr_stream_vertex>(stream->stream.vertices, count);
}

const uint32_t* pchr_stream_indices(const pchr_stream* stream, uint32_t* count) {
  return array_of<uint32_t>(stream->stream.indices, count);
}

const pchr_stream_command* pchr_stream_commands(const pchr_stream* stream, uint32_t* count) {
  return array_of<pchr_stream_command>(stream->stream.commands, count);
}
