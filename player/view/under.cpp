// SPDX-License-Identifier: MIT
#include "view/under.hpp"

#include "view/canvas.hpp"
#include "view/style.hpp"

#include <algorithm>
#include <cmath>

namespace pchr::player {
namespace {

std::optional<std::uint32_t> next(const FrameOrder& order, std::uint32_t frame) noexcept {
  if (frame < order.frames.last) return frame + 1;
  return order.loops ? std::optional(order.loop_begin) : std::nullopt;
}

/// Returns nothing before frames that play once ahead of a loop.
std::optional<std::uint32_t> previous(const FrameOrder& order, std::uint32_t frame) noexcept {
  if (frame > order.frames.first) return frame - 1;
  return order.loops && order.loop_begin == order.frames.first ? std::optional(order.frames.last) : std::nullopt;
}

}  // namespace

void find_onion_frames(const FrameOrder& order, std::uint32_t frame, std::uint32_t before, std::uint32_t after,
                       std::vector<OnionFrame>& out) {
  out.clear();
  std::optional<std::uint32_t> back = frame;
  std::optional<std::uint32_t> on = frame;
  const auto add = [&](std::optional<std::uint32_t>& at, std::uint32_t distance, std::int32_t direction) {
    if (!at) return;
    if (*at == frame || std::ranges::find(out, *at, &OnionFrame::frame) != out.end()) {
      at.reset();
    } else {
      out.push_back({*at, static_cast<std::int32_t>(distance) * direction});
    }
  };
  for (std::uint32_t distance = 1; distance <= std::max(before, after); ++distance) {
    if (back) back = distance <= before ? previous(order, *back) : std::nullopt;
    if (on) on = distance <= after ? next(order, *on) : std::nullopt;
    add(back, distance, -1);
    add(on, distance, 1);
  }
  std::ranges::reverse(out);
}

FrameOrder frame_order(const Transport& clock, const Clip& clip) noexcept {
  const FrameRange frames = clock.played();
  return {.frames = frames,
          .loops = clock.effective_mode() == LoopMode::loop,
          .loop_begin = clock.range() ? frames.first : clip.loop_start};
}

void find_trail(Trail& trail, const Character& character, ClipId clip, BoneId bone) {
  const Clip* of = &character.clips()[clip];
  if (trail.clip == of && trail.bone == bone) return;
  trail = {.points = std::move(trail.points), .clip = of, .bone = bone};
  trail.points.clear();
  Pose pose;
  const auto joint = [&]() -> Vec3 {
    if (character.is_3d()) return bone_world_3d(character.bones(), view(pose), bone)[3];
    return {bone_world(character.bones(), view(pose), bone)[2], 0.0F};
  };
  for (std::uint32_t frame = 0; frame < of->frame_count; ++frame) {
    sample(character, clip, {.frame = frame, .next = frame}, pose);
    trail.points.push_back(joint());
  }
}

namespace {

constexpr float kNearestStrength = 0.5F;
constexpr float kFading = 0.66F;  ///< From each frame to the next one further away.

Color unpacked(ImU32 color) noexcept {
  const ImVec4 c = ImGui::ColorConvertU32ToFloat4(color);
  return {c.x, c.y, c.z};
}

void pose_onion(Scene& scene) {
  const Document& document = *scene.document();
  Onion& onion = scene.find(Role::open)->onion;
  const ClipId clip = *scene.playback.clip;
  const FrameOrder order = frame_order(scene.playback.clock, document.character().clips()[clip]);
  const View& view = scene.view;
  Onion::Ghosts& wanted = onion.wanted;
  find_onion_frames(order, shown_time(scene.playback).frame, view.onion_before, view.onion_after, wanted.frames);
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
    rotate(rotation_of(scene, document.character()), onion.posed[i]);
    remove_hidden(document.selection, onion.posed[i].draw_list);
  }
}

/// Creates a skin with plain white meshes, so that whole triangles are counted.
void make_plain(Actor& actor, Renderer& renderer) {
  if (actor.plain_skin) return;
  const Character& character = actor.document.character();
  SkinData data;
  data.name = "plain";
  const ImageId white = add_image(data, character, Bitmap{.width = 1, .height = 1, .rgba = {0xFF, 0xFF, 0xFF, 0xFF}});
  for (const MeshId mesh : character.meshes().ids()) part_of(data, mesh).image = white;
  if (auto skin = renderer.upload_skin(actor.document.model, data)) actor.plain_skin.emplace(std::move(*skin));
}

}  // namespace

void draw_onion(Scene& scene, OffscreenLayer& layer, Renderer& renderer) {
  if (!scene.playback.clip || !scene.playback.shows_clip()) return;
  pose_onion(scene);
  const Onion& onion = scene.find(Role::open)->onion;
  for (std::size_t i = 0; i < onion.ghosts.frames.size(); ++i) {
    const std::int32_t distance = onion.ghosts.frames[i].distance;
    if (!layer.begin({0.0F, 0.0F, 0.0F, 0.0F})) return;
    draw_character(scene, scene.document()->model, onion.posed[i], scene.view.camera, renderer);
    const float strength = kNearestStrength * std::pow(kFading, static_cast<float>(std::abs(distance) - 1));
    layer.composite_ghost(unpacked(distance < 0 ? kBeforeColor : kAfterColor), strength);
  }
}

bool draw_overdraw(Scene& scene, OffscreenLayer& layer, Renderer& renderer) {
  Actor& actor = *scene.find(Role::open);
  make_plain(actor, renderer);
  if (!actor.plain_skin || !layer.begin({1.0F, 1.0F, 1.0F, 1.0F})) return false;
  DrawList list = posed(scene).draw_list;
  for (DrawItem& item : list) item = {.mesh = item.mesh};  // Transparent meshes cost just as much.
  const Appearance dimming{.tint = {0.0F, 0.0F, 0.0F, kCountedAlpha}};
  renderer.draw(actor.document.model, posed(scene).palette, list, scene.view.camera, {dimming, &*actor.plain_skin});
  layer.composite_counts(kOverdrawColors);
  return true;
}

}  // namespace pchr::player
