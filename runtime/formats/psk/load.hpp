// SPDX-License-Identifier: MIT
// Unreal meshes with the animations and textures near them.
#pragma once

#include <pchr/load.hpp>

#include <cstddef>
#include <filesystem>
#include <span>

namespace pchr {

/// Reads a .psk or .pskx file. `path` is where it is from, if anywhere: animations are those of `options`, then .psa
/// files in its folder that begin with its name, or where there are none, those of the folder that have mostly its
/// bones.
[[nodiscard]] std::expected<Character, LoadError> read_psk(std::span<const std::byte> bytes, const LoadOptions& options,
                                                           const std::filesystem::path& path);

}  // namespace pchr
