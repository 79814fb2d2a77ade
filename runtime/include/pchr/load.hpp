// SPDX-License-Identifier: MIT
// Loads PCHR v1 files, the format that games ship. `pchr/import/import.hpp` reads every other format.
//
//   pchr::Expected<pchr::Character, pchr::LoadError> hero = pchr::load("hero.pchr");
//   if (!hero) std::puts(pchr::describe(hero.error(), "hero.pchr").c_str());
#pragma once

#include <pchr/callback.hpp>
#include <pchr/character.hpp>

namespace PCHR_API pchr {

/// Limits on the resources that one load can use. A file that exceeds them is rejected before memory is allocated.
struct Limits {
  std::uint64_t max_file_bytes = std::uint64_t{1} << 30;
  /// Total over all images. Also caps an artwork's canvas, and a multiple of it caps the artwork's layers.
  std::uint64_t max_image_pixels = std::uint64_t{64} << 20;
  /// Bones times frames, over all clips; each sample takes 25 bytes in memory (49 for an Unreal mesh). Also caps the
  /// face corners of an Unreal mesh. A single .psa file, DragonBones or Spine skeleton can use a sixteenth of this
  /// limit, or more if it has at least one key per 64 samples (scaled in proportion if the limit is not the default).
  /// Posing a DragonBones or Spine skeleton can take four operations per sample of this limit: an operation is about
  /// the work of placing one bone. The names of its bones and meshes can have a byte per four samples.
  std::uint64_t max_bone_samples = std::uint64_t{16} << 20;
};

/// Reads a file from somewhere else than the file system, such as a pack file or a platform's assets. Returns its
/// contents, or a clause that says why it cannot be read, such as "the pack has no such file". Called on the thread
/// that loads. The path is the one that was given to the library, or a path below its folder, with slashes and without
/// `.`.
using ReadFile = Callback<Expected<std::vector<std::byte>, std::string>(const std::string& path)>;

/// Options for load().
struct LoadOptions {
  Limits limits{};
  BindPose bind_pose{};
  ReadFile read_file{};  ///< Empty means the file system.
};

// Running out of memory is the error E131 here and in `pchr/image.hpp`, `pchr/import/import.hpp` and
// `pchr/import/save.hpp`. Functions that return no error throw std::bad_alloc, as the standard library does.

/// Reads a PCHR v1 file. Fails for any other format (E129). Images are validated but stay encoded.
[[nodiscard]] Expected<Character, LoadError> load(const std::string& path, const LoadOptions& options = {});

/// Reads a PCHR v1 file from memory. Safe on untrusted input: never reads outside `bytes` or allocates beyond the
/// limits. The result keeps no reference to `bytes`.
[[nodiscard]] Expected<Character, LoadError> load(std::span<const std::byte> bytes, const LoadOptions& options = {});

/// A section of a PCHR v1 file, with its offset and size in bytes.
struct FileSection {
  std::string name;
  std::uint64_t offset = 0, bytes = 0;
};

/// Returns the sections of `character` as a PCHR v1 file: header, images, bones, meshes, animations.
[[nodiscard]] std::vector<FileSection> sections_of_pchr_v1(const Character& character);

}  // namespace pchr
