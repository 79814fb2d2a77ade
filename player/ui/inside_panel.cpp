// SPDX-License-Identifier: MIT
#include "ui/panels.hpp"

namespace pchr::player {
namespace {

constexpr std::uint32_t kMaxBoneIndent = 8;
constexpr float kEyeWidth = 26.0F;
constexpr float kFoldWidth = 14.0F;
constexpr float kMinPartsHeight = 130.0F;  ///< Of both lists; the tab scrolls if there is less room.
constexpr float kMaxValuesShare = 0.38F;   ///< Max fraction of the height for the values of what is selected.

void mesh_values(const Document& document, const PoseBuffers& posed, MeshId number) {
  const Character& character = document.character();
  const Mesh& mesh = character.meshes()[number];
  heading(mesh.name);
  fact("Image", character.images()[mesh.image].name);
  fact("Vertices", fmt::format("{}", mesh.vertex_count));
  fact("Triangles", fmt::format("{}", mesh.index_count / 3));
  if (!character.bones().empty()) fact("Governing bone", character.bones()[character.governing_bone(number)].name);
  const DrawList& list = posed.draw_list;
  const auto item = std::ranges::find(list, number, &DrawItem::mesh);
  fact("Draw order", is_hidden(document.selection, number) ? "hidden"
                     : item == list.end()                  ? "not in this frame"
                                          : fmt::format("{} of {}", item - list.begin() + 1, list.size()));
  if (item != list.end()) fact("Opacity", fmt::format("{:.2f}", item->opacity));
}

void bone_values(const Document& document, const PoseBuffers& posed, BoneId bone) {
  const Pose& pose = posed.pose;
  const std::size_t i = index(bone);
  const Affine& world = posed.world[i];
  heading(document.character().bones()[bone].name);
  fact("Position", fmt::format("{:.1f}, {:.1f}", pose.x[i], pose.y[i]));
  fact("Rotation", fmt::format("{:.1f}\u00b0", pose.rotation_degrees[i]));
  fact("Scale", fmt::format("{:.3f}, {:.3f}", pose.scale_x[i], pose.scale_y[i]));
  fact("World position", fmt::format("{:.1f}, {:.1f}", position_of(world).x, position_of(world).y));
  fact("World rotation", fmt::format("{:.1f}\u00b0", rotation_degrees_of(world)));
  fact("Visible", pose.visible[i] != 0 ? "yes" : "no");
  fact("zOrder", fmt::format("{}", pose.z_order[i]));
}

/// Calls row(rows[i]) for the visible rows, and scrolls to `revealed` unless it is the end.
template <typename Rows, typename Revealed, typename Row>
void list_rows(const Rows& rows, const Revealed& revealed, const Row& row) {
  const float height = ImGui::GetTextLineHeightWithSpacing();
  if (revealed != rows.end()) {
    const float top = ImGui::GetCursorPosY() + static_cast<float>(revealed - rows.begin()) * height;
    const float scrolled = ImGui::GetScrollY();
    if (top < scrolled || top + height > scrolled + ImGui::GetWindowHeight()) {
      ImGui::SetScrollFromPosY(top - scrolled, 0.5F);
    }
  }
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(rows.size()), height);
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) row(rows[static_cast<std::size_t>(i)]);
  }
}

/// A checkbox for the visibility of a row. Returns whether it was clicked.
bool eye(bool shown, const char* explanation, float scale) {
  const float left = ImGui::GetCursorPosX();
  const bool clicked = checkbox("##shown", shown, 0.0F);
  tooltip(explanation);
  ImGui::SameLine(left + kEyeWidth * scale);
  return clicked;
}

void mesh_list(App& app, float scale) {
  const Character& character = app.document->character();
  Selection& selection = app.document->selection;
  std::vector<MeshId>& rows = app.document->mesh_rows;
  list_meshes(character, app.part_filter, rows);
  const auto revealed = selection.reveal && selection.mesh ? std::ranges::find(rows, *selection.mesh) : rows.end();
  list_rows(rows, revealed, [&](MeshId mesh) {
    ImGui::PushID(static_cast<int>(mesh));
    if (eye(!is_hidden(selection, mesh), "Show or hide this mesh (H)", scale)) {
      set_hidden(selection, character, mesh, !is_hidden(selection, mesh));
    }
    if (selectable(character.meshes()[mesh].name, selection.mesh == mesh)) {
      select_mesh(selection, character, mesh);
    }
    ImGui::PopID();
  });
}

void bone_row(App& app, const BoneRow& row, float scale) {
  const Character& character = app.document->character();
  Selection& selection = app.document->selection;
  ImGui::PushID(static_cast<int>(row.bone));
  const float left = ImGui::GetCursorPosX();
  if (row.meshes > 0) {
    const bool hidden = row.hidden == row.meshes;
    if (eye(!hidden, "Show or hide this subtree (H)", scale))
      set_subtree_hidden(selection, character, row.bone, !hidden);
  }
  const auto depth = static_cast<float>(std::min(row.depth, kMaxBoneIndent));
  const float arrow_left = left + (kEyeWidth + depth * 9.0F) * scale;
  ImGui::SetCursorPosX(arrow_left);
  if (row.foldable) {
    const bool clicked = fold_arrow(row.folded, {kFoldWidth * scale, ImGui::GetTextLineHeight()}, scale);
    command_tooltip("fold");
    if (clicked) set_folded(selection, character, row.bone, !row.folded);
    ImGui::SameLine();
  }
  ImGui::SetCursorPosX(arrow_left + kFoldWidth * scale);
  const bool dim = posed(app).pose.visible[index(row.bone)] == 0 || (row.meshes > 0 && row.hidden == row.meshes);
  if (selectable(character.bones()[row.bone].name, selection.bone == row.bone, dim ? kFaintTextColor : kTextColor)) {
    select_bone(selection, row.bone);
  }
  ImGui::PopID();
}

void bone_tree(App& app, float scale) {
  const Character& character = app.document->character();
  const Selection& selection = app.document->selection;
  std::vector<BoneRow>& rows = app.document->bone_rows;
  list_bones(character, selection, app.part_filter, rows);
  const bool reveal = selection.reveal && selection.bone && !selection.mesh;
  const auto revealed = reveal ? std::ranges::find(rows, *selection.bone, &BoneRow::bone) : rows.end();
  list_rows(rows, revealed, [&](const BoneRow& row) { bone_row(app, row, scale); });
}

}  // namespace

void inside(App& app, const Layout& layout) {
  if (!app.document) return note("No file is open.");
  const Document& document = *app.document;
  const float scale = layout.scale;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {8.0F * scale, 3.0F * scale});
  static_cast<void>(filter_field("##parts", "Find a mesh or bone", app.part_filter, -1.0F));
  command_tooltip("find-part");
  Selection& selection = app.document->selection;
  if (selection.reveal && selection.bone) unfold_to(selection, document.character(), *selection.bone);
  const float room = ImGui::GetContentRegionAvail().y;
  const float height = std::max(room, kMinPartsHeight * scale);
  const float line = ImGui::GetTextLineHeightWithSpacing();
  // The lists have what the values leave: without a selection, those are one line of text.
  const float wanted = selection.mesh || selection.bone ? height : line + ImGui::GetStyle().ItemSpacing.y;
  const float values = std::min(wanted, height * kMaxValuesShare);
  ImGui::BeginChild("lists", {0.0F, height - values - ImGui::GetStyle().ItemSpacing.y}, false, ImGuiWindowFlags_NoNav);
  heading("Meshes");
  mesh_list(app, scale);
  ImGui::Dummy({0.0F, 6.0F * scale});
  heading("Bones");
  bone_tree(app, scale);
  selection.reveal = false;
  ImGui::EndChild();
  ImGui::Separator();
  ImGui::BeginChild("values", {0.0F, room < height ? values : 0.0F}, false, ImGuiWindowFlags_NoNav);
  if (selection.mesh) mesh_values(document, posed(app), *selection.mesh);
  if (selection.bone && index(*selection.bone) < posed(app).world.size()) {
    if (selection.mesh) ImGui::Dummy({0.0F, 6.0F * scale});
    bone_values(document, posed(app), *selection.bone);
  }
  if (!selection.mesh && !selection.bone) note("Select a mesh or bone.");
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

}  // namespace pchr::player
