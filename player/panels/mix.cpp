// SPDX-License-Identifier: MIT
// Crossfade and layers over the animator.
#include "panels/panels.hpp"
#include "text.hpp"
#include "widgets.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace pchr::player {
namespace {

constexpr float kLabelWidth = 58.0F;
constexpr float kLongestFade = 2.0F;
constexpr double kEventSeconds = 6.0;
constexpr std::array kModes{"Override", "Add"};

const char* name_of(const Clip& clip) { return clip.name.empty() ? "(no name)" : clip.name.c_str(); }

/// A choice of clips with frames. Returns whether `clip` changed.
bool clip_choice(const char* id, std::span<const Clip> clips, std::uint32_t& clip, float width) {
  ImGui::SetNextItemWidth(width);
  if (!ImGui::BeginCombo(id, name_of(clips[clip]))) return false;
  bool changed = false;
  for (std::uint32_t i = 0; i < clips.size(); ++i) {
    if (clips[i].frame_count == 0) continue;
    ImGui::PushID(static_cast<int>(i));
    if (ImGui::Selectable(name_of(clips[i]), i == clip) && i != clip) {
      clip = i;
      changed = true;
    }
    ImGui::PopID();
  }
  ImGui::EndCombo();
  return changed;
}

/// A choice of one bone and what hangs from it, or all.
bool bone_choice(std::span<const Bone> bones, std::optional<std::uint32_t>& bone, float width) {
  ImGui::SetNextItemWidth(width);
  if (!ImGui::BeginCombo("##bone", bone ? bones[*bone].name.c_str() : "All bones")) return false;
  const std::optional<std::uint32_t> before = bone;
  if (ImGui::Selectable("All bones", !bone)) bone.reset();
  for (std::uint32_t i = 0; i < bones.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    if (ImGui::Selectable(bones[i].name.c_str(), bone == i)) bone = i;
    ImGui::PopID();
  }
  ImGui::EndCombo();
  return bone != before;
}

void row(const char* text, float column) {
  ImGui::AlignTextToFramePadding();
  label(text);
  ImGui::SameLine(column);
}

/// How far the fade has come, as a thin bar.
void fade_bar(const Mix& mix, float width, float scale) {
  const Play* play = playing_clip(mix);
  const float weight = play == nullptr || mix.until_fade ? 0.0F : play->weight();
  const Vec2 corner = vec(ImGui::GetCursorScreenPos());
  const Vec2 size{width, 4.0F * scale};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(im(corner), im(corner + size), kWellColour, size.y * 0.5F);
  if (weight > 0.0F) {
    list.AddRectFilled(im(corner), im(corner + Vec2{size.x * weight, size.y}), kAccentColour, size.y * 0.5F);
  }
  ImGui::Dummy(im(size));
}

void crossfade(Mix& mix, std::span<const Clip> clips, float column, float width, float scale) {
  row("From", column);
  bool changed = clip_choice("##from", clips, mix.from, width - column);
  row("To", column);
  changed |= clip_choice("##to", clips, mix.to, width - column);
  row("Seconds", column);
  auto seconds = static_cast<float>(mix.fade_seconds);
  ImGui::SetNextItemWidth(width - column);
  if (ImGui::SliderFloat("##seconds", &seconds, 0.0F, kLongestFade, "%.2f")) {
    mix.fade_seconds = std::clamp(seconds, 0.0F, 60.0F);
  }
  changed |= ImGui::IsItemDeactivatedAfterEdit();
  tooltip("Ctrl+click to type");
  fade_bar(mix, width, scale);
  const bool pressed = ImGui::Button("Replay", {width, 0.0F});
  tooltip("Shows the one clip, then fades to the other (Enter)");
  if (changed || pressed) replay(mix);
}

/// Returns whether the layer shall go.
bool layer(Mix& mix, std::size_t index, const Character& character, float width, float scale) {
  MixLayer& edited = mix.layers[index];
  const float height = ImGui::GetFrameHeight();
  const float gap = 4.0F * scale;
  std::uint32_t clip = edited.clip;
  if (clip_choice("##clip", character.clips(), clip, width - height - gap)) set_layer_clip(mix, index, clip);
  ImGui::SameLine(0.0F, gap);
  const bool remove = icon_button("remove", Icon::close, Vec2{height}, "Remove this layer");
  bool changed = bone_choice(character.bones(), edited.bone, width);
  tooltip("The bones that take part: one and all that hang from it");
  const float half = (width - gap) * 0.5F;
  int mode = static_cast<int>(edited.mode);
  if (segmented("mode", kModes, mode, half)) {
    edited.mode = static_cast<LayerMode>(mode);
    changed = true;
  }
  ImGui::SameLine(0.0F, gap);
  ImGui::SetNextItemWidth(half);
  changed |= ImGui::SliderFloat("##weight", &edited.weight, 0.0F, 1.0F, "%.2f", ImGuiSliderFlags_AlwaysClamp);
  tooltip("Weight");
  if (changed) update_layer(mix, index);
  return remove;
}

void layers(Mix& mix, const Character& character, float width, float scale) {
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted("Layers");
  const float button = ImGui::GetFrameHeight();
  ImGui::SameLine(width - button);
  ImGui::BeginDisabled(mix.layers.size() >= Mix::kMostLayers);
  if (icon_button("add", Icon::plus, Vec2{button}, "Add a layer (N)")) add_layer(mix, mix.to);
  ImGui::EndDisabled();
  if (mix.layers.empty()) note("Play a clip over the crossfade, on all bones or on a branch of them.");
  for (std::size_t i = 0; i < mix.layers.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    const bool remove = layer(mix, i, character, width, scale);
    ImGui::Dummy({0.0F, 4.0F * scale});
    ImGui::PopID();
    if (!remove) continue;
    remove_layer(mix, i);
    break;
  }
}

void events(const Mix& mix) {
  ImGui::TextUnformatted("Events");
  for (std::size_t i = 0; i < mix.event_count; ++i) {
    const double left = 1.0 - mix.events[i].age_seconds / kEventSeconds;
    if (left <= 0) break;
    ImGui::PushStyleColor(ImGuiCol_Text, with_alpha(kTextColour, static_cast<float>(left)));
    ImGui::TextUnformatted(mix.events[i].text.data());
    ImGui::PopStyleColor();
  }
}

}  // namespace

void mix_panel(Session& session, const Layout& layout) {
  if (!session.document || !session.mix.animator) return;
  const float scale = layout.scale;
  const Character& character = session.document->character();
  ImGui::SetCursorPos({kPadding * scale, kHeadingHeight * scale});
  const Vec2 size = layout.clips.size() - Vec2{kPadding, kHeadingHeight + kPadding} * scale;
  ImGui::BeginChild("mix", im(size));
  // The scroll bar has the padding's place.
  const float width = size.x - kPadding * scale;
  crossfade(session.mix, character.clips(), kLabelWidth * scale, width, scale);
  ImGui::Dummy({0.0F, 6.0F * scale});
  layers(session.mix, character, width, scale);
  ImGui::Dummy({0.0F, 6.0F * scale});
  events(session.mix);
  ImGui::EndChild();
}

}  // namespace pchr::player
