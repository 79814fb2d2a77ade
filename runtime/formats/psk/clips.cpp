// SPDX-License-Identifier: MIT
// Animations of Unreal as clips.
#include "formats/psk/clips.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <unordered_map>
#include <utility>

namespace pchr::psk {
namespace {

/// Numbers names that are there already.
class Names {
 public:
  explicit Names(const std::vector<Clip>& clips) {
    for (const Clip& clip : clips) numbers_.try_emplace(clip.name, 1);
  }

  std::string free(const std::string& name) {
    std::size_t number = ++numbers_[name];
    if (number == 1) return name;
    std::string result;
    do result = fmt::format("{} #{}", name, number++);
    while (!numbers_.try_emplace(result, 1).second);
    numbers_[name] = number - 1;
    return result;
  }

 private:
  std::unordered_map<std::string, std::size_t> numbers_;  ///< Each name's last.
};

/// Makes the clips of one animation.
class ClipBuilder {
 public:
  ClipBuilder(const Animation& animation, const Skeleton& skeleton, const Match& match,
              const std::optional<Config>& config)
      : animation_(animation), skeleton_(skeleton), match_(match), config_(config) {}

  Clip make(const Sequence& sequence, std::string name) const {
    Clip clip;
    clip.name = std::move(name);
    clip.group = sequence.group;
    clip.looping = true;
    clip.frames_per_second = sequence.frames_per_second;
    clip.frame_count = sequence.frame_count;
    const std::size_t bones = skeleton_.bones.size();
    const std::size_t count = std::size_t{sequence.frame_count} * bones;
    clip.samples.resize(count);
    clip.samples.opacity = {};
    clip.samples.spatial.resize(count);
    for (std::size_t bone = 0; bone < bones; ++bone) put_bone(sequence, bone, clip.samples);
    return clip;
  }

 private:
  [[nodiscard]] std::size_t key_of(const Sequence& sequence, std::uint32_t frame, std::uint32_t track) const {
    return (std::size_t{sequence.first_frame} + frame) * animation_.bones.size() + track;
  }

  void put_bone(const Sequence& sequence, std::size_t bone, BoneSamples& samples) const {
    const LocalTransform& bind = skeleton_.bind[bone];
    const std::uint32_t track = match_.track_of[bone];
    const RemovedParts removed = track == Match::kNone ? RemovedParts{true, true} : removed_of(sequence, track, bind);
    const bool is_root = skeleton_.bones[bone].parent < 0;
    for (std::uint32_t frame = 0; frame < sequence.frame_count; ++frame) {
      LocalTransform transform = bind;
      if (track != Match::kNone) {
        const std::size_t number = key_of(sequence, frame, track);
        const Key& key = animation_.keys[number];
        transform = local_transform(key.position, key.rotation, is_root);
        if (!animation_.scales.empty()) {
          const Vec3 scale = animation_.scales[number];
          transform.scale = {scale.x, scale.z, scale.y};
        }
        if (!is_finite(transform)) transform = bind;
        if (removed.position) transform.position = bind.position;
        if (removed.rotation) transform.rotation = bind.rotation;
      }
      put(samples, frame * skeleton_.bones.size() + bone, transform);
    }
  }

  [[nodiscard]] RemovedParts removed_of(const Sequence& sequence, std::uint32_t track,
                                        const LocalTransform& bind) const {
    if (!config_) return {never_moves(sequence, track) && bind.position != Vec3{0.0F}, false};
    RemovedParts parts;
    const auto found = config_->removed.find({lower(sequence.name), track});
    if (found != config_->removed.end()) parts = found->second;
    const bool is_named = config_->with_position.contains(lower(animation_.bones[track].name));
    parts.position = parts.position || (config_->rotation_only && !is_named);
    return parts;
  }

  [[nodiscard]] bool never_moves(const Sequence& sequence, std::uint32_t track) const {
    for (std::uint32_t frame = 0; frame < sequence.frame_count; ++frame) {
      if (animation_.keys[key_of(sequence, frame, track)].position != Vec3{0.0F}) return false;
    }
    return true;
  }

  const Animation& animation_;
  const Skeleton& skeleton_;
  const Match& match_;
  const std::optional<Config>& config_;
};

}  // namespace

Match match_bones(std::span<const Bone> tracks, const Skeleton& skeleton) {
  std::unordered_map<std::string, std::vector<std::uint32_t>> tracks_named;
  // From the end, so that the first of a name is the last in its list.
  for (auto i = static_cast<std::uint32_t>(tracks.size()); i-- > 0;) tracks_named[lower(tracks[i].name)].push_back(i);
  Match match;
  match.track_of.assign(skeleton.bones.size(), Match::kNone);
  std::vector<bool> used(tracks.size());
  const auto match_bone = [&](std::uint32_t bone) {
    const auto found = tracks_named.find(lower(skeleton.bones[bone].name));
    if (found == tracks_named.end() || found->second.empty()) return;
    match.track_of[bone] = found->second.back();
    used[found->second.back()] = true;
    found->second.pop_back();
    ++match.matched;
  };
  // In the order of the mesh's file, which the character's bones need not have.
  for (const std::uint32_t bone : skeleton.number_of) match_bone(bone);
  if (skeleton.number_of.empty()) match_bone(0);
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    if (!used[i]) match.extra.push_back(tracks[i].name);
  }
  return match;
}

std::uint64_t frames_of(const Animation& animation) noexcept {
  std::uint64_t frames = 0;
  for (const Sequence& sequence : animation.sequences) frames += sequence.frame_count;
  return frames;
}

void add_clips(const Animation& animation, const Skeleton& skeleton, const Match& match,
               const std::optional<Config>& config, CharacterData& data) {
  const ClipBuilder builder(animation, skeleton, match, config);
  Names names(data.clips);
  for (const Sequence& sequence : animation.sequences) {
    data.clips.push_back(builder.make(sequence, names.free(sequence.name)));
  }
}

}  // namespace pchr::psk
