// SPDX-License-Identifier: MIT
// A camera that goes around a spatial character.
#pragma once

#include <pchr/camera.hpp>
#include <pchr/character.hpp>
#include <pchr/pose.hpp>
#include <pchr/spatial.hpp>

#include <glm/mat3x3.hpp>
#include <glm/mat4x4.hpp>

namespace PCHR_API pchr {

/// How a spatial character is looked at: what any camera comes to.
struct SceneView {
  glm::mat4 world_to_clip{1.0F};  ///< With OpenGL's depth, -1 at the near end to 1 at the far.
  glm::mat3 world_to_view{
      1.0F};                     ///< Turns directions so that x is right, y up, and z towards who looks: for the light.
  bool clear_depth = true;       ///< Over what was drawn before; else among it.
  bool cull_back_faces = false;  ///< Faces that look away are left out. Many meshes of games need both sides.
};

/// Looks at a point from a distance. Angles in degrees.
struct OrbitCamera {
  Vec3 target{0.0F};
  float yaw_degrees = 0;             ///< To the right around the y axis; 0 looks from the front, along -z.
  float pitch_degrees = 0;           ///< Up, -90 to 90.
  float distance = 1;                ///< From the target, above 0.
  float field_of_view_degrees = 30;  ///< From the lower to the upper edge, 1 to 150.
  Vec2 viewport{1.0F, 1.0F};         ///< Width and height in pixels.
};

/// What an orbit camera sees. Depth reaches from a hundredth of its distance to a hundred times as far.
[[nodiscard]] SceneView scene_view(const OrbitCamera& camera) noexcept;
/// What a camera sees that looks at the front: no perspective. `reach` is how far anything is from z = 0.
[[nodiscard]] SceneView scene_view(const Camera& camera, float reach) noexcept;

/// `camera` moved so that `box` fills its viewport, seen from where it stands, but for `margin` (a fraction of the
/// viewport on each side, below 0.5). A box without size keeps a usable distance.
[[nodiscard]] OrbitCamera fit(OrbitCamera camera, const Box& box, float margin = 0.05F) noexcept;

/// The box around the vertices of what a posed spatial character shows, but for those that are not finite.
[[nodiscard]] Box box_of(const Character& character, const PosedCharacter& posed);

}  // namespace pchr
