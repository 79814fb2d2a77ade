// SPDX-License-Identifier: MIT
// Procedural layers on a sampled pose: bones that aim, limbs that reach, feet that stay on the ground, and springs for
// hair, ears, tails and cloth. A Rig holds the parameters and is shared; a RigState holds what changes over time. They
// apply in this order: aims, limbs (with their feet), springs; within each in the order of the list.
//
// Here "world" means the space that placements map to, in pixels. Springs advance in steps of fixed length, whatever
// the frame rate, between which movement is interpolated: the same frame times give the same bits, and other frame
// times nearly the same motion. Rigs do nothing to 3D characters.
//
//   auto rig = std::make_shared<pchr::Rig>();
//   rig->springs.push_back({.name = "tail", .bones = pchr::chain_from(hero, hero.find_bone("tail_1"))});
//   pchr::Animator actor(hero);
//   actor.set_rig(rig);
//   actor.set_rig_placement(placement);  // where the instance is drawn, each frame
//   actor.advance(dt);
//   actor.pose(posed);
#pragma once

#include <pchr/pose.hpp>

namespace PCHR_API pchr {

/// Rotates a bone so that one of its axes points at a target.
struct Aim {
  std::string name{};
  BoneId bone = BoneId::none;
  float axis_degrees = 0;             ///< The axis, counter-clockwise from the bone's +Y.
  BoneId target_bone = BoneId::none;  ///< Points at its origin, unless RigControl::target is set.
  float min_degrees = -180;           ///< Limit, relative to the animated rotation.
  float max_degrees = 180;            ///< Limit, relative to the animated rotation.
  float softness_degrees = 0;         ///< Slows down over this range before a limit instead of stopping at it.
  float weight = 1;                   ///< 0..1.
  bool operator==(const Aim&) const = default;
};

/// The side to which a limb bends.
enum class Bend : std::uint8_t {
  as_animated,        ///< The side that it is bent to in the sampled pose.
  counter_clockwise,  ///< The lower bone is rotated counter-clockwise from a straight limb, in the upper bone's space.
  clockwise           ///< The lower bone is rotated clockwise from a straight limb.
};

/// Rotates two bones so that a limb's end reaches a target.
struct TwoBoneIk {
  std::string name{};
  BoneId upper = BoneId::none;
  BoneId lower = BoneId::none;  ///< A child of `upper`.
  BoneId end = BoneId::none;    ///< A child of `lower` whose origin is the end, such as a hand. Keeps its rotation.
  Vec2 tip{0.0F};               ///< The end in the space of `lower`, if `end` is `none`.
  BoneId target_bone = BoneId::none;  ///< Reaches for its origin, unless RigControl::target is set.
  Bend bend = Bend::as_animated;
  float softness_pixels = 0;  ///< Slows down over this range before the limb is straight. In the space of its parent.
  float max_stretch = 1;      ///< Scales both bones by up to this factor if the target is out of reach. 1 is off.
  float weight = 1;           ///< 0..1.
  bool operator==(const TwoBoneIk&) const = default;
};

/// Keeps the end of a limb in place in the world while a foot is on the ground.
struct FootPlant {
  std::string name{};
  std::uint32_t ik = 0;           ///< The limb, an index into Rig::ik.
  std::string plant = "plant";    ///< Marker at which an Animator plants the foot.
  std::string lift = "lift";      ///< Marker at which it lifts the foot. It does, too, when the play is replaced.
  float fade_in_seconds = 0.05F;  ///< Time until a planted foot stands still.
  float fade_out_seconds = 0.1F;  ///< Time until a lifted foot is where the animation puts it.
  bool operator==(const FootPlant&) const = default;
};

/// Lets bones swing after the movement of the character. Each bone is pulled back to its animated rotation.
struct SpringChain {
  std::string name{};
  std::vector<BoneId> bones{};  ///< From base to tip. Each is a child of the one before. See chain_from().
  Vec2 tip{0.0F};            ///< End of the last bone in its own space. (0, 0): as long as the bone before, along +Y.
  float frequency = 2;       ///< Swings per second: higher is stiffer. At most 1/6 of the steps per second.
  float damping = 0.4F;      ///< 0 swings forever, 1 returns without swinging over.
  float drag = 0;            ///< How much the air holds the bones back and the wind moves them, per second.
  Vec2 gravity{0.0F};        ///< Acceleration in world pixels per second squared, such as (0, -1000).
  float limit_degrees = 90;  ///< Maximum angle of each bone from its animated rotation. 180 is off.
  float weight = 1;          ///< 0..1.
  bool operator==(const SpringChain&) const = default;
};

/// Limits of a rig.
/// @{
constexpr std::size_t kMaxRigAims = 256, kMaxRigLimbs = 256, kMaxRigFeet = 256;
constexpr std::size_t kMaxRigSprings = 1024;  ///< Chains.
/// Bones of all chains times steps per second: about 8,000 bones with the default step, 1,000 with the shortest.
constexpr double kMaxRigSpringSteps = 1'000'000;
/// @}

/// The parameters of all procedural layers of a character. Constraints that name bones that do not exist or do not
/// descend from each other as required have no effect, and a rig that exceeds a limit has none at all; find_rig_error()
/// says why.
struct Rig {
  std::vector<Aim> aims{};
  std::vector<TwoBoneIk> ik{};
  std::vector<FootPlant> feet{};
  std::vector<SpringChain> springs{};
  Vec2 wind{0.0F};                    ///< In world pixels per second. Acts on springs that have drag.
  float gusts = 0;                    ///< How much the wind varies with time, 0..1.
  double step_seconds = 1.0 / 120.0;  ///< Time step of the springs, 0.001 to 0.1.
  bool operator==(const Rig&) const = default;

  /// Returns whether the rig has any constraint.
  [[nodiscard]] bool empty() const noexcept { return aims.empty() && ik.empty() && springs.empty(); }
};

/// Returns the first limit that a rig exceeds, or what is wrong with the first constraint that cannot work on
/// `character`, or nothing.
[[nodiscard]] std::optional<Diagnostic> find_rig_error(const Rig& rig, const Character& character);

/// Returns a bone and its first child, that one's first child, and so on.
[[nodiscard]] std::vector<BoneId> chain_from(const Character& character, BoneId bone);

/// What an instance can change about an aim or a limb at any time.
struct RigControl {
  std::optional<Vec2> target{};  ///< World point to use instead of the target bone. Without either there is no effect.
  float weight = 1;              ///< Multiplies the weight in the rig.
};

/// A foot of one instance.
struct RigFoot {
  bool planted = false;  ///< Whether it should stay where it is. An Animator sets it at markers.

  // Written by apply_rig().
  bool held = false;  ///< Whether `point` is in use.
  float fade = 0;     ///< 0..1.
  Vec2 point{0.0F};   ///< In world space.
};

/// An instance's place, and how it got there.
struct RigInstance {
  Affine placement = kIdentity;  ///< From the character's space to the world. Moving it swings the springs.
  bool teleport = false;  ///< Set together with `placement` if the way there was no movement. Cleared by apply_rig().
  bool reset = true;      ///< Set to put springs and feet at rest. Cleared by apply_rig().

  // Written by apply_rig().
  Affine last_placement = kIdentity;
  Vec2 lag{0.0F};  ///< Movement since the last step of the springs.
};

/// What changes over time: of one instance, or of many that share a rig and are advanced together. apply_rig() sizes
/// the vectors and allocates only if the lists of the rig or the number of instances change, which resets them.
struct RigState {
  std::vector<RigInstance> instances = std::vector<RigInstance>(1);  ///< Resize it for many instances.
  std::vector<RigControl> aims{}, ik{};  ///< For each instance one per constraint: index `instance * count + i`.
  std::vector<RigFoot> feet{};           ///< For each instance one per foot.
  Vec2 wind{0.0F};                       ///< Added to the wind of the rig.

  // Written by apply_rig().
  double since_step = 0;         ///< Seconds since the last step of the springs.
  std::uint64_t steps = 0;       ///< Number of steps so far.
  std::vector<float> springs{};  ///< Each value of each joint, for all instances side by side.
  std::vector<float> anchors{};  ///< Poses of the joints in the last call.
  std::vector<float> anchors_now{};
  std::vector<std::size_t> layout{};  ///< Number of instances, then of bones of each chain.
};

/// Sizes the vectors of `state` for `rig`, as apply_rig() does, so that controls can be set before it.
void prepare(const Rig& rig, RigState& state);

/// Returns the control of the first aim or limb with that name, or null. `state` must fit the rig.
[[nodiscard]] RigControl* find_control(const Rig& rig, RigState& state, std::string_view name,
                                       std::size_t instance = 0) noexcept;

/// Advances a state of one instance by `seconds` and applies the rig to its sampled pose. Call it between sampling and
/// composing. Negative times count as positive; after 32 steps the rest of a long time is skipped. Values that are not
/// finite have no lasting effect.
void apply_rig(const Rig& rig, const Character& character, double seconds, RigState& state, Pose& pose);

/// Does the same for many instances: one per element of `poses`, with the same bits as one by one. The springs of
/// several instances advance in one instruction. Call update() on each element afterwards. To use several threads, give
/// each its own state.
void apply_rig_many(const Rig& rig, const Character& character, double seconds, RigState& state,
                    std::span<PoseBuffers> poses);

}  // namespace pchr
