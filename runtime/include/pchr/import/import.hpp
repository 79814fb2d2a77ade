// SPDX-License-Identifier: MIT
// Files of every format that pchr reads into characters, and what these files say beside them.
//
//   auto hero = pchr::import_character("hero.json");
//   if (!hero) return (void)std::puts(pchr::describe(hero.error(), "hero.json").c_str());
//   const pchr::Character& character = hero->character;
#pragma once

#include <pchr/animator.hpp>
#include <pchr/character.hpp>
#include <pchr/diagnostic.hpp>
#include <pchr/import/artwork.hpp>
#include <pchr/load.hpp>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace PCHR_API pchr {

/// How to import.
struct ImportOptions {
  Limits limits{};
  /// Of a Pachario character; the other formats know theirs.
  BindPose bind_pose{};
  /// Where the image paths of a JSON or .chp character start. Empty: the folder of the file that is loaded.
  std::filesystem::path image_folder{};
  /// Follow image paths of a JSON character that are absolute or climb out of that folder. Only for files you trust.
  bool allow_images_outside = false;
  /// Of a .chp character's text, as iconv names it. Empty: found out.
  std::string text_encoding{};
  /// Use the pictures of a .chp character for the second player, as far as it has such pictures.
  bool second_player = false;
  /// Of a .px artwork: what is drawn.
  LayerChoice layers{};
  /// Of a .chp character without an AutoColorSet line: treat black as transparent, as the format's document says,
  /// instead of the color of each image's corner pixel, as its editor does.
  bool black_color_key = false;
  /// Unreal mesh: .psa files to play on it instead of those found beside it.
  std::vector<std::filesystem::path> animations{};
  /// Unreal mesh: play those found beside it in addition to `animations`.
  bool also_find_animations = false;
  /// Unreal mesh: folders in which to look for its textures and .mat files first, each with the folders below it.
  std::vector<std::filesystem::path> texture_folders{};
  /// Called with the path of each file before it is read, also where it turns out not to be there: the character's own
  /// first, then its images' and animations'. For programs that watch them. On the thread that loads.
  std::function<void(const std::filesystem::path&)> before_reading{};
};

/// A part of an image that stands for the character where it does not play: in a menu, beside a score.
struct Picture {
  std::string name;
  ImageId image{};
  std::uint32_t x = 0, y = 0;           ///< Of its top left, pixels from the image's.
  std::uint32_t width = 0, height = 0;  ///< Pixels, within the image.
  bool operator==(const Picture&) const = default;
};

/// A .psa file found beside an Unreal mesh, or named by the caller.
struct AnimationFile {
  std::string path;                 ///< As it can be opened.
  std::uint32_t bones = 0;          ///< That it animates,
  std::uint32_t matched_bones = 0;  ///< and that the mesh has.
  bool attached = false;            ///< Its sequences are clips. Otherwise it is a candidate that was not read.
  bool operator==(const AnimationFile&) const = default;
};

/// How a Pomyu character wants to be driven; see `pomyu.hpp`.
struct CharaInfo {
  bool legacy = false;     ///< Of the older kind, which reacts at once.
  std::uint32_t wait = 1;  ///< Idle cycles before a reaction may follow.
  bool operator==(const CharaInfo&) const = default;
};

/// A character, and what only its file says. No format that is written keeps any of it but the character.
struct Imported {
  Character character;
  std::string format{};              ///< Such as "PCHR v1" or "Pixquare PX"; empty where it was made in code.
  std::string title{}, author{};     ///< As the file gives them; often empty.
  std::vector<Picture> pictures{};   ///< Of a Pomyu character.
  std::optional<CharaInfo> chara{};  ///< Of a Pomyu character.
  std::optional<Artwork> artwork{};  ///< Of a pixel artwork.
  std::vector<AnimationFile> animation_files{};  ///< Of an Unreal mesh, the best match first.
};

/// Reads a character from a file in any format, told apart by content: the v1 binary, JSON with its images
/// beside it, the older binary that packs JSON and a PNG, the text of a Pomyu character (.chp) with its pictures, a
/// Pixquare artwork (.px), whose layers are put together frame by frame, or an Unreal mesh (.psk, .pskx) with its
/// animations (.psa) and textures. Image data is checked (size, structure, checksums) but stays encoded, but for a
/// Pomyu character's, whose color keys become transparent, and an artwork's. What the last three say that cannot be
/// followed is a warning.
[[nodiscard]] std::expected<Imported, LoadError> import_character(const std::filesystem::path& path,
                                                                  const ImportOptions& options = {});

/// Reads a character from a whole file in memory. `bytes` may come from anyone: no input makes this
/// read outside it or take memory past the limits. The result keeps nothing of `bytes`. A JSON or .chp character's
/// images are files: they are read from `options.image_folder`, and are an error (or, of a .chp, left out) where that
/// is empty.
[[nodiscard]] std::expected<Imported, LoadError> import_character(std::span<const std::byte> bytes,
                                                                  const ImportOptions& options = {});

/// Where the markers of the character file `path` are kept: `hero.markers.json` beside `hero.pchr`.
[[nodiscard]] std::filesystem::path markers_path(const std::filesystem::path& path);

/// Reads markers of `character`: `{"markers": [{"clip": "walk", "frame": 4, "name": "step"}]}`. Other fields are
/// ignored. Fails on anything else, on a clip that the character does not have and on a frame beyond its clip's.
[[nodiscard]] std::expected<Markers, LoadError> load_markers(const std::filesystem::path& path,
                                                             const Character& character);
/// The same from a whole file in memory.
[[nodiscard]] std::expected<Markers, LoadError> load_markers(std::span<const std::byte> bytes,
                                                             const Character& character);

/// What counts as worth telling.
struct ValidateOptions {
  float weight_tolerance = 1e-3F;    ///< How far a vertex's sum of weights may be from 1.
  std::uint32_t max_of_a_kind = 32;  ///< Diagnostics of one id that are listed, 1 or more; the last counts the rest.
};

/// What an artist would want to know about a character beyond `Character::warnings()`: diagnostics W4xx, in file order.
/// Those of one kind in one mesh or clip are one diagnostic that names the first place and their number. Takes time
/// linear in the character but for sorting. Overlaps are looked for in every frame of a usual character, in
/// evenly spread ones of a huge one, and only among as many pairs of meshes as stays quick.
[[nodiscard]] std::vector<Diagnostic> validate(const Imported& imported, const ValidateOptions& options = {});
/// The same for a character that was made in code.
[[nodiscard]] inline std::vector<Diagnostic> validate(const Character& character, const ValidateOptions& options = {}) {
  return validate(Imported{character}, options);
}

}  // namespace pchr
