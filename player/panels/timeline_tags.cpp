// SPDX-License-Identifier: MIT
// Tags as bars.
#include "panels/timeline_tags.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

namespace pchr::player {
namespace {

constexpr std::size_t kRows = 3;
constexpr float kRowHeight = 15.0F;

ImU32 colour_of(const ArtworkTag& tag) {
  if (tag.colour.alpha == 0) return kDimTextColour;
  return IM_COL32(tag.colour.red, tag.colour.green, tag.colour.blue, 255);
}

/// The frames of the clip that are the tag's; none of a clip that is another's.
std::optional<std::pair<std::uint32_t, std::uint32_t>> frames_of(const TimeScale& scale, const Artwork& artwork,
                                                                 const ArtworkTag& tag) {
  if (scale.clip_number == artwork.whole_clip) return std::pair(tag.first_frame, tag.last_frame);
  if (scale.clip_number == tag.clip) return std::pair(0U, scale.count() - 1);
  return std::nullopt;
}

void draw_tag(ImDrawList& list, const TimeScale& scale, const ArtworkTag& tag, float left, float right, float top) {
  const ImU32 colour = colour_of(tag);
  const Vec2 min{std::round(left) + 1.0F, top + scale.units};
  const Vec2 max{std::round(right) - 1.0F, top + (kRowHeight - 1.0F) * scale.units};
  list.AddRectFilled(im(min), im(max), with_alpha(colour, 0.3F), 2.0F * scale.units);
  list.AddRectFilled(im(min), {min.x + 3.0F * scale.units, max.y}, colour);
  list.PushClipRect(im(min), im(max), true);
  const float text_top = (min.y + max.y - ImGui::GetTextLineHeight()) * 0.5F;
  list.AddText({min.x + 7.0F * scale.units, text_top}, tag.enabled ? kTextColour : kDimTextColour, tag.name.c_str());
  list.PopClipRect();
}

}  // namespace

void draw_tags(ImDrawList& list, const TimeScale& scale, const Artwork& artwork, float top) {
  std::array<std::uint32_t, kRows> free_from{};
  for (const ArtworkTag& tag : artwork.tags) {
    const auto frames = frames_of(scale, artwork, tag);
    if (!frames) continue;
    const auto free = std::ranges::find_if(free_from, [&](std::uint32_t from) { return from <= frames->first; });
    // Where all rows are taken the last shows the latest.
    const auto row = std::min<std::size_t>(static_cast<std::size_t>(free - free_from.begin()), kRows - 1);
    free_from[row] = frames->second + 1;
    draw_tag(list, scale, tag, scale.x(frames->first), scale.x(frames->second + 1),
             top + static_cast<float>(row) * kRowHeight * scale.units);
  }
}

void name_tags(const TimeScale& scale, const Artwork& artwork, std::uint32_t frame) {
  for (const ArtworkTag& tag : artwork.tags) {
    const auto frames = frames_of(scale, artwork, tag);
    if (!frames || frame < frames->first || frame > frames->second) continue;
    ImGui::PushStyleColor(ImGuiCol_Text, colour_of(tag));
    std::string text = fmt::format("{}, {}", tag.name, name_of(tag.direction));
    if (tag.repeats > 0) text += tag.repeats == 1 ? ", once" : fmt::format(", {} times", tag.repeats);
    ImGui::TextUnformatted(text.c_str());
    ImGui::PopStyleColor();
  }
}

}  // namespace pchr::player
