// SPDX-License-Identifier: MIT
// Spatial characters as glTF 2.0.
#pragma once

#include <pchr/character.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pchr {

/// A .glb file of a spatial character. `pngs` has one PNG file per image. Once it is larger than `max_bytes`, the
/// animation of further bones is left out.
[[nodiscard]] std::vector<std::byte> write_gltf(const Character& character,
                                                std::span<const std::vector<std::byte>> pngs, std::uint64_t max_bytes);

}  // namespace pchr
