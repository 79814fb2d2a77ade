// SPDX-License-Identifier: MIT
// Lists folders of the file system, or those of the program's own files.
#pragma once

#include "platform/file_system.hpp"

#include <pchr/import/import.hpp>

namespace pchr {

/// Calls `visit` for the path of each entry of a folder, in any order, until it returns false. Visits nothing if the
/// folder cannot be read, or if the options replace the file system without listing folders.
void visit_folder(const std::string& folder, const ImportOptions& options,
                  const Callback<bool(std::string path, FileKind kind)>& visit);

/// Returns an absolute path without `.` or `..`. The program's own files have no working directory, so their paths stay
/// relative.
[[nodiscard]] std::string absolute_folder(const std::string& folder, const ImportOptions& options);

}  // namespace pchr
