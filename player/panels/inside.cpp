// SPDX-License-Identifier: MIT
// Meshes and bones, and the values of the selected ones in this frame.
#include "panels/panels.hpp"
#include "widgets.hpp"

#include <pchr/bone.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace pchr::player {
namespace {

constexpr std::size_t kDeepestIndentation = 12;

void mesh_values(const Document& document, const Selection& selection, std::uint32_t number) {
  const Character& character = document.character();
  const Mesh& mesh = character.meshes()[number];
  heading(mesh.name);
  fact("Image", character.images()[mesh.image].name);
  fact("Vertices", fmt::format("{}", mesh.vertex_count));
  fact("Triangles", fmt::format("{}", mesh.index_count / 3));
  if (!character.bones().empty()) fact("Ruled by", character.bones()[character.governing_bone(number)].name);
  const DrawList& list = document.posed.draw_list;
  const auto item = std::ranges::find(list, number, &DrawItem::mesh);
  if (is_hidden(selection, number)) {
    fact("Drawn", "hidden here");
  } else if (item == list.end()) {
    fact("Drawn", "not in this frame");
  } else {
    fact("Drawn", fmt::format("{} of {}", item - list.begin() + 1, list.size()));
  }
  if (item != list.end()) fact("Opacity", fmt::format("{:.2f}", item->opacity));
}

void bone_values(const Document& document, std::uint32_t bone) {
  const Pose& pose = document.posed.pose;
  const Affine& world = document.posed.world[bone];
  heading(document.character().bones()[bone].name);
  fact("Position", fmt::format("{:.1f}, {:.1f}", pose.x[bone], pose.y[bone]));
  fact("Rotation", fmt::format("{:.1f}\u00b0", pose.rotation_degrees[bone]));
  fact("Scale", fmt::format("{:.3f}, {:.3f}", pose.scale_x[bone], pose.scale_y[bone]));
  fact("In the world", fmt::format("{:.1f}, {:.1f}", position_of(world).x, position_of(world).y));
  fact("Points to", fmt::format("{:.1f}\u00b0", rotation_degrees_of(world)));
  fact("Visible", pose.visible[bone] != 0 ? "yes" : "no");
  fact("zOrder", fmt::format("{}", pose.z_order[bone]));
}

/// Calls row(i) for the rows that a list of `count` shows.
template <typename Row>
void visible_rows(std::size_t count, const Row& row) {
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(count));
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) row(static_cast<std::uint32_t>(i));
  }
}

void mesh_list(Session& session, float scale) {
  const Character& character = session.document->character();
  Selection& selection = session.selection;
  visible_rows(character.meshes().size(), [&](std::uint32_t mesh) {
    ImGui::PushID(static_cast<int>(mesh));
    const float left = ImGui::GetCursorPosX();
    if (checkbox("", !is_hidden(selection, mesh))) {
      set_hidden(selection, character, mesh, !is_hidden(selection, mesh));
      refresh(session);
    }
    tooltip("Shown in the picture (H)");
    ImGui::SameLine(left + 26.0F * scale);
    ImGui::AlignTextToFramePadding();
    if (ImGui::Selectable(character.meshes()[mesh].name.c_str(), selection.mesh == mesh)) {
      select_mesh(selection, character, mesh);
    }
    ImGui::PopID();
  });
}

void bone_tree(Session& session, float scale) {
  const auto bones = session.document->character().bones();
  Selection& selection = session.selection;
  visible_rows(bones.size(), [&](std::uint32_t bone) {
    std::size_t depth = 0;
    for (std::int32_t parent = bones[bone].parent; parent >= 0 && depth < kDeepestIndentation; ++depth) {
      parent = bones[static_cast<std::size_t>(parent)].parent;
    }
    ImGui::PushID(static_cast<int>(bone));
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + static_cast<float>(depth) * 9.0F * scale);
    const bool shown = session.document->posed.pose.visible[bone] != 0;
    if (!shown) ImGui::PushStyleColor(ImGuiCol_Text, kFaintTextColour);
    if (ImGui::Selectable(bones[bone].name.c_str(), selection.bone == bone)) select_bone(selection, bone);
    if (!shown) ImGui::PopStyleColor();
    ImGui::PopID();
  });
}

}  // namespace

void inside(Session& session, const Layout& layout) {
  if (!session.document) return note("Nothing is open.");
  const Document& document = *session.document;
  const float scale = layout.scale;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {8.0F * scale, 4.0F * scale});
  ImGui::BeginChild("inside", {0.0F, 0.0F}, false, ImGuiWindowFlags_NoNav);
  const Selection& selection = session.selection;
  if (selection.mesh) mesh_values(document, selection, *selection.mesh);
  if (selection.bone && *selection.bone < document.posed.world.size()) {
    if (selection.mesh) ImGui::Dummy({0.0F, 6.0F * scale});
    bone_values(document, *selection.bone);
  }
  if (!selection.mesh && !selection.bone) note("Click a part of the picture, a mesh or a bone.");
  ImGui::Dummy({0.0F, 6.0F * scale});
  heading("Meshes");
  mesh_list(session, scale);
  ImGui::Dummy({0.0F, 6.0F * scale});
  heading("Bones");
  bone_tree(session, scale);
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

}  // namespace pchr::player
