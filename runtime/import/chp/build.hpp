// SPDX-License-Identifier: MIT
// A Pomyu character as bones, meshes and clips.
#pragma once

#include "import/chp/file.hpp"

#include <pchr/import/import.hpp>

#include <compare>

namespace pchr::chp {

/// The pictures that were found, and the use of each, as the first player's.
struct Images {
  std::vector<Image> all;  ///< RGBA, straight alpha.
  std::optional<std::uint32_t> char_bmp, char_tex, char_face, select_cg;
};

/// Loads the pictures that `file` names, the second player's where the options ask for them. One that cannot be loaded
/// is left out, with a warning.
[[nodiscard]] Images load_images(const File& file, const ImportOptions& options, Warnings& warnings);

/// The visible part of a rectangle of a picture, mirrored or not. Pixels of the picture, y down.
struct Sprite {
  std::uint32_t image = 0;
  PixelRect source;
  double left = 0, right = 0, top = 0, bottom = 0;  ///< The part of `source` within the picture and the clip.
  bool flip_x = false, flip_y = false;
  auto operator<=>(const Sprite&) const = default;
};

/// Where the whole of a sprite's rectangle is drawn.
struct Placement {
  double x = 0, y = 0;  ///< Its center, from the center of the character, y up.
  double scale_x = 1, scale_y = 1;
  double rotation_degrees = 0;  ///< Counter-clockwise.
  double opacity = 1;
};

/// A sprite drawn in a frame.
struct Use {
  std::uint32_t bone = 0;
  Placement placement;
};

/// An animation as frames of any duration.
struct ClipPlan {
  int animation = 0;
  std::uint32_t loop_start = 0;
  std::vector<std::int64_t> start_ms;  ///< Of each frame, then the end of the last.
  std::vector<std::size_t> first_use;  ///< Of each frame, then the end of the last.

  [[nodiscard]] std::size_t frame_count() const noexcept { return start_ms.size() - 1; }
};

/// A step with which only the animations' own frames remain.
inline constexpr std::int64_t kNoSteps = std::int64_t{1} << 40;

struct Plan {
  /// By bone. A sprite that a frame draws several times has as many bones.
  std::vector<Sprite> sprites{};
  std::vector<Use> uses{};  ///< Of all clips, from back to front in each frame.
  std::vector<ClipPlan> clips{};
  std::int64_t step_ms = 1;  ///< Tweens do not move in smaller steps.
};

/// Plans the animations that have frames. Tweens get a frame for each change, at whole milliseconds, or in larger steps
/// where that would take more than some millions of samples. Absent where the animations' own frames alone take more
/// than `max_samples`, or more sprites than there can be bones.
[[nodiscard]] std::optional<Plan> plan_clips(const File& file, const Images& images, std::uint64_t max_samples);

/// Makes a mesh with a bone of its own for each sprite and a clip for each animation, named by `clip_name`. The origin
/// is the middle of the character's size. Frame 0 of the first clip is the bind pose.
[[nodiscard]] CharacterData make_character(const File& file, const Plan& plan, Images images);

/// Returns the parts of the pictures that games show in menus.
[[nodiscard]] std::vector<MenuImage> menu_images(const File& file, const Images& images);

}  // namespace pchr::chp
