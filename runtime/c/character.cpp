// SPDX-License-Identifier: MIT
// The C interface: versions, errors, and the contents of characters.
#include "c/c.hpp"

namespace pchr::c {
namespace {

/// Copies a text, truncated between two characters, to memory that is zero.
template <std::size_t size>
void copy_text(std::string_view text, char (&out)[size]) noexcept {
  std::size_t length = std::min(text.size(), size - 1);
  const auto is_continuation = [&](std::size_t i) { return (static_cast<unsigned char>(text[i]) & 0xC0U) == 0x80U; };
  while (length > 0 && length < text.size() && is_continuation(length)) --length;
  text.copy(out, length);
}

}  // namespace

void set_error(pchr_error* error, std::string_view code, std::string_view message) noexcept {
  if (error == nullptr) return;
  *error = {};
  copy_text(code, error->code);
  copy_text(message, error->message);
}

void set_error(pchr_error* error, const Diagnostic& diagnostic, std::string_view file_name) {
  if (error == nullptr) return;
  set_error(error, code(diagnostic.id), describe(diagnostic, file_name));
  copy_text(diagnostic.path, error->path);
  error->hint = hint(diagnostic.id).data();
}

void MissingNames::assign(Rebound&& missing) {
  missing_ = std::move(missing);
  names_.clear();
  for (const auto* names : {&missing_.clips, &missing_.bones, &missing_.meshes, &missing_.images}) {
    for (const std::string& name : *names) names_.push_back(name.c_str());
  }
}

pchr_rebound MissingNames::for_c() const noexcept {
  const char* const* next = names_.data();
  const auto take = [&](const std::vector<std::string>& names) {
    const pchr_names taken{next, count_of(names)};
    next += names.size();
    return taken;
  };
  pchr_rebound rebound{};
  rebound.clips = take(missing_.clips);
  rebound.bones = take(missing_.bones);
  rebound.meshes = take(missing_.meshes);
  rebound.images = take(missing_.images);
  return rebound;
}

namespace {

static_assert(sizeof(pchr_vertex) == sizeof(Vertex) && offsetof(pchr_vertex, bones) == offsetof(Vertex, bones) &&
              offsetof(pchr_vertex, weights) == offsetof(Vertex, weights));
static_assert(sizeof(pchr_vertex_3d) == sizeof(Vertex3D) &&
              offsetof(pchr_vertex_3d, normal) == offsetof(Vertex3D, normal));

}  // namespace
}  // namespace pchr::c

using namespace pchr::c;
using pchr::BoneId;
using pchr::ClipId;
using pchr::MeshId;

const char* pchr_version() { return PCHR_VERSION; }
uint32_t pchr_api_version() { return PCHR_API_VERSION; }

uint32_t pchr_features() {
  uint32_t features = 0;
#ifdef PCHR_WITH_IMPORT
  features |= PCHR_FEATURE_IMPORT;
#endif
#ifdef PCHR_WITH_RENDER
  features |= PCHR_FEATURE_RENDER;
#endif
#ifdef PCHR_C_ALLOCATOR
  features |= PCHR_FEATURE_ALLOCATOR;
#endif
  return features;
}

void pchr_character_free(pchr_character* character) { delete character; }

uint32_t pchr_warning_count(const pchr_character* handle) {
  return call([&] { return count_of(handle->character.warnings()); }, handle);
}

bool pchr_warning(const pchr_character* handle, uint32_t warning, pchr_error* out) {
  return call(
      [&] {
        const auto warnings = handle->character.warnings();
        if (warning >= warnings.size()) return false;
        set_error(out, warnings[warning], "character");
        return true;
      },
      handle, out);
}

uint32_t pchr_validate(const pchr_character* handle, pchr_error* out, uint32_t capacity) {
#ifdef PCHR_WITH_IMPORT
  const auto validate = [&] {
    const std::vector<pchr::Diagnostic> found = pchr::validate(*handle);
    for (std::size_t i = 0; i < std::min<std::size_t>(capacity, found.size()); ++i) {
      set_error(out + i, found[i], "character");
    }
    return count_of(found);
  };
  return call_or(PCHR_NONE, validate, handle);
#else
  (void)handle, (void)out, (void)capacity;
  return PCHR_NONE;
#endif
}

bool pchr_get_info(const pchr_character* handle, pchr_character_info* out) {
  return call(
      [&] {
        pchr_character_info info{};
        info.is_3d = handle->character.is_3d();
        info.pixel_art = handle->character.data().pixel_art;
        info.format = handle->format.c_str();
        info.title = handle->title.c_str();
        info.author = handle->author.c_str();
        return write(info, out);
      },
      handle);
}

uint32_t pchr_bone_count(const pchr_character* handle) {
  return call([&] { return count_of(handle->character.bones()); }, handle);
}

const char* pchr_bone_name(const pchr_character* handle, uint32_t bone) {
  return call(
      [&]() -> const char* {
        const auto bones = handle->character.bones();
        return bone < bones.size() ? bones[bone].name.c_str() : nullptr;
      },
      handle);
}

uint32_t pchr_bone_parent(const pchr_character* handle, uint32_t bone) {
  return call_or(
      PCHR_NONE,
      [&] {
        const auto bones = handle->character.bones();
        return bone < bones.size() ? std::to_underlying(bones[bone].parent) : PCHR_NONE;
      },
      handle);
}

uint32_t pchr_find_bone(const pchr_character* handle, const char* name) {
  return call_or(PCHR_NONE, [&] { return std::to_underlying(handle->character.find_bone(name)); }, handle, name);
}

bool pchr_bind_world(const pchr_character* handle, uint32_t bone, pchr_affine* out) {
  return call(
      [&] {
        if (bone >= handle->character.bones().size()) return false;
        *out = affine_for_c(bind_bone_world(handle->character, BoneId{bone}));
        return true;
      },
      handle, out);
}

const pchr_affine* pchr_inverse_bind(const pchr_character* handle) {
  return call([&] { return array_of<pchr_affine>(handle->character.inverse_bind(), nullptr); }, handle);
}

uint32_t pchr_clip_count(const pchr_character* handle) {
  return call([&] { return count_of(handle->character.clips()); }, handle);
}

bool pchr_get_clip(const pchr_character* handle, uint32_t clip, pchr_clip* out) {
  return call(
      [&] {
        const auto clips = handle->character.clips();
        if (clip >= clips.size()) return false;
        const pchr::Clip& found = clips[clip];
        return write({0, found.frame_count, found.name.c_str(), found.frames_per_second, found.duration_seconds(),
                      found.loop_start, found.looping},
                     out);
      },
      handle);
}

uint32_t pchr_find_clip(const pchr_character* handle, const char* name) {
  return call_or(PCHR_NONE, [&] { return std::to_underlying(handle->character.find_clip(name)); }, handle, name);
}

double pchr_frame_begin(const pchr_character* handle, uint32_t clip, uint32_t frame) {
  return call(
      [&] {
        const auto clips = handle->character.clips();
        return clip < clips.size() ? seconds_of_frame(clips[clip], frame) : 0.0;
      },
      handle);
}

bool pchr_find_frame(const pchr_character* handle, uint32_t clip, double seconds, pchr_sampling sampling,
                     pchr_clip_time* out) {
  return call(
      [&] {
        const auto clips = handle->character.clips();
        if (clip >= clips.size() || !std::isfinite(seconds)) return false;
        *out = time_for_c(clip_time(clips[clip], seconds, sampling_of(sampling)));
        return true;
      },
      handle, out);
}

bool pchr_bone_world(const pchr_character* handle, uint32_t clip, const pchr_clip_time* time, uint32_t bone,
                     pchr_affine* out) {
  return call(
      [&] {
        const pchr::Character& character = handle->character;
        if (bone >= character.bones().size() || (clip != PCHR_NONE && clip >= character.clips().size())) return false;
        const pchr::ClipTime position = time_of(time, character.clips()[ClipId{clip}]);
        *out = affine_for_c(bone_world(character, ClipId{clip}, position, BoneId{bone}));
        return true;
      },
      handle, out);
}

bool pchr_get_clip_samples(const pchr_character* handle, uint32_t clip, pchr_clip_samples* out) {
  if (handle == nullptr || clip >= handle->character.clips().size()) return false;
  const pchr::Clip& found = handle->character.clips()[ClipId{clip}];
  const pchr::BoneSamples& s = found.samples;
  return write({0, found.frame_count, count_of(handle->character.bones()), s.x.data(), s.y.data(),
                s.rotation_degrees.data(), s.scale_x.data(), s.scale_y.data(),
                s.opacity.empty() ? nullptr : s.opacity.data(), s.z_order.data(), s.visible.data()},
               out);
}

uint32_t pchr_image_count(const pchr_character* handle) {
  return call([&] { return count_of(handle->character.images()); }, handle);
}

bool pchr_get_image(const pchr_character* handle, uint32_t image, pchr_image* out) {
  return call(
      [&] {
        const auto images = handle->character.images();
        if (image >= images.size()) return false;
        return write({0, images[image].width, images[image].height, images[image].name.c_str()}, out);
      },
      handle);
}

bool pchr_decode_image(const pchr_character* handle, uint32_t image, uint8_t* rgba, size_t size, pchr_error* error) {
  const auto decode = [&] {
    const auto images = handle->character.images();
    if (image >= images.size()) return set_error(error, "", "the character has no image with this index"), false;
    const auto bitmap = pchr::decode(images[image], handle->limits);
    if (!bitmap) return set_error(error, bitmap.error(), images[image].name), false;
    if (bitmap->rgba.size() > size) return set_error(error, "", "the buffer is too small for the image"), false;
    std::memcpy(rgba, bitmap->rgba.data(), bitmap->rgba.size());
    return true;
  };
  return try_call(error, decode, handle, rgba);
}

uint32_t pchr_menu_image_count(const pchr_character* handle) {
#ifdef PCHR_WITH_IMPORT
  return call([&] { return count_of(handle->menu_images); }, handle);
#else
  (void)handle;
  return 0;
#endif
}

bool pchr_get_menu_image(const pchr_character* handle, uint32_t menu_image, pchr_menu_image* out) {
#ifdef PCHR_WITH_IMPORT
  const auto get = [&] {
    if (menu_image >= handle->menu_images.size()) return false;
    const pchr::MenuImage& found = handle->menu_images[menu_image];
    return write({0, std::to_underlying(found.image), found.x, found.y, found.width, found.height, found.name.c_str()},
                 out);
  };
  return call(get, handle);
#else
  (void)handle, (void)menu_image, (void)out;
  return false;
#endif
}

uint32_t pchr_mesh_count(const pchr_character* handle) {
  return call([&] { return count_of(handle->character.meshes()); }, handle);
}

bool pchr_get_mesh(const pchr_character* handle, uint32_t mesh, pchr_mesh* out) {
  return call(
      [&] {
        const auto meshes = handle->character.meshes();
        if (mesh >= meshes.size()) return false;
        const pchr::Mesh& found = meshes[mesh];
        return write(
            {0, std::to_underlying(found.image), found.name.c_str(), found.first_vertex, found.vertex_count,
             found.first_index, found.index_count, std::to_underlying(handle->character.governing_bone(MeshId{mesh}))},
            out);
      },
      handle);
}

uint32_t pchr_find_mesh(const pchr_character* handle, const char* name) {
  return call_or(PCHR_NONE, [&] { return std::to_underlying(handle->character.find_mesh(name)); }, handle, name);
}

const pchr_vertex* pchr_vertices(const pchr_character* handle, uint32_t* count) {
  if (handle == nullptr) return no_array<pchr_vertex>(count);
  return array_of<pchr_vertex>(handle->character.vertices(), count);
}

const pchr_vertex_3d* pchr_vertices_3d(const pchr_character* handle, uint32_t* count) {
  if (handle == nullptr) return no_array<pchr_vertex_3d>(count);
  return array_of<pchr_vertex_3d>(handle->character.vertices_3d(), count);
}

const uint16_t* pchr_indices(const pchr_character* handle, uint32_t* count) {
  if (handle == nullptr) return no_array<uint16_t>(count);
  return array_of<uint16_t>(handle->character.indices(), count);
}

bool pchr_clip_bounds(const pchr_character* handle, uint32_t clip, const pchr_executor* executor, pchr_rect* out) {
  return call(
      [&] {
        if (clip >= handle->character.clips().size()) return false;
        *out = rect_for_c(compute_clip_bounds(handle->character, ClipId{clip}, executor_of(executor)));
        return true;
      },
      handle, out);
}

bool pchr_frame_bounds(const pchr_character* handle, uint32_t clip, uint32_t frame, const pchr_executor* executor,
                       pchr_rect* out) {
  return call(
      [&] {
        const auto clips = handle->character.clips();
        if (clip >= clips.size() || frame >= clips[clip].frame_count) return false;
        *out = rect_for_c(compute_frame_bounds(handle->character, ClipId{clip}, frame, executor_of(executor)));
        return true;
      },
      handle, out);
}

bool pchr_mesh_bounds(const pchr_character* handle, uint32_t clip, uint32_t mesh, const pchr_executor* executor,
                      pchr_rect* out) {
  return call(
      [&] {
        const pchr::Character& character = handle->character;
        if (clip >= character.clips().size() || mesh >= character.meshes().size()) return false;
        *out = rect_for_c(compute_mesh_bounds(character, ClipId{clip}, MeshId{mesh}, executor_of(executor)));
        return true;
      },
      handle, out);
}

bool pchr_character_bounds(const pchr_character* handle, const pchr_executor* executor, pchr_rect* out) {
  return call([&] { *out = rect_for_c(compute_character_bounds(handle->character, executor_of(executor))); }, handle,
              out);
}
