// SPDX-License-Identifier: MIT
// An Unreal mesh as a 3D character.
#include "import/psk/build.hpp"

#include "character/fail.hpp"
#include "import/diagnose.hpp"
#include "import/psk/file.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <unordered_map>

namespace pchr::psk {
namespace {

/// What moves one point: weights that sum to 1, the largest first.
struct PointWeights {
  std::array<std::uint16_t, 4> bones{};
  std::array<float, 4> weights{1, 0, 0, 0};
};

/// One influence per bone, by which they are sorted, the largest weight first.
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
  std::ranges::sort(result, [](const Influence& a, const Influence& b) {
    return a.weight != b.weight ? a.weight > b.weight : a.bone < b.bone;
  });
  return result;
}

PointWeights weights_of(std::span<const Influence> largest, std::span<const std::uint32_t> number_of) {
  double sum = 0;
  for (const Influence& influence : largest) sum += static_cast<double>(influence.weight);
  PointWeights result;
  for (std::size_t slot = 0; slot < largest.size(); ++slot) {
    result.bones[slot] = static_cast<std::uint16_t>(number_of[largest[slot].bone]);
    result.weights[slot] = static_cast<float>(static_cast<double>(largest[slot].weight) / sum);
  }
  return result;
}

/// The weights of each point: the four largest, and a warning where there are more. A point without any follows bone 0.
/// `number_of` says which bone of the character each of the file's is; there are at most 65,536.
std::vector<PointWeights> point_weights(const Mesh& mesh, std::span<const std::uint32_t> number_of,
                                        Warnings& warnings) {
  PointWeights alone;
  if (!number_of.empty()) alone.bones[0] = static_cast<std::uint16_t>(number_of[0]);
  std::vector<PointWeights> result(mesh.points.size(), alone);
  std::vector<Influence> sorted = mesh.influences;
  std::ranges::sort(sorted, [](const Influence& a, const Influence& b) {
    return a.point != b.point ? a.point < b.point : a.bone != b.bone ? a.bone < b.bone : a.weight < b.weight;
  });
  for (std::size_t first = 0; first < sorted.size();) {
    const std::uint32_t point = sorted[first].point;
    std::size_t end = first;
    while (end < sorted.size() && sorted[end].point == point) ++end;
    const auto influences = merged(std::span(sorted).subspan(first, end - first));
    first = end;
    constexpr std::size_t kMax = 4;
    if (influences.size() > kMax) {
      warn(warnings, DiagnosticId::influences_dropped, {.path = fmt::format("points[{}]", point)},
           "found {}; the largest four are kept, and count as the whole", influences.size());
    }
    result[point] = weights_of(influences.first(std::min(influences.size(), kMax)), number_of);
  }
  return result;
}

/// Normals of a mesh, outward, of length 1, in the file's space.
struct Normals {
  std::vector<Vec3> normals;
  std::vector<std::array<std::uint32_t, 3>> of_corner;  ///< Per face: which normal each corner has.
};

// At a point where more sets of smoothing groups than these meet, only faces of equal sets are smooth to each other.
constexpr std::size_t kMaxSets = 64;

Vec3 unit(Vec3 vector) {
  const float largest = std::max({std::abs(vector.x), std::abs(vector.y), std::abs(vector.z)});
  if (!(largest > 0) || !std::isfinite(largest)) return {0.0F, 0.0F, 1.0F};
  vector = vector / largest;
  return vector / std::sqrt(vector.x * vector.x + vector.y * vector.y + vector.z * vector.z);
}

/// Outward, as long as twice the face's area.
Vec3 normal_of(const Mesh& mesh, const Face& face) {
  const auto point = [&](std::size_t corner) { return mesh.points[mesh.wedges[face.wedges[corner]].point]; };
  const Vec3 a = point(2) - point(0), b = point(1) - point(0);
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// A corner of a face, to be gathered by point and smoothing groups.
struct Corner {
  std::uint32_t point, groups, face, corner;
};

std::vector<Corner> sorted_corners(const Mesh& mesh) {
  std::vector<Corner> corners;
  corners.reserve(mesh.faces.size() * 3);
  for (std::uint32_t face = 0; face < mesh.faces.size(); ++face) {
    for (std::uint32_t corner = 0; corner < 3; ++corner) {
      corners.push_back(
          {mesh.wedges[mesh.faces[face].wedges[corner]].point, mesh.faces[face].smoothing_groups, face, corner});
    }
  }
  std::ranges::sort(corners, [](const Corner& a, const Corner& b) {
    return a.point != b.point ? a.point < b.point : a.groups < b.groups;
  });
  return corners;
}

/// Faces around a point that are in the same groups.
struct Set {
  std::uint32_t groups = 0;
  std::uint32_t number = 0;  ///< Of their normal.
  Vec3 sum{0.0F};
};

/// Gives the corners at one point, sorted by their groups, their normals.
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

/// The file's own, one per point; else those of the faces around a point that share a smoothing group, each counting by
/// its area. A face in no group is flat.
Normals find_normals(const Mesh& mesh) {
  Normals out;
  out.of_corner.resize(mesh.faces.size());
  if (!mesh.normals.empty()) {
    out.normals.resize(mesh.normals.size());
    std::ranges::transform(mesh.normals, out.normals.begin(), unit);
    for (std::size_t face = 0; face < mesh.faces.size(); ++face) {
      for (std::size_t corner = 0; corner < 3; ++corner) {
        out.of_corner[face][corner] = mesh.wedges[mesh.faces[face].wedges[corner]].point;
      }
    }
    return out;
  }
  const std::vector<Corner> corners = sorted_corners(mesh);
  std::vector<Set> sets;
  for (std::size_t first = 0; first < corners.size();) {
    std::size_t end = first;
    while (end < corners.size() && corners[end].point == corners[first].point) ++end;
    add_point(mesh, std::span(corners).subspan(first, end - first), sets, out);
    first = end;
  }
  return out;
}

constexpr std::size_t kMaxBones = 65535;
constexpr std::size_t kMaxVertices = 65535;

/// Adds meshes to a character, face by face.
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
    // Faces are clockwise in the file.
    for (const std::size_t corner : {0, 2, 1}) data_.indices.push_back(index_of(number, corner));
    data_.meshes.back().index_count += 3;
  }

 private:
  /// A vertex is a wedge with a normal.
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
  std::unordered_map<std::uint64_t, std::uint16_t> vertices_;  ///< Of the mesh that was begun.
};

/// The faces of each material, and last of those that do not exist.
std::vector<std::vector<std::uint32_t>> faces_by_material(const Mesh& mesh, Warnings& warnings) {
  std::vector<std::vector<std::uint32_t>> faces(mesh.materials.size() + 1);
  for (std::uint32_t i = 0; i < mesh.faces.size(); ++i) {
    const std::uint32_t material = mesh.faces[i].material;
    faces[std::min<std::size_t>(material, mesh.materials.size())].push_back(i);
    if (material < mesh.materials.size() || mesh.materials.empty()) continue;
    warn(warnings, DiagnosticId::psk_material_missing, {.path = fmt::format("faces[{}]", i)},
         "found {}; this file has {} materials", material, mesh.materials.size());
  }
  return faces;
}

void add_meshes(const Mesh& mesh, const Skeleton& skeleton, const Textures& textures, CharacterData& data,
                Warnings& warnings) {
  const auto faces = faces_by_material(mesh, warnings);
  MeshBuilder builder(mesh, point_weights(mesh, skeleton.number_of, warnings), data);
  for (std::uint32_t material = 0; material < faces.size(); ++material) {
    if (faces[material].empty()) continue;
    builder.begin(material < mesh.materials.size() ? mesh.materials[material].name : "mesh",
                  ImageId{textures.image_of_material[material]});
    for (const std::uint32_t face : faces[material]) builder.add(face);
  }
}

BoneSamples bind_pose_of(const Skeleton& skeleton) {
  BoneSamples bind;
  bind.resize(skeleton.bones.size());
  bind.samples_3d.resize(skeleton.bones.size());
  for (std::size_t bone = 0; bone < skeleton.bones.size(); ++bone) put(bind, bone, skeleton.bind[bone]);
  return bind;
}

}  // namespace

std::expected<CharacterData, Diagnostic> make_character(const Mesh& mesh, const Skeleton& skeleton, Textures textures,
                                                        Warnings& warnings) {
  if (skeleton.bones.size() > kMaxBones) {
    return fail(DiagnosticId::invalid_structure,
                fmt::format("found {} bones; at most {}", skeleton.bones.size(), kMaxBones));
  }
  CharacterData data;
  data.is_3d = true;
  data.bones = skeleton.bones;
  data.bind_pose = bind_pose_of(skeleton);
  add_meshes(mesh, skeleton, textures, data, warnings);
  data.images = std::move(textures.images);
  return data;
}

}  // namespace pchr::psk
