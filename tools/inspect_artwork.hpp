// SPDX-License-Identifier: MIT
// What inspect says about an artwork.
#pragma once

#include "json.hpp"

#include <pchr/import/import.hpp>

namespace pchr::tools {

/// Appends the canvas, the tree of layers, tags, tilesets and drawing aids as text; nothing for a character that is no
/// artwork.
void append_artwork(fmt::memory_buffer& out, const Imported& imported);

/// Appends the same as one JSON value: null for a character that is no artwork.
void append_artwork(JsonWriter& json, const Imported& imported);

}  // namespace pchr::tools
