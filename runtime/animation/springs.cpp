// SPDX-License-Identifier: MIT
// Springs: each joint is a mass at the tip of its bone, held at the bone's length and pulled to where the animation
// puts it. The masses live in world axes with the origin at the instance's placement, so they keep their precision far
// from the origin of the world. The code for several instances side by side is the code for one: all arithmetic is the
// same for a float and for a vector of floats, and gives the same bits.
#include "animation/rig_parts.hpp"
#include "character/sine_cosine.hpp"
#include "compiler/vectors.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace pchr {
namespace {

constexpr std::size_t kMaxSteps = 32;
constexpr double kTurn = 360;

// Values of each joint in RigState::springs.
enum : std::size_t { kTip = 0, kVelocity = 2, kGoal = 4, kTurnBefore = 6, kTurnNow = 8, kStateValues = 10 };
// Values in RigState::anchors: first of each instance, then of each chain, then of each joint.
enum : std::size_t { kMoved = 0, kLag = 2, kInstanceValues = 4, kParentValues = 6 };
enum : std::size_t { kOrigin = 0, kLocal = 2, kArm = 6, kAnchorValues = 8 };
// Values of each joint as sampled, which make_anchors() replaces.
enum : std::size_t { kRotation = 2, kScale = 3, kSampledTip = 5 };

constexpr std::size_t kFour = 4;

template <typename F>
F magnitude(F value) noexcept {
  return select(value < 0.0F, -value, value);
}
/// Rounds to a whole number. The magnitude must be below 2^22.
template <typename F>
F rounded(F value) noexcept {
  constexpr float kRound = 0x1.8p23F;
  return value + kRound - kRound;
}

template <typename F>
struct Point {
  F x, y;
};
template <typename F>
Point<F> load_point(const float* from, std::size_t stride) noexcept {
  return {load_as<F>(from), load_as<F>(from + stride)};
}
template <typename F>
void store_point(const Point<F>& point, float* to, std::size_t stride) noexcept {
  store_as(point.x, to), store_as(point.y, to + stride);
}

/// Two columns of a transform.
template <typename F>
struct Columns {
  F a, b, c, d;
  Point<F> operator*(const Point<F>& v) const noexcept { return {a * v.x + c * v.y, b * v.x + d * v.y}; }
  Columns operator*(const Columns& o) const noexcept {
    return {a * o.a + c * o.b, b * o.a + d * o.b, a * o.c + c * o.d, b * o.c + d * o.d};
  }
};

/// Sine and cosine like sine_cosine_degrees(), for angles up to kMaxDegrees.
template <typename F>
void sine_cosine_lanes(F degrees, F& sine_out, F& cosine_out) noexcept {
  const F quarter = rounded<F>(degrees * (1.0F / 90.0F));
  const F radians = (degrees - quarter * 90.0F) * 0.017453292519943295F;
  const F square = radians * radians;
  const F sine = radians + radians * square *
                               (-1.0F / 6.0F +
                                square * (1.0F / 120.0F + square * (-1.0F / 5040.0F + square * (1.0F / 362880.0F))));
  const F cosine =
      1.0F - square * (0.5F - square * (1.0F / 24.0F - square * (1.0F / 720.0F - square * (1.0F / 40320.0F))));
  const F part = quarter - 4.0F * rounded<F>(quarter * 0.25F);  // -2 to 2
  const auto is_odd = magnitude(part) == 1.0F, is_opposite = magnitude(part) == 2.0F;
  const F s = select(is_odd, cosine, sine);
  const F c = select(is_odd, sine, cosine);
  sine_out = select(part == -1.0F, -s, select(is_opposite, -s, s));
  cosine_out = select(part == 1.0F, -c, select(is_opposite, -c, c));
}

/// Angle of a direction in degrees, about as precise as a float. NaN for (0, 0).
template <typename F>
F angle_lanes(const Point<F>& direction) noexcept {
  const F across = magnitude(direction.x), up = magnitude(direction.y);
  const F larger = select(across > up, across, up);
  const F smaller = select(across > up, up, across);
  const F near_diagonal = select(smaller > 0.41421356F * larger, all_lanes<F>(45.0F), all_lanes<F>(0.0F));
  const F tangent = select(near_diagonal > 0.0F, (smaller - larger) / (smaller + larger), smaller / larger);
  const F square = tangent * tangent;
  F series = all_lanes<F>(1.0F / 13.0F);
  for (float odd = 11; odd > 0; odd -= 2) series = 1.0F / odd - square * series;
  F degrees = near_diagonal + 57.295779513F * (tangent * series);
  degrees = select(up > across, 90.0F - degrees, degrees);
  degrees = select(direction.x < 0.0F, 180.0F - degrees, degrees);
  return select(direction.y < 0.0F, -degrees, degrees);
}

/// One step of all springs.
struct SpringStep {
  float place;      ///< Between the poses of the last call and of this one, 0..1.
  float travelled;  ///< Share of this call's movement since the step before.
  float lag;        ///< Share of the earlier movement: 1 in the first step.
  Vec2 wind;
};

struct SpringParameters {
  float seconds, pull, hold, drag, slow;  ///< `slow` divides the velocity.
  float limit_cosine, limit_sine;
  Vec2 gravity;
};

SpringParameters parameters_of(const SpringChain& chain, float step_seconds) noexcept {
  SpringParameters p{};
  p.seconds = step_seconds;
  const float turn_rate = 6.2831853F * within(chain.frequency, 0.01F, 1 / (6 * step_seconds));
  p.pull = turn_rate * turn_rate;
  p.hold = 2 * within(chain.damping, 0, 100) * turn_rate;
  p.drag = within(chain.drag, 0, 1e4F);
  p.slow = 1 / (1 + step_seconds * (p.hold + p.drag));
  const SineCosine limit = sine_cosine_degrees(within(chain.limit_degrees, 0, 180));
  p.limit_cosine = limit.cosine, p.limit_sine = limit.sine;
  p.gravity = {within(chain.gravity.x, -1e6F, 1e6F), within(chain.gravity.y, -1e6F, 1e6F)};
  return p;
}

/// The values of a chain for all instances. Values of one kind lie side by side.
struct ChainArrays {
  std::size_t instances, joints;
  float* moved;          ///< Values of the instances.
  float* parent_before;  ///< Transform of the parent in the last call.
  float* parent;         ///< The same in this call.
  float* anchors_before;
  float* anchors;
  float* springs;
};

template <typename F>
void advance_lanes(const ChainArrays& arrays, const SpringParameters& p, std::span<const SpringStep> steps,
                   std::size_t lane) noexcept {
  const std::size_t stride = arrays.instances;
  for (const SpringStep& step : steps) {
    const auto between = [&](const float* before, const float* now, std::size_t value) {
      const F from = load_as<F>(before + value * stride + lane);
      return from + (load_as<F>(now + value * stride + lane) - from) * step.place;
    };
    const Point<F> travelled = load_point<F>(arrays.moved + kMoved * stride + lane, stride);
    const Point<F> lag = load_point<F>(arrays.moved + kLag * stride + lane, stride);
    const Point<F> shift{travelled.x * step.travelled + lag.x * step.lag,
                         travelled.y * step.travelled + lag.y * step.lag};
    const Vec2 force = p.gravity + p.drag * step.wind;
    const auto of_parent = [&](std::size_t value) { return between(arrays.parent_before, arrays.parent, value); };
    Columns<F> outer{of_parent(0), of_parent(1), of_parent(2), of_parent(3)};
    Point<F> origin{of_parent(4), of_parent(5)};
    for (std::size_t joint = 0; joint < arrays.joints; ++joint) {
      const std::size_t first = joint * kAnchorValues;
      const auto anchor = [&](std::size_t value) {
        return between(arrays.anchors_before, arrays.anchors, first + value);
      };
      const Point<F> offset = outer * Point<F>{anchor(kOrigin), anchor(kOrigin + 1)};
      const Columns<F> local{anchor(kLocal), anchor(kLocal + 1), anchor(kLocal + 2), anchor(kLocal + 3)};
      const Point<F> arm{anchor(kArm), anchor(kArm + 1)};
      float* const state = arrays.springs + joint * kStateValues * stride + lane;
      const Point<F> tip = load_point<F>(state + kTip * stride, stride);
      const Point<F> velocity = load_point<F>(state + kVelocity * stride, stride);
      const Point<F> goal_before = load_point<F>(state + kGoal * stride, stride);

      origin = {origin.x + offset.x, origin.y + offset.y};
      const Point<F> reach = outer * arm;
      const Point<F> goal{origin.x + reach.x, origin.y + reach.y};
      const auto pushed = [&](F at, F speed, F to, F to_before, F moved, float push) {
        const F was = at - moved;
        const F goal_speed = (to - to_before + moved) / p.seconds;
        const F faster = speed + p.seconds * (p.pull * (to - was) + push + p.hold * goal_speed);
        return was + p.seconds * (faster * p.slow);
      };
      Point<F> to{pushed(tip.x, velocity.x, goal.x, goal_before.x, shift.x, force.x),
                  pushed(tip.y, velocity.y, goal.y, goal_before.y, shift.y, force.y)};
      // Without a usable state, starts at rest. False for NaN, which is how a state is reset.
      const F extent = magnitude(tip.x) + magnitude(tip.y) + magnitude(velocity.x) + magnitude(velocity.y) +
                       magnitude(goal_before.x) + magnitude(goal_before.y);
      constexpr float kFar = 1e9F;
      to.x = select(extent < kFar, to.x, goal.x + force.x / p.pull);
      to.y = select(extent < kFar, to.y, goal.y + force.y / p.pull);

      // The rotation from the animated direction to the new one, in the parent's space.
      const Point<F> away{to.x - origin.x, to.y - origin.y};
      const F area = outer.a * outer.d - outer.b * outer.c;
      const F sign = select(area < 0.0F, all_lanes<F>(-1.0F), all_lanes<F>(1.0F));
      const Point<F> inward{sign * (outer.d * away.x - outer.c * away.y), sign * (outer.a * away.y - outer.b * away.x)};
      const Point<F> turn{arm.x * inward.x + arm.y * inward.y, arm.x * inward.y - arm.y * inward.x};
      const F length = square_root(turn.x * turn.x + turn.y * turn.y);
      const F cosine = turn.x / length, sine = turn.y / length;
      const F usable = select(length < std::numeric_limits<float>::max(), length, all_lanes<F>(0.0F));
      const F limit_sine = select(sine < 0.0F, all_lanes<F>(-p.limit_sine), all_lanes<F>(p.limit_sine));
      Point<F> turned{select(cosine < p.limit_cosine, all_lanes<F>(p.limit_cosine), cosine),
                      select(cosine < p.limit_cosine, limit_sine, sine)};
      turned = {select(usable > 0.0F, turned.x, all_lanes<F>(1.0F)),
                select(usable > 0.0F, turned.y, all_lanes<F>(0.0F))};

      const Columns<F> rotation{turned.x, turned.y, -turned.y, turned.x};
      const Point<F> held = outer * (rotation * arm);
      const Point<F> new_tip{origin.x + held.x, origin.y + held.y};
      const Point<F> new_velocity{(new_tip.x - tip.x + shift.x) / p.seconds, (new_tip.y - tip.y + shift.y) / p.seconds};
      outer = outer * (rotation * local);
      store_point(new_tip, state + kTip * stride, stride);
      store_point<F>({select(extent < kFar, new_velocity.x, all_lanes<F>(0.0F)),
                      select(extent < kFar, new_velocity.y, all_lanes<F>(0.0F))},
                     state + kVelocity * stride, stride);
      store_point(goal, state + kGoal * stride, stride);
      store_point(load_point<F>(state + kTurnNow * stride, stride), state + kTurnBefore * stride, stride);
      store_point(turned, state + kTurnNow * stride, stride);
    }
  }
}

/// Turns the sampled values of all joints into local transforms and arms: the offsets of their tips.
template <typename F>
void make_anchors(const ChainArrays& arrays, std::size_t lane) noexcept {
  const std::size_t stride = arrays.instances;
  for (std::size_t joint = 0; joint < arrays.joints; ++joint) {
    float* const values = arrays.anchors + joint * kAnchorValues * stride + lane;
    F sine, cosine;
    sine_cosine_lanes(load_as<F>(values + kRotation * stride), sine, cosine);
    const Point<F> scale = load_point<F>(values + kScale * stride, stride);
    const Point<F> tip = load_point<F>(values + kSampledTip * stride, stride);
    const Columns<F> local{cosine * scale.x, sine * scale.x, -sine * scale.y, cosine * scale.y};
    store_point<F>({local.a, local.b}, values + kLocal * stride, stride);
    store_point<F>({local.c, local.d}, values + (kLocal + 2) * stride, stride);
    store_point(local * tip, values + kArm * stride, stride);
  }
}

/// Replaces the rotation values of all joints with the rotation that the springs add, `part` of the way from the step
/// before the last to the last.
template <typename F>
void make_turns(const ChainArrays& arrays, float part, float weight, std::size_t lane, float* out) noexcept {
  const std::size_t stride = arrays.instances;
  for (std::size_t joint = 0; joint < arrays.joints; ++joint) {
    const float* const state = arrays.springs + joint * kStateValues * stride + lane;
    const Point<F> before = load_point<F>(state + kTurnBefore * stride, stride);
    const Point<F> now = load_point<F>(state + kTurnNow * stride, stride);
    const F degrees =
        weight * angle_lanes<F>({before.x + (now.x - before.x) * part, before.y + (now.y - before.y) * part});
    store_as(select(magnitude(degrees) <= 180.0F, degrees, all_lanes<F>(0.0F)), out + joint * stride + lane);
  }
}

/// Calls `visit.template operator()<F>(lane)` for all instances, several at once where possible.
template <typename Visit>
void for_lanes(std::size_t count, const Visit& visit) noexcept {
  std::size_t lane = 0;
  for (; lane + kFour <= count; lane += kFour) visit.template operator()<Float4>(lane);
  for (; lane < count; ++lane) visit.template operator()<float>(lane);
}

Vec2 tip_of(const SpringChain& chain, std::size_t joint, const Pose& pose) noexcept {
  if (joint + 1 < chain.bones.size()) {
    const std::size_t next = index(chain.bones[joint + 1]);
    return {pose.x[next], pose.y[next]};
  }
  if (chain.tip != Vec2{0.0F}) return chain.tip;
  if (joint == 0) return {0, 100};
  const std::size_t last = index(chain.bones[joint]);
  return {0, std::sqrt(pose.x[last] * pose.x[last] + pose.y[last] * pose.y[last])};
}

/// Returns the linear part of a placement times a transform.
Affine relative_to_placement(const Affine& placement, const Affine& transform) noexcept {
  return concatenate({placement[0].x, placement[0].y, placement[1].x, placement[1].y, 0, 0}, transform);
}

float area_of(const Affine& transform) noexcept {
  return transform[0].x * transform[1].y - transform[0].y * transform[1].x;
}

/// Moves the masses of an instance along with its placement, without swinging.
void carry(const Affine& by, const ChainArrays& arrays, std::size_t lane) noexcept {
  const std::size_t stride = arrays.instances;
  const auto move = [&](float* x) {
    const Vec2 moved = apply(by, {x[0], x[stride]});
    x[0] = moved.x, x[stride] = moved.y;
  };
  for (std::size_t column = 0; column < 3; ++column) move(arrays.parent_before + 2 * column * stride + lane);
  for (std::size_t joint = 0; joint < arrays.joints; ++joint) {
    float* const state = arrays.springs + joint * kStateValues * stride + lane;
    for (const std::size_t value : {kTip, kVelocity, kGoal}) move(state + value * stride);
  }
}

/// How an instance's placement changed.
struct Movement {
  bool reset = false;
  bool carried = false;  ///< Mirrored or teleported.
  Affine carry = kIdentity;
  Vec2 moved{0.0F}, lag{0.0F};
};

Movement movement_of(const RigInstance& instance) noexcept {
  Movement movement;
  movement.lag = instance.lag;
  const Affine& from = instance.last_placement;
  const Affine& to = instance.placement;
  movement.moved = to[2] - from[2];
  const bool mirrored = (area_of(from) < 0) != (area_of(to) < 0);
  const bool finite = magnitude(movement.moved.x) + magnitude(movement.moved.y) < std::numeric_limits<float>::max();
  movement.reset = instance.reset || !finite;
  movement.carried = mirrored || instance.teleport;
  if (movement.carried) {
    const auto back = inverse({from[0].x, from[0].y, from[1].x, from[1].y, 0, 0});
    movement.reset |= !back;
    if (back) movement.carry = relative_to_placement(to, *back);
    movement.lag = apply(movement.carry, movement.lag);
  }
  if (instance.teleport || movement.reset) movement.moved = Vec2{0.0F};
  if (movement.reset) movement.lag = Vec2{0.0F};
  return movement;
}

/// The steps due, and how far the last one is in the past.
struct SpringSchedule {
  std::array<SpringStep, kMaxSteps> storage{};
  std::size_t count = 0;
  float part = 0;  ///< Time since the last step, in steps.
  float left = 1;  ///< Share of this call's movement after the last step.

  [[nodiscard]] std::span<const SpringStep> steps() const noexcept { return std::span(storage).first(count); }
};

Vec2 wind_at(const Rig& rig, Vec2 added, double seconds) noexcept {
  const auto wave = [&](double hertz) {
    return sine_cosine_degrees(static_cast<float>(std::fmod(seconds * (hertz * kTurn), kTurn))).sine;
  };
  const float gust = within(rig.gusts, 0, 1) * (0.6F * wave(0.31) + 0.4F * wave(0.83));
  const auto blow = [&](float speed) { return within(speed * (1 + gust), -1e6F, 1e6F); };
  return {blow(rig.wind.x + added.x), blow(rig.wind.y + added.y)};
}

SpringSchedule schedule(const Rig& rig, double step, double seconds, RigState& state) noexcept {
  SpringSchedule result;
  const double time = std::min(seconds, step * static_cast<double>(kMaxSteps - 1));
  const double start = state.since_step, end = start + time;
  // Frame times that are multiples of the step should give the same number of steps in spite of rounding.
  constexpr double kTolerance = 1e-6;
  result.count = std::min(static_cast<std::size_t>(std::max(end / step + kTolerance, 0.0)), kMaxSteps);
  double last = 0;
  for (std::size_t i = 0; i < result.count; ++i) {
    const double at = static_cast<double>(i + 1) * step - start;
    const double place = time > 0 ? std::clamp(at / time, 0.0, 1.0) : 1.0;
    ++state.steps;
    result.storage[i] = {static_cast<float>(place), static_cast<float>(place - last), i == 0 ? 1.0F : 0.0F,
                         wind_at(rig, state.wind, static_cast<double>(state.steps) * step)};
    last = place;
  }
  result.left = static_cast<float>(1 - last);
  state.since_step = end - static_cast<double>(result.count) * step;
  result.part = static_cast<float>(std::clamp(state.since_step / step, 0.0, 1.0));
  return result;
}

}  // namespace

const char* find_flaw(const SpringChain& chain, std::span<const Bone> bones) noexcept {
  if (chain.bones.empty()) return "has no bones";
  for (std::size_t i = 0; i < chain.bones.size(); ++i) {
    if (index(chain.bones[i]) >= bones.size()) return "names a bone that does not exist";
    if (i > 0 && bones[index(chain.bones[i])].parent != chain.bones[i - 1]) {
      return "has a bone that is not a child of the one before";
    }
  }
  return nullptr;
}

void prepare_springs(const Rig& rig, RigState& state) {
  const std::size_t count = state.instances.size(), chains = rig.springs.size();
  bool fits = state.layout.size() == 1 + chains && state.layout[0] == count;
  for (std::size_t i = 0; fits && i < chains; ++i) fits = state.layout[1 + i] == rig.springs[i].bones.size();
  if (fits) return;
  state.layout.assign(1, count);
  std::size_t joints = 0;
  for (const SpringChain& chain : rig.springs) {
    state.layout.push_back(chain.bones.size());
    joints += chain.bones.size();
  }
  state.springs.assign(count * joints * kStateValues, std::numeric_limits<float>::quiet_NaN());
  state.anchors.assign(count * (kInstanceValues + chains * kParentValues + joints * kAnchorValues), 0);
  state.anchors_now = state.anchors;
}

void apply_springs(const Rig& rig, std::span<const Bone> bones, double seconds, RigState& state,
                   const RigPoses& poses) {
  const std::size_t count = poses.size();
  if (rig.springs.empty() || count == 0) return;
  const double step_seconds = spring_step(rig);
  const SpringSchedule due = schedule(rig, step_seconds, seconds, state);
  float* const instance_values = state.anchors_now.data();
  for (std::size_t i = 0; i < count; ++i) {
    const Movement movement = movement_of(state.instances[i]);
    float* const values = instance_values + i;
    values[kMoved * count] = movement.moved.x, values[(kMoved + 1) * count] = movement.moved.y;
    values[kLag * count] = movement.lag.x, values[(kLag + 1) * count] = movement.lag.y;
  }

  std::size_t parent_at = kInstanceValues * count, anchor_at = parent_at + rig.springs.size() * kParentValues * count;
  std::size_t spring_at = 0;
  for (const SpringChain& chain : rig.springs) {
    const std::size_t joints = chain.bones.size();
    const ChainArrays arrays{count,
                             joints,
                             instance_values,
                             state.anchors.data() + parent_at,
                             state.anchors_now.data() + parent_at,
                             state.anchors.data() + anchor_at,
                             state.anchors_now.data() + anchor_at,
                             state.springs.data() + spring_at};
    parent_at += kParentValues * count;
    anchor_at += joints * kAnchorValues * count;
    spring_at += joints * kStateValues * count;
    if (find_flaw(chain, bones) != nullptr) continue;
    const SpringParameters parameters = parameters_of(chain, static_cast<float>(step_seconds));

    for (std::size_t i = 0; i < count; ++i) {
      const Pose& pose = poses[i];
      const Affine parent =
          relative_to_placement(state.instances[i].placement, parent_world(bones, pose, chain.bones[0]));
      for (std::size_t value = 0; value < kParentValues; ++value) {
        arrays.parent[value * count + i] = parent[static_cast<int>(value / 2)][static_cast<int>(value % 2)];
      }
      for (std::size_t joint = 0; joint < joints; ++joint) {
        const std::size_t bone = index(chain.bones[joint]);
        const Vec2 tip = tip_of(chain, joint, pose);
        float* const values = arrays.anchors + joint * kAnchorValues * count + i;
        values[kOrigin * count] = pose.x[bone], values[(kOrigin + 1) * count] = pose.y[bone];
        values[kRotation * count] = reduced_degrees(pose.rotation_degrees[bone]);
        values[kScale * count] = pose.scale_x[bone], values[(kScale + 1) * count] = pose.scale_y[bone];
        values[kSampledTip * count] = tip.x, values[(kSampledTip + 1) * count] = tip.y;
      }
    }
    for_lanes(count, [&]<typename F>(std::size_t lane) { make_anchors<F>(arrays, lane); });

    for (std::size_t i = 0; i < count; ++i) {
      const Movement movement = movement_of(state.instances[i]);
      if (movement.carried && !movement.reset) carry(movement.carry, arrays, i);
      if (!movement.reset && std::isfinite(arrays.springs[i])) continue;
      // Starts at rest: where the forces are in balance with everything as it is now.
      for (std::size_t joint = 0; joint < joints; ++joint) {
        float* const values = arrays.springs + joint * kStateValues * count + i;
        values[kTip * count] = std::numeric_limits<float>::quiet_NaN();
        for (std::size_t value = 0; value < kAnchorValues; ++value) {
          const std::size_t place = (joint * kAnchorValues + value) * count + i;
          arrays.anchors_before[place] = arrays.anchors[place];
        }
      }
      for (std::size_t value = 0; value < kParentValues; ++value) {
        arrays.parent_before[value * count + i] = arrays.parent[value * count + i];
      }
      const SpringStep rest{1, 0, 0, wind_at(rig, state.wind, static_cast<double>(state.steps) * step_seconds)};
      advance_lanes<float>(arrays, parameters, std::span(&rest, 1), i);
      for (std::size_t joint = 0; joint < joints; ++joint) {
        float* const values = arrays.springs + joint * kStateValues * count + i;
        for (const std::size_t axis : {0, 1}) {
          values[(kTurnBefore + axis) * count] = values[(kTurnNow + axis) * count];
        }
      }
    }
    for_lanes(count, [&]<typename F>(std::size_t lane) { advance_lanes<F>(arrays, parameters, due.steps(), lane); });

    // The anchors of the last call are no longer needed.
    float* const turns = arrays.anchors_before;
    const float weight = within(chain.weight, 0, 1);
    for_lanes(count, [&]<typename F>(std::size_t lane) { make_turns<F>(arrays, due.part, weight, lane, turns); });
    for (std::size_t joint = 0; joint < joints; ++joint) {
      const std::size_t bone = index(chain.bones[joint]);
      for (std::size_t i = 0; i < count; ++i) poses[i].rotation_degrees[bone] += turns[joint * count + i];
    }
  }

  for (std::size_t i = 0; i < count; ++i) {
    const float* const values = instance_values + i;
    const Vec2 moved{values[kMoved * count], values[(kMoved + 1) * count]};
    const Vec2 lag{values[kLag * count], values[(kLag + 1) * count]};
    state.instances[i].lag = moved * due.left + (due.count == 0 ? lag : Vec2{0.0F});
  }
  std::swap(state.anchors, state.anchors_now);
}

}  // namespace pchr
