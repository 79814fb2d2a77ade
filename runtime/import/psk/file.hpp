// SPDX-License-Identifier: MIT
// .psk and .psa files as plain data.
#pragma once

#include "import/diagnose.hpp"

#include <pchr/3d.hpp>

#include <array>
#include <cstring>
#include <expected>

namespace pchr::psk {

/// Records of a file, all of them complete. Programs add fields at their ends, so only their beginnings are known.
struct Chunk {
  std::string id;
  std::uint64_t offset = 0;  ///< Of its header in the file.
  std::uint32_t record_bytes = 0;
  std::uint32_t count = 0;
  const std::byte* records = nullptr;

  /// Returns the value at offset `at` of a record, both of which exist.
  template <typename T>
  [[nodiscard]] T read(std::size_t record, std::size_t at) const noexcept {
    T value;
    std::memcpy(&value, records + record * record_bytes + at, sizeof(T));
    return value;
  }
  /// Returns the values at the start of all records.
  template <typename T>
  [[nodiscard]] std::vector<T> read_all() const {
    std::vector<T> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = read<T>(i, 0);
    return values;
  }
  /// Returns a name of at most 64 bytes without its padding, in UTF-8 whatever its encoding was.
  [[nodiscard]] std::string read_name(std::size_t record, std::size_t at) const;
};

/// Returns the chunks of a file, which point into `bytes`. One that is cut short has its complete records.
[[nodiscard]] std::vector<Chunk> read_chunks(std::span<const std::byte> bytes, Warnings& warnings);

/// Returns the first chunk of that id; one without records where there is none or, with a warning, where its records
/// have fewer than `min_bytes`.
[[nodiscard]] Chunk find_chunk(const std::vector<Chunk>& chunks, std::string_view id, std::uint32_t min_bytes,
                               Warnings& warnings);

struct Wedge {
  std::uint32_t point = 0;
  Vec2 uv{0.0F};  ///< v = 0 is the image's top row. Outside 0..1 the image repeats.
};

struct Face {
  std::array<std::uint32_t, 3> wedges{};
  std::uint32_t material = 0;
  std::uint32_t smoothing_groups = 0;  ///< A bit for each group.
};

struct Material {
  std::string name;  ///< Of an Unreal object. Several may be alike.
  std::uint32_t poly_flags = 0;
};

/// A bone as stored: the rotation of every bone but a root is conjugated.
struct Bone {
  std::string name;  ///< Several may be alike.
  std::int32_t parent = 0;
  Quat rotation{};
  Vec3 position{0.0F};
};

struct Influence {
  float weight = 0;  ///< Above 0.
  std::uint32_t point = 0;
  std::uint32_t bone = 0;
};

/// A mesh. All indices exist but those of a bone's parent and a face's material, and all numbers are finite but those
/// of bones.
struct Mesh {
  std::vector<Vec3> points;
  std::vector<Wedge> wedges;
  std::vector<Face> faces;
  std::vector<Material> materials;
  std::vector<Bone> bones;
  std::vector<Influence> influences;
  std::vector<Vec3> normals;  ///< One per point, or none.
};

/// Reads a mesh, whatever its type flags and the order of its chunks. Warns about what cannot be used; fails only where
/// neither faces nor bones are left.
[[nodiscard]] std::expected<Mesh, Diagnostic> read_mesh(std::span<const std::byte> bytes, Warnings& warnings);

constexpr std::uint32_t kBoneBytes = 104;  ///< The known part of a bone's record.
[[nodiscard]] std::vector<Bone> read_bones(const Chunk& chunk);

/// One bone in one frame, as stored; see Bone.
struct Key {
  Vec3 position{0.0F};
  Quat rotation{};
};

/// An animation: `frame_count` frames with a key for each bone.
struct Sequence {
  std::string name;   ///< Several may be alike.
  std::string group;  ///< Often empty, or None.
  double frames_per_second = 30;
  std::uint32_t first_frame = 0;
  std::uint32_t frame_count = 0;
};

/// The sequences of a file, all frames of which have keys. The transforms of its bones are meaningless.
struct Animation {
  std::vector<Bone> bones;
  std::vector<Sequence> sequences;
  std::vector<Key> keys;
  std::vector<Vec3> scales;  ///< One per key, or none.
};

/// Reads an animation. Warns about what is repaired or cannot be used; fails where bones, sequences or keys are
/// missing.
[[nodiscard]] std::expected<Animation, Diagnostic> read_animation(std::span<const std::byte> bytes, Warnings& warnings);

}  // namespace pchr::psk
