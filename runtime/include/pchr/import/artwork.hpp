// SPDX-License-Identifier: MIT
// The parts of a pixel artwork (layers, tags, tilesets, palette, drawing aids) and the choice of layers to draw.
//
//   const auto loaded = pchr::import_character("hero.px");
//   if (!loaded || !loaded->artwork) return;
//   for (const pchr::ArtworkLayer& layer : loaded->artwork->layers) std::puts(layer.name.c_str());
#pragma once

#include <pchr/api.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace PCHR_API pchr {

/// A color with straight alpha.
struct Rgba {
  std::uint8_t red = 0, green = 0, blue = 0, alpha = 0;
  bool operator==(const Rgba&) const = default;
};

/// How a layer blends onto those below, by the W3C's Compositing and Blending.
enum class BlendMode : std::uint8_t {
  normal,
  multiply,
  screen,
  overlay,
  darken,
  lighten,
  color_dodge,
  color_burn,
  hard_light,
  soft_light,
  difference,
  exclusion,
  hue,
  saturation,
  color,
  luminosity
};
inline constexpr std::uint32_t kBlendModes = 16;

enum class LayerKind : std::uint8_t {
  layer,
  group,
  tilemap,
  reference  ///< An image to draw from: drawn only where it is chosen by itself.
};

/// The role of a layer for its parent.
enum class LayerUse : std::uint8_t {
  drawn,
  clipping_mask,  ///< Painted onto its parent, within the parent's pixels.
  cropping_mask   ///< Limits its parent to the mask's pixels.
};

/// The image of a reference layer. It fills `left` to `height`, in pixels from the canvas's top left corner, and is
/// then rotated about their center.
struct ArtworkReference {
  std::uint32_t image_width = 0, image_height = 0;  ///< Pixels; 0 where the image cannot be read.
  std::int32_t left = 0, top = 0;
  std::uint32_t width = 0, height = 0;
  float rotation_degrees = 0;  ///< Clockwise.
  bool flipped_horizontally = false, flipped_vertically = false;
  bool operator==(const ArtworkReference&) const = default;
};

/// A node of the tree of layers. A layer that masks several others has a node for each.
struct ArtworkLayer {
  std::string name;
  std::int32_t parent = -1;  ///< Index of its group or of the layer it masks, which precedes it; -1: none.
  LayerKind kind = LayerKind::layer;
  LayerUse use = LayerUse::drawn;
  bool visible = true;  ///< In the artwork, whatever was chosen.
  bool drawn = true;    ///< Chosen. It shows where all of its parents are drawn, too.
  float opacity = 1;    ///< 0 to 1; a frame may have its own.
  BlendMode blend = BlendMode::normal;
  Rgba tag_color{};                             ///< Mark in the artist's list of layers; alpha 0: none.
  bool expanded = true;                         ///< Group that is open in that list.
  std::optional<ArtworkReference> reference{};  ///< Only of a reference layer.
  bool operator==(const ArtworkLayer&) const = default;
};

enum class TagDirection : std::uint8_t {
  forward,
  backward,
  ping_pong  ///< Forward and back, each end once: A B C B.
};

/// A named range of frames: an animation.
struct ArtworkTag {
  std::string name;
  std::uint32_t first_frame = 0, last_frame = 0;  ///< Both inclusive.
  TagDirection direction = TagDirection::forward;
  std::uint32_t repeats = 0;  ///< Number of plays; 0: forever.
  bool enabled = true;
  Rgba color{};
  std::uint32_t clip = 0;  ///< The clip made of it.
  bool operator==(const ArtworkTag&) const = default;
};

/// The tiles of tilemaps.
struct ArtworkTileset {
  std::string name;
  std::uint32_t tile_width = 0, tile_height = 0;  ///< Pixels.
  std::uint32_t tile_count = 0;
  std::uint32_t columns = 0;             ///< Tiles in each row of the image.
  std::optional<std::uint32_t> image{};  ///< Index of a character's image; absent where there are no pixels.
  bool operator==(const ArtworkTileset&) const = default;
};

enum class SymmetryKind : std::uint8_t { mirror, rotate };

/// A line or point about which strokes were repeated while drawing. It is not drawn.
struct ArtworkSymmetry {
  SymmetryKind kind = SymmetryKind::mirror;
  bool enabled = false;
  float x = 0, y = 0;  ///< Pixels from the canvas's top left corner.
  float rotation_degrees = 0;
  std::uint32_t segments = 0;
  Rgba color{};
  bool operator==(const ArtworkSymmetry&) const = default;
};

enum class GuideKind : std::uint8_t { grid, isometric, perspective };

/// A vanishing point of a perspective guide.
struct ArtworkVanishingPoint {
  float x = 0, y = 0;  ///< Pixels from the canvas's top left corner.
  std::uint32_t lines = 0;
  Rgba color{};
  bool operator==(const ArtworkVanishingPoint&) const = default;
};

/// Lines for alignment. They are not drawn.
struct ArtworkGuide {
  GuideKind kind = GuideKind::grid;
  std::uint32_t cell_width = 0, cell_height = 0;  ///< Pixels; 0 in a perspective.
  Rgba color{};                                   ///< Unused in a perspective, whose points have their own.
  std::vector<ArtworkVanishingPoint> points{};    ///< Only of a perspective.
  bool visible = false;
  bool operator==(const ArtworkGuide&) const = default;
};

/// The checker behind the canvas. It is not drawn.
struct ArtworkCanvasGrid {
  std::uint32_t cell_width = 0, cell_height = 0;  ///< Pixels.
  Rgba first_color{}, second_color{};
  bool operator==(const ArtworkCanvasGrid&) const = default;
};

/// A pixel artwork, its lists in file order but for the layers. No file that is written keeps it.
struct Artwork {
  std::uint32_t width = 0, height = 0;    ///< Canvas, in pixels. Its center is the character's origin.
  bool indexed = false;                   ///< The pixels are indices into the palette.
  std::vector<std::uint32_t> frame_ms{};  ///< Duration of each frame, before `speed`.
  double speed = 1;                       ///< Factor of the rate; the clips' times include it.
  std::vector<ArtworkLayer> layers{};     ///< From top to bottom: masks and groups' layers follow their parents.
  std::vector<ArtworkTag> tags{};
  std::optional<std::uint32_t> whole_clip{};  ///< The clip of all frames.
  std::vector<ArtworkTileset> tilesets{};
  std::vector<Rgba> palette{};
  std::vector<ArtworkSymmetry> symmetry_lines{};
  std::optional<ArtworkGuide> guide{};
  std::optional<ArtworkCanvasGrid> canvas_grid{};
  bool operator==(const Artwork&) const = default;
};

/// Shows or hides one layer, whatever else is chosen.
struct LayerOverride {
  std::uint32_t layer = 0;  ///< Index into Artwork::layers, whose order does not depend on the choice.
  bool drawn = true;
  bool operator==(const LayerOverride&) const = default;
};

/// The layers of an artwork to draw. Reference layers are drawn only where `names` or `overrides` have them.
struct LayerChoice {
  /// The layers that are drawn before the overrides apply.
  enum class Which : std::uint8_t {
    visible,
    all,   ///< Hidden ones, too.
    named  ///< Those of `names`, each with its groups and the visible part of its own layers and masks.
  };
  Which which = Which::visible;
  std::vector<std::string> names{};        ///< A name that no layer has is a warning.
  std::vector<LayerOverride> overrides{};  ///< The last one for a layer counts; those for no layer do nothing.
  bool operator==(const LayerChoice&) const = default;
};

/// Return a value's name for people, such as "soft light" or "ping-pong".
/// @{
[[nodiscard]] std::string_view name_of(BlendMode mode) noexcept;
[[nodiscard]] std::string_view name_of(LayerKind kind) noexcept;
[[nodiscard]] std::string_view name_of(LayerUse use) noexcept;
[[nodiscard]] std::string_view name_of(SymmetryKind kind) noexcept;
[[nodiscard]] std::string_view name_of(GuideKind kind) noexcept;
[[nodiscard]] std::string_view name_of(TagDirection direction) noexcept;
/// @}

}  // namespace pchr
