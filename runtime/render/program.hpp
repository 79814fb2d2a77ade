// SPDX-License-Identifier: MIT
// The shader programs.
#pragma once

#include "render/gl.hpp"

#include <array>
#include <cstddef>
#include <expected>

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

/// A program and where its uniforms are.
struct Program {
  GLuint name = 0;
  GLint bones_per_row = -1, world_to_clip = -1, world_to_view = -1;
};

/// What a program can do. One that does less is faster, and gives the same where that is enough.
struct ProgramKind {
  bool smooth = false;           ///< Blends neighboring rows.
  bool many_influences = false;  ///< Four bones per vertex, not one. Those of 3D characters always can.
  bool is_3d = false;

  static constexpr std::size_t kCount = 6;
  [[nodiscard]] std::size_t number() const noexcept {
    return is_3d ? (smooth ? 5U : 4U) : (smooth ? 2U : 0U) + (many_influences ? 1U : 0U);
  }
};

/// By ProgramKind::number().
using Programs = std::array<Program, ProgramKind::kCount>;

/// Compiles all kinds into `programs`, which own what was made also where this fails.
[[nodiscard]] std::expected<void, RenderError> build_programs(const Gl& gl, BlendSpace space, Programs& programs);
void delete_programs(const Gl& gl, Programs& programs) noexcept;

}  // namespace pchr
