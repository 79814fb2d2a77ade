// SPDX-License-Identifier: MIT
// Dear ImGui's style.
#include "theme.hpp"

#include <utility>

namespace pchr::player {

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

  const std::pair<ImGuiCol, ImU32> colours[] = {
      {ImGuiCol_Text, kTextColour},
      {ImGuiCol_TextDisabled, kFaintTextColour},
      {ImGuiCol_TextSelectedBg, with_alpha(kAccentColour, 0.35F)},
      {ImGuiCol_WindowBg, kPanelColour},
      {ImGuiCol_ChildBg, 0},
      {ImGuiCol_PopupBg, kPanelColour},
      {ImGuiCol_Border, kControlColour},
      {ImGuiCol_FrameBg, kControlColour},
      {ImGuiCol_FrameBgHovered, kControlHovered},
      {ImGuiCol_FrameBgActive, kControlActive},
      {ImGuiCol_Button, kControlColour},
      {ImGuiCol_ButtonHovered, kControlHovered},
      {ImGuiCol_ButtonActive, kControlActive},
      {ImGuiCol_Header, kControlColour},
      {ImGuiCol_HeaderHovered, kControlHovered},
      {ImGuiCol_HeaderActive, kControlActive},
      {ImGuiCol_CheckMark, kAccentColour},
      {ImGuiCol_SliderGrab, with_alpha(kAccentColour, 0.55F)},
      {ImGuiCol_SliderGrabActive, with_alpha(kAccentColour, 0.8F)},
      {ImGuiCol_Separator, kBorderColour},
      {ImGuiCol_ScrollbarBg, 0},
      {ImGuiCol_ScrollbarGrab, kControlColour},
      {ImGuiCol_ScrollbarGrabHovered, kControlHovered},
      {ImGuiCol_ScrollbarGrabActive, kControlActive},
  };
  for (const auto& [index, colour] : colours) style.Colors[index] = ImGui::ColorConvertU32ToFloat4(colour);
  ImGui::GetStyle() = style;
}

}  // namespace pchr::player
