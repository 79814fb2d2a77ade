// SPDX-License-Identifier: MIT
// One picture of a film to draw.
#include "film/shot.hpp"

namespace pchr::film {

void draw(Renderer& renderer, const Model& model, const Shot& shot, PosedCharacter& posed) {
  // A baked clip is near the smooth pose, a posed one is there.
  if (shot.clip && shot.position.factor > 0) {
    pose_clip(model.character(), *shot.clip, shot.position, posed);
    return draw_posed(renderer, model, shot, posed);
  }
  const Instance instance{shot.clip.value_or(Instance::kBindPose), shot.position, {}};
  if (shot.scene) {
    renderer.draw_scene(model, {&instance, 1}, *shot.scene);
  } else {
    renderer.draw(model, {&instance, 1}, shot.camera);
  }
}

void draw_posed(Renderer& renderer, const Model& model, const Shot& shot, const PosedCharacter& posed) {
  if (shot.scene) {
    renderer.draw_scene(model, posed, *shot.scene);
  } else {
    renderer.draw(model, posed, shot.camera);
  }
}

}  // namespace pchr::film
