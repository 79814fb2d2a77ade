// SPDX-License-Identifier: MIT
// Where the named widgets are, for programs that drive the player. Like Dear ImGui's state, this is one per program.
#pragma once

#include <pchr/geometry.hpp>

#include <optional>
#include <string_view>

namespace pchr::player {

/// Forgets the last frame's places. Nothing is recorded unless `record` is true.
void begin_widget_places(bool record);
/// Records the visible part of the current item as `name`, and as "name number". Of several widgets with the same name
/// the first is kept.
void name_item(std::string_view name, std::size_t number = 0);
/// Records an area that is no item.
void name_area(std::string_view name, const Rect& area);
/// Returns the place of a widget in this frame, in window units.
[[nodiscard]] std::optional<Rect> find_widget(std::string_view name);

}  // namespace pchr::player
