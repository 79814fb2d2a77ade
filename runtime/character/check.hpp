// SPDX-License-Identifier: MIT
// Checks of all indices and numbers, for whole characters or part by part.
#pragma once

#include "compiler/vectors.hpp"

#include <pchr/character.hpp>

#include <bit>

namespace PCHR_API pchr {

/// The problem that a check found, if any, without a name or a position.
using Check = std::optional<Diagnostic>;

/// Detects floats that are not finite. Their exponent is all ones, so adding its lowest bit carries into the sign.
/// ORing these sums vectorizes; testing each float does not.
class FiniteCheck {
 public:
  /// Adds the bits of four floats.
  void add(const Uint4& four) noexcept { carries_ |= (four & kExponent) + kLowestExponentBit; }
  void add(float value) noexcept { carry_ |= (std::bit_cast<std::uint32_t>(value) & kExponent) + kLowestExponentBit; }
  [[nodiscard]] bool all_finite() const noexcept {
    return ((carry_ | carries_[0] | carries_[1] | carries_[2] | carries_[3]) & kCarry) == 0;
  }

 private:
  static constexpr std::uint32_t kExponent = 0x7F800000;
  static constexpr std::uint32_t kLowestExponentBit = 0x00800000;
  static constexpr std::uint32_t kCarry = 0x80000000;
  Uint4 carries_{};
  std::uint32_t carry_ = 0;
};

/// Result of one pass over a mesh.
struct MeshScan {
  bool sound = true;  ///< Whether all numbers are finite and every used slot has a bone. If not, the rest is invalid.
  bool all_slots_have_bones = true;  ///< Also those that are not used.
  bool negative_weights = false;
  BoneId governing_bone{};
  std::uint16_t largest_index = 0;
};

/// Scans one mesh after another.
class MeshScanner {
 public:
  explicit MeshScanner(std::size_t bone_count) : sum_of_bone_(bone_count) {}

  /// Scans a mesh and, if `copy` is not null, copies its vertices there. `vertices` need not be aligned.
  [[nodiscard]] MeshScan scan(std::span<const std::byte> vertices, std::span<const std::uint16_t> indices,
                              Vertex* copy = nullptr);

 private:
  template <bool kCopies>
  void scan_vertices(std::span<const std::byte> bytes, Vertex* copy, MeshScan& result);
  void add_weights(const std::uint16_t* bones, const double* weights);
  BoneId take_governing_bone();

  // Sums of weights, all 0 between meshes. Only the bones of a mesh are read and cleared, because a small file can
  // have many meshes and many bones.
  std::vector<double> sum_of_bone_;
  std::vector<std::uint32_t> used_bones_;
};

[[nodiscard]] Check check_image(const Image& image, std::uint32_t number);
[[nodiscard]] Check check_bone(const Bone& bone, std::uint32_t number);

/// Checks a mesh. `vertices` and `indices` are its own, and `scan` is the result of scanning them.
[[nodiscard]] Check check_mesh(const Mesh& mesh, std::uint32_t number, std::size_t image_count, std::size_t bone_count,
                               std::span<const Vertex> vertices, std::span<const std::uint16_t> indices,
                               const MeshScan& scan);

/// Checks that the weight of a slot is finite and that a used slot has an existing bone.
[[nodiscard]] Check check_influence(std::uint32_t bone, float weight, std::size_t bone_count, std::uint32_t mesh,
                                    std::uint32_t vertex, std::uint32_t slot);

/// Checks that a 3D character has finite 3D vertices, and that a 2D character has none.
[[nodiscard]] Check check_vertices_3d(const CharacterData& data);

/// Checks the array sizes and the times of `clip`.
[[nodiscard]] Check check_clip(const Clip& clip, std::uint32_t number, std::size_t bone_count, bool is_3d = false);
/// Checks that the bind pose of the file, if any, has one finite sample per bone.
[[nodiscard]] Check check_bind_pose(const CharacterData& data);
/// Checks that all samples of `clip` are finite. Its arrays have the right sizes.
[[nodiscard]] Check check_samples(const Clip& clip, std::uint32_t number, std::size_t bone_count);

}  // namespace pchr
