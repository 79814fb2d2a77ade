// SPDX-License-Identifier: MIT
#include "app/quitting.hpp"
#include "app/sidecar.hpp"
#include "ui/panels.hpp"

namespace pchr::player {
namespace {

constexpr float kWidth = 400.0F;

bool button(const char* text, const char* name) {
  const bool clicked = ImGui::Button(text);
  name_item(name);
  return clicked;
}

}  // namespace

void quit_window(App& app, const Layout& layout) {
  app.asks_to_quit = app.asks_to_quit && would_lose_work(app);
  if (!app.asks_to_quit) return;
  const float scale = layout.scale;
  const Vec2 display = ImGui::GetIO().DisplaySize;
  const float width = std::min(kWidth * scale, display.x * 0.94F);
  const Vec2 corner{(display.x - width) * 0.5F, display.y * 0.3F};
  begin_popup("quit", {corner, corner + Vec2{width, 0.0F}}, Vec2{18.0F} * scale, 10.0F * scale, 0, 1.0F);
  heading(app.exports.running ? "Quit during the export?" : "Quit without saving?");
  const bool unsaved = app.document && has_unsaved_changes(app.document->rig);
  if (app.exports.running) note("The export is canceled and leaves no file.");
  if (unsaved) note("The rig has unsaved changes.");
  ImGui::Dummy({0.0F, 2.0F * scale});
  if (unsaved) {
    if (button("Save and quit", "save and quit")) {
      save_rig(app);
      app.quit = !has_unsaved_changes(app.document->rig);
    }
    ImGui::SameLine();
  }
  app.quit |= button("Quit", "quit now");
  tooltip("Quit and lose this (Q)");
  ImGui::SameLine();
  if (button("Cancel", "stay")) app.asks_to_quit = false;
  tooltip("Keep the player open (Esc)");
  ImGui::End();
}

}  // namespace pchr::player
