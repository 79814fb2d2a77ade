// SPDX-License-Identifier: MIT
// Unreal meshes with the animations and textures near them.
#pragma once

#include <pchr/load.hpp>

#include <cstddef>
#include <filesystem>
#include <span>

namespace pchr {

/// Reads a .psk or .pskx file. `path` is where it is from, if anywhere: in its folder animations are looked for, of
/// which find_animations() chooses, unless `options` names others. The rest of those that fit is only listed.
[[nodiscard]] std::expected<Character, LoadError> read_psk(std::span<const std::byte> bytes, const LoadOptions& options,
                                                           const std::filesystem::path& path);

}  // namespace pchr
