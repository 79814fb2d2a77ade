// SPDX-License-Identifier: MIT
// The interface's typeface.
#pragma once

#include <imgui.h>

#include <string>

namespace pchr::player {

/// Dear ImGui's font. Making it takes longer than a picture may, so that is done only where it lacks something.
class Fonts {
 public:
  /// Gives it the glyphs of western languages and of `text` (UTF-8), for an interface of `scale` window units per
  /// design unit on `pixels` framebuffer pixels per window unit. Takes a typeface of the system, or Dear ImGui's own
  /// where none is found. Call between Dear ImGui frames.
  void update(float scale, float pixels, const std::string& text);

 private:
  ImFontGlyphRangesBuilder characters_;
  float scale_ = 0.0F;
  float pixels_ = 0.0F;
};

/// A larger font, of basic Latin only.
[[nodiscard]] ImFont* headline_font();

}  // namespace pchr::player
