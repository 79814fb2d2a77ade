// SPDX-License-Identifier: MIT
// Mixes an animator's layers into one pose.
#include <pchr/animator.hpp>

#include "character/sine_cosine.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace pchr {
namespace {

/// Returns whether a layer at full weight hides everything below.
bool covers(const LayerOptions& options) noexcept {
  return options.mode == LayerMode::override_below && options.mask.empty() && options.weight >= 1;
}

/// Samples the reference pose of an additive layer.
void sample_reference(const Character& character, const LayerOptions& options, Pose& out) {
  const std::uint32_t frames = character.clips()[options.reference_clip].frame_count;
  const std::uint32_t frame = std::min(options.reference_frame, std::max(frames, 1U) - 1);
  sample(character, options.reference_clip, {frame, frame, 0}, out);
}

}  // namespace

/// Writes the rotations at `weight` between `pose` and `to` into blended_rotations_. Each rotation continues in its
/// last direction: always taking the shorter one would flip it when both sides move past each other's opposite.
void Animator::blend_rotations(const PoseView& to, float weight, std::span<float> deltas, const Pose& pose) {
  const std::span<const float> from = pose.rotation_degrees;
  blended_rotations_.resize(from.size());
  if (from.empty()) return;
  if (std::isnan(deltas[0])) {
    for (std::size_t i = 0; i < from.size(); ++i) deltas[i] = turn_between(from[i], to.rotation_degrees[i]);
  }
  for (std::size_t i = 0; i < from.size(); ++i) {
    // Adding and subtracting this rounds to a whole number.
    constexpr float kRound = 0x1.8p23F;
    const float difference = to.rotation_degrees[i] - from[i];
    const float whole_turns = (deltas[i] - difference) * (1.0F / 360.0F) + kRound - kRound;
    deltas[i] = difference + 360.0F * whole_turns;
    blended_rotations_[i] = from[i] + deltas[i] * weight;
  }
}

/// Blends the first `count` plays over `pose`, oldest first.
void Animator::mix_plays(Layer& layer, std::size_t count, Pose& pose) {
  const std::span<const Play> plays = std::span(layer.plays).first(count);
  if (std::ranges::find(plays, Play::Kind::fade_out, &Play::kind) != plays.end()) below_ = pose;
  const std::size_t bone_count = character_.bones().size();
  for (std::size_t i = 0; i < plays.size(); ++i) {
    const Play& play = plays[i];
    const float weight = play.weight();
    if (!(weight > 0)) continue;
    const Pose* to = play.kind == Play::Kind::fade_out ? &below_ : &layer.still;
    if (play.kind == Play::Kind::clip) {
      const ClipTime position = play.clock.position(sampling_);
      if (weight >= 1) {
        pchr::sample(character_, play.clip, position, pose);
        continue;
      }
      pchr::sample(character_, play.clip, position, play_pose_);
      to = &play_pose_;
    }
    blend_rotations(view(*to), weight, std::span(layer.rotation_deltas).subspan(i * bone_count, bone_count), pose);
    blend(view(*to), weight, pose);
    if (weight < 1) std::swap(pose.rotation_degrees, blended_rotations_);
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
    sample_reference(character_, options, layer_pose_);
    mix_plays(layer, layer.plays.size(), layer_pose_);
    const PoseView reference = frame_pose(character_, options.reference_clip, options.reference_frame);
    return blend_additive(view(layer_pose_), reference, options.weight, options.mask, out);
  }
  layer_pose_ = out;
  mix_plays(layer, layer.plays.size(), layer_pose_);
  if (options.weight < 1) {
    layer.layer_rotation_deltas.resize(out.x.size(), std::numeric_limits<float>::quiet_NaN());
    blend_rotations(view(layer_pose_), options.weight, layer.layer_rotation_deltas, out);
  }
  blend(view(layer_pose_), options.weight, options.mask, out);
  if (options.weight < 1) {
    for (std::size_t i = 0; i < out.x.size(); ++i) {
      if (options.mask.empty() || options.mask[i] != 0) out.rotation_degrees[i] = blended_rotations_[i];
    }
  }
}

/// Mixes the first `count` layers into `out`.
void Animator::mix_layers(std::size_t count, Pose& out) {
  const auto hides_bind_pose = [](const Layer& layer) {
    return covers(layer.options) && !layer.plays.empty() && layer.plays[0].weight() >= 1 &&
           std::ranges::find(layer.plays, Play::Kind::fade_out, &Play::kind) == layer.plays.end();
  };
  if (count == 0 || !hides_bind_pose(layers_[0])) sample_bind_pose(character_, out);
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
