// SPDX-License-Identifier: MIT
// Small pieces that the panels share.

#include "ui/widgets.hpp"

#include <cmath>
#include <numbers>

namespace pchr::player {
namespace {

void triangle(ImDrawList& list, Vec2 base, float half_height, float reach, ImU32 color) {
  const Vec2 up = base + Vec2{0.0F, -half_height};
  const Vec2 tip = base + Vec2{reach, 0.0F};
  const Vec2 down = base + Vec2{0.0F, half_height};
  // Anti-aliasing needs clockwise corners.
  reach > 0.0F ? list.AddTriangleFilled(im(up), im(tip), im(down), color)
               : list.AddTriangleFilled(im(up), im(down), im(tip), color);
}

void bar(ImDrawList& list, Vec2 center, Vec2 half, ImU32 color) {
  list.AddRectFilled(im(center - half), im(center + half), color, half.x * 0.5F);
}

void loop_arrow(ImDrawList& list, Vec2 center, float radius, float thickness, ImU32 color) {
  constexpr float kPi = std::numbers::pi_v<float>;
  const float end = kPi * 1.75F;
  list.PathArcTo(im(center), radius, kPi * 0.1F, end, 20);
  list.PathStroke(color, 0, thickness);
  const Vec2 outward{std::cos(end), std::sin(end)};
  const Vec2 forward{-outward.y, outward.x};
  const Vec2 at = center + outward * radius;
  const float head = thickness * 1.9F;
  list.AddTriangleFilled(im(at - outward * head), im(at + outward * head), im(at + forward * head * 1.4F), color);
}

void camera(ImDrawList& list, Vec2 center, float half, ImU32 color) {
  const Vec2 body = Vec2{0.82F, 0.55F} * half;
  const Vec2 middle = center + Vec2{0.0F, half * 0.1F};
  const float line = std::max(1.0F, half * 0.17F);
  list.AddRect(im(middle - body), im(middle + body), color, half * 0.22F, 0, line);
  list.AddRectFilled(im(middle - Vec2{half * 0.32F, body.y + half * 0.26F}), im(middle + Vec2{half * 0.32F, -body.y}),
                     color, half * 0.1F);
  list.AddCircle(im(middle), half * 0.27F, color, 0, line);
}

void film_strip(ImDrawList& list, Vec2 center, float half, ImU32 color) {
  const Vec2 strip = Vec2{0.85F, 0.6F} * half;
  const float line = std::max(1.0F, half * 0.17F);
  list.AddRect(im(center - strip), im(center + strip), color, half * 0.1F, 0, line);
  for (const float x : {-0.45F, 0.0F, 0.45F}) {
    for (const float y : {-1.0F, 1.0F}) {
      const Vec2 hole = center + Vec2{x * half, y * strip.y * 0.62F};
      list.AddRectFilled(im(hole - Vec2{half * 0.11F}), im(hole + Vec2{half * 0.11F}), color);
    }
  }
}

}  // namespace

void draw_icon(ImDrawList& list, Icon icon, Vec2 center, float size, ImU32 color) {
  const float h = size * 0.5F;
  switch (icon) {
    case Icon::play:
      triangle(list, center - Vec2{h * 0.55F, 0.0F}, h * 0.85F, h * 1.4F, color);
      break;
    case Icon::reverse:
      triangle(list, center + Vec2{h * 0.55F, 0.0F}, h * 0.85F, h * -1.4F, color);
      break;
    case Icon::minus:
    case Icon::plus:
      list.AddRectFilled(im(center - Vec2{h * 0.6F, h * 0.12F}), im(center + Vec2{h * 0.6F, h * 0.12F}), color);
      if (icon == Icon::plus) {
        list.AddRectFilled(im(center - Vec2{h * 0.12F, h * 0.6F}), im(center + Vec2{h * 0.12F, h * 0.6F}), color);
      }
      break;
    case Icon::pause:
      bar(list, center - Vec2{h * 0.4F, 0.0F}, {h * 0.2F, h * 0.8F}, color);
      bar(list, center + Vec2{h * 0.4F, 0.0F}, {h * 0.2F, h * 0.8F}, color);
      break;
    case Icon::next:
    case Icon::previous: {
      const float side = icon == Icon::next ? 1.0F : -1.0F;
      bar(list, center - Vec2{h * 0.55F * side, 0.0F}, {h * 0.14F, h * 0.7F}, color);
      triangle(list, center - Vec2{h * 0.15F * side, 0.0F}, h * 0.7F, h * side, color);
      break;
    }
    case Icon::last:
    case Icon::first: {
      const float side = icon == Icon::last ? 1.0F : -1.0F;
      triangle(list, center - Vec2{h * 0.6F * side, 0.0F}, h * 0.7F, h * side, color);
      bar(list, center + Vec2{h * 0.65F * side, 0.0F}, {h * 0.14F, h * 0.7F}, color);
      break;
    }
    case Icon::loop:
      loop_arrow(list, center, h * 0.62F, size * 0.11F, color);
      break;
    case Icon::close: {
      const float r = h * 0.6F;
      list.AddLine(im(center - Vec2{r}), im(center + Vec2{r}), color, size * 0.12F);
      list.AddLine(im(center + Vec2{-r, r}), im(center + Vec2{r, -r}), color, size * 0.12F);
      break;
    }
    case Icon::camera:
      camera(list, center, h * 1.25F, color);
      break;
    case Icon::animation:
      film_strip(list, center, h * 1.25F, color);
      break;
    case Icon::compare:
      list.AddRectFilled(im(center - Vec2{h * 0.95F, h * 0.7F}), im(center + Vec2{h * -0.2F, h * 0.7F}), color,
                         h * 0.15F);
      list.AddRect(im(center - Vec2{h * -0.2F, h * 0.7F}), im(center + Vec2{h * 0.95F, h * 0.7F}), color, h * 0.15F, 0,
                   std::max(1.0F, h * 0.2F));
      break;
    case Icon::present:
      for (const Vec2 side : {Vec2{-1, -1}, Vec2{1, -1}, Vec2{1, 1}, Vec2{-1, 1}}) {
        const Vec2 tip = center + side * h * 0.85F;
        const ImVec2 shape[] = {im(tip - Vec2{side.x * h * 0.6F, 0.0F}), im(tip),
                                im(tip - Vec2{0.0F, side.y * h * 0.6F})};
        list.AddPolyline(shape, 3, color, 0, std::max(1.0F, h * 0.2F));
      }
      break;
    case Icon::swap:
      for (const float side : {1.0F, -1.0F}) {
        const Vec2 at = center + Vec2{0.0F, h * -0.42F * side};
        bar(list, at - Vec2{h * 0.15F * side, 0.0F}, {h * 0.65F, h * 0.13F}, color);
        triangle(list, at + Vec2{h * 0.35F * side, 0.0F}, h * 0.42F, h * 0.6F * side, color);
      }
      break;
    case Icon::help:
    case Icon::second_player: {
      const char* const text = icon == Icon::help ? "?" : "2P";
      list.AddText(im(center - vec(ImGui::CalcTextSize(text)) * 0.5F), color, text);
      break;
    }
  }
}

bool icon_button(const char* id, Icon icon, Vec2 size, const char* text, bool prominent) {
  const Vec2 corner = vec(ImGui::GetCursorScreenPos());
  const bool pressed = ImGui::InvisibleButton(id, im(size));
  const bool hovered = ImGui::IsItemHovered();
  const ImU32 plain = hovered ? (ImGui::IsItemActive() ? kControlActive : kControlHovered) : kControlColor;
  const ImU32 fill = prominent ? with_alpha(kAccentColor, hovered ? 1.0F : 0.9F) : plain;
  const float alpha = ImGui::GetStyle().Alpha;  // Lower where disabled.
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(im(corner), im(corner + size), with_alpha(fill, alpha), ImGui::GetStyle().FrameRounding);
  draw_icon(list, icon, corner + size * 0.5F, std::min(size.x, size.y) * 0.52F,
            with_alpha(prominent ? kAccentText : kTextColor, alpha));
  tooltip(text);
  return pressed;
}

bool segmented(const char* id, std::span<const char* const> labels, int& current, float width) {
  const Vec2 corner = vec(ImGui::GetCursorScreenPos());
  const Vec2 size{width / static_cast<float>(labels.size()), ImGui::GetFrameHeight()};
  const float rounding = ImGui::GetStyle().FrameRounding;
  const float alpha = ImGui::GetStyle().Alpha;  // Lower where disabled.
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(im(corner), im(corner + Vec2{width, size.y}), with_alpha(kWellColor, alpha), rounding);
  bool changed = false;
  ImGui::PushID(id);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0.0F, ImGui::GetStyle().ItemSpacing.y});
  for (int i = 0; i < static_cast<int>(labels.size()); ++i) {
    if (i > 0) ImGui::SameLine();
    const char* label = labels[static_cast<std::size_t>(i)];
    const Vec2 at = vec(ImGui::GetCursorScreenPos());
    ImGui::PushID(i);
    if (ImGui::InvisibleButton("choice", im(size)) && i != current) {
      current = i;
      changed = true;
    }
    ImGui::PopID();
    if (i == current) list.AddRectFilled(im(at), im(at + size), with_alpha(kControlActive, alpha), rounding);
    const bool bright = i == current || ImGui::IsItemHovered();
    const Vec2 text = vec(ImGui::CalcTextSize(label));
    list.AddText(im(at + (size - text) * 0.5F), with_alpha(bright ? kTextColor : kDimTextColor, alpha), label);
  }
  ImGui::PopStyleVar();
  ImGui::PopID();
  return changed;
}

bool checkbox(const char* label, bool value) {
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, im(vec(ImGui::GetStyle().FramePadding) * 0.4F));
  const bool clicked = ImGui::Checkbox(label, &value);
  ImGui::PopStyleVar();
  return clicked;
}

bool fold_arrow(const char* id, bool folded, Vec2 size, float scale) {
  const Vec2 corner = vec(ImGui::GetCursorScreenPos());
  const bool clicked = ImGui::InvisibleButton(id, im(size));
  const Vec2 middle = corner + size * 0.5F;
  const float r = 3.5F * scale;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 color = ImGui::IsItemHovered() ? kTextColor : kDimTextColor;
  if (folded) {
    list.AddTriangleFilled(im(middle + Vec2{-r * 0.6F, -r}), im(middle + Vec2{r, 0}), im(middle + Vec2{-r * 0.6F, r}),
                           color);
  } else {
    list.AddTriangleFilled(im(middle + Vec2{-r, -r * 0.6F}), im(middle + Vec2{r, -r * 0.6F}), im(middle + Vec2{0, r}),
                           color);
  }
  return clicked;
}

bool begin_panel(const char* name, const Rect& area) {
  if (area.empty()) return false;
  ImGui::SetNextWindowPos(im(area.min));
  ImGui::SetNextWindowSize(im(area.size()));
  constexpr ImGuiWindowFlags kFixed = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                      ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                                      ImGuiWindowFlags_NoBringToFrontOnFocus;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1.0F, 1.0F});
  ImGui::Begin(name, nullptr, kFixed);
  ImGui::PopStyleVar();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRectFullScreen();
  list.AddRect(im(area.min - Vec2{1.0F}), im(area.max), kBorderColor);
  list.PopClipRect();
  return true;
}

void end_panel() { ImGui::End(); }

void heading(const std::string& text) {
  ImGui::TextUnformatted(text.c_str());
  const float gap = ImGui::GetStyle().ItemSpacing.y;
  ImGui::Dummy({0.0F, std::max(0.0F, gap * 0.5F - 1.0F)});
}

void label(const char* text) {
  ImGui::PushStyleColor(ImGuiCol_Text, kDimTextColor);
  ImGui::TextUnformatted(text);
  ImGui::PopStyleColor();
}

void fact(const char* name, const std::string& value) {
  label(name);
  const float right = ImGui::GetWindowContentRegionMax().x;
  const float left =
      vec(ImGui::GetItemRectSize()).x + ImGui::GetStyle().WindowPadding.x + ImGui::GetStyle().ItemSpacing.x;
  const float wanted = right - ImGui::CalcTextSize(value.c_str()).x;
  // Where both do not fit, the value has a line of its own.
  wanted < left ? ImGui::SetCursorPosX(std::max(wanted, ImGui::GetStyle().WindowPadding.x)) : ImGui::SameLine(wanted);
  ImGui::TextUnformatted(value.c_str());
}

void note(const std::string& text) {
  ImGui::PushStyleColor(ImGuiCol_Text, kDimTextColor);
  ImGui::PushTextWrapPos(0.0F);
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
}

void tooltip(const char* text) {
  if (text != nullptr && ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) ImGui::SetTooltip("%s", text);
}

bool tab(const char* title, const char* text, bool current, float scale) {
  const Vec2 corner = vec(ImGui::GetCursorScreenPos());
  const Vec2 text_size = vec(ImGui::CalcTextSize(title));
  const Vec2 size{text_size.x, kHeadingHeight * scale};
  const bool clicked = ImGui::InvisibleButton(title, im(size));
  const bool bright = current || ImGui::IsItemHovered();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddText(im(corner + Vec2{0.0F, (size.y - text_size.y) * 0.5F}), bright ? kTextColor : kDimTextColor, title);
  if (current) {
    const float bottom = corner.y + size.y - 7.0F * scale;
    list.AddRectFilled({corner.x, bottom - 2.0F * scale}, {corner.x + size.x, bottom}, kAccentColor);
  }
  tooltip(text);
  return clicked;
}

void row_label(const char* text, float column, const char* explanation) {
  ImGui::AlignTextToFramePadding();
  label(text);
  tooltip(explanation);
  ImGui::SameLine(column);
}

void thin_bar(float share, float width, float scale) {
  const Vec2 corner = vec(ImGui::GetCursorScreenPos());
  const Vec2 size{width, 4.0F * scale};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(im(corner), im(corner + size), kWellColor, size.y * 0.5F);
  const float reach = std::clamp(share, 0.0F, 1.0F) * size.x;
  if (reach > 0.0F) list.AddRectFilled(im(corner), im(corner + Vec2{reach, size.y}), kAccentColor, size.y * 0.5F);
  ImGui::Dummy(im(size));
}

void mark_row(const Rect& row, bool current, bool hovered, float scale) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (current || hovered) {
    list.AddRectFilled(im(row.min), im(row.max), current ? kControlActive : kControlColor, 5.0F * scale);
  }
  if (current) list.AddRectFilled(im(row.min), {row.min.x + 3.0F * scale, row.max.y}, kAccentColor, 2.0F * scale);
}

void text_in(ImDrawList& list, const Rect& area, ImU32 color, const std::string& text) {
  list.PushClipRect(im(area.min), im(area.max), true);
  list.AddText({area.min.x, area.center().y - ImGui::GetTextLineHeight() * 0.5F}, color, text.c_str());
  list.PopClipRect();
}

bool filter_field(const char* id, const char* hint, NameFilter& filter, float width) {
  ImGui::SetNextItemWidth(width);
  if (filter.focus) ImGui::SetKeyboardFocusHere();
  filter.focus = false;
  ImGui::PushStyleColor(ImGuiCol_FrameBg, kWellColor);
  const bool entered =
      ImGui::InputTextWithHint(id, hint, filter.text.data(), filter.text.size(), ImGuiInputTextFlags_EnterReturnsTrue);
  ImGui::PopStyleColor();
  if (ImGui::IsItemDeactivated() && ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape))) filter.text[0] = '\0';
  return entered;
}

void begin_popup(const char* name, const Rect& area, Vec2 padding, float rounding, ImGuiWindowFlags more,
                 float border) {
  ImGui::SetNextWindowPos(im(area.min));
  ImGui::SetNextWindowSize(im(area.size()));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, rounding);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, im(padding));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1.0F, 1.0F});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, border);
  ImGui::Begin(name, nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoNav | more);
  ImGui::PopStyleVar(4);
}

}  // namespace pchr::player
