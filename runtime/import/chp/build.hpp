// SPDX-License-Identifier: MIT
// Conversion of Pomyu characters to bones, meshes and clips.
#pragma once

#include "import/chp/file.hpp"
#include "import/folders.hpp"

#include <pchr/import/import.hpp>

#include <compare>

namespace pchr::chp {

/// The loaded images and the role of each. The second player's images take the roles of the first player's.
struct Images {
  std::vector<Image> all;  ///< RGBA, straight alpha.
  std::optional<std::uint32_t> char_bmp, char_tex, char_face, select_cg;
};

/// Loads the images that `file` names, the second player's if the options request them. Skips unusable images with a
/// warning. Fails if a link leads out of the character's folder.
[[nodiscard]] Expected<Images, Diagnostic> load_images(const File& file, const ReaderOptions& options,
                                                       Warnings& warnings);

/// Visible part of a source rectangle of an image, possibly mirrored. Image pixels, y down.
struct Sprite {
  std::uint32_t image = 0;
  PixelRect source;
  double left = 0, right = 0, top = 0, bottom = 0;  ///< The part of `source` within the image and the clip.
  bool flip_x = false, flip_y = false;
  auto operator<=>(const Sprite&) const = default;
};

/// Where a sprite's whole source rectangle is drawn.
struct Placement {
  double x = 0, y = 0;  ///< Center, relative to the character's center, y up.
  double scale_x = 1, scale_y = 1;
  double rotation_degrees = 0;  ///< Counter-clockwise.
  double opacity = 1;
};

/// One sprite drawn in a frame.
struct Use {
  std::uint32_t bone = 0;
  Placement placement;
};

/// An animation as frames of variable duration.
struct ClipPlan {
  int animation = 0;
  std::uint32_t loop_start = 0;
  std::vector<std::int64_t> start_ms;  ///< Start of each frame, then the end of the last.
  std::vector<std::size_t> first_use;  ///< First use of each frame, then the end of the last.

  [[nodiscard]] std::size_t frame_count() const noexcept { return start_ms.size() - 1; }
};

/// Step that adds no frames within those of the animations.
inline constexpr std::int64_t kNoSteps = std::int64_t{1} << 40;

struct Plan {
  /// Indexed by bone. A sprite that one frame draws several times has one bone for each.
  std::vector<Sprite> sprites{};
  std::vector<Use> uses{};  ///< All clips, back to front within each frame.
  std::vector<ClipPlan> clips{};
  std::int64_t step_ms = 1;  ///< Smallest step of a tween.
};

/// Plans the animations that have frames. Tweens get a frame for each change, at whole milliseconds, or in larger steps
/// if that would take more than a few million samples. Returns nothing if the animations' own frames alone exceed
/// `max_samples` or need more bones than a character can have.
[[nodiscard]] std::optional<Plan> plan_clips(const File& file, const Images& images, std::uint64_t max_samples);

/// Builds a mesh and a bone for each sprite, and a clip for each animation, named by `clip_name`. The origin is the
/// center of the character. Frame 0 of the first clip is the bind pose.
[[nodiscard]] CharacterData make_character(const File& file, const Plan& plan, Images images);

/// Returns the image regions that games show in menus.
[[nodiscard]] std::vector<MenuImage> menu_images(const File& file, const Images& images);

}  // namespace pchr::chp
