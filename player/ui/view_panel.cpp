// SPDX-License-Identifier: MIT
// View settings, above the right column.
#include "document/text.hpp"
#include "overlays/overlays.hpp"
#include "ui/commands.hpp"
#include "ui/panels.hpp"

namespace pchr::player {
namespace {

/// Shows the zoom, which can be typed or chosen. The controls are between `column` and `right`.
void zoom_row(App& app, float column, float right) {
  constexpr std::array kZooms{0.25F, 0.5F, 1.0F, 2.0F, 4.0F};
  View& view = app.view;
  const bool is_3d = app.shows_3d();
  const float gap = 4.0F;
  const float fit_width = text_size("Fit").x + ImGui::GetStyle().FramePadding.x * 2.0F;
  const float arrow = ImGui::GetFrameHeight();
  row_label("Zoom", column);
  const float now = view.camera.zoom;
  const auto typed = typed_field("##zoom", is_3d ? fmt::format("{:.3g}", now) : zoom_text(now),
                                 right - column - fit_width - arrow - gap * 2.0F);
  tooltip(is_3d ? "Screen pixels per unit of the mesh; click to type" : "Click to type a zoom such as 150%, 2x or 1:3");
  if (typed) {
    if (const auto wanted = parse_zoom(is_3d ? *typed + "x" : *typed)) set_zoom(view, limited_zoom(app, *wanted));
  }
  ImGui::SameLine(0.0F, gap);
  const bool open = ImGui::BeginCombo("##zooms", "", ImGuiComboFlags_NoPreview);
  if (!open) name_item("zooms");
  if (open) {
    for (const char* const id : {"fit", "fit-all"}) {
      if (ImGui::Selectable(command(id).name)) run_command(app, id);
      name_item(command(id).name);
    }
    if (!is_3d) {
      ImGui::Separator();
      for (const float zoom : kZooms) {
        const std::string text = zoom == 1.0F ? "100% (1:1)" : zoom_text(zoom);
        if (ImGui::Selectable(text.c_str(), zoom == now)) set_zoom(view, limited_zoom(app, zoom));
        name_item(text);
      }
    }
    ImGui::EndCombo();
  }
  ImGui::SameLine(right - fit_width);
  if (ImGui::Button("Fit")) view.fit = Fit::clip;
  name_item("fit");
  command_tooltip("fit");
}

constexpr std::array kBackgrounds{"Checker", "Plain color", "Image", "Tiled image"};
constexpr std::array kPixelModes{"Auto", "Smooth", "Hard"};
constexpr std::array kSides{"Front", "Side", "Top"};
constexpr std::array kUpAxes{"Z", "Y"};
constexpr std::array kQuarterTurns{"0\u00b0", "90\u00b0", "180\u00b0", "270\u00b0"};
constexpr float kViewLabelWidth = 92.0F;

void background_choice(App& app, float width) {
  View& view = app.view;
  const float swatch = ImGui::GetFrameHeight() + ImGui::GetStyle().ItemInnerSpacing.x;
  const bool image = view.background == Background::image;
  const int current = static_cast<int>(view.background) + (image && view.tiled ? 1 : 0);
  ImGui::SetNextItemWidth(width - swatch);
  if (ImGui::BeginCombo("##background", kBackgrounds[static_cast<std::size_t>(current)])) {
    const int count = view.image.empty() ? 2 : static_cast<int>(kBackgrounds.size());
    for (int i = 0; i < count; ++i) {
      if (!ImGui::Selectable(kBackgrounds[static_cast<std::size_t>(i)], i == current)) continue;
      view.background = static_cast<Background>(std::min(i, 2));
      if (i >= 2) view.tiled = i == 3;
    }
    if (ImGui::Selectable("Choose image...")) open_browser(app.browser, app.requests, BrowseFor::background);
    tooltip("You can also drop a .png file on the window");
    ImGui::EndCombo();
  }
  command_tooltip("background");
  ImGui::SameLine(0.0F, ImGui::GetStyle().ItemInnerSpacing.x);
  if (ImGui::ColorEdit3("##color", view.color.data(), ImGuiColorEditFlags_NoInputs | ImGuiColorEditFlags_NoLabel)) {
    view.background = Background::color;
  }
}

/// Sets the orientation of a 3D character.
void turntable_rows(View& view, float column, float width) {
  Turntable turntable = view.turntable;
  row_label("View from", column, "Viewing side (Shift+V); drag with the right button or Alt to rotate");
  int side = static_cast<int>(kSides.size()) - 1;
  while (side >= 0 && !is_viewed_from(turntable, static_cast<Side>(side))) --side;
  if (segmented("side", kSides, side, width)) turntable = viewed_from(turntable, static_cast<Side>(side));
  row_label("Up axis", column, "Axis that points up in the file; Z in Unreal");
  segmented("up", kUpAxes, turntable.up, width);
  row_label("Rotation", column, "Rotation around the up axis");
  segmented("quarters", kQuarterTurns, turntable.quarter_turns, width);
  set_turntable(view, limited(turntable));
}

/// A checkbox for `on`, with a tooltip.
void toggle(const char* name, bool& on, const char* explanation) {
  if (checkbox(name, on)) on = !on;
  tooltip(explanation);
}

/// Shows the overlay switches in two columns.
void overlay_switches(App& app, float scale, float right) {
  View& view = app.view;
  label("Overlays");
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {8.0F * scale, 4.0F * scale});
  bool first = true;
  for (const OverlaySwitch& overlay : kOverlaySwitches) {
    if (!first) ImGui::SameLine(right * 0.5F);
    first = !first;
    bool& on = view.*overlay.on;
    const bool unavailable = overlay.on == &View::overdraw && app.shows_3d();
    ImGui::BeginDisabled(unavailable);
    if (checkbox(command(overlay.id).name, on && !unavailable)) on = !on;
    ImGui::EndDisabled();
    unavailable ? tooltip("Not available for 3D characters") : command_tooltip(overlay.id);
  }
  ImGui::PopStyleVar();
}

void onion_counts(View& view, float column, float right) {
  constexpr float kGap = 4.0F;
  const auto count = [&](const char* id, std::uint32_t& value, const char* format, const char* text) {
    const float width = (right - column - kGap) * 0.5F;
    if (slider(id, value, 0, static_cast<int>(kMaxOnionFrames), format, width)) view.onion = true;
    tooltip(text);
  };
  row_label("Onion skin", column);
  count("##before", view.onion_before, "%d before", "Number of frames to show before this one");
  ImGui::SameLine(0.0F, kGap);
  count("##after", view.onion_after, "%d after", "Number of frames to show after this one");
}

/// Shows the buttons next to the heading.
void view_actions(App& app, float right, float scale) {
  const Vec2 below = ImGui::GetCursorPos();
  const Vec2 size = Vec2{30.0F, 26.0F} * scale;
  float left = right;
  const auto next = [&] {
    left -= size.x;
    ImGui::SetCursorPos({left, ImGui::GetStyle().WindowPadding.y - 5.0F * scale});
    left -= 4.0F * scale;
  };
  const auto action = [&](const char* id, Icon icon, bool lit) {
    next();
    command_button(app, id, icon, size, lit);
  };
  ImGui::BeginDisabled(!app.document());
  next();
  if (icon_button("screenshot", Icon::camera, size, {})) {
    app.screenshot = ImGui::GetIO().KeyShift ? Screenshot::with_background : Screenshot::character;
  }
  tooltip(fmt::format("{}\n{}", tooltip_of("screenshot"), describe_screenshot_folder(app)));
  action("export", Icon::animation, app.exports.open);
  action("compare", Icon::compare, comparing(app));
  action("present", Icon::present, false);
  if (app.shows_chara()) action("second-player", Icon::second_player, app.document()->source.options.second_player);
  ImGui::EndDisabled();
  ImGui::SetCursorPos(below);
}

}  // namespace

void view_panel(App& app, const Layout& layout) {
  if (!begin_panel("view", layout.view, layout.is_over(Dock::right))) return;
  View& view = app.view;
  bool& folded = app.arrangement.view_folded;
  if (folding_heading("fold view", "View", folded, layout.scale)) folded = !folded;
  view_actions(app, ImGui::GetWindowContentRegionMax().x, layout.scale);
  if (folded) return ImGui::End();
  const float right = ImGui::GetContentRegionAvail().x;  // The scroll bar uses the padding.
  ImGui::BeginChild("settings", {right + kPadding * layout.scale, 0.0F}, false, ImGuiWindowFlags_NoNav);
  const float column = std::min(kViewLabelWidth * layout.scale, right * 0.4F);
  row_label("Background", column);
  background_choice(app, right - column);
  row_label("Pixels", column);
  command_tooltip("pixels");
  Pixels pixels = view.pixels;
  if (segmented("pixels", kPixelModes, pixels, right - column)) set_pixels(app, pixels);
  zoom_row(app, column, right);
  if (app.shows_3d()) turntable_rows(app.view, column, right - column);
  app.shows_3d()
      ? toggle("Cull", view.turntable.cull_back_faces, "Hide faces that point away from the viewer, as most games do")
      : toggle("Flip Y", view.camera.flip_y, "Flip the y axis, for files where it points down");
  ImGui::SameLine(column);
  if (checkbox("Auto reload", app.requests.reload)) run_command(app, "auto-reload");
  command_tooltip("auto-reload");
  overlay_switches(app, layout.scale, right);
  onion_counts(view, column, right);
  ImGui::EndChild();
  ImGui::End();
}

}  // namespace pchr::player
