// SPDX-License-Identifier: MIT
// The C interface: errors, loading, the contents of characters, and saving.
#include "c/c.hpp"

#include "platform/files.hpp"
#include "platform/output_file.hpp"

#ifdef PCHR_WITH_IMPORT
#include <pchr/import/save.hpp>
#endif

struct pchr_saved {
#ifdef PCHR_WITH_IMPORT
  pchr::Saved files;
  std::string stem;      ///< Names the file in messages.
  std::string rig{};     ///< Text of the rig file, or empty.
  std::string rig_name;  ///< Its name.
#endif
};

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

static_assert(sizeof(pchr_vertex) == sizeof(Vertex) && offsetof(pchr_vertex, bones) == offsetof(Vertex, bones) &&
              offsetof(pchr_vertex, weights) == offsetof(Vertex, weights));
static_assert(sizeof(pchr_vertex_3d) == sizeof(Vertex3D) &&
              offsetof(pchr_vertex_3d, normal) == offsetof(Vertex3D, normal));

ReadFile reader_of(const pchr_file_system* files) noexcept {
  if (files == nullptr || files->read == nullptr) return {};
  const auto read = [](void* given, const std::string& path) {
    const auto& [read_file, close_file, user] = *static_cast<const pchr_file_system*>(given);
    pchr_file file{};
    const bool found = read_file(user, path.c_str(), &file);
    Expected<std::vector<std::byte>, std::string> result =
        Unexpected(std::string(file.error != nullptr ? file.error : "it cannot be read"));
    if (found) {
      const auto* const bytes = static_cast<const std::byte*>(file.bytes);
      result = std::vector<std::byte>(bytes, bytes + file.size);
    }
    if (close_file != nullptr) close_file(user, &file);
    return result;
  };
  return {read, const_cast<pchr_file_system*>(files)};
}

Executor executor_of(const pchr_executor* given) noexcept {
  if (given == nullptr) return {};
  return {given->parallel_for, given->user, std::max(given->threads, 1U)};
}

std::optional<LoadingOptions> loading_options_of(const pchr_load_options* options_given) {
  const std::optional<pchr_load_options> given = read(options_given);
  if (!given) return std::nullopt;
  LoadingOptions options;
  if (given->max_file_bytes != 0) options.limits.max_file_bytes = given->max_file_bytes;
  if (given->max_image_pixels != 0) options.limits.max_image_pixels = given->max_image_pixels;
  if (given->max_bone_samples != 0) options.limits.max_bone_samples = given->max_bone_samples;
  if (given->bind == PCHR_BIND_IDENTITY) options.bind_pose = IdentityBindPose{};
  if (given->bind == PCHR_BIND_CLIP) {
    options.bind_pose = ClipBindPose{given->bind_clip != nullptr ? given->bind_clip : "", given->bind_frame};
  }
  options.read_file = reader_of(given->file_system);

#ifdef PCHR_WITH_IMPORT
  options.executor = executor_of(given->executor);
  if (given->image_folder != nullptr) options.image_folder = given->image_folder;
  options.allow_images_outside = given->allow_images_outside;
  options.follow_links = given->follow_links;
  options.second_player = given->second_player;
  options.black_color_key = given->black_color_key;
  options.also_find_animations = given->also_find_animations;
  if (given->text_encoding != nullptr) options.text_encoding = given->text_encoding;
  if (given->layers == PCHR_ARTWORK_ALL) options.layers.which = LayerChoice::Which::all;
  if (given->layers == PCHR_ARTWORK_NAMED) options.layers.which = LayerChoice::Which::named;
  options.layers.names = texts_of(given->layer_names);
  for (const pchr_layer_override& layer : span_of(given->layer_overrides, given->layer_override_count)) {
    options.layers.overrides.push_back({layer.layer, layer.drawn});
  }
  options.animations = texts_of(given->animations);
  options.texture_folders = texts_of(given->texture_folders);
  options.flat = given->flat;
  if (given->deform_tolerance > 0) options.deform_tolerance = given->deform_tolerance;
  if (given->armature != nullptr) options.armature = given->armature;
  if (given->skin != nullptr) options.skin = given->skin;
  options.frames_per_second = given->frames_per_second;
#endif
  return options;
}

namespace {

template <class Source>
pchr_character* load_from(const Source& source, std::string_view file_name, const pchr_load_options* given,
                          pchr_error* error) {
  std::optional<LoadingOptions> options = loading_options_of(given);
  if (!options) return set_error(error, "", "the struct_size of the options is too small"), nullptr;
#ifdef PCHR_WITH_IMPORT
  const auto before_reading = [&](const std::string& path) {
    given->before_reading(given->before_reading_user, path.c_str());
  };
  if (read(given)->before_reading != nullptr) options->before_reading = before_reading;
  Expected<Imported, LoadError> loaded = import_character(source, *options);
  if (!loaded) return set_error(error, loaded.error(), file_name), nullptr;
  if (loaded->rig_error) return set_error(error, *loaded->rig_error, loaded->rig_file), nullptr;
  return new pchr_character{std::move(*loaded), options->limits};
#else
  Expected<Character, LoadError> loaded = load(source, *options);
  if (!loaded) return set_error(error, loaded.error(), file_name), nullptr;
  return new pchr_character{{std::move(*loaded)}, options->limits};
#endif
}

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
  return handle != nullptr ? count_of(handle->character.warnings()) : 0;
}

bool pchr_warning(const pchr_character* handle, uint32_t warning, pchr_error* out) {
  return call(exist(handle, out), [&] {
    const auto warnings = handle->character.warnings();
    if (warning >= warnings.size()) return false;
    set_error(out, warnings[warning], "character");
    return true;
  });
}

uint32_t pchr_validate(const pchr_character* handle, pchr_error* out, uint32_t capacity) {
#ifdef PCHR_WITH_IMPORT
  return call_or(PCHR_NONE, exist(handle), [&] {
    const std::vector<pchr::Diagnostic> found = pchr::validate(*handle);
    for (std::size_t i = 0; i < std::min<std::size_t>(capacity, found.size()) && out != nullptr; ++i) {
      set_error(out + i, found[i], "character");
    }
    return count_of(found);
  });
#else
  (void)handle, (void)out, (void)capacity;
  return PCHR_NONE;
#endif
}

bool pchr_get_info(const pchr_character* handle, pchr_character_info* out) {
  if (handle == nullptr) return false;
  pchr_character_info info{};
  info.is_3d = handle->character.is_3d();
  info.pixel_art = handle->character.data().pixel_art;
  info.format = handle->format.c_str();
  info.title = handle->title.c_str();
  info.author = handle->author.c_str();
  const pchr::BindPoseSource bind = handle->character.bind_pose_source();
  info.bind_clip = std::to_underlying(bind.clip);
  info.bind_frame = bind.frame;
  info.bind_guessed = handle->character.bind_pose_guess().has_value();
  return write(info, out);
}

uint32_t pchr_bone_count(const pchr_character* handle) {
  return handle != nullptr ? count_of(handle->character.bones()) : 0;
}

const char* pchr_bone_name(const pchr_character* handle, uint32_t bone) {
  if (handle == nullptr) return nullptr;
  const auto bones = handle->character.bones();
  return bone < bones.size() ? bones[bone].name.c_str() : nullptr;
}

uint32_t pchr_bone_parent(const pchr_character* handle, uint32_t bone) {
  if (handle == nullptr) return PCHR_NONE;
  const auto bones = handle->character.bones();
  return bone < bones.size() ? std::to_underlying(bones[bone].parent) : PCHR_NONE;
}

uint32_t pchr_find_bone(const pchr_character* handle, const char* name) {
  return handle != nullptr && name != nullptr ? std::to_underlying(handle->character.find_bone(name)) : PCHR_NONE;
}

bool pchr_bind_world(const pchr_character* handle, uint32_t bone, pchr_affine* out) {
  if (handle == nullptr || out == nullptr || bone >= handle->character.bones().size()) return false;
  *out = affine_for_c(bind_bone_world(handle->character, BoneId{bone}));
  return true;
}

const pchr_affine* pchr_inverse_bind(const pchr_character* handle) {
  return handle != nullptr ? array_of<pchr_affine>(handle->character.inverse_bind(), nullptr) : nullptr;
}

uint32_t pchr_clip_count(const pchr_character* handle) {
  return handle != nullptr ? count_of(handle->character.clips()) : 0;
}

bool pchr_get_clip(const pchr_character* handle, uint32_t clip, pchr_clip* out) {
  if (handle == nullptr) return false;
  const auto clips = handle->character.clips();
  if (clip >= clips.size()) return false;
  const pchr::Clip& found = clips[clip];
  return write({0, found.frame_count, found.name.c_str(), found.frames_per_second, found.duration_seconds(),
                found.loop_start, found.looping},
               out);
}

uint32_t pchr_find_clip(const pchr_character* handle, const char* name) {
  return handle != nullptr && name != nullptr ? std::to_underlying(handle->character.find_clip(name)) : PCHR_NONE;
}

double pchr_frame_begin(const pchr_character* handle, uint32_t clip, uint32_t frame) {
  if (handle == nullptr) return 0;
  const auto clips = handle->character.clips();
  return clip < clips.size() ? clips[clip].frame_begin(frame) : 0.0;
}

bool pchr_find_frame(const pchr_character* handle, uint32_t clip, double seconds, pchr_sampling sampling,
                     pchr_clip_time* out) {
  if (handle == nullptr || out == nullptr) return false;
  const auto clips = handle->character.clips();
  if (clip >= clips.size() || !std::isfinite(seconds)) return false;
  *out = time_for_c(clip_time(clips[clip], seconds, sampling_of(sampling)));
  return true;
}

bool pchr_bone_world(const pchr_character* handle, uint32_t clip, const pchr_clip_time* time, uint32_t bone,
                     pchr_affine* out) {
  if (handle == nullptr || out == nullptr) return false;
  const pchr::Character& character = handle->character;
  if (bone >= character.bones().size() || (clip != PCHR_NONE && clip >= character.clips().size())) return false;
  const pchr::ClipTime position = time_of(time, character.clips()[ClipId{clip}]);
  *out = affine_for_c(bone_world(character, ClipId{clip}, position, BoneId{bone}));
  return true;
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
  return handle != nullptr ? count_of(handle->character.images()) : 0;
}

bool pchr_get_image(const pchr_character* handle, uint32_t image, pchr_image* out) {
  if (handle == nullptr) return false;
  const auto images = handle->character.images();
  if (image >= images.size()) return false;
  return write({0, images[image].width, images[image].height, images[image].name.c_str()}, out);
}

bool pchr_decode_image(const pchr_character* handle, uint32_t image, uint8_t* rgba, size_t size, pchr_error* error) {
  return try_call(error, exist(handle, rgba), [&] {
    const auto images = handle->character.images();
    if (image >= images.size()) return set_error(error, "", "the character has no image with this index"), false;
    const auto bitmap = pchr::decode(images[image], handle->limits);
    if (!bitmap) return set_error(error, bitmap.error(), images[image].name), false;
    if (bitmap->rgba.size() > size) return set_error(error, "", "the buffer is too small for the image"), false;
    std::memcpy(rgba, bitmap->rgba.data(), bitmap->rgba.size());
    return true;
  });
}

uint32_t pchr_menu_image_count(const pchr_character* handle) {
#ifdef PCHR_WITH_IMPORT
  return call(exist(handle), [&] { return count_of(handle->menu_images); });
#else
  (void)handle;
  return 0;
#endif
}

bool pchr_get_menu_image(const pchr_character* handle, uint32_t menu_image, pchr_menu_image* out) {
#ifdef PCHR_WITH_IMPORT
  return call(exist(handle), [&] {
    if (menu_image >= handle->menu_images.size()) return false;
    const pchr::MenuImage& found = handle->menu_images[menu_image];
    return write({0, std::to_underlying(found.image), found.x, found.y, found.width, found.height, found.name.c_str()},
                 out);
  });
#else
  (void)handle, (void)menu_image, (void)out;
  return false;
#endif
}

uint32_t pchr_mesh_count(const pchr_character* handle) {
  return handle != nullptr ? count_of(handle->character.meshes()) : 0;
}

bool pchr_get_mesh(const pchr_character* handle, uint32_t mesh, pchr_mesh* out) {
  if (handle == nullptr) return false;
  const auto meshes = handle->character.meshes();
  if (mesh >= meshes.size()) return false;
  const pchr::Mesh& found = meshes[mesh];
  return write(
      {0, std::to_underlying(found.image), found.name.c_str(), found.first_vertex, found.vertex_count,
       found.first_index, found.index_count, std::to_underlying(handle->character.governing_bone(MeshId{mesh}))},
      out);
}

uint32_t pchr_find_mesh(const pchr_character* handle, const char* name) {
  return handle != nullptr && name != nullptr ? std::to_underlying(handle->character.find_mesh(name)) : PCHR_NONE;
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
  return call(exist(handle, out), [&] {
    if (clip >= handle->character.clips().size()) return false;
    *out = rect_for_c(compute_clip_bounds(handle->character, ClipId{clip}, executor_of(executor)));
    return true;
  });
}

bool pchr_frame_bounds(const pchr_character* handle, uint32_t clip, uint32_t frame, const pchr_executor* executor,
                       pchr_rect* out) {
  return call(exist(handle, out), [&] {
    const auto clips = handle->character.clips();
    if (clip >= clips.size() || frame >= clips[clip].frame_count) return false;
    *out = rect_for_c(compute_frame_bounds(handle->character, ClipId{clip}, frame, executor_of(executor)));
    return true;
  });
}

bool pchr_mesh_bounds(const pchr_character* handle, uint32_t clip, uint32_t mesh, const pchr_executor* executor,
                      pchr_rect* out) {
  return call(exist(handle, out), [&] {
    const pchr::Character& character = handle->character;
    if (clip >= character.clips().size() || mesh >= character.meshes().size()) return false;
    *out = rect_for_c(compute_mesh_bounds(character, ClipId{clip}, MeshId{mesh}, executor_of(executor)));
    return true;
  });
}

bool pchr_character_bounds(const pchr_character* handle, const pchr_executor* executor, pchr_rect* out) {
  return call(exist(handle, out),
              [&] { *out = rect_for_c(compute_character_bounds(handle->character, executor_of(executor))); });
}

pchr_executor pchr_thread_executor(uint32_t threads) {
  const pchr::Executor executor = pchr::thread_executor(threads);
  return {executor.parallel_for, executor.user, executor.threads};
}

pchr_character* pchr_load_file(const char* path, const pchr_load_options* options, pchr_error* error) {
  return try_call(error, exist(path), [&] { return load_from(std::string(path), path, options, error); });
}

pchr_character* pchr_load_memory(const void* bytes, size_t size, const pchr_load_options* options, pchr_error* error) {
  const std::span source(static_cast<const std::byte*>(bytes), bytes != nullptr ? size : 0);
  return try_call(error, true, [&] { return load_from(source, "memory", options, error); });
}

#ifdef PCHR_WITH_IMPORT

pchr_saved* pchr_save(const pchr_character* handle, pchr_format format, const char* stem,
                      const pchr_save_options* options, pchr_error* error) {
  return try_call(error, exist(handle, stem), [&]() -> pchr_saved* {
    const std::optional<pchr_save_options> given = read(options);
    if (!given) return set_error(error, "", "the struct_size of the options is too small"), nullptr;
    constexpr pchr::Format kFormats[] = {pchr::Format::v1, pchr::Format::json, pchr::Format::packed};
    if (static_cast<unsigned>(format) >= std::size(kFormats)) {
      return set_error(error, "", "there is no such format"), nullptr;
    }
    pchr::SaveOptions saving;
    if (given->dialect == PCHR_JSON_V1) saving.json_dialect = pchr::JsonDialect::v1;
    if (given->dialect == PCHR_JSON_PACHARIO) saving.json_dialect = pchr::JsonDialect::pachario;
    saving.raw_pixels = given->raw_pixels;
    saving.lossy = given->lossy;
    saving.limits = handle->limits;
    saving.bind_clip = given->bind_clip;
    if (given->max_output_bytes != 0) saving.max_output_bytes = given->max_output_bytes;
    if (given->rig != nullptr && !is_same(handle->character, given->rig->character)) {
      return set_error(error, "", "the rig is of another character"), nullptr;
    }
    auto saved = pchr::save(*handle, kFormats[format], stem, saving);
    if (!saved) return set_error(error, saved.error(), stem), nullptr;
    auto result = std::make_unique<pchr_saved>(std::move(*saved), stem);
    if (given->rig != nullptr) {
      pchr::Sidecar sidecar{*given->rig->markers, given->rig->rig, {}, given->rig->masks, given->rig->states};
      pchr::move_to_saved_frames(sidecar, handle->character);
      result->rig = save_rig(sidecar, handle->character);
      if (result->rig == save_rig({}, handle->character)) result->rig.clear();
      result->rig_name = pchr::rig_path(result->files.file.name);
    }
    return result.release();
  });
}

uint32_t pchr_saved_file_count(const pchr_saved* saved) {
  return saved != nullptr ? count_of(saved->files.images) + (saved->rig.empty() ? 1 : 2) : 0;
}

bool pchr_get_saved_file(const pchr_saved* saved, uint32_t file, pchr_saved_file* out) {
  if (out == nullptr || file >= pchr_saved_file_count(saved)) return false;
  if (file > saved->files.images.size()) {
    *out = {saved->rig_name.c_str(), saved->rig.data(), saved->rig.size()};
    return true;
  }
  const pchr::SavedFile& found = file == 0 ? saved->files.file : saved->files.images[file - 1];
  *out = {found.name.c_str(), found.bytes.data(), found.bytes.size()};
  return true;
}

uint32_t pchr_saved_loss_count(const pchr_saved* saved) { return saved != nullptr ? count_of(saved->files.losses) : 0; }

bool pchr_saved_loss(const pchr_saved* saved, uint32_t loss, pchr_error* out) {
  return call(exist(saved, out), [&] {
    if (loss >= saved->files.losses.size()) return false;
    set_error(out, saved->files.losses[loss], saved->stem);
    return true;
  });
}

#else

pchr_saved* pchr_save(const pchr_character*, pchr_format, const char*, const pchr_save_options*, pchr_error* error) {
  return set_error(error, "", "this library was built without importers, which saving requires"), nullptr;
}

uint32_t pchr_saved_file_count(const pchr_saved*) { return 0; }
bool pchr_get_saved_file(const pchr_saved*, uint32_t, pchr_saved_file*) { return false; }
uint32_t pchr_saved_loss_count(const pchr_saved*) { return 0; }
bool pchr_saved_loss(const pchr_saved*, uint32_t, pchr_error*) { return false; }

#endif

bool pchr_saved_write(const pchr_saved* saved, const char* folder, pchr_error* error) {
  return try_call(error, exist(saved, folder), [&] {
    std::vector<std::string> paths;
    const auto fail = [&](const std::string& path, const std::error_code& failed) {
      return set_error(error, "", path + " cannot be written: " + pchr::error_text(failed)), false;
    };
    pchr_saved_file file{};
    for (uint32_t i = 0; pchr_get_saved_file(saved, i, &file); ++i) {
      const std::string& path = paths.emplace_back(std::string(folder) + '/' + file.name);
      std::error_code failed;
      pchr::File stream = pchr::open_file(path, "wb", failed);
      if (!failed && std::fwrite(file.bytes, 1, file.size, stream.get()) != file.size)
        failed = pchr::last_stream_error();
      if (!failed) failed = pchr::close_file(std::move(stream));
      if (failed) return fail(path, failed);
    }
    std::size_t number = 0;
    const std::error_code failed = pchr::sync_files(paths, number);
    return failed ? fail(paths[number], failed) : true;
  });
}

void pchr_saved_free(pchr_saved* saved) { delete saved; }
