// SPDX-License-Identifier: MIT
// What an export draws if that is more than the frames of a clip: a mix, a rig, or a lineup.
#pragma once

#include "document/selection.hpp"
#include "playback/rig_motion.hpp"

#include <pchr/export/animation.hpp>

namespace pchr::player {

struct App;

/// A mix, to be played from its start.
struct MixRecipe {
  ClipId from{}, to{};
  double fade_seconds = 0;
  std::vector<MixLayer> layers{};
  bool operator==(const MixRecipe&) const = default;
};

/// Another character in the scene.
struct SceneMember {
  Character character;
  std::optional<ClipId> own_clip{};  ///< Played if it has no clip with the exported clip's name.
  Vec2 place{0.0F};                  ///< Where its origin is, in the exported character's world.
  Affine3 rotation = kIdentity3;
  std::vector<std::uint8_t> hidden{};
  Filter filter = Filter::trilinear;
  Limits limits{};  ///< For its images.
  bool operator==(const SceneMember& other) const;
};

/// Everything besides the clip itself. Empty for a plain clip.
struct ExportScene {
  std::optional<MixRecipe> mix{};  ///< Replaces the clip.
  std::optional<Rig> rig{};
  float travel = 0;                          ///< See RigMotion.
  std::shared_ptr<const Markers> markers{};  ///< For the rig. Present if the scene is not plain.
  Sampling sampling = Sampling::step;        ///< How the mix is sampled.
  std::vector<SceneMember> members{};        ///< From back to front, all behind the exported character.
  bool operator==(const ExportScene&) const = default;
  [[nodiscard]] bool is_plain() const noexcept { return !mix && !rig && members.empty(); }
};

/// Returns whether the shown character moves with a rig.
[[nodiscard]] bool can_export_rig(const App& app) noexcept;
/// Returns the scene that is shown, with or without the rig. A document must be open.
[[nodiscard]] ExportScene export_scene(const App& app, bool with_rig);
/// Returns the seconds of a mix from its start until the fade has ended and the second clip has played to its end.
[[nodiscard]] double mix_seconds(const Character& character, const MixRecipe& mix);
/// Plans the frames of a mix, by number, at `rate` per second or else at the second clip's.
[[nodiscard]] FramePlan plan_mix(const Character& character, const MixRecipe& mix, std::optional<double> rate);

/// Poses a scene's frames in order.
class ScenePoser {
 public:
  ScenePoser(Character character, ExportScene scene, const Affine3& rotation, std::vector<std::uint8_t> hidden);
  [[nodiscard]] const ExportScene& scene() const noexcept { return scene_; }
  /// Poses the exported character in a frame of `plan`: any plan's first one, or the next one of the same plan.
  void pose(const FramePlan& plan, std::uint32_t frame, PoseBuffers& out);
  /// Poses a member in any frame of `plan`.
  void pose_member(std::size_t member, const FramePlan& plan, std::uint32_t frame, PoseBuffers& out) const;
  /// Poses all characters in a frame, like pose(), and returns the box around them.
  [[nodiscard]] Box box(const FramePlan& plan, std::uint32_t frame, PoseBuffers& posed);

 private:
  void begin(const FramePlan& plan, PoseBuffers& out);
  void pose_next(const FramePlan& plan, std::uint32_t frame, PoseBuffers& out);

  Character character_;
  ExportScene scene_;
  Affine3 rotation_;
  Selection selection_{};
  std::optional<Mix> mix_{};
  RigMotion motion_{};
};

}  // namespace pchr::player
