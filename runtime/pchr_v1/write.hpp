// SPDX-License-Identifier: MIT
// Writes the binary PCHR format, version 1.
#pragma once

#include <pchr/load.hpp>

namespace PCHR_API pchr {

inline constexpr std::size_t kMaxNameBytes = 65535;

/// Writes a v1 file. `images` stand in for the data's own, and none is absent. Values must fit their fields,
/// but for what may be lost: names are cut, draw orders clamped, opacity and rates of single clips left out.
[[nodiscard]] std::vector<std::byte> write_pchr_v1(const CharacterData& data, std::span<const Image> images);

}  // namespace pchr
