// SPDX-License-Identifier: MIT
// Writing of little-endian values.
#pragma once

#include <pchr/api.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace PCHR_API pchr {

static_assert(std::endian::native == std::endian::little, "files are little-endian and are copied as they are");

/// Growing buffer of bytes.
class ByteWriter {
 public:
  void reserve(std::size_t count) { bytes_.reserve(count); }

  template <typename T>
  void write(T value) {
    std::memcpy(grow(sizeof(T)), &value, sizeof(T));
  }

  /// Writes the values of a contiguous range as they are in memory.
  template <typename Values>
  void write_all(const Values& values) {
    const auto source = std::as_bytes(std::span(values));
    bytes_.insert(bytes_.end(), source.begin(), source.end());
  }

  /// Writes a uint16 length and the bytes of `text`, at most 65,535.
  void write_string(std::string_view text) {
    write(static_cast<std::uint16_t>(text.size()));
    write_all(text);
  }

  /// Appends `count` bytes. The caller fills them before the next write.
  [[nodiscard]] std::byte* grow(std::size_t count) {
    bytes_.resize(bytes_.size() + count);
    return bytes_.data() + bytes_.size() - count;
  }

  [[nodiscard]] std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
};

}  // namespace pchr
