// SPDX-License-Identifier: MIT
// Skins 2D characters, and 3D characters as seen from the front.
#pragma once

#include "platform/parallel.hpp"

#include <pchr/pose.hpp>

namespace PCHR_API pchr {

struct BlockHulls;

/// A skinning palette in 2D or 3D. The other span is empty.
struct Palette {
  std::span<const Affine> in_2d;
  std::span<const Affine3> in_3d;
};

[[nodiscard]] Palette palette_of(const Character& character, const PoseBuffers& posed) noexcept;

/// Returns whether every slot of every vertex, used or not, has a transform in a 2D palette.
[[nodiscard]] bool slots_are_known(const Character& character, const Palette& palette) noexcept;

/// Skins vertices from index `first` on, one per element of `out`.
void skin_front(const Character& character, const Palette& palette, std::size_t first, std::span<Vec2> out) noexcept;

/// Grows `bounds` by `count` skinned vertices from index `first` on. Ignores vertices that are not finite, because
/// nothing is drawn there. Does not allocate.
void include_skinned(const Character& character, const Palette& palette, std::size_t first, std::size_t count,
                     Rect& bounds) noexcept;

/// Scratch memory for posing one character repeatedly.
class ComposedPose {
 public:
  explicit ComposedPose(const Character& character);

  /// Poses a clip, or the bind pose if the clip does not exist or has no frames.
  void pose(ClipId clip, ClipTime position);

  [[nodiscard]] const PoseView& view() const noexcept { return view_; }
  [[nodiscard]] Palette palette() const noexcept { return {palette_, palette_3d_}; }
  [[nodiscard]] bool shows(MeshId mesh) const noexcept {
    return view_.visible.empty() || view_.visible[index(character_.governing_bone(mesh))] != 0;
  }

  /// Returns the bounds of the meshes for which `shows` is true.
  template <typename Shows>
  [[nodiscard]] Rect bounds(const Shows& shows) {
    shown_.clear();
    for (const MeshId mesh : character_.meshes().ids()) {
      if (shows(mesh)) shown_.push_back(mesh);
    }
    return bounds_of_shown();
  }

  /// Grows `bounds` by a mesh.
  void include(MeshId mesh, Rect& bounds);

 private:
  [[nodiscard]] Rect bounds_of_shown();
  /// Returns the hulls of blocks, or null while they would not pay off.
  [[nodiscard]] const BlockHulls* blocks();

  Character character_;
  Pose mixed_;
  PoseView view_;  ///< The clip's own samples on a frame, else `mixed_`.
  std::vector<Affine> world_, palette_;
  std::vector<Affine3> world_3d_, palette_3d_;
  std::uint32_t poses_ = 0;  ///< How many there were.
  std::vector<MeshId> shown_;
  std::vector<Rect> boxes_;
};

/// Calls visit(first, last) for ranges of `count` poses, on the executor's threads if that pays off.
template <typename Visit>
void visit_poses(const Executor& executor, const Character& character, std::size_t count, const Visit& visit) {
  const std::size_t cost = character.bones().size() + character.vertices().size() + 1;
  constexpr std::size_t kCostWorthAThread = 50'000;
  parallel_for(executor, count, kCostWorthAThread / cost + 1, visit);
}

}  // namespace pchr
