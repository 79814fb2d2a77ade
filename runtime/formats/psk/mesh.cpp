// SPDX-License-Identifier: MIT
// Meshes of .psk and .pskx files.
#include "formats/psk/mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace pchr::psk {
namespace {

// A file of old tools has junk in the upper half where the lower one can name every point.
constexpr std::size_t kMostShortPoints = 65536;
constexpr std::uint32_t kNoPoint = 0xFFFFFFFF;
// As early tools packed them.
constexpr std::uint32_t kPackedWedgeBytes = 12, kWedgeBytes = 16;

bool is_finite(Vec2 value) { return std::isfinite(value.x) && std::isfinite(value.y); }
bool is_finite(Vec3 value) { return std::isfinite(value.x) && std::isfinite(value.y) && std::isfinite(value.z); }

/// Reads one mesh.
class MeshReader {
 public:
  MeshReader(std::span<const std::byte> bytes, Remarks& remarks)
      : remarks_(remarks), chunks_(read_chunks(bytes, remarks)) {}

  std::expected<Mesh, Finding> read() && {
    read_points();
    read_wedges();
    read_faces();
    read_materials();
    if (const Chunk* chunk = find("REFSKELT", kBoneBytes)) mesh_.bones = read_bones(*chunk);
    if (mesh_.faces.empty() && mesh_.bones.empty()) {
      return std::unexpected(Finding{
          FindingId::psk_part_missing,
          {},
          {},
          {},
          fmt::format("found {} points, {} wedges, no face and no bone", mesh_.points.size(), mesh_.wedges.size())});
    }
    read_influences();
    read_normals();
    read_colours();
    read_extra_uvs();
    return std::move(mesh_);
  }

 private:
  const Chunk* find(std::string_view id, std::uint32_t least_bytes) {
    return find_chunk(chunks_, id, least_bytes, remarks_);
  }

  void remark(FindingId id, const Chunk& chunk, std::size_t record, std::string detail) {
    remarks_.add(id, [&] {
      return Finding{id,
                     fmt::format("{}[{}]", chunk.id, record),
                     {},
                     chunk.offset + 32 + std::uint64_t{record} * chunk.record_bytes,
                     std::move(detail)};
    });
  }

  template <typename Value>
  Value finite(Value value, const Chunk& chunk, std::size_t record) {
    if (is_finite(value)) [[likely]]
      return value;
    remark(FindingId::psk_value_replaced, chunk, record, "0 is used instead");
    return Value{0.0F};
  }

  void read_points() {
    const Chunk* const chunk = find("PNTS0000", 12);
    if (chunk == nullptr) return;
    mesh_.points = uninitialised_array<Vec3>(chunk->count);
    for (std::size_t i = 0; i < chunk->count; ++i) mesh_.points[i] = finite(chunk->read_vec3(i, 0), *chunk, i);
  }

  void read_wedges() {
    const Chunk* const chunk = find("VTXW0000", kPackedWedgeBytes);
    if (chunk == nullptr) return;
    const bool packed = chunk->record_bytes < kWedgeBytes;
    const std::size_t uv_at = packed ? 2 : 4;
    const bool is_short = packed || mesh_.points.size() <= kMostShortPoints;
    mesh_.wedges = uninitialised_array<Wedge>(chunk->count);
    for (std::size_t i = 0; i < chunk->count; ++i) {
      Wedge& wedge = mesh_.wedges[i];
      wedge.point = is_short ? chunk->read<std::uint16_t>(i, 0) : chunk->read<std::uint32_t>(i, 0);
      if (wedge.point >= mesh_.points.size()) wedge.point = kNoPoint;
      wedge.uv = finite(Vec2{chunk->read<float>(i, uv_at), chunk->read<float>(i, uv_at + 4)}, *chunk, i);
    }
  }

  void read_faces() {
    const Chunk* chunk = find("FACE0000", 12);
    const bool wide = chunk == nullptr;
    if (wide) chunk = find("FACE3200", 18);
    if (chunk == nullptr) return;
    const std::size_t index_bytes = wide ? 4 : 2;
    mesh_.faces.reserve(chunk->count);
    for (std::size_t i = 0; i < chunk->count; ++i) {
      Face face;
      for (std::size_t corner = 0; corner < 3; ++corner) {
        const std::size_t at = corner * index_bytes;
        face.wedges[corner] = wide ? chunk->read<std::uint32_t>(i, at) : chunk->read<std::uint16_t>(i, at);
      }
      face.material = chunk->read<std::uint8_t>(i, 3 * index_bytes);
      face.smoothing_groups = chunk->read<std::uint32_t>(i, 3 * index_bytes + 2);
      if (has_corners(face)) {
        mesh_.faces.push_back(face);
      } else {
        remark(FindingId::psk_face_dropped, *chunk, i,
               fmt::format("found wedges {}, {}, {}; this file has {} wedges and {} points", face.wedges[0],
                           face.wedges[1], face.wedges[2], mesh_.wedges.size(), mesh_.points.size()));
      }
    }
    // No face has them.
    for (Wedge& wedge : mesh_.wedges) {
      if (wedge.point == kNoPoint) wedge.point = 0;
    }
  }

  [[nodiscard]] bool has_corners(const Face& face) const {
    return std::ranges::all_of(face.wedges, [&](std::uint32_t wedge) {
      return wedge < mesh_.wedges.size() && mesh_.wedges[wedge].point != kNoPoint;
    });
  }

  void read_materials() {
    const Chunk* const chunk = find("MATT0000", 64);
    if (chunk == nullptr) return;
    for (std::size_t i = 0; i < chunk->count; ++i) {
      mesh_.materials.push_back(
          {chunk->read_name(i, 0), chunk->record_bytes >= 72 ? chunk->read<std::uint32_t>(i, 68) : 0});
    }
  }

  void read_influences() {
    const Chunk* chunk = find("RAWWEIGHTS", 12);
    if (chunk == nullptr) chunk = find("RAWW0000", 12);
    if (chunk == nullptr) return;
    mesh_.influences.reserve(chunk->count);
    for (std::size_t i = 0; i < chunk->count; ++i) {
      const Influence found{chunk->read<float>(i, 0), chunk->read<std::uint32_t>(i, 4),
                            chunk->read<std::uint32_t>(i, 8)};
      const bool exists = found.point < mesh_.points.size() && found.bone < mesh_.bones.size();
      if (exists && found.weight > 0 && std::isfinite(found.weight)) {
        mesh_.influences.push_back(found);
      } else if (!(exists && found.weight == 0)) {
        remark(FindingId::psk_weight_dropped, *chunk, i,
               fmt::format("found weight {}, point {} of {}, bone {} of {}", found.weight,
                           static_cast<std::int32_t>(found.point), mesh_.points.size(),
                           static_cast<std::int32_t>(found.bone), mesh_.bones.size()));
      }
    }
  }

  /// A chunk with one record for each of `count`, or null.
  const Chunk* find_one_each(const Chunk* chunk, std::size_t count) {
    if (chunk == nullptr || chunk->count == count) return chunk;
    remark(FindingId::psk_part_ignored, *chunk, 0, fmt::format("found {} records; {} are needed", chunk->count, count));
    return nullptr;
  }

  void read_normals() {
    const Chunk* const chunk = find_one_each(find("VTXNORMS", 12), mesh_.points.size());
    if (chunk == nullptr) return;
    mesh_.normals = uninitialised_array<Vec3>(chunk->count);
    for (std::size_t i = 0; i < chunk->count; ++i) mesh_.normals[i] = chunk->read_vec3(i, 0);
    const auto bad = std::ranges::find_if_not(mesh_.normals, [](Vec3 normal) { return is_finite(normal); });
    if (bad == mesh_.normals.end()) return;
    remark(FindingId::psk_part_ignored, *chunk, static_cast<std::size_t>(bad - mesh_.normals.begin()),
           "the normal is not finite");
    mesh_.normals.clear();
  }

  void read_colours() {
    const Chunk* const chunk = find_one_each(find("VERTEXCOLOR", 4), mesh_.wedges.size());
    if (chunk == nullptr) return;
    mesh_.colours.resize(chunk->count);
    for (std::size_t i = 0; i < chunk->count; ++i) mesh_.colours[i] = chunk->read<Colour>(i, 0);
  }

  void read_extra_uvs() {
    for (const Chunk& candidate : chunks_) {
      if (!candidate.id.starts_with("EXTRAUV") || candidate.record_bytes < 8) continue;
      const Chunk* const chunk = find_one_each(&candidate, mesh_.wedges.size());
      if (chunk == nullptr) continue;
      Array<Vec2>& uvs = mesh_.extra_uvs.emplace_back(chunk->count);
      for (std::size_t i = 0; i < chunk->count; ++i) {
        uvs[i] = finite(Vec2{chunk->read<float>(i, 0), chunk->read<float>(i, 4)}, *chunk, i);
      }
    }
  }

  Remarks& remarks_;
  std::vector<Chunk> chunks_;
  Mesh mesh_;
};

}  // namespace

std::vector<Bone> read_bones(const Chunk& chunk) {
  std::vector<Bone> bones(chunk.count);
  for (std::size_t i = 0; i < bones.size(); ++i) {
    bones[i] = {chunk.read_name(i, 0), chunk.read<std::int32_t>(i, 72), chunk.read_quat(i, 76), chunk.read_vec3(i, 92)};
  }
  return bones;
}

std::expected<Mesh, Finding> read_mesh(std::span<const std::byte> bytes, Remarks& remarks) {
  return MeshReader(bytes, remarks).read();
}

}  // namespace pchr::psk
