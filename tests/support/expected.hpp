// SPDX-License-Identifier: MIT
// Reads the independently computed values for a character of the conformance folder.
#pragma once

#include <pchr/geometry.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace pchr::test {

struct ExpectedMesh {
  std::vector<std::uint32_t> vertices;  ///< Indices of the listed vertices of the mesh.
  std::vector<Vec2> positions;          ///< Their skinned positions.
};

struct ExpectedFrame {
  std::string clip;
  std::uint32_t frame = 0;
  std::vector<Affine> world;  ///< World transforms of the first bones.
  std::vector<std::uint32_t> draw_order;
  Rect visible_bounds;
  std::vector<ExpectedMesh> meshes;
};

struct ExpectedPreview {
  std::filesystem::path file;
  std::string clip;
  std::uint32_t frame = 0;
  std::uint32_t width = 0, height = 0;
  float zoom = 1;
  Vec2 center{0.0F};
};

struct Expected {
  std::vector<std::string> bone_names;
  std::vector<std::int32_t> parents;
  std::vector<std::uint32_t> governing_bones;  ///< One per mesh.
  std::string bind_clip;
  std::vector<ExpectedFrame> frames;
  std::vector<ExpectedPreview> previews;
};

/// Reads NAME.expected.json.
[[nodiscard]] Expected read_expected(const std::filesystem::path& path);

/// Returns whether `value` is within 1e-4 of `expected` (relative) or 1e-3 (absolute), whichever is larger.
[[nodiscard]] bool agrees(float value, float expected);
[[nodiscard]] bool agrees(Vec2 value, Vec2 expected);
[[nodiscard]] bool agrees(const Affine& value, const Affine& expected);

}  // namespace pchr::test
