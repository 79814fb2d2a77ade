// SPDX-License-Identifier: MIT
// The left column below the cast: clips, mix, game and rig.
#include "ui/app.hpp"
#include "ui/commands.hpp"
#include "ui/panels.hpp"

#include <cmath>

namespace pchr::player {
namespace {

constexpr float kMixLabelWidth = 58.0F;
constexpr float kLongestFade = 2.0F;
constexpr double kEventSeconds = 6.0;
constexpr std::array kLayerModes{"Override", "Additive"};

const char* name_of(const Clip& clip) { return clip.name.empty() ? "(unnamed)" : clip.name.c_str(); }

/// A choice among the clips with frames. Returns whether `clip` changed.
bool clip_choice(const char* id, Table<ClipId, Clip> clips, ClipId& clip, float width) {
  const auto chosen = combo(id, name_of(clips[clip]), width, clips.size(), index(clip),
                            [&](std::size_t i) { return clips[i].frame_count > 0 ? name_of(clips[i]) : nullptr; });
  if (chosen) clip = ClipId(*chosen);
  return chosen.has_value();
}

/// A choice of the bones that a layer moves: all, those of a mask, or a subtree.
bool bones_choice(Table<BoneId, Bone> bones, std::span<const NamedMask> masks, MixLayer& layer, float width) {
  const std::size_t first_bone = 1 + masks.size();
  std::size_t current = layer.bone ? first_bone + index(*layer.bone) : 0;
  if (layer.mask) current = 1 + static_cast<std::size_t>(std::ranges::find(masks, *layer.mask) - masks.begin());
  std::string mask;
  const auto label_of = [&](std::size_t i) {
    if (i == 0) return "All bones";
    if (i >= first_bone) return bones[i - first_bone].name.c_str();
    mask = masks[i - 1].name + " (mask)";
    return mask.c_str();
  };
  const std::string shown = label_of(current);
  const auto chosen = combo("##bones", shown.c_str(), width, first_bone + bones.size(), current, label_of);
  if (!chosen) return false;
  layer.bone.reset();
  layer.mask.reset();
  if (*chosen >= first_bone) {
    layer.bone = BoneId(*chosen - first_bone);
  } else if (*chosen > 0) {
    layer.mask = masks[*chosen - 1];
  }
  return true;
}

void crossfade(Mix& mix, Table<ClipId, Clip> clips, float column, float width, float scale) {
  row_label("From", column);
  bool changed = clip_choice("##from", clips, mix.from, width - column);
  row_label("To", column);
  changed |= clip_choice("##to", clips, mix.to, width - column);
  row_label("Fade", column);
  auto seconds = static_cast<float>(mix.fade_seconds);
  ImGui::SetNextItemWidth(width - column);
  if (ImGui::SliderFloat("##seconds", &seconds, 0.0F, kLongestFade, "%.2f s")) {
    mix.fade_seconds = std::clamp(seconds, 0.0F, 60.0F);
  }
  changed |= ImGui::IsItemDeactivatedAfterEdit();
  tooltip("Crossfade time (Ctrl+click to type)");
  const Play* play = playing_clip(mix);
  thin_bar(play == nullptr || mix.until_fade ? 0.0F : play->weight(), width, scale);
  const bool pressed = ImGui::Button("Replay", {width, 0.0F});
  command_tooltip("mix-replay");
  if (changed || pressed) replay(mix);
}

/// Returns whether to remove the layer.
bool mix_layer(Mix& mix, std::size_t index, const Character& character, std::span<const NamedMask> masks, float width,
               float scale) {
  MixLayer& edited = mix.layers[index];
  const float height = ImGui::GetFrameHeight();
  const float gap = 4.0F * scale;
  ClipId clip = edited.clip;
  if (clip_choice("##clip", character.clips(), clip, width - height - gap)) set_layer_clip(mix, index, clip);
  ImGui::SameLine(0.0F, gap);
  const bool remove = icon_button("remove", Icon::close, Vec2{height}, "Remove this layer");
  bool changed = bones_choice(character.bones(), masks, edited, width);
  tooltip("Bones that the layer moves: a mask of the rig, or one bone and its subtree");
  const float half = (width - gap) * 0.5F;
  changed |= segmented("mode", kLayerModes, edited.mode, half);
  ImGui::SameLine(0.0F, gap);
  ImGui::SetNextItemWidth(half);
  changed |= ImGui::SliderFloat("##weight", &edited.weight, 0.0F, 1.0F, "%.2f", ImGuiSliderFlags_AlwaysClamp);
  tooltip("Layer weight");
  if (changed) update_layer(mix, index);
  return remove;
}

void mix_layers(Mix& mix, const Document& document, float width, float scale) {
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted("Layers");
  const float button = ImGui::GetFrameHeight();
  ImGui::SameLine(width - button);
  ImGui::BeginDisabled(mix.layers.size() >= Mix::kMaxLayers);
  if (icon_button("add", Icon::plus, Vec2{button}, {})) add_layer(mix, mix.to);
  command_tooltip("layer-add");
  ImGui::EndDisabled();
  if (mix.layers.empty()) note("A layer plays a clip over the crossfade, on all bones, a mask or a subtree.");
  for (std::size_t i = 0; i < mix.layers.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    const bool remove = mix_layer(mix, i, document.character(), document.masks, width, scale);
    ImGui::Dummy({0.0F, 4.0F * scale});
    ImGui::PopID();
    if (remove) return remove_layer(mix, i);
  }
}

void mix_events(const Mix& mix) {
  ImGui::TextUnformatted("Events");
  for (std::size_t i = 0; i < mix.event_count; ++i) {
    const double left = 1.0 - mix.events[i].age_seconds / kEventSeconds;
    if (left <= 0) break;
    colored(with_alpha(kTextColor, static_cast<float>(left)), mix.events[i].text.data());
  }
}

}  // namespace

void mix_panel(App& app, float width, float scale) {
  Mix& mix = *app.playback.mix();
  const Document& document = *app.document();
  crossfade(mix, document.character().clips(), kMixLabelWidth * scale, width, scale);
  ImGui::Dummy({0.0F, 6.0F * scale});
  mix_layers(mix, document, width, scale);
  ImGui::Dummy({0.0F, 6.0F * scale});
  mix_events(mix);
}

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
  ImportOptions options = app.document()->source.options;
  if (segmented("Key", kColorKeys, options.black_color_key, width - column)) reload(app, std::move(options));
}

}  // namespace

void game_panel(App& app, float width, float scale) {
  const Character& character = app.document()->character();
  Game& game = *app.playback.game();
  const float column = kGameLabelWidth * scale;
  game_state(game, character, width, scale);
  game_gauge(game, column, width);
  pads(game, width, scale);
  ImGui::Dummy({0.0F, 2.0F * scale});
  game_animations(game, character, width, scale);
  ImGui::Dummy({0.0F, 2.0F * scale});
  const CharaInfo file = app.document()->imported.chara.value_or(CharaInfo{});
  game_rules(game, file, column, width);
  if (file.legacy) color_key(app, column, width);
}

namespace {

constexpr std::array kKindNames{"Spring chain", "Aim", "Limb", "Foot"};
constexpr std::array kBends{"Auto", "Left", "Right"};
constexpr float kListIndent = 96.0F;

void toolbar(App& app, Rows& rows) {
  rows.begin();
  if (checkbox("Play", app.view.rig_plays)) run_command(app, "rig-play");
  command_tooltip("rig-play");
  const float gap = 4.0F * rows.scale;
  ImGui::SameLine(kRigLabelWidth * rows.scale);
  text_button(app, "Undo", "rig-undo");
  ImGui::SameLine(0.0F, gap);
  text_button(app, "Redo", "rig-redo");
  ImGui::SameLine(0.0F, gap);
  text_button(app, "Save", "rig-save");
}

void add_constraint(App& app, Rows& rows) {
  Document& document = *app.document();
  const BoneId bone = document.selection.bone.value_or(BoneId::none);
  const float left = rows.begin("Add", "Constraints act on the bone selected in the Parts tab or on the canvas");
  const auto chosen = combo("##add", "Choose", left, kKindNames.size(), std::nullopt, [&](std::size_t i) {
    return can_add(document.rig.rig, static_cast<ConstraintKind>(i), document.character(), bone) ? kKindNames[i]
                                                                                                 : nullptr;
  });
  tooltip("Add a spring chain, aim, limb or foot at the selected bone (Shift+1 \u2013 4)");
  if (chosen) add(document.rig, static_cast<ConstraintKind>(*chosen), document.character(), bone);
}

void list(RigEditor& editor, Rows& rows) {
  for (const ConstraintRef constraint : constraints_of(editor.rig)) {
    rows.begin();
    ImGui::PushID(static_cast<int>(rows.top));
    const bool selected = editor.selected == constraint;
    ImGui::AlignTextToFramePadding();
    if (ImGui::Selectable("##row", selected, 0, {rows.width, ImGui::GetTextLineHeight()})) editor.selected = constraint;
    ImGui::SameLine(6.0F * rows.scale);
    label(kKindNames[static_cast<std::size_t>(constraint.kind)]);
    ImGui::SameLine(kListIndent * rows.scale);
    cut_text(kTextColor, name_of(editor.rig, constraint), rows.width - kListIndent * rows.scale);
    ImGui::PopID();
  }
}

void edit(SpringChain& chain, const Character& character, Rows& rows) {
  BoneId base = chain.bones.empty() ? BoneId::none : chain.bones.front();
  if (rows.bone("Base", character.bones(), base, nullptr, "First bone of the chain; its first children follow")) {
    chain.bones = chain_from(character, base);
  }
  const std::vector<BoneId> longest = chain_from(character, base);
  const auto most = static_cast<int>(std::max(longest.size(), chain.bones.size()));
  int length = static_cast<int>(chain.bones.size());
  if (slider("##length", length, 1, std::max(most, 1), "%d", rows.begin("Bones", "Number of bones in the chain"))) {
    const auto wanted = static_cast<std::size_t>(length);
    chain.bones = wanted <= chain.bones.size() ? chain.bones : longest;
    chain.bones.resize(std::min(wanted, chain.bones.size()));
  }
  rows.slider("Frequency", chain.frequency, 0.1F, 20.0F, "%.2f Hz", "Swings per second: higher is stiffer");
  rows.slider("Damping", chain.damping, 0.0F, 2.0F, "%.2f", "0 swings forever, 1 does not swing over");
  rows.slider("Drag", chain.drag, 0.0F, 20.0F, "%.2f /s", "How much the air holds the bones back and wind moves them");
  rows.slider("Gravity x", chain.gravity.x, -4000.0F, 4000.0F, "%.0f px/s\u00b2", "Constant pull to the right");
  rows.slider("Gravity y", chain.gravity.y, -4000.0F, 4000.0F, "%.0f px/s\u00b2", "Constant pull up; down is negative");
  rows.slider("Limit", chain.limit_degrees, 0.0F, 180.0F, "%.0f\u00b0", "Maximum angle from the animation; 180 is off");
  rows.slider("Weight", chain.weight, 0.0F, 1.0F, "%.2f", "0 shows the animation alone");
}

void edit(Aim& aim, const Character& character, Rows& rows) {
  rows.bone("Bone", character.bones(), aim.bone, nullptr, "Bone that turns");
  rows.bone("Target", character.bones(), aim.target_bone, "Given by the game", "Bone to point at");
  rows.slider("Axis", aim.axis_degrees, -180.0F, 180.0F, "%.0f\u00b0",
              "Direction that points at the target, counter-clockwise from the bone");
  rows.slider("Minimum", aim.min_degrees, -180.0F, 180.0F, "%.0f\u00b0", "Limit, relative to the animation");
  rows.slider("Maximum", aim.max_degrees, -180.0F, 180.0F, "%.0f\u00b0", "Limit, relative to the animation");
  rows.slider("Softness", aim.softness_degrees, 0.0F, 90.0F, "%.0f\u00b0",
              "Range before a limit in which it slows down");
  rows.slider("Weight", aim.weight, 0.0F, 1.0F, "%.2f", "0 shows the animation alone");
}

void edit(TwoBoneIk& limb, const Character& character, Rows& rows) {
  rows.bone("Upper", character.bones(), limb.upper, nullptr, "First bone of the limb");
  rows.bone("Lower", character.bones(), limb.lower, nullptr, "Second bone of the limb, a child of the first");
  rows.bone("End", character.bones(), limb.end, "Tip of the lower bone", "Bone that reaches the target");
  rows.bone("Target", character.bones(), limb.target_bone, "Given by the game", "Bone to reach for");
  segmented("bend", kBends, limb.bend, rows.begin("Bend", "Side to which the limb bends; Auto keeps the animation's"));
  rows.slider("Softness", limb.softness_pixels, 0.0F, 100.0F, "%.0f px",
              "Range before it is straight, in which it slows");
  rows.slider("Stretch", limb.max_stretch, 1.0F, 3.0F, "%.2f x", "Most that it grows to reach the target; 1 is off");
  rows.slider("Weight", limb.weight, 0.0F, 1.0F, "%.2f", "0 shows the animation alone");
}

void edit(FootPlant& foot, Rig& rig, Rows& rows) {
  const float left = rows.begin("Limb", "The limb that holds the foot in place");
  const auto name = [&](std::size_t i) { return rig.ik[i].name.c_str(); };
  const auto chosen = combo("##limb", foot.ik < rig.ik.size() ? name(foot.ik) : "", left, rig.ik.size(), foot.ik, name);
  if (chosen) foot.ik = static_cast<std::uint32_t>(*chosen);
  rows.text("Plant", foot.plant, "Marker at which the foot stands");
  rows.text("Lift", foot.lift, "Marker at which the foot leaves the ground");
  rows.slider("Fade in", foot.fade_in_seconds, 0.0F, 1.0F, "%.2f s", "Time until the foot stands still");
  rows.slider("Fade out", foot.fade_out_seconds, 0.0F, 1.0F, "%.2f s", "Time until the animation moves it again");
}

void edit_selected(App& app, Rows& rows) {
  RigEditor& editor = app.document()->rig;
  Rig& rig = editor.rig;
  const auto [kind, index] = *editor.selected;
  const Character& character = app.document()->character();
  ImGui::PushID(static_cast<int>(kind) * 1'000'000 + static_cast<int>(index));
  rows.text("Name", name_of(rig, *editor.selected), "Name in the file and for the game");
  if (kind == ConstraintKind::spring) edit(rig.springs[index], character, rows);
  if (kind == ConstraintKind::aim) edit(rig.aims[index], character, rows);
  if (kind == ConstraintKind::limb) edit(rig.ik[index], character, rows);
  if (kind == ConstraintKind::foot) edit(rig.feet[index], rig, rows);
  rows.begin();
  text_button(app, "Remove", "rig-remove");
  ImGui::PopID();
}

/// What acts on all springs, and how to try them out.
void surroundings(App& app, Rows& rows) {
  Rig& rig = app.document()->rig.rig;
  rows.title("Surroundings");
  rows.slider("Wind x", rig.wind.x, -2000.0F, 2000.0F, "%.0f px/s", "Wind to the right. Moves springs that have drag");
  rows.slider("Wind y", rig.wind.y, -2000.0F, 2000.0F, "%.0f px/s", "Wind upward. Moves springs that have drag");
  rows.slider("Gusts", rig.gusts, 0.0F, 1.0F, "%.2f", "How much the wind varies");
  rows.title("Try out");
  rows.slider("Travel", app.find(Role::open)->motion.travel, -1000.0F, 1000.0F, "%.0f px/s",
              "Plays as if the character moved through its world. Not saved");
  rows.begin();
  if (checkbox("Look at the mouse", app.view.rig_follows_mouse)) {
    app.view.rig_follows_mouse = !app.view.rig_follows_mouse;
  }
  tooltip("Aims and limbs without a target bone reach for the mouse on the canvas");
}

}  // namespace

void rig_panel(App& app, float width, float scale) {
  RigEditor& editor = app.document()->rig;
  Rows rows{width, scale};
  toolbar(app, rows);
  add_constraint(app, rows);
  if (editor.selected && !exists(editor.rig, *editor.selected)) editor.selected.reset();
  list(editor, rows);
  if (editor.selected) edit_selected(app, rows);
  surroundings(app, rows);
  rows.begin();
  if (!editor.file_error.empty()) {
    wrapped(kErrorColor, editor.file_error);
  } else if (const auto error = find_rig_error(editor.rig, app.document()->character())) {
    wrapped(kErrorColor, error->path + " " + error->detail);
  } else if (const auto shared = find_shared_bone(editor.rig)) {
    wrapped(kWarningColor, describe(*shared, editor.rig, app.document()->character()));
  } else if (editor.rig.empty()) {
    note("Springs let hair, ears and tails swing. Select their first bone and add a chain.");
  }
}

namespace {

constexpr float kTabGap = 12.0F;

// Design units.
constexpr float kLoopColumn = 22.0F;     ///< From the icon's center to the panel's edge.
constexpr float kSecondsColumn = 36.0F;  ///< From the column's right edge to the panel's.
constexpr float kColumnGap = 10.0F;
constexpr float kClipNumberWidth = 26.0F;
constexpr float kMinNameWidth = 70.0F;

void text_ending_at(Vec2 right_middle, ImU32 color, std::string_view text) {
  text_at(right_middle, {1.0F, 0.5F}, color, text);
}

/// Distances of the columns' right edges from the panel's, in window units. Columns that do not fit are dropped.
struct ClipColumns {
  float name = 0.0F;
  std::optional<float> frames{}, seconds{};
};

std::string seconds_text(const Clip& clip) {
  return clip.frame_count > 0 ? fmt::format("{:.2f}", clip.duration_seconds()) : "\u2013";
}

/// Makes room for the longest numbers.
ClipColumns columns_for(Table<ClipId, Clip> clips, float width, float scale) {
  const auto digits = [](const auto& number) { return text_size(number).x; };
  std::uint32_t frames = 0;
  double seconds = 0.0;
  for (const Clip& clip : clips) {
    frames = std::max(frames, clip.frame_count);
    if (clip.frame_count > 0) seconds = std::max(seconds, clip.duration_seconds());
  }
  const float gap = kColumnGap * scale;
  const float seconds_width = std::max(digits(fmt::format("{:.2f}", seconds)), text_size("s").x) + gap;
  const float frames_width = std::max(digits(fmt::format("{}", frames)), text_size("frames").x) + gap;
  ClipColumns columns{.name = kSecondsColumn * scale};
  const auto add = [&](float wide) -> std::optional<float> {
    const float left = (kPadding + kClipNumberWidth + kMinNameWidth) * scale;
    if (width - left < columns.name + wide) return std::nullopt;
    return std::exchange(columns.name, columns.name + wide);
  };
  columns.seconds = add(seconds_width);
  columns.frames = add(frames_width);
  return columns;
}

void draw_clip_row(const Clip& clip, std::size_t index, const Rect& row, const ClipColumns& columns, bool current,
                   bool hovered, float scale) {
  const bool playable = clip.frame_count > 0;
  const Vec2 inset = Vec2{6.0F, 1.0F} * scale;
  mark_row({row.min + inset, row.max - inset}, current, hovered && playable, scale);
  const float middle = row.center().y;
  const Rect name{{row.min.x + (kPadding + kClipNumberWidth) * scale, row.min.y},
                  {row.max.x - columns.name, row.max.y}};
  const ImU32 strong = playable ? kTextColor : kFaintTextColor;
  const ImU32 weak = playable ? kDimTextColor : kFaintTextColor;

  text_ending_at({name.min.x - 8.0F * scale, middle}, current ? kDimTextColor : kFaintTextColor,
                 fmt::format("{}", index + 1));
  text_in(name, strong, clip.name.empty() ? "(unnamed)" : clip.name);
  if (columns.frames) {
    text_ending_at({row.max.x - *columns.frames, middle}, weak, fmt::format("{}", clip.frame_count));
  }
  if (columns.seconds) text_ending_at({row.max.x - *columns.seconds, middle}, weak, seconds_text(clip));
  if (!clip.looping) return;
  draw_icon(Icon::loop, {row.max.x - kLoopColumn * scale, middle}, 15.0F * scale, current ? kAccentColor : weak);
}

/// Names the columns, as far as the tabs leave room, which end at `tabs`.
void clips_header(App& app, Table<ClipId, Clip> clips, const ClipColumns& columns, const Rect& panel, float tabs,
                  float scale) {
  const float middle = panel.min.y + kHeadingHeight * 0.5F * scale;
  const auto title = [&](std::optional<float> column, const char* text) {
    if (!column || panel.max.x - *column - text_size(text).x < tabs + kColumnGap * scale) return;
    text_ending_at({panel.max.x - *column, middle}, kFaintTextColor, text);
  };
  title(columns.frames, "frames");
  title(columns.seconds, "s");
  ImGui::SetCursorPos({kPadding * scale, kHeadingHeight * scale});
  const float width = panel.size().x - 2.0F * kPadding * scale;
  if (!filter_field("##filter", "Find a clip (/)", app.clip_filter, width)) return;
  const auto found = std::ranges::find_if(
      clips, [&](const Clip& clip) { return clip.frame_count > 0 && passes(app.clip_filter, clip.name); });
  if (found != clips.end()) select_clip(app.playback, app.document()->character(), ClipId(found - clips.begin()));
}

void clip_tooltip(const Clip& clip, float scale) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2{8.0F * scale, 6.0F * scale});
  tooltip(clip.frame_count > 0 ? fmt::format("{}\n{} frames at {} per second{}", clip.name, clip.frame_count,
                                             clip.frames_per_second, clip.looping ? ", loops" : "")
                               : fmt::format("{}\nNo frames", clip.name));
  ImGui::PopStyleVar();
}

void clips_panel(App& app, const Layout& layout, float tabs) {
  const float scale = layout.scale;
  const auto clips = app.document() ? app.document()->character().clips() : Table<ClipId, Clip>{};
  const ClipColumns columns = columns_for(clips, layout.clips.size().x, scale);
  if (!clips.empty()) clips_header(app, clips, columns, layout.clips, tabs, scale);
  ImGui::SetCursorPos({0.0F, (kHeadingHeight + kFilterHeight) * scale});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0.0F, 0.0F});
  ImGui::BeginChild("list");
  for (std::size_t i = 0; i < clips.size(); ++i) {
    const Clip& clip = clips[i];
    if (!passes(app.clip_filter, clip.name)) continue;
    const bool current = app.playback.clip == ClipId(i);
    const Spot row = spot("clip", {layout.clips.size().x, kClipRowHeight * scale}, i);
    draw_clip_row(clip, i, row.area, columns, current, row.hovered, scale);
    if (row.hovered) clip_tooltip(clip, scale);
    if (row.clicked) select_clip(app.playback, app.document()->character(), ClipId(i));
    if (ImGui::IsItemClicked(ImGuiMouseButton_Right)) open_menu(app, {.on = MenuOn::clip, .clip = ClipId(i)});
    if (current && app.playback.reveal_clip && !ImGui::IsItemVisible()) ImGui::SetScrollHereY(0.5F);
  }
  app.playback.reveal_clip = false;
  if (app.document() && clips.empty()) {
    ImGui::SetCursorPosX(kPadding * scale);
    note("This character has no clips.\n");
  }
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

}  // namespace

void left_panel(App& app, const Layout& layout) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0.0F, 0.0F});
  const bool open = begin_panel("clips", layout.clips, layout.is_over(Dock::left));
  ImGui::PopStyleVar();
  if (!open) return;
  const float scale = layout.scale;
  ImGui::SetCursorPos({kPadding * scale, 0.0F});
  const bool rigging = is_rigging(app);
  const auto mode_tab = [&](const char* title, const char* id, PlaybackMode mode) {
    if (tab(title, !rigging && app.playback.mode() == mode, scale)) {
      app.view.rig = false;
      set_mode(app, mode);
    }
    if (id != nullptr) command_tooltip(id);
    ImGui::SameLine(0.0F, kTabGap * scale);
  };
  mode_tab("Clips", nullptr, PlaybackMode::clip);
  if (app.document() && app.playback.clip) mode_tab("Mix", "mix", PlaybackMode::mix);
  if (app.shows_chara()) mode_tab("Game", "game", PlaybackMode::game);
  if (app.document() && app.playback.clip) {
    const bool unsaved = has_unsaved_states(app.document()->rig);
    mode_tab(unsaved ? "States*" : "States", "states", PlaybackMode::states);
  }
  if (can_rig(app)) {
    if (tab(has_unsaved_rig(app.document()->rig) ? "Rig*" : "Rig", rigging, scale)) app.view.rig = true;
    command_tooltip("rig");
  }
  const float tabs = ImGui::GetItemRectMax().x;
  if (!rigging && app.playback.mode() == PlaybackMode::clip) {
    clips_panel(app, layout, tabs);
  } else {
    const PlaybackMode mode = app.playback.mode();
    ImGui::SetCursorPos({kPadding * scale, kHeadingHeight * scale});
    const Vec2 size = layout.clips.size() - Vec2{kPadding, kHeadingHeight + kPadding} * scale;
    ImGui::BeginChild(rigging                      ? "rig"
                      : mode == PlaybackMode::mix  ? "mix"
                      : mode == PlaybackMode::game ? "game"
                                                   : "states",
                      size);
    const float width = size.x - kPadding * scale;  // The scroll bar uses the padding.
    if (rigging) {
      rig_panel(app, width, scale);
    } else if (mode == PlaybackMode::mix) {
      mix_panel(app, width, scale);
    } else if (mode == PlaybackMode::game) {
      game_panel(app, width, scale);
    } else {
      states_panel(app, width, scale);
    }
    ImGui::EndChild();
  }
  ImGui::End();
}

}  // namespace pchr::player
