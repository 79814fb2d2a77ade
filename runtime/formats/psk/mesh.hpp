// SPDX-License-Identifier: MIT
// What a .psk or .pskx file says, as plain data: right-handed, z up, faces clockwise seen from outside.
#pragma once

#include "formats/psk/chunks.hpp"

#include <pchr/array.hpp>

#include <array>
#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <vector>

namespace pchr::psk {

/// A corner of faces: a point, and where it is in the texture.
struct Wedge {
  std::uint32_t point = 0;
  Vec2 uv{0.0F};  ///< v = 0 is the image's top row. Outside 0..1 the image repeats.
};

/// A triangle.
struct Face {
  std::array<std::uint32_t, 3> wedges{};
  std::uint32_t material = 0;
  std::uint32_t smoothing_groups = 0;  ///< A bit for each group.
};

struct Material {
  std::string name;  ///< Of an object of Unreal's. Several may be alike.
  std::uint32_t poly_flags = 0;
};

/// A bone as stored: of every bone but a root the rotation is the conjugate of what it says.
struct Bone {
  std::string name;  ///< Several may be alike.
  std::int32_t parent = 0;
  Quat rotation{};
  Vec3 position{0.0F};
};

/// One bone's hold on one point.
struct Influence {
  float weight = 0;  ///< Above 0.
  std::uint32_t point = 0;
  std::uint32_t bone = 0;
};

using Colour = std::array<std::uint8_t, 4>;

/// A mesh. Every index but a bone's parent and a face's material is of something that is there, and every number but
/// those of bones is finite.
struct Mesh {
  Array<Vec3> points;
  Array<Wedge> wedges;
  Array<Face> faces;
  std::vector<Material> materials;
  std::vector<Bone> bones;
  Array<Influence> influences;
  Array<Vec3> normals;                 ///< One per point, or none.
  Array<Colour> colours;               ///< RGBA, one per wedge, or none.
  std::vector<Array<Vec2>> extra_uvs;  ///< Each one per wedge.
};

/// Reads a mesh. Fails only where it has neither faces nor bones to show; all else that cannot be used is left out and
/// remarked upon. Type flags, which each program sets otherwise, and the order of the chunks do not matter.
[[nodiscard]] std::expected<Mesh, Finding> read_mesh(std::span<const std::byte> bytes, Remarks& remarks);

/// The first `chunk`'s bones, as both kinds of file have them.
[[nodiscard]] std::vector<Bone> read_bones(const Chunk& chunk);
constexpr std::uint32_t kBoneBytes = 104;  ///< What is known of a record of them.

}  // namespace pchr::psk
