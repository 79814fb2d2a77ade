// SPDX-License-Identifier: MIT
// The C interface: animators.
#include "c/c.hpp"

#include <functional>
#include <iterator>

namespace pchr::c {
namespace {

static_assert(PCHR_MAX_LAYERS == Animator::kMaxLayers);

LoopMode loop_of(pchr_loop loop) noexcept {
  static_assert(static_cast<int>(LoopMode::from_file) == PCHR_LOOP_FROM_FILE &&
                static_cast<int>(LoopMode::once) == PCHR_LOOP_ONCE &&
                static_cast<int>(LoopMode::loop) == PCHR_LOOP_FOREVER &&
                static_cast<int>(LoopMode::ping_pong) == PCHR_LOOP_PING_PONG);
  return static_cast<unsigned>(loop) <= PCHR_LOOP_PING_PONG ? static_cast<LoopMode>(loop) : LoopMode::from_file;
}

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
  return call(
      [&] {
        const std::optional<pchr_play_options> given = read(options, default_play_options());
        if (!given || clip >= animator->character().clips().size() || given->layer >= PCHR_MAX_LAYERS) {
          return std::uint64_t{0};
        }
        PlayOptions play{given->layer, given->fade_seconds, given->speed, {}, loop_of(given->loop)};
        if (given->start_seconds >= 0) play.start_seconds = given->start_seconds;
        return std::to_underlying((animator->*function)(ClipId{clip}, play));
      },
      animator);
}

/// Calls `work` with a play that is shown.
template <class Work>
bool with_play(pchr_animator* animator, std::uint64_t id, const Work& work) noexcept {
  return call(
      [&] {
        Play* const play = animator->find(PlayId{id});
        if (play != nullptr) work(*play);
        return play != nullptr;
      },
      animator);
}

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
  return call([&] { return new pchr_animator{pchr::Animator(handle->character), {}, {}}; }, handle);
}

void pchr_animator_free(pchr_animator* animator) { delete animator; }

bool pchr_animator_rebind(pchr_animator* animator, const pchr_character* handle, pchr_rebound* out) {
  return call(
      [&] {
        if (cannot_write(out)) return false;
        animator->missing.assign(animator->rebind(handle->character));
        return out == nullptr || write(animator->missing.for_c(), out);
      },
      animator, handle);
}

uint64_t pchr_animator_play(pchr_animator* animator, uint32_t clip, const pchr_play_options* options) {
  return begin(animator, clip, options, &pchr::Animator::play);
}

uint64_t pchr_animator_queue(pchr_animator* animator, uint32_t clip, const pchr_play_options* options) {
  return begin(animator, clip, options, &pchr::Animator::queue);
}

bool pchr_animator_stop(pchr_animator* animator, uint32_t layer, double fade_seconds) {
  return layer < PCHR_MAX_LAYERS && call([&] { animator->stop(layer, fade_seconds); }, animator);
}

bool pchr_animator_queue_stop(pchr_animator* animator, uint32_t layer, double fade_seconds) {
  return layer < PCHR_MAX_LAYERS && call([&] { animator->queue_stop(layer, fade_seconds); }, animator);
}

bool pchr_animator_get_play(pchr_animator* animator, uint64_t play, pchr_play* out) {
  bool written = false;
  return with_play(animator, play, [&](pchr::Play& found) { written = write(play_for_c(found), out); }) && written;
}

uint32_t pchr_animator_play_count(const pchr_animator* animator, uint32_t layer) {
  return call([&] { return count_of(animator->plays(layer)); }, animator);
}

bool pchr_animator_play_at(const pchr_animator* animator, uint32_t layer, uint32_t index, pchr_play* out) {
  return call(
      [&] {
        const auto plays = animator->plays(layer);
        return index < plays.size() && write(play_for_c(plays[index]), out);
      },
      animator);
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
  return call(
      [&] {
        const std::optional<pchr::Animator::Alone> alone = animator->plays_alone();
        if (!alone) return false;
        *clip = std::to_underlying(alone->clip);
        *time = time_for_c(alone->position);
        return true;
      },
      animator, clip, time);
}

bool pchr_animator_set_layer(pchr_animator* animator, uint32_t layer, const pchr_layer_options* options) {
  return call(
      [&] {
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
      },
      animator);
}

bool pchr_animator_get_layer(const pchr_animator* animator, uint32_t layer, pchr_layer_options* out) {
  return call(
      [&] {
        if (layer >= PCHR_MAX_LAYERS) return false;
        const pchr::LayerOptions& mixing = animator->layer_options(layer);
        const bool additive = mixing.mode == pchr::LayerMode::additive;
        return write({0, additive ? PCHR_LAYER_ADDITIVE : PCHR_LAYER_OVERRIDE,
                      mixing.mask.empty() ? nullptr : mixing.mask.data(), mixing.weight,
                      std::to_underlying(mixing.reference_clip), mixing.reference_frame},
                     out);
      },
      animator);
}

bool pchr_animator_set_layer_weight(pchr_animator* animator, uint32_t layer, float weight) {
  return layer < PCHR_MAX_LAYERS && call([&] { animator->set_layer_weight(layer, weight); }, animator);
}

bool pchr_mask_subtree(const pchr_character* handle, uint32_t bone, uint8_t* mask) {
  return call(
      [&] {
        if (bone >= handle->character.bones().size()) return false;
        const pchr::BoneMask subtree = mask_of_subtree(handle->character, BoneId{bone});
        std::ranges::transform(subtree, std::span(mask, subtree.size()), mask, std::bit_or());
        return true;
      },
      handle, mask);
}

void pchr_animator_set_speed(pchr_animator* animator, double speed) {
  if (animator != nullptr) animator->set_speed(speed);
}

double pchr_animator_speed(const pchr_animator* animator) {
  return call([&] { return animator->speed(); }, animator);
}

void pchr_animator_set_sampling(pchr_animator* animator, pchr_sampling sampling) {
  if (animator != nullptr) animator->set_sampling(sampling_of(sampling));
}

bool pchr_animator_set_overrides(pchr_animator* animator, const pchr_bone_override* overrides, uint32_t count) {
  return call(
      [&] {
        if (overrides == nullptr ? count != 0 : size_of(*overrides) == 0) return false;
        animator->overrides.clear();
        for (std::uint32_t i = 0; i < count; ++i) {
          const std::optional<pchr::BoneOverride> values = override_of(element(overrides, i));
          if (values) animator->overrides.push_back(*values);
        }
        return true;
      },
      animator);
}

bool pchr_animator_set_markers(pchr_animator* animator, const pchr_marker* markers, uint32_t count) {
  return call(
      [&] {
        if (markers == nullptr && count != 0) return false;
        std::vector<pchr::Marker> copies;
        for (const pchr_marker& marker : std::span(markers, count)) {
          copies.push_back({ClipId{marker.clip}, marker.frame, marker.name != nullptr ? marker.name : ""});
        }
        animator->set_markers(std::make_shared<pchr::Markers>(std::move(copies)));
        return true;
      },
      animator);
}

bool pchr_animator_load_markers(pchr_animator* animator, const char* path, const pchr_file_system* files,
                                pchr_error* error) {
#ifdef PCHR_WITH_IMPORT
  const auto load = [&] {
    const auto read_file = [&](const std::string& file) { return read_through(*files, file); };
    const bool reads = files != nullptr && files->read != nullptr;
    auto loaded = pchr::load_markers(path, animator->character(), reads ? pchr::ReadFile(read_file) : pchr::ReadFile());
    if (!loaded) return set_error(error, loaded.error(), path), false;
    animator->set_markers(std::make_shared<pchr::Markers>(std::move(*loaded)));
    return true;
  };
  return try_call(error, load, animator, path);
#else
  (void)animator, (void)path, (void)files;
  return set_error(error, "", "this library was built without importers, which loading markers requires"), false;
#endif
}

uint32_t pchr_animator_marker_count(const pchr_animator* animator) {
  return call([&] { return count_of(animator->markers()); }, animator);
}

bool pchr_animator_get_marker(const pchr_animator* animator, uint32_t marker, pchr_marker* out) {
  return call(
      [&] {
        const auto markers = animator->markers();
        if (marker >= markers.size()) return false;
        *out = {std::to_underlying(markers[marker].clip), markers[marker].frame, markers[marker].name.c_str()};
        return true;
      },
      animator, out);
}

const pchr_event* pchr_animator_advance(pchr_animator* animator, double seconds, uint32_t* count) {
  const auto advance = [&] {
    animator->events.clear();
    std::ranges::transform(animator->advance(seconds), std::back_inserter(animator->events), event_for_c);
    return array_of<pchr_event>(animator->events, count);
  };
  return call_or(no_array<pchr_event>(count), advance, animator);
}

bool pchr_animator_pose(pchr_animator* animator, pchr_pose* out) {
  return call(
      [&] {
        if (!is_same(animator->character(), out->character)) return false;
        animator->pose(out->posed);
        return true;
      },
      animator, out);
}

bool pchr_animator_set_root_motion(pchr_animator* animator, uint32_t bone, bool along_x, bool along_y) {
  return call(
      [&] {
        if (bone == PCHR_NONE) return animator->set_root_motion({}), true;
        if (bone >= animator->character().bones().size()) return false;
        animator->set_root_motion(pchr::RootMotion{BoneId{bone}, along_x, along_y});
        return true;
      },
      animator);
}

void pchr_animator_take_root_motion(pchr_animator* animator, float* x, float* y) {
  const pchr::Vec2 moved = animator != nullptr ? animator->take_root_motion() : pchr::Vec2{0.0F};
  if (x != nullptr) *x = moved.x;
  if (y != nullptr) *y = moved.y;
}
