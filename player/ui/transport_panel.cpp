// SPDX-License-Identifier: MIT
#include "app/commands.hpp"
#include "ui/panels.hpp"

#include <cmath>

namespace pchr::player {
namespace {

constexpr float kButton = 34.0F;
constexpr std::array kLoopModes{"From file", "Once", "Loop", "Ping-pong", "Counted"};
constexpr int kCounted = 4;
constexpr std::array kHolds{"On ones", "On twos", "On threes", "On fours", "On fives", "On sixes"};
static_assert(kHolds.size() == kMaxHold);
constexpr float kLoopWidth = 108.0F;
constexpr float kTimesWidth = 78.0F;
constexpr float kHoldWidth = 98.0F;
constexpr float kSpeedWidth = 150.0F;
constexpr float kReadoutWidth = 236.0F;

void buttons(App& app, float scale) {
  const Vec2 size = Vec2{kButton} * scale;
  const Icon play = app.playback.settings.speed < 0 ? Icon::reverse : Icon::play;
  const std::pair<const char*, Icon> all[] = {{"first-frame", Icon::first},
                                              {"previous-frame", Icon::previous},
                                              {"play", app.playback.playing() ? Icon::pause : play},
                                              {"next-frame", Icon::next},
                                              {"last-frame", Icon::last}};
  ImGui::BeginDisabled(!app.document || !app.playback.clip);
  for (const auto& [id, icon] : all) {
    if (&id != &all[0].first) ImGui::SameLine(0.0F, 4.0F * scale);
    const bool wide = std::string_view(id) == "play";
    command_button(app, id, icon, wide ? Vec2{size.x * 1.5F, size.y} : size, wide);
  }
  ImGui::EndDisabled();
}

/// Shows `value` of `whole`, right-aligned so that nothing moves as the digits change.
void amount(const char* value, const char* whole, const char* unit) {
  const float indent = text_size(whole).x - text_size(value).x;
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0F, indent));
  colored(kTextColor, value);
  ImGui::SameLine(0.0F, 0.0F);
  ShortText rest;
  label(write(rest, " / {} {}", whole, unit));
}

void readout(const App& app, float scale) {
  const auto at = playhead(app.playback);
  if (!at) return;
  const Clip& clip = app.document->character().clips()[at->clip];
  ShortText value;
  ShortText whole;
  ImGui::AlignTextToFramePadding();
  ImGui::BeginGroup();
  amount(write(value, "{}", at->position.frame), write(whole, "{}", clip.frame_count), "frames");
  ImGui::SameLine(0.0F, 18.0F * scale);
  amount(write(value, "{:.3f}", at->seconds), write(whole, "{:.3f}", clip.duration_seconds()), "s");
  ImGui::EndGroup();
}

void loop_mode(Playback& playback, float width) {
  PlaybackSettings settings = playback.settings;
  int mode = settings.counted ? kCounted : static_cast<int>(settings.mode);
  ImGui::SetNextItemWidth(width);
  if (ImGui::Combo("##loop", &mode, kLoopModes.data(), static_cast<int>(kLoopModes.size()))) {
    settings.counted = mode == kCounted;
    settings.mode = settings.counted ? LoopMode::loop : static_cast<LoopMode>(mode);
    set_settings(playback, settings);
  }
  command_tooltip("loop-mode");
}

/// The loop count between two buttons.
void times(App& app, float width) {
  PlaybackSettings settings = app.playback.settings;
  const float height = ImGui::GetFrameHeight();
  const Vec2 button{height * 0.8F, height};
  const Vec2 corner = ImGui::GetCursorScreenPos();
  if (icon_button("fewer", Icon::minus, button, {})) --settings.times;
  command_tooltip("fewer-loops");
  ImGui::SameLine(width - button.x + ImGui::GetItemRectMin().x - ImGui::GetWindowPos().x);
  if (icon_button("more", Icon::plus, button, {})) ++settings.times;
  command_tooltip("more-loops");
  ShortText text;
  text_at(corner + Vec2{width, height} * 0.5F, Vec2{0.5F}, kTextColor, write(text, "{}x", settings.times));
  if (settings.times != app.playback.settings.times) set_settings(app.playback, settings);
}

float place_of_speed(double speed) {
  return static_cast<float>(std::log(std::abs(speed) / kMinSpeed) / std::log(kMaxSpeed / kMinSpeed));
}

double speed_at(float place) {
  constexpr float kSnap = 0.02F;
  if (std::abs(place - place_of_speed(1.0)) < kSnap) return 1.0;
  const double speed = kMinSpeed * std::pow(kMaxSpeed / kMinSpeed, std::clamp(place, 0.0F, 1.0F));
  return std::round(speed * 100.0) / 100.0;
}

/// A logarithmic slider with a mark at normal speed.
void speed_bar(Playback& playback, float width, float scale) {
  const Vec2 size{width, ImGui::GetFrameHeight()};
  const auto [area, clicked, hovered, active] = spot("speed", size);
  const Vec2 corner = area.min;
  const double before = playback.settings.speed;
  if (hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
    set_speed(playback, 1.0);
  } else if (ImGui::IsItemActivated() || (active && ImGui::IsMouseDragging(ImGuiMouseButton_Left))) {
    set_speed(playback, std::copysign(speed_at((ImGui::GetIO().MousePos.x - corner.x) / size.x), before));
  }
  if (hovered && ImGui::GetIO().MouseWheel != 0.0F) {
    set_speed(playback, neighboring_speed(before, ImGui::GetIO().MouseWheel > 0.0F ? 1 : -1));
  }
  tooltip("Drag to change the speed, double-click to reset it");

  const double now = playback.settings.speed;
  const float rounding = ImGui::GetStyle().FrameRounding;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  fill({corner, area.max}, hovered || active ? kControlHovered : kControlColor, rounding);
  const float reach = std::max(place_of_speed(now) * size.x, rounding * 2.0F);
  fill({corner, corner + Vec2{reach, size.y}}, with_alpha(kAccentColor, now == 1.0 ? 0.25F : 0.45F), rounding);
  const float normal = std::round(corner.x + place_of_speed(1.0) * size.x);
  list.AddLine({normal, corner.y + size.y - 5.0F * scale}, {normal, corner.y + size.y}, kTextColor);
  ShortText text;
  text_at(corner + size * 0.5F, Vec2{0.5F}, kTextColor, write(text, "{:.2f}x", now));
}

void hold(App& app, float width) {
  PlaybackSettings settings = app.playback.settings;
  const std::size_t index = settings.hold - 1;
  const auto chosen =
      combo("##hold", kHolds[index], width, kHolds.size(), index, [](std::size_t i) { return kHolds[i]; });
  if (chosen) {
    settings.hold = static_cast<std::uint32_t>(*chosen) + 1;
    set_settings(app.playback, settings);
  }
  command_tooltip("hold");
}

void smoothness(App& app) {
  const bool smooth = app.playback.settings.sampling == Sampling::smooth;
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + ImGui::GetStyle().FramePadding.y * 0.6F);
  ImGui::BeginDisabled(app.playback.settings.hold > 1);
  if (checkbox("Smooth", smooth)) run_command(app, "smooth");
  ImGui::EndDisabled();
  command_tooltip("smooth");
}

}  // namespace

void transport_panel(App& app, const Layout& layout) {
  if (!begin_panel("transport", layout.transport, layout.is_over(Dock::bottom))) return;
  const float scale = layout.scale;
  buttons(app, scale);

  // In a narrow window, the less important controls are dropped first.
  const float spacing = 14.0F * scale;
  const float inner = 4.0F * scale;
  const float centered = (kButton * scale - ImGui::GetFrameHeight()) * 0.5F;
  const float top = ImGui::GetStyle().WindowPadding.y + centered;
  const float help_left = layout.transport.size().x - (kPadding + kButton) * scale;
  float left = ImGui::GetItemRectMax().x + spacing;
  const float times_width = app.playback.settings.counted ? kTimesWidth * scale + inner : 0.0F;
  const float loop_width = kLoopWidth * scale + times_width;
  const float reverse_width = ImGui::GetFrameHeight() * 1.15F + inner;
  const float speed_width = kSpeedWidth * scale + reverse_width;
  const float smooth_width = ImGui::GetFrameHeight() + ImGui::GetStyle().ItemInnerSpacing.x + text_size("Smooth").x;
  const auto place = [&](float width) {
    if (left + width > help_left - spacing) return false;
    ImGui::SetCursorPos({left, top});
    left += width + spacing;
    return true;
  };
  if (place(kReadoutWidth * scale)) readout(app, scale);

  const float controls = loop_width + speed_width + kHoldWidth * scale + smooth_width + spacing * 3.0F;
  left = std::max(left, help_left - spacing - controls);
  // A mix and a game loop by their own rules.
  if (place(loop_width)) {
    ImGui::BeginDisabled(!app.playback.shows_clip());
    loop_mode(app.playback, kLoopWidth * scale);
    if (times_width > 0.0F) {
      ImGui::SameLine(0.0F, inner);
      times(app, kTimesWidth * scale);
    }
    ImGui::EndDisabled();
  }
  if (place(speed_width)) {
    const float height = ImGui::GetFrameHeight();
    command_button(app, "reverse", Icon::reverse, {height * 1.15F, height}, app.playback.settings.speed < 0);
    ImGui::SameLine(0.0F, inner);
    speed_bar(app.playback, kSpeedWidth * scale, scale);
  }
  if (place(kHoldWidth * scale)) {
    ImGui::BeginDisabled(!app.playback.shows_clip());
    hold(app, kHoldWidth * scale);
    ImGui::EndDisabled();
  }
  if (place(smooth_width)) smoothness(app);
  ImGui::SetCursorPos({help_left, ImGui::GetStyle().WindowPadding.y});
  command_button(app, "help", Icon::help, Vec2{kButton} * scale);

  timeline(app, layout);
  ImGui::End();
}

}  // namespace pchr::player
