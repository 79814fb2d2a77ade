// SPDX-License-Identifier: MIT
// What inspect says about an artwork.
#pragma once

#include "json.hpp"

#include <pchr/character.hpp>

namespace pchr::tools {

/// The canvas, the tree of layers, tags, tilesets and drawing aids as text; nothing for a character that is no artwork.
void append_artwork(fmt::memory_buffer& out, const Character& character);

/// The same as one JSON value: null for a character that is no artwork.
void append_artwork(JsonWriter& json, const Character& character);

}  // namespace pchr::tools
