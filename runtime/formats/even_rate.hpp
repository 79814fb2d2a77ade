// SPDX-License-Identifier: MIT
// Clips sampled anew at one rate, for forms that have no other.
#pragma once

#include <pchr/character.hpp>

#include <cstdint>
#include <optional>

namespace pchr {

/// Whether every clip goes at the character's own rate.
[[nodiscard]] bool has_even_rate(const CharacterData& data) noexcept;

/// The same character with every clip at the character's rate: each new frame shows what the clip shows when it begins,
/// and there is at least one. Lengths are rounded to whole frames. Clips that cannot play stay as they are. Absent
/// where that would take more than `most_samples` transforms in all.
[[nodiscard]] std::optional<CharacterData> with_even_rate(const CharacterData& data, std::uint64_t most_samples);

}  // namespace pchr
