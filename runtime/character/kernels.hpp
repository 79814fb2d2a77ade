// SPDX-License-Identifier: MIT
// Inner loops of posing over plain arrays, for each instruction set. All sets give the same bits: none fuses a
// multiplication and an addition, and all keep the order of operations of the scalar code.
#pragma once

#include "compiler/compiler.hpp"

#include <pchr/character.hpp>

namespace PCHR_API pchr {

/// Bone values of one frame. Each pointer has one element per bone.
struct FramePointers {
  const float* x;
  const float* y;
  const float* rotation_degrees;
  const float* scale_x;
  const float* scale_y;
  const float* opacity;  ///< Null means 1 for every bone.
  const std::uint8_t* visible;
  const std::int32_t* z_order;
  const BoneSample3D* samples_3d = nullptr;  ///< Null in a 2D character. The kernels do not use it.
};

[[nodiscard]] FramePointers pointers_to(const PoseView& view) noexcept;

/// Position between two frames. `next` is not read if `factor` is 0.
struct BetweenFrames {
  FramePointers frame;
  FramePointers next;
  float factor;
};

/// Values to blend into a pose or to add to it. Both change only the bones whose element of `mask` is not 0.
struct Overlay {
  BetweenFrames to;
  float weight;  ///< Above 0. 1 and more replaces what is blended.
  /// If not null, the last rotation from each bone of the pose to that of `to`, or NaN. Rotations then continue in
  /// their direction: always taking the shorter one would flip them when both sides move past each other's opposite.
  float* turns = nullptr;
  const std::uint8_t* mask = nullptr;        ///< Null means all bones.
  const FramePointers* reference = nullptr;  ///< If not null, the difference of `to` from it is added. Up to weight 1.
};

/// Destination of bone values. Each pointer has one element per bone.
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

/// The skeleton of a 2D character.
struct Skeleton {
  const Bone* bones;
  std::size_t bone_count;
  const Affine* inverse_bind;
};

/// Number of poses in the widest vectors, whose memory should be aligned.
constexpr std::size_t kPosesAtOnce = 8;
constexpr std::size_t kVectorAlignment = 32;

/// Destination of palettes in the layout of the GPU: rows of entries, each with the six floats of a transform, opacity
/// 1 and 0.
struct PaletteRows {
  const BoneId* entries;  ///< The bone of each entry, ascending, each followed by another value.
  std::size_t entry_count;
  float* floats;
  float* world;  ///< Scratch memory for kPosesAtOnce transforms of each bone.
};
constexpr std::size_t kEntryFloats = 8;

/// Kernels for one instruction set. They use pointers instead of spans: code for a newer instruction set must not
/// contain an inline function that the linker could pick for the whole program.
struct PoseKernels {
  const char* name;  ///< For example "AVX2".

  /// Samples `from` and, if `to` is not null, blends toward it by `weight`; see blend() in pose.hpp. `out` may be a
  /// frame of `from` or `to`.
  void (*mix)(const BetweenFrames& from, const BetweenFrames* to, float weight, const PosePointers& out,
              std::size_t bone_count) noexcept;

  /// Blends or adds `overlay` over `out`. Visibility and draw order follow a blend from weight 0.5 on.
  void (*overlay)(const Overlay& overlay, const PosePointers& out, std::size_t bone_count) noexcept;

  /// Computes world = parent's world * local and, if `palette` is not null, palette = world * inverse bind.
  void (*compose)(const Bone* bones, std::size_t bone_count, const FramePointers& pose, Affine* world,
                  const Affine* inverse_bind, Affine* palette) noexcept;

  /// Computes palette = world * inverse bind. `palette` may be `world`.
  void (*build_palette)(const Affine* world, const Affine* inverse_bind, Affine* palette,
                        std::size_t bone_count) noexcept;

  /// Applies the sum of weight * palette[bone] to each vertex. Unused slots, which have weight 0, count like others: no
  /// branch is faster. Only where the result would not be finite, or a bone does not exist, the sum leaves them out.
  void (*skin)(const Vertex* vertices, std::size_t vertex_count, const Affine* palette, std::size_t bone_count,
               Vec2* out) noexcept;

  /// Does the same for vertices of which every slot, used or not, is known to have a bone.
  void (*skin_known)(const Vertex* vertices, std::size_t vertex_count, const Affine* palette, std::size_t bone_count,
                     Vec2* out) noexcept;

  /// Skins vertices of which every slot has a finite transform, applies `placement`, and writes positions, texture
  /// coordinates and `color` as 20 bytes each, the layout of StreamVertex.
  void (*stream)(const Vertex* vertices, std::size_t vertex_count, const Affine* palette, const Affine& placement,
                 std::uint32_t color, void* out) noexcept;

  /// Returns whether all values of all transforms are finite.
  bool (*all_finite)(const Affine* palette, std::size_t bone_count) noexcept;

  /// Composes each pose and writes its palette to a row of `out`.
  void (*compose_rows)(const Skeleton& skeleton, const FramePointers* poses, std::size_t count,
                       const PaletteRows& out) noexcept;
};

/// Returns the kernels that this processor can run, from the scalar ones to the widest instruction set.
[[nodiscard]] std::span<const PoseKernels* const> available_kernels() noexcept;

/// Returns the kernels in use: the last of the available ones, unless others were selected.
[[nodiscard]] const PoseKernels& kernels() noexcept;

/// Makes all threads use `kernels` from now on. For tests and benchmarks, which run every set.
void use_kernels(const PoseKernels& kernels) noexcept;

extern const PoseKernels kScalarKernels;
#ifdef PCHR_FOUR_LANES
extern const PoseKernels kFourLaneKernels;
#endif
#ifdef PCHR_X86_64
extern const PoseKernels kEightLaneKernels;
#endif

/// Applies reduced_degrees() to each angle.
void reduce_large_angles(float* degrees, std::size_t count) noexcept;

// Functions of pose.hpp that building a character needs.
void compose(std::span<const Bone> bones, const PoseView& pose, std::span<Affine> world) noexcept;
void compose(std::span<const Bone> bones, const PoseView& pose, std::span<const Affine> inverse_bind,
             std::span<Affine> world, std::span<Affine> palette) noexcept;
void build_palette(std::span<const Affine> world, std::span<const Affine> inverse_bind,
                   std::span<Affine> palette) noexcept;

}  // namespace pchr
