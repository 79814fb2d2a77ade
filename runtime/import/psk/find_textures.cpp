// SPDX-License-Identifier: MIT
// Finds texture and material files.
#include "import/psk/search.hpp"

#include "import/folders.hpp"
#include "import/text_decoding.hpp"
#include "platform/file_path.hpp"
#include "platform/pending_file.hpp"

#include <fmt/format.h>

namespace pchr::psk {
namespace {

constexpr std::size_t kMaxFoldersAbove = 8;
constexpr std::size_t kMaxDepth = 16;
/// Other files that exporters of Unreal packages write.
constexpr std::array<std::string_view, 21> kExportEndings{
    ".psk", ".pskx",   ".psa",  ".config", ".props.txt", ".json", ".hdr", ".gltf", ".glb", ".bin",   ".fbx",
    ".obj", ".uasset", ".uexp", ".ubulk",  ".umap",      ".upk",  ".wav", ".ogg",  ".wem", ".ueanim"};

bool has_ending(std::string_view name, std::span<const std::string_view> endings) {
  return std::ranges::any_of(endings, [&](std::string_view ending) { return name.ends_with(ending); });
}

std::string lower_name(std::string_view path) { return lower(file_name_of(path)); }

/// Returns whether a folder can contain anything, so that it is not part of an export.
bool is_no_export(const std::string& folder) { return folder_of(folder) == folder || is_personal_folder(folder); }

bool is_same_folder(std::string_view a, std::string_view b) {
  return a == b || (a == "game" && b == "content") || (a == "content" && b == "game");
}

/// Returns how many folders of the object, from the last one, contain the file.
std::size_t folders_shared(std::string_view path, const ObjectPath& object) {
  std::size_t count = 0;
  std::string_view folder = folder_of(path);
  while (count < object.folders.size() && !file_name_of(folder).empty() &&
         is_same_folder(lower_name(folder), object.folders[object.folders.size() - 1 - count])) {
    folder = folder_of(folder);
    ++count;
  }
  return count;
}

/// Returns how many leading names two paths have in common.
std::size_t common_names(const std::vector<std::string_view>& a, const std::vector<std::string_view>& b) {
  return static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

}  // namespace

ObjectPath read_object_path(std::string_view text) {
  // Material3'Package.Name' starts with the class.
  if (const std::size_t quote = text.find('\''); quote != std::string_view::npos) {
    text.remove_prefix(quote + 1);
    text = text.substr(0, text.find('\''));
  }
  std::string path = lower(text);
  std::ranges::replace(path, '\\', '/');
  ObjectPath object;
  std::size_t slash = 0;
  while ((slash = path.find('/')) != std::string::npos) {
    // Only listed files are found, so `..` leads nowhere.
    if (slash > 0) object.folders.push_back(path.substr(0, slash));
    path.erase(0, slash + 1);
  }
  if (path.empty()) return object;
  const std::size_t dot = path.rfind('.');
  if (has_ending(path, kImageEndings)) {
    object.names.push_back(path.substr(0, dot));
    return object;
  }
  const bool has_package = !object.folders.empty() && dot != std::string::npos;
  if (!has_package) object.names.push_back(path);
  // Blender appends a number to a duplicate name.
  if (dot == std::string::npos || path.find_first_not_of("0123456789", dot + 1) == std::string::npos) return object;
  object.names.push_back(path.substr(dot + 1));
  if (has_package) {
    object.names.push_back(path.substr(0, path.find('.')));
  } else if (object.folders.empty()) {
    // Either Package.Group.Name or a name with dots.
    std::string_view groups = std::string_view(path).substr(0, dot);
    while (!groups.empty()) {
      const std::size_t end = std::min(groups.find('.'), groups.size());
      object.folders.emplace_back(groups.substr(0, end));
      groups.remove_prefix(std::min(end + 1, groups.size()));
    }
  }
  return object;
}

FileFinder::FileFinder(const ReaderOptions& options, SearchBudget& budget) : options_(options), budget_(budget) {
  for (const std::string& image : options.images) given_[lower_name(image)].push_back(image);
  for (const std::string& folder : options.texture_folders) list_below(absolute_folder(folder, options), named_, true);
  if (options.image_folder.empty()) return;
  mesh_folder_ = absolute_folder(options.image_folder, options);
  list(mesh_folder_, near_);
  for (std::string folder(folder_of(mesh_folder_)); !is_no_export(folder) && above_.size() < kMaxFoldersAbove;
       folder = std::string(folder_of(folder))) {
    above_.push_back(folder);
  }
}

const FileFinder::Listing& FileFinder::list(const std::string& folder, Index& index) {
  const auto [at, is_new] = listings_.try_emplace(folder);
  Listing& listing = at->second;
  if (!is_new) return listing;
  const auto add = [&](std::string path, FileKind kind) {
    if (!budget_.take()) return false;
    const std::string name = lower_name(path);
    if (kind == FileKind::folder || kind == FileKind::link_to_folder) {
      listing.is_of_export &= name != ".git";
      // A link can lead anywhere, even back.
      if (!name.starts_with('.') && kind == FileKind::folder) listing.folders.push_back(std::move(path));
    } else if (has_ending(name, kMaterialEndings)) {
      if (kind == FileKind::file) index[name].push_back(std::move(path));
    } else if (!has_ending(name, kExportEndings) && !name.starts_with(kHiddenPrefix)) {
      listing.is_of_export = false;
    }
    return true;
  };
  visit_folder(folder, options_, add);
  // The order of directory entries depends on the system.
  std::ranges::sort(listing.folders);
  return listing;
}

/// Lists a folder and its subfolders, or everything below it if `all` is set.
void FileFinder::list_below(const std::string& folder, Index& index, bool all) {
  std::vector<std::string> level{folder};
  for (std::size_t depth = 0; depth <= (all ? kMaxDepth : 1) && !level.empty(); ++depth) {
    std::vector<std::string> next;
    for (const std::string& at : level) {
      const Listing& listing = list(at, index);
      next.insert(next.end(), listing.folders.begin(), listing.folders.end());
    }
    level = std::move(next);
  }
}

/// Lists the siblings of a folder that is not the mesh's.
void FileFinder::list_around(const std::string& folder) {
  if (folder == mesh_folder_ || folder.empty()) return;
  list_below(folder, near_, false);
  const std::string above(folder_of(folder));
  if (!is_no_export(above)) list_below(above, near_, false);
}

/// Lists the folders to which the object's path leads from the folders above the mesh, with and without Game.
void FileFinder::follow(const ObjectPath& object) {
  if (object.folders.empty()) return;
  for (const std::string& start : above_) {
    for (const std::size_t first : {std::size_t{0}, std::size_t{1}}) {
      std::string at = start;
      for (std::size_t i = first; i < object.folders.size() && !at.empty(); ++i) {
        const std::vector<std::string>& folders = list(at, near_).folders;
        const auto found = std::ranges::find_if(
            folders, [&](const std::string& folder) { return is_same_folder(lower_name(folder), object.folders[i]); });
        at = found != folders.end() ? *found : std::string();
      }
      if (!at.empty() && at != start) list(at, near_);
    }
  }
}

/// Lists everything below the next folder above the mesh. Returns false if there is none.
bool FileFinder::climb() {
  if (at_root_ || climbed_ == above_.size()) {
    at_limit_ = !at_root_ && above_.size() == kMaxFoldersAbove;
    return false;
  }
  const std::string& folder = above_[climbed_];
  const std::string below = lower_name(climbed_ > 0 ? above_[climbed_ - 1] : mesh_folder_);
  const std::string inner = lower_name(climbed_ > 1 ? above_[climbed_ - 2] : mesh_folder_);
  // Exporters name folders within a package after Unreal classes.
  const bool is_package = climbed_ > 0 && (inner.starts_with("skeletalmesh") || inner.starts_with("staticmesh"));
  const bool is_root = is_package || below == "game" || below == "content" || below == "engine";
  const bool is_of_export = list(folder, near_).is_of_export;
  // The siblings of the mesh's folder are always searched.
  if (is_root || is_of_export || climbed_ == 0) list_below(folder, near_, is_root || is_of_export);
  at_root_ = is_root || !is_of_export;
  ++climbed_;
  return true;
}

std::string FileFinder::stopped() const {
  if (!budget_.stopped.empty() || !at_limit_) return budget_.stopped;
  return fmt::format("{} parent folders", kMaxFoldersAbove);
}

const std::string* FileFinder::look_up(const Index& index, const ObjectPath& object,
                                       std::span<const std::string_view> endings, const std::string& from) const {
  const auto names_from = names_in(from);
  for (const std::string& name : object.names) {
    for (const std::string_view ending : endings) {
      const auto found = index.find(name + std::string(ending));
      if (found == index.end()) continue;
      const std::string* best = nullptr;
      std::pair<std::size_t, std::size_t> best_rank;
      for (const std::string& path : found->second) {
        const std::pair rank{folders_shared(path, object), common_names(names_in(path), names_from)};
        if (rejected_.contains(path) || (best != nullptr && rank <= best_rank)) continue;
        best = &path;
        best_rank = rank;
      }
      if (best != nullptr) return best;
    }
  }
  return nullptr;
}

bool FileFinder::is_guess(const std::string& path, const ObjectPath& object) const {
  const auto folder = names_in(mesh_folder_);
  if (common_names(folder, names_in(path)) == folder.size()) return false;
  const std::size_t shared = folders_shared(path, object);
  const std::size_t folders = object.folders.size();
  // Game can be missing.
  return folders == 0 || (shared != folders && !(shared > 1 && shared + 1 == folders));
}

std::optional<FileFinder::Found> FileFinder::find(const ObjectPath& object, std::span<const std::string_view> endings,
                                                  const std::string& from) {
  if (object.names.empty()) return std::nullopt;
  for (const Index* index : {&given_, &named_}) {
    if (const std::string* path = look_up(*index, object, endings, from)) return Found{*path, false};
  }
  if (mesh_folder_.empty()) return std::nullopt;
  const auto look_near = [&] { return look_up(near_, object, endings, from); };
  const std::string* path = look_near();
  if (path == nullptr || !object.folders.empty()) {
    follow(object);
    path = look_near();
  }
  if (path == nullptr) {
    list_around(from);
    path = look_near();
  }
  if (path == nullptr && !std::exchange(listed_below_, true)) {
    list_below(mesh_folder_, near_, list(mesh_folder_, near_).is_of_export);
    path = look_near();
  }
  while (path == nullptr && climb()) path = look_near();
  if (path == nullptr) return std::nullopt;
  return Found{*path, is_guess(*path, object)};
}

}  // namespace pchr::psk
