// SPDX-License-Identifier: MIT
// Searches folders for the animations and textures of an Unreal mesh.
#pragma once

#include "import/psk/clips.hpp"

#include "import/folders.hpp"

namespace pchr::psk {

/// Limits a search by directory entries instead of time, so that the same folders always give the same result.
struct SearchBudget {
  std::size_t entries_left = 200'000;
  std::string stopped{};  ///< Number of entries after which the search stopped, or empty.

  /// Takes one entry. Returns false and sets `stopped` if none are left.
  [[nodiscard]] bool take() {
    if (entries_left == 0) {
      stopped = "200,000 directory entries";
      return false;
    }
    --entries_left;
    return true;
  }
};

/// How the name of an animation file matches a mesh, from worst to best.
enum class NameMatch : std::uint8_t {
  other_mesh,  ///< It matches another mesh in the folder better.
  none,        ///< It matches no mesh in the folder.
  begins,      ///< It starts with the mesh's name: hero_run.psa and hero.psk.
  pair         ///< They are equal without the usual marks of meshes and animations: HeroAnims.psa and HeroMesh.psk.
};

/// Matches the names of animation files against the meshes of a folder. All names are stems.
class MeshNames {
 public:
  /// Starts with the mesh whose animations are searched.
  explicit MeshNames(std::string_view mesh);
  /// Adds another mesh.
  void add(std::string_view other);
  [[nodiscard]] NameMatch match(std::string_view animation) const;

 private:
  std::string stem_;     ///< In lower case, like the others.
  std::string subject_;  ///< Without the marks of a mesh.
  std::set<std::string, std::less<>> other_stems_, other_subjects_;
};

/// A .psa file of which only the bone names were read.
struct FoundAnimation {
  std::string path;
  NameMatch name = NameMatch::none;
  bool readable = false;  ///< Whether its bones could be read.
  std::uint32_t bones = 0;
  std::uint32_t matched_bones = 0;  ///< Number of its bones that the mesh has.
  bool chosen = false;              ///< Whether it belongs to the mesh.
};

/// Returns the chosen .psa files in the folder of `mesh`, then the others that fit, the best match first.
///
/// A file fits if the mesh has at least half of its bones. Chooses fitting files whose name pairs with the mesh's name;
/// if there are none, those whose name starts with the mesh's name, unless another file has clearly better bones. Of
/// several, chooses those whose bones fit about as well as the best. If none of these fit, chooses the pairs anyway;
/// without a pair, the one file with the best bones, if it moves half of the mesh's bones. Never chooses a file whose
/// name matches another mesh in the folder better.
[[nodiscard]] std::vector<FoundAnimation> find_animations(const std::string& mesh, const Skeleton& skeleton,
                                                          const ReaderOptions& options, SearchBudget& budget);

/// Reference to an Unreal object, in lower case: `/Game/Hero/Materials/M_Hero.M_Hero`,
/// `Material3'Hero.Skins.M_Hero'`, `Textures\T_Hero.tga` or just `M_Hero`.
struct ObjectPath {
  std::vector<std::string> folders;  ///< Folders of its package, from the root, or none if only a name is given.
  std::vector<std::string> names;    ///< File names without extensions, the most likely first.
};

[[nodiscard]] ObjectPath read_object_path(std::string_view text);

/// Extensions of the files of a material: images, then .mat files.
inline constexpr std::array<std::string_view, 7> kMaterialEndings{".png",  ".bmp", ".tga", ".jpg",
                                                                  ".jpeg", ".dds", ".mat"};
inline constexpr std::span kImageEndings = std::span(kMaterialEndings).first(6);

/// Finds files by object name, ignoring case. Searches `ImportOptions::images`, then `texture_folders` and around the
/// mesh: its folder, the package path of the object below any parent folder, and then one parent folder after another,
/// up to the root of the export. The root is the folder that contains Game, Content or Engine, or packages with folders
/// such as SkeletalMesh3, or else the highest folder that contains only files of exporters. Reads no folder twice. Home
/// directories, the temporary directory and the file system root are never part of an export.
class FileFinder {
 public:
  FileFinder(const ReaderOptions& options, SearchBudget& budget);

  struct Found {
    std::string path;
    bool guessed =
        false;  ///< Whether it is outside the mesh's folder and the given folders, and not where its path leads.
  };

  /// Finds a file with the name of the object and one of `endings`, in order of preference. Of several files, finds the
  /// one nearest to the folder `from`.
  [[nodiscard]] std::optional<Found> find(const ObjectPath& object, std::span<const std::string_view> endings,
                                          const std::string& from);
  /// Excludes a file that cannot be used from find().
  void reject(const std::string& path) { rejected_.insert(path); }

  /// Returns the limit that stopped the search, or an empty text if the whole export was searched.
  [[nodiscard]] std::string stopped() const;
  /// Returns the absolute path of the mesh's folder.
  [[nodiscard]] const std::string& mesh_folder() const noexcept { return mesh_folder_; }

 private:
  using Index = std::map<std::string, std::vector<std::string>>;

  struct Listing {
    std::vector<std::string> folders;
    bool is_of_export = true;  ///< Whether all its files are from exporters.
  };

  const Listing& list(const std::string& folder, Index& index);
  void list_below(const std::string& folder, Index& index, bool all);
  void list_around(const std::string& folder);
  void follow(const ObjectPath& object);
  bool climb();
  [[nodiscard]] const std::string* look_up(const Index& index, const ObjectPath& object,
                                           std::span<const std::string_view> endings, const std::string& from) const;
  [[nodiscard]] bool is_guess(const std::string& path, const ObjectPath& object) const;

  const ReaderOptions& options_;
  SearchBudget& budget_;
  std::string mesh_folder_;
  std::vector<std::string> above_;  ///< Parent folders that may belong to the export, the nearest first.
  bool listed_below_ = false;       ///< Whether everything below the mesh's folder was read.
  std::size_t climbed_ = 0;         ///< Number of folders in `above_` that were read completely.
  bool at_root_ = false;            ///< Whether the root was reached.
  bool at_limit_ = false;           ///< Whether the limit of parent folders was reached.
  Index given_, named_, near_;      ///< Files by their names.
  std::map<std::string, Listing> listings_;
  std::set<std::string> rejected_;
};

}  // namespace pchr::psk
