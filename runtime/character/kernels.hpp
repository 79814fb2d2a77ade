// SPDX-License-Identifier: MIT
// The loops of the posed path over plain arrays, for each instruction set. Every set gives the same bits: none
// contracts a multiplication and an addition, and all keep the order of the scalar code's arithmetic.
#pragma once

#include <pchr/character.hpp>

namespace PCHR_API pchr {

/// One frame of bone values; each points to one element per bone.
struct FramePointers {
  const float* x;
  const float* y;
  const float* rotation_degrees;
  const float* scale_x;
  const float* scale_y;
  const float* opacity;  ///< Null: 1 everywhere.
  const std::uint8_t* visible;
  const std::int32_t* z_order;
  const BoneSample3D* samples_3d = nullptr;  ///< Null where the character is 2D. Not for the kernels.
};

[[nodiscard]] FramePointers pointers_to(const PoseView& view) noexcept;

/// A place between two frames. `next` is not read where `factor` is 0.
struct BetweenFrames {
  FramePointers frame;
  FramePointers next;
  float factor;
};

/// Where bone values are written; each points to one element per bone.
struct PosePointers {
  float* x;
  float* y;
  float* rotation_degrees;
  float* scale_x;
  float* scale_y;
  float* opacity;
  std::uint8_t* visible;
  std::int32_t* z_order;
};

/// The loops for one instruction set. They take pointers, not spans: code for a newer instruction set must not have an
/// inline function that the linker could take for the whole program.
struct PoseKernels {
  const char* name;  ///< Such as "AVX2".

  /// Samples `from` and, where `to` is not null, moves by `weight` towards it; see blend() in pose.hpp. `out` may be a
  /// frame of `from` or `to`.
  void (*mix)(const BetweenFrames& from, const BetweenFrames* to, float weight, const PosePointers& out,
              std::size_t bone_count) noexcept;

  /// Computes world = parent's world * local and, where `palette` is not null, palette = world * inverse bind.
  void (*compose)(const Bone* bones, std::size_t bone_count, const FramePointers& pose, Affine* world,
                  const Affine* inverse_bind, Affine* palette) noexcept;

  /// Computes palette = world * inverse bind. `palette` may be `world`.
  void (*build_palette)(const Affine* world, const Affine* inverse_bind, Affine* palette,
                        std::size_t bone_count) noexcept;

  /// Applies the sum of weight * palette[bone] over the used slots to each vertex.
  void (*skin)(const Vertex* vertices, std::size_t vertex_count, const Affine* palette, std::size_t bone_count,
               Vec2* out) noexcept;
};

/// Returns the kernels that this processor can run: the scalar ones, then those of wider and wider instruction sets.
[[nodiscard]] std::span<const PoseKernels* const> available_kernels() noexcept;

/// Returns the kernels in use: the last of the available ones, unless others were set.
[[nodiscard]] const PoseKernels& kernels() noexcept;

/// Makes every thread use `kernels` from now on: for tests and benchmarks, which run each set.
void use_kernels(const PoseKernels& kernels) noexcept;

extern const PoseKernels kScalarKernels;
#if defined(__x86_64__)
extern const PoseKernels kSse2Kernels;
extern const PoseKernels kAvx2Kernels;
#endif

/// Applies reduced_degrees() to each angle.
void reduce_large_angles(float* degrees, std::size_t count) noexcept;

// The functions of pose.hpp that building a character needs.
void compose(std::span<const Bone> bones, const PoseView& pose, std::span<Affine> world) noexcept;
void compose(std::span<const Bone> bones, const PoseView& pose, std::span<const Affine> inverse_bind,
             std::span<Affine> world, std::span<Affine> palette) noexcept;
void build_palette(std::span<const Affine> world, std::span<const Affine> inverse_bind,
                   std::span<Affine> palette) noexcept;

}  // namespace pchr
