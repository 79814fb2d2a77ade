// SPDX-License-Identifier: MIT
// The menus that a right click opens.
#include "app/commands.hpp"
#include "ui/panels.hpp"

namespace pchr::player {
namespace {

/// The first line of a menu: what it is about.
void about(std::string_view text) {
  label(text);
  ImGui::Separator();
}

/// An item that is no command.
bool item(const char* text, const char* name, bool enabled = true) {
  const bool chosen = ImGui::MenuItem(text, nullptr, false, enabled);
  name_item(name);
  return chosen;
}

/// Lists everything under the mouse, front to back.
void behind_menu(App& app) {
  Selection& selection = app.document->selection;
  const Character& character = app.document->character();
  if (!ImGui::BeginMenu("Select", selection.stack.size() > 1)) return name_item("menu Select");
  // A choice replaces the stack.
  const std::vector<Pick> stack = selection.stack;
  for (std::size_t i = 0; i < stack.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    const auto [mesh, bone] = stack[i];
    const std::string& name = mesh ? character.meshes()[*mesh].name : character.bones()[*bone].name;
    const bool selected = selection.mesh == mesh && (mesh || selection.bone == bone);
    if (ImGui::MenuItem(name.c_str(), mesh ? nullptr : "Bone", selected)) {
      mesh ? select_mesh(selection, character, *mesh) : select_bone(selection, *bone);
    }
    name_item("item select", i);
    ImGui::PopID();
  }
  ImGui::EndMenu();
}

/// What can be done with the lineup's character under the mouse.
void lineup_menu(App& app) {
  if (!lining_up(app)) return;
  if (const auto member = app.lineup.selected) {
    about(app.lineup.members[*member].document.name());
    command_item(app, "lineup-activate");
    command_item(app, "lineup-remove");
  }
  command_item(app, "lineup-clear");
  ImGui::Separator();
}

void canvas_menu(App& app) {
  lineup_menu(app);
  Selection& selection = app.document->selection;
  const Character& character = app.document->character();
  std::string what;
  if (selection.mesh) what = character.meshes()[*selection.mesh].name;
  if (selection.bone) what += (what.empty() ? "" : " \u00B7 ") + character.bones()[*selection.bone].name;
  if (!what.empty()) {
    about(what);
    command_item(app, "hide");
    command_item(app, "solo");
    command_item(app, "solo-subtree");
    if (item("Select bone", "item select-bone", selection.mesh && selection.bone)) {
      select_bone(selection, *selection.bone);
    }
    behind_menu(app);
    command_item(app, "select-none");
    ImGui::Separator();
  }
  command_item(app, "weights");
  command_item(app, "trail");
  command_item(app, "skeleton");
  ImGui::Separator();
  command_item(app, "show-all");
  command_item(app, "fit");
}

void clip_menu(App& app, ClipId id) {
  const Clip& clip = app.document->character().clips()[id];
  const bool playable = clip.frame_count > 0;
  about(clip.name.empty() ? "(unnamed)" : clip.name);
  if (item("Play", "item play-clip", playable)) {
    set_mode(app, PlaybackMode::clip);
    choose_clip(app.playback, app.document->character(), id);
  }
  if (item("Compare with this", "item compare-clip", playable)) {
    if (!comparing(app)) set_compare_mode(app, CompareMode::side_by_side);
    compare_clip(app, id);
  }
  if (item("Mix from this", "item mix-from-clip", playable && app.playback.clip)) {
    set_mode(app, PlaybackMode::mix);
    if (Mix* mix = app.playback.mix()) set_from(*mix, id);
  }
  if (item("Mix to this", "item mix-to-clip", playable && app.playback.clip)) {
    set_mode(app, PlaybackMode::mix);
    if (Mix* mix = app.playback.mix()) fade_to(*mix, id);
  }
  ImGui::Separator();
  if (item("Export...", "item export-clip", playable && !app.exports.running)) {
    set_mode(app, PlaybackMode::clip);
    choose_clip(app.playback, app.document->character(), id);
    app.exports.options.clips = ExportClips::one;
    if (!app.exports.open) toggle_exports(app);
  }
  if (item("Copy name", "item copy-clip")) ImGui::SetClipboardText(printable(clip.name).c_str());
}

/// Lists the markers of a clip; one that is chosen is shown.
void markers_menu(App& app, ClipId clip) {
  const auto markers = app.document->markers->of_clip(clip);
  if (!ImGui::BeginMenu("Go to marker", !markers.empty())) return name_item("menu Go to marker");
  for (std::size_t i = 0; i < markers.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    const std::string frame = fmt::format("{}", markers[i].frame);
    if (ImGui::MenuItem(markers[i].name.c_str(), frame.c_str())) seek_frame(app.playback, markers[i].frame);
    name_item("item marker", i);
    ImGui::PopID();
  }
  ImGui::EndMenu();
}

void timeline_menu(App& app, std::uint32_t frame) {
  const auto at = playhead(app.playback);
  if (!at) return ImGui::CloseCurrentPopup();
  const Character& character = app.document->character();
  const std::uint32_t last = std::max(character.clips()[at->clip].frame_count, 1U) - 1;
  frame = std::min(frame, last);
  about(fmt::format("Frame {}", frame));
  if (item("Go here", "item go-here")) seek_frame(app.playback, frame);
  markers_menu(app, at->clip);
  if (item("Copy frame number", "item copy-frame")) ImGui::SetClipboardText(fmt::format("{}", frame).c_str());
  if (!app.playback.shows_clip()) return;
  ImGui::Separator();
  const FrameRange range = app.playback.clock.range().value_or(FrameRange{0, last});
  if (item(command("range-start").name, "item start-here")) {
    set_range(app.playback, character, FrameRange{frame, std::max(frame, range.last)});
  }
  if (item(command("range-end").name, "item end-here")) {
    set_range(app.playback, character, FrameRange{std::min(frame, range.first), frame});
  }
  command_item(app, "no-range");
}

bool still_exists(const App& app, const ContextMenu& menu) {
  if (!app.document) return false;
  return menu.on != MenuOn::clip || app.document->character().clips().contains(menu.clip);
}

}  // namespace

void context_menu(App& app) {
  ContextMenu& menu = app.menu;
  if (std::exchange(menu.opens, false)) ImGui::OpenPopup("context");
  if (!ImGui::BeginPopup("context")) return;
  const Vec2 corner = ImGui::GetWindowPos();
  name_area("context menu", {corner, corner + Vec2(ImGui::GetWindowSize())});
  if (!still_exists(app, menu)) {
    ImGui::CloseCurrentPopup();
  } else if (menu.on == MenuOn::canvas) {
    canvas_menu(app);
  } else if (menu.on == MenuOn::clip) {
    clip_menu(app, menu.clip);
  } else {
    timeline_menu(app, menu.frame);
  }
  ImGui::EndPopup();
}

}  // namespace pchr::player
