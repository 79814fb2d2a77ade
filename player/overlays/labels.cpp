// SPDX-License-Identifier: MIT
#include "overlays/labels.hpp"

namespace pchr::player {
namespace {

/// Finds a free place for a box: at `corner`, or next to it if it may move.
std::optional<Rect> free_place(const Labels& labels, Vec2 corner, Vec2 box, bool may_move) {
  constexpr std::array<Vec2, 5> kAsides{{{0, 0}, {0, 1}, {0, -1}, {1, 0}, {-1, 0}}};
  for (const Vec2 aside : std::span(kAsides).first(may_move ? kAsides.size() : 1)) {
    const Vec2 min = glm::round(corner + aside * box * 1.05F);
    const Rect area{min, min + box};
    const auto covers = [&](const Rect& other) {
      return area.min.x < other.max.x && other.min.x < area.max.x && area.min.y < other.max.y &&
             other.min.y < area.max.y;
    };
    if (std::ranges::none_of(labels.taken, covers)) return area;
  }
  return std::nullopt;
}

/// Returns a dark color for light backgrounds and a light one for dark backgrounds.
ImU32 readable_on(ImU32 color) noexcept {
  const ImVec4 c = ImGui::ColorConvertU32ToFloat4(color);
  return c.x * 0.3F + c.y * 0.6F + c.z * 0.1F > 0.5F ? kAccentText : kTextColor;
}

void draw_swatches(ImDrawList& list, Vec2 corner, Vec2 size, std::span<const Swatch> swatches, bool smooth) {
  for (std::size_t i = 0; i < swatches.size(); ++i) {
    const ImU32 color = swatches[i].color;
    const Vec2 at = corner + Vec2{size.x * static_cast<float>(i), 0.0F};
    if (smooth && i + 1 < swatches.size()) {
      const ImU32 next = swatches[i + 1].color;
      const Vec2 middle = at + Vec2{size.x * 0.5F, 0.0F};
      list.AddRectFilledMultiColor(middle, middle + size, color, next, next, color);
    } else if (!smooth) {
      list.AddRectFilled(at, at + size, color);
    }
  }
  for (std::size_t i = 0; i < swatches.size(); ++i) {
    const Vec2 middle = corner + Vec2{size.x * (static_cast<float>(i) + 0.5F), size.y * 0.5F};
    // The ends of a ramp are half swatches, so their captions are placed outside.
    const ImU32 ink = smooth ? kTextColor : readable_on(swatches[i].color);
    const float aside = !smooth ? 0.0F : i == 0 ? -0.3F : 0.3F;
    text_at(list, middle + Vec2{size.x * aside, 0.0F}, Vec2{0.5F}, ink, swatches[i].caption);
  }
}

}  // namespace

bool draw_label(Labels& labels, const std::string& text, Vec2 at, const LabelStyle& style) {
  const Vec2 padding = Vec2{5.0F, 2.0F} * (labels.scale * style.size);
  const Vec2 box = text_size(text) * style.size + padding * 2.0F;
  const auto area = free_place(labels, at - box * style.pivot, box, style.may_move);
  if (!area) return false;
  labels.taken.push_back(*area);
  labels.list.AddRectFilled(area->min, area->max, style.fill, box.y * 0.5F);
  labels.list.AddText(ImGui::GetFont(), ImGui::GetFontSize() * style.size, area->min + padding, style.text,
                      text.c_str());
  return true;
}

void draw_legend(Labels& labels, const std::string& text, std::span<const Swatch> swatches, bool smooth) {
  constexpr float kMargin = 12.0F;
  const float scale = labels.scale;
  const Vec2 size = text_size(text);
  const Vec2 padding = Vec2{9.0F, 5.0F} * scale;
  Vec2 swatch = Vec2{24.0F * scale, size.y};
  for (const Swatch& each : swatches) swatch.x = std::max(swatch.x, text_size(each.caption).x + 8.0F * scale);
  const float colors = swatches.empty() ? 0.0F : swatch.x * static_cast<float>(swatches.size()) + padding.x;
  const Vec2 box = Vec2{size.x + colors, size.y} + padding * 2.0F;
  const Vec2 corner{labels.canvas.min.x + kMargin * scale,
                    labels.canvas.max.y - kMargin * scale - labels.legends - box.y};
  labels.legends += box.y + 6.0F * scale;
  labels.list.AddRectFilled(corner, corner + box, with_alpha(kPanelColor, 0.9F), 6.0F * scale);
  labels.list.AddText(corner + padding, kTextColor, text.c_str());
  draw_swatches(labels.list, corner + padding + Vec2{size.x + padding.x, 0.0F}, swatch, swatches, smooth);
}

}  // namespace pchr::player
