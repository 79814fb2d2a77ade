// SPDX-License-Identifier: MIT
// The timeline: a ruler of frames with the playhead.
#include "panels/panels.hpp"
#include "widgets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pchr::player {
namespace {

/// The smallest of 1, 2, 5, 10, 20, 50, ... frames that is at least `minimum` wide.
std::uint32_t tick_step(float frame_width, float minimum) {
  constexpr std::uint32_t kDigits[] = {1, 2, 5};
  for (std::uint32_t power = 1; power <= 100'000'000; power *= 10) {
    for (const std::uint32_t digit : kDigits) {
      if (static_cast<float>(digit * power) * frame_width >= minimum) return digit * power;
    }
  }
  return 1'000'000'000;
}

void draw_ruler(ImDrawList& list, const Rect& bar, std::uint32_t count, float scale) {
  const float width = bar.size().x / static_cast<float>(count);
  const std::uint32_t labelled = tick_step(width, 44.0F * scale);
  const std::uint32_t ticked = tick_step(width, 6.0F * scale);
  for (std::uint32_t frame = 0; frame < count; frame += ticked) {
    const float x = std::floor(bar.min.x + width * static_cast<float>(frame)) + 0.5F;
    const bool label = frame % labelled == 0;
    const float height = (label ? 13.0F : 6.0F) * scale;
    list.AddLine({x, bar.max.y - height}, {x, bar.max.y}, label ? kDimTextColour : kFaintTextColour);
    if (!label) continue;
    const std::string text = fmt::format("{}", frame);
    const Vec2 corner{x + 4.0F * scale, bar.max.y - 4.0F * scale - ImGui::GetTextLineHeight()};
    if (corner.x + ImGui::CalcTextSize(text.c_str()).x < bar.max.x) {
      list.AddText(im(corner), kDimTextColour, text.c_str());
    }
  }
}

void draw_playhead(ImDrawList& list, const Rect& bar, const FramePosition& position, std::uint32_t count, float scale) {
  const float width = bar.size().x / static_cast<float>(count);
  const float left = bar.min.x + width * static_cast<float>(position.frame);
  list.AddRectFilled(im(bar.min), {left, bar.max.y}, with_alpha(kAccentColour, 0.10F), 4.0F * scale);
  list.AddRectFilled({left, bar.min.y}, {left + std::max(width, 1.0F), bar.max.y}, with_alpha(kAccentColour, 0.30F),
                     std::min(3.0F * scale, width * 0.3F));
  const float within = std::min(width, 2.0F * scale) * 0.5F;
  const float x = std::round(left + std::max(within, width * position.factor));
  list.AddLine({x, bar.min.y}, {x, bar.max.y}, kAccentColour, 2.0F * scale);
  const float half = 5.5F * scale;
  const ImVec2 handle[] = {{x - half, bar.min.y - 2.0F * scale},
                           {x + half, bar.min.y - 2.0F * scale},
                           {x + half, bar.min.y + 5.0F * scale},
                           {x, bar.min.y + 11.0F * scale},
                           {x - half, bar.min.y + 5.0F * scale}};
  list.AddConvexPolyFilled(handle, 5, kAccentColour);
}

}  // namespace

void timeline(Session& session, const Layout& layout) {
  const Rect bar = timeline_bar(layout);
  if (bar.size().x < 1.0F) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(im(bar.min), im(bar.max), kWellColour, 4.0F * layout.scale);
  const Clip* clip = session.document ? session.document->current_clip() : nullptr;
  if (clip == nullptr) return;

  ImGui::SetCursorScreenPos(im(bar.min));
  ImGui::InvisibleButton("timeline", im(bar.size()));
  const float along = (ImGui::GetIO().MousePos.x - bar.min.x) / bar.size().x;
  const float last = static_cast<float>(clip->frame_count - 1);
  const auto pointed =
      static_cast<std::uint32_t>(std::clamp(std::floor(along * static_cast<float>(clip->frame_count)), 0.0F, last));
  if (ImGui::IsItemActive()) seek_frame(session, pointed);

  draw_ruler(list, bar, clip->frame_count, layout.scale);
  const Transport& clock = session.document->clock;
  if (ImGui::IsItemHovered() && !ImGui::IsItemActive()) {
    const float x = std::round(timeline_frame(layout, pointed, clip->frame_count).x);
    list.AddLine({x, bar.min.y}, {x, bar.max.y}, with_alpha(kTextColour, 0.25F));
    const float half_tooltip = 80.0F * layout.scale;
    const float middle = std::clamp(x, bar.min.x + half_tooltip, bar.max.x - half_tooltip);
    ImGui::SetNextWindowPos({middle, bar.min.y - 4.0F * layout.scale}, ImGuiCond_Always, {0.5F, 1.0F});
    ImGui::SetTooltip("%s", fmt::format("frame {}, {:.3f} s", pointed, seconds_of_frame(*clip, pointed)).c_str());
  }
  draw_playhead(list, bar, clock.position(session.playback.sampling), clip->frame_count, layout.scale);
}

}  // namespace pchr::player
