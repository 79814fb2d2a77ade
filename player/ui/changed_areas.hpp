// SPDX-License-Identifier: MIT
// What must be drawn again because the interface changed.
#pragma once

#include <pchr/geometry.hpp>

#include <imgui.h>

#include <span>
#include <vector>

namespace pchr::player {

/// Adds `area` to areas that do not overlap. Overlapping ones are joined.
void add_area(std::vector<Rect>& areas, Rect area);

/// Compares what Dear ImGui draws with what it drew before.
class ChangedAreas {
 public:
  /// Returns the areas in which `data` differs from that of the last call, as whole framebuffer pixels, y down. They do
  /// not overlap. Ignores the contents of textures.
  [[nodiscard]] std::vector<Rect> update(const ImDrawData& data);

 private:
  /// The contents of one window of Dear ImGui.
  struct Drawn {
    std::vector<ImDrawVert> vertices;
    std::vector<ImDrawIdx> indices;
    std::vector<ImDrawCmd> commands;
  };
  std::vector<Drawn> drawn_;
};

/// Limits drawing to `areas`, which update() returned for the same frame.
void clip(ImDrawData& data, std::span<const Rect> areas);

}  // namespace pchr::player
