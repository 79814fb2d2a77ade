// SPDX-License-Identifier: MIT
// Offsets in PCHR v1 files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace pchr::v1 {

/// Returns the offset of `path`. Walks the file, so it is called for diagnostics only.
[[nodiscard]] std::optional<std::uint64_t> find_offset(std::span<const std::byte> file, std::string_view path);

}  // namespace pchr::v1
