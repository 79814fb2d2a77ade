// SPDX-License-Identifier: MIT
// Lists folders.
#include "import/folders.hpp"

#include "platform/file_path.hpp"

#include <utility>

namespace pchr {

void visit_folder(const std::string& folder, const ImportOptions& options,
                  const Callback<bool(std::string path, FileKind kind)>& visit) {
  if (options.before_listing) options.before_listing(folder);
  if (!options.read_file) {
    const auto visit_entry = [&](const std::string& name, FileKind kind) { return visit(path_in(folder, name), kind); };
    visit_system_folder(folder, visit_entry);
  } else if (options.list_folder) {
    const std::string name = normal_path(folder);
    for (std::string& each : options.list_folder(name == "." ? std::string() : name)) {
      const bool is_folder = each.ends_with('/');
      if (is_folder) each.pop_back();
      if (!visit(path_in(folder, each), is_folder ? FileKind::folder : FileKind::file)) return;
    }
  }
}

std::string absolute_folder(const std::string& folder, const ImportOptions& options) {
  if (!options.read_file) return absolute_path(folder);
  const std::string normal(folder_of(normal_path(path_in(folder, ""))));
  return normal.empty() ? "." : normal;
}

}  // namespace pchr
