// SPDX-License-Identifier: MIT
// Bounds-checked reading of little-endian values.
#pragma once

#include <pchr/api.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace PCHR_API pchr {

static_assert(std::endian::native == std::endian::little, "files are little-endian and are copied as they are");

/// Cursor with a sticky failure. After a read past the end, every read returns zeros or an empty span, and the cursor
/// stays where the failed read started. Check `failed()` once after a group of reads.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) noexcept : bytes_(bytes) {}

  template <typename T>
  [[nodiscard]] T read() noexcept {
    T value{};
    const auto source = take(sizeof(T));
    if (!source.empty()) std::memcpy(&value, source.data(), sizeof(T));
    return value;
  }

  /// Reads consecutive values.
  template <typename... Values>
  void read_into(Values&... values) noexcept {
    ((values = read<Values>()), ...);
  }

  /// Returns the next `count` bytes, or none if there are fewer.
  [[nodiscard]] std::span<const std::byte> take(std::uint64_t count) noexcept {
    if (failed_) return {};
    if (count > remaining()) {
      failed_ = true;
      needed_ = count;
      return {};
    }
    const auto result = bytes_.subspan(position_, count);
    position_ += count;
    return result;
  }

  /// Reads a uint16 length and that many bytes.
  [[nodiscard]] std::string_view read_string() noexcept {
    const auto bytes = take(read<std::uint16_t>());
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

  [[nodiscard]] std::uint64_t position() const noexcept { return position_; }
  [[nodiscard]] std::uint64_t remaining() const noexcept { return bytes_.size() - position_; }
  [[nodiscard]] bool failed() const noexcept { return failed_; }
  /// Returns the number of bytes that the failed read needed.
  [[nodiscard]] std::uint64_t needed() const noexcept { return needed_; }

 private:
  std::span<const std::byte> bytes_;
  std::uint64_t position_ = 0;
  std::uint64_t needed_ = 0;
  bool failed_ = false;
};

}  // namespace pchr
