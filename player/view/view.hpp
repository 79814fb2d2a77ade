// SPDX-License-Identifier: MIT
// Camera, background, overlays and panels.
#pragma once

#include "view/turntable.hpp"

#include <pchr/renderer.hpp>

#include <filesystem>

namespace pchr::player {

enum class Background : std::uint8_t { checker, color, image };

/// How texels become pixels. Automatic: hard for pixel art, else smooth.
enum class Pixels : std::uint8_t { automatic, smooth, hard };

/// A tab of the lower right panel.
enum class Tab : std::uint8_t { facts, inside, problems, atlas };

struct View {
  Camera camera;       ///< Its viewport is the canvas in framebuffer pixels.
  bool fitted = true;  ///< The camera follows the clip's bounds until somebody moves it.
  Turntable turntable{};
  Pixels pixels = Pixels::automatic;
  float wheel = 0.0F;  ///< Notches turned that are not yet enough for a step of whole zoom.
  Vec2 snapped{0.0F};  ///< How far the camera was moved, in the world, to put texels on whole pixels.

  Background background = Background::checker;
  std::array<float, 3> color{0.36F, 0.38F, 0.42F};
  std::filesystem::path image{};  ///< Behind the character, absolute; may be empty.
  bool tiled = false;             ///< Repeats the image in its own size instead of covering the canvas.

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
  std::uint32_t onion_before = 2;  ///< Frames; up to kMaxOnionFrames.
  std::uint32_t onion_after = 2;   ///< The same.

  Tab tab = Tab::facts;
  bool panels = true;
  bool help = false;
  bool presenting = false;  ///< The character alone, without panels and frame.
};

[[nodiscard]] inline Filter filter_of(const View& view, const Character& character) noexcept {
  const bool hard = view.pixels == Pixels::hard || (view.pixels == Pixels::automatic && character.data().pixel_art);
  return hard ? Filter::nearest : Filter::trilinear;
}

/// Returns whether texels are shown hard and in 2D, so that the zoom is whole.
[[nodiscard]] inline bool has_hard_pixels(const View& view, const Character& character) noexcept {
  return !character.is_3d() && filter_of(view, character) == Filter::nearest;
}

/// Returns the turn of `character` from how it was read to how it is seen.
[[nodiscard]] inline Affine3 turn_of(const View& view, const Character& character, Vec3 pivot) noexcept {
  return character.is_3d() ? turn_of(view.turntable, pivot) : kIdentity3;
}

/// Shows 3D characters from the front, fitted.
inline void reset_turntable(View& view) {
  view.turntable = seen_from(view.turntable, Side::front);
  view.fitted = true;
}

/// Brings `tab` to the front, or the facts where it is there already.
inline void toggle_tab(View& view, Tab tab) noexcept { view.tab = view.tab == tab ? Tab::facts : tab; }

}  // namespace pchr::player
