// SPDX-License-Identifier: MIT
// Moves animators and skins to another version of their character.
#include <pchr/animator.hpp>

#include "animation/clip_blend.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace pchr {
namespace {

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::ranges::find(names, name) == names.end()) names.push_back(name);
}

/// Matches the parts of two versions of a character by their names.
struct Match {
  const Character& from;
  const Character& to;
  Rebound& missing;

  [[nodiscard]] ClipId clip(ClipId old) { return find(old, from.clips(), &Character::find_clip, missing.clips); }
  [[nodiscard]] BoneId bone(BoneId old) { return find(old, from.bones(), &Character::find_bone, missing.bones); }
  [[nodiscard]] MeshId mesh(MeshId old) { return find(old, from.meshes(), &Character::find_mesh, missing.meshes); }

 private:
  template <PartId Id, typename T>
  Id find(Id old, Table<Id, T> parts, Id (Character::*by_name)(std::string_view) const noexcept,
          std::vector<std::string>& names) {
    if (!parts.contains(old)) return Id::none;
    const Id found = (to.*by_name)(parts[old].name);
    if (found == Id::none) add_once(names, parts[old].name);
    return found;
  }
};

/// Returns the bone of `from` with the name of each bone of `to`, or `none`.
std::vector<BoneId> old_bones(const Character& from, const Character& to) {
  std::vector<BoneId> old;
  for (const Bone& bone : to.bones()) old.push_back(from.find_bone(bone.name));
  return old;
}

BoneMask rebind_mask(const BoneMask& mask, std::span<const BoneId> old, const Character& to) {
  BoneMask result;
  if (mask.empty()) return result;
  for (const BoneId bone : to.bones().ids()) {
    const BoneId parent = to.bones()[bone].parent;
    const std::uint8_t inherited = parent == BoneId::none ? std::uint8_t{0} : result[index(parent)];
    const BoneId before = old[index(bone)];
    result.push_back(before == BoneId::none ? inherited : mask[index(before)]);
  }
  return result;
}

/// Returns `pose` with its bones in the order of `to`. New bones are in their bind pose.
Pose rebind_pose(const Pose& pose, std::span<const BoneId> old, const Character& to) {
  Pose result;
  sample_bind_pose(to, result);
  for (std::size_t bone = 0; bone < old.size(); ++bone) {
    const std::size_t before = index(old[bone]);
    if (before >= pose.x.size()) continue;
    const auto copy = [&](auto Pose::* values) {
      if (before < (pose.*values).size() && bone < (result.*values).size())
        (result.*values)[bone] = (pose.*values)[before];
    };
    copy(&Pose::x), copy(&Pose::y), copy(&Pose::rotation_degrees), copy(&Pose::scale_x), copy(&Pose::scale_y);
    copy(&Pose::opacity), copy(&Pose::visible), copy(&Pose::z_order), copy(&Pose::samples_3d);
  }
  return result;
}

/// Makes a blend of the clips with the same names, or sets `play.clip` to `none` if one is missing.
void rebind_blend(Play& play, Match& match, const Markers& markers) {
  std::vector<ClipId> clips = play.blend->clips;
  for (ClipId& clip : clips) clip = match.clip(clip);
  if (std::ranges::find(clips, ClipId::none) != clips.end()) {
    play.clip = ClipId::none;
    return;
  }
  play.blend = make_clip_blend(match.to, std::move(clips), play.clock.mode(), markers);
  play.clip = play.blend->clips[play.blend->reference];
}

/// Returns a clock of `clip` at the time, speed and mode of that of `play`.
Clock rebind_clock(const Play& play, const Clip& clip) {
  const Clock& old = play.clock;
  Clock clock = play.blend ? play.blend->clocks[play.blend->reference] : Clock(clip, old.mode());
  clock.set_speed(old.speed());
  clock.seek_seconds(old.seconds());
  if (!old.playing() && !old.at_end()) clock.pause();
  return clock;
}

}  // namespace

Rebound Animator::rebind(Character character) {
  Rebound missing;
  Match match{character_, character, missing};
  const std::vector<BoneId> old = old_bones(character_, character);

  for (AnimatorEvent& event : unreported_) event.clip = match.clip(event.clip);
  if (markers_) {
    std::vector<Marker> markers;
    for (Marker marker : markers_->all()) {
      marker.clip = match.clip(marker.clip);
      if (marker.frame < character.clips()[marker.clip].frame_count) markers.push_back(std::move(marker));
    }
    set_markers(std::make_shared<const Markers>(std::move(markers)));
  }
  for (std::uint32_t number = 0; number < layers_.size(); ++number) {
    Layer& layer = layers_[number];
    for (Play& play : layer.plays) {
      if (play.kind != Play::Kind::clip) continue;
      play.clip = match.clip(play.clip);
      if (play.blend) rebind_blend(play, match, markers_ ? *markers_ : Markers());
      if (play.clip == ClipId::none && &play == &layer.plays.back()) report_interrupted(number);
      if (play.clip != ClipId::none) play.clock = rebind_clock(play, character.clips()[play.clip]);
    }
    std::erase_if(layer.plays,
                  [](const Play& play) { return play.kind == Play::Kind::clip && play.clip == ClipId::none; });
    std::erase_if(layer.queue, [&](Queued& queued) {
      const bool stops = queued.clip == ClipId::none;
      queued.clip = match.clip(queued.clip);
      return queued.clip == ClipId::none && !stops;
    });
    layer.options.reference_clip = match.clip(layer.options.reference_clip);
    layer.options.mask = rebind_mask(layer.options.mask, old, character);
    layer.still = rebind_pose(layer.still, old, character);
    layer.rotation_deltas.assign(layer.plays.size() * old.size(), std::numeric_limits<float>::quiet_NaN());
    layer.layer_rotation_deltas.clear();
  }

  for (BoneOverride& each : overrides) each.bone = match.bone(each.bone);
  std::erase_if(overrides, [](const BoneOverride& each) { return each.bone == BoneId::none; });
  if (root_) root_->bone = match.bone(root_->bone);
  if (root_ && root_->bone == BoneId::none) root_.reset();

  if (rig_) {
    auto rig = std::make_shared<Rig>(*rig_);
    for (Aim& aim : rig->aims) aim.bone = match.bone(aim.bone), aim.target_bone = match.bone(aim.target_bone);
    for (TwoBoneIk& ik : rig->ik) {
      for (BoneId* bone : {&ik.upper, &ik.lower, &ik.end, &ik.target_bone}) *bone = match.bone(*bone);
    }
    for (SpringChain& chain : rig->springs) {
      for (BoneId& bone : chain.bones) bone = match.bone(bone);
    }
    rig_ = std::move(rig);
  }
  character_ = std::move(character);
  return missing;
}

Rebound rebind_skin(SkinData& skin, const Character& from, const Character& to) {
  Rebound missing;
  Match match{from, to, missing};
  std::vector<SkinPart> parts;
  for (const MeshId mesh : from.meshes().ids()) {
    if (index(mesh) >= skin.parts.size()) break;
    SkinPart part = skin.parts[index(mesh)];
    if (part == SkinPart{}) continue;
    const MeshId found = match.mesh(mesh);
    if (found == MeshId::none) continue;
    if (from.images().contains(part.image)) {
      const std::string& name = from.images()[part.image].name;
      const auto image = std::ranges::find(to.images(), name, &Image::name);
      if (image == to.images().end()) add_once(missing.images, name);
      part.image = image == to.images().end() ? ImageId::none : ImageId(image - to.images().begin());
    } else if (part.image != ImageId::none) {
      part.image = ImageId(index(part.image) - from.images().size() + to.images().size());
    }
    if (index(found) >= parts.size()) parts.resize(index(found) + 1);
    parts[index(found)] = part;
  }
  skin.parts = std::move(parts);
  return missing;
}

}  // namespace pchr
