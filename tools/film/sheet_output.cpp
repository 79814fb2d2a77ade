// SPDX-License-Identifier: MIT
// Sheets as files.
#include "film/sheet_output.hpp"

#include <pchr/image.hpp>

#include <fmt/format.h>

#include <filesystem>
#include <span>

namespace pchr::film {

namespace fs = std::filesystem;

std::string page_path(const std::string& picture, std::size_t page, const std::string& extension) {
  const fs::path path(picture);
  const std::string number = page == 0 ? "" : fmt::format("-{}", page);
  return (path.parent_path() / (path.stem().string() + number + extension)).string();
}

Result<void> write_page(const Sheet& sheet, std::size_t page, const SheetCells& cells, const SheetOptions& options,
                        const std::string& picture, FilmOutput& output) {
  const std::string path = page_path(picture, page, fs::path(picture).extension().string());
  const auto png = encode_png(draw_sheet(sheet, cells, options));
  if (auto written = output.write(path, png, true); !written) return written;
  const std::string json = write_sheet_json(sheet, options, fs::path(path).filename().string());
  return output.write(page_path(picture, page, ".json"), std::as_bytes(std::span(json)), true);
}

}  // namespace pchr::film
