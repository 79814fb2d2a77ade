// SPDX-License-Identifier: MIT
// Playing: buttons, where the clip is, loop mode, speed.
#include "panels/panels.hpp"
#include "widgets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace pchr::player {
namespace {

constexpr float kButton = 34.0F;
constexpr std::array kLoopModes{"Loop: as in file", "Once", "Loop", "Ping-pong"};
constexpr float kLoopWidth = 148.0F;
constexpr float kSpeedWidth = 124.0F;
constexpr float kReadoutWidth = 270.0F;

void buttons(Session& session, float scale) {
  const Vec2 size = Vec2{kButton} * scale;
  const bool is_playing = playing(session);
  const float spacing = 4.0F * scale;
  ImGui::BeginDisabled(!session.document || !session.document->clip);
  if (icon_button("first", Icon::first, size, "First frame (Home)")) seek_frame(session, 0);
  ImGui::SameLine(0.0F, spacing);
  if (icon_button("previous", Icon::previous, size, "Previous frame (Left)")) step_frames(session, -1);
  ImGui::SameLine(0.0F, spacing);
  if (icon_button("play", is_playing ? Icon::pause : Icon::play, {size.x * 1.5F, size.y}, "Play or pause (Space)",
                  true)) {
    toggle_playing(session);
  }
  ImGui::SameLine(0.0F, spacing);
  if (icon_button("next", Icon::next, size, "Next frame (Right)")) step_frames(session, 1);
  ImGui::SameLine(0.0F, spacing);
  if (icon_button("last", Icon::last, size, "Last frame (End)")) seek_last_frame(session);
  ImGui::EndDisabled();
}

void readout(const Session& session, float scale) {
  const Clip* clip = session.document ? session.document->current_clip() : nullptr;
  if (clip == nullptr) return;
  const Clock& clock = session.document->clock;
  // Right-aligned, so that nothing moves while the numbers grow.
  const auto pair = [](const char* unit, const std::string& value, const std::string& whole) {
    const float indent = ImGui::CalcTextSize(whole.c_str()).x - ImGui::CalcTextSize(value.c_str()).x;
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0F, indent));
    ImGui::TextUnformatted(value.c_str());
    ImGui::SameLine(0.0F, 0.0F);
    ImGui::PushStyleColor(ImGuiCol_Text, kDimTextColour);
    ImGui::TextUnformatted(fmt::format(" / {} {}", whole, unit).c_str());
    ImGui::PopStyleColor();
  };
  ImGui::AlignTextToFramePadding();
  ImGui::BeginGroup();
  pair("frames", fmt::format("{}", clock.frame()), fmt::format("{}", clip->frame_count));
  ImGui::SameLine(0.0F, 18.0F * scale);
  pair("s", fmt::format("{:.3f}", clock.seconds()), fmt::format("{:.3f}", clock.duration_seconds()));
  ImGui::EndGroup();
}

void loop_mode(Session& session, float width) {
  int mode = static_cast<int>(session.playback.mode);
  ImGui::SetNextItemWidth(width);
  if (ImGui::Combo("##loop", &mode, kLoopModes.data(), static_cast<int>(kLoopModes.size()))) {
    set_loop_mode(session, static_cast<LoopMode>(mode));
  }
  tooltip("What happens at the end of the clip (L)");
}

void speed(Session& session, float width) {
  float value = static_cast<float>(session.playback.speed);
  ImGui::AlignTextToFramePadding();
  label("Speed");
  ImGui::SameLine();
  ImGui::SetNextItemWidth(width);
  if (ImGui::SliderFloat("##speed", &value, 0.1F, 2.0F, "%.2fx", ImGuiSliderFlags_Logarithmic)) {
    set_speed(session, value);
  }
  tooltip("Ctrl+click to type any speed; below 0 plays backwards");
  ImGui::SameLine();
  ImGui::BeginDisabled(session.playback.speed == 1.0);
  if (ImGui::Button("1x")) set_speed(session, 1.0);
  ImGui::EndDisabled();
  tooltip("Normal speed");
}

void smoothness(Session& session) {
  const bool smooth = session.playback.sampling == Sampling::smooth;
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + ImGui::GetStyle().FramePadding.y * 0.6F);
  if (checkbox("Smooth", smooth)) session.playback.sampling = smooth ? Sampling::step : Sampling::smooth;
  tooltip("In between frames instead of holding each, as exported (M)");
}

}  // namespace

void transport_panel(Session& session, const Layout& layout) {
  if (!begin_panel("transport", layout.transport)) return;
  const float scale = layout.scale;
  buttons(session, scale);

  // What is less needed gives way first in a narrow window.
  const float spacing = 14.0F * scale;
  const float centred = (kButton * scale - ImGui::GetFrameHeight()) * 0.5F;
  const float top = ImGui::GetStyle().WindowPadding.y + centred;
  const float help_left = layout.transport.size().x - (kPadding + kButton) * scale;
  float left = vec(ImGui::GetItemRectMax()).x + spacing;
  const float smooth_width =
      ImGui::GetFrameHeight() + ImGui::GetStyle().ItemInnerSpacing.x + ImGui::CalcTextSize("Smooth").x;
  const float speed_width = kSpeedWidth * scale + ImGui::GetStyle().ItemSpacing.x * 2.0F +
                            ImGui::GetStyle().FramePadding.x * 2.0F + ImGui::CalcTextSize("Speed1x").x;
  const auto place = [&](float width) {
    if (left + width > help_left - spacing) return false;
    ImGui::SetCursorPos({left, top});
    left += width + spacing;
    return true;
  };
  if (place(kReadoutWidth * scale)) readout(session, scale);

  const float controls = kLoopWidth * scale + speed_width + smooth_width + spacing * 2.0F;
  left = std::max(left, help_left - spacing - controls);
  if (place(kLoopWidth * scale)) loop_mode(session, kLoopWidth * scale);
  if (place(speed_width)) speed(session, kSpeedWidth * scale);
  if (place(smooth_width)) smoothness(session);
  ImGui::SetCursorPos({help_left, ImGui::GetStyle().WindowPadding.y});
  if (icon_button("help", Icon::help, Vec2{kButton} * scale, "Keys (?)")) session.view.help = !session.view.help;

  timeline(session, layout);
  end_panel();
}

}  // namespace pchr::player
