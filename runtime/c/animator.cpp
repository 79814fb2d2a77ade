// SPDX-License-Identifier: MIT
// The animator for C.
#include "c/handles.hpp"

#include <pchr/marker.hpp>

#include <algorithm>
#include <functional>
#include <iterator>
#include <memory>
#include <utility>

namespace pchr::c {
namespace {

LoopMode loop_of(pchr_loop loop) noexcept {
  switch (loop) {
    case PCHR_LOOP_ONCE:
      return LoopMode::once;
    case PCHR_LOOP_FOREVER:
      return LoopMode::loop;
    case PCHR_LOOP_PING_PONG:
      return LoopMode::ping_pong;
    default:
      return LoopMode::from_file;
  }
}

pchr_event event_of(const AnimatorEvent& event) noexcept {
  static_assert(static_cast<int>(AnimatorEvent::Kind::started) == PCHR_EVENT_STARTED &&
                static_cast<int>(AnimatorEvent::Kind::looped) == PCHR_EVENT_LOOPED &&
                static_cast<int>(AnimatorEvent::Kind::finished) == PCHR_EVENT_FINISHED &&
                static_cast<int>(AnimatorEvent::Kind::marker) == PCHR_EVENT_MARKER);
  return {static_cast<pchr_event_kind>(event.kind),
          event.layer,
          std::to_underlying(event.play),
          event.count,
          event.seconds,
          event.marker != nullptr ? event.marker->name.c_str() : nullptr,
          event.clip,
          event.weight};
}

using Begin = PlayId (Animator::*)(std::uint32_t, const PlayOptions&);

std::uint64_t begin(pchr_animator& handle, std::uint32_t clip, const pchr_play_options* given,
                    Begin function) noexcept {
  const pchr_play_options plain = pchr_play_defaults();
  const pchr_play_options& options = given != nullptr ? *given : plain;
  if (clip >= handle.animator.character().clips().size() || options.layer >= PCHR_MOST_LAYERS) return 0;
  return guarded<std::uint64_t>(0, [&] {
    PlayOptions play{options.layer, options.fade_seconds, options.speed, {}, loop_of(options.loop)};
    if (options.start_seconds >= 0) play.start_seconds = options.start_seconds;
    return std::to_underlying((handle.animator.*function)(clip, play));
  });
}

}  // namespace

static_assert(PCHR_MOST_LAYERS == Animator::kMostLayers);

}  // namespace pchr::c

using namespace pchr::c;

pchr_play_options pchr_play_defaults() { return {0, PCHR_LOOP_FROM_FILE, 0, 1, -1}; }

pchr_animator* pchr_animator_create(const pchr_character* character) {
  return guarded<pchr_animator*>(nullptr, [&] { return new pchr_animator{pchr::Animator(character->character), {}}; });
}

void pchr_animator_free(pchr_animator* animator) { delete animator; }

uint64_t pchr_animator_play(pchr_animator* animator, uint32_t clip, const pchr_play_options* options) {
  return begin(*animator, clip, options, &pchr::Animator::play);
}

uint64_t pchr_animator_queue(pchr_animator* animator, uint32_t clip, const pchr_play_options* options) {
  return begin(*animator, clip, options, &pchr::Animator::queue);
}

bool pchr_animator_stop(pchr_animator* animator, uint32_t layer, double fade_seconds) {
  if (layer >= PCHR_MOST_LAYERS) return false;
  return guarded(false, [&] { return animator->animator.stop(layer, fade_seconds), true; });
}

bool pchr_animator_get_play(pchr_animator* animator, uint64_t play, pchr_play* out) {
  const pchr::Play* const found = animator->animator.find(pchr::PlayId{play});
  if (found == nullptr) return false;
  *out = {found->clock.seconds(), found->clock.speed(), found->clip, found->weight()};
  return true;
}

bool pchr_animator_set_play_speed(pchr_animator* animator, uint64_t play, double speed) {
  pchr::Play* const found = animator->animator.find(pchr::PlayId{play});
  if (found == nullptr) return false;
  found->clock.set_speed(speed);
  return true;
}

bool pchr_animator_seek_play(pchr_animator* animator, uint64_t play, double seconds) {
  pchr::Play* const found = animator->animator.find(pchr::PlayId{play});
  if (found == nullptr) return false;
  found->clock.seek_seconds(seconds);
  return true;
}

bool pchr_animator_set_layer(pchr_animator* animator, uint32_t layer, pchr_layer_mode mode, float weight,
                             const uint8_t* mask) {
  if (layer >= PCHR_MOST_LAYERS) return false;
  return guarded(false, [&] {
    pchr::LayerOptions options;
    options.weight = weight;
    options.mode = mode == PCHR_LAYER_ADDITIVE ? pchr::LayerMode::additive : pchr::LayerMode::override_below;
    if (mask != nullptr) options.mask.assign(mask, mask + animator->animator.character().bones().size());
    animator->animator.set_layer(layer, std::move(options));
    return true;
  });
}

bool pchr_animator_set_layer_weight(pchr_animator* animator, uint32_t layer, float weight) {
  if (layer >= PCHR_MOST_LAYERS) return false;
  return guarded(false, [&] { return animator->animator.set_layer_weight(layer, weight), true; });
}

bool pchr_mask_branch(const pchr_character* character, uint32_t bone, uint8_t* mask) {
  if (bone >= character->character.bones().size()) return false;
  return guarded(false, [&] {
    const pchr::BoneMask branch = pchr::mask_of_branch(character->character, bone);
    std::ranges::transform(branch, std::span(mask, branch.size()), mask, std::bit_or());
    return true;
  });
}

void pchr_animator_set_speed(pchr_animator* animator, double speed) { animator->animator.set_speed(speed); }

void pchr_animator_set_sampling(pchr_animator* animator, pchr_sampling sampling) {
  animator->animator.set_sampling(sampling_of(sampling));
}

bool pchr_animator_set_markers(pchr_animator* animator, const pchr_marker* markers, uint32_t count) {
  return guarded(false, [&] {
    std::vector<pchr::Marker> copies;
    for (const pchr_marker& marker : std::span(markers, count)) {
      copies.push_back({marker.clip, marker.frame, marker.name});
    }
    animator->animator.set_markers(std::make_shared<pchr::Markers>(std::move(copies)));
    return true;
  });
}

bool pchr_animator_load_markers(pchr_animator* animator, const char* path, pchr_error* error) {
  try {
    auto loaded = pchr::load_markers(path, animator->animator.character());
    if (!loaded) return tell(error, loaded.error(), path), false;
    animator->animator.set_markers(std::make_shared<pchr::Markers>(std::move(*loaded)));
    return true;
  } catch (...) {
    tell_no_memory(error);
    return false;
  }
}

const pchr_event* pchr_animator_advance(pchr_animator* animator, double seconds, uint32_t* count) {
  guarded(false, [&] {
    animator->events.clear();
    std::ranges::transform(animator->animator.advance(seconds), std::back_inserter(animator->events), event_of);
    return true;
  });
  return array_of<pchr_event>(animator->events, count);
}

bool pchr_animator_pose(pchr_animator* animator, pchr_pose* out) {
  if (&animator->animator.character().data() != &out->character.data()) return false;
  return guarded(false, [&] {
    animator->animator.pose(out->posed);
    refresh(*out);
    return true;
  });
}

bool pchr_animator_set_root_motion(pchr_animator* animator, uint32_t bone, bool along_x, bool along_y) {
  if (bone == PCHR_NONE) return animator->animator.set_root_motion({}), true;
  if (bone >= animator->animator.character().bones().size()) return false;
  animator->animator.set_root_motion(pchr::RootMotion{bone, along_x, along_y});
  return true;
}

void pchr_animator_take_root_motion(pchr_animator* animator, float* x, float* y) {
  const pchr::Vec2 moved = animator->animator.take_root_motion();
  *x = moved.x;
  *y = moved.y;
}
