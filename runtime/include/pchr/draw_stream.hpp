// SPDX-License-Identifier: MIT
// What a renderer would draw, recorded as plain data: for other graphics APIs, servers and tests. No OpenGL.
#pragma once

#include <pchr/appearance.hpp>
#include <pchr/character.hpp>
#include <pchr/pose.hpp>
#include <pchr/skin.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace PCHR_API pchr {

/// A skinned vertex: 20 bytes.
struct StreamVertex {
  float x = 0, y = 0;                    ///< World pixels.
  float u = 0, v = 0;                    ///< v = 0 is the image's top row.
  std::array<std::uint8_t, 4> colour{};  ///< Tints and opacity as RGBA, premultiplied by alpha.
  bool operator==(const StreamVertex&) const = default;
};
static_assert(sizeof(StreamVertex) == 20);

/// A run of triangles of one image.
struct StreamCommand {
  std::uint32_t source = 0;  ///< As given to record(): whose image it is.
  std::uint32_t image = 0;   ///< Of the character's images; from their count on, of the skin's.
  std::uint32_t first_index = 0;
  std::uint32_t index_count = 0;  ///< A multiple of 3.
  bool operator==(const StreamCommand&) const = default;
};

/// Triangles back to front. Draw the commands in their order: the image's pixel (premultiplied, as from decode()) times
/// the vertex colour, blended by ONE, ONE_MINUS_SRC_ALPHA. Neither side of a triangle is culled.
struct DrawStream {
  std::vector<StreamVertex> vertices;
  std::vector<std::uint32_t> indices;  ///< Into `vertices`.
  std::vector<StreamCommand> commands;

  /// Forgets everything but its memory.
  void clear() noexcept;
};

/// Appends one character: `posed.draw_list` in its order, dressed in `skin` (which must fit the character) unless it is
/// null. Neighbours of the same source and image become one command, so give a number of its own as `source` to
/// each character and skin whose images differ. Allocates nothing once the stream is large enough.
void record(const Character& character, const PosedCharacter& posed, const Appearance& appearance, const SkinData* skin,
            DrawStream& stream, std::uint32_t source = 0);

}  // namespace pchr
