// SPDX-License-Identifier: MIT
// Searches folders for the animations and textures of an Unreal mesh.
#pragma once

#include "import/psk/clips.hpp"

#include <pchr/import/import.hpp>

namespace pchr::psk {

/// Limits a search by entries of folders instead of time, so that the same folders always give the same result.
struct SearchBudget {
  std::size_t entries_left = 200'000;
  std::string stopped{};

  /// Takes one entry. Returns false, and says so in `stopped`, where there is none left.
  [[nodiscard]] bool take() {
    if (entries_left == 0) {
      stopped = "200,000 entries of folders were looked at";
      return false;
    }
    --entries_left;
    return true;
  }
};

/// How the name of an animation file fits a mesh, the best last.
enum class NameMatch : std::uint8_t {
  other_mesh,  ///< It fits another mesh of the folder better.
  none,        ///< It fits no mesh of the folder.
  begins,      ///< It begins with the mesh's name: hero_run.psa and hero.psk.
  pair         ///< They are equal but for what usually marks meshes and animations: HeroAnims.psa and HeroMesh.psk.
};

/// Matches the names of animation files against the meshes of a folder. All names are stems.
class MeshNames {
 public:
  /// Starts with the mesh whose animations are looked for.
  explicit MeshNames(std::string_view mesh);
  /// Adds another mesh.
  void add(std::string_view other);
  [[nodiscard]] NameMatch match(std::string_view animation) const;

 private:
  std::string stem_;     ///< In lower case, as are the others,
  std::string subject_;  ///< and without what marks it as a mesh.
  std::set<std::string, std::less<>> other_stems_, other_subjects_;
};

/// A .psa file, of which only the names of its bones were read.
struct FoundAnimation {
  std::filesystem::path path;
  NameMatch name = NameMatch::none;
  bool readable = false;  ///< Its bones could be read.
  std::uint32_t bones = 0;
  std::uint32_t matched_bones = 0;  ///< Those that the mesh has.
  bool chosen = false;              ///< It is the mesh's own.
};

/// Returns the .psa files in the folder of `mesh` that are chosen, then the others that fit, the best match first.
///
/// A file fits if the mesh has at least half of its bones. Of files that fit, those are chosen whose name is a pair
/// with the mesh's; where there are none, those whose name begins with the mesh's, unless another has clearly better
/// bones. Of several, those are chosen whose bones fit about as well as the best's. If none of these fits, the pairs
/// are chosen as they are, and without a pair the one file that fits best by bones, if it also moves half of the
/// mesh's. A file whose name fits another mesh of the folder better is never chosen.
[[nodiscard]] std::vector<FoundAnimation> find_animations(const std::filesystem::path& mesh, const Skeleton& skeleton,
                                                          const ImportOptions& options, SearchBudget& budget);

/// A reference to an Unreal object, in lower case: `/Game/Hero/Materials/M_Hero.M_Hero`,
/// `Material3'Hero.Skins.M_Hero'`, `Textures\T_Hero.tga` or just `M_Hero`.
struct ObjectPath {
  std::vector<std::string> folders;  ///< Of its package, from the root; empty where only a name is given.
  std::vector<std::string> names;    ///< File names without endings, the likeliest first.
};

[[nodiscard]] ObjectPath read_object_path(std::string_view text);

/// The endings of a material's files: images, then .mat files.
inline constexpr std::array<std::string_view, 7> kMaterialEndings{".png",  ".bmp", ".tga", ".jpg",
                                                                  ".jpeg", ".dds", ".mat"};
inline constexpr std::span kImageEndings = std::span(kMaterialEndings).first(6);

/// Finds files by the names of objects, ignoring case. It looks in `ImportOptions::texture_folders` and around the
/// mesh: in its folder, where the object's package path leads from a folder above, and farther and farther up to the
/// root of the export. That is the folder that holds Game, Content or Engine, or packages with folders such as
/// SkeletalMesh3; or else the highest one below which there are only files that exporters write. No folder is read
/// twice. A home directory, the temporary directory and the root of the file system are no part of an export.
class FileFinder {
 public:
  FileFinder(const ImportOptions& options, SearchBudget& budget);

  struct Found {
    std::filesystem::path path;
    bool guessed = false;  ///< It is neither in or below the mesh's folder or a named one, nor where its path leads.
  };

  /// Finds a file that is named like the object and has one of `endings`, the first ones preferred, the nearest to
  /// `from`, a folder.
  [[nodiscard]] std::optional<Found> find(const ObjectPath& object, std::span<const std::string_view> endings,
                                          const std::filesystem::path& from);
  /// Makes find() skip a file that cannot be used.
  void reject(const std::filesystem::path& path) { rejected_.insert(path); }

  /// Returns why existing files may not have been found; empty where all of the export was looked through.
  [[nodiscard]] std::string stopped() const;
  /// Returns the mesh's folder, absolute.
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
  std::vector<std::filesystem::path> above_;  ///< Folders above it that may be of the export, the nearest first.
  bool listed_below_ = false;                 ///< Everything below the mesh's folder was read.
  std::size_t climbed_ = 0;                   ///< Number of folders of `above_` that were read as a whole.
  bool at_root_ = false;                      ///< There is no more to climb.
  bool at_limit_ = false;                     ///< There may be, but it is too far up.
  Index named_, near_;                        ///< Files by their names.
  std::map<std::filesystem::path, Listing> listings_;
  std::set<std::filesystem::path> rejected_;
};

}  // namespace pchr::psk
