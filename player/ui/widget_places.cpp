// SPDX-License-Identifier: MIT
#include "ui/widget_places.hpp"

#include <fmt/format.h>
#include <glm/common.hpp>
#include <imgui.h>
#include <imgui_internal.h>

#include <map>
#include <string>

namespace pchr::player {
namespace {

struct Places {
  bool record = false;
  std::map<std::string, Rect, std::less<>> by_name;
};

Places& places() {
  static Places all;
  return all;
}

}  // namespace

void begin_widget_places(bool record) {
  places().record = record;
  places().by_name.clear();
}

void name_item(std::string_view name, std::size_t number) {
  if (!places().record || !ImGui::IsItemVisible()) return;
  const ImRect& clip = ImGui::GetCurrentWindow()->ClipRect;
  const Rect area{glm::max(Vec2(ImGui::GetItemRectMin()), Vec2(clip.Min)),
                  glm::min(Vec2(ImGui::GetItemRectMax()), Vec2(clip.Max))};
  name_area(name, area);
  name_area(fmt::format("{} {}", name, number), area);
}

void name_area(std::string_view name, const Rect& area) {
  if (places().record && !area.empty()) places().by_name.try_emplace(std::string(name), area);
}

std::optional<Rect> find_widget(std::string_view name) {
  const auto found = places().by_name.find(name);
  return found != places().by_name.end() ? std::optional(found->second) : std::nullopt;
}

}  // namespace pchr::player
