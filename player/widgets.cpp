// SPDX-License-Identifier: MIT
// Small pieces that the panels share.
#include "widgets.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace pchr::player {
namespace {

void triangle(ImDrawList& list, Vec2 base, float half_height, float reach, ImU32 colour) {
  const Vec2 up = base + Vec2{0.0F, -half_height};
  const Vec2 tip = base + Vec2{reach, 0.0F};
  const Vec2 down = base + Vec2{0.0F, half_height};
  // Anti-aliasing needs clockwise corners.
  reach > 0.0F ? list.AddTriangleFilled(im(up), im(tip), im(down), colour)
               : list.AddTriangleFilled(im(up), im(down), im(tip), colour);
}

void bar(ImDrawList& list, Vec2 centre, Vec2 half, ImU32 colour) {
  list.AddRectFilled(im(centre - half), im(centre + half), colour, half.x * 0.5F);
}

void loop_arrow(ImDrawList& list, Vec2 centre, float radius, float thickness, ImU32 colour) {
  constexpr float kPi = std::numbers::pi_v<float>;
  const float end = kPi * 1.75F;
  list.PathArcTo(im(centre), radius, kPi * 0.1F, end, 20);
  list.PathStroke(colour, 0, thickness);
  const Vec2 outward{std::cos(end), std::sin(end)};
  const Vec2 forward{-outward.y, outward.x};
  const Vec2 at = centre + outward * radius;
  const float head = thickness * 1.9F;
  list.AddTriangleFilled(im(at - outward * head), im(at + outward * head), im(at + forward * head * 1.4F), colour);
}

void camera(ImDrawList& list, Vec2 centre, float half, ImU32 colour) {
  const Vec2 body = Vec2{0.82F, 0.55F} * half;
  const Vec2 middle = centre + Vec2{0.0F, half * 0.1F};
  const float line = std::max(1.0F, half * 0.17F);
  list.AddRect(im(middle - body), im(middle + body), colour, half * 0.22F, 0, line);
  list.AddRectFilled(im(middle - Vec2{half * 0.32F, body.y + half * 0.26F}), im(middle + Vec2{half * 0.32F, -body.y}),
                     colour, half * 0.1F);
  list.AddCircle(im(middle), half * 0.27F, colour, 0, line);
}

void film(ImDrawList& list, Vec2 centre, float half, ImU32 colour) {
  const Vec2 strip = Vec2{0.85F, 0.6F} * half;
  const float line = std::max(1.0F, half * 0.17F);
  list.AddRect(im(centre - strip), im(centre + strip), colour, half * 0.1F, 0, line);
  for (const float x : {-0.45F, 0.0F, 0.45F}) {
    for (const float y : {-1.0F, 1.0F}) {
      const Vec2 hole = centre + Vec2{x * half, y * strip.y * 0.62F};
      list.AddRectFilled(im(hole - Vec2{half * 0.11F}), im(hole + Vec2{half * 0.11F}), colour);
    }
  }
}

}  // namespace

void draw_icon(ImDrawList& list, Icon icon, Vec2 centre, float size, ImU32 colour) {
  const float h = size * 0.5F;
  switch (icon) {
    case Icon::play:
      triangle(list, centre - Vec2{h * 0.55F, 0.0F}, h * 0.85F, h * 1.4F, colour);
      break;
    case Icon::reverse:
      triangle(list, centre + Vec2{h * 0.55F, 0.0F}, h * 0.85F, h * -1.4F, colour);
      break;
    case Icon::minus:
    case Icon::plus:
      list.AddRectFilled(im(centre - Vec2{h * 0.6F, h * 0.12F}), im(centre + Vec2{h * 0.6F, h * 0.12F}), colour);
      if (icon == Icon::plus) {
        list.AddRectFilled(im(centre - Vec2{h * 0.12F, h * 0.6F}), im(centre + Vec2{h * 0.12F, h * 0.6F}), colour);
      }
      break;
    case Icon::pause:
      bar(list, centre - Vec2{h * 0.4F, 0.0F}, {h * 0.2F, h * 0.8F}, colour);
      bar(list, centre + Vec2{h * 0.4F, 0.0F}, {h * 0.2F, h * 0.8F}, colour);
      break;
    case Icon::next:
    case Icon::previous: {
      const float side = icon == Icon::next ? 1.0F : -1.0F;
      bar(list, centre - Vec2{h * 0.55F * side, 0.0F}, {h * 0.14F, h * 0.7F}, colour);
      triangle(list, centre - Vec2{h * 0.15F * side, 0.0F}, h * 0.7F, h * side, colour);
      break;
    }
    case Icon::last:
    case Icon::first: {
      const float side = icon == Icon::last ? 1.0F : -1.0F;
      triangle(list, centre - Vec2{h * 0.6F * side, 0.0F}, h * 0.7F, h * side, colour);
      bar(list, centre + Vec2{h * 0.65F * side, 0.0F}, {h * 0.14F, h * 0.7F}, colour);
      break;
    }
    case Icon::loop:
      loop_arrow(list, centre, h * 0.62F, size * 0.11F, colour);
      break;
    case Icon::close: {
      const float r = h * 0.6F;
      list.AddLine(im(centre - Vec2{r}), im(centre + Vec2{r}), colour, size * 0.12F);
      list.AddLine(im(centre + Vec2{-r, r}), im(centre + Vec2{r, -r}), colour, size * 0.12F);
      break;
    }
    case Icon::camera:
      camera(list, centre, h * 1.25F, colour);
      break;
    case Icon::film:
      film(list, centre, h * 1.25F, colour);
      break;
    case Icon::compare:
      list.AddRectFilled(im(centre - Vec2{h * 0.95F, h * 0.7F}), im(centre + Vec2{h * -0.2F, h * 0.7F}), colour,
                         h * 0.15F);
      list.AddRect(im(centre - Vec2{h * -0.2F, h * 0.7F}), im(centre + Vec2{h * 0.95F, h * 0.7F}), colour, h * 0.15F, 0,
                   std::max(1.0F, h * 0.2F));
      break;
    case Icon::present:
      for (const Vec2 side : {Vec2{-1, -1}, Vec2{1, -1}, Vec2{1, 1}, Vec2{-1, 1}}) {
        const Vec2 tip = centre + side * h * 0.85F;
        const ImVec2 shape[] = {im(tip - Vec2{side.x * h * 0.6F, 0.0F}), im(tip),
                                im(tip - Vec2{0.0F, side.y * h * 0.6F})};
        list.AddPolyline(shape, 3, colour, 0, std::max(1.0F, h * 0.2F));
      }
      break;
    case Icon::swap:
      for (const float side : {1.0F, -1.0F}) {
        const Vec2 at = centre + Vec2{0.0F, h * -0.42F * side};
        bar(list, at - Vec2{h * 0.15F * side, 0.0F}, {h * 0.65F, h * 0.13F}, colour);
        triangle(list, at + Vec2{h * 0.35F * side, 0.0F}, h * 0.42F, h * 0.6F * side, colour);
      }
      break;
    case Icon::help:
    case Icon::second_player: {
      const char* const text = icon == Icon::help ? "?" : "2P";
      list.AddText(im(centre - vec(ImGui::CalcTextSize(text)) * 0.5F), colour, text);
      break;
    }
  }
}

bool icon_button(const char* id, Icon icon, Vec2 size, const char* text, bool prominent) {
  const Vec2 corner = vec(ImGui::GetCursorScreenPos());
  const bool pressed = ImGui::InvisibleButton(id, im(size));
  const bool hovered = ImGui::IsItemHovered();
  const ImU32 plain = hovered ? (ImGui::IsItemActive() ? kControlActive : kControlHovered) : kControlColour;
  const ImU32 fill = prominent ? with_alpha(kAccentColour, hovered ? 1.0F : 0.9F) : plain;
  const float alpha = ImGui::GetStyle().Alpha;  // Lower where disabled.
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(im(corner), im(corner + size), with_alpha(fill, alpha), ImGui::GetStyle().FrameRounding);
  draw_icon(list, icon, corner + size * 0.5F, std::min(size.x, size.y) * 0.52F,
            with_alpha(prominent ? kAccentText : kTextColour, alpha));
  tooltip(text);
  return pressed;
}

bool segmented(const char* id, std::span<const char* const> labels, int& current, float width) {
  const Vec2 corner = vec(ImGui::GetCursorScreenPos());
  const Vec2 size{width / static_cast<float>(labels.size()), ImGui::GetFrameHeight()};
  const float rounding = ImGui::GetStyle().FrameRounding;
  const float alpha = ImGui::GetStyle().Alpha;  // Lower where disabled.
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(im(corner), im(corner + Vec2{width, size.y}), with_alpha(kWellColour, alpha), rounding);
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
    list.AddText(im(at + (size - text) * 0.5F), with_alpha(bright ? kTextColour : kDimTextColour, alpha), label);
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
  const ImU32 colour = ImGui::IsItemHovered() ? kTextColour : kDimTextColour;
  if (folded) {
    list.AddTriangleFilled(im(middle + Vec2{-r * 0.6F, -r}), im(middle + Vec2{r, 0}), im(middle + Vec2{-r * 0.6F, r}),
                           colour);
  } else {
    list.AddTriangleFilled(im(middle + Vec2{-r, -r * 0.6F}), im(middle + Vec2{r, -r * 0.6F}), im(middle + Vec2{0, r}),
                           colour);
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
  list.AddRect(im(area.min - Vec2{1.0F}), im(area.max), kBorderColour);
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
  ImGui::PushStyleColor(ImGuiCol_Text, kDimTextColour);
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
  ImGui::PushStyleColor(ImGuiCol_Text, kDimTextColour);
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
  list.AddText(im(corner + Vec2{0.0F, (size.y - text_size.y) * 0.5F}), bright ? kTextColour : kDimTextColour, title);
  if (current) {
    const float bottom = corner.y + size.y - 7.0F * scale;
    list.AddRectFilled({corner.x, bottom - 2.0F * scale}, {corner.x + size.x, bottom}, kAccentColour);
  }
  tooltip(text);
  return clicked;
}

}  // namespace pchr::player
