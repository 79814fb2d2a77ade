// SPDX-License-Identifier: MIT
// Plain data of .psk and .psa files.
#pragma once

#include "import/diagnose.hpp"

#include <pchr/3d.hpp>
#include <pchr/expected.hpp>

#include <array>
#include <cstring>

namespace pchr::psk {

/// Complete records of a file. Programs append fields to records, so only the start of a record is known.
struct Chunk {
  std::string id;
  std::uint64_t offset = 0;  ///< Offset of its header in the file.
  std::uint32_t record_bytes = 0;
  std::uint32_t count = 0;
  const std::byte* records = nullptr;

  /// Returns the value at offset `at` of a record. Both must exist.
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
  /// Returns a name of at most 64 bytes without its padding, converted to UTF-8.
  [[nodiscard]] std::string read_name(std::size_t record, std::size_t at) const;
};

/// Returns the chunks of a file, which point into `bytes`. A truncated chunk has only its complete records.
[[nodiscard]] std::vector<Chunk> read_chunks(std::span<const std::byte> bytes, Warnings& warnings);

/// Returns the first chunk with the id. Returns an empty chunk if there is none or, with a warning, if its records have
/// fewer than `min_bytes` bytes.
[[nodiscard]] Chunk find_chunk(const std::vector<Chunk>& chunks, std::string_view id, std::uint32_t min_bytes,
                               Warnings& warnings);

struct Wedge {
  std::uint32_t point = 0;
  Vec2 uv{0.0F};  ///< v = 0 is the image's top row. Outside 0..1 the image repeats.
};

struct Face {
  std::array<std::uint32_t, 3> wedges{};
  std::uint32_t material = 0;
  std::uint32_t smoothing_groups = 0;  ///< One bit per group.
};

struct Material {
  std::string name;  ///< Name of an Unreal object, not necessarily unique.
  std::uint32_t poly_flags = 0;
};

/// Bone as stored: the rotations of all bones except roots are conjugated.
struct Bone {
  std::string name;  ///< Not necessarily unique.
  std::int32_t parent = 0;
  Quat rotation{};
  Vec3 position{0.0F};
};

struct Influence {
  float weight = 0;  ///< Above 0.
  std::uint32_t point = 0;
  std::uint32_t bone = 0;
};

/// Mesh. All indices are valid except the parents of bones and the materials of faces. All numbers are finite except
/// those of bones.
struct Mesh {
  std::vector<Vec3> points;
  std::vector<Wedge> wedges;
  std::vector<Face> faces;
  std::vector<Material> materials;
  std::vector<Bone> bones;
  std::vector<Influence> influences;
  std::vector<Vec3> normals;  ///< One per point, or none.
};

/// Reads a mesh with any type flags and any order of chunks. Warns about parts that cannot be used. Fails only if
/// neither faces nor bones remain.
[[nodiscard]] Expected<Mesh, Diagnostic> read_mesh(std::span<const std::byte> bytes, Warnings& warnings);

constexpr std::uint32_t kBoneBytes = 104;  ///< Known part of a bone record.
[[nodiscard]] std::vector<Bone> read_bones(const Chunk& chunk);

/// Transform of one bone in one frame, as stored; see Bone.
struct Key {
  Vec3 position{0.0F};
  Quat rotation{};
};

/// One animation: `frame_count` frames with one key per bone.
struct Sequence {
  std::string name;   ///< Not necessarily unique.
  std::string group;  ///< Often empty or "None".
  double frames_per_second = 30;
  std::uint32_t first_frame = 0;
  std::uint32_t frame_count = 0;
};

/// Contents of an animation file. All frames of its sequences have keys. The transforms of its bones have no meaning.
struct Animation {
  std::vector<Bone> bones;
  std::vector<Sequence> sequences;
  std::vector<Key> keys;
  std::vector<Vec3> scales;  ///< One per key, or none.
};

/// Reads an animation. Warns about parts that are repaired or cannot be used. Fails if bones, sequences or keys are
/// missing.
[[nodiscard]] Expected<Animation, Diagnostic> read_animation(std::span<const std::byte> bytes, Warnings& warnings);

}  // namespace pchr::psk
