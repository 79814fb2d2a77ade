// SPDX-License-Identifier: MIT
// The C interface: animators and procedural layers.
#include "c/c.hpp"

#include <functional>
#include <iterator>
#include <utility>

namespace pchr::c {
namespace {

static_assert(PCHR_MAX_LAYERS == Animator::kMaxLayers);

pchr_event event_for_c(const AnimatorEvent& event) noexcept {
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
          std::to_underlying(event.clip),
          event.weight};
}

pchr_play play_for_c(const Play& play) noexcept {
  static_assert(static_cast<int>(Play::Kind::clip) == PCHR_PLAY_CLIP &&
                static_cast<int>(Play::Kind::fade_out) == PCHR_PLAY_FADE_OUT &&
                static_cast<int>(Play::Kind::still) == PCHR_PLAY_STILL);
  pchr_play result{};
  result.kind = static_cast<pchr_play_kind>(play.kind);
  result.id = std::to_underlying(play.id);
  result.clip = std::to_underlying(play.clip);
  result.loop = static_cast<pchr_loop>(play.clock.mode());
  result.seconds = play.clock.seconds();
  result.speed = play.clock.speed();
  result.fade_seconds = play.fade_seconds;
  result.weight = play.weight();
  result.playing = play.clock.playing();
  return result;
}

pchr_play_options default_play_options() noexcept {
  pchr_play_options options{};
  options.speed = 1;
  options.start_seconds = -1;
  return options;
}

pchr_layer_options default_layer_options() noexcept {
  pchr_layer_options options{};
  options.weight = 1;
  options.reference_clip = PCHR_NONE;
  return options;
}

using Begin = PlayId (Animator::*)(ClipId, const PlayOptions&);

std::uint64_t begin(pchr_animator* animator, std::uint32_t clip, const pchr_play_options* options, Begin function) {
  return call(exist(animator), [&] {
    const std::optional<pchr_play_options> given = read(options, default_play_options());
    if (!given || clip >= animator->character().clips().size() || given->layer >= PCHR_MAX_LAYERS) {
      return std::uint64_t{0};
    }
    PlayOptions play{given->layer, given->fade_seconds, given->speed, {}, loop_of(given->loop)};
    if (given->start_seconds >= 0) play.start_seconds = given->start_seconds;
    return std::to_underlying((animator->*function)(ClipId{clip}, play));
  });
}

/// Calls `work` with a play that is shown.
template <class Work>
bool with_play(pchr_animator* animator, std::uint64_t id, const Work& work) noexcept {
  return call(exist(animator), [&] {
    Play* const play = animator->find(PlayId{id});
    if (play != nullptr) work(*play);
    return play != nullptr;
  });
}

pchr_aim aim_for_c(const Aim& aim) noexcept {
  pchr_aim result{};
  result.bone = std::to_underlying(aim.bone);
  result.axis_degrees = aim.axis_degrees;
  result.target_bone = std::to_underlying(aim.target_bone);
  result.min_degrees = aim.min_degrees;
  result.max_degrees = aim.max_degrees;
  result.softness_degrees = aim.softness_degrees;
  result.weight = aim.weight;
  return result;
}

pchr_limb limb_for_c(const TwoBoneIk& limb) noexcept {
  static_assert(static_cast<int>(Bend::as_animated) == PCHR_BEND_AS_ANIMATED &&
                static_cast<int>(Bend::counter_clockwise) == PCHR_BEND_COUNTER_CLOCKWISE &&
                static_cast<int>(Bend::clockwise) == PCHR_BEND_CLOCKWISE);
  pchr_limb result{};
  result.upper = std::to_underlying(limb.upper);
  result.lower = std::to_underlying(limb.lower);
  result.end = std::to_underlying(limb.end);
  result.tip_x = limb.tip.x;
  result.tip_y = limb.tip.y;
  result.target_bone = std::to_underlying(limb.target_bone);
  result.bend = static_cast<pchr_bend>(limb.bend);
  result.softness_pixels = limb.softness_pixels;
  result.max_stretch = limb.max_stretch;
  result.weight = limb.weight;
  return result;
}

pchr_foot foot_for_c(const FootPlant& foot) noexcept {
  pchr_foot result{};
  result.limb = foot.ik;
  result.fade_in_seconds = foot.fade_in_seconds;
  result.fade_out_seconds = foot.fade_out_seconds;
  return result;
}

pchr_spring spring_for_c(const SpringChain& spring) noexcept {
  pchr_spring result{};
  result.tip_x = spring.tip.x;
  result.tip_y = spring.tip.y;
  result.frequency = spring.frequency;
  result.damping = spring.damping;
  result.drag = spring.drag;
  result.gravity_x = spring.gravity.x;
  result.gravity_y = spring.gravity.y;
  result.limit_degrees = spring.limit_degrees;
  result.weight = spring.weight;
  return result;
}

Aim from_c(const pchr_aim& aim) {
  return {text_of(aim.name), BoneId{aim.bone}, aim.axis_degrees,     BoneId{aim.target_bone},
          aim.min_degrees,   aim.max_degrees,  aim.softness_degrees, aim.weight};
}

TwoBoneIk from_c(const pchr_limb& limb) {
  const bool known = static_cast<unsigned>(limb.bend) <= PCHR_BEND_CLOCKWISE;
  return {text_of(limb.name),
          BoneId{limb.upper},
          BoneId{limb.lower},
          BoneId{limb.end},
          {limb.tip_x, limb.tip_y},
          BoneId{limb.target_bone},
          known ? static_cast<Bend>(limb.bend) : Bend::as_animated,
          limb.softness_pixels,
          limb.max_stretch,
          limb.weight};
}

FootPlant from_c(const pchr_foot& foot) {
  return {text_of(foot.name),           foot.limb,
          text_of(foot.plant, "plant"), text_of(foot.lift, "lift"),
          foot.fade_in_seconds,         foot.fade_out_seconds};
}

SpringChain from_c(const pchr_spring& spring) {
  SpringChain result{text_of(spring.name), {},          {spring.tip_x, spring.tip_y},         spring.frequency,
                     spring.damping,       spring.drag, {spring.gravity_x, spring.gravity_y}, spring.limit_degrees,
                     spring.weight};
  for (std::uint32_t i = 0; i < spring.bone_count && spring.bones != nullptr; ++i) {
    result.bones.push_back(BoneId{spring.bones[i]});
  }
  return result;
}

std::shared_ptr<const Markers> markers_from_c(std::span<const pchr_marker> markers) {
  std::vector<Marker> copies;
  for (const pchr_marker& marker : markers) copies.push_back({ClipId{marker.clip}, marker.frame, text_of(marker.name)});
  return std::make_shared<const Markers>(std::move(copies));
}

/// Adds the bones in `added` to a mask of the same size.
void add(const BoneMask& added, std::uint8_t* mask) noexcept {
  std::ranges::transform(added, std::span(mask, added.size()), mask, std::bit_or());
}

/// Adds a constraint to one of the lists of a rig, unless it cannot work.
template <class Given, class Constraint>
bool add(pchr_rig* rig, const Given* given, std::vector<Constraint> Rig::* list, pchr_error* error) noexcept {
  return try_call(error, exist(rig, given), [&] {
    const std::optional<Given> values = read(given);
    if (!values) return set_error(error, "", "the struct_size of the options is too small"), false;
    Rig changed = rig->rig;
    (changed.*list).push_back(from_c(*values));
    if (const std::optional<Diagnostic> wrong = find_rig_error(changed, rig->character)) {
      return set_error(error, *wrong, rig->file), false;
    }
    rig->rig = std::move(changed);
    rig->shared = nullptr;
    return true;
  });
}

#ifdef PCHR_WITH_IMPORT
pchr_rig* rig_of(const pchr_character& handle, Expected<Sidecar, LoadError> loaded, const char* file,
                 pchr_error* error) {
  if (!loaded) return set_error(error, loaded.error(), file), nullptr;
  if (loaded->markers.all().empty()) loaded->markers = handle.markers;
  return new pchr_rig{handle.character,
                      std::move(loaded->rig),
                      std::make_shared<const Markers>(std::move(loaded->markers)),
                      std::move(loaded->masks),
                      std::move(loaded->states),
                      std::move(loaded->state_errors),
                      file};
}
#endif

}  // namespace
}  // namespace pchr::c

using namespace pchr::c;
using pchr::BoneId;
using pchr::ClipId;

void pchr_play_options_init(pchr_play_options* options, uint32_t struct_size) {
  init(default_play_options(), options, struct_size);
}

void pchr_layer_options_init(pchr_layer_options* options, uint32_t struct_size) {
  init(default_layer_options(), options, struct_size);
}

pchr_animator* pchr_animator_create(const pchr_character* handle) {
  return call(exist(handle), [&] {
    auto animator = std::make_unique<pchr_animator>(pchr::Animator(handle->character));
    if (!handle->markers.all().empty()) animator->set_markers(std::make_shared<const pchr::Markers>(handle->markers));
    return animator.release();
  });
}

void pchr_animator_free(pchr_animator* animator) { delete animator; }

bool pchr_animator_rebind(pchr_animator* animator, const pchr_character* handle, pchr_rebound* out) {
  return call(exist(animator, handle), [&] {
    if (cannot_write(out)) return false;
    if (!is_same(animator->character(), handle->character)) animator->fits_machine = false;
    animator->missing.assign(animator->rebind(handle->character));
    return out == nullptr || write(animator->missing.for_c(), out);
  });
}

uint64_t pchr_animator_play(pchr_animator* animator, uint32_t clip, const pchr_play_options* options) {
  return begin(animator, clip, options, &pchr::Animator::play);
}

uint64_t pchr_animator_queue(pchr_animator* animator, uint32_t clip, const pchr_play_options* options) {
  return begin(animator, clip, options, &pchr::Animator::queue);
}

bool pchr_animator_stop(pchr_animator* animator, uint32_t layer, double fade_seconds) {
  return layer < PCHR_MAX_LAYERS && call(exist(animator), [&] { animator->stop(layer, fade_seconds); });
}

bool pchr_animator_queue_stop(pchr_animator* animator, uint32_t layer, double fade_seconds) {
  return layer < PCHR_MAX_LAYERS && call(exist(animator), [&] { animator->queue_stop(layer, fade_seconds); });
}

bool pchr_animator_get_play(pchr_animator* animator, uint64_t play, pchr_play* out) {
  bool written = false;
  return with_play(animator, play, [&](pchr::Play& found) { written = write(play_for_c(found), out); }) && written;
}

uint32_t pchr_animator_play_count(const pchr_animator* animator, uint32_t layer) {
  return animator != nullptr ? count_of(animator->plays(layer)) : 0;
}

bool pchr_animator_play_at(const pchr_animator* animator, uint32_t layer, uint32_t index, pchr_play* out) {
  if (animator == nullptr) return false;
  const auto plays = animator->plays(layer);
  return index < plays.size() && write(play_for_c(plays[index]), out);
}

bool pchr_animator_set_play_speed(pchr_animator* animator, uint64_t play, double speed) {
  return with_play(animator, play, [&](pchr::Play& found) { found.clock.set_speed(speed); });
}

bool pchr_animator_set_play_paused(pchr_animator* animator, uint64_t play, bool paused) {
  return with_play(animator, play, [&](pchr::Play& found) { paused ? found.clock.pause() : found.clock.play(); });
}

bool pchr_animator_seek_play(pchr_animator* animator, uint64_t play, double seconds) {
  return with_play(animator, play, [&](pchr::Play& found) { found.clock.seek_seconds(seconds); });
}

bool pchr_animator_plays_alone(const pchr_animator* animator, uint32_t* clip, pchr_clip_time* time) {
  if (animator == nullptr || clip == nullptr || time == nullptr) return false;
  const std::optional<pchr::Animator::Alone> alone = animator->plays_alone();
  if (!alone) return false;
  *clip = std::to_underlying(alone->clip);
  *time = time_for_c(alone->position);
  return true;
}

bool pchr_animator_set_layer(pchr_animator* animator, uint32_t layer, const pchr_layer_options* options) {
  return call(exist(animator), [&] {
    const std::optional<pchr_layer_options> given = read(options, default_layer_options());
    if (!given || layer >= PCHR_MAX_LAYERS) return false;
    const pchr::Character& character = animator->character();
    pchr::LayerOptions mixing;
    mixing.weight = given->weight;
    if (given->mode == PCHR_LAYER_ADDITIVE) mixing.mode = pchr::LayerMode::additive;
    if (given->mask != nullptr) mixing.mask.assign(given->mask, given->mask + character.bones().size());
    mixing.reference_clip = id_in(character.clips(), given->reference_clip);
    mixing.reference_frame = given->reference_frame;
    animator->set_layer(layer, std::move(mixing));
    return true;
  });
}

bool pchr_animator_get_layer(const pchr_animator* animator, uint32_t layer, pchr_layer_options* out) {
  if (animator == nullptr || layer >= PCHR_MAX_LAYERS) return false;
  const pchr::LayerOptions& mixing = animator->layer_options(layer);
  const bool additive = mixing.mode == pchr::LayerMode::additive;
  return write(
      {0, additive ? PCHR_LAYER_ADDITIVE : PCHR_LAYER_OVERRIDE, mixing.mask.empty() ? nullptr : mixing.mask.data(),
       mixing.weight, std::to_underlying(mixing.reference_clip), mixing.reference_frame},
      out);
}

bool pchr_animator_set_layer_weight(pchr_animator* animator, uint32_t layer, float weight) {
  return layer < PCHR_MAX_LAYERS && call(exist(animator), [&] { animator->set_layer_weight(layer, weight); });
}

bool pchr_mask_subtree(const pchr_character* handle, uint32_t bone, uint8_t* mask) {
  return call(exist(handle, mask), [&] {
    if (bone >= handle->character.bones().size()) return false;
    add(mask_of_subtree(handle->character, BoneId{bone}), mask);
    return true;
  });
}

void pchr_animator_set_speed(pchr_animator* animator, double speed) {
  if (animator != nullptr) animator->set_speed(speed);
}

double pchr_animator_speed(const pchr_animator* animator) { return animator != nullptr ? animator->speed() : 0; }

void pchr_animator_set_sampling(pchr_animator* animator, pchr_sampling sampling) {
  if (animator != nullptr) animator->set_sampling(sampling_of(sampling));
}

bool pchr_animator_set_overrides(pchr_animator* animator, const pchr_bone_override* overrides, uint32_t count) {
  return call(exist(animator), [&] {
    if (overrides == nullptr ? count != 0 : size_of(*overrides) == 0) return false;
    animator->overrides.clear();
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::optional<pchr::BoneOverride> values = override_of(element(overrides, i));
      if (values) animator->overrides.push_back(*values);
    }
    return true;
  });
}

bool pchr_animator_set_markers(pchr_animator* animator, const pchr_marker* markers, uint32_t count) {
  return call(exist(animator), [&] {
    if (markers == nullptr && count != 0) return false;
    animator->set_markers(markers_from_c({markers, count}));
    return true;
  });
}

bool pchr_animator_load_markers(pchr_animator* animator, const char* path, const pchr_file_system* files,
                                pchr_error* error) {
#ifdef PCHR_WITH_IMPORT
  return try_call(error, exist(animator, path), [&] {
    auto loaded = pchr::load_markers(path, animator->character(), reader_of(files));
    if (!loaded) return set_error(error, loaded.error(), path), false;
    animator->set_markers(std::make_shared<pchr::Markers>(std::move(*loaded)));
    return true;
  });
#else
  (void)animator, (void)path, (void)files;
  return set_error(error, "", "this library was built without importers, which loading markers requires"), false;
#endif
}

uint32_t pchr_animator_marker_count(const pchr_animator* animator) {
  return animator != nullptr ? count_of(animator->markers()) : 0;
}

bool pchr_animator_get_marker(const pchr_animator* animator, uint32_t marker, pchr_marker* out) {
  if (animator == nullptr || out == nullptr) return false;
  const auto markers = animator->markers();
  if (marker >= markers.size()) return false;
  *out = {std::to_underlying(markers[marker].clip), markers[marker].frame, markers[marker].name.c_str()};
  return true;
}

const pchr_event* pchr_animator_advance(pchr_animator* animator, double seconds, uint32_t* count) {
  return call_or(no_array<pchr_event>(count), exist(animator), [&] {
    advance(*animator, seconds);
    const pchr::Animator& actor = *animator;
    animator->events.clear();
    std::ranges::transform(actor.events(), std::back_inserter(animator->events), event_for_c);
    return array_of<pchr_event>(animator->events, count);
  });
}

bool pchr_animator_pose(pchr_animator* animator, pchr_pose* out) {
  return call(exist(animator, out), [&] {
    if (!is_same(animator->character(), out->character)) return false;
    animator->pose(out->posed);
    return true;
  });
}

bool pchr_animator_set_root_motion(pchr_animator* animator, uint32_t bone, bool along_x, bool along_y) {
  if (animator == nullptr) return false;
  if (bone == PCHR_NONE) return animator->set_root_motion({}), true;
  if (bone >= animator->character().bones().size()) return false;
  animator->set_root_motion(pchr::RootMotion{BoneId{bone}, along_x, along_y});
  return true;
}

void pchr_animator_take_root_motion(pchr_animator* animator, float* x, float* y) {
  const pchr::Vec2 moved = animator != nullptr ? animator->take_root_motion() : pchr::Vec2{0.0F};
  if (x != nullptr) *x = moved.x;
  if (y != nullptr) *y = moved.y;
}

void pchr_aim_init(pchr_aim* aim, uint32_t struct_size) { init(aim_for_c({}), aim, struct_size); }
void pchr_limb_init(pchr_limb* limb, uint32_t struct_size) { init(limb_for_c({}), limb, struct_size); }
void pchr_foot_init(pchr_foot* foot, uint32_t struct_size) { init(foot_for_c({}), foot, struct_size); }
void pchr_spring_init(pchr_spring* spring, uint32_t struct_size) { init(spring_for_c({}), spring, struct_size); }

uint32_t pchr_find_chain(const pchr_character* handle, uint32_t bone, uint32_t* bones, uint32_t capacity) {
  return call(exist(handle), [&] {
    if (bone >= handle->character.bones().size()) return 0U;
    const std::vector<pchr::BoneId> chain = chain_from(handle->character, pchr::BoneId{bone});
    for (std::size_t i = 0; i < std::min<std::size_t>(capacity, chain.size()) && bones != nullptr; ++i) {
      bones[i] = std::to_underlying(chain[i]);
    }
    return count_of(chain);
  });
}

pchr_rig* pchr_rig_create(const pchr_character* handle) {
  return call(exist(handle), [&] {
    auto rig = std::make_unique<pchr_rig>(handle->character);
    rig->markers = std::make_shared<const pchr::Markers>(handle->markers);
    return rig.release();
  });
}

pchr_rig* pchr_rig_load(const pchr_character* handle, const char* path, const pchr_file_system* files,
                        pchr_error* error) {
#ifdef PCHR_WITH_IMPORT
  return try_call(error, exist(handle, path), [&] {
    return rig_of(*handle, pchr::load_rig(path, handle->character, reader_of(files)), path, error);
  });
#else
  (void)handle, (void)path, (void)files;
  return set_error(error, "", "this library was built without importers, which loading rigs requires"), nullptr;
#endif
}

pchr_rig* pchr_rig_from_memory(const pchr_character* handle, const void* bytes, size_t size, pchr_error* error) {
#ifdef PCHR_WITH_IMPORT
  return try_call(error, exist(handle, bytes), [&] {
    const std::span source(static_cast<const std::byte*>(bytes), size);
    return rig_of(*handle, pchr::load_rig(source, handle->character), "memory", error);
  });
#else
  (void)handle, (void)bytes, (void)size;
  return set_error(error, "", "this library was built without importers, which loading rigs requires"), nullptr;
#endif
}

void pchr_rig_free(pchr_rig* rig) { delete rig; }

bool pchr_rig_add_aim(pchr_rig* rig, const pchr_aim* aim, pchr_error* error) {
  return add(rig, aim, &pchr::Rig::aims, error);
}

bool pchr_rig_add_limb(pchr_rig* rig, const pchr_limb* limb, pchr_error* error) {
  return add(rig, limb, &pchr::Rig::ik, error);
}

bool pchr_rig_add_foot(pchr_rig* rig, const pchr_foot* foot, pchr_error* error) {
  return add(rig, foot, &pchr::Rig::feet, error);
}

bool pchr_rig_add_spring(pchr_rig* rig, const pchr_spring* spring, pchr_error* error) {
  return add(rig, spring, &pchr::Rig::springs, error);
}

bool pchr_rig_set_wind(pchr_rig* rig, float x, float y, float gusts) {
  if (rig == nullptr) return false;
  rig->rig.wind = {x, y};
  rig->rig.gusts = gusts;
  rig->shared = nullptr;
  return true;
}

bool pchr_rig_set_step(pchr_rig* rig, double seconds) {
  return call(exist(rig), [&] {
    if (!(seconds >= 0.001 && seconds <= 0.1)) return false;
    const double before = std::exchange(rig->rig.step_seconds, seconds);
    if (find_rig_error(rig->rig, rig->character)) {
      rig->rig.step_seconds = before;
      return false;
    }
    rig->shared = nullptr;
    return true;
  });
}

bool pchr_rig_set_markers(pchr_rig* rig, const pchr_marker* markers, uint32_t count) {
  return call(exist(rig), [&] {
    if (markers == nullptr && count != 0) return false;
    rig->markers = markers_from_c({markers, count});
    rig->graph = nullptr;
    return true;
  });
}

bool pchr_rig_add_mask(pchr_rig* rig, const char* name, const uint8_t* mask) {
  return call(exist(rig, name, mask), [&] {
    if (std::ranges::find(rig->masks, name, &pchr::NamedMask::name) != rig->masks.end()) return false;
    pchr::NamedMask added{name, {}};
    for (const BoneId bone : rig->character.bones().ids()) {
      if (mask[std::to_underlying(bone)] != 0) added.bones.push_back(bone);
    }
    rig->masks.push_back(std::move(added));
    rig->graph = nullptr;
    return true;
  });
}

bool pchr_rig_mask(const pchr_rig* rig, const char* name, uint8_t* mask) {
  return call(exist(rig, name, mask), [&] {
    const std::optional<pchr::BoneMask> found = find_mask(rig->masks, rig->character, name);
    if (found) add(*found, mask);
    return found.has_value();
  });
}

bool pchr_animator_set_rig(pchr_animator* animator, const pchr_rig* rig) {
  return call(exist(animator), [&] {
    if (rig == nullptr) return animator->set_rig(nullptr), true;
    if (!is_same(animator->character(), rig->character)) return false;
    if (rig->shared == nullptr) rig->shared = std::make_shared<const pchr::Rig>(rig->rig);
    animator->set_rig(rig->shared);
    if (rig->markers != nullptr && !rig->markers->all().empty()) animator->set_markers(rig->markers);
    return true;
  });
}

bool pchr_animator_set_target(pchr_animator* animator, const char* name, const float* target, float weight) {
  if (animator == nullptr || name == nullptr) return false;
  pchr::RigControl* const control = animator->rig_control(name);
  if (control == nullptr) return false;
  control->target.reset();
  if (target != nullptr) control->target = pchr::Vec2{target[0], target[1]};
  control->weight = weight;
  return true;
}

bool pchr_animator_set_placement(pchr_animator* animator, const pchr_affine* placement, bool teleport) {
  if (animator == nullptr || placement == nullptr) return false;
  animator->set_rig_placement(affine_of(*placement), teleport);
  return true;
}

void pchr_animator_reset_rig(pchr_animator* animator) {
  if (animator != nullptr) animator->rig_state().instances[0].reset = true;
}

void pchr_animator_set_wind(pchr_animator* animator, float x, float y) {
  if (animator != nullptr) animator->rig_state().wind = {x, y};
}
