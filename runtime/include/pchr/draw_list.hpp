// SPDX-License-Identifier: MIT
// Draw lists, skins and draw streams: plain data, computed without OpenGL. A draw stream holds skinned triangles, for
// other graphics APIs, servers and tests.
//
//   pchr::SkinData winter{"winter", {}, {}};
//   pchr::part_of(winter, hero.find_mesh("scarf")).tint = {0.4F, 0.6F, 1, 1};
//   pchr::DrawStream triangles;
//   pchr::append_draw_stream(hero, posed, {{pchr::placement({200, 0})}, &winter}, triangles);
#pragma once

#include <pchr/image.hpp>

#include <array>

namespace PCHR_API pchr {

struct PoseBuffers;
struct SceneView;

/// How drawn pixels combine with what is behind them.
enum class Blend : std::uint8_t {
  normal,    ///< Covers it.
  add,       ///< Adds light to it: fire, glows. Leaves the framebuffer's alpha unchanged.
  multiply,  ///< Darkens it: shadows, stains. Draws nothing on transparent parts of the framebuffer.
  screen     ///< Brightens it, less where it is bright already: fog, reflections.
};

/// A mesh to draw. Its colors apply before those of its character; see Appearance.
struct DrawItem {
  MeshId mesh{};
  float opacity = 1;                      ///< Opacity of the mesh's governing bone.
  std::array<float, 4> tint{1, 1, 1, 1};  ///< Straight RGBA tint for this mesh only.
  ImageId image = ImageId::none;          ///< Replaces the mesh's image; see SkinPart::image. `none` keeps it.
  std::array<float, 3> dark_tint{};
  std::array<float, 3> additive{};
  Blend blend = Blend::normal;  ///< Replaces that of the character, unless normal.
};

/// Visible meshes, back to front. Edit it before drawing to remove or tint meshes; see also apply_skin().
using DrawList = std::vector<DrawItem>;

/// Lists the meshes whose governing bone is visible, by its z_order. Ties keep file order. Fastest if `out` already has
/// the same meshes in the same order.
void build_draw_list(const Character& character, const PoseView& pose, DrawList& out);

/// Formats a draw list as text, one line per mesh with hidden meshes last, for logs and golden files.
[[nodiscard]] std::string describe(const Character& character, const PoseView& pose, const DrawList& list);

/// A place in a draw order: directly in front of or behind a mesh.
struct DrawPlace {
  MeshId mesh = MeshId::none;  ///< `none` is in front of or behind all meshes.
  bool behind = false;
};

/// Returns where `place` is in `posed.draw_list`: the index of the first item in front of it, or the number of items. A
/// mesh that is not in the list, such as a hidden one, has the place that its governing bone's z_order gives it.
[[nodiscard]] std::size_t find_place(const Character& character, const PoseBuffers& posed, DrawPlace place) noexcept;

/// Placement and look of one character. Colors are straight, 0..1 in steps of 1/255. They turn a straight `color` of
/// the image into min(tint * color + dark_tint * (1 - color) + additive, 1). In BlendSpace::linear they are decoded
/// first. The alpha of `tint` multiplies the pixel's alpha.
struct Appearance {
  Affine placement = kIdentity;           ///< From character space to world space.
  std::array<float, 4> tint{1, 1, 1, 1};  ///< What white becomes, and opacity.
  std::array<float, 3> dark_tint{};       ///< What black becomes.
  std::array<float, 3> additive{};        ///< Added to every color, as for a hit flash.
  std::array<float, 2> effect{};          ///< For RendererOptions::fragment_main, 0..1.
  float depth = 0;                        ///< For DepthMode, from -1 (near) to 1 (far).
  Blend blend = Blend::normal;
};

/// Returns `appearance` combined with the colors, opacity and blend mode of `item`: what the item is drawn with.
[[nodiscard]] Appearance combine(const Appearance& appearance, const DrawItem& item) noexcept;

/// Returns the transform that mirrors (if `flip_x`), scales, rotates counter-clockwise, then moves to `position` in
/// world pixels. Gives the same bits on every machine.
[[nodiscard]] Affine placement(Vec2 position, float rotation_degrees = 0, float scale = 1,
                               bool flip_x = false) noexcept;

/// Changes that a skin makes to one mesh.
struct SkinPart {
  bool visible = true;                    ///< False hides the mesh. True lets the clip decide.
  std::array<float, 4> tint{1, 1, 1, 1};  ///< Straight RGBA. Multiplies every pixel of the mesh.
  ImageId image = ImageId::none;     ///< An image of the character or from add_image(). `none` keeps the mesh's image.
  std::array<float, 3> dark_tint{};  ///< See Appearance.
  std::array<float, 3> additive{};   ///< See Appearance.
  Blend blend = Blend::normal;       ///< Replaces that of the instance, unless normal.
  bool operator==(const SkinPart&) const = default;
};

/// A named set of changes to one character.
struct SkinData {
  std::string name;
  std::vector<Bitmap> images;   ///< Any size. Texture coordinates span the whole image.
  std::vector<SkinPart> parts;  ///< One per mesh. Meshes past the end are unchanged.
};

/// Returns the part for `mesh`, adding it if necessary.
[[nodiscard]] SkinPart& part_of(SkinData& skin, MeshId mesh);

/// Adds a replacement image and returns its id for SkinPart::image.
[[nodiscard]] ImageId add_image(SkinData& skin, const Character& character, Bitmap image);

/// Returns why `skin` does not fit `character`, or nothing if it does.
[[nodiscard]] std::optional<std::string> validate_skin(const SkinData& skin, const Character& character);

/// Returns `item` with `skin` applied, or nothing if the skin hides it. The skin must fit the character.
[[nodiscard]] std::optional<DrawItem> apply_skin(const SkinData& skin, DrawItem item) noexcept;

/// Removes the meshes that `skin` hides, combines colors and replaces images.
void apply_skin(const SkinData& skin, DrawList& list);

/// A skinned vertex: 20 bytes.
struct StreamVertex {
  float x = 0, y = 0;                   ///< World pixels.
  float u = 0, v = 0;                   ///< v = 0 is the top row of the image.
  std::array<std::uint8_t, 4> color{};  ///< Tint and opacity as premultiplied RGBA.
  bool operator==(const StreamVertex&) const = default;
};
static_assert(sizeof(StreamVertex) == 20);

/// More colors of a skinned vertex, premultiplied like its color: 8 bytes. With them, and `texel` as the image's
/// premultiplied pixel, the color of a pixel is
///   rgb: min(texel.rgb * color.rgb + (texel.a - texel.rgb) * dark.rgb + texel.a * additive.rgb, texel.a * dark.a)
///   alpha: texel.a * color.a
struct StreamLook {
  std::array<std::uint8_t, 4> dark{};      ///< Appearance::dark_tint, then the opacity.
  std::array<std::uint8_t, 4> additive{};  ///< Appearance::additive, then 0.
  bool operator==(const StreamLook&) const = default;
};
static_assert(sizeof(StreamLook) == 8);

/// A range of triangles drawn with one image and one way to blend.
struct StreamCommand {
  std::uint32_t source = 0;  ///< StreamOptions::source. Identifies whose image to use.
  ImageId image{};           ///< An image of the character. Ids past its images refer to the skin's.
  std::uint32_t first_index = 0;
  std::uint32_t index_count = 0;  ///< A multiple of 3.
  /// Blend normal with ONE, ONE_MINUS_SRC_ALPHA; multiply with DST_COLOR, ONE_MINUS_SRC_ALPHA; screen with ONE,
  /// ONE_MINUS_SRC_COLOR. Never `add`, which is normal with a vertex color whose alpha is 0.
  Blend blend = Blend::normal;
  bool operator==(const StreamCommand&) const = default;
};

/// Triangles, back to front. Draw the commands in order, without culling: multiply the image's premultiplied pixel (see
/// decode()) by the vertex color, and blend as StreamCommand::blend says.
struct DrawStream {
  std::vector<StreamVertex> vertices;
  std::vector<std::uint32_t> indices;  ///< Into `vertices`.
  std::vector<StreamCommand> commands;

  /// Fills `vertices_3d` as well: one element per vertex, with its z in world space and its normal there, of unit
  /// length and not flipped by a placement that mirrors. 2D characters have z 0 and face the viewer. Set it while the
  /// stream is empty.
  bool with_3d = false;
  std::vector<Vertex3D> vertices_3d{};

  /// Fills `looks` as well: one element per vertex. Without it, dark tints and additive colors are ignored. Set it
  /// while the stream is empty.
  bool with_looks = false;
  std::vector<StreamLook> looks{};

  /// Removes everything but keeps the memory.
  void clear() noexcept;
};

/// Options for append_draw_stream().
struct StreamOptions {
  Appearance appearance{};
  const SkinData* skin = nullptr;  ///< A skin that fits the character, or null.
  std::uint32_t source = 0;        ///< Your number for the character and its skin, if images differ between sources.
  /// Draws these items instead of `posed.draw_list`: part of it, or a list of your own. To place something between two
  /// meshes, append the parts before and after it; see find_place().
  std::optional<std::span<const DrawItem>> items{};
  /// Leaves out meshes that this camera does not see. Meshes slightly outside its view can remain.
  std::optional<Camera> camera{};
  /// Does the same for a view of a 3D scene.
  const SceneView* scene = nullptr;
  /// Decodes colors to linear light before premultiplying them, for sRGB textures and framebuffers that blend light.
  bool linear_light = false;
  std::uint32_t max_vertices = 0xFFFFFFFF;  ///< Limit for the whole stream, not only for this character.
  std::uint32_t max_indices = 0xFFFFFFFF;   ///< The same for its indices.
};

/// Appends a posed character. Returns false, and appends nothing, if the stream would exceed a maximum. Consecutive
/// triangles with the same source, image and blend mode share a command. Does not allocate once the stream is large
/// enough.
bool append_draw_stream(const Character& character, const PoseBuffers& posed, const StreamOptions& options,
                        DrawStream& stream);

}  // namespace pchr
