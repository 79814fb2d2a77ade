// SPDX-License-Identifier: MIT
#include "ui/changed_areas.hpp"

#include <glm/common.hpp>

#include <algorithm>
#include <cstring>
#include <iterator>

namespace pchr::player {
namespace {

Rect intersection(const Rect& a, const Rect& b) { return {glm::max(a.min, b.min), glm::min(a.max, b.max)}; }

bool overlap(const Rect& a, const Rect& b) {
  return a.min.x < b.max.x && b.min.x < a.max.x && a.min.y < b.max.y && b.min.y < a.max.y;
}

template <typename T>
bool same(const std::vector<T>& before, const ImVector<T>& now) {
  return std::ssize(before) == now.Size &&
         (before.empty() || std::memcmp(before.data(), now.Data, before.size() * sizeof(T)) == 0);
}

/// A corner of a triangle with what its command adds.
struct Corner {
  ImDrawVert vertex;
  const ImDrawCmd* command;

  bool operator==(const Corner& other) const {
    return std::memcmp(&vertex, &other.vertex, sizeof(vertex)) == 0 && command->TextureId == other.command->TextureId &&
           std::memcmp(&command->ClipRect, &other.command->ClipRect, sizeof(ImVec4)) == 0;
  }
};

std::vector<Corner> corners(std::span<const ImDrawVert> vertices, std::span<const ImDrawIdx> indices,
                            std::span<const ImDrawCmd> commands) {
  std::vector<Corner> all;
  for (const ImDrawCmd& command : commands) {
    for (const ImDrawIdx index : indices.subspan(command.IdxOffset, command.ElemCount)) {
      all.push_back({vertices[command.VtxOffset + index], &command});
    }
  }
  return all;
}

/// Returns the visible bounds of some triangles.
Rect bounds(std::span<const Corner> triangles) {
  Rect all;
  for (std::size_t i = 0; i + 2 < triangles.size(); i += 3) {
    Rect triangle;
    for (const Corner& corner : triangles.subspan(i, 3)) triangle.include({corner.vertex.pos.x, corner.vertex.pos.y});
    const ImVec4& shown = triangles[i].command->ClipRect;
    all.include(intersection(triangle, {{shown.x, shown.y}, {shown.z, shown.w}}));
  }
  return all;
}

/// Returns the bounds of the triangles between the first and the last that differ.
Rect difference(std::span<const Corner> before, std::span<const Corner> now) {
  const auto first = std::ranges::mismatch(before, now).in1 - before.begin();
  const std::size_t begin = static_cast<std::size_t>(first) / 3 * 3;
  before = before.subspan(begin);
  now = now.subspan(begin);
  const auto last = std::mismatch(before.rbegin(), before.rend(), now.rbegin(), now.rend()).first - before.rbegin();
  const std::size_t end = static_cast<std::size_t>(last) / 3 * 3;
  Rect all = bounds(before.first(before.size() - end));
  all.include(bounds(now.first(now.size() - end)));
  return all;
}

/// Returns the pixels that Dear ImGui's OpenGL backend clips to.
Rect clipped_pixels(const ImVec4& shown, const ImDrawData& data) {
  const Vec2 scale{data.FramebufferScale.x, data.FramebufferScale.y};
  const Vec2 corner{data.DisplayPos.x, data.DisplayPos.y};
  const Vec2 min = (Vec2{shown.x, shown.y} - corner) * scale;
  const Vec2 max = (Vec2{shown.z, shown.w} - corner) * scale;
  const float height = std::trunc(data.DisplaySize.y * scale.y);
  const Vec2 size = glm::floor(max - min);
  const float bottom = height - std::trunc(height - max.y);
  return {{std::trunc(min.x), bottom - size.y}, {std::trunc(min.x) + size.x, bottom}};
}

}  // namespace

void add_area(std::vector<Rect>& areas, Rect area) {
  const auto joins = [&](const Rect& other) { return overlap(area, other); };
  for (auto other = std::ranges::find_if(areas, joins); other != areas.end();
       other = std::ranges::find_if(areas, joins)) {
    area.include(*other);
    areas.erase(other);
  }
  areas.push_back(area);
}

std::vector<Rect> ChangedAreas::update(const ImDrawData& data) {
  std::vector<Rect> areas;
  const Vec2 scale{data.FramebufferScale.x, data.FramebufferScale.y};
  const Vec2 corner{data.DisplayPos.x, data.DisplayPos.y};
  const Rect window{Vec2{0.0F}, glm::floor(Vec2{data.DisplaySize.x, data.DisplaySize.y} * scale)};
  const auto count = static_cast<std::size_t>(data.CmdListsCount);
  drawn_.resize(std::max(drawn_.size(), count));
  const ImDrawList nothing(nullptr);
  for (std::size_t i = 0; i < drawn_.size(); ++i) {
    const ImDrawList& list = i < count ? *data.CmdLists[static_cast<int>(i)] : nothing;
    Drawn& drawn = drawn_[i];
    if (same(drawn.vertices, list.VtxBuffer) && same(drawn.indices, list.IdxBuffer) &&
        same(drawn.commands, list.CmdBuffer)) {
      continue;
    }
    Drawn now{{list.VtxBuffer.begin(), list.VtxBuffer.end()},
              {list.IdxBuffer.begin(), list.IdxBuffer.end()},
              {list.CmdBuffer.begin(), list.CmdBuffer.end()}};
    const Rect differs = difference(corners(drawn.vertices, drawn.indices, drawn.commands),
                                    corners(now.vertices, now.indices, now.commands));
    drawn = std::move(now);
    const Rect pixels =
        intersection(window, {glm::floor((differs.min - corner) * scale), glm::ceil((differs.max - corner) * scale)});
    if (!differs.empty() && pixels.size() != Vec2{0.0F}) add_area(areas, pixels);
  }
  drawn_.resize(count);
  return areas;
}

void clip(ImDrawData& data, std::span<const Rect> areas) {
  const Vec2 scale{data.FramebufferScale.x, data.FramebufferScale.y};
  const Vec2 corner{data.DisplayPos.x, data.DisplayPos.y};
  for (int i = 0; i < data.CmdListsCount; ++i) {
    ImVector<ImDrawCmd> commands;
    for (ImDrawCmd command : data.CmdLists[i]->CmdBuffer) {
      if (command.UserCallback != nullptr) {
        commands.push_back(command);
        continue;
      }
      const Rect shown = clipped_pixels(command.ClipRect, data);
      for (const Rect& area : areas) {
        if (!overlap(shown, area)) continue;
        const Rect part = intersection(shown, area);
        const Vec2 min = part.min / scale + corner;
        const Vec2 max = part.max / scale + corner;
        command.ClipRect = {min.x, min.y, max.x, max.y};
        commands.push_back(command);
      }
    }
    data.CmdLists[i]->CmdBuffer.swap(commands);
  }
}

}  // namespace pchr::player
