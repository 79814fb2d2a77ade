// SPDX-License-Identifier: MIT
// Sheets as files: a PNG and its JSON for each page.
#pragma once

#include "film/film_output.hpp"
#include "film/sheet.hpp"

#include <cstddef>
#include <string>

namespace pchr::film {

/// sheet.png, sheet-1.png, sheet-2.png ... for `picture` "sheet.png"; with another extension the same for the JSON.
[[nodiscard]] std::string page_path(const std::string& picture, std::size_t page, const std::string& extension);

/// Draws a page and writes it with its JSON, `picture` being the path of the first page's.
[[nodiscard]] Result<void> write_page(const Sheet& sheet, std::size_t page, const SheetCells& cells,
                                      const SheetOptions& options, const std::string& picture, FilmOutput& output);

}  // namespace pchr::film
