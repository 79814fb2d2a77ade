// SPDX-License-Identifier: MIT
#pragma once

#include "render/gl.hpp"

#include <array>

namespace pchr {

constexpr GLuint kImageUnit = 0;
constexpr GLuint kPaletteUnit = 1;

/// Attribute locations in the vertex shader.
enum Attribute : GLuint {
  kPositionUv,
  kBones,
  kWeights,
  kPlacementColumns,
  kPlacementTranslation,
  kStraightTint,
  kRow,
  kDepthNormal
};

/// A program and its uniform locations.
struct Program {
  GLuint name = 0;
  GLint bones_per_row = -1, world_to_clip = -1, world_to_view = -1;
};

/// What a program supports. A program that supports less is faster and, where that suffices, gives the same result.
struct ProgramKind {
  bool smooth;           ///< Blends neighboring rows.
  bool many_influences;  ///< Four bones per vertex instead of one. Always set for 3D characters.
  bool is_3d;

  [[nodiscard]] std::size_t number() const noexcept {
    return (smooth ? 1U : 0U) + (many_influences || is_3d ? 2U : 0U) + (is_3d ? 4U : 0U);
  }
};

using Programs = std::array<Program, 8>;

/// Compiles all kinds into `programs`, which owns them even if this fails.
[[nodiscard]] Expected<void, RenderError> build_programs(const Gl& gl, BlendSpace space, Programs& programs);

}  // namespace pchr
