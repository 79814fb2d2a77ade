// SPDX-License-Identifier: MIT
// Text files that describe a sprite sheet to engines.
#pragma once

#include "export/sheet_data.hpp"

namespace pchr::exporting {

/// Names the frames that have no name yet.
void name_frames(Sheet& sheet, const SheetOptions& options);

/// Text file next to the pages.
struct SheetFile {
  std::string path, text;
};

/// Returns the files that describe a sheet.
[[nodiscard]] std::vector<SheetFile> sheet_files(const Sheet& sheet, const SheetOptions& options);

}  // namespace pchr::exporting
