// SPDX-License-Identifier: MIT
// Builds the skeleton, the meshes and the clips of an Unreal mesh.
#include "import/psk/psk.hpp"

#include "import/text_decoding.hpp"

#include <glm/geometric.hpp>

#include <charconv>
#include <cmath>
#include <tuple>
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

constexpr std::size_t kMaxBones = 65535;
constexpr std::size_t kMaxVertices = 65535;
constexpr std::size_t kMaxInfluences = 4;
/// If more sets of smoothing groups meet at a point, only faces of the same set share a normal.
constexpr std::size_t kMaxSets = 64;

/// Bones of a point, sorted by descending weight. The weights sum to 1.
struct PointWeights {
  std::array<std::uint16_t, kMaxInfluences> bones{};
  std::array<float, kMaxInfluences> weights{1, 0, 0, 0};
};

/// Merges influences sorted by bone into one per bone, and sorts them by descending weight.
std::span<Influence> merged(std::span<Influence> influences) {
  std::size_t count = 0;
  for (const Influence& influence : influences) {
    if (count > 0 && influences[count - 1].bone == influence.bone) {
      influences[count - 1].weight += influence.weight;
    } else {
      influences[count++] = influence;
    }
  }
  const auto result = influences.first(count);
  std::ranges::sort(result, {}, [](const Influence& each) { return std::pair(-each.weight, each.bone); });
  return result;
}

/// Returns the four largest weights of each point, with a warning if there are more. A point without weights follows
/// bone 0. `number_of` maps bones of the file to bones of the character.
std::vector<PointWeights> point_weights(const Mesh& mesh, std::span<const std::uint32_t> number_of,
                                        Warnings& warnings) {
  PointWeights alone;
  if (!number_of.empty()) alone.bones[0] = static_cast<std::uint16_t>(number_of[0]);
  std::vector<PointWeights> result(mesh.points.size(), alone);
  std::vector<Influence> sorted = mesh.influences;
  std::ranges::sort(sorted, {}, [](const Influence& each) { return std::tuple(each.point, each.bone, each.weight); });
  for (std::size_t first = 0, end = 0; first < sorted.size(); first = end) {
    const std::uint32_t point = sorted[first].point;
    while (end < sorted.size() && sorted[end].point == point) ++end;
    auto influences = merged(std::span(sorted).subspan(first, end - first));
    if (influences.size() > kMaxInfluences) {
      warn(warnings, DiagnosticId::influences_dropped, {.path = fmt::format("points[{}]", point)},
           "has {} influences; the four largest are kept and normalized", influences.size());
      influences = influences.first(kMaxInfluences);
    }
    double sum = 0;
    for (const Influence& influence : influences) sum += static_cast<double>(influence.weight);
    for (std::size_t slot = 0; slot < influences.size(); ++slot) {
      result[point].bones[slot] = static_cast<std::uint16_t>(number_of[influences[slot].bone]);
      result[point].weights[slot] = static_cast<float>(static_cast<double>(influences[slot].weight) / sum);
    }
  }
  return result;
}

/// Outward unit normals in the space of the file.
struct Normals {
  std::vector<Vec3> normals;
  std::vector<std::array<std::uint32_t, 3>> of_corner;  ///< Normal of each corner, per face.
};

Vec3 unit(Vec3 vector) {
  const float largest = std::max({std::abs(vector.x), std::abs(vector.y), std::abs(vector.z)});
  if (!(largest > 0) || !std::isfinite(largest)) return {0.0F, 0.0F, 1.0F};
  vector = vector / largest;
  return vector / std::sqrt(glm::dot(vector, vector));
}

/// Returns the outward normal. Its length is twice the area of the face.
Vec3 normal_of(const Mesh& mesh, const Face& face) {
  const auto point = [&](std::size_t corner) { return mesh.points[mesh.wedges[face.wedges[corner]].point]; };
  return glm::cross(point(2) - point(0), point(1) - point(0));
}

/// Corner of a face, for grouping by point and smoothing groups.
struct Corner {
  std::uint32_t point, groups, face, corner;
};

/// Faces around a point that are in the same smoothing groups.
struct Set {
  std::uint32_t groups = 0;
  std::uint32_t number = 0;  ///< Index of their normal.
  Vec3 sum{0.0F};
};

/// Adds the normals of the corners at one point. The corners are sorted by their groups.
void add_point(const Mesh& mesh, std::span<const Corner> corners, std::vector<Set>& sets, Normals& out) {
  sets.clear();
  for (const Corner& corner : corners) {
    if (corner.groups == 0 || sets.empty() || sets.back().groups != corner.groups) {
      sets.push_back({corner.groups, static_cast<std::uint32_t>(out.normals.size() + sets.size())});
    }
    sets.back().sum += normal_of(mesh, mesh.faces[corner.face]);
    out.of_corner[corner.face][corner.corner] = sets.back().number;
  }
  for (const Set& set : sets) {
    Vec3 sum = set.sum;
    for (const Set& other : std::span(sets).first(sets.size() <= kMaxSets ? sets.size() : 0)) {
      if (other.number != set.number && (other.groups & set.groups) != 0) sum += other.sum;
    }
    out.normals.push_back(unit(sum));
  }
}

/// Returns the normals of the file, one per point. If it has none, averages the faces around a point that share a
/// smoothing group, weighted by area. A face without a group is flat.
Normals find_normals(const Mesh& mesh) {
  Normals out;
  out.of_corner.resize(mesh.faces.size());
  if (!mesh.normals.empty()) {
    std::ranges::transform(mesh.normals, std::back_inserter(out.normals), unit);
    for (std::size_t face = 0; face < mesh.faces.size(); ++face) {
      std::ranges::transform(mesh.faces[face].wedges, out.of_corner[face].begin(),
                             [&](std::uint32_t wedge) { return mesh.wedges[wedge].point; });
    }
    return out;
  }
  std::vector<Corner> corners;
  corners.reserve(mesh.faces.size() * 3);
  for (std::uint32_t face = 0; face < mesh.faces.size(); ++face) {
    for (std::uint32_t corner = 0; corner < 3; ++corner) {
      corners.push_back(
          {mesh.wedges[mesh.faces[face].wedges[corner]].point, mesh.faces[face].smoothing_groups, face, corner});
    }
  }
  std::ranges::sort(corners, {}, [](const Corner& each) { return std::pair(each.point, each.groups); });
  std::vector<Set> sets;
  for (std::size_t first = 0, end = 0; first < corners.size(); first = end) {
    while (end < corners.size() && corners[end].point == corners[first].point) ++end;
    add_point(mesh, std::span(corners).subspan(first, end - first), sets, out);
  }
  return out;
}

class MeshBuilder {
 public:
  MeshBuilder(const Mesh& mesh, std::vector<PointWeights> weights, CharacterData& data)
      : mesh_(mesh), weights_(std::move(weights)), normals_(find_normals(mesh)), data_(data) {}

  void begin(const std::string& name, ImageId image) {
    data_.meshes.push_back({name, image, static_cast<std::uint32_t>(data_.vertices.size()), 0,
                            static_cast<std::uint32_t>(data_.indices.size()), 0});
    vertices_.clear();
  }

  void add(std::uint32_t number) {
    if (data_.meshes.back().vertex_count + 3 > kMaxVertices) {
      begin(data_.meshes.back().name, data_.meshes.back().image);
    }
    // Faces of the file are clockwise.
    for (const std::size_t corner : {0, 2, 1}) data_.indices.push_back(index_of(number, corner));
    data_.meshes.back().index_count += 3;
  }

 private:
  std::uint16_t index_of(std::uint32_t face, std::size_t corner) {
    const std::uint32_t wedge = mesh_.faces[face].wedges[corner];
    const std::uint32_t normal = normals_.of_corner[face][corner];
    pchr::Mesh& mesh = data_.meshes.back();
    const auto [known, is_new] =
        vertices_.try_emplace(std::uint64_t{wedge} << 32 | normal, static_cast<std::uint16_t>(mesh.vertex_count));
    if (!is_new) return known->second;
    ++mesh.vertex_count;
    const Wedge& from = mesh_.wedges[wedge];
    const Vec3 point = to_y_up(mesh_.points[from.point]);
    const PointWeights& weights = weights_[from.point];
    Vertex vertex{point.x, point.y, from.uv.x, from.uv.y, {}, {}};
    std::ranges::copy(weights.bones, vertex.bones);
    std::ranges::copy(weights.weights, vertex.weights);
    data_.vertices.push_back(vertex);
    data_.vertices_3d.push_back({point.z, to_y_up(normals_.normals[normal])});
    return known->second;
  }

  const Mesh& mesh_;
  std::vector<PointWeights> weights_;
  Normals normals_;
  CharacterData& data_;
  std::unordered_map<std::uint64_t, std::uint16_t> vertices_;  ///< Vertices of the current mesh.
};

/// Returns the faces of each material, then those without a material.
std::vector<std::vector<std::uint32_t>> faces_by_material(const Mesh& mesh, Warnings& warnings) {
  std::vector<std::vector<std::uint32_t>> faces(mesh.materials.size() + 1);
  for (std::uint32_t i = 0; i < mesh.faces.size(); ++i) {
    const std::uint32_t material = mesh.faces[i].material;
    faces[std::min<std::size_t>(material, mesh.materials.size())].push_back(i);
    if (material < mesh.materials.size() || mesh.materials.empty()) continue;
    warn(warnings, DiagnosticId::psk_material_missing, {.path = fmt::format("faces[{}]", i)},
         "uses material {}, but the file has {}", material, counted(mesh.materials.size(), "material"));
  }
  return faces;
}

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

Expected<CharacterData, Diagnostic> make_character(const Mesh& mesh, const Skeleton& skeleton, Textures textures,
                                                   Warnings& warnings) {
  const std::size_t bones = skeleton.bones.size();
  if (bones > kMaxBones) {
    return Unexpected(diagnose(DiagnosticId::invalid_structure, {}, "the mesh has {} bones, but the maximum is {}",
                               bones, kMaxBones));
  }
  CharacterData data;
  data.is_3d = true;
  data.bones = skeleton.bones;
  data.bind_pose.resize(bones);
  data.bind_pose.samples_3d.resize(bones);
  for (std::size_t bone = 0; bone < bones; ++bone) put(data.bind_pose, bone, skeleton.bind[bone]);
  const auto faces = faces_by_material(mesh, warnings);
  MeshBuilder builder(mesh, point_weights(mesh, skeleton.number_of, warnings), data);
  for (std::uint32_t material = 0; material < faces.size(); ++material) {
    if (faces[material].empty()) continue;
    builder.begin(material < mesh.materials.size() ? mesh.materials[material].name : "mesh",
                  ImageId{textures.image_of_material[material]});
    for (const std::uint32_t face : faces[material]) builder.add(face);
  }
  data.images = std::move(textures.images);
  return data;
}

}  // namespace pchr::psk
