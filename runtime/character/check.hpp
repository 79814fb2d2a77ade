// SPDX-License-Identifier: MIT
// Checks of everything an index or a number can break, for whole characters or part by part.
#pragma once

#include <pchr/character.hpp>

#include <bit>

namespace PCHR_API pchr {

/// The problem that a check found, if any, without a name or an offset.
using Check = std::optional<Diagnostic>;

using WordFour = std::uint32_t __attribute__((vector_size(16)));

/// Finds floats that are not finite: their exponent is all ones, so adding its lowest bit carries into the sign. Or-ing
/// these sums vectorizes, where a test of each float does not.
class FiniteCheck {
 public:
  /// Four floats, as their bits.
  void add(const WordFour& four) noexcept { carries_ |= (four & kExponent) + kLowestExponentBit; }
  void add(float value) noexcept { carry_ |= (std::bit_cast<std::uint32_t>(value) & kExponent) + kLowestExponentBit; }
  [[nodiscard]] bool all_finite() const noexcept {
    return ((carry_ | carries_[0] | carries_[1] | carries_[2] | carries_[3]) & kCarry) == 0;
  }

 private:
  static constexpr std::uint32_t kExponent = 0x7F800000;
  static constexpr std::uint32_t kLowestExponentBit = 0x00800000;
  static constexpr std::uint32_t kCarry = 0x80000000;
  WordFour carries_{};
  std::uint32_t carry_ = 0;
};

/// The result of one pass over a mesh.
struct MeshScan {
  bool sound = true;  ///< All numbers are finite, and every used slot names a bone. The rest is valid only then.
  bool negative_weights = false;
  BoneId governing_bone{};
  std::uint16_t largest_index = 0;
};

/// Scans meshes, one after another.
class MeshScanner {
 public:
  explicit MeshScanner(std::size_t bone_count) : sum_of_bone_(bone_count) {}

  /// `vertices` need not be aligned. Where `copy` is given, they are copied there in the same pass.
  [[nodiscard]] MeshScan scan(std::span<const std::byte> vertices, std::span<const std::uint16_t> indices,
                              Vertex* copy = nullptr);

 private:
  template <bool kCopies>
  void scan_vertices(std::span<const std::byte> bytes, Vertex* copy, MeshScan& result);
  void add_weights(const std::uint16_t* bones, const double* weights);
  BoneId take_governing_bone();

  // Weights, all 0 between meshes. Only the bones that a mesh names are read and cleared: a small file may hold many
  // meshes and many bones.
  std::vector<double> sum_of_bone_;
  std::vector<std::uint32_t> named_bones_;
};

[[nodiscard]] Check check_image(const Image& image, std::uint32_t number);
[[nodiscard]] Check check_bone(const Bone& bone, std::uint32_t number);

/// `vertices` and `indices` are the mesh's own, `scan` is of them.
[[nodiscard]] Check check_mesh(const Mesh& mesh, std::uint32_t number, std::size_t image_count, std::size_t bone_count,
                               std::span<const Vertex> vertices, std::span<const std::uint16_t> indices,
                               const MeshScan& scan);

/// Checks that the weight of one slot is finite, and that a used one names a bone.
[[nodiscard]] Check check_influence(std::uint32_t bone, float weight, std::size_t bone_count, std::uint32_t mesh,
                                    std::uint32_t vertex, std::uint32_t slot);

/// Checks that a 3D character has its third dimension, in finite numbers, and a 2D one has none.
[[nodiscard]] Check check_vertices_3d(const CharacterData& data);

/// Checks the sizes of the arrays of `clip`, and its times.
[[nodiscard]] Check check_clip(const Clip& clip, std::uint32_t number, std::size_t bone_count, bool is_3d = false);
/// Checks that the bind pose of the file, if any, is one finite sample per bone.
[[nodiscard]] Check check_bind_pose(const CharacterData& data);
/// Checks that all samples of `clip`, whose arrays have the right sizes, are finite.
[[nodiscard]] Check check_samples(const Clip& clip, std::uint32_t number, std::size_t bone_count);

}  // namespace pchr
