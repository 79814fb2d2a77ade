// SPDX-License-Identifier: MIT
// Finds the files of textures and materials in what was extracted from a game.
#pragma once

#include "formats/psk/search_budget.hpp"

#include <pchr/load.hpp>

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pchr::psk {

/// An object of Unreal's, as a mesh or a .mat file refers to it: `/Game/Hero/Materials/M_Hero.M_Hero`,
/// `Material3'Hero.Skins.M_Hero'`, `Textures\T_Hero.tga` or just `M_Hero`. All in lower case.
struct ObjectPath {
  std::vector<std::string> folders;  ///< Of its package, from the root; empty where only a name is given.
  std::vector<std::string> names;    ///< Under which it may be exported, the likeliest first.
};

[[nodiscard]] ObjectPath read_object_path(std::string_view text);

/// Finds files by the names of objects, in any case. It looks in the folders that `LoadOptions::texture_folders` names,
/// and around the mesh: in its folder, where the object's package path leads from a folder above, and farther and
/// farther up to the root of the export. That is the folder that holds Game, Content or Engine, or packages with
/// folders such as SkeletalMesh3; or else the highest one below which there are only files that exporters write. No
/// folder is read twice. A home directory, the temporary directory and the root of the file system are no part of an
/// export.
class FileFinder {
 public:
  FileFinder(const LoadOptions& options, SearchBudget& budget);

  struct Found {
    std::filesystem::path path;
    bool guessed = false;  ///< It is neither in or below the mesh's folder or a named one, nor where its path leads.
  };

  /// Finds a file that is named like the object and has one of `endings`, the nearest to `from`, a folder. Endings that
  /// come first are preferred.
  [[nodiscard]] std::optional<Found> find(const ObjectPath& object, std::span<const std::string_view> endings,
                                          const std::filesystem::path& from);
  /// Makes find() pass over a file that cannot be used.
  void reject(const std::filesystem::path& path) { rejected_.insert(path); }

  /// Why files may not have been found that are there; empty where all of the export was looked through.
  [[nodiscard]] std::string stopped() const;
  /// The mesh's folder, absolute.
  [[nodiscard]] const std::filesystem::path& mesh_folder() const noexcept { return mesh_folder_; }

 private:
  using Index = std::map<std::string, std::vector<std::filesystem::path>>;

  struct Listing {
    std::vector<std::filesystem::path> folders;
    bool is_of_export = true;  ///< It has only files that exporters write.
  };

  const Listing& list(const std::filesystem::path& folder, Index& index);
  void list_below(const std::filesystem::path& folder, Index& index, bool all);
  void list_around(const std::filesystem::path& folder);
  void follow(const ObjectPath& object);
  bool climb();
  [[nodiscard]] const std::filesystem::path* look_up(const Index& index, const ObjectPath& object,
                                                     std::span<const std::string_view> endings,
                                                     const std::filesystem::path& from) const;
  [[nodiscard]] bool is_guess(const std::filesystem::path& path, const ObjectPath& object) const;

  SearchBudget& budget_;
  std::filesystem::path mesh_folder_;
  std::vector<std::filesystem::path>
      above_;                  ///< The folders above the mesh's that may be of the export, the next first.
  bool listed_below_ = false;  ///< All below the mesh's folder was read.
  std::size_t climbed_ = 0;    ///< How many of these were read with all that is below them.
  bool at_root_ = false;       ///< There is no more to climb.
  bool at_limit_ = false;      ///< There may be, but it is too far up.
  Index named_, near_;         ///< Files by their names.
  std::map<std::filesystem::path, Listing> listings_;
  std::set<std::filesystem::path> rejected_;
};

}  // namespace pchr::psk
