// SPDX-License-Identifier: MIT
// The skeleton overlay.
#include "overlays/overlay.hpp"

#include <glm/geometric.hpp>
#include <imgui.h>

#include <algorithm>
#include <vector>

namespace pchr::player {
namespace {

/// Widest near its start, ending in a point, as animation tools draw bones.
void draw_bone(ImDrawList& list, Vec2 from, Vec2 to, float scale, float strength) {
  const Vec2 along = to - from;
  const float length = glm::length(along);
  if (length < 2.0F * scale) return;
  const Vec2 direction = along / length;
  const float half_width = std::clamp(length * 0.09F, 1.5F * scale, 6.0F * scale);
  const Vec2 side = Vec2{-direction.y, direction.x} * half_width;
  const Vec2 shoulder = from + direction * std::min(length * 0.25F, half_width * 2.0F);
  const ImVec2 shape[] = {im(from), im(shoulder + side), im(to), im(shoulder - side)};
  list.AddConvexPolyFilled(shape, 4, with_alpha(kBoneColour, 0.40F * strength));
  list.AddPolyline(shape, 4, with_alpha(kBoneColour, 0.95F * strength), ImDrawFlags_Closed, 1.3F * scale);
}

void draw_joint(ImDrawList& list, Vec2 at, float radius, float scale, float strength) {
  list.AddCircleFilled(im(at), radius + 1.2F * scale, with_alpha(kJointRim, 0.85F * strength));
  list.AddCircleFilled(im(at), radius, with_alpha(kJointColour, strength));
}

void draw_name(ImDrawList& list, const std::string& name, Vec2 at, const Rect& area, float scale) {
  const ImVec2 size = ImGui::CalcTextSize(name.c_str());
  const Vec2 padding = Vec2{7.0F, 4.0F} * scale;
  const Vec2 box = Vec2{size.x, size.y} + padding * 2.0F;
  const Vec2 corner =
      glm::clamp(at + Vec2{12.0F, -12.0F} * scale - Vec2{0.0F, box.y}, area.min, glm::max(area.max - box, area.min));
  list.AddRectFilled(im(corner), im(corner + box), with_alpha(kPanelColour, 0.94F), 5.0F * scale);
  list.AddText(im(corner + padding), kTextColour, name.c_str());
}

}  // namespace

void draw_skeleton(const Overlay& overlay) {
  const auto bones = overlay.document.character().bones();
  const auto& world = overlay.document.posed.world;
  const auto& visible = overlay.document.posed.pose.visible;
  ImDrawList& list = overlay.list;
  const float scale = overlay.scale;

  std::vector<Vec2> joints;
  joints.reserve(bones.size());
  for (const Affine& bone : world) joints.push_back(vec(overlay.place(bone[2])));

  const auto strength = [&](std::size_t bone) { return visible[bone] != 0 ? 1.0F : 0.3F; };
  for (std::size_t i = 0; i < joints.size(); ++i) {
    if (bones[i].parent < 0) continue;
    const auto parent = static_cast<std::size_t>(bones[i].parent);
    draw_bone(list, joints[parent], joints[i], scale, std::min(strength(parent), strength(i)));
  }

  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const float reach = 9.0F * scale;
  std::size_t hovered = joints.size();
  float nearest = ImGui::GetIO().WantCaptureMouse ? 0.0F : reach;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    draw_joint(list, joints[i], 2.6F * scale, scale, strength(i));
    const float distance = glm::length(joints[i] - Vec2{mouse.x, mouse.y});
    if (distance < nearest) {
      nearest = distance;
      hovered = i;
    }
  }
  if (hovered < joints.size()) {
    draw_joint(list, joints[hovered], 4.2F * scale, scale, 1.0F);
    draw_name(list, bones[hovered].name, joints[hovered], overlay.canvas.area, scale);
  }
}

}  // namespace pchr::player
