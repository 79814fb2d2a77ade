// SPDX-License-Identifier: MIT
#include "app/commands.hpp"
#include "ui/panels.hpp"
#include "view/zoom_text.hpp"

namespace pchr::player {

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

}  // namespace pchr::player
