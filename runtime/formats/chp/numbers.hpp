// SPDX-License-Identifier: MIT
// Numbers as the authors of Pomyu characters write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace pchr::chp {

/// The first whole number in `text`, clamped to 32 bits: 120 in "120ms". Nothing where there is no digit.
[[nodiscard]] std::optional<std::int64_t> read_integer(std::string_view text) noexcept;

/// `text`, one or two digits, as a number in `base` (2 to 36, letters of any case). Nothing if it is none.
[[nodiscard]] std::optional<std::int16_t> read_id(std::string_view text, int base) noexcept;

}  // namespace pchr::chp
