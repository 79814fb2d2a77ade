// SPDX-License-Identifier: MIT
// The bottom bar, above the timeline.
#include "ui/commands.hpp"
#include "ui/panels.hpp"

#include <cmath>
#include <cstdlib>

namespace pchr::player {
namespace {

constexpr float kButton = 34.0F;
constexpr std::array kLoopModes{"From file", "Once", "Loop", "Ping-pong", "Counted"};
constexpr std::size_t kCounted = 4;
constexpr std::array kHolds{"On ones", "On twos", "On threes", "On fours", "On fives", "On sixes"};
static_assert(kHolds.size() == kMaxHold);
constexpr float kLoopWidth = 108.0F;
constexpr float kTimesWidth = 78.0F;
constexpr float kHoldWidth = 98.0F;
constexpr float kSpeedWidth = 120.0F;
constexpr float kButtonGap = 4.0F;
constexpr float kPartGap = 12.0F;
constexpr float kPairGap = 4.0F;
constexpr float kMoreColumn = 84.0F;  ///< Width of the labels in the menu of what does not fit.

/// The parts of the row above the timeline, from left to right. The settings are aligned to the right.
enum BarPart : std::uint8_t {
  kFirst,
  kPrevious,
  kPlay,
  kNext,
  kLast,
  kFrame,
  kTime,
  kRate,
  kRange,
  kLoop,
  kSpeed,
  kHold,
  kSmooth,
  kKeep,
  kMore,
  kHelp,
  kParts
};

/// In a narrow window, these are dropped in this order. A menu has those that no key replaces as well.
constexpr BarPart kDropOrder[] = {kSmooth, kHold, kKeep,  kSpeed, kLoop,     kTime,
                                  kHelp,   kLast, kFirst, kNext,  kPrevious, kRange};

using Widths = std::array<float, kParts>;

float gap_before(BarPart part) { return part <= kLast ? kButtonGap : kPartGap; }

/// Sets the widths of the parts that do not fit to 0. The menu is shown if there are any.
void drop_parts(Widths& widths, float room, float scale) {
  float needed = 0.0F;
  const auto with_gap = [&](BarPart part) {
    return widths[part] > 0.0F ? widths[part] + gap_before(part) * scale : 0.0F;
  };
  for (std::uint8_t part = 0; part < kParts; ++part) needed += with_gap(static_cast<BarPart>(part));
  const float menu = with_gap(kMore);
  if (needed - menu <= room) {
    widths[kMore] = 0.0F;
    return;
  }
  for (const BarPart part : kDropOrder) {
    if (needed <= room) return;
    needed -= with_gap(part);
    widths[part] = 0.0F;
  }
}

void transport_button(App& app, BarPart part, float scale) {
  const Icon play = app.playback.settings.speed < 0 ? Icon::reverse : Icon::play;
  const std::pair<const char*, Icon> all[] = {{"first-frame", Icon::first},
                                              {"previous-frame", Icon::previous},
                                              {"play", app.playback.playing() ? Icon::pause : play},
                                              {"next-frame", Icon::next},
                                              {"last-frame", Icon::last}};
  const auto [id, icon] = all[part];
  const float width = part == kPlay ? kButton * 1.5F : kButton;
  ImGui::BeginDisabled(!app.document() || !app.playback.clip);
  command_button(app, id, icon, Vec2{width, kButton} * scale, part == kPlay);
  ImGui::EndDisabled();
}

/// A position of the playhead that can be typed.
struct PositionText {
  const char* id;
  const char* name;
  ShortText value{};
  ShortText last{};  ///< The highest value and the unit.

  [[nodiscard]] float name_width() const {
    return *name != '\0' ? text_size(name).x + ImGui::GetStyle().ItemInnerSpacing.x : 0.0F;
  }
  [[nodiscard]] float field_width() const { return text_size(last.data()).x + 2.0F * ImGui::GetStyle().FramePadding.x; }
  [[nodiscard]] float width() const {
    return name_width() + field_width() + text_size(" / ").x + text_size(last.data()).x;
  }
};

PositionText frame_text(const Clip& clip, const Playhead& at) {
  PositionText shown{.id = "##frame", .name = "Frame"};
  write(shown.value, "{}", at.position.frame);
  write(shown.last, "{}", clip.frame_count - 1);
  return shown;
}

PositionText time_text(const Clip& clip, const Playhead& at) {
  PositionText shown{.id = "##time", .name = ""};
  write(shown.value, "{:.3f}", at.seconds);
  write(shown.last, "{:.3f} s", clip.duration_seconds());
  return shown;
}

/// Shows a position between its name and the highest value. Returns the number that was typed.
std::optional<double> typed_position(const PositionText& shown, std::string_view explanation) {
  const float left = ImGui::GetCursorPosX();
  ImGui::AlignTextToFramePadding();
  label(shown.name);
  ImGui::SameLine(left + shown.name_width());
  const auto typed = typed_field(shown.id, shown.value.data(), shown.field_width());
  tooltip(explanation);
  ImGui::SameLine(0.0F, 0.0F);
  ShortText rest;
  label(write(rest, " / {}", shown.last.data()));
  if (!typed) return std::nullopt;
  char* end = nullptr;
  const double value = std::strtod(typed->c_str(), &end);
  return end != typed->c_str() && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

void frame_position(Playback& playback, const Clip& clip, const Playhead& at) {
  const std::uint32_t last = clip.frame_count - 1;
  const auto typed = typed_position(frame_text(clip, at),
                                    fmt::format("{} frames, numbered from 0; type a frame to go to", clip.frame_count));
  if (typed) seek_frame(playback, static_cast<std::uint32_t>(std::clamp(std::round(*typed), 0.0, last * 1.0)));
}

void time_position(Playback& playback, const Clip& clip, const Playhead& at) {
  constexpr double kRounding = 0.0005;  // The shown time may be rounded down to the frame before.
  const double duration = clip.duration_seconds();
  const auto typed = typed_position(time_text(clip, at), "Type a time in seconds to go to");
  if (typed && duration > 0) seek_frame(playback, frame_at(clip, (*typed + kRounding) / duration));
}

/// Writes the frame rate of `clip`, or the average if its frames last unevenly.
const char* rate_text(const Clip& clip, ShortText& text) {
  const double duration = clip.duration_seconds();
  const bool even = clip.frame_ends.empty() || duration <= 0;
  return even ? write(text, "{:.4g} FPS", clip.frames_per_second)
              : write(text, "~{:.1f} FPS", clip.frame_count / duration);
}

void rate_readout(const Clip& clip, float width) {
  const auto [area, clicked, hovered, active] = spot("fps", {width, ImGui::GetFrameHeight()});
  ShortText text;
  text_at(area.min + Vec2{0.0F, area.size().y * 0.5F}, {0.0F, 0.5F}, kDimTextColor, rate_text(clip, text));
  tooltip(clip.frame_ends.empty() ? "Frames per second of this clip"
                                  : "Average frames per second of this clip; its frames last unevenly");
}

const char* range_text(const FrameRange& range, ShortText& text) {
  return write(text, "{}\u2013{}", range.first, range.last);
}

/// The range, as a chip: a click shows it in the timeline, the cross clears it.
void range_chip(App& app, const Clip& clip, float width, float scale) {
  const FrameRange range = *app.playback.clock.range();
  const float height = ImGui::GetFrameHeight();
  const float cross = height * 0.9F;
  const Spot text_spot = spot("range", {width - cross, height});
  tooltip("The range that plays; click to zoom the timeline to it");
  ImGui::SameLine(0.0F, 0.0F);
  const Spot clear = spot("range-clear", {cross, height});
  command_tooltip("no-range");
  fill({text_spot.area.min, clear.area.max}, with_alpha(kBoneColor, text_spot.hovered ? 0.45F : 0.3F), height * 0.5F);
  ShortText text;
  text_at({text_spot.area.min.x + 10.0F * scale, text_spot.area.center().y}, {0.0F, 0.5F}, kTextColor,
          range_text(range, text));
  draw_icon(Icon::close, clear.area.center() - Vec2{3.0F * scale, 0.0F}, 12.0F * scale,
            clear.hovered ? kTextColor : kDimTextColor);
  if (text_spot.clicked) show_range(app.timeline, clip, range);
  if (clear.clicked) run_command(app, "no-range");
}

void loop_mode(Playback& playback, float width) {
  PlaybackSettings settings = playback.settings;
  const std::size_t mode = settings.counted ? kCounted : static_cast<std::size_t>(settings.mode);
  const auto chosen =
      combo("##loop", kLoopModes[mode], width, kLoopModes.size(), mode, [](std::size_t i) { return kLoopModes[i]; });
  if (chosen) {
    settings.counted = *chosen == kCounted;
    settings.mode = settings.counted ? LoopMode::loop : static_cast<LoopMode>(*chosen);
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

/// Returns the width of each part, 0 for those that there is nothing to show of.
Widths widths_of(const App& app, const Clip* clip, const Playhead* at, float scale) {
  const float height = ImGui::GetFrameHeight();
  Widths widths{};
  for (const BarPart part : {kFirst, kPrevious, kNext, kLast, kHelp}) widths[part] = kButton * scale;
  widths[kMore] = height * 1.15F;
  widths[kPlay] = kButton * 1.5F * scale;
  if (clip != nullptr) {
    ShortText text;
    widths[kFrame] = frame_text(*clip, *at).width();
    widths[kTime] = time_text(*clip, *at).width();
    widths[kRate] = text_size(rate_text(*clip, text)).x;
    if (const auto& range = app.playback.clock.range(); range && app.playback.shows_clip()) {
      widths[kRange] = text_size(range_text(*range, text)).x + 12.0F * scale + height * 0.9F;
    }
  }
  widths[kLoop] = kLoopWidth * scale + (app.playback.settings.counted ? (kTimesWidth + kPairGap) * scale : 0.0F);
  widths[kSpeed] = height * 1.15F + (kSpeedWidth + kPairGap) * scale;
  widths[kHold] = kHoldWidth * scale;
  widths[kSmooth] = height + ImGui::GetStyle().ItemInnerSpacing.x + text_size("Smooth").x;
  widths[kKeep] = height;
  return widths;
}

void draw_part(App& app, BarPart part, const Clip* clip, const Playhead* at, float width, float scale) {
  switch (part) {
    case kFrame:
      return frame_position(app.playback, *clip, *at);
    case kTime:
      return time_position(app.playback, *clip, *at);
    case kRate:
      return rate_readout(*clip, width);
    case kRange:
      return range_chip(app, *clip, width, scale);
    case kLoop:
      // A mix and a game loop by their own rules.
      ImGui::BeginDisabled(!app.playback.shows_clip());
      loop_mode(app.playback, kLoopWidth * scale);
      if (app.playback.settings.counted) {
        ImGui::SameLine(0.0F, kPairGap * scale);
        times(app, kTimesWidth * scale);
      }
      return ImGui::EndDisabled();
    case kSpeed:
      command_button(app, "reverse", Icon::reverse, Vec2{1.15F, 1.0F} * ImGui::GetFrameHeight(),
                     app.playback.settings.speed < 0);
      ImGui::SameLine(0.0F, kPairGap * scale);
      return speed_bar(app.playback, kSpeedWidth * scale, scale);
    case kHold:
      ImGui::BeginDisabled(!app.playback.shows_clip());
      hold(app, width);
      return ImGui::EndDisabled();
    case kSmooth:
      return smoothness(app);
    case kKeep:
      return command_button(app, "keep-playback", Icon::pin, Vec2{width}, app.playback.keeps_settings);
    case kHelp:
      return command_button(app, "help", Icon::help, Vec2{kButton} * scale);
    default:
      return transport_button(app, part, scale);
  }
}

/// A button that opens a menu with the parts that do not fit: `full` has the widths that they would have.
void more_menu(App& app, const Widths& full, const Widths& shown, const Clip* clip, const Playhead* at, float scale) {
  constexpr std::pair<BarPart, const char*> kRows[] = {{kTime, "Time"}, {kLoop, "Loop"}, {kSpeed, "Speed"},
                                                       {kHold, "Hold"}, {kSmooth, ""},   {kKeep, "Keep"}};
  if (icon_button("more-playback", Icon::more, Vec2{1.15F, 1.0F} * ImGui::GetFrameHeight(), "More playback settings")) {
    ImGui::OpenPopup("playback settings");
  }
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, Vec2{12.0F, 10.0F} * scale);
  if (ImGui::BeginPopup("playback settings")) {
    for (const auto& [part, name] : kRows) {
      if (full[part] <= 0.0F || shown[part] > 0.0F) continue;
      row_label(name, kMoreColumn * scale);
      draw_part(app, part, clip, at, full[part], scale);
    }
    bool first = true;
    for (const BarPart part : {kFirst, kPrevious, kNext, kLast}) {
      if (shown[part] > 0.0F) continue;
      if (!std::exchange(first, false)) ImGui::SameLine(0.0F, kButtonGap * scale);
      draw_part(app, part, clip, at, full[part], scale);
    }
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
}

}  // namespace

void transport_panel(App& app, const Layout& layout) {
  if (!begin_panel("transport", layout.transport, layout.is_over(Dock::bottom))) return;
  const float scale = layout.scale;
  const auto at = playhead(app.playback);
  const Clip* clip = at ? &app.document()->character().clips()[at->clip] : nullptr;
  if (clip != nullptr && clip->frame_count == 0) clip = nullptr;
  const Widths full = widths_of(app, clip, at ? &*at : nullptr, scale);
  Widths widths = full;
  const float padding = kPadding * scale;
  const float right = layout.transport.size().x - padding;
  drop_parts(widths, right - padding, scale);
  float left = padding;
  float settings = right;
  for (std::uint8_t part = kLoop; part < kParts; ++part) {
    if (widths[part] > 0.0F) settings -= widths[part] + (part == kLoop ? 0.0F : kPartGap * scale);
  }
  const float centered = (kButton * scale - ImGui::GetFrameHeight()) * 0.5F;
  for (std::uint8_t i = 0; i < kParts; ++i) {
    const auto part = static_cast<BarPart>(i);
    if (part == kLoop) left = std::max(left, settings);
    if (widths[part] <= 0.0F) continue;
    const bool tall = part <= kLast || part == kHelp;
    if (left > padding && part != kLoop) left += gap_before(part) * scale;
    ImGui::SetCursorPos({left, padding + (tall ? 0.0F : centered)});
    if (part == kMore) {
      more_menu(app, full, widths, clip, at ? &*at : nullptr, scale);
    } else {
      draw_part(app, part, clip, at ? &*at : nullptr, widths[part], scale);
    }
    left += widths[part];
  }
  timeline(app, layout);
  ImGui::End();
}

}  // namespace pchr::player
