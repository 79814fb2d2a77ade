// SPDX-License-Identifier: MIT
// Builds the skeleton of an Unreal mesh, and clips from its animations.
#include "import/psk/clips.hpp"

#include "import/text_decoding.hpp"

#include <charconv>
#include <cmath>
#include <unordered_map>

namespace pchr::psk {
namespace {

constexpr std::uint32_t kRoot = 0xFFFFFFFF;

/// Converts the stored transform of a bone. Files conjugate the rotations of all bones except roots.
LocalTransform local_transform(Vec3 position, const Quat& rotation, bool is_root) noexcept {
  const Quat stored = is_root ? rotation : conjugate(rotation);
  return {to_y_up(position), normalized({stored.x, stored.z, -stored.y, stored.w})};
}

bool is_finite(const LocalTransform& transform) noexcept {
  const Vec3 sum = transform.position + transform.scale;
  return std::isfinite(sum.x) && std::isfinite(sum.y) && std::isfinite(sum.z);
}

std::vector<std::uint32_t> find_parents(std::span<const Bone> bones, Warnings& warnings) {
  std::vector<std::uint32_t> parents(bones.size(), kRoot);
  for (std::size_t i = 1; i < bones.size(); ++i) {
    const auto parent = static_cast<std::uint32_t>(bones[i].parent);
    if (parent < bones.size()) parents[i] = parent;
  }
  // Each bone stores the start of the walk that visited it first. A walk that meets its own mark has found a cycle.
  std::vector<std::size_t> visited(bones.size(), 0);
  for (std::size_t start = 1; start < bones.size(); ++start) {
    auto bone = static_cast<std::uint32_t>(start);
    for (; bone != kRoot && visited[bone] == 0; bone = parents[bone]) visited[bone] = start;
    if (bone == kRoot || visited[bone] != start) continue;
    warn(warnings, DiagnosticId::psk_bone_detached, {.path = fmt::format("bones[{}]", bone), .name = bones[bone].name},
         "has the parent {}, which is the bone itself or one of its descendants", parents[bone]);
    parents[bone] = kRoot;
  }
  return parents;
}

/// Returns the bones in file order, except that parents come first.
std::vector<std::uint32_t> parents_first(std::span<const std::uint32_t> parents) {
  std::vector<std::uint32_t> order;
  std::vector<bool> placed(parents.size());
  std::vector<std::uint32_t> ancestors;
  for (std::uint32_t i = 0; i < parents.size(); ++i) {
    ancestors.clear();
    for (std::uint32_t bone = i; bone != kRoot && !placed[bone]; bone = parents[bone]) {
      ancestors.push_back(bone);
      placed[bone] = true;
    }
    order.insert(order.end(), ancestors.rbegin(), ancestors.rend());
  }
  return order;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

/// Reads a line such as `Walk.12=trans`.
void read_removed(std::string_view name, std::string_view value, Config& config) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return;
  std::uint32_t bone = 0;
  const char* const name_end = name.data() + name.size();
  const auto [end, error] = std::from_chars(name.data() + dot + 1, name_end, bone);
  if (error != std::errc() || end != name_end) return;
  RemovedParts& parts = config.removed[{lower(name.substr(0, dot)), bone}];
  parts.position = parts.position || value == "all" || value == "trans";
  parts.rotation = parts.rotation || value == "all" || value == "rot";
}

struct ClipBuilder {
  const Animation& animation;
  const Skeleton& skeleton;
  const Match& match;
  const std::optional<Config>& config;

  Clip make(const Sequence& sequence, std::string name) const {
    Clip clip;
    clip.name = std::move(name);
    clip.group = sequence.group;
    clip.looping = true;
    clip.frames_per_second = sequence.frames_per_second;
    clip.frame_count = sequence.frame_count;
    const std::size_t bones = skeleton.bones.size();
    const std::size_t count = std::size_t{sequence.frame_count} * bones;
    clip.samples.resize(count);
    clip.samples.opacity = {};
    clip.samples.samples_3d.resize(count);
    for (std::size_t bone = 0; bone < bones; ++bone) {
      const std::uint32_t track = match.track_of[bone];
      const RemovedParts removed = track == Match::kNone ? RemovedParts{} : removed_of(sequence, track, bone);
      for (std::uint32_t frame = 0; frame < sequence.frame_count; ++frame) {
        put(clip.samples, frame * bones + bone,
            track == Match::kNone ? skeleton.bind[bone] : transform_of(bone, key_of(sequence, frame, track), removed));
      }
    }
    return clip;
  }

  [[nodiscard]] std::size_t key_of(const Sequence& sequence, std::uint32_t frame, std::uint32_t track) const {
    return (std::size_t{sequence.first_frame} + frame) * animation.bones.size() + track;
  }

  [[nodiscard]] LocalTransform transform_of(std::size_t bone, std::size_t number, const RemovedParts& removed) const {
    const LocalTransform& bind = skeleton.bind[bone];
    const Key& key = animation.keys[number];
    LocalTransform transform = local_transform(key.position, key.rotation, skeleton.bones[bone].parent == BoneId::none);
    if (!animation.scales.empty()) {
      const Vec3 scale = animation.scales[number];
      transform.scale = {scale.x, scale.z, scale.y};
    }
    if (!is_finite(transform)) transform = bind;
    if (removed.position) transform.position = bind.position;
    if (removed.rotation) transform.rotation = bind.rotation;
    return transform;
  }

  [[nodiscard]] RemovedParts removed_of(const Sequence& sequence, std::uint32_t track, std::size_t bone) const {
    if (!config) return {never_moves(sequence, track) && skeleton.bind[bone].position != Vec3{0.0F}, false};
    RemovedParts parts;
    const auto found = config->removed.find({lower(sequence.name), track});
    if (found != config->removed.end()) parts = found->second;
    const bool is_named = config->with_position.contains(lower(animation.bones[track].name));
    parts.position = parts.position || (config->rotation_only && !is_named);
    return parts;
  }

  [[nodiscard]] bool never_moves(const Sequence& sequence, std::uint32_t track) const {
    for (std::uint32_t frame = 0; frame < sequence.frame_count; ++frame) {
      if (animation.keys[key_of(sequence, frame, track)].position != Vec3{0.0F}) return false;
    }
    return true;
  }
};

}  // namespace

void put(BoneSamples& samples, std::size_t sample, const LocalTransform& transform) noexcept {
  samples.x[sample] = transform.position.x;
  samples.y[sample] = transform.position.y;
  samples.scale_x[sample] = transform.scale.x;
  samples.scale_y[sample] = transform.scale.y;
  samples.samples_3d[sample] = {transform.rotation, transform.position.z, transform.scale.z};
}

Skeleton make_skeleton(std::span<const Bone> bones, Warnings& warnings) {
  if (bones.empty()) return {{{"root", BoneId::none}}, {}, {LocalTransform{}}};
  const std::vector<std::uint32_t> parents = find_parents(bones, warnings);
  Skeleton skeleton;
  skeleton.number_of.resize(bones.size());
  for (const std::uint32_t number : parents_first(parents)) {
    const Bone& bone = bones[number];
    const bool is_root = parents[number] == kRoot;
    LocalTransform bind = local_transform(bone.position, bone.rotation, is_root);
    if (!is_finite(bind)) {
      warn(warnings, DiagnosticId::psk_value_replaced, {.path = fmt::format("bones[{}]", number), .name = bone.name},
           "has a position that is not finite; 0 is used instead");
      bind.position = Vec3{0.0F};
    }
    skeleton.number_of[number] = static_cast<std::uint32_t>(skeleton.bones.size());
    skeleton.bones.push_back({bone.name, is_root ? BoneId::none : BoneId{skeleton.number_of[parents[number]]}});
    skeleton.bind.push_back(bind);
  }
  return skeleton;
}

Config read_config(std::string_view text) {
  Config config;
  std::string section;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.starts_with('[')) {
      section = lower(line);
      continue;
    }
    const std::size_t equals = std::min(line.find('='), line.size());
    const std::string_view name = trimmed(line.substr(0, equals));
    const std::string value = lower(trimmed(line.substr(std::min(equals + 1, line.size()))));
    if (name.empty()) continue;
    if (section == "[removetracks]") read_removed(name, value, config);
    if (section == "[animset]" && lower(name) == "banimrotationonly") {
      config.rotation_only = value == "1" || value == "true";
    }
    if (section == "[usetranslationbonenames]") config.with_position.insert(lower(name));
  }
  return config;
}

Match match_bones(std::span<const Bone> tracks, const Skeleton& skeleton) {
  std::unordered_map<std::string, std::vector<std::uint32_t>> tracks_named;
  // In reverse, so that the first bone of a name is the last in its list.
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
  // In the order of the mesh file, which can differ from the order of the character's bones.
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
  const ClipBuilder builder{animation, skeleton, match, config};
  std::unordered_map<std::string, std::size_t> numbers;  // Last number used for each name.
  for (const Clip& clip : data.clips) numbers.try_emplace(clip.name, 1);
  for (const Sequence& sequence : animation.sequences) {
    std::size_t& number = numbers[sequence.name];
    std::string name = ++number == 1 ? sequence.name : fmt::format("{} #{}", sequence.name, number);
    while (number > 1 && !numbers.try_emplace(name, 1).second) name = fmt::format("{} #{}", sequence.name, ++number);
    data.clips.push_back(builder.make(sequence, std::move(name)));
  }
}

}  // namespace pchr::psk
