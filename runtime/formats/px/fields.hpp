// SPDX-License-Identifier: MIT
// Reads the fields of a .px file's models, of which older files have fewer and newer ones more.
#pragma once

#include <pchr/artwork.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

namespace pchr::px {

/// A cursor over a part of a file. Where that ends, fields take their defaults; what ends in the middle of a field is
/// cut.
class Fields {
 public:
  explicit Fields(std::span<const std::byte> bytes, std::uint64_t offset = 0) noexcept
      : bytes_(bytes), offset_(offset) {}

  template <typename T>
  [[nodiscard]] T read(T otherwise = {}) noexcept {
    const auto source = take(sizeof(T));
    if (source.size() == sizeof(T)) std::memcpy(&otherwise, source.data(), sizeof(T));
    return otherwise;
  }

  /// The next `count` bytes. Where there are fewer, those that are left.
  std::span<const std::byte> take(std::uint64_t count) noexcept;
  /// The same, to read from.
  [[nodiscard]] Fields part(std::uint64_t count) noexcept {
    const std::uint64_t start = offset_ + position_;
    const auto bytes = take(count);
    Fields result(bytes, start);
    result.cut_ = bytes.size() < count;
    cut_ = cut_ || result.cut_;
    return result;
  }

  /// Half precision, as it is: also what is no number.
  [[nodiscard]] float read_half(float otherwise) noexcept;
  /// Whose channels are multiplied by their alpha; made straight.
  [[nodiscard]] Rgba read_colour() noexcept;
  /// An identifier: `bytes` bytes, or as many as the uint16 before them says.
  /// @{
  [[nodiscard]] std::string_view read_id(std::uint64_t bytes) noexcept;
  [[nodiscard]] std::string_view read_id() noexcept { return read_id(read<std::uint16_t>()); }
  /// @}
  /// A name, likewise; what is not UTF-8 in it becomes U+FFFD.
  /// @{
  [[nodiscard]] std::string read_name(std::uint64_t bytes);
  [[nodiscard]] std::string read_name() { return read_name(read<std::uint16_t>()); }
  /// @}

  /// Calls `read` with this for each element of an array: a uint64 count, then the elements. More than could be there,
  /// of at least `least_bytes` each, makes what follows unreadable.
  template <typename Read>
  void read_array(std::uint64_t least_bytes, Read read_element) {
    const auto count = read<std::uint64_t>();
    if (count > remaining() / least_bytes) return give_up();
    std::uint64_t i = 0;
    for (; i < count && remaining() > 0; ++i) read_element(*this);
    if (i < count) give_up();
  }

  [[nodiscard]] std::uint64_t offset() const noexcept { return offset_ + position_; }  ///< In the file.
  [[nodiscard]] std::uint64_t remaining() const noexcept { return bytes_.size() - position_; }
  [[nodiscard]] bool cut() const noexcept { return cut_; }

 private:
  void give_up() noexcept {
    position_ = bytes_.size();
    cut_ = true;
  }

  std::span<const std::byte> bytes_;
  std::uint64_t offset_ = 0;
  std::uint64_t position_ = 0;
  bool cut_ = false;
};

/// A header and the content whose size its first number gives.
struct Model {
  Fields header;
  Fields content;
};

template <typename Size>
[[nodiscard]] Model read_model(Fields& fields, std::uint64_t header_bytes) noexcept {
  Fields header = fields.part(header_bytes);
  const auto size = header.read<Size>();
  return {header, fields.part(size)};
}

}  // namespace pchr::px
