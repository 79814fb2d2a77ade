// SPDX-License-Identifier: MIT
// Shares of a batch, for machines that work on it together.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace pchr::tools {

struct Shard {
  std::uint32_t number = 1;  ///< From 1 to `count`.
  std::uint32_t count = 1;
};

/// Parses "3/40".
[[nodiscard]] std::optional<Shard> parse_shard(std::string_view text);

/// Whether a file belongs to the shard. Depends only on its name, in which \ is the same as /, and is the same in all
/// versions and on all systems.
[[nodiscard]] bool has_file(const Shard& shard, std::string_view name);

/// Returns the first of `total` outputs that belong to the shard, and the one after the last. The shards' ranges follow
/// each other, and their lengths differ by one at most.
[[nodiscard]] std::pair<std::uint64_t, std::uint64_t> output_range(const Shard& shard, std::uint32_t total);

}  // namespace pchr::tools
