// SPDX-License-Identifier: MIT
// Pomyu characters from text, for tests.
#pragma once

#include "import/chp/chp.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pchr::test {

/// The result of parsing a text, with its diagnostics.
struct Interpreted {
  chp::File file;
  std::vector<Diagnostic> diagnostics;
  std::vector<std::string> codes;  ///< Codes of the diagnostics, in order.

  [[nodiscard]] const chp::Animation& animation(int number) const {
    return file.animations[static_cast<std::size_t>(number - 1)];
  }
};

[[nodiscard]] inline Interpreted interpreted(std::string_view text) {
  Warnings warnings;
  Interpreted result{chp::interpret(chp::read_commands(text, warnings), warnings), {}, {}};
  result.diagnostics = std::move(warnings).take();
  for (const Diagnostic& diagnostic : result.diagnostics) result.codes.emplace_back(code(diagnostic.id));
  return result;
}

}  // namespace pchr::test
