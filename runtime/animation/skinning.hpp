// SPDX-License-Identifier: MIT
// Skinning of 2D characters, and of 3D ones as seen from the front.
#pragma once

#include "platform/parallel.hpp"

#include <pchr/pose.hpp>

namespace PCHR_API pchr {

/// A skinning palette, of a 2D or of a 3D character; the other is empty.
struct Palette {
  std::span<const Affine> in_2d;
  std::span<const Affine3> in_3d;
};

[[nodiscard]] Palette palette_of(const Character& character, const PoseBuffers& posed) noexcept;

/// Skins the vertices from number `first` on, one for each element of `out`.
void skin_front(const Character& character, const Palette& palette, std::size_t first, std::span<Vec2> out) noexcept;

/// Grows `bounds` by `count` skinned vertices from number `first` on. Vertices that are not finite are left out, since
/// nothing is drawn there. Allocates nothing.
void include_skinned(const Character& character, const Palette& palette, std::size_t first, std::size_t count,
                     Rect& bounds) noexcept;

/// Memory for posing a character again and again.
class ComposedPose {
 public:
  explicit ComposedPose(const Character& character);

  /// Poses a clip, or the bind pose where the character does not have the clip or the clip has no frames.
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
    // Meshes that follow each other in memory are skinned at one go.
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
  PoseView view_;  ///< Of the clip itself where it is on a frame, else of `mixed_`.
  std::vector<Affine> world_, palette_;
  std::vector<Affine3> world_3d_, palette_3d_;
};

/// Calls visit(first, last) for parts of `count` poses, on several threads where they are worth it.
template <typename Visit>
void visit_poses(const Character& character, std::size_t count, const Visit& visit) {
  const std::size_t cost = character.bones().size() + character.vertices().size() + 1;
  constexpr std::size_t kCostWorthAThread = 50'000;
  parallel_for(count, kCostWorthAThread / cost + 1, visit);
}

}  // namespace pchr
