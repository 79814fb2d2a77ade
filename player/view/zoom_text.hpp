// SPDX-License-Identifier: MIT
// The zoom as text that can be typed.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace pchr::player {

/// Returns a zoom as "85%", "3.2%", "0.004%" or "250x".
[[nodiscard]] std::string zoom_text(float zoom);
/// Reads "150", "150%", "1.5x", "2:1" or "1:3". Returns nothing if the text is none of these or not above 0.
[[nodiscard]] std::optional<float> parse_zoom(std::string_view text);

}  // namespace pchr::player
