// SPDX-License-Identifier: MIT
// Ghosts of other frames under the character.
#include "overlays/under.hpp"
#include "scene.hpp"
#include "theme.hpp"

#include <cmath>

namespace pchr::player {
namespace {

constexpr float kNearestStrength = 0.5F;
constexpr float kFading = 0.66F;  ///< From each frame to the next one further away.

Colour unpacked(ImU32 colour) noexcept {
  const ImVec4 c = ImGui::ColorConvertU32ToFloat4(colour);
  return {c.x, c.y, c.z};
}

void pose_onion(Session& session) {
  const Document& document = *session.document;
  Onion& onion = session.onion;
  const std::uint32_t clip = *document.clip;
  const FrameOrder order = frame_order(document.clock, document.character().clips()[clip]);
  const View& view = session.view;
  find_onion_frames(order, document.shown->frame, view.onion_before, view.onion_after, onion.wanted);
  const std::vector<std::uint8_t>& hidden = session.selection.hidden;
  if (onion.wanted == onion.frames && onion.clip == clip && onion.file == session.files_opened &&
      onion.hidden == hidden && onion.turntable == view.turntable)
    return;
  onion.frames = onion.wanted;
  onion.clip = clip;
  onion.file = session.files_opened;
  onion.hidden = hidden;
  onion.turntable = view.turntable;
  if (onion.posed.size() < onion.frames.size()) onion.posed.resize(onion.frames.size());
  for (std::size_t i = 0; i < onion.frames.size(); ++i) {
    const std::uint32_t frame = onion.frames[i].frame;
    pose_clip(document.character(), clip, {.frame = frame, .next = frame}, onion.posed[i]);
    turn(turn_of(session, document.character()), onion.posed[i]);
    leave_out_hidden(session.selection, onion.posed[i].draw_list);
  }
}

}  // namespace

void draw_onion(Session& session, Layer& layer, Renderer& renderer) {
  const Document& document = *session.document;
  if (!document.clip || !document.shown || !shows_clip(session)) return;
  pose_onion(session);
  const Onion& onion = session.onion;
  for (std::size_t i = 0; i < onion.frames.size(); ++i) {
    const std::int32_t distance = onion.frames[i].distance;
    if (!layer.begin({0.0F, 0.0F, 0.0F, 0.0F})) return;
    draw_character(session, document.model, onion.posed[i], renderer);
    const float strength = kNearestStrength * std::pow(kFading, static_cast<float>(std::abs(distance) - 1));
    layer.lay_ghost(unpacked(distance < 0 ? kBeforeColour : kAfterColour), strength);
  }
}

}  // namespace pchr::player
