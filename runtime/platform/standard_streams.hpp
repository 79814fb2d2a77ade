// SPDX-License-Identifier: MIT
// Standard input, output and error of a program: bytes that no system changes, and UTF-8 text on terminals.
#pragma once

#include <pchr/diagnostic.hpp>
#include <pchr/expected.hpp>

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace PCHR_API pchr {

/// Reserves the descriptors of closed standard streams, so that no file opened later receives messages; the streams
/// stay unusable. Makes the streams transfer bytes unchanged. Call this before opening anything.
void prepare_standard_streams() noexcept;

/// Reads standard input to its end. Fails if it has more than `max_bytes` bytes.
[[nodiscard]] Expected<std::vector<std::byte>, Diagnostic> read_standard_input(std::uint64_t max_bytes);

/// Writes bytes to standard output and flushes it. Returns 0 or an errno: EPIPE if the reader has closed a pipe.
[[nodiscard]] int write_standard_output(std::span<const std::byte> bytes);

/// Writes UTF-8 text to standard error. Ignores errors.
void write_standard_error(std::string_view text) noexcept;

}  // namespace pchr
