// SPDX-License-Identifier: MIT
// Text encodings: iconv's, or the browser's on the web.
#pragma once

#include <pchr/api.hpp>

#include <span>
#include <string>

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

}  // namespace pchr
