// SPDX-License-Identifier: MIT
// Makes Dear ImGui's vectors convert to and from glm's.
#pragma once

#include <glm/vec2.hpp>

#define IM_VEC2_CLASS_EXTRA                                                     \
  constexpr ImVec2(const glm::vec2& point) noexcept : x(point.x), y(point.y) {} \
  constexpr operator glm::vec2() const noexcept { return {x, y}; }
