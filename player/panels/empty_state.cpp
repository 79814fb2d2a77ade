// SPDX-License-Identifier: MIT
// An invitation while nothing is open.
#include "fonts.hpp"
#include "panels/panels.hpp"
#include "widgets.hpp"

namespace pchr::player {

void empty_state(const Layout& layout) {
  const float scale = layout.scale;
  const char* const invitation = "Drop a .pchr or .json file here";
  const char* const hint = "or start pchr-player with a file \u2013 press ? for the keys";
  ImDrawList& list = *ImGui::GetBackgroundDrawList();
  const Vec2 centre = layout.canvas.centre();
  const Vec2 half = glm::min(Vec2{250.0F, 110.0F} * scale, layout.canvas.size() * 0.46F);
  list.AddRectFilled(im(centre - half), im(centre + half), with_alpha(kPanelColour, 0.88F), 14.0F * scale);
  list.AddRect(im(centre - half + Vec2{10.0F * scale}), im(centre + half - Vec2{10.0F * scale}),
               with_alpha(kAccentColour, 0.55F), 10.0F * scale, 0, 1.5F * scale);

  ImFont* font = headline_font();
  const float large = font->FontSize * ImGui::GetIO().FontGlobalScale;
  const Vec2 invitation_size = vec(font->CalcTextSizeA(large, 1e6F, 0.0F, invitation));
  const Vec2 hint_size = vec(ImGui::CalcTextSize(hint));
  list.PushClipRect(im(centre - half), im(centre + half));
  list.AddText(font, large, im(centre - Vec2{invitation_size.x * 0.5F, invitation_size.y + 4.0F * scale}), kTextColour,
               invitation);
  list.AddText(im(centre + Vec2{-hint_size.x * 0.5F, 12.0F * scale}), kDimTextColour, hint);
  list.PopClipRect();
}

}  // namespace pchr::player
