// SPDX-License-Identifier: MIT
// Overlays that are drawn under the character or replace it.
#include "overlays/labels.hpp"
#include "overlays/overlays.hpp"

#include <cmath>

namespace pchr::player {
namespace {

constexpr float kNearestStrength = 0.5F;
constexpr float kFading = 0.66F;  ///< From each frame to the next one further away.

Color unpacked(ImU32 color) noexcept {
  const ImVec4 c = ImGui::ColorConvertU32ToFloat4(color);
  return {c.x, c.y, c.z};
}

void pose_onion(App& app) {
  const Document& document = *app.document;
  Onion& onion = app.document->onion;
  const ClipId clip = *app.playback.clip;
  const FrameOrder order = frame_order(app.playback.clock, document.character().clips()[clip]);
  const View& view = app.view;
  Onion::Ghosts& wanted = onion.wanted;
  find_onion_frames(order, shown_time(app.playback).frame, view.onion_before, view.onion_after, wanted.frames);
  wanted.clip = clip;
  wanted.hidden = document.selection.hidden;
  wanted.turntable = view.turntable;
  if (wanted == onion.ghosts) return;
  onion.ghosts = wanted;
  const std::vector<OnionFrame>& frames = onion.ghosts.frames;
  if (onion.posed.size() < frames.size()) onion.posed.resize(frames.size());
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const std::uint32_t frame = frames[i].frame;
    pose_clip(document.character(), clip, {.frame = frame, .next = frame}, onion.posed[i]);
    rotate(rotation_of(app, document.character()), onion.posed[i]);
    remove_hidden(app.document->selection, onion.posed[i].draw_list);
  }
}

/// Creates a skin with plain white meshes, so that whole triangles are counted.
void make_plain(Document& document, Renderer& renderer) {
  if (document.plain_skin) return;
  const Character& character = document.character();
  SkinData data;
  data.name = "plain";
  const ImageId white = add_image(data, character, Bitmap{.width = 1, .height = 1, .rgba = {0xFF, 0xFF, 0xFF, 0xFF}});
  for (const MeshId mesh : character.meshes().ids()) part_of(data, mesh).image = white;
  if (auto skin = renderer.upload_skin(document.model, data)) document.plain_skin.emplace(std::move(*skin));
}

}  // namespace

void draw_onion(App& app, OffscreenLayer& layer, Renderer& renderer) {
  const Document& document = *app.document;
  if (!app.playback.clip || !app.playback.shows_clip()) return;
  pose_onion(app);
  const Onion& onion = app.document->onion;
  for (std::size_t i = 0; i < onion.ghosts.frames.size(); ++i) {
    const std::int32_t distance = onion.ghosts.frames[i].distance;
    if (!layer.begin({0.0F, 0.0F, 0.0F, 0.0F})) return;
    draw_character(app, document.model, onion.posed[i], renderer);
    const float strength = kNearestStrength * std::pow(kFading, static_cast<float>(std::abs(distance) - 1));
    layer.composite_ghost(unpacked(distance < 0 ? kBeforeColor : kAfterColor), strength);
  }
}

bool draw_overdraw(App& app, OffscreenLayer& layer, Renderer& renderer) {
  Document& document = *app.document;
  make_plain(document, renderer);
  if (!document.plain_skin || !layer.begin({1.0F, 1.0F, 1.0F, 1.0F})) return false;
  DrawList list = posed(app).draw_list;
  for (DrawItem& item : list) item = {.mesh = item.mesh};  // Transparent meshes cost just as much.
  const Appearance dimming{.tint = {0.0F, 0.0F, 0.0F, kCountedAlpha}};
  renderer.draw(document.model, posed(app).palette, list, app.view.camera, {dimming, &*document.plain_skin});
  layer.composite_counts(kOverdrawColors);
  return true;
}

}  // namespace pchr::player
