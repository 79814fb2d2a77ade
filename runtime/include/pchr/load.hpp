// SPDX-License-Identifier: MIT
// Files and bytes into characters.
#pragma once

#include <pchr/character.hpp>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <span>

namespace pchr {

/// How much a single load may take. A file that asks for more is refused before memory is taken.
struct Limits {
  std::uint64_t max_file_bytes = std::uint64_t{1} << 30;
  std::uint64_t max_image_pixels = std::uint64_t{64} << 20;  ///< Sum over all images.
  std::uint64_t max_bone_samples = std::uint64_t{64} << 20;  ///< Bones times frames, over all clips.
};

struct LoadOptions {
  Limits limits;
  BindPose bind_pose;
};

/// Reads a character from a file. Image data is checked (size, structure, checksums) but stays encoded.
[[nodiscard]] std::expected<Character, LoadError> load(const std::filesystem::path& path,
                                                       const LoadOptions& options = {});

/// Reads a character from a whole file in memory. `bytes` may come from anyone: no input makes this
/// read outside it or take memory past the limits. The result keeps nothing of `bytes`.
[[nodiscard]] std::expected<Character, LoadError> load(std::span<const std::byte> bytes,
                                                       const LoadOptions& options = {});

}  // namespace pchr
