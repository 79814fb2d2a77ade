// SPDX-License-Identifier: MIT
// Reads files that the user names, and standard input.
#pragma once

#include <pchr/finding.hpp>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <vector>

namespace pchr::tools {

/// Reads all of `file`, or of standard input for "-". Fails where that is more than `max_bytes`.
[[nodiscard]] std::expected<std::vector<std::byte>, Finding> read_bytes(const std::string& file,
                                                                        std::uint64_t max_bytes);

}  // namespace pchr::tools
