// SPDX-License-Identifier: MIT
// Builds a 3D character from an Unreal mesh.
#include "import/psk/build.hpp"

#include <glm/geometric.hpp>

#include <cmath>
#include <tuple>
#include <unordered_map>

namespace pchr::psk {
namespace {

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
