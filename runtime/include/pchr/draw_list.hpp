// SPDX-License-Identifier: MIT
// Draw lists, skins, and draw streams: plain data, computed without OpenGL. A draw stream has the triangles themselves,
// for other graphics APIs, servers and tests.
//
//   pchr::SkinData winter{"winter", {}, {}};
//   pchr::part_of(winter, hero.find_mesh("scarf")).tint = {0.4F, 0.6F, 1, 1};
//   pchr::DrawStream triangles;
//   pchr::append_draw_stream(hero, posed, {pchr::placement({200, 0})}, &winter, triangles);
#pragma once

#include <pchr/image.hpp>

#include <array>

namespace PCHR_API pchr {

struct PoseBuffers;

/// A mesh to be drawn.
struct DrawItem {
  MeshId mesh{};
  float opacity = 1;                      ///< Of the mesh's governing bone.
  std::array<float, 4> tint{1, 1, 1, 1};  ///< Of this mesh alone, straight RGBA.
  ImageId image = ImageId::none;          ///< In place of the mesh's own; see SkinPart::image.
};

/// Visible meshes, back to front. Edit it before it is drawn to take meshes out or tint them; see also apply_skin().
using DrawList = std::vector<DrawItem>;

/// Lists the meshes whose governing bone is visible, by its z_order, file order among equals. Fastest where `out` still
/// has the same meshes in the same order.
void build_draw_list(const Character& character, const PoseView& pose, DrawList& out);

/// Writes the draw list as text, one line per mesh, hidden meshes last; for logs and golden files.
[[nodiscard]] std::string describe(const Character& character, const PoseView& pose, const DrawList& list);

/// The placement and color of one character.
struct Appearance {
  Affine placement = kIdentity;           ///< Character to world.
  std::array<float, 4> tint{1, 1, 1, 1};  ///< Straight RGBA, 0..1 in steps of 1/255, multiplied into every pixel.
};

/// Returns the placement of a character at `position` (world pixels), rotated counter-clockwise, scaled, and with
/// `flip_x` mirrored before it is rotated. The same bits on every machine.
[[nodiscard]] Affine placement(Vec2 position, float rotation_degrees = 0, float scale = 1,
                               bool flip_x = false) noexcept;

/// The changes of a skin to one mesh.
struct SkinPart {
  bool visible = true;                    ///< False hides the mesh; true leaves that to the clip.
  std::array<float, 4> tint{1, 1, 1, 1};  ///< Straight RGBA, multiplied into every pixel of the mesh.
  ImageId image = ImageId::none;          ///< Of the character or from add_image(); `none` for the mesh's own.
};

/// A named set of replacements for one character.
struct SkinData {
  std::string name;
  std::vector<Bitmap> images;   ///< Of any size: texture coordinates span the whole of it.
  std::vector<SkinPart> parts;  ///< By mesh. Meshes beyond the last are as they are.
};

/// Returns the part of a mesh, which is added if need be.
[[nodiscard]] SkinPart& part_of(SkinData& skin, MeshId mesh);

/// Adds a replacement image and returns its id, for SkinPart::image.
[[nodiscard]] ImageId add_image(SkinData& skin, const Character& character, Bitmap image);

/// Returns why `skin` does not fit `character`, in a sentence; nothing where it does.
[[nodiscard]] std::optional<std::string> validate_skin(const SkinData& skin, const Character& character);

/// Returns `item` with `skin` applied, which must fit its character; nothing where the skin hides it.
[[nodiscard]] std::optional<DrawItem> apply_skin(const SkinData& skin, DrawItem item) noexcept;

/// Takes out the meshes that `skin` hides, multiplies tints and sets images.
void apply_skin(const SkinData& skin, DrawList& list);

/// A skinned vertex: 20 bytes.
struct StreamVertex {
  float x = 0, y = 0;                   ///< World pixels.
  float u = 0, v = 0;                   ///< v = 0 is the image's top row.
  std::array<std::uint8_t, 4> color{};  ///< Tints and opacity as RGBA, premultiplied by alpha.
  bool operator==(const StreamVertex&) const = default;
};
static_assert(sizeof(StreamVertex) == 20);

/// A run of triangles of one image.
struct StreamCommand {
  std::uint32_t source = 0;  ///< As given to append_draw_stream(): whose image it is.
  ImageId image{};           ///< Of the character; from the count of its images on, of the skin.
  std::uint32_t first_index = 0;
  std::uint32_t index_count = 0;  ///< A multiple of 3.
  bool operator==(const StreamCommand&) const = default;
};

/// Triangles back to front. Draw the commands in order: the image's pixel (premultiplied, as from decode()) times the
/// vertex color, blended by ONE, ONE_MINUS_SRC_ALPHA, without culling.
struct DrawStream {
  std::vector<StreamVertex> vertices;
  std::vector<std::uint32_t> indices;  ///< Into `vertices`.
  std::vector<StreamCommand> commands;

  /// Empties it, but keeps its memory.
  void clear() noexcept;
};

/// Appends one character: `posed.draw_list` with `skin`, which must fit the character or be null. Neighbors of the same
/// source and image become one command: give a `source` of its own to each character and skin whose images differ.
/// Allocates nothing once the stream is large enough.
void append_draw_stream(const Character& character, const PoseBuffers& posed, const Appearance& appearance,
                        const SkinData* skin, DrawStream& stream, std::uint32_t source = 0);

}  // namespace pchr
