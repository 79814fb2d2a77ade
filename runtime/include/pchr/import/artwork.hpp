// SPDX-License-Identifier: MIT
// The parts of a pixel artwork (layers, tags, tilesets, palette, drawing aids), and the selection of layers to draw.
//
//   const auto loaded = pchr::import_character("hero.aseprite");
//   if (!loaded || !loaded->artwork) return;
//   for (const pchr::ArtworkLayer& layer : loaded->artwork->layers) std::puts(layer.name.c_str());
#pragma once

#include <pchr/api.hpp>

#include <array>
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

/// How a layer blends with those below. W3C Compositing and Blending defines all but the last three, which only
/// Aseprite has. Each editor's artworks are drawn with its own arithmetic.
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
  luminosity,
  addition,
  subtract,
  divide
};
/// Number of blend modes.
inline constexpr std::uint32_t kBlendModes = 19;

/// Kind of a layer.
enum class LayerKind : std::uint8_t {
  layer,
  group,
  tilemap,
  reference  ///< An image to draw from. Only drawn if selected explicitly.
};

/// Role of a layer within its parent.
enum class LayerUse : std::uint8_t {
  drawn,
  clipping_mask,  ///< Painted onto the parent, within the parent's pixels.
  cropping_mask   ///< Limits the parent to the mask's pixels.
};

/// Image of a reference layer. It fills the rectangle `left`, `top`, `width`, `height` (pixels from the canvas's top
/// left corner), then rotates around the rectangle's center.
struct ArtworkReference {
  std::uint32_t image_width = 0, image_height = 0;  ///< Pixels; 0 if the image cannot be read.
  std::int32_t left = 0, top = 0;
  std::uint32_t width = 0, height = 0;
  float rotation_degrees = 0;  ///< Clockwise.
  bool flipped_horizontally = false, flipped_vertically = false;
  bool operator==(const ArtworkReference&) const = default;
};

/// Node of the layer tree. A layer that masks several others has a node for each.
struct ArtworkLayer {
  std::string name;
  std::int32_t parent = -1;  ///< Index of its group or of the layer it masks; always lower. -1 if none.
  LayerKind kind = LayerKind::layer;
  LayerUse use = LayerUse::drawn;
  bool visible = true;  ///< Visibility in the artwork, regardless of the selection.
  bool drawn = true;    ///< Whether it is selected. It shows only if all of its parents are drawn.
  float opacity = 1;    ///< 0 to 1. Frames can override it.
  BlendMode blend = BlendMode::normal;
  Rgba tag_color{};                             ///< Color label in the editor's layer list; alpha 0 if none.
  bool expanded = true;                         ///< Whether a group is open in that list.
  std::optional<ArtworkReference> reference{};  ///< Reference layers of Pixquare only.
  std::string user_text{};                      ///< Text that the artist attached in Aseprite.
  bool operator==(const ArtworkLayer&) const = default;
};

/// Playback direction of a tag.
enum class TagDirection : std::uint8_t {
  forward,
  backward,
  ping_pong,          ///< Forward and back, without repeating the ends: A B C B.
  ping_pong_backward  ///< Backward and forth: C B A B.
};

/// Named range of frames: an animation.
struct ArtworkTag {
  std::string name;
  std::uint32_t first_frame = 0, last_frame = 0;  ///< Both inclusive.
  TagDirection direction = TagDirection::forward;
  std::uint32_t repeats = 0;  ///< Number of plays, in Aseprite of passes in one direction; 0 loops forever.
  bool enabled = true;
  Rgba color{};
  std::uint32_t clip = 0;   ///< Index of its clip.
  std::string user_text{};  ///< Text that the artist attached in Aseprite.
  bool operator==(const ArtworkTag&) const = default;
};

/// Set of tiles that tilemaps use.
struct ArtworkTileset {
  std::string name;
  std::uint32_t tile_width = 0, tile_height = 0;  ///< Pixels.
  std::uint32_t tile_count = 0;
  std::uint32_t columns = 0;             ///< Tiles per row of the image.
  std::optional<std::uint32_t> image{};  ///< Index of the character's image, if there are pixels.
  std::string user_text{};               ///< Text that the artist attached in Aseprite.
  bool operator==(const ArtworkTileset&) const = default;
};

/// Part of an image, in pixels.
struct ArtworkArea {
  std::int32_t left = 0, top = 0;
  std::uint32_t width = 0, height = 0;
  bool operator==(const ArtworkArea&) const = default;
};

/// Place of a slice from one frame on.
struct ArtworkSliceKey {
  std::uint32_t first_frame = 0;
  ArtworkArea area{};                   ///< On the canvas. A width or height of 0 hides the slice.
  std::optional<ArtworkArea> center{};  ///< Nine-patch: the part that stretches, from the slice's top left corner.
  std::optional<std::array<std::int32_t, 2>> pivot{};  ///< Right and down from that corner.
  bool operator==(const ArtworkSliceKey&) const = default;
};

/// Named area of the canvas, of an Aseprite artwork.
struct ArtworkSlice {
  std::string name;
  Rgba color{};
  std::string user_text{};
  std::vector<ArtworkSliceKey> keys{};  ///< In file order.
  bool operator==(const ArtworkSlice&) const = default;
};

/// What an artist attached to a layer's content in one frame, in Aseprite.
struct ArtworkCelNote {
  std::uint32_t layer = 0, frame = 0;  ///< Index into Artwork::layers; frame of the artwork.
  std::string user_text{};
  Rgba color{};
  bool operator==(const ArtworkCelNote&) const = default;
};

/// Kind of symmetry.
enum class SymmetryKind : std::uint8_t { mirror, rotate };

/// Line or point that mirrored or rotated strokes while drawing. Not drawn.
struct ArtworkSymmetry {
  SymmetryKind kind = SymmetryKind::mirror;
  bool enabled = false;
  float x = 0, y = 0;  ///< Pixels from the canvas's top left corner.
  float rotation_degrees = 0;
  std::uint32_t segments = 0;
  Rgba color{};
  bool operator==(const ArtworkSymmetry&) const = default;
};

/// Kind of a guide.
enum class GuideKind : std::uint8_t { grid, isometric, perspective };

/// Vanishing point of a perspective guide.
struct ArtworkVanishingPoint {
  float x = 0, y = 0;  ///< Pixels from the canvas's top left corner.
  std::uint32_t lines = 0;
  Rgba color{};
  bool operator==(const ArtworkVanishingPoint&) const = default;
};

/// Guide lines for alignment. Not drawn.
struct ArtworkGuide {
  GuideKind kind = GuideKind::grid;
  std::uint32_t cell_width = 0, cell_height = 0;  ///< Pixels; 0 for a perspective guide.
  Rgba color{};                                   ///< Unused for a perspective guide, whose points have colors.
  std::vector<ArtworkVanishingPoint> points{};    ///< Perspective guides only.
  bool visible = false;
  bool operator==(const ArtworkGuide&) const = default;
};

/// Checkerboard behind the canvas. Not drawn.
struct ArtworkCanvasGrid {
  std::uint32_t cell_width = 0, cell_height = 0;  ///< Pixels.
  Rgba first_color{}, second_color{};
  bool operator==(const ArtworkCanvasGrid&) const = default;
};

/// Pixel artwork. All lists except `layers` are in file order. No output format stores it.
struct Artwork {
  std::uint32_t width = 0, height = 0;  ///< Size of the canvas in pixels.
  /// The character's origin, in pixels from the canvas's top left corner: the pivot of the first slice that has one in
  /// its first key, or else the canvas's center.
  std::int32_t origin_x = 0, origin_y = 0;
  bool indexed = false;                   ///< Whether pixels are indices into the palette.
  std::vector<std::uint32_t> frame_ms{};  ///< Duration of each frame in milliseconds, before `speed`.
  double speed = 1;                       ///< Speed factor. Clip times already include it.
  std::vector<ArtworkLayer> layers{};     ///< Top to bottom. Masks and members of groups follow their parents.
  std::vector<ArtworkTag> tags{};
  std::optional<std::uint32_t> whole_clip{};  ///< Index of the clip of all frames.
  /// For each clip, the frame of the artwork that each of its frames shows.
  std::vector<std::vector<std::uint32_t>> clip_frames{};
  std::vector<ArtworkTileset> tilesets{};
  std::vector<Rgba> palette{};
  std::vector<ArtworkSymmetry> symmetry_lines{};
  std::optional<ArtworkGuide> guide{};
  std::optional<ArtworkCanvasGrid> canvas_grid{};
  std::vector<ArtworkSlice> slices{};
  std::vector<ArtworkCelNote> cel_notes{};
  std::string user_text{};  ///< Text that the artist attached to the whole artwork in Aseprite.
  Rgba user_color{};        ///< Color that the artist attached to it.
  bool operator==(const Artwork&) const = default;
};

/// Shows or hides one layer, overriding the rest of the selection.
struct LayerOverride {
  std::uint32_t layer = 0;  ///< Index into Artwork::layers, whose order does not depend on the selection.
  bool drawn = true;
  bool operator==(const LayerOverride&) const = default;
};

/// Selection of layers to draw. Reference layers are only drawn if `names` or `overrides` include them.
struct LayerChoice {
  /// Base selection, before the overrides apply.
  enum class Which : std::uint8_t {
    visible,  ///< Layers that are visible in the artwork.
    all,      ///< All layers, including hidden ones.
    named     ///< The layers in `names`, with their parent groups and the visible layers and masks inside them.
  };
  Which which = Which::visible;
  std::vector<std::string> names{};        ///< Names without a layer cause a warning.
  std::vector<LayerOverride> overrides{};  ///< The last one for a layer wins. Invalid indices are ignored.
  bool operator==(const LayerChoice&) const = default;
};

/// Returns a readable name, such as "soft light" or "ping-pong".
/// @{
[[nodiscard]] std::string_view name_of(BlendMode mode) noexcept;
[[nodiscard]] std::string_view name_of(LayerKind kind) noexcept;
[[nodiscard]] std::string_view name_of(LayerUse use) noexcept;
[[nodiscard]] std::string_view name_of(SymmetryKind kind) noexcept;
[[nodiscard]] std::string_view name_of(GuideKind kind) noexcept;
[[nodiscard]] std::string_view name_of(TagDirection direction) noexcept;
/// @}

}  // namespace pchr
