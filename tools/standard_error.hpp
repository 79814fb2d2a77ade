// SPDX-License-Identifier: MIT
// Writes messages to standard error.
#pragma once

#include <string_view>

namespace pchr::tools {

/// Keeps the numbers of standard streams that are closed from going to files that are opened later: messages would
/// be written into them. Such a stream stays unusable. Call it before anything is opened.
void reserve_standard_streams() noexcept;

/// Writes `text`, made printable but for its line breaks, and a line break to standard error. A standard error that
/// cannot be written loses the message and changes nothing else: what the program does and its exit code stay the same.
void print_error(std::string_view text) noexcept;

}  // namespace pchr::tools
