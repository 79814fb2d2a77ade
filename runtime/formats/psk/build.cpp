// SPDX-License-Identifier: MIT
// An Unreal mesh as a spatial character.
#include "formats/psk/build.hpp"

#include "formats/psk/normals.hpp"
#include "formats/psk/weights.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace pchr::psk {
namespace {

constexpr std::size_t kMostBones = 65535;
constexpr std::size_t kMostVertices = 65535;

/// Adds meshes to a character, face by face.
class MeshBuilder {
 public:
  MeshBuilder(const Mesh& mesh, std::vector<PointWeights> weights, CharacterData& data)
      : mesh_(mesh), weights_(std::move(weights)), normals_(find_normals(mesh)), data_(data) {}

  void begin(const std::string& name, std::uint32_t image) {
    data_.meshes.push_back({name, image, static_cast<std::uint32_t>(data_.vertices.size()), 0,
                            static_cast<std::uint32_t>(data_.indices.size()), 0});
    vertices_.clear();
  }

  void add(std::uint32_t number) {
    if (data_.meshes.back().vertex_count + 3 > kMostVertices) {
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
    data_.spatial_vertices.push_back({point.z, to_y_up(normals_.normals[normal])});
    return known->second;
  }

  const Mesh& mesh_;
  std::vector<PointWeights> weights_;
  Normals normals_;
  CharacterData& data_;
  std::unordered_map<std::uint64_t, std::uint16_t> vertices_;  ///< Of the mesh that was begun.
};

/// The faces of each material, and last of those that do not exist.
std::vector<std::vector<std::uint32_t>> faces_by_material(const Mesh& mesh, Remarks& remarks) {
  std::vector<std::vector<std::uint32_t>> faces(mesh.materials.size() + 1);
  for (std::uint32_t i = 0; i < mesh.faces.size(); ++i) {
    const std::uint32_t material = mesh.faces[i].material;
    faces[std::min<std::size_t>(material, mesh.materials.size())].push_back(i);
    if (material < mesh.materials.size() || mesh.materials.empty()) continue;
    remarks.add(FindingId::psk_material_missing, [&] {
      return Finding{FindingId::psk_material_missing,
                     fmt::format("faces[{}]", i),
                     {},
                     {},
                     fmt::format("found {}; this file has {} materials", material, mesh.materials.size())};
    });
  }
  return faces;
}

void add_meshes(const Mesh& mesh, const Skeleton& skeleton, const Textures& textures, CharacterData& data,
                Remarks& remarks) {
  const auto faces = faces_by_material(mesh, remarks);
  MeshBuilder builder(mesh, point_weights(mesh, skeleton.number_of, remarks), data);
  for (std::uint32_t material = 0; material < faces.size(); ++material) {
    if (faces[material].empty()) continue;
    builder.begin(material < mesh.materials.size() ? mesh.materials[material].name : "mesh",
                  textures.image_of_material[material]);
    for (const std::uint32_t face : faces[material]) builder.add(face);
  }
}

BoneSamples bind_pose_of(const Skeleton& skeleton) {
  BoneSamples bind;
  bind.resize(skeleton.bones.size());
  bind.spatial.resize(skeleton.bones.size());
  for (std::size_t bone = 0; bone < skeleton.bones.size(); ++bone) put(bind, bone, skeleton.bind[bone]);
  return bind;
}

}  // namespace

std::expected<CharacterData, Finding> make_character(const Mesh& mesh, const Skeleton& skeleton, Textures textures,
                                                     Remarks& remarks) {
  if (skeleton.bones.size() > kMostBones) {
    return std::unexpected(Finding{FindingId::invalid_structure,
                                   {},
                                   {},
                                   {},
                                   fmt::format("found {} bones; at most {}", skeleton.bones.size(), kMostBones)});
  }
  CharacterData data;
  data.format = "Unreal PSK";
  data.spatial = true;
  data.bones = skeleton.bones;
  data.bind_pose = bind_pose_of(skeleton);
  add_meshes(mesh, skeleton, textures, data, remarks);
  data.images = std::move(textures.images);
  return data;
}

}  // namespace pchr::psk
