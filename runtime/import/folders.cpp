// SPDX-License-Identifier: MIT
// Reads files and lists folders near a character.
#include "import/folders.hpp"

#include "platform/file_path.hpp"
#include "platform/read_file.hpp"

#include <utility>

namespace pchr {

ReaderOptions reader_options(const ImportOptions& options, const std::string& path) {
  ReaderOptions result{options};
  if (result.image_folder.empty() && !path.empty()) result.image_folder = folder_of(path);
  if (result.image_folder.empty() && !path.empty()) result.image_folder = ".";
  if (options.read_file || options.follow_links) return result;
  result.real_folders.push_back(real_path(result.image_folder));
  // Build systems link every file into another folder.
  if (!path.empty()) result.real_folders.emplace_back(folder_of(real_path(path)));
  return result;
}

Expected<FileBytes, Diagnostic> read_side_file(const std::string& path, std::uint64_t max_bytes,
                                               const ReaderOptions& options, std::size_t padding) {
  if (options.read_file) return read_file(path, max_bytes, padding, options.read_file);
  return read_file_below(options.real_folders, path, max_bytes, padding);
}

std::vector<std::string> real_folders_of(const std::string& path, const ReaderOptions& options) {
  std::vector<std::string> folders = options.real_folders;
  const std::string folder(folder_of(path));
  if (!folders.empty()) folders.push_back(real_path(folder.empty() ? "." : folder));
  return folders;
}

Expected<FileBytes, Diagnostic> read_found_file(const std::string& path, std::uint64_t max_bytes,
                                                const ReaderOptions& options) {
  if (options.read_file) return read_file(path, max_bytes, 0, options.read_file);
  return read_file_below(real_folders_of(path, options), path, max_bytes);
}

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
