// SPDX-License-Identifier: MIT
// Contents of a Character: the checked data and everything derived from it.
#pragma once

#include <pchr/character.hpp>

#include <mutex>

namespace PCHR_API pchr {

/// Bounds of a clip, computed on first use; see bounds.cpp.
struct ClipBounds {
  std::once_flag frames_once;
  std::vector<Rect> frames;  // one for all frames if there are no bones
  Rect whole;
  // Separate, so that frame bounds do not also allocate bounds for every mesh of every clip.
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
  std::unique_ptr<ClipBounds[]> clip_bounds;  // One per clip, then one without a clip.
};

}  // namespace pchr
