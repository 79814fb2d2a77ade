// SPDX-License-Identifier: MIT
#include "open.hpp"

namespace pchr::web {

Expected<Opened, LoadError> open_character(const File& file, const Files& /*files*/, const Limits& limits,
                                           std::vector<std::string>& /*missing*/) {
  auto character = load(file.contents(), {.limits = limits});
  if (!character) return Unexpected(std::move(character.error()));
  Opened opened{*std::move(character), "PCHR v1"};
  const auto warnings = opened.character.warnings();
  opened.diagnostics.assign(warnings.begin(), warnings.end());
  return opened;
}

}  // namespace pchr::web
