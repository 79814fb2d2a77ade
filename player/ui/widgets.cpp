// SPDX-License-Identifier: MIT
#include "ui/panels.hpp"

#include "document/text.hpp"
#include "platform/desktop.hpp"
#include "platform/utf8_path.hpp"
#include "ui/commands.hpp"

#include <backends/imgui_impl_opengl3.h>
#include <fmt/format.h>
#include <glm/common.hpp>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <numbers>
#include <string>
#include <utility>

namespace pchr::player {
namespace {

constexpr float kFontSize = 15.0F;
constexpr float kHeadline = 1.5F;

/// Returns the first of the files that can be read, in UTF-8 as Dear ImGui wants it; empty if none can.
std::string first_readable(const std::vector<std::filesystem::path>& candidates) {
  for (const auto& path : candidates) {
    std::error_code ignored;
    if (std::filesystem::is_regular_file(path, ignored) && std::ifstream(path).good()) return utf8_of(path);
  }
  return {};
}

}  // namespace

void apply_theme(float scale) {
  ImGuiStyle style;
  style.WindowPadding = {12.0F, 12.0F};
  style.FramePadding = {9.0F, 5.0F};
  style.ItemSpacing = {8.0F, 7.0F};
  style.ItemInnerSpacing = {7.0F, 5.0F};
  style.ScrollbarSize = 11.0F;
  style.GrabMinSize = 12.0F;
  style.WindowBorderSize = 0.0F;
  style.FrameBorderSize = 0.0F;
  style.PopupBorderSize = 1.0F;
  style.WindowRounding = 0.0F;
  style.ChildRounding = 6.0F;
  style.FrameRounding = 5.0F;
  style.PopupRounding = 6.0F;
  style.GrabRounding = 5.0F;
  style.ScrollbarRounding = 6.0F;
  style.ScaleAllSizes(scale);

  const std::pair<ImGuiCol, ImU32> colors[] = {
      {ImGuiCol_Text, kTextColor},
      {ImGuiCol_TextDisabled, kFaintTextColor},
      {ImGuiCol_TextSelectedBg, with_alpha(kAccentColor, 0.35F)},
      {ImGuiCol_WindowBg, kPanelColor},
      {ImGuiCol_ChildBg, 0},
      {ImGuiCol_PopupBg, kPanelColor},
      {ImGuiCol_Border, kControlColor},
      {ImGuiCol_FrameBg, kControlColor},
      {ImGuiCol_FrameBgHovered, kControlHovered},
      {ImGuiCol_FrameBgActive, kControlActive},
      {ImGuiCol_Button, kControlColor},
      {ImGuiCol_ButtonHovered, kControlHovered},
      {ImGuiCol_ButtonActive, kControlActive},
      {ImGuiCol_Header, kControlColor},
      {ImGuiCol_HeaderHovered, kControlHovered},
      {ImGuiCol_HeaderActive, kControlActive},
      {ImGuiCol_CheckMark, kAccentColor},
      {ImGuiCol_SliderGrab, with_alpha(kAccentColor, 0.55F)},
      {ImGuiCol_SliderGrabActive, with_alpha(kAccentColor, 0.8F)},
      {ImGuiCol_Separator, kBorderColor},
      {ImGuiCol_ScrollbarBg, 0},
      {ImGuiCol_ScrollbarGrab, kControlColor},
      {ImGuiCol_ScrollbarGrabHovered, kControlHovered},
      {ImGuiCol_ScrollbarGrabActive, kControlActive},
  };
  for (const auto& [index, color] : colors) style.Colors[index] = ImGui::ColorConvertU32ToFloat4(color);
  ImGui::GetStyle() = style;
}

void Fonts::update(float scale, float pixels, const std::string& text) {
  static constexpr ImWchar kWestern[] = {0x0020, 0x024F, 0x0370, 0x052F, 0x1E00, 0x1EFF, 0x2010, 0x2044, 0};
  ImFontGlyphRangesBuilder wanted = characters_;
  wanted.AddRanges(kWestern);
  wanted.AddText(text.c_str());
  const std::span has(characters_.UsedChars.Data, static_cast<std::size_t>(characters_.UsedChars.Size));
  const std::span wants(wanted.UsedChars.Data, static_cast<std::size_t>(wanted.UsedChars.Size));
  if (scale == scale_ && pixels == pixels_ && std::ranges::equal(has, wants)) return;
  scale_ = scale;
  pixels_ = pixels;
  characters_ = wanted;
#ifdef IMGUI_HAS_TEXTURES
  // Dear ImGui draws fonts in framebuffer pixels by itself.
  pixels = 1.0F;
#endif

  ImGuiIO& io = ImGui::GetIO();
  ImFontAtlas& atlas = *io.Fonts;
  atlas.Clear();
  ImVector<ImWchar> ranges;
  characters_.BuildRanges(&ranges);
  const float size = std::round(kFontSize * scale * pixels);
  const Typefaces typefaces = system_typefaces();
  const std::string western = first_readable(typefaces.western);
  const bool added =
      !western.empty() && atlas.AddFontFromFileTTF(western.c_str(), size, nullptr, ranges.Data) != nullptr;
  if (added) {
    if (const std::string east_asian = first_readable(typefaces.east_asian); !east_asian.empty()) {
      ImFontConfig merge;
      merge.MergeMode = true;
      atlas.AddFontFromFileTTF(east_asian.c_str(), size, &merge, ranges.Data);
    }
    atlas.AddFontFromFileTTF(western.c_str(), std::round(size * kHeadline));
  }
  if (!added || !atlas.Build()) {
    atlas.Clear();
    ImFontConfig config;
    config.SizePixels = size;
    atlas.AddFontDefault(&config);
    atlas.Build();
  }
  io.FontGlobalScale = 1.0F / pixels;
#ifndef IMGUI_HAS_TEXTURES
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  ImGui_ImplOpenGL3_CreateFontsTexture();
#endif
}

ImFont* headline_font() { return ImGui::GetIO().Fonts->Fonts.back(); }

namespace {

struct Places {
  bool record = false;
  std::map<std::string, Rect, std::less<>> by_name;
};

Places& places() {
  static Places all;
  return all;
}

}  // namespace

void begin_widget_places(bool record) {
  places().record = record;
  places().by_name.clear();
}

void name_item(std::string_view name, std::size_t number) {
  if (!places().record || !ImGui::IsItemVisible()) return;
  const ImRect& clip = ImGui::GetCurrentWindow()->ClipRect;
  const Rect area{glm::max(Vec2(ImGui::GetItemRectMin()), Vec2(clip.Min)),
                  glm::min(Vec2(ImGui::GetItemRectMax()), Vec2(clip.Max))};
  name_area(name, area);
  name_area(fmt::format("{} {}", name, number), area);
}

void name_area(std::string_view name, const Rect& area) {
  if (places().record && !area.empty()) places().by_name.try_emplace(std::string(name), area);
}

std::optional<Rect> find_widget(std::string_view name) {
  const auto found = places().by_name.find(name);
  return found != places().by_name.end() ? std::optional(found->second) : std::nullopt;
}

namespace {

enum class Stroke : std::uint8_t { fill, frame, ring, triangle, line, corner };
enum Mirrored : std::uint8_t { kOnce = 0, kAcross = 1, kUpDown = 2, kAround = 4 };

/// A part of an icon. Units are half the icon's size, x right and y down.
struct Piece {
  Icon icon;
  Stroke stroke;
  Vec2 at;    ///< Center; middle of the base for triangles, one end for lines, tip for corners.
  Vec2 size;  ///< Half the size; distance to the tip and half the base for triangles.
  float rounding = 0.0F;
  float line = 0.2F;
  unsigned mirrored = kOnce;  ///< Which mirrored copies to draw.
};

constexpr Piece kPieces[] = {
    {Icon::play, Stroke::triangle, {-0.55F, 0.0F}, {1.4F, 0.85F}},
    {Icon::reverse, Stroke::triangle, {0.55F, 0.0F}, {-1.4F, 0.85F}},
    {Icon::minus, Stroke::fill, {0.0F, 0.0F}, {0.6F, 0.12F}},
    {Icon::plus, Stroke::fill, {0.0F, 0.0F}, {0.6F, 0.12F}},
    {Icon::plus, Stroke::fill, {0.0F, 0.0F}, {0.12F, 0.6F}},
    {Icon::pause, Stroke::fill, {0.4F, 0.0F}, {0.2F, 0.8F}, 0.1F, 0.0F, kAcross},
    {Icon::next, Stroke::fill, {-0.55F, 0.0F}, {0.14F, 0.7F}, 0.07F},
    {Icon::next, Stroke::triangle, {-0.15F, 0.0F}, {1.0F, 0.7F}},
    {Icon::previous, Stroke::fill, {0.55F, 0.0F}, {0.14F, 0.7F}, 0.07F},
    {Icon::previous, Stroke::triangle, {0.15F, 0.0F}, {-1.0F, 0.7F}},
    {Icon::last, Stroke::triangle, {-0.6F, 0.0F}, {1.0F, 0.7F}},
    {Icon::last, Stroke::fill, {0.65F, 0.0F}, {0.14F, 0.7F}, 0.07F},
    {Icon::first, Stroke::triangle, {0.6F, 0.0F}, {-1.0F, 0.7F}},
    {Icon::first, Stroke::fill, {-0.65F, 0.0F}, {0.14F, 0.7F}, 0.07F},
    {Icon::close, Stroke::line, {-0.6F, -0.6F}, {0.6F, 0.6F}, 0.0F, 0.24F, kAcross},
    {Icon::camera, Stroke::frame, {0.0F, 0.125F}, {1.025F, 0.6875F}, 0.275F, 0.2125F},
    {Icon::camera, Stroke::fill, {0.0F, -0.725F}, {0.4F, 0.1625F}, 0.125F},
    {Icon::camera, Stroke::ring, {0.0F, 0.125F}, {0.3375F, 0.3375F}, 0.0F, 0.2125F},
    {Icon::animation, Stroke::frame, {0.0F, 0.0F}, {1.0625F, 0.75F}, 0.125F, 0.2125F},
    {Icon::animation, Stroke::fill, {0.0F, 0.465F}, {0.1375F, 0.1375F}, 0.0F, 0.0F, kUpDown},
    {Icon::animation, Stroke::fill, {0.5625F, 0.465F}, {0.1375F, 0.1375F}, 0.0F, 0.0F, kAcross | kUpDown | kAround},
    {Icon::compare, Stroke::fill, {-0.575F, 0.0F}, {0.375F, 0.7F}, 0.15F},
    {Icon::compare, Stroke::frame, {0.575F, 0.0F}, {0.375F, 0.7F}, 0.15F},
    {Icon::present, Stroke::corner, {0.85F, 0.85F}, {0.6F, 0.6F}, 0.0F, 0.2F, kAcross | kUpDown | kAround},
    {Icon::pin, Stroke::fill, {0.0F, -0.4F}, {0.42F, 0.5F}, 0.15F},
    {Icon::pin, Stroke::fill, {0.0F, 0.15F}, {0.75F, 0.12F}, 0.1F},
    {Icon::pin, Stroke::fill, {0.0F, 0.6F}, {0.08F, 0.4F}},
    {Icon::more, Stroke::fill, {0.0F, 0.0F}, {0.2F, 0.2F}, 0.2F},
    {Icon::more, Stroke::fill, {0.75F, 0.0F}, {0.2F, 0.2F}, 0.2F, 0.0F, kAcross},
    {Icon::swap, Stroke::fill, {-0.15F, -0.42F}, {0.65F, 0.13F}, 0.325F, 0.0F, kAround},
    {Icon::swap, Stroke::triangle, {0.35F, -0.42F}, {0.6F, 0.42F}, 0.0F, 0.0F, kAround},
};

void draw_piece(ImDrawList& list, const Piece& piece, Vec2 sign, Vec2 center, float half, ImU32 color) {
  const Vec2 at = center + piece.at * sign * half;
  const Vec2 size = piece.size * half;
  const Vec2 signed_size = size * sign;
  const float rounding = piece.rounding * half;
  const float line = std::max(1.0F, piece.line * half);
  switch (piece.stroke) {
    case Stroke::fill:
      return list.AddRectFilled(at - size, at + size, color, rounding);
    case Stroke::frame:
      return list.AddRect(at - size, at + size, color, rounding, 0, line);
    case Stroke::ring:
      return list.AddCircle(at, size.x, color, 0, line);
    case Stroke::line:
      return list.AddLine(at, center + signed_size, color, line);
    case Stroke::triangle:
      return draw_triangle(list, at, size.y, signed_size.x, color);
    case Stroke::corner: {
      const ImVec2 shape[] = {at - Vec2{signed_size.x, 0.0F}, at, at - Vec2{0.0F, signed_size.y}};
      return list.AddPolyline(shape, 3, color, 0, line);
    }
  }
}

void draw_fold_arrow(Vec2 middle, bool folded, ImU32 color, float scale) {
  const float r = 3.5F * scale;
  const Vec2 first = folded ? Vec2{-r * 0.6F, -r} : Vec2{-r, -r * 0.6F};
  const Vec2 second = folded ? Vec2{r, 0.0F} : Vec2{r, -r * 0.6F};
  const Vec2 third = folded ? Vec2{-r * 0.6F, r} : Vec2{0.0F, r};
  ImGui::GetWindowDrawList()->AddTriangleFilled(middle + first, middle + second, middle + third, color);
}

/// Shows a tooltip whose lines wrap in the window, in place of any other.
void show_tooltip(std::string_view text) {
  constexpr float kLines = 28.0F;
  ImFont& font = *ImGui::GetFont();
  const float scale = ImGui::GetFontSize() / loaded_size(font);
  const float width = std::min(kLines * ImGui::GetFontSize(), ImGui::GetIO().DisplaySize.x * 0.9F);
  const char* const end = text.data() + text.size();
  std::string lines;
  for (const char* from = text.data(); from < end;) {
    const char* to = std::max(font.CalcWordWrapPositionA(scale, from, end, width), from + 1);
    while (to < end && (static_cast<unsigned char>(*to) & 0xC0) == 0x80) ++to;
    lines.append(from, to);
    while (to < end && *to == ' ') ++to;
    if (to < end) lines += '\n';
    from = to;
  }
  ImGui::SetTooltip("%s", lines.c_str());
}

void draw_loop(ImDrawList& list, Vec2 center, float radius, float thickness, ImU32 color) {
  constexpr float kPi = std::numbers::pi_v<float>;
  const float end = kPi * 1.75F;
  list.PathArcTo(center, radius, kPi * 0.1F, end, 20);
  list.PathStroke(color, 0, thickness);
  const Vec2 outward{std::cos(end), std::sin(end)};
  const Vec2 forward{-outward.y, outward.x};
  const Vec2 at = center + outward * radius;
  const float head = thickness * 1.9F;
  list.AddTriangleFilled(at - outward * head, at + outward * head, at + forward * head * 1.4F, color);
}

}  // namespace

void draw_triangle(ImDrawList& list, Vec2 base, float half_base, float reach, ImU32 color) {
  // Anti-aliasing requires clockwise corners.
  const Vec2 side{0.0F, std::copysign(half_base, reach)};
  list.AddTriangleFilled(base - side, base + Vec2{reach, 0.0F}, base + side, color);
}

void draw_icon(Icon icon, Vec2 center, float size, ImU32 color) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (icon == Icon::loop) return draw_loop(list, center, size * 0.31F, size * 0.11F, color);
  if (icon == Icon::help) return text_at(center, Vec2{0.5F}, color, "?");
  if (icon == Icon::second_player) return text_at(center, Vec2{0.5F}, color, "2P");
  for (const Piece& piece : kPieces) {
    if (piece.icon != icon) continue;
    const auto draw = [&](Vec2 sign) { draw_piece(list, piece, sign, center, size * 0.5F, color); };
    draw({1.0F, 1.0F});
    if ((piece.mirrored & kAcross) != 0) draw({-1.0F, 1.0F});
    if ((piece.mirrored & kUpDown) != 0) draw({1.0F, -1.0F});
    if ((piece.mirrored & kAround) != 0) draw({-1.0F, -1.0F});
  }
}

Spot spot(const char* id, Vec2 size, std::size_t number, ImGuiButtonFlags buttons) {
  const Vec2 corner = ImGui::GetCursorScreenPos();
  size = glm::max(size, Vec2{1.0F});  // Dear ImGui refuses empty items.
  ImGui::PushID(static_cast<int>(number));
  const bool clicked = ImGui::InvisibleButton(id, size, buttons);
  ImGui::PopID();
  name_item(id, number);
  return {{corner, corner + size}, clicked, ImGui::IsItemHovered(), ImGui::IsItemActive()};
}

bool icon_button(const char* id, Icon icon, Vec2 size, std::string_view explanation, bool prominent) {
  const Spot button = spot(id, size);
  const ImU32 plain = button.hovered ? (button.active ? kControlActive : kControlHovered) : kControlColor;
  const ImU32 color = prominent ? with_alpha(kAccentColor, button.hovered ? 1.0F : 0.9F) : plain;
  const float alpha = ImGui::GetStyle().Alpha;  // Reduced for disabled items.
  fill(button.area, with_alpha(color, alpha), ImGui::GetStyle().FrameRounding);
  draw_icon(icon, button.area.min + size * 0.5F, std::min(size.x, size.y) * 0.52F,
            with_alpha(prominent ? kAccentText : kTextColor, alpha));
  tooltip(explanation);
  return button.clicked;
}

bool segmented(const char* id, std::span<const char* const> labels, int& current, float width) {
  const Vec2 corner = ImGui::GetCursorScreenPos();
  const Vec2 size{width / static_cast<float>(labels.size()), ImGui::GetFrameHeight()};
  const float rounding = ImGui::GetStyle().FrameRounding;
  const float alpha = ImGui::GetStyle().Alpha;  // Reduced for disabled items.
  fill({corner, corner + Vec2{width, size.y}}, with_alpha(kWellColor, alpha), rounding);
  const int before = current;
  ImGui::BeginGroup();  // So that a tooltip is for all choices.
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0.0F, ImGui::GetStyle().ItemSpacing.y});
  for (int i = 0; i < static_cast<int>(labels.size()); ++i) {
    if (i > 0) ImGui::SameLine();
    const Spot choice = spot(id, size, static_cast<std::size_t>(i));
    if (choice.clicked) current = i;
    if (i == current) fill(choice.area, with_alpha(kControlActive, alpha), rounding);
    const ImU32 color = i == current || choice.hovered ? kTextColor : kDimTextColor;
    text_at(choice.area.min + size * 0.5F, Vec2{0.5F}, with_alpha(color, alpha), labels[static_cast<std::size_t>(i)]);
  }
  ImGui::PopStyleVar();
  ImGui::EndGroup();
  return current != before;
}

bool checkbox(const char* label, bool value, float padding) {
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, Vec2(ImGui::GetStyle().FramePadding) * padding);
  const bool clicked = ImGui::Checkbox(label, &value);
  name_item(label);
  ImGui::PopStyleVar();
  return clicked;
}

bool fold_arrow(bool folded, Vec2 size, float scale) {
  const Spot arrow = spot("fold", size);
  draw_fold_arrow(arrow.area.min + size * 0.5F, folded, arrow.hovered ? kTextColor : kDimTextColor, scale);
  return arrow.clicked;
}

void raise_if_new() {
  if (ImGui::IsWindowAppearing()) ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
}

bool begin_panel(const char* name, const Rect& area, bool over) {
  if (area.size().x < 1.0F || area.size().y < 1.0F) return false;
  begin_popup(name, area, ImGui::GetStyle().WindowPadding, 0.0F, ImGuiWindowFlags_NoBringToFrontOnFocus);
  if (over) raise_if_new();
  name_area(fmt::format("panel {}", name), area);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRectFullScreen();
  list.AddRect(area.min - Vec2{1.0F}, area.max, kBorderColor);
  list.PopClipRect();
  return true;
}

void begin_popup(const char* name, const Rect& area, Vec2 padding, float rounding, ImGuiWindowFlags more,
                 float border) {
  ImGui::SetNextWindowPos(area.min);
  ImGui::SetNextWindowSize(area.size());
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, rounding);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, padding);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1.0F, 1.0F});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, border);
  ImGui::Begin(name, nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoNav | more);
  ImGui::PopStyleVar(4);
}

void heading(std::string_view title) {
  cut_text(kTextColor, title, ImGui::GetContentRegionAvail().x);
  const float gap = ImGui::GetStyle().ItemSpacing.y;
  ImGui::Dummy({0.0F, std::max(0.0F, gap * 0.5F - 1.0F)});
}

bool folding_heading(const char* id, std::string_view title, bool folded, float scale) {
  const float indent = 14.0F * scale;
  const Spot row = spot(id, {indent + text_size(title).x, ImGui::GetTextLineHeight()});
  const Vec2 middle{row.area.min.x, row.area.center().y};
  draw_fold_arrow(middle + Vec2{indent * 0.3F, 0.0F}, folded, row.hovered ? kTextColor : kDimTextColor, scale);
  text_at(middle + Vec2{indent, 0.0F}, {0.0F, 0.5F}, kTextColor, title);
  tooltip(folded ? "Unfold" : "Fold");
  const float gap = ImGui::GetStyle().ItemSpacing.y;
  ImGui::Dummy({0.0F, std::max(0.0F, gap * 0.5F - 1.0F)});
  return row.clicked;
}

void colored(ImU32 color, std::string_view text) {
  ImGui::PushStyleColor(ImGuiCol_Text, color);
  ImGui::TextUnformatted(text.data(), text.data() + text.size());
  ImGui::PopStyleColor();
}

void wrapped(ImU32 color, std::string_view text) {
  ImGui::PushTextWrapPos(0.0F);
  colored(color, text);
  ImGui::PopTextWrapPos();
}

void fact(std::string_view name, std::string_view value) {
  label(name);
  const float right = ImGui::GetWindowContentRegionMax().x;
  const float left = ImGui::GetItemRectSize().x + ImGui::GetStyle().WindowPadding.x + ImGui::GetStyle().ItemSpacing.x;
  const float start = ImGui::GetCursorPosX();
  const float wanted = right - text_size(value).x;
  // If both do not fit, the value moves to its own line.
  wanted < left ? ImGui::SetCursorPosX(std::max(wanted, start)) : ImGui::SameLine(wanted);
  cut_text(kTextColor, value, right - start);
}

void tooltip(std::string_view text) {
  if (!text.empty() && ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) show_tooltip(text);
}

bool tab(const char* title, bool current, float scale) {
  const float right = ImGui::GetWindowWidth() - kPadding * scale;
  const float width = std::min(text_size(title).x, std::max(right - ImGui::GetCursorPosX(), 1.0F));
  const Spot place = spot(title, {width, kHeadingHeight * scale});
  const auto [min, max] = place.area;
  const ImU32 color = current || place.hovered ? kTextColor : kDimTextColor;
  text_in(place.area, color, title);
  const float bottom = max.y - 7.0F * scale;
  if (current) fill({{min.x, bottom - 2.0F * scale}, {max.x, bottom}}, kAccentColor);
  return place.clicked;
}

void row_label(const char* text, float column, std::string_view explanation) {
  ImGui::AlignTextToFramePadding();
  label(text);
  tooltip(explanation);
  ImGui::SameLine(column);
}

void thin_bar(float share, float width, float scale) {
  const Vec2 corner = ImGui::GetCursorScreenPos();
  const Vec2 size{width, 4.0F * scale};
  fill({corner, corner + size}, kWellColor, size.y * 0.5F);
  const float reach = std::clamp(share, 0.0F, 1.0F) * size.x;
  if (reach > 0.0F) fill({corner, corner + Vec2{reach, size.y}}, kAccentColor, size.y * 0.5F);
  ImGui::Dummy(size);
}

void mark_row(const Rect& row, bool current, bool hovered, float scale) {
  if (current || hovered) fill(row, current ? kControlActive : kControlColor, 5.0F * scale);
  if (current) fill({row.min, {row.min.x + 3.0F * scale, row.max.y}}, kAccentColor, 2.0F * scale);
}

void fill(const Rect& area, ImU32 color, float rounding) {
  ImGui::GetWindowDrawList()->AddRectFilled(area.min, area.max, color, rounding);
}

bool text_in(const Rect& area, ImU32 color, std::string_view text, float align, Ellipsis where) {
  const std::string shown = ellipsized(text, area.max.x - area.min.x, where);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect(area.min, area.max, true);
  text_at({align > 0.0F ? area.max.x : area.min.x, area.center().y}, {align, 0.5F}, color, shown);
  list.PopClipRect();
  const bool cut = shown.size() != text.size();
  if (cut && ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(area.min, area.max)) show_tooltip(text);
  return cut;
}

std::string ellipsized(std::string_view text, float width, Ellipsis where) {
#ifdef IMGUI_HAS_TEXTURES
  ImFontBaked& font = *ImGui::GetFontBaked();
  const float scale = ImGui::GetFontSize() / font.Size;
#else
  const ImFont& font = *ImGui::GetFont();
  const float scale = ImGui::GetFontSize() / font.FontSize;
#endif
  return ellipsized(text, width, where, [&](std::string_view character) {
    unsigned decoded = 0;
    ImTextCharFromUtf8(&decoded, character.data(), character.data() + character.size());
    return font.GetCharAdvance(static_cast<ImWchar>(decoded)) * scale;
  });
}

void cut_text(ImU32 color, std::string_view text, float width, Ellipsis where) {
  const std::string shown = ellipsized(text, width, where);
  colored(color, shown);
  if (shown.size() != text.size()) tooltip(text);
}

bool selectable(std::string_view name, bool selected, ImU32 color) {
  const Vec2 corner = ImGui::GetCursorScreenPos();
  const Vec2 size{ImGui::GetContentRegionAvail().x, ImGui::GetTextLineHeight()};
  const bool clicked = ImGui::Selectable("##name", selected);
  name_item(name);
  text_in({corner, corner + size}, color, name);
  return clicked;
}

std::string full_label(std::string_view text) {
  std::string label;
  for (const char each : text) {
    // A carriage return takes no room.
    if (each == '#' && label.ends_with('#')) label += '\r';
    label += each;
  }
  return label;
}

bool begin_combo(const char* id, const char* shown, float width) {
  const float room = width - ImGui::GetFrameHeight() - ImGui::GetStyle().FramePadding.x * 2.0F;
  const std::string preview = ellipsized(shown, room);
  ImGui::SetNextItemWidth(width);
  if (ImGui::BeginCombo(id, full_label(preview).c_str())) return true;
  name_item(id);
  if (preview != shown) tooltip(shown);
  return false;
}

void focus_next_item() {
#if IMGUI_VERSION_NUM == 19010
  // This version looks for the item only among those of the window that has the focus (ocornut/imgui#7226).
  ImGuiContext& context = *ImGui::GetCurrentContext();
  context.NavFocusScopeId = context.CurrentFocusScopeId;
#endif
  ImGui::SetKeyboardFocusHere();
}

bool filter_field(const char* id, const char* hint, NameFilter& filter, float width) {
  ImGui::SetNextItemWidth(width);
  if (std::exchange(filter.focus, false)) focus_next_item();
  ImGui::PushStyleColor(ImGuiCol_FrameBg, kWellColor);
  const bool entered =
      ImGui::InputTextWithHint(id, hint, filter.text.data(), filter.text.size(), ImGuiInputTextFlags_EnterReturnsTrue);
  name_item(id);
  ImGui::PopStyleColor();
  if (ImGui::IsItemDeactivated() && ImGui::IsKeyPressed(key_index(ImGuiKey_Escape))) filter.text[0] = '\0';
  return entered;
}

std::optional<std::string> typed_field(const char* id, std::string_view text, float width) {
  std::array<char, 64> typed{};
  text.copy(typed.data(), typed.size() - 1);
  ImGui::SetNextItemWidth(width);
  const bool entered = ImGui::InputText(id, typed.data(), typed.size(),
                                        ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  name_item(id);
  return entered ? std::optional<std::string>(typed.data()) : std::nullopt;
}

void Rows::begin(float height) {
  ImGui::SetCursorPos({0.0F, top * scale});
  top += height;
}

float Rows::begin(const char* text, std::string_view explanation) {
  begin();
  row_label(text, kRigLabelWidth * scale, explanation);
  return width - kRigLabelWidth * scale;
}

void Rows::title(const char* text) {
  begin();
  ImGui::AlignTextToFramePadding();
  colored(kTextColor, text);
}

void Rows::message(ImU32 color, std::string_view text) {
  constexpr float kGap = 6.0F;
  begin(0.0F);
  ImGui::PushTextWrapPos(width);
  colored(color, text);
  ImGui::PopTextWrapPos();
  top += ImGui::GetItemRectSize().y / scale + kGap;
}

void Rows::slider(const char* name, float& value, float min, float max, const char* format,
                  std::string_view explanation) {
  ImGui::SetNextItemWidth(begin(name, explanation));
  ImGui::PushID(name);
  ImGui::SliderFloat("##value", &value, min, max, format, ImGuiSliderFlags_AlwaysClamp);
  ImGui::PopID();
  name_item(name);
  tooltip(explanation);
}

void Rows::text(const char* name, std::string& value, std::string_view explanation) {
  const float left = begin(name, explanation);
  ImGui::PushID(name);
  text_field("##text", value, left);
  ImGui::PopID();
  tooltip(explanation);
}

bool Rows::bone(const char* name, Table<BoneId, Bone> bones, BoneId& bone, const char* none,
                std::string_view explanation) {
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

bool text_field(const char* id, std::string& text, float width) {
  constexpr std::size_t kRoom = 1024;
  std::string edited = text;
  edited.resize(text.size() + kRoom);
  ImGui::SetNextItemWidth(width);
  const bool changed = ImGui::InputText(id, edited.data(), edited.size());
  name_item(id);
  if (changed) text = edited.c_str();
  return changed;
}

bool name_choice(const char* id, std::string& value, std::span<const std::string> names, const char* none,
                 float width) {
  const std::size_t extra = none != nullptr ? 1 : 0;
  const auto current = static_cast<std::size_t>(std::ranges::find(names, value) - names.begin());
  const bool known = current < names.size();
  const char* const shown = value.empty() && none != nullptr ? none : value.c_str();
  const auto chosen =
      combo(id, shown, width, names.size() + extra, known ? std::optional(current + extra) : std::nullopt,
            [&](std::size_t i) { return i < extra ? none : names[i - extra].c_str(); });
  if (chosen) value = *chosen < extra ? std::string() : names[*chosen - extra];
  return chosen.has_value();
}

void text_button(App& app, const char* text, const char* id) {
  ImGui::BeginDisabled(!is_available(app, command(id)));
  if (ImGui::Button(text)) run_command(app, id);
  name_item(text);
  ImGui::EndDisabled();
  command_tooltip(id);
}

}  // namespace pchr::player
