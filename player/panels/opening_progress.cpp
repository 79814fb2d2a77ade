// SPDX-License-Identifier: MIT
// A slim bar for files that take long.
#include "panels/panels.hpp"
#include "widgets.hpp"

namespace pchr::player {

void opening_progress(const OpeningProgress& progress, const Layout& layout) {
  if (!progress.shown) return;
  const float scale = layout.scale;
  ImDrawList& list = *ImGui::GetForegroundDrawList();
  const Rect& canvas = layout.canvas;
  const float bottom = canvas.min.y + 4.0F * scale;
  const float end = canvas.min.x + canvas.size().x * progress.fraction;
  list.AddRectFilled(im(canvas.min), {canvas.max.x, bottom}, kWellColour);
  list.AddRectFilled(im(canvas.min), {end, bottom}, kAccentColour);

  const std::string text = "Opening " + progress.name;
  const Vec2 padding = Vec2{10.0F, 5.0F} * scale;
  const Vec2 corner{canvas.min.x + kPadding * scale, bottom + 8.0F * scale};
  const Vec2 size = vec(ImGui::CalcTextSize(text.c_str())) + padding * 2.0F;
  list.PushClipRect(im(canvas.min), im(canvas.max));
  list.AddRectFilled(im(corner), im(corner + size), with_alpha(kPanelColour, 0.88F), 6.0F * scale);
  list.AddText(im(corner + padding), kDimTextColour, text.c_str());
  list.PopClipRect();
}

}  // namespace pchr::player
