// SPDX-License-Identifier: MIT
// Poses an armature whose bones multiply their matrices with those of their parents: applies the timelines, then the
// constraints in order. A bone is placed when a constraint needs it, and again after a constraint has moved an
// ancestor.
#include "import/rig/rig.hpp"
#include "import/rig/timeline.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <numeric>
#include <span>
#include <utility>

namespace pchr::rig {
namespace {

/// Files store times with four decimals. A value that changes at a frame must not wait for the next one.
constexpr double kTimePrecision = 5e-5;
/// Squared lengths and determinants below this are those of bones that are scaled to nothing.
constexpr double kFlat = 1e-10;

/// Costs in bones that could be placed in the same time, of each bone of a constraint, of each curve of a path, and of
/// passing by this many bones or timelines.
constexpr double kIkCost = 8, kTransformCost = 8, kPathCost = 64, kPhysicsCost = 20, kCurveCost = 32,
                 kPassedPerCost = 8;

/// Returns the equal angle from -pi to pi.
double to_half_turn(double angle) noexcept { return std::remainder(angle, 2 * kPi); }

Point operator+(Point left, Point right) noexcept { return {left.x + right.x, left.y + right.y}; }
Point operator-(Point left, Point right) noexcept { return {left.x - right.x, left.y - right.y}; }
Point operator*(Point point, double scale) noexcept { return {point.x * scale, point.y * scale}; }
double length(Point point) noexcept { return std::hypot(point.x, point.y); }
double angle(Point point) noexcept { return std::atan2(point.y, point.x); }
Point direction(double angle) noexcept { return {std::cos(angle), std::sin(angle)}; }

Point x_axis(const Matrix& matrix) noexcept { return {matrix.a, matrix.b}; }
Point y_axis(const Matrix& matrix) noexcept { return {matrix.c, matrix.d}; }
Point origin(const Matrix& matrix) noexcept { return {matrix.tx, matrix.ty}; }
Matrix matrix_of(Point x, Point y, Point at = {}) noexcept { return {x.x, x.y, y.x, y.y, at.x, at.y}; }
Matrix rotation_of(double angle) noexcept {
  const Point x = direction(angle);
  return matrix_of(x, {-x.y, x.x});
}
/// Returns a matrix without its translation.
Matrix axes(const Matrix& matrix) noexcept { return matrix_of(x_axis(matrix), y_axis(matrix)); }
bool is_flat(const Matrix& matrix) noexcept { return std::abs(determinant(matrix)) < kFlat; }

void turn(Matrix& matrix, double angle) noexcept {
  const Point at = origin(matrix);
  matrix = rotation_of(angle) * axes(matrix);
  matrix.tx = at.x;
  matrix.ty = at.y;
}

Matrix matrix_of(const Local& local) noexcept {
  const Point x = direction(local.rotation + local.shear_x);
  // Most bones do not shear.
  const Point y = local.shear_x == local.shear_y ? x : direction(local.rotation + local.shear_y);
  return matrix_of(x * local.scale_x, Point{-y.y, y.x} * local.scale_y, {local.x, local.y});
}

/// Returns the local transform of a matrix. It has no shear x.
Local local_of(const Matrix& matrix) noexcept {
  const Point x = x_axis(matrix), y = y_axis(matrix);
  Local local{.x = matrix.tx, .y = matrix.ty, .scale_x = length(x)};
  local.scale_y = determinant(matrix) < 0 ? -length(y) : length(y);
  const double y_rotation = local.scale_y < 0 ? std::atan2(y.x, -y.y) : std::atan2(-y.x, y.y);
  local.rotation = local.scale_x > 1e-5 ? angle(x) : y_rotation;
  local.shear_y = to_half_turn(y_rotation - local.rotation);
  return local;
}

/// Returns the axes of a parent for a bone that does not rotate or mirror with it: turned upright, without shear and
/// mirroring. `angle` is how far they were turned.
Matrix upright(const Matrix& parent, double& turned) noexcept {
  const Point x = x_axis(parent), y = y_axis(parent);
  const double x_length = length(x);
  turned = x_length > 1e-5 ? angle(x) : angle(y) - kPi / 2;
  const double y_length = x_length > 1e-5 ? std::abs(determinant(parent)) / x_length : length(y);
  return rotation_of(turned) * Matrix{x_length, 0, 0, y_length, 0, 0};
}

/// Returns axes without scale whose first one is the image of a direction of the parent.
Matrix without_scale(const Matrix& parent, double rotation, Inherit inherit) noexcept {
  const Point x = axes(parent) * direction(rotation);
  const double size = length(x);
  if (!(size > 1e-5)) return {0, 0, 0, 0, 0, 0};
  const Point unit = x * (1 / size);
  const double side = inherit == Inherit::no_scale && determinant(parent) < 0 ? -1 : 1;
  return matrix_of(unit, Point{-unit.y, unit.x} * side);
}

/// Returns the world transform of a bone.
Matrix world_of(const Matrix& parent, const Local& local, Inherit inherit) noexcept {
  const Matrix inner = matrix_of(local);
  Matrix world = parent * inner;
  const Point at = origin(world);
  switch (inherit) {
    case Inherit::all:
      return world;
    case Inherit::only_translation:
      world = inner;
      break;
    case Inherit::no_rotation_or_reflection: {
      double turned = 0;
      const Matrix outer = upright(parent, turned);
      world = outer * rotation_of(-turned) * inner;
      break;
    }
    case Inherit::no_scale:
    case Inherit::no_scale_or_reflection: {
      Local unturned = local;
      unturned.rotation = 0;
      world = without_scale(parent, local.rotation, inherit) * matrix_of(unturned);
      break;
    }
  }
  world.tx = at.x;
  world.ty = at.y;
  return world;
}

/// Returns the axes in which the rotation of a bone has an effect.
Matrix rotation_frame(const Matrix& parent, Inherit inherit) noexcept {
  if (inherit == Inherit::only_translation) return {};
  if (inherit != Inherit::no_rotation_or_reflection) return axes(parent);
  double turned = 0;
  const Matrix outer = upright(parent, turned);
  return outer * rotation_of(-turned);
}

/// Returns the local transform of a bone with a world transform. `before` is kept where the parent is flat.
Local local_in(const Matrix& parent, const Matrix& world, Inherit inherit, const Local& before) noexcept {
  const Matrix frame = rotation_frame(parent, inherit);
  if (is_flat(parent) || is_flat(frame)) return before;
  const Point at = inverse(parent) * origin(world);
  Local local;
  if (inherit == Inherit::no_scale || inherit == Inherit::no_scale_or_reflection) {
    const double rotation = angle(inverse(frame) * x_axis(world));
    local = local_of(inverse(without_scale(parent, rotation, inherit)) * axes(world));
    local.rotation += rotation;
  } else {
    local = local_of(inverse(frame) * axes(world));
  }
  local.x = at.x;
  local.y = at.y;
  return local;
}

/// A cubic curve.
struct Piece {
  Point p[4];

  [[nodiscard]] Point at(double part) const noexcept {
    const double rest = 1 - part;
    return p[0] * (rest * rest * rest) + p[1] * (3 * rest * rest * part) + p[2] * (3 * rest * part * part) +
           p[3] * (part * part * part);
  }
  [[nodiscard]] Point slope(double part) const noexcept {
    const double rest = 1 - part;
    return (p[1] - p[0]) * (3 * rest * rest) + (p[2] - p[1]) * (6 * rest * part) + (p[3] - p[2]) * (3 * part * part);
  }
  /// Returns the direction in which the curve runs. Handles can lie on their points.
  [[nodiscard]] double tangent(double part) const noexcept {
    Point along = slope(part);
    if (length(along) < 1e-9) along = part < 0.5 ? p[2] - p[0] : p[3] - p[1];
    if (length(along) < 1e-9) along = p[3] - p[0];
    return angle(along);
  }
  /// Returns the length of a part of the curve, by Gaussian quadrature with five points.
  [[nodiscard]] double length_of(double from, double to) const noexcept {
    static constexpr double kNodes[] = {0, 0.538469310105683091, 0.906179845938663993};
    static constexpr double kWeights[] = {0.568888888888888889, 0.478628670499366468, 0.236926885056189088};
    const double middle = (from + to) / 2, half = (to - from) / 2;
    double sum = kWeights[0] * length(slope(middle));
    for (int i = 1; i < 3; ++i) {
      sum += kWeights[i] * (length(slope(middle - half * kNodes[i])) + length(slope(middle + half * kNodes[i])));
    }
    return sum * half;
  }
};

constexpr int kLengthSteps = 16;

/// Returns the part of a curve at which its length is `wanted`.
double part_at(const Piece& piece, double wanted) noexcept {
  double from = 0, before = 0;
  for (int step = 0; step < kLengthSteps; ++step) {
    const double to = (step + 1.0) / kLengthSteps, along = piece.length_of(from, to);
    if (before + along < wanted && step + 1 < kLengthSteps) {
      before += along;
      from = to;
      continue;
    }
    double low = from, high = to, part = along > 0 ? from + (wanted - before) / along * (to - from) : from;
    for (int i = 0; i < 30; ++i) {
      part = std::clamp(part, low, high);
      const double error = before + piece.length_of(from, part) - wanted;
      if (std::abs(error) < 1e-9) break;
      (error < 0 ? low : high) = part;
      const double speed = length(piece.slope(part));
      const double next = part - error / speed;
      part = speed > 0 && next > low && next < high ? next : (low + high) / 2;
    }
    return part;
  }
  return 1;
}

bool has_physics(const Armature& armature) noexcept {
  return std::ranges::find(armature.constraints, ConstraintKind::physics, &Constraint::kind) !=
         armature.constraints.end();
}

class Composer {
 public:
  Composer(const Armature& armature, const Animation* animation, double seconds, const Matrix* outer, Pose& pose)
      : armature_(armature),
        animation_(animation),
        seconds_(seconds),
        outer_(outer == nullptr ? Matrix{} : *outer),
        pose_(pose) {}

  void run() {
    if (animation_ == nullptr || !has_physics(armature_)) return pose_once();
    // Physics goes on from the pose before, or starts at rest.
    if (pose_.swaying != animation_ || seconds_ < pose_.swayed_seconds || seconds_ == 0) {
      pose_.sways.assign(armature_.constraints.size(), {});
      pose_.swaying = animation_;
      pose_.swayed_seconds = 0;
      const double end = std::exchange(seconds_, 0);
      pose_once();
      seconds_ = end;
    }
    const double start = pose_.swayed_seconds, end = seconds_;
    const double steps = physics_steps(armature_, end - start);
    for (double step = 1; step <= steps; ++step) {
      step_seconds_ = (end - start) / steps;
      seconds_ = step == steps ? end : start + step * step_seconds_;
      pose_once();
    }
    pose_.swayed_seconds = end;
  }

 private:
  void pose_once() {
    unplaced_ = 0;
    reset();
    if (animation_ != nullptr) {
      for (const Timeline& timeline : animation_->timelines) {
        const PlayTime time = play_time(timeline, *animation_, seconds_);
        if (time.seconds + kTimePrecision >= timeline.keys.front().seconds) apply(timeline, time);
      }
    }
    for (std::size_t i = 0; i < armature_.constraints.size(); ++i) {
      const Constraint& constraint = armature_.constraints[i];
      if (constraint.kind == ConstraintKind::ik) apply_ik(constraint, pose_.values[i]);
      if (constraint.kind == ConstraintKind::transform) apply_transform(constraint, pose_.values[i]);
      if (constraint.kind == ConstraintKind::path) apply_path(constraint, pose_.values[i]);
      if (constraint.kind == ConstraintKind::physics && animation_ != nullptr) {
        apply_physics(constraint, pose_.values[i], pose_.sways[i]);
      }
    }
    place_to(static_cast<std::uint32_t>(armature_.bones.size()));
  }

  void reset() {
    pose_.local.clear();
    pose_.inherit.clear();
    for (const Bone& bone : armature_.bones) {
      const Transform& setup = bone.setup;
      pose_.local.push_back(
          {setup.x, setup.y, setup.rotation, setup.scale_x, setup.scale_y, bone.shear_x, bone.shear_y});
      pose_.inherit.push_back(bone.inherit);
    }
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
    pose_.values.clear();
    for (const Constraint& constraint : armature_.constraints) pose_.values.push_back(constraint.values);
  }

  void apply(const Timeline& timeline, const PlayTime& time) {
    const Moment moment = moment_of(timeline, time, kTimePrecision);
    const std::uint32_t target = timeline.target;
    const auto change = [&](double Local::* x, double Local::* y, auto operation) {
      for (std::uint32_t i = 0; i < timeline.channels; ++i) {
        double& value = pose_.local[target].*(timeline.first + i == 0 ? x : y);
        value = operation(value, moment[i]);
      }
    };
    switch (timeline.kind) {
      case TimelineKind::translate:
        change(&Local::x, &Local::y, std::plus());
        break;
      case TimelineKind::rotate:
        pose_.local[target].rotation += moment[0];
        break;
      case TimelineKind::scale:
        change(&Local::scale_x, &Local::scale_y, std::multiplies());
        break;
      case TimelineKind::shear:
        change(&Local::shear_x, &Local::shear_y, std::plus());
        break;
      case TimelineKind::inherit:
        pose_.inherit[target] = static_cast<Inherit>(moment.from[0]);
        break;
      case TimelineKind::attachment:
      case TimelineKind::opacity:
      case TimelineKind::order:
        apply_to_slots(timeline, moment, pose_);
        break;
      case TimelineKind::constraint:
        for (std::uint32_t i = 0; i < timeline.channels; ++i) pose_.values[target][timeline.first + i] = moment[i];
        break;
      case TimelineKind::sequence:
        show_image(timeline, time, moment);
        break;
      case TimelineKind::ik:
      case TimelineKind::deform:
        break;
    }
  }

  /// Shows an image of a sequence, if its slot shows any. Timelines of sequences come after those of attachments.
  void show_image(const Timeline& timeline, const PlayTime& time, const Moment& moment) {
    std::int32_t& shown = pose_.attachment[timeline.target];
    const std::int64_t count = timeline.count, place = std::int64_t{shown} - timeline.attachment;
    if (place < 0 || place >= count) return;
    const auto mode = static_cast<SequenceMode>(moment.from[0]);
    auto index = static_cast<std::int64_t>(moment.from[1]);
    const double delay = moment.from[2];
    if (mode != SequenceMode::hold && delay > 0) {
      const auto key = std::ranges::upper_bound(timeline.keys, time.seconds + kTimePrecision, {}, &Key::seconds);
      const double passed = time.seconds - std::prev(key)->seconds;
      index += static_cast<std::int64_t>(std::min((passed + kTimePrecision) / delay, 1e9));
    }
    const std::int64_t round_trip = std::max<std::int64_t>(2 * count - 2, 1);
    const auto bounced = [&](std::int64_t step) {
      step %= round_trip;
      return step < count ? step : round_trip - step;
    };
    switch (mode) {
      case SequenceMode::hold:
      case SequenceMode::once:
        index = std::min(index, count - 1);
        break;
      case SequenceMode::loop:
        index %= count;
        break;
      case SequenceMode::ping_pong:
        index = bounced(index);
        break;
      case SequenceMode::once_reverse:
        index = std::max<std::int64_t>(count - 1 - index, 0);
        break;
      case SequenceMode::loop_reverse:
        index = count - 1 - index % count;
        break;
      case SequenceMode::ping_pong_reverse:
        index = bounced(index + count - 1);
        break;
    }
    shown = static_cast<std::int32_t>(timeline.attachment + index);
  }

  [[nodiscard]] const Matrix& parent_of(std::uint32_t bone) const noexcept {
    const std::uint32_t parent = armature_.bones[bone].parent;
    return parent == kNone ? outer_ : pose_.world[parent];
  }

  void place(std::uint32_t bone) {
    pose_.world[bone] = world_of(parent_of(bone), pose_.local[bone], pose_.inherit[bone]);
    pose_.is_posed[bone] = 1;
  }

  /// Places the bones below `end` that are not placed. Parents come first.
  void place_to(std::uint32_t end) {
    for (; unplaced_ < end; ++unplaced_) {
      if (pose_.is_posed[unplaced_] == 0) place(unplaced_);
    }
  }

  /// Places what a constraint reads, and the bones that it changes.
  void place_for(const Constraint& constraint, std::uint32_t target_bone) {
    place_to(std::max(target_bone, *std::ranges::max_element(constraint.bones)) + 1);
  }

  /// Makes the descendants of changed bones be placed again. The changed ones keep their places.
  void release_descendants(std::span<const std::uint32_t> bones) {
    constexpr std::uint8_t kChanged = 2;
    for (const std::uint32_t bone : bones) pose_.is_posed[bone] = kChanged;
    for (std::uint32_t bone = *std::ranges::min_element(bones) + 1; bone < armature_.bones.size(); ++bone) {
      const std::uint32_t parent = armature_.bones[bone].parent;
      if (parent == kNone || pose_.is_posed[parent] == 1 || pose_.is_posed[bone] == kChanged) continue;
      pose_.is_posed[bone] = 0;
      unplaced_ = std::min(unplaced_, bone);
    }
    for (const std::uint32_t bone : bones) pose_.is_posed[bone] = 1;
  }

  /// Makes the local transform of a bone that of its world transform.
  void keep_world(std::uint32_t bone) {
    pose_.local[bone] = local_in(parent_of(bone), pose_.world[bone], pose_.inherit[bone], pose_.local[bone]);
  }

  using Values = ConstraintValues;

  void apply_ik(const Constraint& ik, const Values& values) {
    if (values[0] == 0) return;
    place_for(ik, ik.target);
    const Point target = origin(pose_.world[ik.target]);
    if (ik.bones.size() == 1) {
      point(ik, target, values);
    } else {
      reach(ik, target, values);
    }
    release_descendants(ik.bones);
  }

  /// Turns the first bone towards the target.
  void point(const Constraint& ik, Point target, const Values& values) {
    const std::uint32_t bone = ik.bones[0];
    const double mix = values[0];
    const bool compresses = values[3] != 0 && ik.bones.size() == 1, stretches = values[4] != 0;
    const Inherit inherit = pose_.inherit[bone];
    const Matrix frame = rotation_frame(parent_of(bone), inherit);
    if (is_flat(frame)) return;
    Local& local = pose_.local[bone];
    const Point in_world = target - origin(pose_.world[bone]);
    const Point path = inverse(frame) * in_world;
    local.rotation += to_half_turn(angle(path) - local.rotation - local.shear_x + (local.scale_x < 0 ? kPi : 0)) * mix;
    const bool keeps_length = inherit == Inherit::no_scale || inherit == Inherit::no_scale_or_reflection;
    const double tip = armature_.bones[bone].length * std::abs(local.scale_x);
    const double distance = length(keeps_length ? in_world : path);
    if (tip > 1e-4 && ((compresses && distance < tip) || (stretches && distance > tip))) {
      const double scale = 1 + (distance / tip - 1) * mix;
      local.scale_x *= scale;
      if (ik.is_uniform) local.scale_y *= scale;
    }
    place(bone);
  }

  /// Turns two bones so that the tip of the second one reaches the target, in the space of their common parent.
  void reach(const Constraint& ik, Point target, const Values& values) {
    const std::uint32_t first = ik.bones[0], second = ik.bones[1];
    const double mix = values[0], softness = values[1], bends_left = values[2], stretches = values[4];
    const Matrix& outer = parent_of(first);
    if (pose_.inherit[first] != Inherit::all || pose_.inherit[second] != Inherit::all || is_flat(outer)) return;
    const Matrix to_outer = inverse(outer);
    Local& upper = pose_.local[first];
    Local& lower = pose_.local[second];
    const double x_scale = std::abs(upper.scale_x), y_scale = std::abs(upper.scale_y);
    const bool is_even = std::abs(x_scale - y_scale) <= 1e-4;
    // The joint lies on the axis of a bone whose axes change differently.
    if (!is_even || stretches != 0) lower.y = 0;
    const Point joint = to_outer * (pose_.world[first] * Point{lower.x, lower.y}) - Point{upper.x, upper.y};
    const double upper_length = length(joint);
    if (upper_length < 1e-4) {
      point(ik, target, values);
      lower.rotation = 0;
      place(second);
      return;
    }
    const double lower_scale = std::abs(lower.scale_x), lower_length = armature_.bones[second].length * lower_scale;
    Point path = to_outer * target - Point{upper.x, upper.y};
    double distance = length(path);
    if (softness > 0 && stretches == 0) {
      // From `soft` before the reach to `soft` behind it, the speed of the tip falls from that of the target to 0.
      const double soft = softness * x_scale * (lower_scale + 1) / 2;
      const double past = distance - upper_length - lower_length * x_scale + soft;
      if (past > 0) {
        const double slowed = std::min(past, 2 * soft);
        const double eased = distance - past + slowed - slowed * slowed / (4 * soft);
        path = path * (eased / distance);
        distance = eased;
      }
    }
    const double side = bends_left != 0 ? 1 : -1;
    // Place of the tip if the joint were on the x axis, and the angle of the second bone there.
    Point tip{upper_length, 0};
    double bend = 0;
    if (is_even) {
      const double second_length = lower_length * x_scale;
      const double cosine = (distance * distance - upper_length * upper_length - second_length * second_length) /
                            (2 * upper_length * second_length);
      if (cosine < 1) bend = std::acos(std::max(cosine, -1.0)) * side;
      tip = tip + direction(bend) * second_length;
      if (cosine > 1 && stretches != 0) {
        const double scale = 1 + (distance / (upper_length + second_length) - 1) * mix;
        upper.scale_x *= scale;
        if (ik.is_uniform) upper.scale_y *= scale;
      }
    } else {
      tip = reach_on_ellipse(upper_length, x_scale * lower_length, y_scale * lower_length, distance, side);
      bend = std::atan2(tip.y * x_scale, (tip.x - upper_length) * y_scale);
    }
    const double mirror = upper.scale_x * upper.scale_y < 0 ? -1 : 1;
    const double offset = std::atan2(lower.y, lower.x);
    const double upper_turn = angle(path) - angle(tip) - mirror * offset - upper.rotation;
    upper.rotation += to_half_turn(upper_turn + (upper.scale_x < 0 ? kPi : 0)) * mix;
    upper.shear_x = upper.shear_y = 0;
    const double lower_turn = mirror * bend + offset - lower.shear_x - lower.rotation;
    lower.rotation += to_half_turn(lower_turn + (lower.scale_x < 0 ? kPi : 0)) * mix;
    place(first);
    place(second);
  }

  /// Returns the point of an ellipse around (center, 0) with the half axes `a` and `b` that is `distance` from the
  /// origin, on one side of the x axis, or the closest to that.
  static Point reach_on_ellipse(double center, double a, double b, double distance, double side) noexcept {
    // x^2 + y^2 = distance^2 and ((x - center) / a)^2 + (y / b)^2 = 1, without y.
    const double square = b * b - a * a, linear = -2 * b * b * center;
    const double constant = b * b * center * center + a * a * (distance * distance - b * b);
    const double discriminant = linear * linear - 4 * square * constant;
    if (discriminant >= 0) {
      const double sum = (std::sqrt(discriminant) - linear) / 2;
      const double one = sum / square, other = constant / sum;
      const double x = std::abs(one) < std::abs(other) ? one : other;
      if (x * x <= distance * distance) return {x, std::sqrt(distance * distance - x * x) * side};
    }
    Point nearest{center - a, 0}, farthest{center + a, 0};
    const double cosine = a * center / square;
    if (std::abs(cosine) <= 1) {
      const Point extreme{center + a * cosine, b * std::sqrt(1 - cosine * cosine) * side};
      if (length(extreme) < length(nearest)) nearest = extreme;
      if (length(extreme) > length(farthest)) farthest = extreme;
    }
    const double near_square = nearest.x * nearest.x + nearest.y * nearest.y;
    const double far_square = farthest.x * farthest.x + farthest.y * farthest.y;
    return distance * distance <= (near_square + far_square) / 2 ? nearest : farthest;
  }

  void apply_transform(const Constraint& constraint, const Values& mixes) {
    if (mixes == Values{}) return;
    place_for(constraint, constraint.target);
    for (const std::uint32_t bone : constraint.bones) {
      if (constraint.is_local) {
        copy_local(constraint, mixes, pose_.local[constraint.target], pose_.local[bone]);
        place(bone);
      } else {
        copy_world(constraint, mixes, pose_.world[constraint.target], pose_.world[bone]);
        keep_world(bone);
      }
    }
    release_descendants(constraint.bones);
  }

  static void copy_local(const Constraint& constraint, const Values& mixes, const Local& target, Local& local) {
    const double kept = constraint.is_relative ? 0 : 1;
    const auto add = [&](double& value, double wanted, double mix) { value += (wanted - value * kept) * mix; };
    const double rotation = target.rotation + constraint.rotation, shear = target.shear_y + constraint.shear_y;
    if (constraint.is_relative) {
      local.rotation += rotation * mixes[0];
      local.shear_y += shear * mixes[5];
      local.scale_x *= 1 + (target.scale_x - 1 + constraint.scale_x) * mixes[3];
      local.scale_y *= 1 + (target.scale_y - 1 + constraint.scale_y) * mixes[4];
    } else {
      local.rotation += to_half_turn(rotation - local.rotation) * mixes[0];
      local.shear_y += to_half_turn(shear - local.shear_y) * mixes[5];
      if (local.scale_x != 0) add(local.scale_x, target.scale_x + constraint.scale_x, mixes[3]);
      if (local.scale_y != 0) add(local.scale_y, target.scale_y + constraint.scale_y, mixes[4]);
    }
    add(local.x, target.x + constraint.x, mixes[1]);
    add(local.y, target.y + constraint.y, mixes[2]);
  }

  static void copy_world(const Constraint& constraint, const Values& mixes, const Matrix target, Matrix& world) {
    const bool is_relative = constraint.is_relative;
    const double side = determinant(target) < 0 ? -1 : 1;
    if (mixes[0] != 0) {
      const double rotation = angle(x_axis(target)) + constraint.rotation * side;
      turn(world, to_half_turn(rotation - (is_relative ? 0 : angle(x_axis(world)))) * mixes[0]);
    }
    const Point place = target * Point{constraint.x, constraint.y};
    world.tx += (place.x - (is_relative ? 0 : world.tx)) * mixes[1];
    world.ty += (place.y - (is_relative ? 0 : world.ty)) * mixes[2];
    const auto scale_of = [&](Point axis, Point wanted_axis, double offset, double mix) {
      const double own = is_relative ? 1 : length(axis);
      return own > 0 ? 1 + (length(wanted_axis) - own + offset) * mix / own : 1;
    };
    const double x_scale = scale_of(x_axis(world), x_axis(target), constraint.scale_x, mixes[3]);
    const double y_scale = scale_of(y_axis(world), y_axis(target), constraint.scale_y, mixes[4]);
    Point y = y_axis(world) * y_scale;
    if (mixes[5] != 0) {
      const double own = is_relative ? kPi / 2 : angle(y_axis(world)) - angle(x_axis(world));
      const double wanted = angle(y_axis(target)) - angle(x_axis(target));
      y = direction(angle(y) + (to_half_turn(wanted - own) + constraint.shear_y * side) * mixes[5]) * length(y);
    }
    world = matrix_of(x_axis(world) * x_scale, y, origin(world));
  }

  /// Returns the curves of a path in world space.
  std::vector<Piece> pieces_of(const Attachment& path, std::uint32_t slot) {
    std::vector<Point> offsets;
    for (const Timeline& timeline : animation_ == nullptr ? std::span<const Timeline>() : animation_->timelines) {
      const bool is_shown = static_cast<std::int32_t>(timeline.attachment) == pose_.attachment[slot];
      if (timeline.kind != TimelineKind::deform || timeline.target != slot || !is_shown) continue;
      const Moment moment = moment_of(timeline, play_time(timeline, *animation_, seconds_), kTimePrecision);
      for (std::size_t i = 0; i + 1 < timeline.channels; i += 2) offsets.push_back({moment[i], moment[i + 1]});
    }
    const std::size_t moved = path.influences.empty() ? path.positions.size() : path.influences.size();
    offsets.resize(moved);
    std::vector<Point> points(path.positions.size());
    std::uint32_t last_bone = armature_.slots[slot].bone;
    for (const Influence& influence : path.influences) last_bone = std::max(last_bone, influence.bone);
    place_to(last_bone + 1);
    if (path.influences.empty()) {
      const Matrix& world = pose_.world[armature_.slots[slot].bone];
      for (std::size_t i = 0; i < points.size(); ++i) points[i] = world * (path.positions[i] + offsets[i]);
    }
    for (std::size_t i = 0; i < path.influences.size(); ++i) {
      const Influence& influence = path.influences[i];
      Point& point = points[influence.vertex];
      point = point + pose_.world[influence.bone] * (influence.position + offsets[i]) * influence.weight;
    }
    std::vector<Piece> pieces(points.size() / 3 - (path.is_closed ? 0 : 1));
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      for (std::size_t k = 0; k < 4; ++k) pieces[i].p[k] = points[(3 * i + k + 1) % points.size()];
    }
    return pieces;
  }

  /// A point of a path and the direction there.
  struct Place {
    Point at;
    double tangent = 0;
  };

  static Place place_at(const Attachment& path, std::span<const Piece> pieces, std::span<const double> ends,
                        bool measures, double position) {
    const double total = ends.back();
    if (path.is_closed) position -= std::floor(position / total) * total;
    if (position < 0 || position > total) {
      const Piece& piece = position < 0 ? pieces.front() : pieces.back();
      const double tangent = piece.tangent(position < 0 ? 0 : 1);
      const Point from = position < 0 ? piece.p[0] : piece.p[3];
      return {from + direction(tangent) * (position < 0 ? position : position - total), tangent};
    }
    const auto end = std::min(std::ranges::lower_bound(ends, position), ends.end() - 1);
    const auto index = static_cast<std::size_t>(end - ends.begin());
    const double before = index == 0 ? 0 : ends[index - 1];
    const Piece& piece = pieces[index];
    const double part = measures               ? part_at(piece, position - before)
                        : ends[index] > before ? (position - before) / (ends[index] - before)
                                               : 0;
    return {piece.at(part), piece.tangent(part)};
  }

  void apply_path(const Constraint& constraint, const Values& values) {
    const double start = values[0], spacing = values[1], rotation_mix = values[2], x_mix = values[3], y_mix = values[4];
    const Slot& slot = armature_.slots[constraint.target];
    const std::int32_t shown = pose_.attachment[constraint.target];
    if (shown < 0 || static_cast<std::size_t>(shown) >= slot.attachments.size()) return;
    const Attachment& path = slot.attachments[static_cast<std::size_t>(shown)];
    if (path.kind != AttachmentKind::path || (rotation_mix == 0 && x_mix == 0 && y_mix == 0)) return;
    const std::vector<Piece> pieces = pieces_of(path, constraint.target);
    place_for(constraint, slot.bone);
    const bool measures = path.has_constant_speed || path.lengths.size() < pieces.size();
    std::vector<double> ends(path.lengths.begin(), path.lengths.end());
    ends.resize(pieces.size());
    for (std::size_t i = 0; measures && i < pieces.size(); ++i) {
      ends[i] = i == 0 ? 0 : ends[i - 1];
      for (double k = 0; k < kLengthSteps; ++k)
        ends[i] += pieces[i].length_of(k / kLengthSteps, (k + 1) / kLengthSteps);
    }
    const double total = ends.back();
    if (!(total > 0)) return;

    const std::size_t count = constraint.bones.size();
    const bool is_tangent = constraint.path_rotation == PathRotation::tangent;
    std::vector<double> lengths, spaces;
    double sum = 0;
    for (const std::uint32_t bone : constraint.bones) {
      const double setup = armature_.bones[bone].length, scale = length(x_axis(pose_.world[bone]));
      lengths.push_back(setup * scale);
      const bool is_short = setup < 1e-5;
      const bool adds_length = constraint.spacing_unit == PathUnit::bone_length;
      spaces.push_back(is_short ? spacing : (adds_length ? std::max(setup + spacing, 0.0) : spacing) * scale);
      if (constraint.spacing_unit == PathUnit::percent) spaces.back() = spacing * total;
      if (spaces.size() < count || !is_tangent) sum += lengths.back();
    }
    if (constraint.spacing_unit == PathUnit::proportional) {
      for (std::size_t i = 0; i < count; ++i) spaces[i] = sum > 0 ? lengths[i] / sum * spacing * total : 0;
    }
    std::vector<Place> places;
    double position = constraint.position_unit == PathUnit::percent ? start * total : start;
    for (std::size_t i = 0; i < count + (is_tangent ? 0 : 1); ++i) {
      places.push_back(place_at(path, pieces, ends, measures, position));
      if (i < count) position += spaces[i];
    }

    const bool is_chain = constraint.path_rotation == PathRotation::chain && constraint.rotation == 0;
    const double offset = constraint.rotation * (determinant(pose_.world[slot.bone]) < 0 ? -1 : 1);
    Point from = places[0].at;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t bone = constraint.bones[i];
      Matrix& world = pose_.world[bone];
      world.tx += (from.x - world.tx) * x_mix;
      world.ty += (from.y - world.ty) * y_mix;
      const Place& next = places[std::min(i + 1, places.size() - 1)];
      const Point step = next.at - from;
      if (constraint.path_rotation == PathRotation::chain_scale && lengths[i] > 1e-5) {
        const double scale = 1 + (length(step) / lengths[i] - 1) * rotation_mix;
        world.a *= scale;
        world.b *= scale;
      }
      from = next.at;
      if (rotation_mix > 0) {
        double rotation = is_tangent ? places[i].tangent : spaces[i] < 1e-5 ? next.tangent : angle(step);
        rotation -= angle(x_axis(world));
        if (is_chain) {
          // The next bone begins at the tip of this one.
          const Point tip = rotation_of(rotation) * x_axis(world) * armature_.bones[bone].length;
          from = from + (tip - step) * rotation_mix;
        } else {
          rotation += offset;
        }
        turn(world, to_half_turn(rotation) * rotation_mix);
      }
      keep_world(bone);
    }
    release_descendants(constraint.bones);
  }

  /// Moves a bone by springs between its rest and where it is, which it stays behind.
  void apply_physics(const Constraint& physics, const Values& values, Pose::Sway& sway) {
    const auto [inertia, strength, damping, mass, wind, gravity, mix] = values;
    const std::uint32_t bone = physics.bones[0];
    place_to(bone + 1);
    Matrix& world = pose_.world[bone];
    const Point along = direction(angle(x_axis(world))), across{-along.y, along.x};
    const double reach = std::max(armature_.bones[bone].length * length(x_axis(world)), 1.0);
    const Point at = origin(world), tip = at + along * reach;
    if (sway.is_started && step_seconds_ > 0) {
      const auto dot = [](Point left, Point right) { return left.x * right.x + left.y * right.y; };
      const Point tip_moved = (tip - sway.tip) * inertia;
      sway.offset = sway.offset - (at - sway.origin) * inertia;
      sway.turn -= dot(across, tip_moved) / reach;
      sway.stretch -= dot(along, tip_moved) / reach;
      const double weight = std::max(mass, 1e-3), stiffness = std::max(strength, 0.0) / weight;
      const double drag = -60 * std::log(std::clamp(damping, 1e-4, 1.0));
      const Point force = Point{wind, -gravity} * (100 / weight);
      swing(sway.offset.x, sway.speed.x, stiffness, drag, force.x);
      swing(sway.offset.y, sway.speed.y, stiffness, drag, force.y);
      swing(sway.turn, sway.turn_speed, stiffness, drag, dot(across, force) / reach);
      swing(sway.stretch, sway.stretch_speed, stiffness, drag, dot(along, force) / reach);
    }
    sway.is_started = true;
    sway.origin = at;
    sway.tip = tip;
    world.tx += sway.offset.x * physics.x * mix;
    world.ty += sway.offset.y * physics.y * mix;
    turn(world, sway.turn * physics.rotation * mix);
    const double scale = std::max(1 + sway.stretch * physics.scale_x * mix, 0.1);
    const Point x = rotation_of(sway.turn * physics.shear_y * mix) * (x_axis(world) * scale);
    world = matrix_of(x, y_axis(world), origin(world));
    keep_world(bone);
    release_descendants(physics.bones);
  }

  /// Moves a damped spring by one step: value'' = force - stiffness * value - drag * value'. Exact, so that no values
  /// make it unstable.
  void swing(double& value, double& speed, double stiffness, double drag, double force) const noexcept {
    const double time = step_seconds_;
    if (stiffness < 1e-6) {
      speed = (speed + force * time) * std::exp(-drag * time);
      value += speed * time;
    } else {
      const double rest = force / stiffness, away = value - rest, half = drag / 2;
      const double square = stiffness - half * half;
      if (square > 1e-6) {
        const double rate = std::sqrt(square), fading = std::exp(-half * time);
        const double cosine = std::cos(rate * time), sine = std::sin(rate * time) / rate;
        value = rest + fading * (away * cosine + (speed + half * away) * sine);
        speed = fading * (speed * cosine - (half * speed + stiffness * away) * sine);
      } else {
        const double root = std::sqrt(std::max(-square, 1e-6)), slow = root - half, fast = -root - half;
        const double share = (speed - fast * away) / (slow - fast), other = away - share;
        value = rest + share * std::exp(slow * time) + other * std::exp(fast * time);
        speed = share * slow * std::exp(slow * time) + other * fast * std::exp(fast * time);
      }
    }
    value = std::clamp(value, -1e6, 1e6);
    speed = std::clamp(speed, -1e6, 1e6);
  }

  const Armature& armature_;
  const Animation* const animation_;
  double seconds_;
  double step_seconds_ = 0;  // since the pose before, for physics
  const Matrix outer_;
  Pose& pose_;
  std::uint32_t unplaced_ = 0;  // bones before this one are placed
};

/// Returns the cost of a constraint, and of placing the descendants of its bones again. `moves` has an element per
/// bone.
double cost_of(const Armature& armature, const Constraint& constraint, std::vector<std::uint8_t>& moves) {
  moves.assign(armature.bones.size(), 0);
  const std::uint32_t first = *std::ranges::min_element(constraint.bones);
  for (const std::uint32_t bone : constraint.bones) moves[bone] = 1;
  double cost = static_cast<double>(armature.bones.size() - first) / kPassedPerCost;
  for (std::uint32_t bone = first + 1; bone < armature.bones.size(); ++bone) {
    const std::uint32_t parent = armature.bones[bone].parent;
    if (parent == kNone || moves[parent] == 0 || moves[bone] != 0) continue;
    moves[bone] = 1;
    ++cost;
  }
  static constexpr double kCosts[] = {kIkCost, kTransformCost, kPathCost, kPhysicsCost};
  cost += kCosts[static_cast<std::size_t>(constraint.kind)] * static_cast<double>(constraint.bones.size());
  if (constraint.kind != ConstraintKind::path) return cost;
  const std::vector<Attachment>& attachments = armature.slots[constraint.target].attachments;
  cost += static_cast<double>(attachments.size()) / kPassedPerCost;
  double shape = 0;
  for (const Attachment& path : attachments) {
    if (path.kind != AttachmentKind::path) continue;
    const auto points = static_cast<double>(path.positions.size()), moved = static_cast<double>(path.influences.size());
    shape = std::max(shape, points / 3 * kCurveCost + points + moved);
  }
  return cost + shape;
}

}  // namespace

double pose_cost(const Armature& armature, double max) {
  double cost = static_cast<double>(armature.bones.size() + armature.slots.size()) +
                kIkCost / 2 * static_cast<double>(armature.iks.size());
  std::vector<std::uint8_t> moves;
  for (const Constraint& constraint : armature.constraints) {
    if (cost > max) break;
    cost += cost_of(armature, constraint, moves);
  }
  return cost;
}

double pose_cost(const Armature& armature, const Animation& animation) {
  double cost = 0;
  for (const Timeline& timeline : animation.timelines) {
    cost += 2 + (timeline.kind == TimelineKind::deform ? 0 : timeline.channels);
  }
  const auto paths = std::ranges::count(armature.constraints, ConstraintKind::path, &Constraint::kind);
  return cost + static_cast<double>(paths) * static_cast<double>(animation.timelines.size()) / kPassedPerCost;
}

double physics_steps(const Armature& armature, double seconds) {
  constexpr double kStepsPerSecond = 60, kMaxSteps = 64;
  return has_physics(armature) ? std::min(std::ceil(seconds * kStepsPerSecond - 1e-6), kMaxSteps) : 1;
}

void compose(const Armature& armature, const Animation* animation, double seconds, const Matrix* outer, Pose& pose) {
  Composer(armature, animation, seconds, outer, pose).run();
}

}  // namespace pchr::rig
