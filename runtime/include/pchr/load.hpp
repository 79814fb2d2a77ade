// SPDX-License-Identifier: MIT
// PCHR v1 files into characters, the format that games ship. `pchr/import/import.hpp` reads every other one.
//
//   std::expected<pchr::Character, pchr::LoadError> hero = pchr::load("hero.pchr");
//   if (!hero) std::puts(pchr::describe(hero.error(), "hero.pchr").c_str());
#pragma once

#include <pchr/character.hpp>

#include <filesystem>

namespace PCHR_API pchr {

/// Limits of a single load. A file that exceeds them is refused before memory is taken.
struct Limits {
  std::uint64_t max_file_bytes = std::uint64_t{1} << 30;
  /// Sum over all images; also of an artwork's canvas, and a multiple of it of the artwork's layers.
  std::uint64_t max_image_pixels = std::uint64_t{64} << 20;
  /// Bones times frames, over all clips, at 25 bytes in memory (of an Unreal mesh 49); also the corners of an Unreal
  /// mesh's faces. One .psa file may take a sixteenth of it, or more where it has at least a key for every 64 samples
  /// (in proportion, where the limit is not the default).
  std::uint64_t max_bone_samples = std::uint64_t{16} << 20;
};

/// How to load a file.
struct LoadOptions {
  Limits limits{};
  BindPose bind_pose{};
};

/// Reads a PCHR v1 file. Fails for any other format with an error that names it. Images are checked but stay encoded.
[[nodiscard]] std::expected<Character, LoadError> load(const std::filesystem::path& path,
                                                       const LoadOptions& options = {});

/// Reads a v1 file in memory. No input makes this read outside `bytes` or take memory past the limits. The result keeps
/// nothing of `bytes`.
[[nodiscard]] std::expected<Character, LoadError> load(std::span<const std::byte> bytes,
                                                       const LoadOptions& options = {});

/// A section of a PCHR v1 file.
struct FileSection {
  std::string name;
  std::uint64_t offset = 0, bytes = 0;
};

/// Returns the sections of the PCHR v1 file that holds `character`: the header, images, bones, meshes, animations.
[[nodiscard]] std::vector<FileSection> sections_of_pchr_v1(const Character& character);

}  // namespace pchr
