// SPDX-License-Identifier: MIT
#include "app/commands.hpp"
#include "app/sidecar.hpp"
#include "ui/panels.hpp"

namespace pchr::player {
namespace {

constexpr std::array kKindNames{"Spring chain", "Aim", "Limb", "Foot"};
constexpr std::array kBends{"Auto", "Left", "Right"};
constexpr float kListIndent = 96.0F;

/// Places controls where rig_row() says.
struct Rows {
  float width, scale;
  std::size_t next = 0;

  void begin() { ImGui::SetCursorPos({0.0F, static_cast<float>(next++) * kRigRowHeight * scale}); }
  /// Begins a row with a label and returns the width left for its control.
  float begin(const char* text, std::string_view explanation = {}) {
    begin();
    row_label(text, kRigLabelWidth * scale, explanation);
    return width - kRigLabelWidth * scale;
  }
  void title(const char* text) {
    begin();
    ImGui::AlignTextToFramePadding();
    colored(kTextColor, text);
  }
  void slider(const char* name, float& value, float min, float max, const char* format, std::string_view explanation) {
    ImGui::SetNextItemWidth(begin(name, explanation));
    ImGui::PushID(name);
    ImGui::SliderFloat("##value", &value, min, max, format, ImGuiSliderFlags_AlwaysClamp);
    ImGui::PopID();
    tooltip(explanation);
  }
  void text(const char* name, std::string& value, std::string_view explanation) {
    ImGui::SetNextItemWidth(begin(name, explanation));
    std::array<char, 96> edited{};
    value.copy(edited.data(), edited.size() - 1);
    ImGui::PushID(name);
    if (ImGui::InputText("##text", edited.data(), edited.size())) value = edited.data();
    ImGui::PopID();
    tooltip(explanation);
  }
  /// A choice of a bone, or of none if `none` is not null.
  bool bone(const char* name, Table<BoneId, Bone> bones, BoneId& bone, const char* none, std::string_view explanation) {
    const float left = begin(name, explanation);
    const std::size_t extra = none != nullptr ? 1 : 0;
    const bool is_set = bones.contains(bone);
    ImGui::PushID(name);
    const auto chosen = combo("##bone",
                              is_set            ? bones[bone].name.c_str()
                              : none != nullptr ? none
                                                : "",
                              left, bones.size() + extra, is_set ? index(bone) + extra : 0,
                              [&](std::size_t i) { return i < extra ? none : bones[i - extra].name.c_str(); });
    ImGui::PopID();
    tooltip(explanation);
    if (chosen) bone = *chosen < extra ? BoneId::none : BoneId(*chosen - extra);
    return chosen.has_value();
  }
};

/// A button for a command, with text.
void text_button(App& app, const char* text, const char* id) {
  ImGui::BeginDisabled(!is_available(app, command(id)));
  if (ImGui::Button(text)) run_command(app, id);
  ImGui::EndDisabled();
  command_tooltip(id);
}

void toolbar(App& app, Rows& rows) {
  rows.begin();
  if (checkbox("Play", app.view.rig_plays)) run_command(app, "rig-play");
  command_tooltip("rig-play");
  const float gap = 4.0F * rows.scale;
  ImGui::SameLine(kRigLabelWidth * rows.scale);
  text_button(app, "Undo", "rig-undo");
  ImGui::SameLine(0.0F, gap);
  text_button(app, "Redo", "rig-redo");
  ImGui::SameLine(0.0F, gap);
  text_button(app, "Save", "rig-save");
}

void add_constraint(App& app, Rows& rows) {
  Document& document = *app.document;
  const BoneId bone = document.selection.bone.value_or(BoneId::none);
  const float left = rows.begin("Add", "Constraints act on the bone selected in the Parts tab or on the canvas");
  const auto chosen = combo("##add", "Choose", left, kKindNames.size(), std::nullopt, [&](std::size_t i) {
    return can_add(document.rig.rig, static_cast<ConstraintKind>(i), document.character(), bone) ? kKindNames[i]
                                                                                                 : nullptr;
  });
  tooltip("Add a spring chain, aim, limb or foot at the selected bone (Shift+1 \u2013 4)");
  if (chosen) add(document.rig, static_cast<ConstraintKind>(*chosen), document.character(), bone);
}

void list(RigEditor& editor, Rows& rows) {
  for (const ConstraintRef constraint : constraints_of(editor.rig)) {
    rows.begin();
    ImGui::PushID(static_cast<int>(rows.next));
    const bool selected = editor.selected == constraint;
    ImGui::AlignTextToFramePadding();
    if (ImGui::Selectable("##row", selected, 0, {rows.width, ImGui::GetTextLineHeight()})) editor.selected = constraint;
    ImGui::SameLine(6.0F * rows.scale);
    label(kKindNames[static_cast<std::size_t>(constraint.kind)]);
    ImGui::SameLine(kListIndent * rows.scale);
    cut_text(kTextColor, name_of(editor.rig, constraint), rows.width - kListIndent * rows.scale);
    ImGui::PopID();
  }
}

void edit(SpringChain& chain, const Character& character, Rows& rows) {
  BoneId base = chain.bones.empty() ? BoneId::none : chain.bones.front();
  if (rows.bone("Base", character.bones(), base, nullptr, "First bone of the chain; its first children follow")) {
    chain.bones = chain_from(character, base);
  }
  const std::vector<BoneId> longest = chain_from(character, base);
  const auto most = static_cast<int>(std::max(longest.size(), chain.bones.size()));
  int length = static_cast<int>(chain.bones.size());
  if (slider("##length", length, 1, std::max(most, 1), "%d", rows.begin("Bones", "Number of bones in the chain"))) {
    const auto wanted = static_cast<std::size_t>(length);
    chain.bones = wanted <= chain.bones.size() ? chain.bones : longest;
    chain.bones.resize(std::min(wanted, chain.bones.size()));
  }
  rows.slider("Frequency", chain.frequency, 0.1F, 20.0F, "%.2f Hz", "Swings per second: higher is stiffer");
  rows.slider("Damping", chain.damping, 0.0F, 2.0F, "%.2f", "0 swings forever, 1 does not swing over");
  rows.slider("Drag", chain.drag, 0.0F, 20.0F, "%.2f /s", "How much the air holds the bones back and wind moves them");
  rows.slider("Gravity x", chain.gravity.x, -4000.0F, 4000.0F, "%.0f px/s\u00b2", "Constant pull to the right");
  rows.slider("Gravity y", chain.gravity.y, -4000.0F, 4000.0F, "%.0f px/s\u00b2", "Constant pull up; down is negative");
  rows.slider("Limit", chain.limit_degrees, 0.0F, 180.0F, "%.0f\u00b0", "Maximum angle from the animation; 180 is off");
  rows.slider("Weight", chain.weight, 0.0F, 1.0F, "%.2f", "0 shows the animation alone");
}

void edit(Aim& aim, const Character& character, Rows& rows) {
  rows.bone("Bone", character.bones(), aim.bone, nullptr, "Bone that turns");
  rows.bone("Target", character.bones(), aim.target_bone, "Given by the game", "Bone to point at");
  rows.slider("Axis", aim.axis_degrees, -180.0F, 180.0F, "%.0f\u00b0",
              "Direction that points at the target, counter-clockwise from the bone");
  rows.slider("Minimum", aim.min_degrees, -180.0F, 180.0F, "%.0f\u00b0", "Limit, relative to the animation");
  rows.slider("Maximum", aim.max_degrees, -180.0F, 180.0F, "%.0f\u00b0", "Limit, relative to the animation");
  rows.slider("Softness", aim.softness_degrees, 0.0F, 90.0F, "%.0f\u00b0",
              "Range before a limit in which it slows down");
  rows.slider("Weight", aim.weight, 0.0F, 1.0F, "%.2f", "0 shows the animation alone");
}

void edit(TwoBoneIk& limb, const Character& character, Rows& rows) {
  rows.bone("Upper", character.bones(), limb.upper, nullptr, "First bone of the limb");
  rows.bone("Lower", character.bones(), limb.lower, nullptr, "Second bone of the limb, a child of the first");
  rows.bone("End", character.bones(), limb.end, "Tip of the lower bone", "Bone that reaches the target");
  rows.bone("Target", character.bones(), limb.target_bone, "Given by the game", "Bone to reach for");
  segmented("bend", kBends, limb.bend, rows.begin("Bend", "Side to which the limb bends; Auto keeps the animation's"));
  rows.slider("Softness", limb.softness_pixels, 0.0F, 100.0F, "%.0f px",
              "Range before it is straight, in which it slows");
  rows.slider("Stretch", limb.max_stretch, 1.0F, 3.0F, "%.2f x", "Most that it grows to reach the target; 1 is off");
  rows.slider("Weight", limb.weight, 0.0F, 1.0F, "%.2f", "0 shows the animation alone");
}

void edit(FootPlant& foot, Rig& rig, Rows& rows) {
  const float left = rows.begin("Limb", "The limb that holds the foot in place");
  const auto name = [&](std::size_t i) { return rig.ik[i].name.c_str(); };
  const auto chosen = combo("##limb", foot.ik < rig.ik.size() ? name(foot.ik) : "", left, rig.ik.size(), foot.ik, name);
  if (chosen) foot.ik = static_cast<std::uint32_t>(*chosen);
  rows.text("Plant", foot.plant, "Marker at which the foot stands");
  rows.text("Lift", foot.lift, "Marker at which the foot leaves the ground");
  rows.slider("Fade in", foot.fade_in_seconds, 0.0F, 1.0F, "%.2f s", "Time until the foot stands still");
  rows.slider("Fade out", foot.fade_out_seconds, 0.0F, 1.0F, "%.2f s", "Time until the animation moves it again");
}

void edit_selected(App& app, Rows& rows) {
  RigEditor& editor = app.document->rig;
  Rig& rig = editor.rig;
  const auto [kind, index] = *editor.selected;
  const Character& character = app.document->character();
  ImGui::PushID(static_cast<int>(kind) * 1'000'000 + static_cast<int>(index));
  rows.text("Name", name_of(rig, *editor.selected), "Name in the file and for the game");
  if (kind == ConstraintKind::spring) edit(rig.springs[index], character, rows);
  if (kind == ConstraintKind::aim) edit(rig.aims[index], character, rows);
  if (kind == ConstraintKind::limb) edit(rig.ik[index], character, rows);
  if (kind == ConstraintKind::foot) edit(rig.feet[index], rig, rows);
  rows.begin();
  text_button(app, "Remove", "rig-remove");
  ImGui::PopID();
}

/// What acts on all springs, and how to try them out.
void surroundings(App& app, Rows& rows) {
  Rig& rig = app.document->rig.rig;
  rows.title("Surroundings");
  rows.slider("Wind x", rig.wind.x, -2000.0F, 2000.0F, "%.0f px/s", "Wind to the right. Moves springs that have drag");
  rows.slider("Wind y", rig.wind.y, -2000.0F, 2000.0F, "%.0f px/s", "Wind upward. Moves springs that have drag");
  rows.slider("Gusts", rig.gusts, 0.0F, 1.0F, "%.2f", "How much the wind varies");
  rows.title("Try out");
  rows.slider("Travel", app.document->motion.travel, -1000.0F, 1000.0F, "%.0f px/s",
              "Plays as if the character moved through its world. Not saved");
  rows.begin();
  if (checkbox("Look at the mouse", app.view.rig_follows_mouse)) {
    app.view.rig_follows_mouse = !app.view.rig_follows_mouse;
  }
  tooltip("Aims and limbs without a target bone reach for the mouse on the canvas");
}

}  // namespace

void rig_panel(App& app, float width, float scale) {
  RigEditor& editor = app.document->rig;
  Rows rows{width, scale};
  toolbar(app, rows);
  add_constraint(app, rows);
  if (editor.selected && !exists(editor.rig, *editor.selected)) editor.selected.reset();
  list(editor, rows);
  if (editor.selected) edit_selected(app, rows);
  surroundings(app, rows);
  rows.begin();
  if (!editor.file_error.empty()) {
    wrapped(kErrorColor, editor.file_error);
  } else if (const auto error = find_rig_error(editor.rig, app.document->character())) {
    wrapped(kErrorColor, error->path + " " + error->detail);
  } else if (const auto shared = find_shared_bone(editor.rig)) {
    wrapped(kWarningColor, describe(*shared, editor.rig, app.document->character()));
  } else if (editor.rig.empty()) {
    note("Springs let hair, ears and tails swing. Select their first bone and add a chain.");
  }
}

}  // namespace pchr::player
