// SPDX-License-Identifier: MIT
// The terminal that a program runs in, and the requests to end that come from it.
#pragma once

#include <pchr/api.hpp>

#include <cstddef>
#include <optional>

namespace PCHR_API pchr {

/// Whether a person reads standard error on a terminal.
[[nodiscard]] bool is_error_on_terminal() noexcept;

/// Returns the width of the terminal that shows standard output, in columns. Nothing if it is not on a terminal.
[[nodiscard]] std::optional<std::size_t> terminal_columns() noexcept;

/// Makes requests to end this program only set interrupted(): Ctrl-C, a closed terminal, the end of the session and,
/// where pipes send a signal, a closed pipe. A second request from the user ends the program.
void catch_interrupts() noexcept;
/// Undoes that: requests end this program at once, even if it waits for something.
void release_interrupts() noexcept;
[[nodiscard]] bool interrupted() noexcept;
/// If this program was asked to end, ends it in a way that tells its parent process so.
void end_if_interrupted() noexcept;

}  // namespace pchr
