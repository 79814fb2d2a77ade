// SPDX-License-Identifier: MIT
// A small target that draws crowds in every possible way.
#pragma once

#include "hooks.hpp"
#include "images.hpp"
#include "session.hpp"

#include <span>

namespace pchr::test {

constexpr std::uint32_t kStageSide = 160;

/// Creates a renderer that believes its context is OpenGL 3.3.
[[nodiscard]] inline Renderer old_renderer(const Session& session, const RendererOptions& options = {}) {
  const Hooks hooks(session.get_proc_address(), {{"glGetString", claim_3_3(*session.gl)}});
  return require_value(Renderer::create(hooked_get_proc_address, options));
}

/// Bakes all clips of a character in its first draw, after which all draws have the same bits.
constexpr std::uint64_t kBakesAll = std::uint64_t{16} << 20;

struct Stage {
  Session session;
  OffscreenTarget target = require_value(OffscreenTarget::create(session.get_proc_address(), kStageSide, kStageSide));
  Camera camera = plain_camera(kStageSide, kStageSide);

  Bitmap together(Renderer& renderer, const Model& model, std::span<const Instance> crowd) {
    target.begin();
    renderer.draw(model, crowd, camera);
    return target.finish();
  }
  Bitmap together(Renderer& renderer, const Model& model, const Crowd& crowd) {
    target.begin();
    renderer.draw(model, crowd, camera);
    return target.finish();
  }
  Bitmap one_by_one(Renderer& renderer, const Model& model, std::span<const Instance> crowd) {
    target.begin();
    for (const Instance& instance : crowd) renderer.draw(model, instance, camera);
    return target.finish();
  }
  /// Draws through the posed path, which neither bakes nor culls.
  Bitmap posed(Renderer& renderer, const Model& model, std::span<const Instance> crowd) {
    PoseBuffers posed;
    target.begin();
    for (const Instance& instance : crowd) {
      const Character& character = model.character();
      const auto clips = character.clips();
      clips.contains(instance.clip) ? sample(character, instance.clip, instance.position, posed.pose)
                                    : sample_bind_pose(character, posed.pose);
      clips.contains(instance.fade_clip)
          ? blend(character, instance.fade_clip, instance.fade_position, instance.fade_weight, posed.pose)
          : blend(character.bind_pose(), instance.fade_weight, posed.pose);
      update(character, posed);
      renderer.draw(model, posed, camera, {instance.appearance, instance.skin});
    }
    return target.finish();
  }
};

}  // namespace pchr::test
