// SPDX-License-Identifier: MIT
// The JSON of a Pachario character, in both spellings.
#pragma once

#include "character/warnings.hpp"
#include "import/json/locate.hpp"

#include <pchr/load.hpp>

#include <expected>
#include <string>
#include <vector>

namespace pchr {

/// What the JSON says; its images have no bytes yet.
struct JsonCharacter {
  CharacterData data;
  std::vector<std::string> image_paths;  ///< As written, one per image.
  Warnings warnings;
};

/// Reads a JSON text. Keys may come in any order; unknown ones are ignored,
/// but must be JSON. Nothing is checked here that `build` checks. `remarks` come first among the warnings. Diagnostics
/// have paths, which `locate` finds.
[[nodiscard]] std::expected<JsonCharacter, Diagnostic> parse_pachario_json(const JsonText& json, const Limits& limits,
                                                                           Warnings remarks = {});

}  // namespace pchr
