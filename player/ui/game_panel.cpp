// SPDX-License-Identifier: MIT
#include "ui/panels.hpp"

#include <cmath>

namespace pchr::player {
namespace {

constexpr float kGameLabelWidth = 52.0F;
constexpr float kPadGap = 4.0F;
constexpr float kPadHeight = 38.0F;
constexpr float kAnimationRowHeight = 21.0F;
constexpr float kAnimationNumberWidth = 26.0F;
constexpr int kLongestWait = 8;
constexpr std::array kProfiles{"Feeling Pomu", "beatoraja"};
constexpr std::array kGameSides{"Player", "Rival"};
constexpr std::array kCharaKinds{"Modern", "Legacy"};
constexpr std::array kColorKeys{"Corner", "Black"};

/// Shows the current animation, what comes next, and the progress. The height stays constant.
void game_state(const Game& game, const Character& character, float width, float scale) {
  const CharaState& state = game.state;
  const float top = ImGui::GetCursorPosY();
  ShortText text;
  colored(kTextColor, state.animation() ? write_name(*state.animation(), text) : "No animation");
  ImGui::PushTextWrapPos(width);
  label(describe(game, text));
  ImGui::PopTextWrapPos();
  // The longest description takes two lines.
  ImGui::SetCursorPosY(top + 2.0F * ImGui::GetTextLineHeightWithSpacing() + ImGui::GetTextLineHeight());
  const auto clip = state.clip();
  const double share = clip != ClipId::none ? state.seconds() / character.clips()[clip].duration_seconds() : 0.0;
  thin_bar(static_cast<float>(share), width, scale);
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + 4.0F * scale);
}

void game_gauge(Game& game, float column, float width) {
  row_label("Gauge", column);
  auto percent = std::lround(game.state.gauge() * 100.0);
  if (slider("##gauge", percent, 0, 100, "%d%%", width - column)) {
    game.state.set_gauge(static_cast<double>(percent) / 100.0);
  }
  tooltip("Idle from half full: 02 second; above three quarters: 01 and 02 in turn");
}

/// A button with its key below the label, or next to it if the button is wide.
void game_pad(Game& game, GameEvent event, Vec2 size) {
  const GameEventText& text = text_of(event);
  const char key_text[] = {static_cast<char>('0' + (static_cast<int>(event) + 1) % 10), '\0'};
  const Spot pad = spot(text.label, size);
  if (pad.clicked) trigger(game, event);
  const bool lit = is_active(game, event) || pad.active;
  const ImU32 plain = pad.hovered ? kControlHovered : kControlColor;
  fill(pad.area, lit ? kAccentColor : plain, ImGui::GetStyle().FrameRounding);
  const bool in_one_line = size.y < 2.0F * ImGui::GetTextLineHeight();
  const Vec2 middle = pad.area.min + size * 0.5F;
  const Vec2 right{pad.area.max.x - ImGui::GetStyle().FramePadding.x, middle.y};
  text_at(middle, {0.5F, in_one_line ? 0.5F : 1.0F}, lit ? kAccentText : kTextColor, text.label);
  text_at(in_one_line ? right : middle, in_one_line ? Vec2{1.0F, 0.5F} : Vec2{0.5F, 0.0F},
          lit ? kAccentText : kDimTextColor, key_text);
  tooltip(fmt::format("{} ({})", text.explanation, key_text));
}

void pads(Game& game, float width, float scale) {
  const float gap = kPadGap * scale;
  const auto row = [&](GameEvent first, int count, float height) {
    const Vec2 size{(width - gap * static_cast<float>(count - 1)) / static_cast<float>(count), height};
    for (int i = 0; i < count; ++i) {
      if (i > 0) ImGui::SameLine();
      game_pad(game, static_cast<GameEvent>(static_cast<int>(first) + i), size);
    }
  };
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {gap, gap});
  row(GameEvent::bad, 4, kPadHeight * scale);
  row(GameEvent::ojama, 2, ImGui::GetFrameHeight());
  row(GameEvent::begin, 4, kPadHeight * scale);
  ImGui::PopStyleVar();
}

std::string explanation(const Character& character, ClipId clip) {
  if (clip == ClipId::none) return "Missing from the file; another animation plays instead";
  const Clip& found = character.clips()[clip];
  return fmt::format("{} frames, {:.2f} s\nClick to loop it, click again to resume the game", found.frame_count,
                     found.duration_seconds());
}

void game_animation(Game& game, const Character& character, CharaAnimation animation, Vec2 size, float scale) {
  const CharaState& state = game.state;
  const ClipId clip = state.clip_of(animation);
  const bool there = clip != ClipId::none;
  const Spot row = spot("animation", size, static_cast<std::size_t>(animation));
  const bool plays = state.animation() == animation;
  const Vec2 min = row.area.min + Vec2{0.0F, scale};
  const Vec2 max = row.area.max - Vec2{0.0F, scale};
  const float rounding = 4.0F * scale;
  if (plays || (there && row.hovered)) fill({min, max}, plays ? kControlActive : kControlColor, rounding);
  if (plays) fill({min, {min.x + 3.0F * scale, max.y}}, kAccentColor);
  if (state.pending() == animation) {
    ImGui::GetWindowDrawList()->AddRect(min, max, kAccentColor, rounding, 0, std::max(1.0F, scale));
  }
  ShortText text;
  const char* name = write_name(animation, text);  // Two digits, a space and the name.
  const Vec2 left = row.area.min + Vec2{8.0F * scale, size.y * 0.5F};
  text_at(left, {0.0F, 0.5F}, there ? kDimTextColor : kFaintTextColor, {name, 2});
  text_at(left + Vec2{kAnimationNumberWidth * scale, 0.0F}, {0.0F, 0.5F}, there ? kTextColor : kFaintTextColor,
          name + 3);
  if (row.hovered) tooltip(explanation(character, clip));
  if (row.clicked) toggle_animation(game, animation);
}

/// Two columns, each ordered from top to bottom.
void game_animations(Game& game, const Character& character, float width, float scale) {
  constexpr std::uint32_t kAnimationRows = kCharaAnimations / 2;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0.0F, 0.0F});
  const Vec2 size{width * 0.5F, kAnimationRowHeight * scale};
  for (std::uint32_t row = 0; row < kAnimationRows; ++row) {
    game_animation(game, character, static_cast<CharaAnimation>(row + 1), size, scale);
    ImGui::SameLine();
    game_animation(game, character, static_cast<CharaAnimation>(row + 1 + kAnimationRows), size, scale);
  }
  ImGui::PopStyleVar();
}

void game_rules(Game& game, const CharaInfo& file, float column, float width) {
  CharaRules rules = game.state.rules();
  bool changed = false;
  const auto choice = [&](const char* name, std::span<const char* const> labels, auto& value, const char* explanation) {
    row_label(name, column, explanation);
    changed |= segmented(name, labels, value, width - column);
  };
  choice("Rules", kProfiles, rules.profile, "beatoraja has one idle animation, one cycle of it, and plays 10 for bad");
  choice("Side", kGameSides, rules.side, "Which side the character plays on");
  choice("Kind", kCharaKinds, rules.legacy,
         file.legacy ? "The file is legacy: it reacts at once" : "The file is modern: it reacts after its idle cycles");
  row_label("Wait", column);
  const bool waits = !rules.legacy && rules.profile == CharaProfile::feeling_pomu;
  const int max = std::max(kLongestWait, static_cast<int>(file.wait));
  ImGui::BeginDisabled(!waits);
  changed |= slider("##wait", rules.wait, 1, max, rules.wait == 1 ? "%d idle cycle" : "%d idle cycles", width - column);
  ImGui::EndDisabled();
  tooltip(fmt::format("Idle cycles before a reaction to a note; {} in the file", file.wait));
  if (changed) set_rules(game, rules);
}

/// Chooses the transparent color of a legacy character that does not name one.
void color_key(App& app, float column, float width) {
  row_label("Key", column,
            "Transparent color of a legacy character without #AutoColorSet:\nthe corner pixel's or black");
  ImportOptions options = app.document->source.options;
  if (segmented("Key", kColorKeys, options.black_color_key, width - column)) reload(app, std::move(options));
}

}  // namespace

void game_panel(App& app, float width, float scale) {
  const Character& character = app.document->character();
  Game& game = *app.playback.game();
  const float column = kGameLabelWidth * scale;
  game_state(game, character, width, scale);
  game_gauge(game, column, width);
  pads(game, width, scale);
  ImGui::Dummy({0.0F, 2.0F * scale});
  game_animations(game, character, width, scale);
  ImGui::Dummy({0.0F, 2.0F * scale});
  const CharaInfo file = app.document->imported.chara.value_or(CharaInfo{});
  game_rules(game, file, column, width);
  if (file.legacy) color_key(app, column, width);
}

}  // namespace pchr::player
