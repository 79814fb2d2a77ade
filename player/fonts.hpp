// SPDX-License-Identifier: MIT
// The interface's typeface.
#pragma once

#include <string>

struct ImFont;

namespace pchr::player {

/// Rebuilds Dear ImGui's font with the glyphs of western languages and of `text` (UTF-8), for an
/// interface of `scale` window units per design unit on `pixels` framebuffer pixels per window unit. Takes a
/// typeface of the system, or Dear ImGui's own where none is found. Call between Dear ImGui frames.
void build_fonts(float scale, float pixels, const std::string& text);

/// A larger font, of basic Latin only.
[[nodiscard]] ImFont* headline_font();

}  // namespace pchr::player
