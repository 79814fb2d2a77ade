// SPDX-License-Identifier: MIT
// Playing: buttons, where the clip is, loop mode, speed.
#include "panels/panels.hpp"
#include "text.hpp"
#include "widgets.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace pchr::player {
namespace {

constexpr float kButton = 34.0F;
constexpr std::array kLoopModes{"As in file", "Once", "Loop", "Ping-pong", "Counted"};
constexpr int kCounted = 4;
constexpr std::array kHolds{"On ones", "On twos", "On threes", "On fours", "On fives", "On sixes"};
static_assert(kHolds.size() == kLongestHold);
constexpr float kLoopWidth = 108.0F;
constexpr float kTimesWidth = 78.0F;
constexpr float kHoldWidth = 98.0F;
constexpr float kSpeedWidth = 150.0F;
constexpr float kReadoutWidth = 236.0F;

void buttons(Session& session, float scale) {
  const Vec2 size = Vec2{kButton} * scale;
  const bool is_playing = playing(session);
  const bool reverse = session.playback.speed < 0;
  const float spacing = 4.0F * scale;
  ImGui::BeginDisabled(!session.document || !session.document->clip);
  if (icon_button("first", Icon::first, size, "First frame (Home)")) seek_first_frame(session);
  ImGui::SameLine(0.0F, spacing);
  if (icon_button("previous", Icon::previous, size, "Previous frame (Left; Shift: ten)")) step_frames(session, -1);
  ImGui::SameLine(0.0F, spacing);
  const Icon play = reverse ? Icon::reverse : Icon::play;
  if (icon_button("play", is_playing ? Icon::pause : play, {size.x * 1.5F, size.y}, "Play or pause (Space)", true)) {
    toggle_playing(session);
  }
  ImGui::SameLine(0.0F, spacing);
  if (icon_button("next", Icon::next, size, "Next frame (Right; Shift: ten)")) step_frames(session, 1);
  ImGui::SameLine(0.0F, spacing);
  if (icon_button("last", Icon::last, size, "Last frame (End)")) seek_last_frame(session);
  ImGui::EndDisabled();
}

/// `value` of `whole`, right-aligned so that nothing moves while the numbers grow.
void amount(const char* value, const char* whole, const char* unit) {
  const float indent = ImGui::CalcTextSize(whole).x - ImGui::CalcTextSize(value).x;
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0F, indent));
  ImGui::TextUnformatted(value);
  ImGui::SameLine(0.0F, 0.0F);
  ImGui::PushStyleColor(ImGuiCol_Text, kDimTextColour);
  ImGui::Text(" / %s %s", whole, unit);
  ImGui::PopStyleColor();
}

void readout(const Session& session, float scale) {
  const auto at = playhead(session);
  if (!at) return;
  const Clip& clip = session.document->character().clips()[at->clip];
  ShortText value;
  ShortText whole;
  ImGui::AlignTextToFramePadding();
  ImGui::BeginGroup();
  amount(write(value, "{}", at->position.frame), write(whole, "{}", clip.frame_count), "frames");
  ImGui::SameLine(0.0F, 18.0F * scale);
  amount(write(value, "{:.3f}", at->seconds), write(whole, "{:.3f}", clip.duration_seconds()), "s");
  ImGui::EndGroup();
}

void loop_mode(Session& session, float width) {
  Playback playback = session.playback;
  int mode = playback.counted ? kCounted : static_cast<int>(playback.mode);
  ImGui::SetNextItemWidth(width);
  if (ImGui::Combo("##loop", &mode, kLoopModes.data(), static_cast<int>(kLoopModes.size()))) {
    playback.counted = mode == kCounted;
    playback.mode = playback.counted ? LoopMode::loop : static_cast<LoopMode>(mode);
    set_playback(session, playback);
  }
  tooltip("What happens at the end of the clip or range (L)");
}

/// How many times, between two buttons.
void times(Session& session, float width) {
  Playback playback = session.playback;
  const float height = ImGui::GetFrameHeight();
  const Vec2 button{height * 0.8F, height};
  const Vec2 corner = vec(ImGui::GetCursorScreenPos());
  if (icon_button("fewer", Icon::minus, button, "Fewer times (-)")) --playback.times;
  ImGui::SameLine(width - button.x + ImGui::GetItemRectMin().x - ImGui::GetWindowPos().x);
  if (icon_button("more", Icon::plus, button, "More times (+)")) ++playback.times;
  ShortText text;
  const char* number = write(text, "{}x", playback.times);
  const Vec2 size = vec(ImGui::CalcTextSize(number));
  ImGui::GetWindowDrawList()->AddText(im(corner + (Vec2{width, height} - size) * 0.5F), kTextColour, number);
  if (playback.times != session.playback.times) set_playback(session, playback);
}

float place_of_speed(double speed) {
  return static_cast<float>(std::log(std::abs(speed) / kSlowest) / std::log(kFastest / kSlowest));
}

double speed_at(float place) {
  constexpr float kSnap = 0.02F;
  if (std::abs(place - place_of_speed(1.0)) < kSnap) return 1.0;
  const double speed = kSlowest * std::pow(kFastest / kSlowest, std::clamp(place, 0.0F, 1.0F));
  return std::round(speed * 100.0) / 100.0;
}

/// A bar on which equal distances are equal ratios, with a mark at normal speed.
void speed(Session& session, float width, float scale) {
  const Vec2 corner = vec(ImGui::GetCursorScreenPos());
  const Vec2 size{width, ImGui::GetFrameHeight()};
  ImGui::InvisibleButton("speed", im(size));
  const double before = session.playback.speed;
  if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
    set_speed(session, 1.0);
  } else if (ImGui::IsItemActivated() || (ImGui::IsItemActive() && ImGui::IsMouseDragging(ImGuiMouseButton_Left))) {
    set_speed(session, std::copysign(speed_at((ImGui::GetIO().MousePos.x - corner.x) / size.x), before));
  }
  if (ImGui::IsItemHovered() && ImGui::GetIO().MouseWheel != 0.0F) {
    set_speed(session, neighbouring_speed(before, ImGui::GetIO().MouseWheel > 0.0F ? 1 : -1));
  }
  tooltip("Speed: drag, or double click for normal (, and . and Backspace)");

  const double now = session.playback.speed;
  const bool hovered = ImGui::IsItemHovered() || ImGui::IsItemActive();
  const float rounding = ImGui::GetStyle().FrameRounding;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(im(corner), im(corner + size), hovered ? kControlHovered : kControlColour, rounding);
  const float reach = std::max(place_of_speed(now) * size.x, rounding * 2.0F);
  list.AddRectFilled(im(corner), im(corner + Vec2{reach, size.y}),
                     with_alpha(kAccentColour, now == 1.0 ? 0.25F : 0.45F), rounding);
  const float normal = std::round(corner.x + place_of_speed(1.0) * size.x);
  list.AddLine({normal, corner.y + size.y - 5.0F * scale}, {normal, corner.y + size.y}, kTextColour);
  ShortText text;
  const char* number = write(text, "{:.2f}x", now);
  const Vec2 text_size = vec(ImGui::CalcTextSize(number));
  list.AddText(im(corner + (size - text_size) * 0.5F), kTextColour, number);
}

void reverse(Session& session) {
  const bool reversed = session.playback.speed < 0;
  const float height = ImGui::GetFrameHeight();
  if (icon_button("reverse", Icon::reverse, {height * 1.15F, height}, reversed ? "Forwards (R)" : "Reverse (R)",
                  reversed)) {
    set_speed(session, -session.playback.speed);
  }
}

void hold(Session& session, float width) {
  Playback playback = session.playback;
  int index = static_cast<int>(playback.hold) - 1;
  ImGui::SetNextItemWidth(width);
  if (ImGui::Combo("##hold", &index, kHolds.data(), static_cast<int>(kHolds.size()))) {
    playback.hold = static_cast<std::uint32_t>(index) + 1;
    set_playback(session, playback);
  }
  tooltip("How many frames each shown one is held (T)");
}

void smoothness(Session& session) {
  const bool smooth = session.playback.sampling == Sampling::smooth;
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + ImGui::GetStyle().FramePadding.y * 0.6F);
  ImGui::BeginDisabled(session.playback.hold > 1);
  if (checkbox("Smooth", smooth)) session.playback.sampling = smooth ? Sampling::step : Sampling::smooth;
  ImGui::EndDisabled();
  tooltip("In between frames instead of holding each, as exported (M)");
}

}  // namespace

void transport_panel(Session& session, const Layout& layout) {
  if (!begin_panel("transport", layout.transport)) return;
  const float scale = layout.scale;
  buttons(session, scale);

  // What is less needed gives way first in a narrow window.
  const float spacing = 14.0F * scale;
  const float inner = 4.0F * scale;
  const float centred = (kButton * scale - ImGui::GetFrameHeight()) * 0.5F;
  const float top = ImGui::GetStyle().WindowPadding.y + centred;
  const float help_left = layout.transport.size().x - (kPadding + kButton) * scale;
  float left = vec(ImGui::GetItemRectMax()).x + spacing;
  const float times_width = session.playback.counted ? (kTimesWidth * scale) + inner : 0.0F;
  const float loop_width = kLoopWidth * scale + times_width;
  const float reverse_width = ImGui::GetFrameHeight() * 1.15F + inner;
  const float speed_width = kSpeedWidth * scale + reverse_width;
  const float smooth_width =
      ImGui::GetFrameHeight() + ImGui::GetStyle().ItemInnerSpacing.x + ImGui::CalcTextSize("Smooth").x;
  const auto place = [&](float width) {
    if (left + width > help_left - spacing) return false;
    ImGui::SetCursorPos({left, top});
    left += width + spacing;
    return true;
  };
  if (place(kReadoutWidth * scale)) readout(session, scale);

  const float controls = loop_width + speed_width + kHoldWidth * scale + smooth_width + spacing * 3.0F;
  left = std::max(left, help_left - spacing - controls);
  // A mix and a game have their own ways at the end of clips.
  if (place(loop_width)) {
    ImGui::BeginDisabled(!shows_clip(session));
    loop_mode(session, kLoopWidth * scale);
    if (times_width > 0.0F) {
      ImGui::SameLine(0.0F, inner);
      times(session, kTimesWidth * scale);
    }
    ImGui::EndDisabled();
  }
  if (place(speed_width)) {
    reverse(session);
    ImGui::SameLine(0.0F, inner);
    speed(session, kSpeedWidth * scale, scale);
  }
  if (place(kHoldWidth * scale)) {
    ImGui::BeginDisabled(!shows_clip(session));
    hold(session, kHoldWidth * scale);
    ImGui::EndDisabled();
  }
  if (place(smooth_width)) smoothness(session);
  ImGui::SetCursorPos({help_left, ImGui::GetStyle().WindowPadding.y});
  if (icon_button("help", Icon::help, Vec2{kButton} * scale, "Keys (?)")) session.view.help = !session.view.help;

  timeline(session, layout);
  end_panel();
}

}  // namespace pchr::player
