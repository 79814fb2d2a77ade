// SPDX-License-Identifier: MIT
// Clips that stand still, stutter at the seam or overflow.
#include "validate/lint.hpp"

#include <pchr/pose.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pchr {
namespace {

// Below what can be seen: a hundredth of a pixel or degree, a scale that moves a pixel in a thousand by as much.
constexpr double kPixels = 1e-2;
constexpr double kDegrees = 1e-2;
constexpr double kScale = 1e-5;
constexpr double kOpacity = 1e-3;

bool near(std::span<const float> a, std::span<const float> b, double tolerance) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](float left, float right) { return std::abs(double{left} - right) <= tolerance; });
}

bool near_angles(std::span<const float> a, std::span<const float> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](float left, float right) {
    return std::abs(std::remainder(double{left} - right, 360.0)) <= kDegrees;
  });
}

/// Places in thousandths of what a unit is, which nobody knows.
bool near(std::span<const SpatialSample> a, std::span<const SpatialSample> b) {
  return std::ranges::equal(a, b, [](const SpatialSample& left, const SpatialSample& right) {
    const Quat &from = left.rotation, &to = right.rotation;
    const double cosine = double{from.x} * to.x + double{from.y} * to.y + double{from.z} * to.z + double{from.w} * to.w;
    return std::abs(double{left.z} - right.z) <= kPixels && std::abs(double{left.scale_z} - right.scale_z) <= kScale &&
           1 - std::abs(cosine) <= 1e-8;
  });
}

bool look_alike(const PoseView& a, const PoseView& b) {
  return near(a.x, b.x, kPixels) && near(a.y, b.y, kPixels) && near_angles(a.rotation_degrees, b.rotation_degrees) &&
         near(a.scale_x, b.scale_x, kScale) && near(a.scale_y, b.scale_y, kScale) &&
         near(a.opacity, b.opacity, kOpacity) && std::ranges::equal(a.visible, b.visible) &&
         std::ranges::equal(a.z_order, b.z_order) && near(a.spatial, b.spatial);
}

void lint_motion(Lint& lint, std::uint32_t number) {
  const Clip& clip = lint.character().clips()[number];
  const auto frame = [&](std::uint32_t i) { return clip.samples.frame(i, lint.character().bones().size()); };
  if (clip.frame_count < 2) return;
  const std::uint32_t last = clip.frame_count - 1;
  std::uint32_t moved = 1;
  while (moved <= last && look_alike(frame(0), frame(moved))) ++moved;
  if (moved > last) {
    lint.add(FindingId::still_clip, {Section::animations, Field::none, number},
             fmt::format("all {} frames are the same", clip.frame_count));
    return;
  }
  // A pause that continues across the seam is meant; one frame held in the middle of a motion is not.
  if (clip.looping && moved == 1 && look_alike(frame(0), frame(last)) && !look_alike(frame(last - 1), frame(last))) {
    lint.add(FindingId::doubled_seam, {Section::animations, Field::frame, number, last},
             "it is the same as frame 0, which follows it");
  }
}

bool is_finite(const Affine& transform) {
  const auto finite = [](Vec2 column) { return std::isfinite(column.x) && std::isfinite(column.y); };
  return finite(transform[0]) && finite(transform[1]) && finite(transform[2]);
}

void lint_overflow(Lint& lint, std::uint32_t number, std::vector<Affine>& transforms) {
  const Character& character = lint.character();
  const Clip& clip = character.clips()[number];
  const std::size_t bone_count = character.bones().size();
  Tally tally;
  for (std::uint32_t frame = 0; frame < clip.frame_count; ++frame) {
    compose(character.bones(), clip.samples.frame(frame, bone_count), transforms);
    build_palette(transforms, character.inverse_bind(), transforms);
    const auto bad = std::find_if_not(transforms.begin(), transforms.end(), is_finite);
    if (bad == transforms.end()) continue;
    const auto bone = static_cast<std::uint32_t>(bad - transforms.begin());
    tally.add({Section::animations, Field::transform, number, frame, bone},
              [&] { return fmt::format("of bone \"{}\"", printable(character.bones()[bone].name)); });
  }
  lint.add(FindingId::pose_overflow, tally, "such frames in this clip");
}

}  // namespace

void lint_clips(Lint& lint) {
  const std::size_t bone_count = lint.character().bones().size();
  if (bone_count == 0) return;
  std::vector<Affine> transforms(bone_count);
  for (std::uint32_t clip = 0; clip < lint.character().clips().size(); ++clip) {
    lint_motion(lint, clip);
    lint_overflow(lint, clip, transforms);
  }
}

}  // namespace pchr
