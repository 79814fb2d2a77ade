// SPDX-License-Identifier: MIT
#include "ui/theme.hpp"

#include "platform/typefaces.hpp"
#include "platform/utf8_path.hpp"

#include <backends/imgui_impl_opengl3.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

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

  ImGuiIO& io = ImGui::GetIO();
  ImFontAtlas& atlas = *io.Fonts;
  atlas.Clear();
  ImVector<ImWchar> ranges;
  characters_.BuildRanges(&ranges);
  const float size = std::round(kFontSize * scale * pixels);
  const Typefaces typefaces = system_typefaces();
  const std::string western = first_readable(typefaces.western);
  if (!western.empty()) {
    atlas.AddFontFromFileTTF(western.c_str(), size, nullptr, ranges.Data);
    if (const std::string east_asian = first_readable(typefaces.east_asian); !east_asian.empty()) {
      ImFontConfig merge;
      merge.MergeMode = true;
      atlas.AddFontFromFileTTF(east_asian.c_str(), size, &merge, ranges.Data);
    }
    atlas.AddFontFromFileTTF(western.c_str(), std::round(size * kHeadline));
  }
  if (western.empty() || !atlas.Build()) {
    atlas.Clear();
    ImFontConfig config;
    config.SizePixels = size;
    atlas.AddFontDefault(&config);
    atlas.Build();
  }
  io.FontGlobalScale = 1.0F / pixels;
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  ImGui_ImplOpenGL3_CreateFontsTexture();
}

ImFont* headline_font() { return ImGui::GetIO().Fonts->Fonts.back(); }

}  // namespace pchr::player
