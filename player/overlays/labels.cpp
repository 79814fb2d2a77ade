// SPDX-License-Identifier: MIT

#include "overlays/labels.hpp"

#include <iterator>

namespace pchr::player {
namespace {

constexpr float kLegendMargin = 12.0F;

bool intersect(const Rect& a, const Rect& b) noexcept {
  return a.min.x < b.max.x && b.min.x < a.max.x && a.min.y < b.max.y && b.min.y < a.max.y;
}

/// Where a box fits between those that are taken: at `corner`, or where it may move beside that.
std::optional<Rect> free_place(const Labels& labels, Vec2 corner, Vec2 box, bool may_move) {
  constexpr Vec2 kAsides[] = {{0, 0}, {0, 1}, {0, -1}, {1, 0}, {-1, 0}};
  for (const Vec2 aside : std::span(kAsides).first(may_move ? std::size(kAsides) : 1)) {
    const Vec2 min = glm::round(corner + aside * box * 1.05F);
    const Rect area{min, min + box};
    if (std::ranges::none_of(labels.taken, [&](const Rect& other) { return intersect(area, other); })) return area;
  }
  return std::nullopt;
}

/// Dark on light colors, light on dark ones.
ImU32 readable_on(ImU32 color) noexcept {
  const ImVec4 c = ImGui::ColorConvertU32ToFloat4(color);
  return c.x * 0.3F + c.y * 0.6F + c.z * 0.1F > 0.5F ? kAccentText : kTextColor;
}

void draw_swatches(const Overlay& overlay, Vec2 corner, Vec2 size, std::span<const Swatch> swatches, bool smooth) {
  ImDrawList& list = overlay.list;
  for (std::size_t i = 0; i < swatches.size(); ++i) {
    const ImU32 color = swatches[i].color;
    const Vec2 at = corner + Vec2{size.x * static_cast<float>(i), 0.0F};
    if (smooth && i + 1 < swatches.size()) {
      const ImU32 next = swatches[i + 1].color;
      const Vec2 middle = at + Vec2{size.x * 0.5F, 0.0F};
      list.AddRectFilledMultiColor(im(middle), im(middle + size), color, next, next, color);
    } else if (!smooth) {
      list.AddRectFilled(im(at), im(at + size), color);
    }
  }
  for (std::size_t i = 0; i < swatches.size(); ++i) {
    const Vec2 text = vec(ImGui::CalcTextSize(swatches[i].caption.c_str()));
    const Vec2 middle = corner + Vec2{size.x * (static_cast<float>(i) + 0.5F), size.y * 0.5F};
    // The ends of a ramp are half swatches: their captions stand beside it.
    const ImU32 ink = smooth ? kTextColor : readable_on(swatches[i].color);
    const float aside = !smooth ? 0.0F : i == 0 ? -0.3F : 0.3F;
    list.AddText(im(middle + Vec2{size.x * aside, 0.0F} - text * 0.5F), ink, swatches[i].caption.c_str());
  }
}

}  // namespace

bool draw_label(const Overlay& overlay, Labels& labels, const std::string& text, Vec2 at, const LabelStyle& style) {
  const float scale = overlay.scale * style.size;
  const Vec2 text_size = vec(ImGui::CalcTextSize(text.c_str())) * style.size;
  const Vec2 padding = Vec2{5.0F, 2.0F} * scale;
  const Vec2 box = text_size + padding * 2.0F;
  const auto area = free_place(labels, at - box * style.pivot, box, style.may_move);
  if (!area) return false;
  labels.taken.push_back(*area);
  overlay.list.AddRectFilled(im(area->min), im(area->max), style.fill, box.y * 0.5F);
  overlay.list.AddText(ImGui::GetFont(), ImGui::GetFontSize() * style.size, im(area->min + padding), style.text,
                       text.c_str());
  return true;
}

void draw_legend(const Overlay& overlay, Legends& legends, const std::string& text, std::span<const Swatch> swatches,
                 bool smooth) {
  const float scale = overlay.scale;
  const Vec2 text_size = vec(ImGui::CalcTextSize(text.c_str()));
  const Vec2 padding = Vec2{9.0F, 5.0F} * scale;
  Vec2 swatch = Vec2{24.0F * scale, text_size.y};
  for (const Swatch& each : swatches) {
    swatch.x = std::max(swatch.x, ImGui::CalcTextSize(each.caption.c_str()).x + 8.0F * scale);
  }
  const float colors = swatches.empty() ? 0.0F : swatch.x * static_cast<float>(swatches.size()) + padding.x;
  const Vec2 box = Vec2{text_size.x + colors, text_size.y} + padding * 2.0F;
  const Rect& canvas = overlay.canvas.area;
  const Vec2 corner{canvas.min.x + kLegendMargin * scale,
                    canvas.max.y - kLegendMargin * scale - legends.height - box.y};
  legends.height += box.y + 6.0F * scale;
  overlay.list.AddRectFilled(im(corner), im(corner + box), with_alpha(kPanelColor, 0.9F), 6.0F * scale);
  overlay.list.AddText(im(corner + padding), kTextColor, text.c_str());
  draw_swatches(overlay, corner + padding + Vec2{text_size.x + padding.x, 0.0F}, swatch, swatches, smooth);
}

}  // namespace pchr::player
