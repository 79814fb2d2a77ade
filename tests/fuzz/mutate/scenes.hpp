// SPDX-License-Identifier: MIT
// Characters with their files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace pchr::mutate {

struct SceneFile {
  std::string name;  ///< Relative to the scene's folder.
  std::vector<std::byte> bytes;
};

/// Folder with one character. Subcommands get its first file. Each file is damaged separately.
struct Scene {
  std::string name;
  std::vector<SceneFile> files;
  std::uint64_t share = 1;  ///< Only one in `share` damaged copies is made, for slow characters.
};

/// Makes small characters of every format, and `file` in every Pachario format, both complete and with tiny images.
[[nodiscard]] std::vector<Scene> all_scenes(const std::filesystem::path& file);

}  // namespace pchr::mutate
