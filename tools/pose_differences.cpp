// SPDX-License-Identifier: MIT
// How far apart two characters are posed.
#include "differences.hpp"

#include <pchr/pose.hpp>
#include <pchr/spatial.hpp>

#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace pchr::tools {
namespace {

constexpr std::array kPlanarPoints{Vec2{0, 0}, Vec2{kReachPixels, 0}, Vec2{0, kReachPixels}};
constexpr std::array kSpatialPoints{Vec3{0, 0, 0}, Vec3{kReachPixels, 0, 0}, Vec3{0, kReachPixels, 0},
                                    Vec3{0, 0, kReachPixels}};

// How far apart two transforms of a bone put what moves with it.
template <class Transform, class Points>
double distance(const Transform& a, const Transform& b, const Points& points) {
  double farthest = 0;
  for (const auto& point : points) {
    const double apart = glm::length(apply(a, point) - apply(b, point));
    // A point that is not finite is infinitely far away, unless both transforms are the same.
    if (std::isfinite(apart)) {
      farthest = std::max(farthest, apart);
    } else if (a != b) {
      farthest = std::numeric_limits<double>::infinity();
    }
  }
  return farthest;
}

class PoseComparison {
 public:
  PoseComparison(const Character& a, const Character& b, const Matches& matches)
      : a_(a), b_(b), matches_(matches), spatial_(a.is_spatial() && b.is_spatial()) {}

  std::vector<PoseDifference> run() {
    std::vector<PoseDifference> differences{PoseDifference{}};
    pose_bind(a_, posed_a_);
    pose_bind(b_, posed_b_);
    compare_bones(differences.back(), 0);
    for (std::uint32_t clip = 0; clip < matches_.clips.size(); ++clip) {
      if (matches_.clips[clip]) differences.push_back(compare_clip(clip, *matches_.clips[clip]));
    }
    return differences;
  }

 private:
  PoseDifference compare_clip(std::uint32_t clip, std::uint32_t other) {
    PoseDifference difference{.clip = clip};
    // Without bones there is nothing to pose, and a file may claim any number of frames at no cost.
    if (a_.bones().empty()) return difference;
    const std::uint32_t frames = std::min(a_.clips()[clip].frame_count, b_.clips()[other].frame_count);
    for (std::uint32_t frame = 0; frame < frames; ++frame) {
      pose_clip(a_, clip, {frame, frame, 0}, posed_a_);
      pose_clip(b_, other, {frame, frame, 0}, posed_b_);
      compare_bones(difference, frame);
    }
    return difference;
  }

  void compare_bones(PoseDifference& most, std::uint32_t frame) const {
    for (std::uint32_t bone = 0; bone < matches_.bones.size(); ++bone) {
      const auto other = matches_.bones[bone];
      if (!other) continue;
      const double apart = spatial_
                               ? distance(posed_a_.spatial_world[bone], posed_b_.spatial_world[*other], kSpatialPoints)
                               : distance(posed_a_.world[bone], posed_b_.world[*other], kPlanarPoints);
      if (apart > most.pixels) {
        most.pixels = apart;
        most.frame = frame;
        most.bone = bone;
      }
    }
  }

  const Character &a_, &b_;
  const Matches& matches_;
  const bool spatial_;
  PosedCharacter posed_a_, posed_b_;
};

}  // namespace

std::vector<PoseDifference> compare_poses(const Character& a, const Character& b, const Matches& matches) {
  return PoseComparison(a, b, matches).run();
}

}  // namespace pchr::tools
