// SPDX-License-Identifier: MIT
// Poses for C.
#include "c/handles.hpp"

#include <pchr/bounds.hpp>

#include <cmath>
#include <memory>

namespace pchr::c {

static_assert(sizeof(pchr_affine) == sizeof(Affine));

void refresh(pchr_pose& pose) {
  pose.draw_list.clear();
  for (const DrawItem& item : pose.posed.draw_list) pose.draw_list.push_back({item.mesh, item.opacity});
}

}  // namespace pchr::c

using namespace pchr::c;

pchr_pose* pchr_pose_create(const pchr_character* character) {
  return guarded<pchr_pose*>(nullptr, [&] {
    auto pose = std::make_unique<pchr_pose>(character->character);
    pose_bind(pose->character, pose->posed);
    refresh(*pose);
    return pose.release();
  });
}

void pchr_pose_free(pchr_pose* pose) { delete pose; }

bool pchr_pose_bind(pchr_pose* pose) {
  return guarded(false, [&] {
    pchr::pose_bind(pose->character, pose->posed);
    refresh(*pose);
    return true;
  });
}

bool pchr_pose_clip(pchr_pose* pose, uint32_t clip, double seconds, pchr_sampling sampling) {
  const auto clips = pose->character.clips();
  if (clip >= clips.size() || !std::isfinite(seconds)) return false;
  return guarded(false, [&] {
    const pchr::FramePosition position = pchr::frame_position(clips[clip], seconds, sampling_of(sampling));
    pchr::pose_clip(pose->character, clip, position, pose->posed);
    refresh(*pose);
    return true;
  });
}

bool pchr_pose_get_bone(const pchr_pose* pose, uint32_t bone, pchr_bone_state* out) {
  const pchr::Pose& bones = pose->posed.pose;
  if (bone >= bones.x.size()) return false;
  *out = {bones.x[bone],       bones.y[bone],           bones.rotation_degrees[bone],
          bones.scale_x[bone], bones.scale_y[bone],     bones.opacity.empty() ? 1 : bones.opacity[bone],
          bones.z_order[bone], bones.visible[bone] != 0};
  return true;
}

bool pchr_pose_set_bone(pchr_pose* pose, uint32_t bone, const pchr_bone_state* state) {
  pchr::Pose& bones = pose->posed.pose;
  if (bone >= bones.x.size()) return false;
  return guarded(false, [&] {
    if (bones.opacity.empty()) bones.opacity.assign(bones.x.size(), 1);
    bones.x[bone] = state->x;
    bones.y[bone] = state->y;
    bones.rotation_degrees[bone] = state->rotation_degrees;
    bones.scale_x[bone] = state->scale_x;
    bones.scale_y[bone] = state->scale_y;
    bones.opacity[bone] = state->opacity;
    bones.z_order[bone] = state->z_order;
    bones.visible[bone] = state->visible ? 1 : 0;
    return true;
  });
}

bool pchr_pose_update(pchr_pose* pose) {
  return guarded(false, [&] {
    pchr::update(pose->character, pose->posed);
    refresh(*pose);
    return true;
  });
}

const pchr_affine* pchr_pose_world(const pchr_pose* pose) { return array_of<pchr_affine>(pose->posed.world, nullptr); }

const pchr_affine* pchr_pose_palette(const pchr_pose* pose) {
  return array_of<pchr_affine>(pose->posed.palette, nullptr);
}

const pchr_draw_item* pchr_pose_draw_list(const pchr_pose* pose, uint32_t* count) {
  return array_of<pchr_draw_item>(pose->draw_list, count);
}

pchr_rect pchr_pose_bounds(const pchr_pose* pose) {
  const pchr::Rect bounds = pchr::bounds(pose->character, pose->posed);
  return {bounds.min.x, bounds.min.y, bounds.max.x, bounds.max.y};
}
