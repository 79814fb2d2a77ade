// SPDX-License-Identifier: MIT
// Pomyu characters from text in tests.
#pragma once

#include "formats/chp/file.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pchr::test {

/// What a text says, and what was remarked about it.
struct Interpreted {
  chp::File file;
  std::vector<Finding> findings;
  std::vector<std::string> codes;  ///< Of the findings, in order.

  [[nodiscard]] const chp::Animation& animation(int number) const {
    return file.animations[static_cast<std::size_t>(number - 1)];
  }
};

[[nodiscard]] inline Interpreted interpreted(std::string_view text) {
  Remarks remarks;
  Interpreted result{chp::interpret(chp::read_commands(text, remarks), remarks), {}, {}};
  result.findings = std::move(remarks).take();
  for (const Finding& finding : result.findings) result.codes.emplace_back(code(finding.id));
  return result;
}

}  // namespace pchr::test
