// SPDX-License-Identifier: MIT
// Writes the binary PCHR format, version 1.
#pragma once

#include <pchr/load.hpp>

namespace PCHR_API pchr {

inline constexpr std::size_t kMaxNameBytes = 65535;

/// Writes a v1 file with `images`, none of them absent, in place of the data's own. Values must fit their fields, but
/// names are cut, draw orders clamped, and opacity and rates of single clips left out.
[[nodiscard]] std::vector<std::byte> write_pchr_v1(const CharacterData& data, std::span<const Image> images);

}  // namespace pchr
