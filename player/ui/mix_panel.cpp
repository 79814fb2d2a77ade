// SPDX-License-Identifier: MIT
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

/// A choice of a bone with its subtree, or of all bones.
bool bone_choice(Table<BoneId, Bone> bones, std::optional<BoneId>& bone, float width) {
  constexpr const char* kAll = "All bones";
  const auto chosen =
      combo("##bone", bone ? bones[*bone].name.c_str() : kAll, width, bones.size() + 1, bone ? index(*bone) + 1 : 0,
            [&](std::size_t i) { return i == 0 ? kAll : bones[i - 1].name.c_str(); });
  if (chosen) bone = *chosen == 0 ? std::nullopt : std::optional(BoneId(*chosen - 1));
  return chosen.has_value();
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
bool mix_layer(Mix& mix, std::size_t index, const Character& character, float width, float scale) {
  MixLayer& edited = mix.layers[index];
  const float height = ImGui::GetFrameHeight();
  const float gap = 4.0F * scale;
  ClipId clip = edited.clip;
  if (clip_choice("##clip", character.clips(), clip, width - height - gap)) set_layer_clip(mix, index, clip);
  ImGui::SameLine(0.0F, gap);
  const bool remove = icon_button("remove", Icon::close, Vec2{height}, "Remove this layer");
  bool changed = bone_choice(character.bones(), edited.bone, width);
  tooltip("Bones that the layer moves: one and its subtree");
  const float half = (width - gap) * 0.5F;
  changed |= segmented("mode", kLayerModes, edited.mode, half);
  ImGui::SameLine(0.0F, gap);
  ImGui::SetNextItemWidth(half);
  changed |= ImGui::SliderFloat("##weight", &edited.weight, 0.0F, 1.0F, "%.2f", ImGuiSliderFlags_AlwaysClamp);
  tooltip("Layer weight");
  if (changed) update_layer(mix, index);
  return remove;
}

void mix_layers(Mix& mix, const Character& character, float width, float scale) {
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted("Layers");
  const float button = ImGui::GetFrameHeight();
  ImGui::SameLine(width - button);
  ImGui::BeginDisabled(mix.layers.size() >= Mix::kMaxLayers);
  if (icon_button("add", Icon::plus, Vec2{button}, {})) add_layer(mix, mix.to);
  command_tooltip("layer-add");
  ImGui::EndDisabled();
  if (mix.layers.empty()) note("A layer plays a clip over the crossfade, on all bones or on a subtree.");
  for (std::size_t i = 0; i < mix.layers.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    const bool remove = mix_layer(mix, i, character, width, scale);
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
  const Character& character = app.document->character();
  crossfade(mix, character.clips(), kMixLabelWidth * scale, width, scale);
  ImGui::Dummy({0.0F, 6.0F * scale});
  mix_layers(mix, character, width, scale);
  ImGui::Dummy({0.0F, 6.0F * scale});
  mix_events(mix);
}

}  // namespace pchr::player
