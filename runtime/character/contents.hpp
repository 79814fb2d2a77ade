// SPDX-License-Identifier: MIT
// Contents of a Character: the checked data and everything derived from it.
#pragma once

#include "compiler/once.hpp"

#include <pchr/3d.hpp>

#include <atomic>
#include <memory>

namespace PCHR_API pchr {

/// Bounds of a clip, computed on first use; see bounds.cpp.
struct ClipBounds {
  Once frames_once;
  std::vector<Rect> frames;  // one for all frames if there are no bones
  Rect whole;
  // Separate, so that frame bounds do not also allocate bounds for every mesh of every clip.
  Once meshes_once;
  std::vector<Rect> meshes;
};

/// The part of a mesh that one bone moves.
struct HullPart {
  BoneId bone{};
  Box box;  ///< Bounds of its vertices in the bind pose.
};

struct VertexRange {
  std::uint32_t first = 0, count = 0;
};

/// What bounds ranges of vertices in any pose, computed on first use; see hulls.cpp.
struct Hulls {
  Once once;
  std::vector<VertexRange> ranges;
  std::vector<HullPart> parts;
  std::vector<std::uint32_t> first_part;  ///< One per range, plus the end.
  /// The largest deviation of a vertex's weights from a sum of 1, one per range. Infinite if nothing bounds the range.
  std::vector<float> slack;
};

/// Hulls of blocks of neighboring vertices.
struct BlockHulls {
  Hulls hulls;
  std::vector<std::uint32_t> first_block;  ///< One per mesh, plus the end.
};

struct Character::Contents {
  std::atomic<std::uint32_t> owners = 1;
  CharacterData data;
  std::vector<BoneId> governing_bones;  // per mesh
  bool all_slots_have_bones = true;     // every slot of every vertex of a mesh, used or not
  BindPoseSource bind_source;
  std::optional<BindPoseGuess> bind_guess;
  BoneSamples bind_pose;
  std::vector<Affine> inverse_bind;
  std::vector<Affine3> inverse_bind_3d;
  std::vector<Diagnostic> warnings;
  std::unique_ptr<ClipBounds[]> clip_bounds;  // One per clip, then one without a clip.
  std::unique_ptr<Hulls> hulls;               // One range per mesh.
  std::unique_ptr<BlockHulls> block_hulls;
};

/// Returns the contents of a character.
inline const Character::Contents& private_contents(const Character& character) noexcept { return *character.contents_; }

}  // namespace pchr
