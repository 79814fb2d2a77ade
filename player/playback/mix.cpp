// SPDX-License-Identifier: MIT
#include "playback/mix.hpp"

#include "document/loader.hpp"
#include "playback/transport.hpp"

#include <algorithm>
#include <cmath>

namespace pchr::player {
namespace {

constexpr double kLayerFadeSeconds = 0.15;

std::uint32_t number_of_layer(std::size_t layer) { return static_cast<std::uint32_t>(layer) + 1; }

void remember(Mix& mix, const AnimatorEvent& event) {
  constexpr const char* kKinds[] = {"started", "looped", "finished", "marker", "interrupted"};
  if (event.clip == ClipId::none) return;
  std::ranges::rotate(mix.events, mix.events.end() - 1);
  mix.event_count = std::min(mix.event_count + 1, mix.events.size());
  MixEvent& newest = mix.events.front();
  newest.age_seconds = 0;
  const char* kind = kKinds[static_cast<std::size_t>(event.kind)];
  const std::string_view clip = mix.animator.character().clips()[event.clip].name;
  const std::string_view what = event.marker != nullptr ? std::string_view(event.marker->name) : clip;
  event.layer == 0 ? write(newest.text, "{} {}", kind, what)
                   : write(newest.text, "{} {}, layer {}", kind, what, event.layer);
}

void run(Mix& mix, double seconds) {
  for (const AnimatorEvent& event : mix.animator.advance(seconds)) remember(mix, event);
}

void play_layer(Mix& mix, std::size_t layer, double fade_seconds) {
  update_layer(mix, layer);
  mix.animator.play(mix.layers[layer].clip,
                    {.layer = number_of_layer(layer), .fade_seconds = fade_seconds, .loop = LoopMode::loop});
}

}  // namespace

Mix begin_mix(const Character& character, std::shared_ptr<const Markers> markers, ClipId clip, double fade_seconds) {
  const auto clips = character.clips();
  Mix mix{.animator = Animator(character), .from = clip, .to = clip, .fade_seconds = fade_seconds, .layers = {}};
  for (std::size_t i = 1; i < clips.size() && mix.to == clip; ++i) {
    const std::size_t next = (index(clip) + i) % clips.size();
    if (clips[next].frame_count > 1) mix.to = ClipId(next);
  }
  mix.animator.set_markers(std::move(markers));
  replay(mix);
  return mix;
}

void continue_with(Mix& mix, const Character& character, std::shared_ptr<const Markers> markers, ClipId replacement) {
  const Character before = mix.animator.character();
  const Play* playing = playing_clip(mix);
  const double seconds = playing != nullptr ? playing->clock.seconds() : 0;
  const auto same_clip = [&](ClipId clip, ClipId otherwise) {
    const ClipId found = character.find_clip(before.clips()[clip].name);
    return has_frames(character, found) ? found : otherwise;
  };
  mix.from = same_clip(mix.from, replacement);
  mix.to = same_clip(mix.to, replacement);
  for (MixLayer& layer : mix.layers) {
    layer.clip = same_clip(layer.clip, ClipId::none);
    if (layer.bone) layer.bone = character.find_bone(before.bones()[*layer.bone].name);
    if (layer.bone == BoneId::none) layer.bone.reset();
  }
  std::erase_if(mix.layers, [](const MixLayer& layer) { return layer.clip == ClipId::none; });
  mix.animator = Animator(character);
  mix.animator.set_markers(std::move(markers));
  const std::optional<double> until_fade = mix.until_fade;
  replay(mix);
  mix.until_fade = until_fade;
  if (!until_fade) mix.animator.play(mix.to);
  mix.animator.find(playing_clip(mix)->id)->clock.seek_seconds(seconds);
}

void replay(Mix& mix) {
  mix.animator.play(mix.from);
  for (std::size_t i = 0; i < mix.layers.size(); ++i) play_layer(mix, i, 0);
  mix.until_fade = Mix::kLeadSeconds;
  mix.changed = true;
}

void fade_to(Mix& mix, ClipId clip) {
  if (!has_frames(mix.animator.character(), clip)) return;
  if (const Play* play = playing_clip(mix)) mix.from = play->clip;
  mix.to = clip;
  mix.until_fade.reset();
  mix.animator.play(clip, {.fade_seconds = mix.fade_seconds});
  mix.changed = true;
}

void set_from(Mix& mix, ClipId clip) {
  if (!has_frames(mix.animator.character(), clip)) return;
  mix.from = clip;
  replay(mix);
}

void add_layer(Mix& mix, ClipId clip) {
  if (mix.layers.size() >= Mix::kMaxLayers) return;
  mix.layers.push_back({.clip = clip});
  play_layer(mix, mix.layers.size() - 1, 0);
}

void remove_layer(Mix& mix, std::size_t layer) {
  if (layer >= mix.layers.size()) return;
  mix.layers.erase(mix.layers.begin() + static_cast<std::ptrdiff_t>(layer));
  for (std::size_t i = layer; i < mix.layers.size(); ++i) play_layer(mix, i, 0);
  mix.animator.stop(number_of_layer(mix.layers.size()));
  mix.changed = true;
}

void set_layer_clip(Mix& mix, std::size_t layer, ClipId clip) {
  mix.layers[layer].clip = clip;
  play_layer(mix, layer, kLayerFadeSeconds);
}

void update_layer(Mix& mix, std::size_t layer) {
  const MixLayer& wanted = mix.layers[layer];
  LayerOptions options{.weight = wanted.weight, .mode = wanted.mode};
  if (wanted.bone) options.mask = mask_of_subtree(mix.animator.character(), *wanted.bone);
  mix.animator.set_layer(number_of_layer(layer), std::move(options));
  mix.changed = true;
}

void advance(Mix& mix, double seconds, double speed) {
  if (seconds == 0) return;
  for (MixEvent& event : mix.events) event.age_seconds += seconds;
  mix.animator.set_speed(speed);
  // The lead runs at the clips' speed, in either direction.
  const double pace = std::abs(speed);
  if (mix.until_fade && seconds * pace >= *mix.until_fade) {
    const double before = pace > 0 ? *mix.until_fade / pace : 0;
    mix.until_fade.reset();
    run(mix, before);
    mix.animator.play(mix.to, {.fade_seconds = mix.fade_seconds});
    seconds -= before;
  } else if (mix.until_fade) {
    *mix.until_fade -= seconds * pace;
  }
  run(mix, seconds);
  mix.changed = true;
}

void step(Mix& mix, std::int64_t frames) {
  const Play* play = playing_clip(mix);
  if (play == nullptr || play->kind != Play::Kind::clip) return;
  const Clip& clip = mix.animator.character().clips()[play->clip];
  const double seconds = clip.frame_count > 0 ? clip.duration_seconds() / clip.frame_count : 0;
  if (seconds > 0) advance(mix, static_cast<double>(std::abs(frames)) * seconds, frames < 0 ? -1.0 : 1.0);
}

void seek_frame(Mix& mix, std::uint32_t frame) {
  const Play* play = playing_clip(mix);
  if (play == nullptr) return;
  mix.animator.find(play->id)->clock.seek_frame(frame);
  mix.changed = true;
}

const Play* playing_clip(const Mix& mix) noexcept {
  return mix.animator.plays().empty() ? nullptr : &mix.animator.plays().back();
}

}  // namespace pchr::player
