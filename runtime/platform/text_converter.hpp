// SPDX-License-Identifier: MIT
// Converts text to UTF-8: with iconv, or with tables where the system converts other text than iconv.
#pragma once

#include <pchr/api.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace PCHR_API pchr {

/// Converts text in one encoding to UTF-8.
class TextConverter {
 public:
  /// `encoding` is a name for iconv, such as "CP932".
  explicit TextConverter(const std::string& encoding);
  ~TextConverter();
  TextConverter(const TextConverter&) = delete;
  TextConverter& operator=(const TextConverter&) = delete;

  /// Returns whether the system supports the encoding. If not, it cannot convert.
  [[nodiscard]] bool is_supported() const noexcept { return state_ != nullptr; }

  /// Converts the valid start of `input` and moves past it. Returns false if invalid bytes follow.
  [[nodiscard]] bool convert(std::span<const char>& input, std::string& utf8);

 private:
  void* state_ = nullptr;
};

/// Returns the label that the Encoding Standard has for an encoding if iconv has another name for it, such as
/// "shift_jis" for "CP932". Otherwise, returns `encoding`.
[[nodiscard]] std::string_view standard_label(std::string_view encoding) noexcept;

/// A text encoding that has ASCII, or UTF-16.
struct EncodingTable {
  enum class Kind : std::uint8_t { utf8, utf16_little_endian, utf16_big_endian, bytes };
  Kind kind = Kind::bytes;
  /// Code points by their first byte from 0x80. 0 if more bytes follow or none is valid.
  std::array<char32_t, 128> singles{};
  /// Code points of two bytes, by the first byte from 0x80, then by the second. 0 if invalid.
  std::vector<char32_t> pairs{};

  /// Returns the table of a Unicode encoding, by iconv's name. Returns null for others.
  [[nodiscard]] static const EncodingTable* find_unicode(std::string_view encoding) noexcept;

  /// Converts as TextConverter does.
  [[nodiscard]] bool convert(std::span<const char>& input, std::string& utf8) const;
};

}  // namespace pchr
