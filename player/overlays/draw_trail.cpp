// SPDX-License-Identifier: MIT
// The way of the selected bone's joint over the clip, with a dot for each frame.
#include "overlays/labels.hpp"
#include "overlays/overlay.hpp"

#include <glm/geometric.hpp>

namespace pchr::player {
namespace {

/// Dots nearer to the one before are left out.
constexpr float kLeastDotDistance = 3.0F;

void draw_ways(const Overlay& overlay, std::span<const ImVec2> points, std::uint32_t frame, bool closed) {
  const float thickness = 1.6F * overlay.scale;
  const std::size_t count = points.size();
  if (closed) {
    overlay.list.AddLine(points[count - 1], points[0], with_alpha(kDimTextColour, 0.5F), overlay.scale);
  }
  const auto before = static_cast<int>(frame) + 1;
  overlay.list.AddPolyline(points.data(), before, with_alpha(kBeforeColour, 0.75F), 0, thickness);
  overlay.list.AddPolyline(points.data() + frame, static_cast<int>(count - frame), with_alpha(kAfterColour, 0.75F), 0,
                           thickness);
}

void draw_dots(const Overlay& overlay, std::span<const ImVec2> points, std::uint32_t frame) {
  const float scale = overlay.scale;
  ImVec2 last{-1e6F, -1e6F};
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (glm::distance(vec(points[i]), vec(last)) < kLeastDotDistance * scale) continue;
    last = points[i];
    overlay.list.AddCircleFilled(last, 3.2F * scale, with_alpha(kBorderColour, 0.7F));
    overlay.list.AddCircleFilled(last, 2.2F * scale, i <= frame ? kBeforeColour : kAfterColour);
  }
}

}  // namespace

void draw_trail(const Overlay& overlay, Legends& legends, const Trail& trail, std::uint32_t frame) {
  const auto bones = overlay.document.character().bones();
  if (frame >= trail.points.size() || trail.bone >= bones.size()) return;
  std::vector<ImVec2> points;
  points.reserve(trail.points.size());
  for (const Vec3 point : trail.points) points.push_back(overlay.place_read(point));
  draw_ways(overlay, points, frame, trail.clip->looping && trail.clip->loop_start == 0);
  draw_dots(overlay, points, frame);
  const ImVec2 now = overlay.place(overlay.document.posed.world[trail.bone][2]);
  overlay.list.AddCircle(now, 6.5F * overlay.scale, with_alpha(kBorderColour, 0.8F), 0, 4.0F * overlay.scale);
  overlay.list.AddCircle(now, 6.5F * overlay.scale, kTextColour, 0, 2.0F * overlay.scale);
  const Swatch ways[] = {{kBeforeColour, "before"}, {kAfterColour, "after"}};
  draw_legend(overlay, legends, "Trail of " + bones[trail.bone].name, ways);
}

}  // namespace pchr::player
