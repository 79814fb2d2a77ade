// SPDX-License-Identifier: MIT
#include "view/lineup_view.hpp"

#include "ui/widgets.hpp"

namespace pchr::player {
namespace {

constexpr float kLabelGap = 6.0F;

/// Returns `bounds`, which are in the open character's world, in window units.
Rect in_window(const App& app, const Canvas& canvas, const Rect& bounds) {
  const Affine to_viewport = world_to_viewport(app.view.camera);
  Rect area;
  for (const Vec2 corner : {bounds.min, bounds.max}) area.include(canvas.to_window(apply(to_viewport, corner)));
  return area;
}

void label_character(const App& app, const Canvas& canvas, const std::string& name, const Rect& bounds, bool open,
                     float scale) {
  if (bounds.empty()) return;
  const Rect area = in_window(app, canvas, bounds);
  text_at(*ImGui::GetBackgroundDrawList(), {area.center().x, area.max.y + kLabelGap * scale}, {0.5F, 0.0F},
          open ? kTextColor : kDimTextColor, name);
}

}  // namespace

void draw_lineup(App& app, Renderer& renderer) {
  const Camera camera = app.view.camera;
  for (LineupMember& member : app.lineup.members) {
    const PoseBuffers& posed = lineup_posed(app, member);
    app.view.camera = lineup_camera(app, member);
    draw_character(app, member.document.model, posed, renderer);
    app.view.camera = camera;
  }
}

void draw_ground(const App& app, const Canvas& canvas, BackgroundPainter& background) {
  constexpr std::array kColor{0.5F, 0.5F, 0.5F, 0.8F};
  const Vec2 viewport = canvas.area.size() * canvas.pixels;
  const float at = std::round(apply(world_to_viewport(app.view.camera), Vec2{0.0F, app.lineup.ground}).y);
  const SeenLine line{{0.0F, at}, {viewport.x, at}, kColor, std::max(std::round(canvas.pixels), 1.0F)};
  background.draw_lines({&line, 1}, viewport);
}

void label_lineup(App& app, const Canvas& canvas, float interface_scale) {
  if (!lining_up(app)) return;
  ImDrawList& list = *ImGui::GetBackgroundDrawList();
  list.PushClipRect(canvas.area.min, canvas.area.max);
  const Lineup& lineup = app.lineup;
  label_character(app, canvas, app.document->name(), bounds(app.document->character(), posed(app)), true,
                  interface_scale);
  for (std::size_t i = 0; i < lineup.members.size(); ++i) {
    lineup_posed(app, app.lineup.members[i]);
    const Rect shown = member_bounds(lineup.members[i]);
    label_character(app, canvas, lineup.members[i].document.name(), shown, false, interface_scale);
    if (shown.empty()) continue;
    const Rect area = in_window(app, canvas, shown);
    name_area("member", area);
    name_area(fmt::format("member {}", i), area);
    if (lineup.selected == i) list.AddRect(area.min, area.max, kAccentColor, 4.0F * interface_scale);
  }
  list.PopClipRect();
}

bool drag_lineup(App& app, const Canvas& canvas) {
  Lineup& lineup = app.lineup;
  const ImGuiIO& io = ImGui::GetIO();
  if (!lining_up(app) || !io.MouseDown[ImGuiMouseButton_Left]) lineup.held = Lineup::Held::nothing;
  if (lineup.held == Lineup::Held::member && !lineup.selected) lineup.held = Lineup::Held::nothing;
  if (!lining_up(app) || io.WantCaptureMouse) return false;
  const bool pressed = ImGui::IsMouseClicked(ImGuiMouseButton_Left) && !io.KeyAlt;
  if (pressed || ImGui::IsMouseClicked(ImGuiMouseButton_Right)) {
    const Vec2 at = viewport_to_world(app.view.camera, canvas.to_viewport(io.MousePos));
    const bool open = hit_test(app.document->character(), posed(app), app.document->selection.masks, at).has_value();
    lineup.selected = open ? std::nullopt : member_at(app, at);
    if (pressed && (open || lineup.selected)) lineup.held = open ? Lineup::Held::open : Lineup::Held::member;
  }
  if (lineup.held == Lineup::Held::nothing) return false;
  if (ImGui::IsMouseDragging(ImGuiMouseButton_Left)) {
    const Vec2 moved = Vec2{io.MouseDelta.x, io.MouseDelta.y} * canvas.pixels / app.view.camera.zoom;
    const Vec2 by{moved.x, app.view.camera.flip_y ? moved.y : -moved.y};
    if (by != Vec2{0.0F}) {
      move_in_lineup(app, lineup.held == Lineup::Held::open ? std::nullopt : lineup.selected, by);
    }
  }
  return true;
}

}  // namespace pchr::player
