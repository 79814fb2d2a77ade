// SPDX-License-Identifier: MIT
// Unreal meshes (.psk, .pskx) and animations (.psa): their plain data, the search for files that belong to a mesh, and
// the character made of them.
#pragma once

#include "import/diagnose.hpp"
#include "import/files.hpp"

#include <pchr/3d.hpp>
#include <pchr/character.hpp>
#include <pchr/expected.hpp>
#include <pchr/import/import.hpp>

#include <array>
#include <cstring>
#include <map>
#include <set>

namespace pchr::psk {
/// Complete records of a file. Programs append fields to records, so only the start of a record is known.
struct Chunk {
  std::string id;
  std::uint64_t offset = 0;  ///< Offset of its header in the file.
  std::uint32_t record_bytes = 0;
  std::uint32_t count = 0;
  const std::byte* records = nullptr;
  std::string encoding{};  ///< Encoding of the names. Empty: UTF-8, or else Windows-1252.

  /// Returns the value at offset `at` of a record. Both must exist.
  template <typename T>
  [[nodiscard]] T read(std::size_t record, std::size_t at) const noexcept {
    T value;
    std::memcpy(&value, records + record * record_bytes + at, sizeof(T));
    return value;
  }
  /// Returns the values at the start of all records.
  template <typename T>
  [[nodiscard]] std::vector<T> read_all() const {
    std::vector<T> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = read<T>(i, 0);
    return values;
  }
  /// Returns a name of at most 64 bytes without its padding, as stored or converted to UTF-8.
  /// @{
  [[nodiscard]] std::string_view stored_name(std::size_t record, std::size_t at) const noexcept;
  [[nodiscard]] std::string read_name(std::size_t record, std::size_t at) const;
  /// @}
};

/// Converts a name to UTF-8. `encoding` is as in Chunk.
[[nodiscard]] std::string decode_name(std::string_view stored, const std::string& encoding);

/// Returns the chunks of a file, which point into `bytes`. A truncated chunk has only its complete records. `encoding`
/// is that of names, see Chunk.
[[nodiscard]] std::vector<Chunk> read_chunks(std::span<const std::byte> bytes, Warnings& warnings,
                                             const std::string& encoding = {});

/// Returns the first chunk with the id. Returns an empty chunk if there is none or, with a warning, if its records have
/// fewer than `min_bytes` bytes.
[[nodiscard]] Chunk find_chunk(const std::vector<Chunk>& chunks, std::string_view id, std::uint32_t min_bytes,
                               Warnings& warnings);

struct Wedge {
  std::uint32_t point = 0;
  Vec2 uv{0.0F};  ///< v = 0 is the image's top row. Outside 0..1 the image repeats.
};

struct Face {
  std::array<std::uint32_t, 3> wedges{};
  std::uint32_t material = 0;
  std::uint32_t smoothing_groups = 0;  ///< One bit per group.
};

struct Material {
  std::string name;  ///< Name of an Unreal object, not necessarily unique.
  std::uint32_t poly_flags = 0;
  bool is_encoding_guessed = false;  ///< Whether the name was read as Windows-1252.
};

/// Bone as stored: the rotations of all bones except roots are conjugated.
struct Bone {
  std::string name;  ///< Not necessarily unique.
  std::int32_t parent = 0;
  Quat rotation{};
  Vec3 position{0.0F};
};

struct Influence {
  float weight = 0;  ///< Above 0.
  std::uint32_t point = 0;
  std::uint32_t bone = 0;
};

/// Mesh. All indices are valid except the parents of bones and the materials of faces. All numbers are finite except
/// those of bones.
struct Mesh {
  std::vector<Vec3> points;
  std::vector<Wedge> wedges;
  std::vector<Face> faces;
  std::vector<Material> materials;
  std::vector<Bone> bones;
  std::vector<Influence> influences;
  std::vector<Vec3> normals;  ///< One per point, or none.
};

/// Reads a mesh with any type flags and any order of chunks. Warns about parts that cannot be used. Fails only if
/// neither faces nor bones remain.
[[nodiscard]] Expected<Mesh, Diagnostic> read_mesh(std::span<const std::byte> bytes, Warnings& warnings,
                                                   const std::string& encoding = {});

constexpr std::uint32_t kBoneBytes = 104;  ///< Known part of a bone record.
[[nodiscard]] std::vector<Bone> read_bones(const Chunk& chunk);

/// Transform of one bone in one frame, as stored; see Bone.
struct Key {
  Vec3 position{0.0F};
  Quat rotation{};
};

/// One animation: `frame_count` frames with one key per bone.
struct Sequence {
  std::string name;   ///< Not necessarily unique.
  std::string group;  ///< Often empty or "None".
  double frames_per_second = 30;
  std::uint32_t first_frame = 0;
  std::uint32_t frame_count = 0;
};

/// Contents of an animation file. All frames of its sequences have keys. The transforms of its bones have no meaning.
struct Animation {
  std::vector<Bone> bones;
  std::vector<Sequence> sequences;
  std::vector<Key> keys;
  std::vector<Vec3> scales;  ///< One per key, or none.
};

/// Reads an animation. Warns about parts that are repaired or cannot be used. Fails if bones, sequences or keys are
/// missing.
[[nodiscard]] Expected<Animation, Diagnostic> read_animation(std::span<const std::byte> bytes, Warnings& warnings,
                                                             const std::string& encoding = {});

/// Rotates from the space of the file, where z is up, to y up. Characters that face -y in the file face the viewer.
[[nodiscard]] constexpr Vec3 to_y_up(Vec3 point) noexcept { return {point.x, point.z, -point.y}; }

/// Local transform of a bone, y up.
struct LocalTransform {
  Vec3 position{0.0F};
  Quat rotation{};
  Vec3 scale{1.0F};
};

void put(BoneSamples& samples, std::size_t sample, const LocalTransform& transform) noexcept;

struct Skeleton {
  std::vector<pchr::Bone> bones;         ///< Sorted so that parents come first.
  std::vector<std::uint32_t> number_of;  ///< Index in `bones` for each bone of the file.
  std::vector<LocalTransform> bind;      ///< Bind pose, one transform per bone.
};

/// Returns the skeleton. Bone 0, bones whose parent does not exist, and one bone of each cycle become roots. A mesh
/// without bones gets one bone.
[[nodiscard]] Skeleton make_skeleton(std::span<const Bone> bones, Warnings& warnings);

/// Parts of a track that stay in the bind pose.
struct RemovedParts {
  bool position = false, rotation = false;
};

/// Contents of a .config file, with all names in lower case.
struct Config {
  std::map<std::pair<std::string, std::uint32_t>, RemovedParts> removed;  ///< By sequence name and bone index.
  bool rotation_only = false;  ///< Whether only bones in `with_position` move.
  std::set<std::string> with_position;
};

/// Reads a .config file. Ignores unknown lines.
[[nodiscard]] Config read_config(std::string_view text);

/// Assignment of an animation's tracks to the bones of a skeleton.
struct Match {
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;
  std::vector<std::uint32_t> track_of;  ///< Track of each bone of the skeleton, or kNone.
  std::size_t matched = 0;              ///< Number of bones with a track.
  std::vector<std::string> extra;       ///< Names of tracks without a bone.
};

/// Matches bones and tracks by name, ignoring case. Bones with the same name match tracks in file order, so that equal
/// lists match by index.
[[nodiscard]] Match match_bones(std::span<const Bone> tracks, const Skeleton& skeleton);

/// Returns the total number of frames. Each frame needs one sample per bone of the skeleton.
[[nodiscard]] std::uint64_t frames_of(const Animation& animation) noexcept;

/// Adds one clip per sequence. All clips loop, because the file does not record which do. Bones without a track stay in
/// the bind pose, and so do the parts that `config` removes. Without a config, removes positions that are always 0 but
/// are not 0 in the bind pose. Names that the character already has get a number.
void add_clips(const Animation& animation, const Skeleton& skeleton, const Match& match,
               const std::optional<Config>& config, CharacterData& data);

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
  std::string spelled{};               ///< As the file has it. Everything else is folded.
  std::vector<std::string> folders{};  ///< Folders of its package, from the root, or none if only a name is given.
  std::vector<std::string> names{};    ///< File names without extensions, the most likely first.
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

struct Textures {
  std::vector<Image> images;
  std::vector<std::uint32_t> image_of_material;  ///< Image of each material, then of faces without a material.
};

/// Finds an image with the name of each material, or a .mat file with that name whose Diffuse line contains the name of
/// the image. A used material without a readable image gets a color of its own, with a warning. An image outside the
/// mesh's folder that was only guessed is also a warning.
[[nodiscard]] Textures find_textures(const Mesh& mesh, const ReaderOptions& options, Warnings& warnings);

/// Returns a y-up character without animations, with one mesh per material (more for more than 65,535 vertices) and the
/// bind pose of the file. Fails if there are more bones than a vertex can index.
[[nodiscard]] Expected<CharacterData, Diagnostic> make_character(const Mesh& mesh, const Skeleton& skeleton,
                                                                 Textures textures, Warnings& warnings);

}  // namespace pchr::psk
