// SPDX-License-Identifier: MIT
// The contents of a Character: the checked data and what is derived from it.
#pragma once

#include <pchr/character.hpp>

#include <mutex>

namespace PCHR_API pchr {

/// Bounds of a clip, computed when first asked for; see bounds.cpp.
struct ClipBounds {
  std::once_flag frames_once;
  std::vector<Rect> frames;  // one where all are alike for want of bones
  Rect whole;
  // Apart, so that the bounds of frames alone take no memory for clips times meshes.
  std::once_flag meshes_once;
  std::vector<Rect> meshes;
};

struct Character::Contents {
  CharacterData data;
  std::vector<BoneId> governing_bones;  // per mesh
  BindPoseSource bind_source;
  BoneSamples bind_pose;
  std::vector<Affine> inverse_bind;
  std::vector<Affine3> inverse_bind_3d;
  std::vector<Diagnostic> warnings;
  std::unique_ptr<ClipBounds[]> clip_bounds;  // per clip
};

}  // namespace pchr
