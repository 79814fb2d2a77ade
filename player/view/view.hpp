// SPDX-License-Identifier: MIT
// Camera, background, overlays and panels.
#pragma once

#include "document/turntable.hpp"

#include <pchr/character.hpp>
#include <pchr/renderer.hpp>

#include <glm/common.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

namespace pchr::player {

enum class Background : std::uint8_t { checker, color, image };

/// How texels are filtered. Automatic: hard for pixel art, else smooth.
enum class Pixels : std::uint8_t { automatic, smooth, hard };

/// A tab of the lower right panel.
enum class Tab : std::uint8_t { facts, inside, problems, atlas };

/// What the camera can be fitted to.
enum class Fit : std::uint8_t {
  clip,   ///< The current clip, and the compared one.
  all,    ///< All clips.
  center  ///< The current clip, without zooming unless it would be out of sight.
};

struct View {
  Camera camera;                       ///< Its viewport is the canvas in framebuffer pixels.
  std::optional<Fit> fit = Fit::clip;  ///< A request, for the next frame. Nothing else refits the camera.
  std::optional<Rect> fitted{};        ///< What the camera was fitted to: if the canvas is resized, it still fits.
                                       ///< Cleared by moving the camera.
  bool follow_root = false;            ///< Move the camera with the root bone.
  std::optional<Vec2> followed{};      ///< Where the root bone was in the last frame, if the camera follows it.
  Turntable turntable{};
  Pixels pixels = Pixels::automatic;
  float wheel = 0.0F;  ///< Accumulated wheel notches, not yet enough for a step of the whole zoom.
  Vec2 snapped{0.0F};  ///< How far the camera was moved, in world units, to align texels with whole pixels.

  Background background = Background::checker;
  std::array<float, 3> color{0.36F, 0.38F, 0.42F};
  std::filesystem::path image{};  ///< Absolute path of the background image; can be empty.
  bool tiled = false;             ///< Tile the image at its own size instead of covering the canvas.

  bool skeleton = false;
  bool wireframe = false;
  bool bounds = false;
  bool names = false;
  bool weights = false;
  bool draw_order = false;
  bool grid = false;
  bool trail = false;
  bool onion = false;
  bool overdraw = false;
  std::uint32_t onion_before = 2;  ///< Number of frames, up to kMaxOnionFrames.
  std::uint32_t onion_after = 2;   ///< Number of frames, up to kMaxOnionFrames.

  Tab tab = Tab::facts;
  bool second_problems = false;  ///< While comparing files, list the problems of the second one.
  bool rig = false;              ///< The left panel shows the rig instead of clips, mix or game.
  bool rig_plays = true;
  bool rig_follows_mouse = false;  ///< Aims and limbs without a target bone reach for the mouse.
  bool panels = true;
  bool help = false;
  bool presenting = false;  ///< Whether the character is shown alone, without panels and window border.
};

[[nodiscard]] inline Filter filter_of(const View& view, const Character& character) noexcept {
  const bool hard = view.pixels == Pixels::hard || (view.pixels == Pixels::automatic && character.data().pixel_art);
  return hard ? Filter::nearest : Filter::trilinear;
}

/// Returns whether texels are drawn hard in 2D, which requires whole zooms.
[[nodiscard]] inline bool has_hard_pixels(const View& view, const Character& character) noexcept {
  return !character.is_3d() && filter_of(view, character) == Filter::nearest;
}

/// Returns the rotation of `character` from how it was read to its view.
[[nodiscard]] inline Affine3 rotation_of(const View& view, const Character& character, Vec3 pivot) noexcept {
  return character.is_3d() ? rotation_of(view.turntable, pivot) : kIdentity3;
}

/// Zooms at the center of the canvas.
inline void set_zoom(View& view, float zoom) {
  view.camera.zoom = zoom;
  view.fitted.reset();
}

/// Rotates 3D characters. If the camera was fitted, it is fitted again.
inline void set_turntable(View& view, const Turntable& turntable) {
  if (view.turntable == turntable) return;
  view.turntable = turntable;
  if (view.fitted) view.fit = Fit::clip;
}

/// Shows 3D characters from the front, fitted.
inline void reset_turntable(View& view) {
  view.turntable = viewed_from(view.turntable, Side::front);
  view.fit = Fit::clip;
}

/// Brings `tab` to the front, or the info tab if it already is.
inline void toggle_tab(View& view, Tab tab) noexcept { view.tab = view.tab == tab ? Tab::facts : tab; }

inline constexpr float kZoomRounding = 1e-4F;  ///< Max relative distance from a whole zoom to count as one.

[[nodiscard]] inline float whole_zoom_above(float zoom) noexcept {
  zoom *= 1.0F - kZoomRounding;
  return zoom > 1.0F ? std::ceil(zoom) : 1.0F / std::floor(1.0F / zoom);
}

/// Returns the largest whole zoom that is at most `zoom`, which must be positive.
[[nodiscard]] inline float whole_zoom_below(float zoom) noexcept {
  zoom *= 1.0F + kZoomRounding;
  return zoom >= 1.0F ? std::floor(zoom) : 1.0F / std::ceil(1.0F / zoom);
}

[[nodiscard]] inline float nearest_whole_zoom(float zoom) noexcept {
  const float below = whole_zoom_below(zoom);
  const float above = whole_zoom_above(zoom);
  return zoom * zoom < below * above ? below : above;
}

/// Returns the whole zoom nearest to `zoom * factor`, but at least one step in that direction.
[[nodiscard]] inline float next_whole_zoom(float zoom, float factor) noexcept {
  const float wanted = nearest_whole_zoom(zoom * factor);
  constexpr float kOff = 1.0F + 3.0F * kZoomRounding;
  if (factor > 1.0F) return std::max(wanted, whole_zoom_above(zoom * kOff));
  return std::min(wanted, whole_zoom_below(zoom / kOff));
}

/// Returns a world point where texels meet. If all meshes share one grid, they also meet at whole distances from it.
[[nodiscard]] inline Vec2 texel_corner(const Character& character) noexcept {
  if (character.meshes().empty()) return Vec2{0.0F};
  const auto vertices = character.vertices(character.meshes().front());
  return vertices.empty() ? Vec2{0.0F} : Vec2{vertices.front().x, vertices.front().y};
}

/// Moves `camera` by at most half a pixel so that `corner` lies between viewport pixels.
[[nodiscard]] inline Camera aligned_to_pixels(Camera camera, Vec2 corner) noexcept {
  // Below 1, a pixel's center can fall exactly between texels; an offset makes the choice stable.
  constexpr float kAside = 1.0F / 64.0F;
  const Vec2 aside{camera.zoom < 1.0F ? kAside : 0.0F};
  const Vec2 pixel = apply(world_to_viewport(camera), corner) - aside;
  const Vec2 moved = (glm::round(pixel) - pixel) / camera.zoom;
  camera.center += Vec2{-moved.x, camera.flip_y ? -moved.y : moved.y};
  return camera;
}

}  // namespace pchr::player
