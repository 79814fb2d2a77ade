// SPDX-License-Identifier: MIT
// The lines of a Pomyu character as commands with their fields.
#pragma once

#include "model/remarks.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pchr::chp {

/// A word of a line.
struct Field {
  std::string_view text;
  std::uint32_t column = 0;  ///< In bytes of the line as UTF-8, from 1.
};

/// A line such as `#Flame 2 50 // faster`. What it says points into the text it was read from.
struct Command {
  std::uint32_t line = 0;     ///< From 1.
  std::uint32_t column = 0;   ///< Of the `#`, from 1.
  std::string name;           ///< What follows the `#`, its ASCII letters small: "flame".
  Field value;                ///< The rest of the line as one text, without the comment: "2 50".
  std::vector<Field> fields;  ///< The words of it, up to one that begins with `/`.
};

/// Splits UTF-8 text into commands. A line that is none is left out with a remark, and so are those past the first
/// 100,000.
[[nodiscard]] std::vector<Command> read_commands(std::string_view text, Remarks& remarks);

}  // namespace pchr::chp
