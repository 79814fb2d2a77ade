// SPDX-License-Identifier: MIT
// Names of output files with parts that are filled in.
#pragma once

#include "common.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pchr::tools {

/// What a name is filled in with.
struct NameParts {
  std::string file, clip;
  std::uint64_t index = 0;  ///< Of the clip.
  std::uint64_t frame = 0;
};

/// A name such as "{file}_{clip}_{frame:04}.png". What comes from a character is made safe: it is no path, and not "-".
class NameTemplate {
 public:
  /// Fails, as wrong usage, where something else stands in braces.
  [[nodiscard]] static Result<NameTemplate> parse(const std::string& text);

  [[nodiscard]] bool has_frame() const noexcept;
  [[nodiscard]] std::string fill(const NameParts& parts) const;

  /// A clip's name, or another that comes from a file, as a part of a file's.
  [[nodiscard]] static std::string safe(std::string_view name);

 private:
  enum class Kind : std::uint8_t { text, file, clip, index, frame };
  struct Part {
    Kind kind = Kind::text;
    std::string text{};      ///< Of a text.
    std::size_t digits = 1;  ///< Of a number, at least.
  };
  static Result<Part> parse_part(std::string_view name);

  std::vector<Part> parts_;
};

}  // namespace pchr::tools
