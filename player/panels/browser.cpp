// SPDX-License-Identifier: MIT
// The file browser, over everything.
#include "browser.hpp"

#include "panels/panels.hpp"
#include "widgets.hpp"

#include <algorithm>
#include <optional>

namespace pchr::player {
namespace {

void text_in(ImDrawList& list, const Rect& area, ImU32 colour, const std::string& text) {
  list.PushClipRect(im(area.min), im(area.max), true);
  list.AddText({area.min.x, area.centre().y - ImGui::GetTextLineHeight() * 0.5F}, colour, text.c_str());
  list.PopClipRect();
}

void folder_icon(ImDrawList& list, Vec2 centre, float scale) {
  const Vec2 half = Vec2{7.0F, 5.0F} * scale;
  list.AddRectFilled(im(centre - half - Vec2{0.0F, 2.0F * scale}), im(centre + Vec2{-1.0F * scale, 0.0F}),
                     kDimTextColour, 2.0F * scale);
  list.AddRectFilled(im(centre - half), im(centre + half), kDimTextColour, 2.0F * scale);
}

void draw_entry(const BrowserEntry& entry, const Rect& row, bool selected, bool hovered, float scale) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (selected || hovered) {
    list.AddRectFilled(im(row.min), im(row.max), selected ? kControlActive : kControlColour, 5.0F * scale);
  }
  if (selected) {
    list.AddRectFilled(im(row.min), {row.min.x + 3.0F * scale, row.max.y}, kAccentColour, 2.0F * scale);
  }
  const float left = row.min.x + 34.0F * scale;
  if (entry.kind == EntryKind::folder) folder_icon(list, {row.min.x + 18.0F * scale, row.centre().y}, scale);
  const float detail_width = std::min(ImGui::CalcTextSize(entry.detail.c_str()).x, row.size().x * 0.5F);
  const float right = row.max.x - 10.0F * scale;
  text_in(list, {{left, row.min.y}, {right - detail_width - 12.0F * scale, row.max.y}}, kTextColour, entry.name);
  // The end of a long folder says more than its beginning.
  const Vec2 corner{right - ImGui::CalcTextSize(entry.detail.c_str()).x,
                    row.centre().y - ImGui::GetTextLineHeight() * 0.5F};
  list.PushClipRect({right - detail_width, row.min.y}, {right, row.max.y}, true);
  list.AddText(im(corner), kDimTextColour, entry.detail.c_str());
  list.PopClipRect();
}

void section(const char* text, float scale) {
  ImGui::Dummy({0.0F, 4.0F * scale});
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + 10.0F * scale);
  ImGui::PushStyleColor(ImGuiCol_Text, kFaintTextColour);
  ImGui::TextUnformatted(text);
  ImGui::PopStyleColor();
  ImGui::Dummy({0.0F, 3.0F * scale});
}

/// The entry that was clicked.
std::optional<std::size_t> entries(Browser& browser, float scale) {
  std::optional<std::size_t> clicked;
  const float height = kBrowserRowHeight * scale;
  std::optional<EntryKind> kind;
  for (std::size_t i = 0; i < browser.listed.size(); ++i) {
    const BrowserEntry& entry = browser.all[browser.listed[i]];
    const bool was_recent = kind == EntryKind::recent;
    if (!kind && entry.kind == EntryKind::recent) section("Recent", scale);
    if (was_recent && entry.kind != EntryKind::recent) section("This folder", scale);
    kind = entry.kind;
    const Vec2 corner = vec(ImGui::GetCursorScreenPos());
    const Rect row{corner, corner + Vec2{ImGui::GetContentRegionAvail().x, height}};
    ImGui::PushID(static_cast<int>(i));
    if (ImGui::InvisibleButton("entry", im(row.size()))) clicked = i;
    ImGui::PopID();
    if (i == browser.selected && browser.reveal && !ImGui::IsItemVisible()) ImGui::SetScrollHereY(0.5F);
    if (ImGui::IsItemVisible()) draw_entry(entry, row, i == browser.selected, ImGui::IsItemHovered(), scale);
  }
  browser.reveal = false;
  if (browser.listed.empty()) {
    ImGui::SetCursorPosX(10.0F * scale);
    const bool images = browser.purpose == BrowseFor::background || browser.purpose == BrowseFor::textures;
    note(!browser.filter.empty() ? "Nothing here has that in its name."
         : images                ? "No folder and no .png file is here."
                                 : "No folder and no .pchr, .json, .chp, .px or .psk file is here.");
  }
  return clicked;
}

void filter_box(const Browser& browser, float scale) {
  const Vec2 corner = vec(ImGui::GetCursorScreenPos());
  const Vec2 size{ImGui::GetContentRegionAvail().x, ImGui::GetFrameHeight()};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(im(corner), im(corner + size), kWellColour, ImGui::GetStyle().FrameRounding);
  const Rect inside{corner + Vec2{10.0F * scale, 0.0F}, corner + size - Vec2{10.0F * scale, 0.0F}};
  const bool empty = browser.filter.empty();
  const float end = inside.min.x + ImGui::CalcTextSize(browser.filter.c_str()).x + 1.0F * scale;
  list.AddLine({end, corner.y + 5.0F * scale}, {end, corner.y + size.y - 5.0F * scale}, kAccentColour, 1.5F * scale);
  text_in(list, {inside.min + Vec2{empty ? 6.0F * scale : 0.0F, 0.0F}, inside.max},
          empty ? kFaintTextColour : kTextColour, empty ? "Type to filter" : browser.filter);
  ImGui::Dummy(im(size));
}

}  // namespace

void browser_window(Browser& browser, Files& files, const Layout& layout) {
  if (!browser.open) return;
  const float scale = layout.scale;
  const Rect area = browser_area(vec(ImGui::GetIO().DisplaySize), scale);
  ImGui::SetNextWindowPos(im(area.min));
  ImGui::SetNextWindowSize(im(area.size()));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 10.0F * scale);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1.0F);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1.0F, 1.0F});
  ImGui::Begin("browser", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoNav);
  ImGui::PopStyleVar(3);
  const float button = 24.0F * scale;
  if (ImGui::Button("Up")) go_up(browser, files);
  tooltip("The folder above (Backspace)");
  ImGui::SameLine();
  const Vec2 corner = vec(ImGui::GetCursorScreenPos());
  const std::string path = shown_path(browser.folder);
  const Rect title{corner, {area.max.x - button - 26.0F * scale, corner.y + ImGui::GetFrameHeight()}};
  // The end of a long path says more than its beginning.
  const float cut = std::max(0.0F, ImGui::CalcTextSize(path.c_str()).x - title.size().x);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect(im(title.min), im(title.max), true);
  list.AddText({title.min.x - cut, title.centre().y - ImGui::GetTextLineHeight() * 0.5F}, kTextColour, path.c_str());
  list.PopClipRect();
  ImGui::SetCursorScreenPos({area.max.x - button - 12.0F * scale, corner.y});
  if (icon_button("close", Icon::close, Vec2{button}, "Close (Esc)")) browser.open = false;
  ImGui::Dummy({0.0F, 0.0F});
  filter_box(browser, scale);

  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0.0F, 0.0F});
  ImGui::BeginChild("entries", {0.0F, 0.0F}, false, ImGuiWindowFlags_NoNav);
  const auto clicked = entries(browser, scale);
  ImGui::EndChild();
  ImGui::PopStyleVar();
  ImGui::End();
  if (clicked) choose(browser, files, *clicked);
}

}  // namespace pchr::player
