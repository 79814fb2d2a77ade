// SPDX-License-Identifier: MIT
// Where things stand in a JSON text.
#pragma once

#include "model/build.hpp"

#include <string_view>

namespace pchr {

/// A JSON text, with simdjson's padding behind it, and where in its file it begins.
struct JsonText {
  std::string_view text;
  std::size_t file_offset = 0;
};

/// Where byte `offset` of the text stands.
[[nodiscard]] Place place_at(const JsonText& json, std::size_t offset);

/// Where `location` stands in a Pachario JSON text, with its path in the spelling that the text uses. A value
/// that is not there is named by its path and found where its object begins. Parses the text again, so it is
/// slow, and asked only when something is wrong.
[[nodiscard]] Place find_in_json(const JsonText& json, const Location& location);

/// As find_in_json for the first few places that are asked for, nothing for later ones: a file may give cause for
/// any number of remarks, and each search reads it again.
[[nodiscard]] Locate locate_few(const JsonText& json);

}  // namespace pchr
