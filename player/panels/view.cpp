// SPDX-License-Identifier: MIT
// How the picture is shown.
#include "overlays/switches.hpp"
#include "panels/panels.hpp"
#include "widgets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace pchr::player {
namespace {

constexpr std::array kBackgrounds{"Checker", "Plain", "Image, once", "Image, tiled"};
constexpr std::array kPixels{"Auto", "Smooth", "Hard"};
constexpr std::array kSides{"Front", "Side", "Top"};
constexpr std::array kUpAxes{"Z", "Y"};
constexpr std::array kQuarterTurns{"0\u00b0", "90\u00b0", "180\u00b0", "270\u00b0"};
constexpr float kLabelWidth = 92.0F;

void label_of_row(const char* text, float column) {
  ImGui::AlignTextToFramePadding();
  label(text);
  ImGui::SameLine(column);
}

void background(Session& session, float width) {
  View& view = session.view;
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
    if (ImGui::Selectable("Image...")) open_browser(session.browser, session.files, BrowseFor::background);
    tooltip("Or drop a .png file on the window");
    ImGui::EndCombo();
  }
  tooltip("Checker, plain or image (G; Shift+G: tile the image)");
  ImGui::SameLine(0.0F, ImGui::GetStyle().ItemInnerSpacing.x);
  if (ImGui::ColorEdit3("##colour", view.colour.data(), ImGuiColorEditFlags_NoInputs | ImGuiColorEditFlags_NoLabel)) {
    view.background = Background::colour;
  }
}

/// From where a spatial character is seen, and how it stands.
void turntable_rows(Session& session, float column, float width) {
  Turntable turntable = session.view.turntable;
  label_of_row("Look from", column);
  tooltip("Numpad 1, 3, 7 (with Ctrl from the other side) or Shift+V.\nDrag with the right button, or with Alt: turn");
  int side = -1;
  for (int i = 0; i < static_cast<int>(kSides.size()); ++i) {
    if (is_seen_from(turntable, static_cast<Side>(i))) side = i;
  }
  if (segmented("side", kSides, side, width)) turntable = seen_from(turntable, static_cast<Side>(side));
  label_of_row("Up axis", column);
  tooltip("Which axis of the file points up; Unreal's is Z");
  int up = static_cast<int>(turntable.up);
  if (segmented("up", kUpAxes, up, width)) turntable.up = static_cast<UpAxis>(up);
  label_of_row("Stands at", column);
  tooltip("Turned so far around the axis that is up");
  int quarters = static_cast<int>(turntable.quarter_turns);
  if (segmented("quarters", kQuarterTurns, quarters, width)) {
    turntable.quarter_turns = static_cast<std::uint32_t>(quarters);
  }
  set_turntable(session, turntable);
}

void cull(Session& session) {
  Turntable turntable = session.view.turntable;
  if (checkbox("Cull", turntable.cull_back_faces)) turntable.cull_back_faces = !turntable.cull_back_faces;
  tooltip("Leaves out faces that look away, as most games do;\nelse both sides are shown");
  set_turntable(session, turntable);
}

void flip(View& view) {
  if (checkbox("Flip y", view.camera.flip_y)) view.camera.flip_y = !view.camera.flip_y;
  tooltip("For files whose y axis points down");
}

void zoom_row(Session& session, const Canvas& canvas, float column, float right) {
  View& view = session.view;
  const bool spatial = shows_spatial(session);
  label_of_row("Zoom", column);
  const float zoom_now = view.camera.zoom;
  ImGui::TextUnformatted(
      (spatial ? fmt::format("{:.3g} px", zoom_now) : fmt::format("{:.0f} %", zoom_now * 100.0F)).c_str());
  if (spatial) tooltip("Pixels of the screen for one unit of the mesh");
  const float padding = ImGui::GetStyle().FramePadding.x * 2.0F;
  const float fit_width = ImGui::CalcTextSize("Fit").x + padding;
  const float full_width = ImGui::CalcTextSize("100 %").x + padding;
  if (!spatial) {
    ImGui::SameLine(right - fit_width - full_width - 4.0F);
    if (ImGui::Button("100 %")) zoom(session, canvas, canvas.area.centre(), 1.0F / zoom_now);
    tooltip("One pixel of the character is one pixel of the screen");
  }
  ImGui::SameLine(right - fit_width);
  if (ImGui::Button("Fit")) view.fitted = true;
  tooltip("Fit the whole clip (F)");
}

/// Two columns of switches.
void overlay_switches(Session& session, float scale, float right) {
  View& view = session.view;
  label("Overlays");
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {8.0F * scale, 4.0F * scale});
  const float left = kPadding * scale;
  bool first = true;
  for (const OverlaySwitch& overlay : kOverlaySwitches) {
    if (!first) ImGui::SameLine(left + (right - left) * 0.5F);
    first = !first;
    bool& on = view.*overlay.on;
    const bool needs_plane = overlay.on == &View::overdraw && shows_spatial(session);
    ImGui::BeginDisabled(needs_plane);
    if (checkbox(overlay.label, on && !needs_plane)) on = !on;
    ImGui::EndDisabled();
    tooltip(needs_plane ? "Of a spatial character the nearest face hides the others:\nnothing is drawn over anything"
                        : overlay.text);
  }
  ImGui::PopStyleVar();
}

void onion_counts(View& view, float column, float right) {
  constexpr float kGap = 4.0F;
  const auto count = [&](const char* id, std::uint32_t& value, const char* format, const char* text) {
    int frames = static_cast<int>(value);
    ImGui::SetNextItemWidth((right - column - kGap) * 0.5F);
    const int most = static_cast<int>(kMostOnionFrames);
    if (ImGui::SliderInt(id, &frames, 0, most, format, ImGuiSliderFlags_AlwaysClamp)) {
      value = static_cast<std::uint32_t>(frames);
      view.onion = true;
    }
    tooltip(text);
  };
  label_of_row("Onion skin", column);
  count("##before", view.onion_before, "%d before", "Ghosts of so many frames before this one");
  ImGui::SameLine(0.0F, kGap);
  count("##after", view.onion_after, "%d after", "Ghosts of so many frames after this one");
}

/// Buttons beside the heading.
void actions(Session& session, float right, float scale) {
  const Vec2 below = vec(ImGui::GetCursorPos());
  const Vec2 size = Vec2{30.0F, 26.0F} * scale;
  float left = right;
  const auto next = [&] {
    left -= size.x;
    ImGui::SetCursorPos({left, ImGui::GetStyle().WindowPadding.y - 5.0F * scale});
    left -= 4.0F * scale;
  };
  ImGui::BeginDisabled(!session.document);
  next();
  if (icon_button("screenshot", Icon::camera, size, "Save a picture (F12; with Shift, on its background)")) {
    session.screenshot = ImGui::GetIO().KeyShift ? Screenshot::with_background : Screenshot::character;
  }
  next();
  if (icon_button("export", Icon::film, size, "Export films and sheets (Ctrl+E)", session.exports.open)) {
    toggle_exports(session);
  }
  next();
  if (icon_button("compare", Icon::compare, size, "Compare: side by side, wipe, off (C)", comparing(session))) {
    cycle_compare_mode(session);
  }
  next();
  if (icon_button("present", Icon::present, size, "Present the character alone (F11)")) {
    session.view.presenting = true;
  }
  if (shows_chara(session)) {
    next();
    const bool second = session.document->source.options.second_player;
    if (icon_button("second", Icon::second_player, size, "Dress for the second player (Shift+P)", second)) {
      set_second_player(session, !second);
    }
  }
  ImGui::EndDisabled();
  ImGui::SetCursorPos(im(below));
}

}  // namespace

void view_panel(Session& session, const Layout& layout, const Canvas& canvas) {
  if (!begin_panel("view", layout.view)) return;
  View& view = session.view;
  const float column = (kPadding + kLabelWidth) * layout.scale;
  const float right = ImGui::GetWindowContentRegionMax().x;
  heading("View");
  actions(session, right, layout.scale);
  label_of_row("Background", column);
  background(session, right - column);
  label_of_row("Pixels", column);
  tooltip("Hard shows each as a square, and zooms in whole steps;\nauto does so for pixel art (Shift+F)");
  int pixels = static_cast<int>(view.pixels);
  if (segmented("pixels", kPixels, pixels, right - column)) set_pixels(session, static_cast<Pixels>(pixels));
  zoom_row(session, canvas, column, right);
  if (shows_spatial(session)) turntable_rows(session, column, right - column);
  shows_spatial(session) ? cull(session) : flip(view);
  ImGui::SameLine(column);
  if (checkbox("Reload on change", session.files.reload)) session.files.reload = !session.files.reload;
  tooltip("Reads the file again whenever it or its images are saved");
  overlay_switches(session, layout.scale, right);
  onion_counts(view, column, right);
  end_panel();
}

}  // namespace pchr::player
