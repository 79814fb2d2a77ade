// SPDX-License-Identifier: MIT
// The part of inspect that describes artworks.
#pragma once

#include "json.hpp"

#include <pchr/import/import.hpp>

namespace pchr::tools {

/// Appends the canvas, layers, tags, tilesets and drawing aids as text; nothing for a character that is no artwork.
void append_artwork(std::string& out, const Imported& imported);
/// Appends the same as JSON.
void append_artwork(JsonWriter& json, const Artwork& artwork);

}  // namespace pchr::tools
