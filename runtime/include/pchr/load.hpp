// SPDX-License-Identifier: MIT
// Files and bytes into characters.
#pragma once

#include <pchr/character.hpp>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace PCHR_API pchr {

/// How much a single load may take. A file that asks for more is refused before memory is taken.
struct Limits {
  std::uint64_t max_file_bytes = std::uint64_t{1} << 30;
  /// Sum over all images. An artwork's canvas is held to it, too, and what its layers are in memory and take to draw to
  /// a multiple of it.
  std::uint64_t max_image_pixels = std::uint64_t{64} << 20;
  /// Bones times frames, over all clips. A sample takes 25 bytes in memory, one of an Unreal mesh 49. An Unreal mesh's
  /// corners of faces are held to it, too. One .psa file may take a sixteenth of it, or more where the file has at
  /// least a key for every 64 samples (in proportion, where the limit is not the default).
  std::uint64_t max_bone_samples = std::uint64_t{16} << 20;
};

/// How to load.
struct LoadOptions {
  Limits limits{};
  /// Of a Pachario character; the other formats know theirs.
  BindPose bind_pose{};
  /// Where the image paths of a JSON or .chp character start. Empty: the folder of the file that is loaded.
  std::filesystem::path image_folder{};
  /// Follow image paths of a JSON character that are absolute or climb out of that folder. Only for files you trust.
  bool allow_images_outside = false;
  /// Of a .chp character's text, as iconv names it. Empty: found out.
  std::string text_encoding{};
  /// Dress a .chp character for the second player, as far as it has such pictures.
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

/// Reads a character from a file in any of its forms, told apart by content: the v1 binary, JSON with its images
/// beside it, the older binary that packs JSON and a PNG, the text of a Pomyu character (.chp) with its pictures, a
/// Pixquare artwork (.px), whose layers are put together frame by frame, or an Unreal mesh (.psk, .pskx) with its
/// animations (.psa) and textures. Image data is checked (size, structure, checksums) but stays encoded, but for a
/// Pomyu character's, whose colour keys become transparent, and an artwork's. What the last three say that cannot be
/// followed is a warning.
[[nodiscard]] std::expected<Character, LoadError> load(const std::filesystem::path& path,
                                                       const LoadOptions& options = {});

/// Reads a character from a whole file in memory. `bytes` may come from anyone: no input makes this
/// read outside it or take memory past the limits. The result keeps nothing of `bytes`. A JSON or .chp character's
/// images are files: they are read from `options.image_folder`, and are an error (or, of a .chp, left out) where that
/// is empty.
[[nodiscard]] std::expected<Character, LoadError> load(std::span<const std::byte> bytes,
                                                       const LoadOptions& options = {});

}  // namespace pchr
