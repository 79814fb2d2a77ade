// SPDX-License-Identifier: MIT
// Animators: playback, queues, fades and events, and the mix of their layers.
#include <pchr/animator.hpp>

#include "animation/clip_blend.hpp"
#include "animation/frames.hpp"
#include "character/heap_sort.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

namespace pchr {
namespace {

/// Returns how far `bone` moved in a step of a clip, in its parent's space, interpolated linearly between
/// frames. A loop's step from its last frame to its first is as long as the step before it.
Vec2 moved_in_step(const Character& character, const BlendedStep& moved, BoneId bone,
                   std::uint32_t loop_start) noexcept {
  const Clip& clip = character.clips()[moved.clip];
  const Advance& step = moved.step;
  const std::size_t bone_count = character.bones().size();
  if (clip.frame_count == 0 || index(bone) >= bone_count) return Vec2{0.0F};
  const std::uint32_t last = clip.frame_count - 1;
  const auto at_frame = [&](std::uint32_t frame) {
    const std::size_t sample = frame * bone_count + index(bone);
    return Vec2{clip.samples.x[sample], clip.samples.y[sample]};
  };
  const Vec2 step_over_seam = last > 0 ? at_frame(last) - at_frame(last - 1) : Vec2{0.0F};
  const LoopMode mode = moved.clock.effective_mode();

  // Movement from the start of the clip to a place within its cycle.
  const auto movement_to = [&](double place) {
    if (mode == LoopMode::ping_pong && place > last) place = 2.0 * last - place;
    const auto frame = static_cast<std::uint32_t>(std::min(std::floor(place), static_cast<double>(last)));
    const auto factor = static_cast<float>(place - frame);
    Vec2 movement = at_frame(frame) - at_frame(0);
    if (frame < last) return movement + (at_frame(frame + 1) - at_frame(frame)) * factor;
    return mode == LoopMode::loop ? movement + step_over_seam * factor : movement;
  };
  const std::uint32_t begin = step.cycles > 0 ? loop_start : 0;
  const Vec2 movement_per_cycle =
      mode == LoopMode::loop ? at_frame(last) - at_frame(begin) + step_over_seam : Vec2{0.0F};
  return movement_per_cycle * static_cast<float>(step.cycles) + movement_to(step.to) - movement_to(step.from);
}

/// Returns whether the next queued play can start.
bool is_over(const Play& play) noexcept {
  return play.kind != Play::Kind::clip || play.clock.at_end() || play.clock.duration_seconds() == 0;
}

}  // namespace

std::optional<BoneMask> find_mask(std::span<const NamedMask> masks, const Character& character, std::string_view name) {
  const auto found = std::ranges::find(masks, name, &NamedMask::name);
  if (found == masks.end()) return std::nullopt;
  return mask_of_bones(character, found->bones);
}

Animator::Animator(Character character) : character_(std::move(character)) {}

Animator::Layer* Animator::layer(std::uint32_t number) {
  assert(number < kMaxLayers);
  if (number >= kMaxLayers) return nullptr;
  if (number >= layers_.size()) layers_.resize(std::size_t{number} + 1);
  return &layers_[number];
}

bool Animator::can_play(ClipId clip) const {
  assert(character_.clips().contains(clip) && "the clip does not exist; its name may be misspelled");
  return character_.clips().contains(clip);
}

PlayId Animator::play(ClipId clip, const PlayOptions& options) {
  Layer* layer = this->layer(options.layer);
  if (!can_play(clip) || layer == nullptr) return PlayId::none;
  layer->queue.clear();
  report_interrupted(options.layer);
  const PlayId id{++last_id_};
  begin(options.layer, {id, clip, options}, 0);
  return id;
}

PlayId Animator::queue(ClipId clip, const PlayOptions& options) {
  Layer* layer = this->layer(options.layer);
  if (!can_play(clip) || layer == nullptr) return PlayId::none;
  const PlayId id{++last_id_};
  layer->queue.push_back({id, clip, options});
  return id;
}

void Animator::stop(std::uint32_t number, double fade_seconds) {
  Layer* layer = this->layer(number);
  if (layer == nullptr) return;
  layer->queue.clear();
  report_interrupted(number);
  fade_out(number, fade_seconds);
}

void Animator::queue_stop(std::uint32_t number, double fade_seconds) {
  if (Layer* layer = this->layer(number)) {
    layer->queue.push_back({PlayId::none, ClipId::none, {.layer = number, .fade_seconds = fade_seconds}});
  }
}

std::span<const Play> Animator::plays(std::uint32_t number) const noexcept {
  return number < layers_.size() ? std::span<const Play>(layers_[number].plays) : std::span<const Play>();
}

Play* Animator::find(PlayId id) noexcept {
  if (id == PlayId::none) return nullptr;
  for (Layer& layer : layers_) {
    const auto found = std::ranges::find(layer.plays, id, &Play::id);
    if (found != layer.plays.end()) return &*found;
  }
  return nullptr;
}

void Animator::set_layer(std::uint32_t number, LayerOptions options) {
  const bool fits = options.mask.empty() || options.mask.size() == character_.bones().size();
  assert(fits);
  if (Layer* layer = this->layer(number); layer != nullptr && fits) layer->options = std::move(options);
}

void Animator::set_layer_weight(std::uint32_t number, float weight) {
  if (Layer* layer = this->layer(number)) layer->options.weight = weight;
}

const LayerOptions& Animator::layer_options(std::uint32_t number) const noexcept {
  static const LayerOptions unused{};
  return number < layers_.size() ? layers_[number].options : unused;
}

/// Keeps events sorted by time; ties stay in the order of their reports.
void Animator::report(const AnimatorEvent& event) {
  const auto place = std::ranges::upper_bound(unreported_, event.seconds, {}, &AnimatorEvent::seconds);
  unreported_.insert(place, event);
}

void Animator::add_play(std::uint32_t number, const Play& play) {
  if (layers_[number].plays.size() == kMaxPlays) make_still(number);
  Layer& layer = layers_[number];
  layer.plays.push_back(play);
  layer.rotation_deltas.resize(layer.plays.size() * character_.bones().size(), std::numeric_limits<float>::quiet_NaN());
  drop_hidden(layer);
}

/// Removes the plays that a later one hides.
void Animator::drop_hidden(Layer& layer) {
  std::size_t hidden = 0;
  for (std::size_t i = 0; i < layer.plays.size(); ++i) {
    if (layer.plays[i].weight() >= 1) hidden = layer.plays[i].kind == Play::Kind::fade_out ? i + 1 : i;
  }
  layer.plays.erase(layer.plays.begin(), layer.plays.begin() + static_cast<std::ptrdiff_t>(hidden));
  const auto hidden_deltas = static_cast<std::ptrdiff_t>(hidden * character_.bones().size());
  layer.rotation_deltas.erase(layer.rotation_deltas.begin(), layer.rotation_deltas.begin() + hidden_deltas);
}

/// Reports that the newest play of a layer is replaced. Older ones ended when it began.
void Animator::report_interrupted(std::uint32_t number, double since) {
  if (layers_[number].plays.empty()) return;
  const Play& play = layers_[number].plays.back();
  if (play.kind != Play::Kind::clip || play.clock.at_end()) return;
  report({AnimatorEvent::Kind::interrupted, number, play.id, play.clip, nullptr, 1, since, play.weight()});
}

void Animator::fade_out(std::uint32_t number, double fade_seconds) {
  if (layers_[number].plays.empty()) return;
  Play nothing;
  nothing.kind = Play::Kind::fade_out;
  nothing.fade_seconds = fade_seconds;
  add_play(number, nothing);
}

void Animator::begin(std::uint32_t number, const Queued& next, double since) {
  if (next.clip == ClipId::none) return fade_out(number, next.options.fade_seconds);
  Play play{next.id, Play::Kind::clip, next.clip, Clock(character_.clips()[next.clip], next.options.loop),
            next.options.fade_seconds};
  play.clock.set_speed(next.options.speed);
  play.clock.rewind();
  if (next.options.start_seconds) play.clock.seek_seconds(*next.options.start_seconds);
  start(number, play, since);
}

/// Adds a play and reports that it began.
void Animator::start(std::uint32_t number, const Play& play, double since) {
  add_play(number, play);
  AnimatorEvent event{AnimatorEvent::Kind::started, number, play.id, play.clip, nullptr, 1, since, play.weight()};
  report(event);
  if (!markers_) return;
  event.kind = AnimatorEvent::Kind::marker;
  const BlendedStep shown = blended_step(play, main_part(play), play.clock, {});
  event.clip = shown.clip;
  for (const Marker& marker : markers_->of_clip(shown.clip)) {
    if (marker.frame != shown.clock.frame()) continue;
    event.marker = &marker;
    report(event);
  }
}

std::span<const AnimatorEvent> Animator::advance(double seconds) {
  const double time = seconds * speed_;
  if (std::isfinite(time)) pass_time(std::abs(time), 0, time < 0);
  return finish_step(time);
}

/// Advances the layers by a part of a step that began `since` seconds ago. Those in the bit mask `to_end` advance
/// exactly to the end of their last play, which is at most rounding away.
void Animator::pass_time(double seconds, double since, bool backwards, std::uint64_t to_end) {
  for (std::uint32_t number = 0; number < layers_.size(); ++number)
    advance_layer(number, seconds, since, backwards, (to_end >> number & 1) != 0);
}

/// Ends a step of `time` seconds, speed included, and returns its events.
std::span<const AnimatorEvent> Animator::finish_step(double time) {
  const double speed = std::abs(speed_);
  if (std::isfinite(time) && speed != 1 && speed > 0) {
    for (AnimatorEvent& event : unreported_) event.seconds /= speed;
  }
  events_.clear();
  events_.swap(unreported_);
  event_markers_.reset();
  if (rig_) {
    if (std::isfinite(time)) rig_seconds_ += std::abs(time);
    plant_feet(time < 0);
  }
  return events_;
}

void Animator::advance_layer(std::uint32_t number, double seconds, double since, bool backwards, bool to_end) {
  Layer& layer = layers_[number];
  double passed = 0;
  const auto begin_next = [&] {
    const Queued next = layer.queue.front();
    layer.queue.erase(layer.queue.begin());
    begin(number, next, since + passed);
  };
  for (;;) {
    while (!layer.queue.empty() && (layer.plays.empty() || is_over(layer.plays.back()))) begin_next();
    const double left = seconds - passed;
    if (layer.plays.empty() || (!(left > 0) && !to_end)) return;
    // Stops where a fade or a play ends.
    double slice = left;
    for (const Play& play : layer.plays) {
      if (play.weight() < 1) slice = std::min(slice, play.fade_seconds - play.faded_seconds);
    }
    const bool stops_at_end = to_end || !layer.queue.empty();
    const double end =
        stops_at_end ? seconds_to_end(layer.plays.back(), layer.plays.back().clock, backwards) : HUGE_VAL;
    const bool ends = end <= slice || (to_end && slice == left);
    if (ends) slice = std::min(slice, end), to_end = false;
    advance_plays(number, slice, since + passed, backwards, ends);
    passed = slice < left ? passed + slice : seconds;
    drop_hidden(layer);
    if (ends && !layer.queue.empty()) begin_next();
  }
}

void Animator::advance_plays(std::uint32_t number, double seconds, double since, bool backwards, bool to_end) {
  const std::span<Play> plays = layers_[number].plays;
  const bool moves_root = root_ && number == 0;
  Vec2 moved{0.0F};
  for (std::size_t i = 0; i < plays.size(); ++i) {
    Play& play = plays[i];
    const float weight = play.weight_after(seconds);
    if (play.kind != Play::Kind::clip) {
      moved *= 1 - weight;
      continue;
    }
    const double end = play.blend ? 0 : play.clock.seconds_to_end(backwards);
    const bool goes_to_end = to_end && i + 1 == plays.size();
    Clock before;
    if (play.blend) before = play.clock;
    const Advance step =
        goes_to_end ? advance_to_end(play, backwards) : pchr::advance(play, backwards ? -seconds : seconds);
    if (moves_root) {
      Vec2 own{0.0F};
      for (std::size_t part = 0; part < parts_of(play); ++part) {
        const BlendedStep each = blended_step(play, part, before, step);
        const std::uint32_t loop_start = play.blend ? 0 : character_.clips()[each.clip].loop_start;
        own += moved_in_step(character_, each, root_->bone, loop_start) * each.weight;
      }
      moved += (own - moved) * weight;
    }

    const auto add_event = [&](AnimatorEvent::Kind kind, double after, std::uint64_t count, const Marker* marker) {
      float share = play.weight_after(after);
      for (const Play& above : plays.subspan(i + 1)) share *= 1 - above.weight_after(after);
      const ClipId clip = marker != nullptr ? marker->clip : play.clip;
      report({kind, number, play.id, clip, marker, count, since + after, share});
    };
    const auto add_end = [&](AnimatorEvent::Kind kind, std::uint64_t count) {
      add_event(kind, std::min(play.blend ? seconds_to_end(play, before, backwards) : end, seconds), count, nullptr);
    };
    if (step.loops > 0) add_end(AnimatorEvent::Kind::looped, step.loops);
    if (markers_) {
      // In step, the clips of a blend have the same markers: only those of one of them count.
      const std::size_t part = main_part(play);
      const BlendedStep shown = blended_step(play, part, before, step);
      for (const Marker& marker : markers_->of_clip(shown.clip)) {
        const FrameReached reached = shown.clock.find_reached(marker.frame, shown.step);
        if (reached.count == 0) continue;
        const double after = seconds_until(play, part, before, reached.seconds, backwards);
        add_event(AnimatorEvent::Kind::marker, std::min(after, seconds), reached.count, &marker);
      }
    }
    // A play below another one finished before, or was interrupted.
    if (step.finished && i + 1 == plays.size()) add_end(AnimatorEvent::Kind::finished, 1);
  }
  if (moves_root) root_moved_ += moved * Vec2(root_->along_x ? 1.0F : 0.0F, root_->along_y ? 1.0F : 0.0F);
  for (Play& play : plays) {
    const double left = play.fade_seconds - play.faded_seconds;
    play.faded_seconds = seconds < left ? play.faded_seconds + seconds : play.fade_seconds;
  }
}

void Animator::set_markers(std::shared_ptr<const Markers> markers) noexcept {
  std::erase_if(unreported_, [](const AnimatorEvent& event) { return event.marker != nullptr; });
  // The events of the last advance() name markers of the set in use then.
  if (event_markers_ == nullptr && !events_.empty()) event_markers_ = std::move(markers_);
  markers_ = std::move(markers);
}

void Animator::set_rig(std::shared_ptr<const Rig> rig) {
  rig_ = std::move(rig);
  rig_seconds_ = 0;
  if (!rig_) return;
  prepare(*rig_, rig_state_);
  foot_plays_.resize(rig_->feet.size(), PlayId::none);
}

RigControl* Animator::rig_control(std::string_view name) noexcept {
  return rig_ ? find_control(*rig_, rig_state_, name) : nullptr;
}

void Animator::set_rig_placement(const Affine& placement, bool teleport) noexcept {
  RigInstance& instance = rig_state_.instances[0];
  instance.placement = placement;
  instance.teleport |= teleport;
}

/// Plants and lifts feet at the markers just reached. In reverse, markers change roles.
void Animator::plant_feet(bool backwards) {
  const auto play_on_top = [&](PlayId id) -> const Play* {
    for (const Layer& layer : layers_) {
      if (!layer.plays.empty() && layer.plays.back().id == id) return &layer.plays.back();
    }
    return nullptr;
  };
  for (std::size_t i = 0; i < rig_->feet.size(); ++i) {
    const FootPlant& plant = rig_->feet[i];
    RigFoot& foot = rig_state_.feet[i];
    for (const AnimatorEvent& event : events_) {
      if (event.marker == nullptr) continue;
      const bool plants = event.marker->name == plant.plant;
      if (!plants && event.marker->name != plant.lift) continue;
      const Play* play = play_on_top(event.play);
      if (play == nullptr) continue;
      foot.planted = plants != ((play->clock.speed() < 0) != backwards);
      foot_plays_[i] = event.play;
    }
    if (foot_plays_[i] != PlayId::none && play_on_top(foot_plays_[i]) == nullptr) {
      foot.planted = false;
      foot_plays_[i] = PlayId::none;
    }
  }
}

std::span<const Marker> Animator::markers() const noexcept {
  return markers_ != nullptr ? markers_->all() : std::span<const Marker>{};
}

Vec2 Animator::take_root_motion() noexcept { return std::exchange(root_moved_, Vec2{0.0F}); }

std::optional<Animator::Alone> Animator::plays_alone() const noexcept {
  if (!overrides.empty() || root_ || (rig_ && !rig_->empty() && !character_.is_3d())) return std::nullopt;
  std::optional<Alone> alone;
  for (const Layer& layer : layers_) {
    if (layer.plays.empty() || !(layer.options.weight > 0)) continue;
    const Play& play = layer.plays.back();
    const bool covers = layer.options.mode == LayerMode::override_below && layer.options.mask.empty() &&
                        layer.options.weight >= 1 && play.weight() >= 1;
    if (!covers || play.kind != Play::Kind::clip) return std::nullopt;
    if (parts_of(play) > 1) return std::nullopt;
    const BlendedStep shown = blended_step(play, 0, play.clock, {});
    alone = {shown.clip, shown.clock.position(sampling_)};
  }
  return alone;
}

void advance_many(std::span<Animator> animators, double seconds) {
  for (Animator& animator : animators) animator.advance(seconds);
}

void pose_many(std::span<Animator> animators, std::span<PoseBuffers> out) {
  assert(animators.size() == out.size());
  for (std::size_t i = 0; i < animators.size(); ++i) animators[i].pose(out[i]);
}

Markers::Markers(std::vector<Marker> markers) {
  std::vector<std::size_t> order(markers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  heap_sort(order, [&](std::size_t a, std::size_t b) {
    return std::tie(markers[a].clip, markers[a].frame, a) < std::tie(markers[b].clip, markers[b].frame, b);
  });
  markers_.reserve(order.size());
  for (const std::size_t i : order) markers_.push_back(std::move(markers[i]));
}

std::span<const Marker> Markers::of_clip(ClipId clip) const noexcept {
  return std::ranges::equal_range(markers_, clip, {}, &Marker::clip);
}

namespace {

/// Returns whether a layer at full weight hides everything below.
bool covers(const LayerOptions& options) noexcept {
  return options.mode == LayerMode::override_below && options.mask.empty() && options.weight >= 1;
}

/// Returns whether nothing below the plays of a layer shows.
bool hides_below(std::span<const Play> plays) noexcept {
  return !plays.empty() && plays[0].weight() >= 1 &&
         std::ranges::find(plays, Play::Kind::fade_out, &Play::kind) == plays.end();
}

/// Samples the reference pose of an additive layer.
void sample_reference(const Character& character, const LayerOptions& options, Pose& out) {
  const std::uint32_t frames = character.clips()[options.reference_clip].frame_count;
  const std::uint32_t frame = std::min(options.reference_frame, std::max(frames, 1U) - 1);
  sample(character, options.reference_clip, {frame, frame, 0}, out);
}

}  // namespace

/// Blends the first `count` plays over `pose`, oldest first.
void Animator::mix_plays(Layer& layer, std::size_t count, Pose& pose) {
  const std::span<const Play> plays = std::span(layer.plays).first(count);
  if (std::ranges::find(plays, Play::Kind::fade_out, &Play::kind) != plays.end()) below_ = pose;
  const std::size_t bone_count = character_.bones().size();
  for (std::size_t i = 0; i < plays.size(); ++i) {
    const Play& play = plays[i];
    const float weight = play.weight();
    if (!(weight > 0)) continue;
    const bool is_clip = play.kind == Play::Kind::clip;
    float* const turns = layer.rotation_deltas.data() + i * bone_count;
    if (is_clip && weight >= 1) {
      pchr::sample(character_, play, sampling_, pose);
    } else if (is_clip && !play.blend) {
      overlay({place_of(character_, play.clip, play.clock.position(sampling_)), weight, turns}, pose);
    } else {
      if (is_clip) pchr::sample(character_, play, sampling_, play_pose_);
      const Pose& to = is_clip ? play_pose_ : play.kind == Play::Kind::fade_out ? below_ : layer.still;
      const BetweenFrames place{pointers_to(view(to)), {}, 0};
      if (weight >= 1) {
        pchr::sample(place, bone_count, pose);
      } else {
        overlay({place, weight, turns}, pose);
      }
    }
  }
}

/// Mixes a layer over `out`.
void Animator::mix_layer(Layer& layer, Pose& out) {
  const LayerOptions& options = layer.options;
  if (layer.plays.empty() || !(options.weight > 0)) {
    layer.layer_rotation_deltas.clear();
    return;
  }
  if (covers(options)) return mix_plays(layer, layer.plays.size(), out);
  if (options.mode == LayerMode::additive) {
    if (!hides_below(layer.plays)) sample_reference(character_, options, layer_pose_);
    mix_plays(layer, layer.plays.size(), layer_pose_);
    const PoseView reference = frame_pose(character_, options.reference_clip, options.reference_frame);
    return blend_additive(view(layer_pose_), reference, options.weight, options.mask, out);
  }
  if (!hides_below(layer.plays)) layer_pose_ = out;
  mix_plays(layer, layer.plays.size(), layer_pose_);
  if (options.weight >= 1) return blend(view(layer_pose_), 1, options.mask, out);
  // Rotations keep their direction, as in a play.
  layer.layer_rotation_deltas.resize(out.x.size(), std::numeric_limits<float>::quiet_NaN());
  overlay({{pointers_to(view(layer_pose_)), {}, 0},
           options.weight,
           layer.layer_rotation_deltas.data(),
           options.mask.empty() ? nullptr : options.mask.data()},
          out);
}

/// Mixes the first `count` layers into `out`.
void Animator::mix_layers(std::size_t count, Pose& out) {
  if (count == 0 || !covers(layers_[0].options) || !hides_below(layers_[0].plays)) sample_bind_pose(character_, out);
  for (Layer& layer : std::span(layers_).first(count)) mix_layer(layer, out);
}

/// Makes room for another play: replaces the two oldest with the pose that they show now.
void Animator::make_still(std::uint32_t number) {
  Pose& pose = still_pose_;
  if (layers_[number].options.mode == LayerMode::additive) {
    sample_reference(character_, layers_[number].options, pose);
  } else {
    mix_layers(number, pose);
  }
  Layer& layer = layers_[number];
  mix_plays(layer, 2, pose);
  std::swap(layer.still, pose);
  layer.plays.erase(layer.plays.begin());
  const auto bone_count = static_cast<std::ptrdiff_t>(character_.bones().size());
  layer.rotation_deltas.erase(layer.rotation_deltas.begin(), layer.rotation_deltas.begin() + bone_count);
  Play& still = layer.plays.front();
  still = {};
  still.kind = Play::Kind::still;
}

void Animator::sample(Pose& out) {
  mix_layers(layers_.size(), out);
  if (root_ && character_.bones().contains(root_->bone)) {
    const PoseView bind = character_.bind_pose();
    const std::size_t bone = index(root_->bone);
    if (root_->along_x) out.x[bone] = bind.x[bone];
    if (root_->along_y) out.y[bone] = bind.y[bone];
  }
  override_bones(overrides, out);
  if (rig_) apply_rig(*rig_, character_, std::exchange(rig_seconds_, 0), rig_state_, out);
}

void Animator::pose(PoseBuffers& out) {
  sample(out.pose);
  update(character_, out);
}

}  // namespace pchr
