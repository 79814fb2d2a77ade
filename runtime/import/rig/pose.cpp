// SPDX-License-Identifier: MIT
// Poses an armature at one time.
#include "import/rig/rig.hpp"
#include "import/rig/timeline.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <span>
#include <utility>

namespace pchr::rig {
namespace {

/// Returns the equal angle from -pi to pi.
double wrapped(double angle) noexcept { return std::remainder(angle, 2 * kPi); }

double progress(const Curve& curve, double part) noexcept {
  double eased = part;
  switch (curve.kind) {
    case CurveKind::linear:
      return part;
    case CurveKind::step:
    case CurveKind::bezier:
    case CurveKind::bezier_values:
      return 0;
    case CurveKind::quadratic_in:
      eased = part * part;
      break;
    case CurveKind::quadratic_out:
      eased = 1 - (1 - part) * (1 - part);
      break;
    case CurveKind::cosine:
      eased = (1 - std::cos(part * kPi)) / 2;
      break;
    case CurveKind::samples: {
      const std::size_t lines = curve.samples.size() + 1;
      const double place = std::clamp(part, 0.0, 1.0) * static_cast<double>(lines);
      const std::size_t line = std::min(static_cast<std::size_t>(place), lines - 1);
      const double from = line == 0 ? 0 : curve.samples[line - 1], to = line + 1 == lines ? 1 : curve.samples[line];
      return from + (to - from) * (place - static_cast<double>(line));
    }
  }
  return part + (eased - part) * curve.amount;
}

/// Splits a matrix. Keeps the signs of the scales of `like`, if they are not negative.
Transform split(const Matrix& matrix, const Transform& like) noexcept {
  Transform result{.x = matrix.tx, .y = matrix.ty};
  // Axes of length 0 leave the angle at 0.
  result.rotation = matrix.a == 0 && matrix.b == 0 ? 0 : std::atan(matrix.b / matrix.a);
  double y_rotation = matrix.c == 0 && matrix.d == 0 ? 0 : std::atan(-matrix.c / matrix.d);
  const auto is_flat = [](double angle) { return std::abs(angle) < kPi / 4; };
  result.scale_x =
      is_flat(result.rotation) ? matrix.a / std::cos(result.rotation) : matrix.b / std::sin(result.rotation);
  result.scale_y = is_flat(y_rotation) ? matrix.d / std::cos(y_rotation) : -matrix.c / std::sin(y_rotation);
  if (like.scale_x >= 0 && result.scale_x < 0) {
    result.scale_x = -result.scale_x;
    result.rotation -= kPi;
  }
  if (like.scale_y >= 0 && result.scale_y < 0) {
    result.scale_y = -result.scale_y;
    y_rotation -= kPi;
  }
  result.skew = y_rotation - result.rotation;
  return result;
}

class Evaluator {
 public:
  Evaluator(const Armature& armature, const Matrix* outer, Pose& pose)
      : armature_(armature), outer_(outer), pose_(pose) {}

  void run(const Animation* animation, double seconds) {
    reset();
    if (animation != nullptr) {
      for (const Timeline& timeline : animation->timelines) {
        apply(timeline, moment_of(timeline, play_time(timeline, *animation, seconds)));
      }
    }
    for (const Step& step : armature_.steps) {
      if (step.is_ik) {
        constrain(step.number);
      } else {
        place(step.number);
      }
    }
  }

 private:
  void reset() {
    pose_.global.clear();
    for (const Bone& bone : armature_.bones) pose_.global.push_back(bone.setup);
    pose_.world.assign(armature_.bones.size(), {});
    pose_.is_posed.assign(armature_.bones.size(), 0);
    pose_.attachment.clear();
    pose_.opacity.clear();
    for (const Slot& slot : armature_.slots) {
      pose_.attachment.push_back(slot.attachment);
      pose_.opacity.push_back(slot.opacity);
    }
    pose_.order.resize(armature_.slots.size());
    std::iota(pose_.order.begin(), pose_.order.end(), 0U);
    pose_.mix.clear();
    pose_.bends_left.clear();
    for (const Ik& ik : armature_.iks) {
      pose_.mix.push_back(ik.mix);
      pose_.bends_left.push_back(ik.bends_left ? 1 : 0);
    }
  }

  void apply(const Timeline& timeline, const Moment& moment) {
    const std::uint32_t target = timeline.target;
    switch (timeline.kind) {
      case TimelineKind::translate:
        pose_.global[target].x += moment[0];
        pose_.global[target].y += moment[1];
        break;
      case TimelineKind::rotate:
        pose_.global[target].rotation += moment[0];
        pose_.global[target].skew += moment[1];
        break;
      case TimelineKind::scale:
        pose_.global[target].scale_x *= moment[0];
        pose_.global[target].scale_y *= moment[1];
        break;
      case TimelineKind::attachment:
      case TimelineKind::opacity:
      case TimelineKind::order:
        apply_to_slots(timeline, moment, pose_);
        break;
      case TimelineKind::ik:
        pose_.mix[target] = moment[0];
        pose_.bends_left[target] = moment.from[1] != 0 ? 1 : 0;
        break;
      default:  // of meshes, or of other armatures
        break;
    }
  }

  void constrain(std::uint32_t number) {
    const Ik& ik = armature_.iks[number];
    if (ik.moves_parent) {
      place(armature_.bones[ik.bone].parent);
      place(ik.bone);
      reach(ik, pose_.mix[number], pose_.bends_left[number] != 0);
    } else {
      place(ik.bone);
      point(ik, pose_.mix[number]);
    }
  }

  /// Sets the world transform of a bone once, from its local one.
  void place(std::uint32_t number) {
    if (std::exchange(pose_.is_posed[number], std::uint8_t{1}) != 0) return;
    const Bone& bone = armature_.bones[number];
    Transform& global = pose_.global[number];
    Matrix& world = pose_.world[number];
    if (bone.parent == kNone && outer_ == nullptr) {
      world = matrix_of(global);
      return;
    }
    const Matrix& parent_world = bone.parent == kNone ? *outer_ : pose_.world[bone.parent];
    const Transform parent = bone.parent == kNone ? split(parent_world, {}) : pose_.global[bone.parent];
    if (bone.inherits_scale) {
      if (!bone.inherits_rotation) global.rotation -= parent.rotation;
      const Transform local = global;
      world = parent_world * matrix_of(local);
      if (!bone.inherits_translation) {
        world.tx = local.x;
        world.ty = local.y;
      }
      global = split(world, local);
      return;
    }
    if (bone.inherits_translation) {
      const Point origin = parent_world * Point{global.x, global.y};
      global.x = origin.x;
      global.y = origin.y;
    }
    if (bone.inherits_rotation) {
      const bool is_mirrored = determinant(parent_world) < 0;
      global.rotation = (is_mirrored ? -global.rotation : global.rotation) + parent.rotation;
      if (parent.scale_x < 0) global.rotation += kPi;
      if (is_mirrored && bone.inherits_reflection) global.skew += kPi;
    }
    world = matrix_of(global);
  }

  void point(const Ik& ik, double mix) {
    const Transform& target = pose_.global[ik.target];
    Transform& global = pose_.global[ik.bone];
    double direction = std::atan2(target.y - global.y, target.x - global.x);
    if (global.scale_x < 0) direction += kPi;
    global.rotation += wrapped(direction - global.rotation) * mix;
    pose_.world[ik.bone] = matrix_of(global);
  }

  void reach(const Ik& ik, double mix, bool bends_left) {
    const Bone& bone = armature_.bones[ik.bone];
    const std::uint32_t parent_number = bone.parent;
    const Transform& target = pose_.global[ik.target];
    Transform& parent = pose_.global[parent_number];
    Transform& global = pose_.global[ik.bone];
    const Matrix& world = pose_.world[ik.bone];
    const double tip = std::hypot(world.a, world.b) * bone.length;
    const double to_joint = std::hypot(global.x - parent.x, global.y - parent.y);
    const double to_target = std::hypot(target.x - parent.x, target.y - parent.y);
    const double rotation = global.rotation, parent_rotation = parent.rotation;
    const double joint_direction = std::atan2(global.y - parent.y, global.x - parent.x);
    double direction = std::atan2(target.y - parent.y, target.x - parent.x);
    if (tip + to_joint <= to_target || to_target + tip <= to_joint || to_target + to_joint <= tip) {
      // Out of reach: stretched, or folded back if the second bone is the longer one.
      if (tip + to_joint > to_target && to_joint < tip) direction += kPi;
    } else {
      const double along = (to_joint * to_joint - tip * tip + to_target * to_target) / (2 * to_target * to_target);
      const double across = std::sqrt(std::max(to_joint * to_joint - along * along * to_target * to_target, 0.0));
      const std::uint32_t grandparent = armature_.bones[parent_number].parent;
      const Matrix* const above = grandparent != kNone ? &pose_.world[grandparent] : outer_;
      const bool is_mirrored = above != nullptr && determinant(*above) < 0;
      const double turn = std::atan2(across, along * to_target);
      direction += bends_left != is_mirrored ? turn : -turn;
    }
    const double turned = wrapped(direction - joint_direction);
    parent.rotation = parent_rotation + turned * mix;
    pose_.world[parent_number] = matrix_of(parent);
    const double new_direction = joint_direction + turned * mix;
    global.x = parent.x + std::cos(new_direction) * to_joint;
    global.y = parent.y + std::sin(new_direction) * to_joint;
    double tip_direction = std::atan2(target.y - global.y, target.x - global.x);
    if (global.scale_x < 0) tip_direction += kPi;
    global.rotation = parent.rotation + rotation - parent_rotation + wrapped(tip_direction - turned - rotation) * mix;
    pose_.world[ik.bone] = matrix_of(global);
  }

  const Armature& armature_;
  const Matrix* const outer_;
  Pose& pose_;
};

}  // namespace

void apply_to_slots(const Timeline& timeline, const Moment& moment, Pose& pose) {
  if (timeline.kind == TimelineKind::attachment) {
    pose.attachment[timeline.target] = static_cast<std::int32_t>(moment.from[0]);
  } else if (timeline.kind == TimelineKind::opacity) {
    pose.opacity[timeline.target] = std::clamp(moment[0], 0.0, 1.0);
  } else if (timeline.kind == TimelineKind::order) {
    for (std::size_t i = 0; i < timeline.channels; ++i) pose.order[i] = static_cast<std::uint32_t>(moment.from[i]);
  }
}

PlayTime play_time(const Timeline& timeline, const Animation& animation, double seconds) noexcept {
  const double duration = animation.duration;
  const double moved = seconds * timeline.speed + timeline.offset * duration;
  if (!(duration > 0)) return {0, false};
  const double play = std::floor(moved / duration);
  if (animation.plays > 0 && play >= animation.plays) return {duration, false};
  // A play that begins is not the end of another one, whatever the division rounds to.
  const double within = moved - play * duration;
  return {within < 0 || within >= duration ? 0 : within, animation.plays == 0 || play + 1 < animation.plays};
}

double bezier_at(Point from, const Point* handles, Point to, double seconds) noexcept {
  const auto cubic = [](double a, double b, double c, double d, double part) {
    const double rest = 1 - part;
    return rest * rest * rest * a + 3 * rest * part * (rest * b + part * c) + part * part * part * d;
  };
  double low = 0, high = 1, part = (seconds - from.x) / (to.x - from.x);
  constexpr int kMaxSteps = 60;
  for (int step = 0; step < kMaxSteps; ++step) {
    const double error = cubic(from.x, handles[0].x, handles[1].x, to.x, part) - seconds;
    if (error == 0) break;
    (error < 0 ? low : high) = part;
    const double rest = 1 - part;
    const double slope = 3 * (rest * rest * (handles[0].x - from.x) + 2 * rest * part * (handles[1].x - handles[0].x) +
                              part * part * (to.x - handles[1].x));
    // Newton's method, where it stays between the bounds.
    double next = part - error / slope;
    if (!(next > low && next < high)) next = (low + high) / 2;
    if (std::abs(next - part) < 1e-15) break;
    part = next;
  }
  return cubic(from.y, handles[0].y, handles[1].y, to.y, part);
}

Moment moment_of(const Timeline& timeline, const PlayTime& time, double early) noexcept {
  std::span<const Key> keys = timeline.keys;
  if (timeline.closes && !time.repeats) keys = keys.first(keys.size() - 1);
  auto next = std::ranges::upper_bound(keys, time.seconds, {}, &Key::seconds);
  if (early > 0 && next != keys.end() && next->seconds - time.seconds <= early &&
      (next == keys.begin() || std::prev(next)->curve.kind == CurveKind::step)) {
    next = std::ranges::upper_bound(keys, next->seconds, {}, &Key::seconds);
  }
  const auto index = static_cast<std::size_t>(std::max<std::ptrdiff_t>(next - keys.begin(), 1) - 1);
  const double* const from = &timeline.values[index * timeline.channels];
  if (next == keys.begin() || next == keys.end()) return {from, from, 0};
  const Key& key = keys[index];
  const double seconds = std::max(time.seconds, key.seconds);
  const Point* const handles = timeline.handles.data() + key.curve.handles;
  if (key.curve.kind == CurveKind::bezier) {
    return {from, from + timeline.channels, bezier_at({key.seconds, 0}, handles, {next->seconds, 1}, seconds)};
  }
  if (key.curve.kind == CurveKind::bezier_values) {
    return {from, from + timeline.channels, 0, handles, seconds, key.seconds, next->seconds};
  }
  const double part = (seconds - key.seconds) / (next->seconds - key.seconds);
  return {from, from + timeline.channels, progress(key.curve, part)};
}

Matrix inverse(const Matrix& matrix) noexcept {
  const double scale = 1 / determinant(matrix);
  const Matrix turned{matrix.d * scale, -matrix.b * scale, -matrix.c * scale, matrix.a * scale, 0, 0};
  const Point origin = turned * Point{matrix.tx, matrix.ty};
  return {turned.a, turned.b, turned.c, turned.d, -origin.x, -origin.y};
}

Matrix matrix_of(const Transform& transform) noexcept {
  const double cosine = std::cos(transform.rotation), sine = std::sin(transform.rotation);
  // Most transforms have no skew.
  const double y_rotation = transform.rotation + transform.skew;
  const double y_cosine = transform.skew == 0 ? cosine : std::cos(y_rotation);
  const double y_sine = transform.skew == 0 ? sine : std::sin(y_rotation);
  return {cosine * transform.scale_x,
          sine * transform.scale_x,
          -y_sine * transform.scale_y,
          y_cosine * transform.scale_y,
          transform.x,
          transform.y};
}

void evaluate(const Armature& armature, const Animation* animation, double seconds, const Matrix* outer, Pose& pose) {
  if (armature.composes_matrices) return compose(armature, animation, seconds, outer, pose);
  Evaluator(armature, outer, pose).run(animation, seconds);
}

void evaluate_deform(const Timeline& timeline, const Animation& animation, double seconds,
                     std::vector<Point>& offsets) {
  const Moment moment = moment_of(timeline, play_time(timeline, animation, seconds));
  offsets.resize(timeline.channels / 2);
  for (std::size_t i = 0; i < offsets.size(); ++i) offsets[i] = {moment[2 * i], moment[2 * i + 1]};
}

}  // namespace pchr::rig
