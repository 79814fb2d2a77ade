// SPDX-License-Identifier: MIT
// Keyframed skeletons of other editors: readers fill the model, evaluate() poses it, and import_rig() samples it frame
// by frame into a character. Lengths are in pixels, y points up, angles are in radians, counter-clockwise.
#pragma once

#include "character/warnings.hpp"
#include "import/diagnose.hpp"

#include <pchr/import/import.hpp>

#include <cstdint>
#include <numbers>
#include <string>
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

struct Bone {
  std::string name;
  std::uint32_t parent = kNone;  ///< Always an earlier bone.
  Transform setup;
  double length = 0;
  bool inherits_translation = true, inherits_rotation = true, inherits_scale = true, inherits_reflection = true;
};

/// Turns a bone, or a bone and its parent, so that the bone points at the target or its tip reaches it.
struct Ik {
  std::string name;
  std::uint32_t bone = 0, target = 0;
  bool moves_parent = false;
  bool bends_left = false;  ///< The joint lies to the left of the line from the parent to the target.
  double mix = 1;
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
  double width = 0, height = 0;  ///< Size that regions refer to, which the image can have a multiple of.
  double scale = 1;              ///< Pixels of the character per pixel of the page.
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

enum class AttachmentKind : std::uint8_t { nothing, region, mesh, armature };

/// What a slot can show.
struct Attachment {
  AttachmentKind kind = AttachmentKind::nothing;
  std::string name;
  Matrix placement;              ///< In the space of the slot's bone. Weighted meshes ignore it.
  std::uint32_t region = kNone;  ///< Texture of a region or mesh.
  Point pivot{0.5, 0.5};         ///< Place of the origin in a region, from its top left corner, in its size.

  std::vector<Point> positions;         ///< Vertices of a mesh without weights, in the space of `placement`.
  std::vector<Point> uvs;               ///< One per vertex of a mesh, in the region: (0, 0) is its top left corner.
  std::vector<std::uint16_t> indices;   ///< Three per triangle.
  std::vector<Influence> influences{};  ///< Influences of a weighted mesh, in the order of its vertices.
  std::vector<Binding> bindings{};      ///< Sorted by bone. Others were in their setup pose.

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

enum class CurveKind : std::uint8_t { linear, step, quadratic_in, quadratic_out, cosine, samples };

/// Progress from one key to the next.
struct Curve {
  CurveKind kind = CurveKind::linear;
  float amount = 1;              ///< Strength of a quadratic or cosine curve; 0 is linear.
  std::vector<float> samples{};  ///< Evenly spaced values between those of the keys, which are connected by lines.
};

struct Key {
  double seconds = 0;
  Curve curve;
};

enum class TimelineKind : std::uint8_t {
  translate,   ///< x, y: added to the setup pose.
  rotate,      ///< rotation, skew: added.
  scale,       ///< x, y: multiplied.
  attachment,  ///< Index, without interpolation.
  opacity,     ///< Replaces the opacity of a slot.
  order,       ///< Slots back to front, without interpolation.
  ik,          ///< mix, and 0 or 1 for Ik::bends_left, without interpolation of the latter.
  deform       ///< x, y of each vertex of a mesh, or of each influence of a weighted one: added to its position.
};

/// Keys of one target, in order of time.
struct Timeline {
  TimelineKind kind = TimelineKind::translate;
  std::uint32_t target = 0;      ///< Bone, slot or IK constraint.
  std::uint32_t attachment = 0;  ///< Of the slot, for deform.
  std::uint32_t channels = 2;    ///< Values per key.
  std::vector<Key> keys{};       ///< At least one.
  std::vector<double> values{};  ///< keys * channels.
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
  std::vector<Animation> animations;
  std::uint32_t default_animation = kNone;
};

struct Model {
  std::vector<Armature> armatures;
  std::vector<Region> regions;
  std::vector<Page> pages;
  std::uint64_t keys = 0;  ///< Number of keys, which limits the number of samples.
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
};

/// Poses an armature at a time after an animation began to play. Without an animation, in the setup pose. The parent of
/// its roots is `outer`, or nothing if it is null.
void evaluate(const Armature& armature, const Animation* animation, double seconds, const Matrix* outer, Pose& pose);

/// Sets `offsets` to those of a deform timeline at a time after its animation began to play.
void evaluate_deform(const Timeline& timeline, const Animation& animation, double seconds, std::vector<Point>& offsets);

/// Makes a character of an armature and the armatures that it shows. Each mesh has a bone that no other mesh is ruled
/// by, which carries the visibility, order and opacity of its slot. Vertices with deform keys follow added bones.
[[nodiscard]] Expected<Imported, LoadError> import_rig(Model model, std::uint32_t armature,
                                                       const ImportOptions& options, const char* format,
                                                       Warnings warnings);

}  // namespace pchr::rig
