// SPDX-License-Identifier: MIT
// Where things stand in a JSON text.
#pragma once

#include <pchr/diagnostic.hpp>

#include <cstddef>
#include <span>
#include <string_view>

namespace pchr {

/// A JSON text, with simdjson's padding behind it, and where in its file it begins.
struct JsonText {
  std::string_view text;
  std::size_t file_offset = 0;
};

/// Whether a text names its keys as the exporter does.
[[nodiscard]] bool is_pachario_dialect(std::string_view text) noexcept;

/// Sets the place of `diagnostic` to byte `offset` of the text.
void set_place(Diagnostic& diagnostic, const JsonText& json, std::size_t offset);

/// Finds the paths of all diagnostics that have a path and no line yet, in one pass over the text, and spells them as
/// the text does. A value that is not there is found where its object begins.
void locate(const JsonText& json, std::span<Diagnostic> diagnostics);

}  // namespace pchr
