// SPDX-License-Identifier: MIT
#include <pchr.h>

#include <pchr/animator.hpp>
#include <pchr/queries.hpp>
#ifdef PCHR_WITH_IMPORT
#include <pchr/import/import.hpp>
#endif

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <iterator>
#include <utility>

struct pchr_character : pchr::Character {
  pchr::Limits limits;
};

struct pchr_pose {
  pchr::Character character;
  pchr::PoseBuffers posed;
  std::vector<pchr_draw_item> draw_list;
};

struct pchr_animator : pchr::Animator {
  std::vector<pchr_event> events;
};

struct pchr_stream : pchr::DrawStream {};

namespace pchr::c {
namespace {

void set_error(pchr_error* error, std::string_view code, std::string_view message) noexcept {
  if (error == nullptr) return;
  *error = {};
  code.copy(error->code, sizeof(error->code) - 1);
  std::size_t length = std::min(message.size(), sizeof(error->message) - 1);
  const auto is_continuation = [&](std::size_t i) { return (static_cast<unsigned char>(message[i]) & 0xC0U) == 0x80U; };
  while (length > 0 && length < message.size() && is_continuation(length)) --length;
  message.copy(error->message, length);
}

void set_error(pchr_error* error, const Diagnostic& diagnostic, std::string_view file_name) {
  set_error(error, code(diagnostic.id), describe(diagnostic, file_name));
}

/// Returns the result of `make`. If it throws, which only running out of memory can cause, sets `error` and returns
/// null: exceptions must not reach C.
template <class Make>
auto try_make(const Make& make, pchr_error* error = nullptr) noexcept -> decltype(make()) {
  try {
    return make();
  } catch (...) {
    set_error(error, "", "out of memory");
    return {};
  }
}

/// Runs `work`. Returns false if it throws.
template <class Work>
bool try_run(const Work& work) noexcept {
  return try_make([&] { return work(), true; });
}

/// Returns the first element, and sets `count` unless it is null.
template <class Element, class Container>
const Element* array_of(const Container& container, std::uint32_t* count) noexcept {
  static_assert(sizeof(Element) == sizeof(*container.data()));
  if (count != nullptr) *count = static_cast<std::uint32_t>(container.size());
  return reinterpret_cast<const Element*>(container.data());
}

Sampling sampling_of(pchr_sampling sampling) noexcept {
  return sampling == PCHR_SMOOTH ? Sampling::smooth : Sampling::step;
}

static_assert(sizeof(pchr_vertex) == sizeof(Vertex) && offsetof(pchr_vertex, bones) == offsetof(Vertex, bones) &&
              offsetof(pchr_vertex, weights) == offsetof(Vertex, weights));

#ifdef PCHR_WITH_IMPORT
using Options = ImportOptions;

template <class Source>
Expected<Character, LoadError> read(const Source& source, const Options& options) {
  auto imported = import_character(source, options);
  if (!imported) return Unexpected(std::move(imported.error()));
  return std::move(imported->character);
}
#else
using Options = LoadOptions;

template <class Source>
Expected<Character, LoadError> read(const Source& source, const Options& options) {
  return load(source, options);
}
#endif

BindPose bind_of(const pchr_load_options& options) {
  if (options.bind == PCHR_BIND_CLIP) {
    return ClipBindPose{options.bind_clip != nullptr ? options.bind_clip : "", options.bind_frame};
  }
  if (options.bind == PCHR_BIND_IDENTITY) return IdentityBindPose{};
  return AutomaticBindPose{};
}

Options options_of(const pchr_load_options* given) {
  Options options;
  if (given == nullptr) return options;
  if (given->max_file_bytes != 0) options.limits.max_file_bytes = given->max_file_bytes;
  if (given->max_image_pixels != 0) options.limits.max_image_pixels = given->max_image_pixels;
  if (given->max_bone_samples != 0) options.limits.max_bone_samples = given->max_bone_samples;
  options.bind_pose = bind_of(*given);
#ifdef PCHR_WITH_IMPORT
  if (given->image_folder != nullptr) options.image_folder = given->image_folder;
  options.allow_images_outside = given->allow_images_outside;
#endif
  return options;
}

template <class Source>
pchr_character* load_from(const Source& source, std::string_view file_name, const pchr_load_options* given,
                          pchr_error* error) {
  const Options options = options_of(given);
  Expected<Character, LoadError> loaded = read(source, options);
  if (loaded) return new pchr_character{std::move(*loaded), options.limits};
  set_error(error, loaded.error(), file_name);
  return nullptr;
}

std::uint32_t count_of(const auto& elements) noexcept { return static_cast<std::uint32_t>(elements.size()); }

static_assert(PCHR_NONE == static_cast<std::uint32_t>(BoneId::none));

static_assert(sizeof(pchr_affine) == sizeof(Affine));

pchr_rect rect_of(const Rect& rect) noexcept { return {rect.min.x, rect.min.y, rect.max.x, rect.max.y}; }

/// Copies the draw list of `pose.posed` for C.
void refresh(pchr_pose& pose) {
  pose.draw_list.clear();
  for (const DrawItem& item : pose.posed.draw_list)
    pose.draw_list.push_back({static_cast<std::uint32_t>(item.mesh), item.opacity});
}

LoopMode loop_of(pchr_loop loop) noexcept {
  constexpr LoopMode kModes[] = {LoopMode::from_file, LoopMode::once, LoopMode::loop, LoopMode::ping_pong};
  const auto number = static_cast<std::size_t>(loop);
  return number < std::size(kModes) ? kModes[number] : LoopMode::from_file;
}

pchr_event event_of(const AnimatorEvent& event) noexcept {
  static_assert(static_cast<int>(AnimatorEvent::Kind::started) == PCHR_EVENT_STARTED &&
                static_cast<int>(AnimatorEvent::Kind::looped) == PCHR_EVENT_LOOPED &&
                static_cast<int>(AnimatorEvent::Kind::finished) == PCHR_EVENT_FINISHED &&
                static_cast<int>(AnimatorEvent::Kind::marker) == PCHR_EVENT_MARKER &&
                static_cast<int>(AnimatorEvent::Kind::interrupted) == PCHR_EVENT_INTERRUPTED);
  return {static_cast<pchr_event_kind>(event.kind),
          event.layer,
          std::to_underlying(event.play),
          event.count,
          event.seconds,
          event.marker != nullptr ? event.marker->name.c_str() : nullptr,
          static_cast<std::uint32_t>(event.clip),
          event.weight};
}

using Begin = PlayId (Animator::*)(ClipId, const PlayOptions&);

std::uint64_t begin(pchr_animator& handle, std::uint32_t clip, const pchr_play_options* given,
                    Begin function) noexcept {
  const pchr_play_options plain = pchr_play_defaults();
  const pchr_play_options& options = given != nullptr ? *given : plain;
  if (clip >= handle.character().clips().size() || options.layer >= PCHR_MAX_LAYERS) return 0;
  return try_make([&] {
    PlayOptions play{options.layer, options.fade_seconds, options.speed, {}, loop_of(options.loop)};
    if (options.start_seconds >= 0) play.start_seconds = options.start_seconds;
    return std::to_underlying((handle.*function)(ClipId{clip}, play));
  });
}

static_assert(PCHR_MAX_LAYERS == Animator::kMaxLayers);

static_assert(sizeof(pchr_stream_vertex) == sizeof(StreamVertex) &&
              offsetof(pchr_stream_vertex, color) == offsetof(StreamVertex, color));
static_assert(sizeof(pchr_stream_command) == sizeof(StreamCommand) &&
              offsetof(pchr_stream_command, image) == offsetof(StreamCommand, image) &&
              offsetof(pchr_stream_command, first_index) == offsetof(StreamCommand, first_index));

}  // namespace
}  // namespace pchr::c

using namespace pchr::c;

const char* pchr_version() { return PCHR_VERSION; }
uint32_t pchr_api_version() { return PCHR_API_VERSION; }

pchr_character* pchr_load_file(const char* path, const pchr_load_options* options, pchr_error* error) {
  return try_make([&] { return load_from(std::string(path), path, options, error); }, error);
}

pchr_character* pchr_load_memory(const void* bytes, size_t size, const pchr_load_options* options, pchr_error* error) {
  const std::span source(static_cast<const std::byte*>(bytes), size);
  return try_make([&] { return load_from(source, "memory", options, error); }, error);
}

void pchr_character_free(pchr_character* character) { delete character; }

uint32_t pchr_warning_count(const pchr_character* character) { return count_of(character->warnings()); }

bool pchr_warning(const pchr_character* character, uint32_t warning, pchr_error* out) {
  const auto warnings = character->warnings();
  if (warning >= warnings.size()) return false;
  return try_run([&] { set_error(out, warnings[warning], "character"); });
}

uint32_t pchr_bone_count(const pchr_character* character) { return count_of(character->bones()); }

const char* pchr_bone_name(const pchr_character* character, uint32_t bone) {
  const auto bones = character->bones();
  return bone < bones.size() ? bones[bone].name.c_str() : nullptr;
}

uint32_t pchr_bone_parent(const pchr_character* character, uint32_t bone) {
  const auto bones = character->bones();
  return static_cast<uint32_t>(bone < bones.size() ? bones[bone].parent : pchr::BoneId::none);
}

uint32_t pchr_find_bone(const pchr_character* character, const char* name) {
  return static_cast<uint32_t>(character->find_bone(name));
}

uint32_t pchr_clip_count(const pchr_character* character) { return count_of(character->clips()); }

bool pchr_get_clip(const pchr_character* character, uint32_t clip, pchr_clip* out) {
  const auto clips = character->clips();
  if (clip >= clips.size()) return false;
  const pchr::Clip& found = clips[clip];
  *out = {found.name.c_str(), found.frames_per_second, found.duration_seconds(),
          found.frame_count,  found.looping,           found.loop_start};
  return true;
}

double pchr_frame_begin(const pchr_character* character, uint32_t clip, uint32_t frame) {
  const auto clips = character->clips();
  return clip < clips.size() ? pchr::seconds_of_frame(clips[clip], frame) : 0;
}

uint32_t pchr_find_clip(const pchr_character* character, const char* name) {
  return static_cast<uint32_t>(character->find_clip(name));
}

uint32_t pchr_image_count(const pchr_character* character) { return count_of(character->images()); }

bool pchr_get_image(const pchr_character* character, uint32_t image, pchr_image* out) {
  const auto images = character->images();
  if (image >= images.size()) return false;
  *out = {images[image].name.c_str(), images[image].width, images[image].height};
  return true;
}

bool pchr_decode_image(const pchr_character* character, uint32_t image, uint8_t* rgba, size_t size, pchr_error* error) {
  const auto decode = [&] {
    const auto images = character->images();
    if (image >= images.size()) return set_error(error, "", "the character has no image with this index"), false;
    const auto bitmap = pchr::decode(images[image], character->limits);
    if (!bitmap) return set_error(error, bitmap.error(), images[image].name), false;
    if (bitmap->rgba.size() > size) return set_error(error, "", "the buffer is too small for the image"), false;
    std::memcpy(rgba, bitmap->rgba.data(), bitmap->rgba.size());
    return true;
  };
  return try_make(decode, error);
}

uint32_t pchr_mesh_count(const pchr_character* character) { return count_of(character->meshes()); }

bool pchr_get_mesh(const pchr_character* character, uint32_t mesh, pchr_mesh* out) {
  const auto meshes = character->meshes();
  if (mesh >= meshes.size()) return false;
  const pchr::Mesh& found = meshes[mesh];
  *out = {found.name.c_str(),
          static_cast<uint32_t>(found.image),
          found.first_vertex,
          found.vertex_count,
          found.first_index,
          found.index_count,
          static_cast<uint32_t>(character->governing_bone(pchr::MeshId{mesh}))};
  return true;
}

uint32_t pchr_find_mesh(const pchr_character* character, const char* name) {
  return static_cast<uint32_t>(character->find_mesh(name));
}

const pchr_vertex* pchr_vertices(const pchr_character* character, uint32_t* count) {
  return array_of<pchr_vertex>(character->vertices(), count);
}

const uint16_t* pchr_indices(const pchr_character* character, uint32_t* count) {
  return array_of<uint16_t>(character->indices(), count);
}

bool pchr_clip_bounds(const pchr_character* character, uint32_t clip, pchr_rect* out) {
  return clip < character->clips().size() &&
         try_run([&] { *out = rect_of(pchr::compute_clip_bounds(*character, pchr::ClipId{clip})); });
}

pchr_pose* pchr_pose_create(const pchr_character* character) {
  return try_make([&] {
    auto pose = std::make_unique<pchr_pose>(*character);
    pose_bind(pose->character, pose->posed);
    refresh(*pose);
    return pose.release();
  });
}

void pchr_pose_free(pchr_pose* pose) { delete pose; }

bool pchr_pose_bind(pchr_pose* pose) {
  return try_run([&] {
    pchr::pose_bind(pose->character, pose->posed);
    refresh(*pose);
  });
}

bool pchr_pose_clip(pchr_pose* pose, uint32_t clip, double seconds, pchr_sampling sampling) {
  if (clip >= pose->character.clips().size() || !std::isfinite(seconds)) return false;
  return try_run([&] {
    pchr::pose_clip(pose->character, pchr::ClipId{clip}, seconds, sampling_of(sampling), pose->posed);
    refresh(*pose);
  });
}

bool pchr_pose_get_bone(const pchr_pose* pose, uint32_t bone, pchr_bone_state* out) {
  const pchr::Pose& bones = pose->posed.pose;
  if (bone >= bones.x.size()) return false;
  *out = {bones.x[bone],       bones.y[bone],           bones.rotation_degrees[bone],
          bones.scale_x[bone], bones.scale_y[bone],     bones.opacity.empty() ? 1 : bones.opacity[bone],
          bones.z_order[bone], bones.visible[bone] != 0};
  return true;
}

bool pchr_pose_set_bone(pchr_pose* pose, uint32_t bone, const pchr_bone_state* state) {
  pchr::Pose& bones = pose->posed.pose;
  if (bone >= bones.x.size()) return false;
  return try_run([&] {
    if (bones.opacity.empty()) bones.opacity.assign(bones.x.size(), 1);
    bones.x[bone] = state->x;
    bones.y[bone] = state->y;
    bones.rotation_degrees[bone] = state->rotation_degrees;
    bones.scale_x[bone] = state->scale_x;
    bones.scale_y[bone] = state->scale_y;
    bones.opacity[bone] = state->opacity;
    bones.z_order[bone] = state->z_order;
    bones.visible[bone] = state->visible ? 1 : 0;
  });
}

bool pchr_pose_update(pchr_pose* pose) {
  return try_run([&] {
    pchr::update(pose->character, pose->posed);
    refresh(*pose);
  });
}

const pchr_affine* pchr_pose_world(const pchr_pose* pose) { return array_of<pchr_affine>(pose->posed.world, nullptr); }

const pchr_affine* pchr_pose_palette(const pchr_pose* pose) {
  return array_of<pchr_affine>(pose->posed.palette, nullptr);
}

const pchr_draw_item* pchr_pose_draw_list(const pchr_pose* pose, uint32_t* count) {
  return array_of<pchr_draw_item>(pose->draw_list, count);
}

pchr_rect pchr_pose_bounds(const pchr_pose* pose) { return rect_of(pchr::bounds(pose->character, pose->posed)); }

pchr_play_options pchr_play_defaults() { return {0, PCHR_LOOP_FROM_FILE, 0, 1, -1}; }

pchr_animator* pchr_animator_create(const pchr_character* character) {
  return try_make([&] { return new pchr_animator{pchr::Animator(*character), {}}; });
}

void pchr_animator_free(pchr_animator* animator) { delete animator; }

uint64_t pchr_animator_play(pchr_animator* animator, uint32_t clip, const pchr_play_options* options) {
  return begin(*animator, clip, options, &pchr::Animator::play);
}

uint64_t pchr_animator_queue(pchr_animator* animator, uint32_t clip, const pchr_play_options* options) {
  return begin(*animator, clip, options, &pchr::Animator::queue);
}

bool pchr_animator_stop(pchr_animator* animator, uint32_t layer, double fade_seconds) {
  return layer < PCHR_MAX_LAYERS && try_run([&] { animator->stop(layer, fade_seconds); });
}

bool pchr_animator_get_play(pchr_animator* animator, uint64_t play, pchr_play* out) {
  const pchr::Play* const found = animator->find(pchr::PlayId{play});
  if (found == nullptr) return false;
  *out = {found->clock.seconds(), found->clock.speed(), std::to_underlying(found->clip), found->weight()};
  return true;
}

bool pchr_animator_set_play_speed(pchr_animator* animator, uint64_t play, double speed) {
  pchr::Play* const found = animator->find(pchr::PlayId{play});
  if (found != nullptr) found->clock.set_speed(speed);
  return found != nullptr;
}

bool pchr_animator_seek_play(pchr_animator* animator, uint64_t play, double seconds) {
  pchr::Play* const found = animator->find(pchr::PlayId{play});
  if (found != nullptr) found->clock.seek_seconds(seconds);
  return found != nullptr;
}

bool pchr_animator_set_layer(pchr_animator* animator, uint32_t layer, pchr_layer_mode mode, float weight,
                             const uint8_t* mask) {
  return layer < PCHR_MAX_LAYERS && try_run([&] {
           pchr::LayerOptions options;
           options.weight = weight;
           options.mode = mode == PCHR_LAYER_ADDITIVE ? pchr::LayerMode::additive : pchr::LayerMode::override_below;
           if (mask != nullptr) options.mask.assign(mask, mask + animator->character().bones().size());
           animator->set_layer(layer, std::move(options));
         });
}

bool pchr_animator_set_layer_weight(pchr_animator* animator, uint32_t layer, float weight) {
  return layer < PCHR_MAX_LAYERS && try_run([&] { animator->set_layer_weight(layer, weight); });
}

bool pchr_mask_subtree(const pchr_character* character, uint32_t bone, uint8_t* mask) {
  if (bone >= character->bones().size()) return false;
  return try_run([&] {
    const pchr::BoneMask subtree = pchr::mask_of_subtree(*character, pchr::BoneId{bone});
    std::ranges::transform(subtree, std::span(mask, subtree.size()), mask, std::bit_or());
  });
}

void pchr_animator_set_speed(pchr_animator* animator, double speed) { animator->set_speed(speed); }

void pchr_animator_set_sampling(pchr_animator* animator, pchr_sampling sampling) {
  animator->set_sampling(sampling_of(sampling));
}

bool pchr_animator_set_markers(pchr_animator* animator, const pchr_marker* markers, uint32_t count) {
  return try_run([&] {
    std::vector<pchr::Marker> copies;
    for (const pchr_marker& marker : std::span(markers, count)) {
      copies.push_back({pchr::ClipId{marker.clip}, marker.frame, marker.name});
    }
    animator->set_markers(std::make_shared<pchr::Markers>(std::move(copies)));
  });
}

bool pchr_animator_load_markers(pchr_animator* animator, const char* path, pchr_error* error) {
#ifdef PCHR_WITH_IMPORT
  const auto load = [&] {
    auto loaded = pchr::load_markers(path, animator->character());
    if (!loaded) return set_error(error, loaded.error(), path), false;
    animator->set_markers(std::make_shared<pchr::Markers>(std::move(*loaded)));
    return true;
  };
  return try_make(load, error);
#else
  (void)animator, (void)path;
  return set_error(error, "", "this library was built without importers, which loading markers requires"), false;
#endif
}

const pchr_event* pchr_animator_advance(pchr_animator* animator, double seconds, uint32_t* count) {
  try_run([&] {
    animator->events.clear();
    std::ranges::transform(animator->advance(seconds), std::back_inserter(animator->events), event_of);
  });
  return array_of<pchr_event>(animator->events, count);
}

bool pchr_animator_pose(pchr_animator* animator, pchr_pose* out) {
  if (&animator->character().data() != &out->character.data()) return false;
  return try_run([&] {
    animator->pose(out->posed);
    refresh(*out);
  });
}

bool pchr_animator_set_root_motion(pchr_animator* animator, uint32_t bone, bool along_x, bool along_y) {
  if (bone == PCHR_NONE) return animator->set_root_motion({}), true;
  if (bone >= animator->character().bones().size()) return false;
  animator->set_root_motion(pchr::RootMotion{pchr::BoneId{bone}, along_x, along_y});
  return true;
}

void pchr_animator_take_root_motion(pchr_animator* animator, float* x, float* y) {
  const pchr::Vec2 moved = animator->take_root_motion();
  *x = moved.x;
  *y = moved.y;
}

pchr_stream* pchr_stream_create() {
  return try_make([] { return new pchr_stream; });
}

void pchr_stream_free(pchr_stream* stream) { delete stream; }

void pchr_stream_clear(pchr_stream* stream) { stream->clear(); }

bool pchr_stream_add(pchr_stream* stream, const pchr_pose* pose, const pchr_appearance* appearance, uint32_t source) {
  return try_run([&] {
    pchr::Appearance look;
    if (appearance != nullptr) {
      const auto [a, b, c, d, tx, ty] = appearance->placement;
      look = {{a, b, c, d, tx, ty}, std::to_array(appearance->tint)};
    }
    pchr::append_draw_stream(pose->character, pose->posed, look, nullptr, *stream, source);
  });
}

const pchr_stream_vertex* pchr_stream_vertices(const pchr_stream* stream, uint32_t* count) {
  return array_of<pchr_stream_vertex>(stream->vertices, count);
}

const uint32_t* pchr_stream_indices(const pchr_stream* stream, uint32_t* count) {
  return array_of<uint32_t>(stream->indices, count);
}

const pchr_stream_command* pchr_stream_commands(const pchr_stream* stream, uint32_t* count) {
  return array_of<pchr_stream_command>(stream->commands, count);
}
