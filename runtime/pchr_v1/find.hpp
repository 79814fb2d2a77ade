// SPDX-License-Identifier: MIT
// Where values stand in a PCHR v1 file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace pchr::v1 {

/// Returns the offset of what `path` names in a file that has it. Steps through the file, so it is asked only when
/// something is found.
[[nodiscard]] std::optional<std::uint64_t> find_offset(std::span<const std::byte> file, std::string_view path);

}  // namespace pchr::v1
