// SPDX-License-Identifier: MIT
// Imports characters from files of every supported format, with the extra data of each format.
//
//   auto hero = pchr::import_character("hero.json");
//   if (!hero) return (void)std::puts(pchr::describe(hero.error(), "hero.json").c_str());
//   const pchr::Character& character = hero->character;
#pragma once

#include <pchr/import/artwork.hpp>
#include <pchr/executor.hpp>
#include <pchr/load.hpp>
#include <pchr/states.hpp>

#include <optional>

namespace PCHR_API pchr {

/// Options for importing a file.
struct ImportOptions {
  Limits limits{};
  /// Pachario characters and Unreal meshes: the bind pose. AutomaticBindPose uses the one in `rig` first. Other formats
  /// define their own.
  BindPose bind_pose{};
  /// File with a chosen bind pose, if any. Empty means the hero.rig.json next to a hero.pchr that is read from a path.
  std::string rig{};
  bool uses_rig = true;  ///< Whether AutomaticBindPose obeys that file.
  /// JSON and .chp: base folder of image paths. Empty means the folder of the file.
  std::string image_folder{};
  /// JSON: allow image paths that are absolute or leave that folder. Only for trusted files.
  bool allow_images_outside = false;
  /// Also read files that belong to the character if a link leads out of its folder, which is the folder of the file at
  /// its path or at its real path. Only for trusted folders. Files from `read_file` are never checked.
  bool follow_links = false;
  /// .chp and Unreal meshes: encoding of the text, or of the names, by its iconv name. Empty means detected.
  std::string text_encoding{};
  /// .chp: prefer the second player's images.
  bool second_player = false;
  /// Pixel artworks: layers to draw.
  LayerChoice layers{};
  /// DragonBones: armature to import. Empty means the first. Also Spine: skin to import. Empty means the default one.
  std::string armature{}, skin{};
  /// DragonBones, Spine and glTF: frames sampled per second. 0 means the rate of the file, or 30 if it has none.
  double frames_per_second = 0;
  /// How far in pixels the vertices of a mesh may be from where deform keys move them. Bones are added to
  /// the mesh until they follow, at most 32. glTF: the same for morph targets, in thousandths of the size of the scene.
  double deform_tolerance = 0.5;
  /// Read a sequence of vertices (docs/formats.md) instead of a character, and fit bones to it.
  bool vertex_sequence = false;
  /// glTF: open a scene whose meshes lie in planes of constant z, and stay there, as a 2D character.
  bool flat = false;
  /// .chp without `#AutoColorSet`: make black transparent, as the format's documentation specifies, instead of the
  /// color of each image's corner pixel, as its editor does.
  bool black_color_key = false;
  /// Unreal mesh: .psa files to attach instead of those found next to the mesh.
  std::vector<std::string> animations{};
  /// Unreal mesh: attach the .psa files found next to it in addition to `animations`.
  bool also_find_animations = false;
  /// Unreal mesh: folders to search first for textures and .mat files, recursively.
  std::vector<std::string> texture_folders{};
  /// Image files of JSON, .chp and Unreal meshes, and .mat files, for the images whose file names are the same,
  /// ignoring case, in place of those next to the character. These names can come from anywhere.
  std::vector<std::string> images{};
  /// Called on the loading thread before each file is read, even if it does not exist: the character first, then its
  /// images and animations.
  Callback<void(const std::string& path)> before_reading{};
  /// Called on the loading thread before each folder is listed: Unreal meshes search for files, and a file that belongs
  /// to a character and does not exist may differ in case. Together with `before_reading`, this announces everything
  /// that the result depends on.
  Callback<void(const std::string& folder)> before_listing{};
  /// Reads the character and every file that belongs to it. Empty means the file system.
  ReadFile read_file{};
  /// With `read_file`: returns the names of the files and folders in a folder; those of folders end with a slash. The
  /// root is the empty path. Without it, the textures and animations of an Unreal mesh are not searched, and the names
  /// of files must match exactly.
  Callback<std::vector<std::string>(const std::string& folder)> list_folder{};
  /// Called on the loading thread while bones are fitted to deform keys, morph targets or a sequence of vertices, with
  /// the number of steps that are done, and their largest number: a fit ends early when it is good enough.
  Callback<void(std::uint64_t done, std::uint64_t total)> fitting{};
  /// Composes frames of pixel artworks, and fits bones to deform keys, in parallel.
  Executor executor{};
};

/// Region of an image that games show in menus and scores.
struct MenuImage {
  std::string name;
  ImageId image{};
  std::uint32_t x = 0, y = 0;           ///< Top left corner, in pixels of the image.
  std::uint32_t width = 0, height = 0;  ///< Pixels. The region lies within the image.
  bool operator==(const MenuImage&) const = default;
};

/// A .psa file found next to an Unreal mesh, or named by the caller.
struct AnimationFile {
  std::string path;                 ///< Path that can be opened.
  std::uint32_t bones = 0;          ///< Number of bones in the file.
  std::uint32_t matched_bones = 0;  ///< Number of those that the mesh has, too.
  bool attached = false;            ///< Whether its sequences became clips. If not, the file is only a candidate.
  bool operator==(const AnimationFile&) const = default;
};

/// Playback parameters of a Pomyu character; see `pomyu.hpp`.
struct CharaInfo {
  bool legacy = false;     ///< Whether it is of the older kind, which reacts immediately.
  std::uint32_t wait = 1;  ///< Idle cycles before a reaction can start.
  bool operator==(const CharaInfo&) const = default;
};

/// Character, with the data of its file that no output format stores.
struct Imported {
  Character character;
  std::string format{};                          ///< Name such as "PCHR v1" or "Pixquare PX"; empty if made in code.
  std::string title{}, author{};                 ///< Often empty.
  std::vector<MenuImage> menu_images{};          ///< Pomyu characters only.
  std::optional<CharaInfo> chara{};              ///< Pomyu characters only.
  std::optional<Artwork> artwork{};              ///< Pixel artworks only.
  std::vector<AnimationFile> animation_files{};  ///< Unreal meshes only; best match first.
  std::vector<std::string> armatures{};          ///< Names of all armatures in the file. DragonBones only.
  std::size_t armature = 0;                      ///< The one that was imported.
  std::vector<std::string> skins{};              ///< Of that armature; the first is the default.
  Markers markers{};                             ///< Events of the file. DragonBones and Spine only.
  /// Why the bind pose in `rig_file` could not be used. The character then has its automatic bind pose.
  std::optional<Diagnostic> rig_error{};
  std::string rig_file{};  ///< File with the markers and the rig whose bind pose was read; empty if there was none.
};

/// Imports a character from a file of any format, detected by content: PCHR v1, JSON with separate images, the older
/// binary that packs JSON and a PNG, a Pomyu character (.chp) with its images, a Pixquare (.px) or Aseprite (.aseprite)
/// artwork, a glTF scene (.glb, .gltf), or an Unreal mesh (.psk, .pskx) with its animations (.psa) and textures. Checks
/// images (size, structure, checksums) but keeps them encoded, except for Pomyu characters, whose color keys become
/// transparent, and artworks. Unusable parts of all but Pachario characters cause warnings.
[[nodiscard]] Expected<Imported, LoadError> import_character(const std::string& path,
                                                             const ImportOptions& options = {});

/// Imports a character from a complete file in memory. The bytes can come from an untrusted source; the result does not
/// refer to them. Image files of JSON and .chp characters are read from `options.image_folder`. If that is empty, JSON
/// with image files is an error, and .chp images are skipped with a warning.
[[nodiscard]] Expected<Imported, LoadError> import_character(std::span<const std::byte> bytes,
                                                             const ImportOptions& options = {});

/// A format that import_character() reads, for dialogs and messages.
struct InputFormat {
  std::string title;                    ///< Such as "Pixquare artwork".
  std::vector<std::string> extensions;  ///< In lower case, with the dot; the usual one first.
};
/// Returns the formats in the order in which programs list them.
[[nodiscard]] const std::vector<InputFormat>& input_formats();
/// Returns the usual extension of each format, or all of them, for a message: ".pchr, .json, .chp, .px or .psk", where
/// `conjunction` is the "or".
[[nodiscard]] std::string list_extensions(std::string_view conjunction, bool all = false);
/// Returns whether the name of a file is that of a character, by its extension. The files next to a character, such as
/// hero.rig.json, are none.
[[nodiscard]] bool has_character_name(std::string_view path);

/// What the file next to a character holds.
struct Sidecar {
  Markers markers;
  Rig rig;
  std::optional<BindPose> bind{};  ///< The chosen bind pose: of a clip, or the identity.
  std::vector<NamedMask> masks{};  ///< For layers. Each has bones, and a name of its own.
  States states{};
  std::vector<Diagnostic> state_errors{};  ///< As find_state_errors() returns them, with lines and columns.
};

/// Returns the path of the file next to a character with its markers, masks and rig: `hero.rig.json` for `hero.pchr`.
[[nodiscard]] std::string rig_path(const std::string& path);
/// Returns the path of the older file with markers only: `hero.markers.json` for `hero.pchr`.
[[nodiscard]] std::string markers_path(const std::string& path);
/// Returns the first of the two that exists, or nothing.
[[nodiscard]] std::optional<std::string> find_sidecar(const std::string& path);

/// Loads the markers, the masks, the rig and the state machines of `character` from either file. docs/formats.md lists
/// the fields. Fails on anything that is not known, and on names and frames that the character does not have. Machines
/// only need the right fields, so that unfinished ones can be saved: what else is wrong is in `Sidecar::state_errors`.
/// @{
[[nodiscard]] Expected<Sidecar, LoadError> load_rig(const std::string& path, const Character& character,
                                                    const ReadFile& read_file = {});
[[nodiscard]] Expected<Sidecar, LoadError> load_rig(std::span<const std::byte> bytes, const Character& character);
/// @}

/// Returns the text of a `hero.rig.json`, without fields that have their default values. Limbs that feet name need
/// names.
[[nodiscard]] std::string save_rig(const Sidecar& sidecar, const Character& character);

/// Loads the file next to the character at `path` that find_sidecar() returns, or nothing. Unlike load_rig(), whose
/// path the user chose, fails if a link leads out of the character's folder; see `ImportOptions::follow_links`.
[[nodiscard]] Expected<Sidecar, LoadError> load_sidecar(const std::string& path, const Character& character,
                                                        bool follow_links = false);

/// Loads only the markers of `character`: `{"markers": [{"clip": "walk", "frame": 4, "name": "step"}]}`. Ignores other
/// fields. Fails on anything else, including a clip or frame that the character does not have.
/// @{
[[nodiscard]] Expected<Markers, LoadError> load_markers(const std::string& path, const Character& character,
                                                        const ReadFile& read_file = {});
[[nodiscard]] Expected<Markers, LoadError> load_markers(std::span<const std::byte> bytes, const Character& character);
/// @}

/// Tolerances and limits of validate().
struct ValidateOptions {
  float weight_tolerance = 1e-3F;    ///< Accepted difference between a vertex's sum of weights and 1.
  std::uint32_t max_of_a_kind = 32;  ///< Maximum diagnostics of one id, at least 1; the last counts the rest.
};

/// Finds likely mistakes beyond `Character::warnings()`: diagnostics W4xx in file order, at most one of a kind per mesh
/// or clip. Linear time apart from sorting: in huge characters the search for overlaps skips frames and pairs of
/// meshes.
/// @{
[[nodiscard]] std::vector<Diagnostic> validate(const Imported& imported, const ValidateOptions& options = {});
[[nodiscard]] inline std::vector<Diagnostic> validate(const Character& character, const ValidateOptions& options = {}) {
  return validate(Imported{character}, options);
}
/// @}

}  // namespace pchr
