// SPDX-License-Identifier: MIT
// A Pomyu character in its game: what it does, what may happen, its animations, the rules.
#include "panels/panels.hpp"
#include "text.hpp"
#include "widgets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace pchr::player {
namespace {

constexpr float kLabelWidth = 52.0F;
constexpr float kGap = 4.0F;
constexpr float kPadHeight = 38.0F;
constexpr float kRowHeight = 21.0F;
constexpr float kNumberWidth = 26.0F;
constexpr int kLongestWait = 8;
constexpr std::array kProfiles{"Feeling Pomu", "beatoraja"};
constexpr std::array kSides{"Player", "Rival"};
constexpr std::array kKinds{"Modern", "Legacy"};
constexpr std::array kKeys{"Corner", "Black"};

void label_of_row(const char* text, float column) {
  ImGui::AlignTextToFramePadding();
  label(text);
  ImGui::SameLine(column);
}

/// What plays, what comes next, and how far it is, in a place that never grows.
void state(const Game& game, const Character& character, float width, float scale) {
  const CharaState& state = *game.state;
  const float top = ImGui::GetCursorPosY();
  ShortText text;
  ImGui::TextUnformatted(state.animation() ? write_name(*state.animation(), text) : "Nothing");
  ImGui::PushTextWrapPos(width);
  label(describe(game, text));
  ImGui::PopTextWrapPos();
  // Two lines are room for the longest of descriptions.
  ImGui::SetCursorPosY(top + 2.0F * ImGui::GetTextLineHeightWithSpacing() + ImGui::GetTextLineHeight());
  const Vec2 corner = vec(ImGui::GetCursorScreenPos());
  const Vec2 size{width, 4.0F * scale};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(im(corner), im(corner + size), kWellColour, size.y * 0.5F);
  if (const auto clip = state.clip()) {
    const double share = state.seconds() / character.clips()[*clip].duration_seconds();
    const float reach = std::clamp(static_cast<float>(share), 0.0F, 1.0F) * size.x;
    list.AddRectFilled(im(corner), im(corner + Vec2{reach, size.y}), kAccentColour, size.y * 0.5F);
  }
  ImGui::Dummy({size.x, size.y + 4.0F * scale});
}

void gauge(Game& game, float column, float width) {
  label_of_row("Gauge", column);
  int percent = static_cast<int>(std::lround(game.state->gauge() * 100.0));
  ImGui::SetNextItemWidth(width - column);
  if (ImGui::SliderInt("##gauge", &percent, 0, 100, "%d %%", ImGuiSliderFlags_AlwaysClamp)) {
    game.state->set_gauge(percent / 100.0);
  }
  tooltip("Half and more: 02 second, above three quarters both in turn; full: fever (Page Up, Page Down)");
}

/// A button with its key: below its name, or where it is wide, beside it.
void pad(Game& game, GameEvent event, Vec2 size) {
  const GameEventText& text = text_of(event);
  const Vec2 corner = vec(ImGui::GetCursorScreenPos());
  if (ImGui::InvisibleButton(text.label, im(size))) happen(game, event);
  const bool lit = goes_on(game, event) || ImGui::IsItemActive();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 plain = ImGui::IsItemHovered() ? kControlHovered : kControlColour;
  list.AddRectFilled(im(corner), im(corner + size), lit ? kAccentColour : plain, ImGui::GetStyle().FrameRounding);
  const Vec2 name = vec(ImGui::CalcTextSize(text.label));
  const Vec2 key = vec(ImGui::CalcTextSize(text.key));
  const bool beside = size.y < 2.0F * name.y;
  const float side = ImGui::GetStyle().FramePadding.x;
  const Vec2 middle = corner + size * 0.5F;
  const Vec2 name_at = beside ? middle - name * 0.5F : Vec2{middle.x - name.x * 0.5F, middle.y - name.y};
  const Vec2 key_at = beside ? Vec2{corner.x + size.x - side - key.x, middle.y - key.y * 0.5F}
                             : Vec2{middle.x - key.x * 0.5F, middle.y};
  list.AddText(im(name_at), lit ? kAccentText : kTextColour, text.label);
  list.AddText(im(key_at), lit ? kAccentText : kDimTextColour, text.key);
  tooltip(fmt::format("{} ({})", text.explanation, text.key).c_str());
}

void row_of_pads(Game& game, GameEvent first, int count, float height, float width, float scale) {
  const float gap = kGap * scale;
  const Vec2 size{(width - gap * static_cast<float>(count - 1)) / static_cast<float>(count), height};
  for (int i = 0; i < count; ++i) {
    if (i > 0) ImGui::SameLine(0.0F, gap);
    pad(game, static_cast<GameEvent>(static_cast<int>(first) + i), size);
  }
}

void pads(Game& game, float width, float scale) {
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {kGap * scale, kGap * scale});
  row_of_pads(game, GameEvent::bad, 4, kPadHeight * scale, width, scale);
  row_of_pads(game, GameEvent::ojama, 2, ImGui::GetFrameHeight(), width, scale);
  row_of_pads(game, GameEvent::begin, 4, kPadHeight * scale, width, scale);
  ImGui::PopStyleVar();
}

void explain_animation(const Character& character, std::optional<std::uint32_t> clip) {
  if (!ImGui::IsItemHovered()) return;
  if (!clip) return tooltip("The file does not have it: another plays in its place");
  const Clip& found = character.clips()[*clip];
  tooltip(fmt::format("{} frames, {:.2f} s\nA click plays it again and again, another goes on with the game",
                      found.frame_count, found.duration_seconds())
              .c_str());
}

void animation(Game& game, const Character& character, CharaAnimation animation, Vec2 size, float scale) {
  const CharaState& state = *game.state;
  const auto clip = state.clip_of(animation);
  const Vec2 corner = vec(ImGui::GetCursorScreenPos());
  ImGui::PushID(static_cast<int>(animation));
  const bool clicked = ImGui::InvisibleButton("animation", im(size));
  ImGui::PopID();
  const bool plays = state.animation() == animation;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Vec2 inset = Vec2{0.0F, scale};
  const float rounding = 4.0F * scale;
  if (plays || (clip && ImGui::IsItemHovered())) {
    list.AddRectFilled(im(corner + inset), im(corner + size - inset), plays ? kControlActive : kControlColour,
                       rounding);
  }
  if (plays) list.AddRectFilled(im(corner + inset), im(corner + Vec2{3.0F * scale, size.y - scale}), kAccentColour);
  if (state.pending() == animation) {
    list.AddRect(im(corner + inset), im(corner + size - inset), kAccentColour, rounding, 0, std::max(1.0F, scale));
  }
  ShortText text;
  const char* name = write_name(animation, text);  // Two digits, a space, and the name.
  const float top = corner.y + (size.y - ImGui::GetTextLineHeight()) * 0.5F;
  const float left = corner.x + 8.0F * scale;
  list.AddText({left, top}, clip ? kDimTextColour : kFaintTextColour, name, name + 2);
  list.AddText({left + kNumberWidth * scale, top}, clip ? kTextColour : kFaintTextColour, name + 3);
  explain_animation(character, clip);
  if (clicked) toggle_animation(game, animation);
}

/// In two columns, each read down.
void animations(Game& game, const Character& character, float width, float scale) {
  constexpr std::uint32_t kRows = kCharaAnimations / 2;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0.0F, 0.0F});
  const Vec2 size{width * 0.5F, kRowHeight * scale};
  for (std::uint32_t row = 0; row < kRows; ++row) {
    animation(game, character, static_cast<CharaAnimation>(row + 1), size, scale);
    ImGui::SameLine();
    animation(game, character, static_cast<CharaAnimation>(row + 1 + kRows), size, scale);
  }
  ImGui::PopStyleVar();
}

void rules(Game& game, const Character& character, float column, float width) {
  CharaRules rules = game.state->rules();
  bool changed = false;
  const auto choice = [&]<typename Value>(const char* name, std::span<const char* const> labels, Value& value,
                                          const char* explanation) {
    label_of_row(name, column);
    tooltip(explanation);
    int current = static_cast<int>(value);
    if (!segmented(name, labels, current, width - column)) return;
    value = static_cast<Value>(current);
    changed = true;
  };
  const CharaInfo file = character.data().chara.value_or(CharaInfo{});
  choice("Rules", kProfiles, rules.profile, "beatoraja has one idle animation and one cycle of it, and 10 for bad");
  choice("Side", kSides, rules.side, "Whose character it is (N)");
  choice("Kind", kKinds, rules.legacy,
         file.legacy ? "The file is of the legacy kind, which reacts at once"
                     : "The file is of the modern kind, which reacts after its idle cycles");
  label_of_row("Wait", column);
  const bool waits = !rules.legacy && rules.profile == CharaProfile::feeling_pomu;
  int wait = static_cast<int>(rules.wait);
  ImGui::BeginDisabled(!waits);
  ImGui::SetNextItemWidth(width - column);
  const int most = std::max(kLongestWait, static_cast<int>(file.wait));
  if (ImGui::SliderInt("##wait", &wait, 1, most, wait == 1 ? "%d idle cycle" : "%d idle cycles",
                       ImGuiSliderFlags_AlwaysClamp)) {
    rules.wait = static_cast<std::uint32_t>(wait);
    changed = true;
  }
  ImGui::EndDisabled();
  tooltip(fmt::format("Before a note is answered; the file says {}", file.wait).c_str());
  if (changed) set_rules(game, rules);
}

/// Chooses the transparent color of a legacy character whose file names none.
void color_key(Session& session, float column, float width) {
  label_of_row("Key", column);
  tooltip("The transparent color of a legacy character without #AutoColorSet:\nits corner pixel's or black");
  LoadOptions options = session.document->source.options;
  int current = options.black_color_key ? 1 : 0;
  if (!segmented("Key", kKeys, current, width - column)) return;
  options.black_color_key = current == 1;
  open_again(session, std::move(options));
}

}  // namespace

void game_panel(Session& session, const Layout& layout) {
  const float scale = layout.scale;
  const Character& character = session.document->character();
  Game& game = session.game;
  ImGui::SetCursorPos({kPadding * scale, kHeadingHeight * scale});
  const Vec2 size = layout.clips.size() - Vec2{kPadding, kHeadingHeight + kPadding} * scale;
  ImGui::BeginChild("game", im(size));
  // The scroll bar has the padding's place.
  const float width = size.x - kPadding * scale;
  const float column = kLabelWidth * scale;
  const auto gap = [&] { ImGui::Dummy({0.0F, 2.0F * scale}); };
  state(game, character, width, scale);
  gauge(game, column, width);
  pads(game, width, scale);
  gap();
  animations(game, character, width, scale);
  gap();
  rules(game, character, column, width);
  if (character.data().chara && character.data().chara->legacy) color_key(session, column, width);
  ImGui::EndChild();
}

}  // namespace pchr::player
