// SPDX-License-Identifier: MIT
// The C interface: poses and hit tests.
#include "c/c.hpp"

#include <cmath>

struct pchr_hit_images {
  pchr::Character character;
  std::vector<pchr::AlphaMask> masks;
};

namespace pchr::c {

ClipTime time_of(const pchr_clip_time* time, const Clip& clip) noexcept {
  if (time == nullptr || clip.frame_count == 0) return {};
  const std::uint32_t last = clip.frame_count - 1;
  return {std::min(time->frame, last), std::min(time->next, last), factor_of(time->factor)};
}

std::optional<BoneOverride> override_of(const pchr_bone_override* given) noexcept {
  const std::optional<pchr_bone_override> values = read(given);
  if (!values) return std::nullopt;
  BoneOverride result;
  const auto take = [&](pchr_override_values value, const auto& from, auto& to) {
    if ((values->values & value) != 0) to = from;
  };
  result.bone = BoneId{values->bone};
  take(PCHR_OVERRIDE_X, values->x, result.x);
  take(PCHR_OVERRIDE_Y, values->y, result.y);
  take(PCHR_OVERRIDE_ROTATION, values->rotation_degrees, result.rotation_degrees);
  take(PCHR_OVERRIDE_SCALE_X, values->scale_x, result.scale_x);
  take(PCHR_OVERRIDE_SCALE_Y, values->scale_y, result.scale_y);
  take(PCHR_OVERRIDE_Z_ORDER, values->z_order, result.z_order);
  take(PCHR_OVERRIDE_VISIBLE, values->visible, result.visible);
  result.weight = 1 - values->keep;
  result.relative = values->relative;
  return result;
}

namespace {

pchr_draw_item item_for_c(const DrawItem& item) noexcept {
  pchr_draw_item result{};
  result.mesh = std::to_underlying(item.mesh);
  result.opacity = item.opacity;
  std::ranges::copy(item.tint, result.tint);
  result.image = std::to_underlying(item.image);
  std::ranges::copy(item.dark_tint, result.dark_tint);
  std::ranges::copy(item.additive, result.additive);
  result.blend = static_cast<pchr_blend>(item.blend);
  return result;
}

DrawItem item_of(const pchr_draw_item& item) noexcept {
  return {MeshId{item.mesh},
          item.opacity,
          std::to_array(item.tint),
          ImageId{item.image},
          std::to_array(item.dark_tint),
          std::to_array(item.additive),
          blend_of(item.blend)};
}

BoneMask mask_of(const std::uint8_t* mask, const Character& character) {
  return mask != nullptr ? BoneMask(mask, mask + character.bones().size()) : BoneMask{};
}

pchr_hit hit_for_c(const Hit& hit) noexcept {
  pchr_hit result{};
  result.mesh = std::to_underlying(hit.mesh);
  result.bone = std::to_underlying(hit.bone);
  result.governing_bone = std::to_underlying(hit.governing_bone);
  result.triangle = hit.triangle;
  std::ranges::copy(hit.barycentrics, result.barycentrics);
  result.u = hit.uv.x;
  result.v = hit.uv.y;
  result.alpha = hit.alpha;
  return result;
}

}  // namespace
}  // namespace pchr::c

using namespace pchr::c;
using pchr::BoneId;
using pchr::ClipId;
using pchr::MeshId;

pchr_pose* pchr_pose_create(const pchr_character* handle) {
  return call(exist(handle), [&] {
    auto pose = std::make_unique<pchr_pose>(handle->character);
    pose_bind(pose->character, pose->posed);
    return pose.release();
  });
}

void pchr_pose_free(pchr_pose* pose) { delete pose; }

bool pchr_pose_bind(pchr_pose* pose) {
  return call(exist(pose), [&] { pchr::pose_bind(pose->character, pose->posed); });
}

bool pchr_pose_clip(pchr_pose* pose, uint32_t clip, double seconds, pchr_sampling sampling) {
  return call(exist(pose), [&] {
    if (clip >= pose->character.clips().size() || !std::isfinite(seconds)) return false;
    pchr::pose_clip(pose->character, ClipId{clip}, seconds, sampling_of(sampling), pose->posed);
    return true;
  });
}

bool pchr_pose_frame(pchr_pose* pose, uint32_t clip, const pchr_clip_time* time) {
  return call(exist(pose, time), [&] {
    const auto clips = pose->character.clips();
    if (clip >= clips.size() || std::max(time->frame, time->next) >= clips[clip].frame_count) return false;
    pchr::pose_clip(pose->character, ClipId{clip}, time_of(time, clips[clip]), pose->posed);
    return true;
  });
}

bool pchr_pose_copy(pchr_pose* pose, const pchr_pose* from) {
  return call(exist(pose, from), [&] {
    if (!is_same(pose->character, from->character)) return false;
    pose->posed = from->posed;
    return true;
  });
}

bool pchr_pose_get_bone(const pchr_pose* pose, uint32_t bone, pchr_bone_state* out) {
  if (pose == nullptr || out == nullptr) return false;
  const pchr::Pose& bones = pose->posed.pose;
  if (bone >= bones.x.size()) return false;
  *out = {bones.x[bone],       bones.y[bone],       bones.rotation_degrees[bone], bones.scale_x[bone],
          bones.scale_y[bone], bones.opacity[bone], bones.z_order[bone],          bones.visible[bone] != 0};
  return true;
}

bool pchr_pose_set_bone(pchr_pose* pose, uint32_t bone, const pchr_bone_state* state) {
  if (pose == nullptr || state == nullptr) return false;
  pchr::Pose& bones = pose->posed.pose;
  if (bone >= bones.x.size()) return false;
  bones.x[bone] = state->x;
  bones.y[bone] = state->y;
  bones.rotation_degrees[bone] = state->rotation_degrees;
  bones.scale_x[bone] = state->scale_x;
  bones.scale_y[bone] = state->scale_y;
  bones.opacity[bone] = state->opacity;
  bones.z_order[bone] = state->z_order;
  bones.visible[bone] = state->visible ? 1 : 0;
  return true;
}

bool pchr_pose_get_values(pchr_pose* pose, pchr_pose_values* out) {
  if (pose == nullptr) return false;
  pchr::Pose& bones = pose->posed.pose;
  return write(
      {0, count_of(bones.x), bones.x.data(), bones.y.data(), bones.rotation_degrees.data(), bones.scale_x.data(),
       bones.scale_y.data(), bones.opacity.data(), bones.z_order.data(), bones.visible.data()},
      out);
}

bool pchr_pose_override(pchr_pose* pose, const pchr_bone_override* overrides, uint32_t count) {
  return call(exist(pose), [&] {
    if (overrides == nullptr) return count == 0;
    if (size_of(*overrides) == 0) return false;
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::optional<pchr::BoneOverride> values = override_of(element(overrides, i));
      if (values) override_bones({&*values, 1}, pose->posed.pose);
    }
    return true;
  });
}

bool pchr_pose_blend(pchr_pose* pose, const pchr_pose* to, float weight, const uint8_t* mask) {
  return call(exist(pose, to), [&] {
    if (pose == to || !is_same(pose->character, to->character)) return false;
    blend(view(to->posed.pose), weight, mask_of(mask, pose->character), pose->posed.pose);
    return true;
  });
}

bool pchr_pose_add(pchr_pose* pose, const pchr_pose* layer, const pchr_pose* reference, float weight,
                   const uint8_t* mask) {
  return call(exist(pose, layer), [&] {
    if (pose == layer || pose == reference || !is_same(pose->character, layer->character)) return false;
    if (reference != nullptr && !is_same(pose->character, reference->character)) return false;
    const pchr::PoseView from = reference != nullptr ? view(reference->posed.pose) : pose->character.bind_pose();
    blend_additive(view(layer->posed.pose), from, weight, mask_of(mask, pose->character), pose->posed.pose);
    return true;
  });
}

float pchr_pose_rotation_towards(const pchr_pose* pose, uint32_t bone, float x, float y, float axis_x, float axis_y) {
  if (pose == nullptr) return 0;
  const auto bones = pose->character.bones();
  return rotation_towards(bones, view(pose->posed.pose), id_in(bones, bone), {x, y}, {axis_x, axis_y});
}

bool pchr_pose_update(pchr_pose* pose) {
  return call(exist(pose), [&] { update(pose->character, pose->posed); });
}

const pchr_affine* pchr_pose_world(const pchr_pose* pose) {
  return pose != nullptr ? array_of<pchr_affine>(pose->posed.world, nullptr) : nullptr;
}

const pchr_affine* pchr_pose_palette(const pchr_pose* pose) {
  return pose != nullptr ? array_of<pchr_affine>(pose->posed.palette, nullptr) : nullptr;
}

const pchr_draw_item* pchr_pose_draw_list(const pchr_pose* pose, uint32_t* count) {
  return call_or(no_array<pchr_draw_item>(count), exist(pose), [&] {
    pose->draw_list.resize(pose->posed.draw_list.size());
    std::ranges::transform(pose->posed.draw_list, pose->draw_list.begin(), item_for_c);
    return array_of<pchr_draw_item>(pose->draw_list, count);
  });
}

bool pchr_pose_set_draw_list(pchr_pose* pose, const pchr_draw_item* items, uint32_t count) {
  return call(exist(pose), [&] {
    if (items == nullptr && count != 0) return false;
    pose->posed.draw_list.clear();
    for (const pchr_draw_item& item : std::span(items, count)) {
      if (item.mesh < pose->character.meshes().size()) pose->posed.draw_list.push_back(item_of(item));
    }
    return true;
  });
}

bool pchr_pose_apply_skin(pchr_pose* pose, const pchr_skin* skin) {
  return call(exist(pose, skin), [&] {
    if (!is_same(pose->character, skin->character)) return false;
    apply_skin(skin->data, pose->posed.draw_list);
    return true;
  });
}

pchr_rect pchr_pose_bounds(const pchr_pose* pose) {
  return pose != nullptr ? rect_for_c(bounds(pose->character, pose->posed)) : rect_for_c({});
}

bool pchr_pose_mesh_bounds(const pchr_pose* pose, uint32_t mesh, pchr_rect* out) {
  if (pose == nullptr || out == nullptr || mesh >= pose->character.meshes().size()) return false;
  *out = rect_for_c(mesh_bounds(pose->character, pose->posed, MeshId{mesh}));
  return true;
}

bool pchr_pose_vertices(const pchr_pose* pose, uint32_t mesh, float* xy, uint32_t capacity) {
  return call(exist(pose, xy), [&] {
    static_assert(sizeof(pchr::Vec2) == 2 * sizeof(float));
    const auto meshes = pose->character.meshes();
    if (mesh >= meshes.size() || meshes[mesh].vertex_count > capacity) return false;
    deform_mesh(pose->character, pose->posed, MeshId{mesh},
                {reinterpret_cast<pchr::Vec2*>(xy), meshes[mesh].vertex_count});
    return true;
  });
}

uint32_t pchr_pose_find_place(const pchr_pose* pose, const pchr_draw_place* place) {
  if (pose == nullptr || place == nullptr) return 0;
  const pchr::DrawPlace wanted{id_in(pose->character.meshes(), place->mesh), place->behind};
  return static_cast<std::uint32_t>(find_place(pose->character, pose->posed, wanted));
}

pchr_hit_images* pchr_hit_images_create(const pchr_character* handle, const pchr_executor* executor,
                                        pchr_error* error) {
  return try_call(error, exist(handle), [&]() -> pchr_hit_images* {
    auto masks = alpha_masks(handle->character, handle->limits, executor_of(executor));
    if (!masks) return set_error(error, masks.error(), "character"), nullptr;
    return new pchr_hit_images{handle->character, std::move(*masks)};
  });
}

void pchr_hit_images_free(pchr_hit_images* images) { delete images; }

bool pchr_hit_test(const pchr_pose* pose, const pchr_hit_images* images, float x, float y,
                   const pchr_hit_options* options, pchr_hit* out) {
  return call(exist(pose), [&] {
    const std::optional<pchr_hit_options> given = read(options);
    if (!given || cannot_write(out)) return false;
    const std::optional<pchr::Appearance> appearance = appearance_of(given->appearance);
    if (!appearance || (images != nullptr && !is_same(pose->character, images->character))) return false;
    if (given->skin != nullptr && !is_same(pose->character, given->skin->character)) return false;
    const pchr::HitTestOptions test{
        given->min_alpha == 0 ? std::uint8_t{128} : static_cast<std::uint8_t>(std::min(given->min_alpha, 255U))};
    const std::optional<pchr::Hit> hit =
        hit_test(pose->character, pose->posed, *appearance, given->skin != nullptr ? &given->skin->data : nullptr,
                 images != nullptr ? pchr::HitImages(images->masks) : pchr::HitImages(), {x, y}, test);
    return hit && (out == nullptr || write(hit_for_c(*hit), out));
  });
}
