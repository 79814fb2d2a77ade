// SPDX-License-Identifier: MIT
// Loading, and what a character consists of, for C.
#include "c/handles.hpp"

#include <pchr/bounds.hpp>
#include <pchr/finding.hpp>
#include <pchr/image.hpp>
#include <pchr/pose.hpp>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <string>

namespace pchr::c {
namespace {

static_assert(sizeof(pchr_vertex) == sizeof(Vertex) && offsetof(pchr_vertex, bones) == offsetof(Vertex, bones) &&
              offsetof(pchr_vertex, weights) == offsetof(Vertex, weights));

BindPose bind_of(const pchr_load_options& options) {
  if (options.bind == PCHR_BIND_CLIP) {
    return ClipBindPose{options.bind_clip != nullptr ? options.bind_clip : "", options.bind_frame};
  }
  if (options.bind == PCHR_BIND_IDENTITY) return IdentityBindPose{};
  return AutomaticBindPose{};
}

LoadOptions options_of(const pchr_load_options* given) {
  LoadOptions options;
  if (given == nullptr) return options;
  if (given->max_file_bytes != 0) options.limits.max_file_bytes = given->max_file_bytes;
  if (given->max_image_pixels != 0) options.limits.max_image_pixels = given->max_image_pixels;
  if (given->max_bone_samples != 0) options.limits.max_bone_samples = given->max_bone_samples;
  options.bind_pose = bind_of(*given);
  if (given->image_folder != nullptr) options.image_folder = given->image_folder;
  options.allow_images_outside = given->allow_images_outside;
  return options;
}

template <class Source>
pchr_character* load_from(const Source& source, std::string_view file_name, const pchr_load_options* given,
                          pchr_error* error) noexcept {
  try {
    const LoadOptions options = options_of(given);
    std::expected<Character, LoadError> loaded = load(source, options);
    if (loaded) return new pchr_character{std::move(*loaded), options.limits};
    tell(error, loaded.error(), file_name);
  } catch (...) {
    tell_no_memory(error);
  }
  return nullptr;
}

std::uint32_t number_of(std::optional<std::uint32_t> found) noexcept { return found.value_or(PCHR_NONE); }

template <class Element>
std::uint32_t count_of(std::span<const Element> elements) noexcept {
  return static_cast<std::uint32_t>(elements.size());
}

}  // namespace

void tell(pchr_error* error, std::string_view code, std::string_view message) noexcept {
  if (error == nullptr) return;
  *error = {};
  code.copy(error->code, sizeof(error->code) - 1);
  std::size_t length = std::min(message.size(), sizeof(error->message) - 1);
  const auto is_continuation = [&](std::size_t i) { return (static_cast<unsigned char>(message[i]) & 0xC0U) == 0x80U; };
  while (length > 0 && length < message.size() && is_continuation(length)) --length;
  message.copy(error->message, length);
}

void tell(pchr_error* error, const Finding& finding, std::string_view file_name) {
  tell(error, code(finding.id), describe(finding, file_name));
}

void tell_no_memory(pchr_error* error) noexcept { tell(error, "", "out of memory"); }

}  // namespace pchr::c

using namespace pchr::c;

const char* pchr_version() { return PCHR_VERSION; }
uint32_t pchr_api_version() { return PCHR_API_VERSION; }

pchr_character* pchr_load_file(const char* path, const pchr_load_options* options, pchr_error* error) {
  return guarded<pchr_character*>(nullptr,
                                  [&] { return load_from(std::filesystem::path(path), path, options, error); });
}

pchr_character* pchr_load_memory(const void* bytes, size_t size, const pchr_load_options* options, pchr_error* error) {
  return load_from(std::span(static_cast<const std::byte*>(bytes), size), "memory", options, error);
}

void pchr_character_free(pchr_character* character) { delete character; }

uint32_t pchr_warning_count(const pchr_character* character) { return count_of(character->character.warnings()); }

bool pchr_warning(const pchr_character* character, uint32_t warning, pchr_error* out) {
  const auto warnings = character->character.warnings();
  if (warning >= warnings.size()) return false;
  return guarded(false, [&] { return tell(out, warnings[warning], "character"), true; });
}

uint32_t pchr_bone_count(const pchr_character* character) { return count_of(character->character.bones()); }

const char* pchr_bone_name(const pchr_character* character, uint32_t bone) {
  const auto bones = character->character.bones();
  return bone < bones.size() ? bones[bone].name.c_str() : nullptr;
}

uint32_t pchr_bone_parent(const pchr_character* character, uint32_t bone) {
  const auto bones = character->character.bones();
  return bone < bones.size() && bones[bone].parent >= 0 ? static_cast<uint32_t>(bones[bone].parent) : PCHR_NONE;
}

uint32_t pchr_find_bone(const pchr_character* character, const char* name) {
  return number_of(character->character.find_bone(name));
}

uint32_t pchr_clip_count(const pchr_character* character) { return count_of(character->character.clips()); }

bool pchr_get_clip(const pchr_character* character, uint32_t clip, pchr_clip* out) {
  const auto clips = character->character.clips();
  if (clip >= clips.size()) return false;
  const pchr::Clip& found = clips[clip];
  *out = {found.name.c_str(), found.frames_per_second, found.duration_seconds(),
          found.frame_count,  found.looping,           found.loop_start};
  return true;
}

double pchr_frame_begin(const pchr_character* character, uint32_t clip, uint32_t frame) {
  const auto clips = character->character.clips();
  return clip < clips.size() ? pchr::seconds_of_frame(clips[clip], frame) : 0;
}

uint32_t pchr_find_clip(const pchr_character* character, const char* name) {
  return number_of(character->character.find_clip(name));
}

uint32_t pchr_image_count(const pchr_character* character) { return count_of(character->character.images()); }

bool pchr_get_image(const pchr_character* character, uint32_t image, pchr_image* out) {
  const auto images = character->character.images();
  if (image >= images.size()) return false;
  *out = {images[image].name.c_str(), images[image].width, images[image].height};
  return true;
}

bool pchr_decode_image(const pchr_character* character, uint32_t image, uint8_t* rgba, size_t size, pchr_error* error) {
  try {
    const auto images = character->character.images();
    if (image >= images.size()) return tell(error, "", "there is no such image"), false;
    const auto bitmap = pchr::decode(images[image], character->limits);
    if (!bitmap) return tell(error, bitmap.error(), images[image].name), false;
    if (bitmap->rgba.size() > size) return tell(error, "", "the image is larger than the memory given for it"), false;
    std::memcpy(rgba, bitmap->rgba.data(), bitmap->rgba.size());
    return true;
  } catch (...) {
    tell_no_memory(error);
    return false;
  }
}

uint32_t pchr_mesh_count(const pchr_character* character) { return count_of(character->character.meshes()); }

bool pchr_get_mesh(const pchr_character* character, uint32_t mesh, pchr_mesh* out) {
  const auto meshes = character->character.meshes();
  if (mesh >= meshes.size()) return false;
  const pchr::Mesh& found = meshes[mesh];
  *out = {found.name.c_str(),
          found.image,
          found.first_vertex,
          found.vertex_count,
          found.first_index,
          found.index_count,
          character->character.governing_bone(mesh)};
  return true;
}

uint32_t pchr_find_mesh(const pchr_character* character, const char* name) {
  return number_of(character->character.find_mesh(name));
}

const pchr_vertex* pchr_vertices(const pchr_character* character, uint32_t* count) {
  return array_of<pchr_vertex>(character->character.vertices(), count);
}

const uint16_t* pchr_indices(const pchr_character* character, uint32_t* count) {
  return array_of<uint16_t>(character->character.indices(), count);
}

bool pchr_clip_bounds(const pchr_character* character, uint32_t clip, pchr_rect* out) {
  if (clip >= character->character.clips().size()) return false;
  return guarded(false, [&] {
    const pchr::Rect bounds = pchr::clip_bounds(character->character, clip);
    *out = {bounds.min.x, bounds.min.y, bounds.max.x, bounds.max.y};
    return true;
  });
}
