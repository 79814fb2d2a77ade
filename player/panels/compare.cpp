// SPDX-License-Identifier: MIT
// What is compared: names on both sides of the divider, and the choice of the second.
#include "panels/panels.hpp"
#include "widgets.hpp"

#include <algorithm>
#include <string>

namespace pchr::player {
namespace {

constexpr ImGuiWindowFlags kFlags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                    ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                                    ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoBringToFrontOnFocus;
constexpr float kBarWidth = 520.0F;
constexpr float kGrip = 6.0F;  ///< To either side of the divider.

/// A label at the foot of a side, beside the divider.
void side_label(const Rect& side, const std::string& text, bool first, float scale) {
  const Vec2 padding = Vec2{9.0F, 5.0F} * scale;
  const Vec2 size = vec(ImGui::CalcTextSize(text.c_str())) + padding * 2.0F;
  const float gap = 10.0F * scale;
  const Vec2 corner{first ? side.max.x - gap - size.x : side.min.x + gap, side.max.y - gap - size.y};
  ImDrawList& list = *ImGui::GetBackgroundDrawList();
  list.PushClipRect(im(side.min), im(side.max));
  list.AddRectFilled(im(corner), im(corner + size), with_alpha(kPanelColour, 0.9F), 6.0F * scale);
  list.AddText(im(corner + padding), first ? kTextColour : kAccentColour, text.c_str());
  list.PopClipRect();
}

std::string label_of(const std::string& file, const Character& character, std::optional<std::uint32_t> clip) {
  return clip ? file + " \u2013 " + character.clips()[*clip].name : file;
}

/// The divider of a wipe is dragged, and a double click puts it in the middle.
void divider(Session& session, const Rect& canvas, float at, float scale) {
  ImDrawList& list = *ImGui::GetBackgroundDrawList();
  const bool wipe = session.comparison.mode == CompareMode::wipe;
  bool held = false;
  if (wipe) {
    const Rect grip{{at - kGrip * scale, canvas.min.y}, {at + kGrip * scale, canvas.max.y}};
    ImGui::SetNextWindowPos(im(grip.min));
    ImGui::SetNextWindowSize(im(grip.size()));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0.0F, 0.0F});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1.0F, 1.0F});
    ImGui::Begin("divider", nullptr, kFlags | ImGuiWindowFlags_NoBackground);
    ImGui::PopStyleVar(2);
    ImGui::InvisibleButton("grip", im(grip.size()));
    held = ImGui::IsItemHovered() || ImGui::IsItemActive();
    if (held) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
      session.comparison.divider = 0.5F;
    } else if (ImGui::IsItemActive() && ImGui::IsMouseDragging(ImGuiMouseButton_Left, 1.0F)) {
      const float along = (ImGui::GetIO().MousePos.x - canvas.min.x) / canvas.size().x;
      session.comparison.divider = std::clamp(along, 0.0F, 1.0F);
    }
    ImGui::End();
  }
  const float width = std::max(1.0F, std::round(scale * (held ? 2.0F : 1.0F)));
  list.AddRectFilled({at - width, canvas.min.y}, {at + width, canvas.max.y}, kBorderColour);
  list.AddRectFilled({at - width * 0.5F, canvas.min.y}, {at + width * 0.5F, canvas.max.y},
                     wipe ? kAccentColour : kControlActive);
  if (!wipe) return;
  const Vec2 middle{at, canvas.centre().y};
  const Vec2 handle = Vec2{7.0F, 16.0F} * scale;
  list.AddRectFilled(im(middle - handle), im(middle + handle), kAccentColour, handle.x);
  for (const float side : {-1.0F, 1.0F}) {
    const Vec2 tip = middle + Vec2{side * 4.5F, 0.0F} * scale;
    const Vec2 base{middle.x + side * 1.5F * scale, middle.y};
    const Vec2 half{0.0F, 3.5F * scale};
    side > 0.0F ? list.AddTriangleFilled(im(base - half), im(tip), im(base + half), kAccentText)
                : list.AddTriangleFilled(im(base - half), im(base + half), im(tip), kAccentText);
  }
}

/// Whose clips can be compared: this file's, another's, one of the list.
void choose_file(Session& session, float width) {
  ImGui::SetNextItemWidth(width);
  if (!ImGui::BeginCombo("##file", compared_name(session).c_str())) return;
  const Comparison& comparison = session.comparison;
  if (ImGui::Selectable("This file", !comparison.file)) compare_file(session, std::nullopt);
  if (comparison.file) ImGui::Selectable(compared_name(session).c_str(), true);
  for (std::size_t i = 0; i < session.files.list.size(); ++i) {
    const std::filesystem::path path = session.files.list[i];
    if (path == session.document->path || (comparison.file && path == comparison.file->path)) continue;
    ImGui::PushID(static_cast<int>(i));
    if (ImGui::Selectable(shown_path(path.filename()).c_str())) open_to_compare(session, path);
    ImGui::PopID();
  }
  ImGui::Separator();
  if (ImGui::Selectable("Open to compare...")) open_browser(session.browser, session.files, BrowseFor::comparison);
  ImGui::EndCombo();
}

void choose_clip_of_second(Session& session, float width) {
  const auto clips = compared_model(session).character().clips();
  const auto shown = session.comparison.clip;
  ImGui::SetNextItemWidth(width);
  if (!ImGui::BeginCombo("##clip", shown ? clips[*shown].name.c_str() : "bind pose")) return;
  for (std::uint32_t i = 0; i < clips.size(); ++i) {
    if (clips[i].frame_count == 0) continue;
    ImGui::PushID(static_cast<int>(i));
    if (ImGui::Selectable(clips[i].name.c_str(), i == shown)) compare_clip(session, i);
    ImGui::PopID();
  }
  ImGui::EndCombo();
}

void choices(Session& session, const Rect& canvas, float scale) {
  const float width = std::min(canvas.size().x - 20.0F * scale, kBarWidth * scale);
  const Vec2 padding = Vec2{8.0F, 6.0F} * scale;
  const float height = ImGui::GetFrameHeight() + padding.y * 2.0F;
  if (width < 380.0F * scale || height * 2.0F > canvas.size().y) return;
  ImGui::SetNextWindowPos({canvas.centre().x - width * 0.5F, canvas.min.y + 10.0F * scale});
  ImGui::SetNextWindowSize({width, height});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, im(padding));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 8.0F * scale);
  ImGui::SetNextWindowBgAlpha(0.94F);
  ImGui::Begin("compare", nullptr, kFlags);
  ImGui::PopStyleVar(2);
  const float gap = 6.0F * scale;
  const Vec2 button{28.0F * scale, ImGui::GetFrameHeight()};
  constexpr const char* kModes[] = {"Side by side", "Wipe"};
  int mode = static_cast<int>(session.comparison.mode) - 1;
  const float modes = 184.0F * scale;
  if (segmented("mode", kModes, mode, modes)) set_compare_mode(session, static_cast<CompareMode>(mode + 1));
  const float combo = (width - padding.x * 2.0F - modes - button.x * 2.0F - gap * 4.0F) * 0.5F;
  ImGui::SameLine(0.0F, gap);
  choose_file(session, combo);
  ImGui::SameLine(0.0F, gap);
  choose_clip_of_second(session, combo);
  ImGui::SameLine(0.0F, gap);
  if (icon_button("swap", Icon::swap, button, "Swap the sides (Shift+C)")) swap_sides(session);
  ImGui::SameLine(0.0F, gap);
  if (icon_button("end", Icon::close, button, "Compare no more (C)")) set_compare_mode(session, CompareMode::off);
  ImGui::End();
}

}  // namespace

void compare_bar(Session& session, const Layout& layout, const Canvas& canvas) {
  if (!comparing(session)) return;
  const float scale = layout.scale;
  const Sides sides = sides_of(session, canvas);
  const Document& document = *session.document;
  side_label(sides.first_shown, label_of(document.name(), document.character(), document.clip), true, scale);
  side_label(sides.second_shown,
             label_of(compared_name(session), compared_model(session).character(), session.comparison.clip), false,
             scale);
  divider(session, canvas.area, sides.second_shown.min.x, scale);
  choices(session, canvas.area, scale);
}

}  // namespace pchr::player
