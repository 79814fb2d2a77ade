// SPDX-License-Identifier: MIT
// What a pixel artwork was made of: its layers, tags, tilesets, palette and drawing aids, and the choice of layers that
// are drawn.
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

/// A color of 8 bits each, straight alpha.
struct Rgba {
  std::uint8_t red = 0, green = 0, blue = 0, alpha = 0;
  bool operator==(const Rgba&) const = default;
};

/// How a layer's colors meet those below, by the formulas of the W3C's Compositing and Blending.
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

/// As a person reads it, such as "soft light".
[[nodiscard]] std::string_view name_of(BlendMode mode) noexcept;

enum class LayerKind : std::uint8_t {
  layer,
  group,
  tilemap,
  reference  ///< A picture to draw from: drawn only where it is asked for by itself.
};

/// As a person reads it, such as "tilemap".
[[nodiscard]] std::string_view name_of(LayerKind kind) noexcept;

/// What a layer does for its parent.
enum class LayerUse : std::uint8_t {
  drawn,
  clipping_mask,  ///< Painted onto its parent, within what that covers.
  cropping_mask   ///< Its parent is seen only where it is.
};

/// As a person reads it, such as "clipping mask".
[[nodiscard]] std::string_view name_of(LayerUse use) noexcept;

/// The picture of a reference layer and where it lies. `left` to `height` are pixels of the canvas, from its top left;
/// the picture fills them before it is rotated about their center.
struct ArtworkReference {
  std::uint32_t image_width = 0, image_height = 0;  ///< Pixels of the picture; 0 where it cannot be read.
  std::int32_t left = 0, top = 0;
  std::uint32_t width = 0, height = 0;
  float rotation_degrees = 0;  ///< Clockwise.
  bool flipped_horizontally = false, flipped_vertically = false;
  bool operator==(const ArtworkReference&) const = default;
};

/// An entry of the tree of layers. A layer that masks several others is there once for each.
struct ArtworkLayer {
  std::string name;
  std::int32_t parent = -1;  ///< Index of the group it is in, or of the layer it masks: an earlier one. -1: none.
  LayerKind kind = LayerKind::layer;
  LayerUse use = LayerUse::drawn;
  bool visible = true;  ///< As the artist left it, whatever was chosen to be drawn.
  bool drawn = true;    ///< Whether it was chosen. It is seen if all of its parents are drawn, too.
  float opacity = 1;    ///< 0 to 1; a frame may have its own.
  BlendMode blend = BlendMode::normal;
  Rgba tag_color{};                             ///< The artist's mark in the list of layers; alpha 0: none.
  bool expanded = true;                         ///< Of a group: whether the artist's list shows what is in it.
  std::optional<ArtworkReference> reference{};  ///< Only of a reference layer.
  bool operator==(const ArtworkLayer&) const = default;
};

enum class TagDirection : std::uint8_t {
  forward,
  backward,
  ping_pong  ///< There and back, each end once: A B C B.
};

/// As a person reads it, such as "ping-pong".
[[nodiscard]] std::string_view name_of(TagDirection direction) noexcept;

/// A run of frames with a name: an animation.
struct ArtworkTag {
  std::string name;
  std::uint32_t first_frame = 0, last_frame = 0;  ///< The last is part of it.
  TagDirection direction = TagDirection::forward;
  std::uint32_t repeats = 0;  ///< How often it plays; 0: for ever.
  bool enabled = true;
  Rgba color{};
  std::uint32_t clip = 0;  ///< The clip that it became.
  bool operator==(const ArtworkTag&) const = default;
};

/// Pictures of one size from which tilemaps are laid.
struct ArtworkTileset {
  std::string name;
  std::uint32_t tile_width = 0, tile_height = 0;  ///< Pixels.
  std::uint32_t tile_count = 0;
  std::uint32_t columns = 0;             ///< Tiles in a row of the image, which goes on with the next row.
  std::optional<std::uint32_t> image{};  ///< Of the character's images; absent where there are no pixels to show.
  bool operator==(const ArtworkTileset&) const = default;
};

enum class SymmetryKind : std::uint8_t { mirror, rotate };

/// As a person reads it, such as "mirror".
[[nodiscard]] std::string_view name_of(SymmetryKind kind) noexcept;

/// A line or point about which strokes were repeated while drawing. Nothing is drawn of it.
struct ArtworkSymmetry {
  SymmetryKind kind = SymmetryKind::mirror;
  bool enabled = false;
  float x = 0, y = 0;  ///< Pixels of the canvas, from its top left.
  float rotation_degrees = 0;
  std::uint32_t segments = 0;
  Rgba color{};
  bool operator==(const ArtworkSymmetry&) const = default;
};

enum class GuideKind : std::uint8_t { grid, isometric, perspective };

/// As a person reads it, such as "isometric".
[[nodiscard]] std::string_view name_of(GuideKind kind) noexcept;

/// A vanishing point of a perspective guide.
struct ArtworkVanishingPoint {
  float x = 0, y = 0;  ///< Pixels of the canvas, from its top left.
  std::uint32_t lines = 0;
  Rgba color{};
  bool operator==(const ArtworkVanishingPoint&) const = default;
};

/// The lines that helped the artist to align things. Nothing is drawn of them.
struct ArtworkGuide {
  GuideKind kind = GuideKind::grid;
  std::uint32_t cell_width = 0, cell_height = 0;  ///< Pixels; 0 in a perspective.
  Rgba color{};                                   ///< Not of a perspective: each of its points has one.
  std::vector<ArtworkVanishingPoint> points{};    ///< Only of a perspective.
  bool visible = false;
  bool operator==(const ArtworkGuide&) const = default;
};

/// The checker behind the canvas. Nothing is drawn of it.
struct ArtworkCanvasGrid {
  std::uint32_t cell_width = 0, cell_height = 0;  ///< Pixels.
  Rgba first_color{}, second_color{};
  bool operator==(const ArtworkCanvasGrid&) const = default;
};

/// What a pixel artwork was made of. No form that is written keeps it.
struct Artwork {
  std::uint32_t width = 0, height = 0;        ///< Of the canvas, pixels. Its center is the character's origin.
  bool indexed = false;                       ///< Its pixels are indices into the palette.
  std::vector<std::uint32_t> frame_ms{};      ///< How long each frame lasts, before `speed`.
  double speed = 1;                           ///< What the artist multiplies the rate by; the clips' times have it in.
  std::vector<ArtworkLayer> layers{};         ///< From top to bottom: masks and groups' layers follow their parents.
  std::vector<ArtworkTag> tags{};             ///< In the order of the file.
  std::optional<std::uint32_t> whole_clip{};  ///< The clip of all frames.
  std::vector<ArtworkTileset> tilesets{};     ///< In the order of the file.
  std::vector<Rgba> palette{};                ///< In the order of the file.
  std::vector<ArtworkSymmetry> symmetry_lines{};
  std::optional<ArtworkGuide> guide{};
  std::optional<ArtworkCanvasGrid> canvas_grid{};
  bool operator==(const Artwork&) const = default;
};

/// Shows or hides one layer, whatever else is chosen.
struct LayerOverride {
  std::uint32_t layer = 0;  ///< Of Artwork::layers, which has the same order whatever is chosen.
  bool drawn = true;
  bool operator==(const LayerOverride&) const = default;
};

/// Which layers of an artwork are drawn. Reference layers are drawn only where `names` or `overrides` have them.
struct LayerChoice {
  /// What is drawn before the overrides.
  enum class Which : std::uint8_t {
    visible,  ///< Those that the artist left visible.
    all,      ///< Hidden ones, too.
    named     ///< Those of `names`, each with the groups it is in and what is visible of its own layers and masks.
  };
  Which which = Which::visible;
  std::vector<std::string> names{};        ///< A name that no layer has is a warning.
  std::vector<LayerOverride> overrides{};  ///< The last of several for a layer counts; those of no layer do nothing.
  bool operator==(const LayerChoice&) const = default;
};

}  // namespace pchr
