// SPDX-License-Identifier: MIT
// Checks plain data and derives the rest of a Character from it.
#include "character/build.hpp"

#include "character/bind_pose.hpp"
#include "character/contents.hpp"
#include "character/influences.hpp"
#include "character/path.hpp"

namespace pchr {
namespace {

/// Checks that all vertices and indices of a mesh exist.
Check check_ranges(const CharacterData& data, std::uint32_t number) {
  const Mesh& mesh = data.meshes[number];
  const bool vertices_fit = mesh.vertex_count <= 65535 && mesh.first_vertex <= data.vertices.size() &&
                            mesh.vertex_count <= data.vertices.size() - mesh.first_vertex;
  const bool indices_fit =
      mesh.first_index <= data.indices.size() && mesh.index_count <= data.indices.size() - mesh.first_index;
  if (vertices_fit && indices_fit) return {};
  return diagnostic_at(
      DiagnosticId::invalid_structure, data, path_of("meshes", number),
      format_text(
          "has {} vertices from {} and {} indices from {}, but the character has {} vertices and {} indices, and "
          "a mesh has at most 65535 vertices",
          mesh.vertex_count, mesh.first_vertex, mesh.index_count, mesh.first_index, data.vertices.size(),
          data.indices.size()));
}

std::span<const Vertex> vertices_of(const CharacterData& data, const Mesh& mesh) {
  return std::span(data.vertices).subspan(mesh.first_vertex, mesh.vertex_count);
}

Check check(const CharacterData& data, std::vector<MeshScan>& scans) {
  for (std::uint32_t i = 0; i < data.images.size(); ++i) {
    if (Check found = check_image(data.images[i], i)) return found;
  }
  const std::size_t bone_count = data.bones.size();
  if (bone_count > 65535) {
    return diagnostic_at(DiagnosticId::invalid_structure, data, "bones",
                         format_text("has {} entries, but the maximum is 65535", bone_count));
  }
  for (std::uint32_t i = 0; i < bone_count; ++i) {
    if (Check found = check_bone(data.bones[i], i)) return found;
  }
  if (Check found = check_vertices_3d(data)) return found;
  if (Check found = check_bind_pose(data)) return found;
  if (Check found = check_authored_influences(data)) return found;
  MeshScanner scanner(bone_count);
  for (std::uint32_t i = 0; i < data.meshes.size(); ++i) {
    const Mesh& mesh = data.meshes[i];
    if (Check found = check_ranges(data, i)) return found;
    const auto vertices = vertices_of(data, mesh);
    const auto indices = std::span(data.indices).subspan(mesh.first_index, mesh.index_count);
    const MeshScan& scan = scans.emplace_back(scanner.scan(std::as_bytes(vertices), indices));
    if (Check found = check_mesh(mesh, i, data.images.size(), bone_count, vertices, indices, scan)) return found;
  }
  for (std::uint32_t i = 0; i < data.clips.size(); ++i) {
    if (Check found = check_clip(data.clips[i], i, bone_count, data.is_3d)) return found;
    if (Check found = check_samples(data.clips[i], i, bone_count)) return found;
  }
  return {};
}

/// Finds the first negative weight of a mesh and counts all of them.
Check find_negative_weights(const CharacterData& data, std::uint32_t number) {
  const Mesh& mesh = data.meshes[number];
  const auto vertices = vertices_of(data, mesh);
  Check first;
  std::uint64_t count = 0;
  const auto look_at = [&](float weight, std::uint32_t vertex, std::uint32_t slot) {
    if (!(weight < 0) || count++ > 0) return;
    first = diagnostic_at(DiagnosticId::negative_weight, data,
                          path_of("meshes", number, "vertices", vertex, "boneWeights", slot),
                          format_text("is {}, but should be at least 0", weight));
  };
  for (std::uint32_t v = 0; v < vertices.size(); ++v) {
    const auto authored = authored_influences(data, mesh.first_vertex + v);
    for (std::uint32_t slot = 0; slot < authored.size(); ++slot) look_at(authored[slot].weight, v, slot);
    if (!authored.empty()) continue;
    for (std::uint32_t slot = 0; slot < 4; ++slot) look_at(vertices[v].weights[slot], v, slot);
  }
  if (count > 1) first->detail += format_text(", the first of {} negative weights in this mesh", count);
  return first;
}

void warn_about_fields(const CharacterData& data, std::span<const MeshScan> scans, Warnings& warnings) {
  if (data.frames_per_second == 0 && !data.clips.empty()) {
    warnings.add(DiagnosticId::zero_frame_rate, [&] {
      return diagnostic_at(DiagnosticId::zero_frame_rate, data, "fps", "is 0, so every clip stays at its first frame");
    });
  }
  for (std::uint32_t i = 0; i < data.clips.size(); ++i) {
    if (data.clips[i].frame_count > 0) continue;
    warnings.add(DiagnosticId::clip_without_frames, [&] {
      return diagnostic_at(DiagnosticId::clip_without_frames, data, path_of("animations", i),
                           "has no frames and cannot play");
    });
  }
  for (std::uint32_t i = 0; i < data.meshes.size(); ++i) {
    if (!scans[i].negative_weights && data.authored_influences.empty()) continue;
    if (Check found = find_negative_weights(data, i)) warnings.add(std::move(*found));
  }
}

/// Warns about vertices with more than four influences: per mesh, about the one with the largest error.
void warn_about_influences(const Character::Contents& contents, Warnings& warnings) {
  const CharacterData& data = contents.data;
  if (data.authored_influences.empty()) return;
  const auto errors = measure_influence_errors(data, contents.inverse_bind);
  for (std::uint32_t i = 0; i < data.meshes.size(); ++i) {
    const Mesh& mesh = data.meshes[i];
    const auto begin = std::ranges::lower_bound(errors, mesh.first_vertex, {}, &InfluenceError::vertex);
    const auto end = std::find_if(begin, errors.end(), [&](const InfluenceError& error) {
      return error.vertex - mesh.first_vertex >= mesh.vertex_count;
    });
    const auto worst = std::ranges::max_element(begin, end, {}, &InfluenceError::pixels);
    if (worst == end) continue;
    warnings.add(DiagnosticId::influences_dropped, [&] {
      std::string detail = format_text("has {} influences; with four it is off by up to {:.2f} pixels",
                                       worst->influences, worst->pixels);
      if (worst->pixels > 0) {
        detail += format_text(" in frame {} of clip \"{}\"", worst->frame, printable(data.clips[worst->clip].name));
      }
      if (end - begin > 1) detail += format_text(", the worst of {} such vertices in this mesh", end - begin);
      return diagnostic_at(DiagnosticId::influences_dropped, data,
                           path_of("meshes", i, "vertices", worst->vertex - mesh.first_vertex), std::move(detail));
    });
  }
}

}  // namespace

Expected<Character, Diagnostic> CharacterBuilder::build(CharacterData data, const BindPose& bind, const Locate& locate,
                                                        Warnings warnings) {
  std::vector<MeshScan> scans;
  if (Check problem = check(data, scans)) {
    problem->name = name_at(data, problem->path);
    if (locate) locate({&*problem, 1});
    return Unexpected(std::move(*problem));
  }
  return complete(std::move(data), scans, bind, locate, std::move(warnings));
}

Expected<Character, Diagnostic> CharacterBuilder::complete(CharacterData data, std::span<const MeshScan> scans,
                                                           const BindPose& bind, const Locate& locate,
                                                           Warnings warnings) {
  auto contents = std::make_unique<Character::Contents>();
  contents->governing_bones.reserve(scans.size());
  warn_about_fields(data, scans, warnings);
  for (const MeshScan& scan : scans) {
    contents->governing_bones.push_back(scan.governing_bone);
    contents->all_slots_have_bones = contents->all_slots_have_bones && scan.all_slots_have_bones;
  }
  contents->data = std::move(data);
  if (Check problem = derive_bind_pose(*contents, bind, warnings)) return Unexpected(*std::move(problem));
  warn_about_influences(*contents, warnings);
  contents->clip_bounds = std::make_unique<ClipBounds[]>(contents->data.clips.size() + 1);
  contents->hulls = std::make_unique<Hulls>();
  contents->block_hulls = std::make_unique<BlockHulls>();
  contents->warnings = std::move(warnings).take();
  if (locate) locate(contents->warnings);
  return Character(contents.release());
}

}  // namespace pchr
