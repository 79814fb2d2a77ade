// SPDX-License-Identifier: MIT
// .psk and .psa files as plain data.
#pragma once

#include "character/warnings.hpp"

#include <pchr/3d.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pchr::psk {

/// `count` records of `record_bytes` each, all of them in the file. Programs add fields at the end of records, so what
/// is known of one is its beginning.
struct Chunk {
  std::string id;
  std::uint64_t offset = 0;  ///< Of its header in the file.
  std::uint32_t record_bytes = 0;
  std::uint32_t count = 0;
  const std::byte* records = nullptr;

  /// The value at `offset` of a record, both of which exist.
  template <typename T>
  [[nodiscard]] T read(std::size_t record, std::size_t offset_in_record) const noexcept {
    T value;
    std::memcpy(&value, records + record * record_bytes + offset_in_record, sizeof(T));
    return value;
  }
  [[nodiscard]] Vec3 read_vec3(std::size_t record, std::size_t at) const noexcept {
    return {read<float>(record, at), read<float>(record, at + 4), read<float>(record, at + 8)};
  }
  [[nodiscard]] Quat read_quat(std::size_t record, std::size_t at) const noexcept {
    return {read<float>(record, at), read<float>(record, at + 4), read<float>(record, at + 8),
            read<float>(record, at + 12)};
  }
  /// A name of at most 64 bytes: without what follows its end, or pads it, and in UTF-8 whatever it was in.
  [[nodiscard]] std::string read_name(std::size_t record, std::size_t at) const;
};

/// All chunks of a file, in its order. Of one that the file cuts short, the whole records. They point into `bytes`.
[[nodiscard]] std::vector<Chunk> read_chunks(std::span<const std::byte> bytes, Warnings& warnings);

/// The first chunk of that id whose records have at least `min_bytes`, or null. One with shorter records is warninged
/// upon.
[[nodiscard]] const Chunk* find_chunk(const std::vector<Chunk>& chunks, std::string_view id, std::uint32_t min_bytes,
                                      Warnings& warnings);

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

/// A mesh. Every index but a bone's parent and a face's material is of something that is there, and every number but
/// those of bones is finite.
struct Mesh {
  std::vector<Vec3> points;
  std::vector<Wedge> wedges;
  std::vector<Face> faces;
  std::vector<Material> materials;
  std::vector<Bone> bones;
  std::vector<Influence> influences;
  std::vector<Vec3> normals;  ///< One per point, or none.
};

/// Reads a mesh. Fails only where it has neither faces nor bones to show; all else that cannot be used is left out and
/// warned about. Type flags, which each program sets otherwise, and the order of the chunks do not matter.
[[nodiscard]] std::expected<Mesh, Diagnostic> read_mesh(std::span<const std::byte> bytes, Warnings& warnings);

/// The first `chunk`'s bones, as both kinds of file have them.
[[nodiscard]] std::vector<Bone> read_bones(const Chunk& chunk);
constexpr std::uint32_t kBoneBytes = 104;  ///< What is known of a record of them.

/// One bone in one frame, as stored: rotations as of Bone.
struct Key {
  Vec3 position{0.0F};
  Quat rotation{};
};

/// An animation: `frame_count` frames of as many keys as there are bones.
struct Sequence {
  std::string name;   ///< Several may be alike.
  std::string group;  ///< Often empty, or None.
  double frames_per_second = 30;
  std::uint32_t first_frame = 0;
  std::uint32_t frame_count = 0;
};

/// All sequences of a file. Each has its frames among the keys. The bones' own places say nothing.
struct Animation {
  std::vector<Bone> bones;
  std::vector<Sequence> sequences;
  std::vector<Key> keys;
  std::vector<Vec3> scales;  ///< One per key, or none.
};

/// Reads an animation. Fails where bones, sequences or keys are missing; all else that cannot be used is mended or left
/// out, and warned about.
[[nodiscard]] std::expected<Animation, Diagnostic> read_animation(std::span<const std::byte> bytes, Warnings& warnings);

}  // namespace pchr::psk
