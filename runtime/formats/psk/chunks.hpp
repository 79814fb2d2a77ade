// SPDX-License-Identifier: MIT
// The chunks that Unreal's .psk and .psa files are made of.
#pragma once

#include "model/remarks.hpp"

#include <pchr/spatial.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
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

/// Whether a file begins as a mesh (.psk, .pskx).
[[nodiscard]] bool is_mesh(std::span<const std::byte> bytes) noexcept;
/// Whether a file begins as an animation (.psa).
[[nodiscard]] bool is_animation(std::span<const std::byte> bytes) noexcept;

/// All chunks of a file, in its order. Of one that the file cuts short, the whole records. They point into `bytes`.
[[nodiscard]] std::vector<Chunk> read_chunks(std::span<const std::byte> bytes, Remarks& remarks);

/// The first chunk of that id whose records have at least `least_bytes`, or null. One with shorter records is remarked
/// upon.
[[nodiscard]] const Chunk* find_chunk(const std::vector<Chunk>& chunks, std::string_view id, std::uint32_t least_bytes,
                                      Remarks& remarks);

}  // namespace pchr::psk
