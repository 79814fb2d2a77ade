// SPDX-License-Identifier: MIT
// Unreal meshes and animations for tests.
#pragma once

#include "support/files.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pchr::test {

/// A chunk. Tests can corrupt its records.
struct PskChunk {
  std::string id;
  std::int32_t record_bytes = 0;
  std::int32_t count = 0;
  Bytes records;
};

/// The chunks of a file, in file order.
using PskFile = std::vector<PskChunk>;

[[nodiscard]] Bytes bytes_of(const PskFile& file);
/// Returns the chunk with that id, which must exist.
[[nodiscard]] PskChunk& chunk_of(PskFile& file, std::string_view id);
/// Overwrites bytes of a record.
template <typename T>
void put(PskChunk& chunk, std::size_t record, std::size_t at, const T& value);

/// A bone as stored in a file.
struct PskBone {
  std::string name;
  std::int32_t parent = 0;
  std::array<float, 4> rotation{0, 0, 0, 1};
  std::array<float, 3> position{};
};

/// Returns a tetrahedron with two bones, root and tip, each moving two of its points. It has no material.
[[nodiscard]] PskFile small_psk();
/// A box with its own material and bone (0 root, 1 tip).
struct PskBox {
  std::string material;
  std::array<float, 3> min{}, max{};
  std::int32_t bone = 0;
};
/// Returns boxes on the bones of small_psk(), each a mesh.
[[nodiscard]] PskFile boxes_psk(const std::vector<PskBox>& boxes);
/// Returns one sequence, "turn", of four frames for the same bones. The tip moves up by one each frame.
[[nodiscard]] PskFile small_psa();

[[nodiscard]] PskChunk bone_chunk(std::string_view id, const std::vector<PskBone>& bones);
/// Returns materials with these names.
[[nodiscard]] PskChunk material_chunk(const std::vector<std::string>& names);
/// Returns small_psa() for other bones. Each has a key in every frame, with as many frames as the eight keys allow.
[[nodiscard]] PskFile psa_for(const std::vector<std::string>& bones);

template <typename T>
void put(PskChunk& chunk, std::size_t record, std::size_t at, const T& value) {
  const auto* const bytes = reinterpret_cast<const std::byte*>(&value);
  std::copy(
      bytes, bytes + sizeof(T),
      chunk.records.begin() + static_cast<std::ptrdiff_t>(record * static_cast<std::size_t>(chunk.record_bytes) + at));
}

/// Returns a chunk with the given records.
template <typename Record>
[[nodiscard]] PskChunk chunk_of_records(std::string_view id, const std::vector<Record>& records) {
  const auto* const bytes = reinterpret_cast<const std::byte*>(records.data());
  return {std::string(id), sizeof(Record), static_cast<std::int32_t>(records.size()),
          Bytes(bytes, bytes + records.size() * sizeof(Record))};
}

}  // namespace pchr::test
