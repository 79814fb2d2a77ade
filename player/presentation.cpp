// SPDX-License-Identifier: MIT
// The character alone.
#include "presentation.hpp"

#include <imgui.h>

namespace pchr::player {

void Presentation::update(Session& session, Window& window, const Rect& canvas) {
  View& view = session.view;
  // What needs panels ends it.
  if (!session.document || session.browser.open || view.help) view.presenting = false;
  if (view.presenting == shown_) return;
  shown_ = view.presenting;
  grabbed_.reset();
  if (!shown_) {
    window.end_presentation();
    view.camera = camera_;
    view.fitted = fitted_;
    return;
  }
  camera_ = view.camera;
  fitted_ = view.fitted;
  window.begin_presentation(canvas);
  if (!window.transparent()) {
    show_notice(session.notice, "This desktop shows no transparent windows, so the background stays. Esc ends it.");
  }
}

void Presentation::handle_mouse(Session& session, Window& window) {
  const ImGuiIO& io = ImGui::GetIO();
  if (!io.MouseDown[ImGuiMouseButton_Left]) grabbed_.reset();
  if (io.WantCaptureMouse) return;
  const float factor = io.MouseWheel != 0.0F ? wheel_factor(session, io.MouseWheel) : 1.0F;
  if (factor != 1.0F) session.view.camera.zoom *= window.resize_by(factor);
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) grabbed_ = window.cursor();
  if (grabbed_) window.carry(*grabbed_);
}

}  // namespace pchr::player
