// SPDX-License-Identifier: MIT
// A Pomyu character as bones, meshes and clips.
#pragma once

#include "import/chp/evaluate.hpp"
#include "import/chp/file.hpp"

#include <pchr/character.hpp>
#include <pchr/import/import.hpp>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace pchr::chp {

/// What was found, and which of it serves what: always under the first player's use.
struct Pictures {
  std::vector<Image> images;  ///< RGBA, straight alpha.
  std::optional<std::uint32_t> char_bmp, char_tex, char_face, select_cg;
};

/// Loads the pictures that `file` names, for the second player where the options ask for it and there is one. One that
/// cannot be had is left out, with a warning.
[[nodiscard]] Pictures load_pictures(const File& file, const ImportOptions& options, Warnings& warnings);

/// The visible part of a rectangle of a picture, mirrored or not. Pixels of the picture, y down.
struct Sprite {
  std::uint32_t image = 0;
  PixelRect source;                                 ///< All of it.
  double left = 0, right = 0, top = 0, bottom = 0;  ///< The part within the picture and the clip.
  bool flip_x = false, flip_y = false;
  auto operator<=>(const Sprite&) const = default;
};

/// Where the whole of a sprite's rectangle is drawn.
struct Placement {
  double x = 0, y = 0;  ///< Its center, from the center of the character, y up.
  double scale_x = 1, scale_y = 1;
  double rotation_degrees = 0;  ///< Counter-clockwise.
  double opacity = 1;
  bool operator==(const Placement&) const = default;
};

/// A sprite drawn in a frame.
struct Use {
  std::uint32_t bone = 0;
  Placement placement;
};

/// An animation as frames that may last unequally long.
struct ClipPlan {
  int animation = 0;
  std::uint32_t loop_start = 0;
  std::vector<std::int64_t> start_ms;  ///< Of each frame; the first starts at 0.
  std::vector<std::size_t> first_use;  ///< Of each frame; it ends where the next begins, the last at `end_use`.
  std::size_t end_use = 0;
  std::int64_t end_ms = 0;
};

/// A step with which only the animations' own frames remain.
inline constexpr std::int64_t kNoSteps = std::int64_t{1} << 40;

struct Plan {
  /// By bone. A sprite that a frame draws several times has as many bones.
  std::vector<Sprite> sprites;
  std::vector<Use> uses;  ///< Of all clips, from back to front in each frame.
  std::vector<ClipPlan> clips;
  std::int64_t step_ms = 1;  ///< Tweens do not move in smaller steps.
};

/// Plans the animations that have frames. Tweens get a frame whenever a value changes, at whole milliseconds, as long
/// as there are at most some millions of samples; where there would be more, in larger steps. Nothing if even without
/// any there are more than `max_samples`, or more sprites than bones can be.
[[nodiscard]] std::optional<Plan> plan_clips(const File& file, const Pictures& pictures, std::uint64_t max_samples);

/// Each sprite of the plan becomes a mesh ruled by a bone of its own, each animation a clip, named by clip_name() of
/// pomyu.hpp. y points up, and the origin is the middle of the character's size. Frame 0 of the first clip is the bind
/// pose.
[[nodiscard]] CharacterData make_character(const File& file, const Plan& plan, Pictures pictures);

/// The parts of its pictures that games show in menus.
[[nodiscard]] std::vector<Picture> menu_pictures(const File& file, const Pictures& pictures);

}  // namespace pchr::chp
