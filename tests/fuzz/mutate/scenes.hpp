// SPDX-License-Identifier: MIT
// Characters with the files that belong to them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace pchr::mutate {

struct SceneFile {
  std::string name;  ///< In the scene's folder.
  std::vector<std::byte> bytes;
};

/// A folder with one character. Its first file is the one that subcommands are given; each can be damaged beside the
/// others.
struct Scene {
  std::string name;
  std::vector<SceneFile> files;
  std::uint64_t share = 1;  ///< It takes so long that only one damaged copy in so many is made.
};

/// Small characters of every format, and `file` in every form that Pachario has, both whole and with tiny images.
[[nodiscard]] std::vector<Scene> all_scenes(const std::filesystem::path& file);

}  // namespace pchr::mutate
