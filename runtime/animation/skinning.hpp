// SPDX-License-Identifier: MIT
// Skins 2D characters, and 3D characters as seen from the front.
#pragma once

#include "platform/parallel.hpp"

#include <pchr/pose.hpp>

namespace PCHR_API pchr {

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
  [[nodiscard]] Rect bounds(const Shows& shows) const {
    Rect bounds;
    // Meshes that are adjacent in memory are skinned in one go.
    std::size_t first = 0, end = 0;
    const auto include_run = [&] { include_skinned(character_, palette(), first, end - first, bounds); };
    for (const MeshId id : character_.meshes().ids()) {
      if (!shows(id)) continue;
      const Mesh& mesh = character_.meshes()[id];
      if (mesh.first_vertex != end) {
        include_run();
        first = mesh.first_vertex;
      }
      end = std::size_t{mesh.first_vertex} + mesh.vertex_count;
    }
    include_run();
    return bounds;
  }

 private:
  Character character_;
  Pose mixed_;
  PoseView view_;  ///< The clip's own samples on a frame, else `mixed_`.
  std::vector<Affine> world_, palette_;
  std::vector<Affine3> world_3d_, palette_3d_;
};

/// Calls visit(first, last) for ranges of `count` poses, on the executor's threads if that pays off.
template <typename Visit>
void visit_poses(const Executor& executor, const Character& character, std::size_t count, const Visit& visit) {
  const std::size_t cost = character.bones().size() + character.vertices().size() + 1;
  constexpr std::size_t kCostWorthAThread = 50'000;
  parallel_for(executor, count, kCostWorthAThread / cost + 1, visit);
}

}  // namespace pchr
