// SPDX-License-Identifier: MIT
// Lists folders.
#include "import/folders.hpp"

#include <utility>

namespace pchr {
namespace {

namespace fs = std::filesystem;
using Kind = FolderEntry::Kind;

Kind kind_of(const fs::directory_entry& entry) {
  std::error_code unknown;
  if (entry.is_directory(unknown)) return entry.is_symlink(unknown) ? Kind::link_to_folder : Kind::folder;
  return entry.is_regular_file(unknown) ? Kind::file : Kind::other;
}

}  // namespace

void visit_folder(const fs::path& folder, const ImportOptions& options,
                  const Callback<bool(const FolderEntry& entry)>& visit) {
  if (!options.read_file) {
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
      if (!visit({entry->path(), kind_of(*entry)})) return;
    }
  } else if (options.list_folder) {
    const std::string name = folder.lexically_normal().generic_string();
    for (std::string& each : options.list_folder(name == "." ? std::string() : name)) {
      const bool is_folder = each.ends_with('/');
      if (is_folder) each.pop_back();
      if (!visit({folder / each, is_folder ? Kind::folder : Kind::file})) return;
    }
  }
}

fs::path absolute_folder(const fs::path& folder, const ImportOptions& options) {
  std::error_code error;
  const fs::path path = options.read_file ? folder : fs::absolute(folder, error);
  if (error) return folder;
  const fs::path normal = (path / "").lexically_normal().parent_path();
  return normal.empty() ? "." : normal;
}

}  // namespace pchr
