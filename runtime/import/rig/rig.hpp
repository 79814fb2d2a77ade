// SPDX-License-Identifier: MIT
// Keyframed skeletons of other editors: readers fill the model, evaluate() poses it, and import_rig() samples it frame
// by frame into a character. Lengths are in pixels, y points up, angles are in radians, counter-clockwise.
#pragma once

#include "character/warnings.hpp"
#include "import/diagnose.hpp"
#include "import/files.hpp"

#include <pchr/import/import.hpp>

#include <array>
#include <cstdint>
#include <numbers>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pchr::rig {

inline constexpr std::uint32_t kNone = 0xFFFFFFFF;
inline constexpr double kPi = std::numbers::pi;

struct Point {
  double x = 0, y = 0;
};

/// x' = a*x + c*y + tx and y' = b*x + d*y + ty.
struct Matrix {
  double a = 1, b = 0, c = 0, d = 1, tx = 0, ty = 0;
};
[[nodiscard]] inline Point operator*(const Matrix& matrix, Point point) noexcept {
  return {matrix.a * point.x + matrix.c * point.y + matrix.tx, matrix.b * point.x + matrix.d * point.y + matrix.ty};
}
[[nodiscard]] inline Matrix operator*(const Matrix& outer, const Matrix& inner) noexcept {
  const Point origin = outer * Point{inner.tx, inner.ty};
  return {outer.a * inner.a + outer.c * inner.b,
          outer.b * inner.a + outer.d * inner.b,
          outer.a * inner.c + outer.c * inner.d,
          outer.b * inner.c + outer.d * inner.d,
          origin.x,
          origin.y};
}
[[nodiscard]] inline double determinant(const Matrix& matrix) noexcept {
  return matrix.a * matrix.d - matrix.b * matrix.c;
}
/// Returns the inverse of a matrix that has one.
[[nodiscard]] Matrix inverse(const Matrix& matrix) noexcept;

/// The x axis is turned by `rotation`, the y axis by `rotation + skew`.
struct Transform {
  double x = 0, y = 0, rotation = 0, skew = 0, scale_x = 1, scale_y = 1;
};
[[nodiscard]] Matrix matrix_of(const Transform& transform) noexcept;

/// What a bone inherits of the axes of its parent, in armatures that compose matrices.
enum class Inherit : std::uint8_t {
  all,
  only_translation,           ///< No axes.
  no_rotation_or_reflection,  ///< Scales the bone in the directions of the parent's axes.
  no_scale,                   ///< Turns the bone and mirrors it.
  no_scale_or_reflection      ///< Turns the bone.
};

struct Bone {
  std::string name;
  std::uint32_t parent = kNone;  ///< Always an earlier bone.
  Transform setup;
  double length = 0;
  bool inherits_translation = true, inherits_rotation = true, inherits_scale = true, inherits_reflection = true;

  /// In armatures that compose matrices, in place of those four and `setup.skew`. The shears turn the axes further.
  /// @{
  Inherit inherit = Inherit::all;
  double shear_x = 0, shear_y = 0;
  /// @}
};

/// Turns a bone, or a bone and its parent, so that the bone points at the target or its tip reaches it.
struct Ik {
  std::string name;
  std::uint32_t bone = 0, target = 0;
  bool moves_parent = false;
  bool bends_left = false;  ///< The joint lies to the left of the line from the parent to the target.
  double mix = 1;
};

enum class ConstraintKind : std::uint8_t { ik, transform, path, physics };

/// What timelines can change in a constraint.
using ConstraintValues = std::array<double, 7>;

/// A length along a path is in pixels or in parts of the path. Spaces can also follow the lengths of the bones.
enum class PathUnit : std::uint8_t { pixels, percent, bone_length, proportional };
enum class PathRotation : std::uint8_t { tangent, chain, chain_scale };

/// Changes bones after their parents are placed, in armatures that compose matrices.
struct Constraint {
  ConstraintKind kind = ConstraintKind::ik;
  std::string name;
  std::vector<std::uint32_t> bones;  ///< At least one. IK: one, or a bone and its parent, which comes first.
  std::uint32_t target = 0;          ///< A bone, or the slot of a path.
  /// IK: mix, softness, and 0 or 1 for bending to the left, compressing and stretching. Transform: mixes of rotation,
  /// x, y, scale x, scale y and shear y. Path: position, spacing, and mixes of rotation, x and y. Physics: inertia,
  /// strength, damping, mass, wind, gravity and mix.
  ConstraintValues values{};
  bool is_uniform = false;                     ///< IK: stretches both axes.
  bool is_local = false, is_relative = false;  ///< Transform: of local values; adds those of the target.
  /// Transform: added to the values of the target. Path: rotation only. Physics: how much of it is applied, with the
  /// shear of the x axis in `shear_y`.
  /// @{
  double x = 0, y = 0, rotation = 0, scale_x = 0, scale_y = 0, shear_y = 0;
  /// @}
  PathUnit position_unit = PathUnit::percent, spacing_unit = PathUnit::bone_length;
  PathRotation path_rotation = PathRotation::tangent;
};

/// Region of an atlas page.
struct Region {
  std::string name;
  std::uint32_t page = 0;
  double x = 0, y = 0, width = 0, height = 0;  ///< On the page, in pixels, from its top left corner.
  std::uint32_t turns = 0;                     ///< Stored turned by this many times 90 degrees clockwise, 0 to 3.
  double trim_left = 0, trim_top = 0;          ///< Transparent pixels that were cut off.
  double full_width = 0, full_height = 0;      ///< Size before that; 0 if nothing was cut off.
};

struct Page {
  Image image;
  double width = 0, height = 0;   ///< Size that regions refer to, which the image can have a multiple of.
  double scale = 1;               ///< Pixels of the character per pixel of the page.
  bool is_premultiplied = false;  ///< The colors in its file are multiplied by alpha.
};

/// A vertex of a mesh follows a bone. `position` is in the space of the bone.
struct Influence {
  std::uint32_t vertex = 0, bone = 0;
  double weight = 0;
  Point position;
};

/// World transform of a bone in the pose that a mesh was bound in.
struct Binding {
  std::uint32_t bone = 0;
  Matrix world;
};

enum class AttachmentKind : std::uint8_t { nothing, region, mesh, armature, path };

/// What a slot can show.
struct Attachment {
  AttachmentKind kind = AttachmentKind::nothing;
  std::string name;
  Matrix placement;              ///< In the space of the slot's bone. Weighted meshes ignore it.
  std::uint32_t region = kNone;  ///< Texture of a region or mesh.
  Point pivot{0.5, 0.5};         ///< Place of the origin in a region, from its top left corner, in its size.
  double opacity = 1;            ///< Multiplied with that of the slot.

  /// Vertices of a mesh without weights, in the space of `placement`. A path has a handle, a point and a handle for
  /// each of its points.
  std::vector<Point> positions;
  std::vector<Point> uvs;               ///< One per vertex of a mesh, in the region: (0, 0) is its top left corner.
  std::vector<std::uint16_t> indices;   ///< Three per triangle.
  std::vector<Influence> influences{};  ///< Influences of a weighted mesh, in the order of its vertices.
  std::vector<Binding> bindings{};      ///< Sorted by bone. Others were in their setup pose.

  bool is_closed = false;           ///< The last point of a path leads to the first.
  bool has_constant_speed = false;  ///< Positions on a path are lengths, not parts of its curves.
  std::vector<double> lengths{};    ///< Distances to the ends of the curves of a path in the setup pose.

  std::uint32_t armature = kNone;   ///< Child armature.
  std::uint32_t animation = kNone;  ///< That the child plays when it is shown.
};

struct Slot {
  std::string name;
  std::uint32_t bone = 0;
  std::int32_t attachment = 0;  ///< Shown in the setup pose; out of range means nothing.
  double opacity = 1;
  std::vector<Attachment> attachments;
};

enum class CurveKind : std::uint8_t {
  linear,
  step,
  quadratic_in,
  quadratic_out,
  cosine,
  samples,
  bezier,
  bezier_values
};

/// Progress from one key to the next.
struct Curve {
  CurveKind kind = CurveKind::linear;
  float amount = 1;              ///< Strength of a quadratic or cosine curve; 0 is linear.
  std::vector<float> samples{};  ///< Evenly spaced values between those of the keys, which are connected by lines.
  std::uint32_t handles = 0;     ///< First of two Timeline::handles, or of two for each of Bezier values.
};

struct Key {
  double seconds = 0;
  Curve curve;
};

enum class TimelineKind : std::uint8_t {
  translate,   ///< x, y: added to the setup pose.
  rotate,      ///< rotation, skew: added. In armatures that compose matrices, only rotation.
  scale,       ///< x, y: multiplied.
  shear,       ///< x, y: added.
  inherit,     ///< Inherit, without interpolation.
  attachment,  ///< Index, without interpolation.
  opacity,     ///< Replaces the opacity of a slot.
  order,       ///< Slots back to front, without interpolation.
  ik,          ///< mix, and 0 or 1 for Ik::bends_left, without interpolation of the latter.
  constraint,  ///< Replaces values of a constraint.
  sequence,    ///< SequenceMode, first index and seconds per image, without interpolation.
  deform       ///< x, y of each vertex of a mesh, or of each influence of a weighted one: added to its position.
};

/// How the images of a sequence follow each other.
enum class SequenceMode : std::uint8_t { hold, once, loop, ping_pong, once_reverse, loop_reverse, ping_pong_reverse };

/// Keys of one target, in order of time.
struct Timeline {
  TimelineKind kind = TimelineKind::translate;
  std::uint32_t target = 0;      ///< Bone, slot or constraint.
  std::uint32_t attachment = 0;  ///< For deform: place in the slot. The first one of a sequence.
  std::uint32_t count = 0;       ///< Number of attachments of a sequence.
  std::uint32_t first = 0;       ///< First value that changes: 1 for the y of a bone alone; of a constraint.
  std::uint32_t channels = 2;    ///< Values per key.
  std::vector<Key> keys{};       ///< At least one.
  std::vector<double> values{};  ///< keys * channels.
  std::vector<Point> handles{};  ///< Of Bezier curves: seconds, and progress from 0 to 1 or values.
  bool closes = false;           ///< The last key is the first one again, for animations that repeat.
  double speed = 1;              ///< How fast its time passes.
  double offset = 0;             ///< Where its time starts, in durations of the animation.
};

/// A child armature begins another animation.
struct ChildPlay {
  double seconds = 0;
  std::uint32_t slot = 0;
  std::string animation;
};

struct Event {
  double seconds = 0;
  std::string name;
};

struct Animation {
  std::string name;
  double duration = 0;      ///< In seconds.
  std::uint32_t plays = 1;  ///< 0 means that it loops.
  std::vector<Timeline> timelines;
  std::vector<ChildPlay> child_plays;
  std::vector<Event> events;
};

/// A bone to place, or a constraint to apply before the first bone that it turns is placed. The target comes earlier.
struct Step {
  bool is_ik = false;
  std::uint32_t number = 0;
};

struct Armature {
  std::string name;
  double frames_per_second = 24;
  std::vector<Bone> bones;
  std::vector<Slot> slots;  ///< Back to front.
  std::vector<Ik> iks;
  std::vector<Step> steps;
  /// Bones multiply their matrices with those of their parents, and `constraints` are applied in order, in place of
  /// `iks` and `steps`. Timelines change nothing before their first keys.
  bool composes_matrices = false;
  std::vector<Constraint> constraints;
  std::vector<Animation> animations;
  std::uint32_t default_animation = kNone;
};

struct Model {
  std::vector<Armature> armatures;
  std::vector<Region> regions;
  std::vector<Page> pages;
  std::uint64_t keys = 0;  ///< Number of keys, which limits the number of samples.
};

/// Local transform of a bone whose axes are turned by `rotation` and by a shear of their own.
struct Local {
  double x = 0, y = 0, rotation = 0, scale_x = 1, scale_y = 1, shear_x = 0, shear_y = 0;
};

/// An armature at one time.
struct Pose {
  std::vector<Matrix> world;             ///< One per bone.
  std::vector<std::int32_t> attachment;  ///< One per slot.
  std::vector<double> opacity;           ///< One per slot.
  std::vector<std::uint32_t> order;      ///< Slots back to front.
  std::vector<double> mix;               ///< One per IK constraint.
  std::vector<std::uint8_t> bends_left;  ///< One per IK constraint.
  std::vector<Transform> global;         ///< One per bone, as far as constraints and children need it.
  std::vector<std::uint8_t> is_posed;    ///< One per bone.
  std::vector<Local> local;              ///< One per bone, in armatures that compose matrices.
  std::vector<Inherit> inherit;          ///< One per bone, in armatures that compose matrices.
  std::vector<ConstraintValues> values;  ///< One per constraint.

  /// How far physics has moved a bone from its rest, and how fast it moves.
  struct Sway {
    bool is_started = false;
    Point origin, tip;  ///< Rest of the bone, in world space.
    Point offset, speed;
    double turn = 0, turn_speed = 0, stretch = 0, stretch_speed = 0;
  };
  std::vector<Sway> sways;             ///< One per constraint, at the time of the last pose of `swaying`.
  const Animation* swaying = nullptr;  ///< Physics goes on from the last pose if the next one is later in the same.
  double swayed_seconds = 0;
};

/// Poses an armature at a time after an animation began to play. Without an animation, in the setup pose. The parent of
/// its roots is `outer`, or nothing if it is null.
void evaluate(const Armature& armature, const Animation* animation, double seconds, const Matrix* outer, Pose& pose);

/// Return the work of evaluate() in bones that could be placed in the same time: for the bones, slots and constraints
/// of an armature, up to about `max`, and for the timelines of an animation. Both are repeated for each step of
/// physics.
/// @{
[[nodiscard]] double pose_cost(const Armature& armature, double max);
[[nodiscard]] double pose_cost(const Armature& armature, const Animation& animation);
/// @}

/// Returns the number of steps in which evaluate() goes on from a pose that is `seconds` older: 1 without physics.
[[nodiscard]] double physics_steps(const Armature& armature, double seconds);

/// Sets `offsets` to those of a deform timeline at a time after its animation began to play.
void evaluate_deform(const Timeline& timeline, const Animation& animation, double seconds, std::vector<Point>& offsets);

/// Sets the bindings of a weighted mesh if its vertices do not fit the setup pose, in which its bones have the
/// transforms `setup`. Returns the largest distance in pixels between the places that bones give a vertex then.
[[nodiscard]] double find_bindings(std::span<const Matrix> setup, Attachment& mesh);

/// Reads the image of a page with the path that an atlas gives in `field`. An image that does not exist is a warning,
/// if the page has a size. `pixels` is the number of pixels of all images, to which those of this one are added.
[[nodiscard]] std::optional<Diagnostic> read_page(const std::string& path, std::string_view field,
                                                  const ReaderOptions& options, std::uint64_t& pixels,
                                                  Warnings& warnings, Page& page);

/// Makes a character of an armature and the armatures that it shows. Each mesh has a bone that no other mesh is ruled
/// by, which carries the visibility, order and opacity of its slot. Vertices with deform keys follow added bones.
[[nodiscard]] Expected<Imported, LoadError> import_rig(Model model, std::uint32_t armature,
                                                       const ImportOptions& options, const char* format,
                                                       Warnings warnings);

}  // namespace pchr::rig
