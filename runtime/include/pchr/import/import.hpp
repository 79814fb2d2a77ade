// SPDX-License-Identifier: MIT
// Reads files of every format into characters, with what the files say beside them.
//
//   auto hero = pchr::import_character("hero.json");
//   if (!hero) return (void)std::puts(pchr::describe(hero.error(), "hero.json").c_str());
//   const pchr::Character& character = hero->character;
#pragma once

#include <pchr/animator.hpp>
#include <pchr/import/artwork.hpp>
#include <pchr/load.hpp>

#include <functional>
#include <optional>

namespace PCHR_API pchr {

/// How to import a file.
struct ImportOptions {
  Limits limits{};
  /// Pachario character: its bind pose. The other formats have their own.
  BindPose bind_pose{};
  /// JSON or .chp character: the start of image paths. Empty: the folder of the file that is loaded.
  std::filesystem::path image_folder{};
  /// JSON character: follow image paths that are absolute or climb out of that folder. Only for trusted files.
  bool allow_images_outside = false;
  /// .chp character: text encoding, as iconv names it. Empty: detected.
  std::string text_encoding{};
  /// .chp character: use the second player's pictures where there are any.
  bool second_player = false;
  /// .px artwork: the layers to draw.
  LayerChoice layers{};
  /// .chp character without `#AutoColorSet`: treat black as transparent, as the format's document says, instead of the
  /// color of each image's corner pixel, as its editor does.
  bool black_color_key = false;
  /// Unreal mesh: .psa files to play on it instead of those found beside it.
  std::vector<std::filesystem::path> animations{};
  /// Unreal mesh: play those found beside it in addition to `animations`.
  bool also_find_animations = false;
  /// Unreal mesh: folders to search first for textures and .mat files, with the folders below them.
  std::vector<std::filesystem::path> texture_folders{};
  /// Called on the loading thread with the path of each file before it is read, even if it does not exist: the
  /// character's first, then its images' and animations'.
  std::function<void(const std::filesystem::path&)> before_reading{};
};

/// A part of an image for menus and scores.
struct MenuImage {
  std::string name;
  ImageId image{};
  std::uint32_t x = 0, y = 0;           ///< Of its top left, pixels from the image's.
  std::uint32_t width = 0, height = 0;  ///< Pixels, within the image.
  bool operator==(const MenuImage&) const = default;
};

/// A .psa file found beside an Unreal mesh, or named by the caller.
struct AnimationFile {
  std::string path;                 ///< As it can be opened.
  std::uint32_t bones = 0;          ///< Of the file.
  std::uint32_t matched_bones = 0;  ///< Bones that the mesh has, too.
  bool attached = false;            ///< Its sequences are clips. Otherwise it is a candidate that was not read.
  bool operator==(const AnimationFile&) const = default;
};

/// How a Pomyu character is driven; see `pomyu.hpp`.
struct CharaInfo {
  bool legacy = false;     ///< Of the older kind, which reacts at once.
  std::uint32_t wait = 1;  ///< Idle cycles before a reaction may follow.
  bool operator==(const CharaInfo&) const = default;
};

/// A character, and what only its file says, which no written format keeps.
struct Imported {
  Character character;
  std::string format{};                  ///< Such as "PCHR v1" or "Pixquare PX"; empty where it was made in code.
  std::string title{}, author{};         ///< Often empty.
  std::vector<MenuImage> menu_images{};  ///< Of a Pomyu character.
  std::optional<CharaInfo> chara{};      ///< Of a Pomyu character.
  std::optional<Artwork> artwork{};      ///< Of a pixel artwork.
  std::vector<AnimationFile> animation_files{};  ///< Of an Unreal mesh, the best match first.
};

/// Reads a character from a file in any format, told apart by content: PCHR v1, JSON with its images beside it, the
/// older binary that packs JSON and a PNG, a Pomyu character (.chp) with its pictures, a Pixquare artwork (.px), or an
/// Unreal mesh (.psk, .pskx) with its animations (.psa) and textures. Image data is checked (size, structure,
/// checksums) but stays encoded, except that of a Pomyu character, whose color keys become transparent, and of an
/// artwork. Unusable parts of the last three formats are warnings.
[[nodiscard]] std::expected<Imported, LoadError> import_character(const std::filesystem::path& path,
                                                                  const ImportOptions& options = {});

/// Reads a character from a whole file in memory, whose source need not be trusted. The result keeps nothing of
/// `bytes`. Image files of a JSON or .chp character are read from `options.image_folder`; where that is empty they are
/// an error, or with a .chp character left out.
[[nodiscard]] std::expected<Imported, LoadError> import_character(std::span<const std::byte> bytes,
                                                                  const ImportOptions& options = {});

/// Returns the path of a character file's markers: `hero.markers.json` beside `hero.pchr`.
[[nodiscard]] std::filesystem::path markers_path(const std::filesystem::path& path);

/// Reads markers of `character`: `{"markers": [{"clip": "walk", "frame": 4, "name": "step"}]}`. Ignores other fields.
/// Fails on anything else, including a clip or a frame that the character does not have.
/// @{
[[nodiscard]] std::expected<Markers, LoadError> load_markers(const std::filesystem::path& path,
                                                             const Character& character);
[[nodiscard]] std::expected<Markers, LoadError> load_markers(std::span<const std::byte> bytes,
                                                             const Character& character);
/// @}

/// Which values validate() accepts.
struct ValidateOptions {
  float weight_tolerance = 1e-3F;    ///< How far a vertex's sum of weights may be from 1.
  std::uint32_t max_of_a_kind = 32;  ///< Listed diagnostics of one id, 1 or more; the last counts the rest.
};

/// Finds likely mistakes beyond `Character::warnings()`: diagnostics W4xx, in file order, one for all of a kind in a
/// mesh or clip. Takes time linear in the character but for sorting: the search for overlaps skips frames and pairs of
/// meshes of a huge one.
/// @{
[[nodiscard]] std::vector<Diagnostic> validate(const Imported& imported, const ValidateOptions& options = {});
[[nodiscard]] inline std::vector<Diagnostic> validate(const Character& character, const ValidateOptions& options = {}) {
  return validate(Imported{character}, options);
}
/// @}

}  // namespace pchr
