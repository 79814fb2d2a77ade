// SPDX-License-Identifier: MIT
#include "scene.hpp"

#include <glm/common.hpp>

#include <algorithm>

namespace pchr::player {
namespace {

/// How far from z = 0 anything may be that is seen: far more than any pose stretches it. Depth has bits to spare.
float reach_of(const Session& session) {
  constexpr float kStretched = 16.0F;
  float reach = 1e-6F;
  const auto include = [&](const Character& character, const Box& box) {
    const Box seen = turned_box(turn_of(session, character), box);
    if (seen.empty()) return;
    const Vec3 far = glm::max(glm::abs(seen.min), glm::abs(seen.max));
    reach = std::max({reach, far.x, far.y, far.z});
  };
  include(session.document->character(), session.document->bounds.box);
  if (comparing(session)) include(compared_model(session).character(), session.comparison.bounds.box);
  return reach * kStretched;
}

}  // namespace

void draw_character(const Session& session, const Model& model, const PosedCharacter& posed, Renderer& renderer) {
  const View& view = session.view;
  if (!model.character().is_spatial()) return renderer.draw(model, posed, view.camera);
  SceneView scene = scene_view(view.camera, reach_of(session));
  scene.cull_back_faces = view.turntable.cull_back_faces;
  renderer.draw_scene(model, posed, scene);
}

GroundView ground_view(const Session& session) noexcept {
  const Document& document = *session.document;
  return {session.view.turntable, session.view.camera, document.pivot, document.bounds.box};
}

}  // namespace pchr::player
