// SPDX-License-Identifier: MIT
// What this program shares with its system: arguments, standard streams, the terminal, requests to end.
#pragma once

#include <pchr/api.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace PCHR_API pchr {

/// Returns the arguments of this program, beginning with its name, from what main() gets.
[[nodiscard]] std::vector<std::string> utf8_arguments(int argc, char** argv);

/// Returns the files that match a path with `*` or `?` in its last name, sorted, on systems whose shells leave that to
/// programs. Returns the path itself if none matches or the shell has done it.
[[nodiscard]] std::vector<std::string> expand_wildcards(const std::string& path);

/// Finds a program by its name without extension, first in this program's folder, then in PATH. Returns its path.
[[nodiscard]] std::optional<std::string> find_program(const std::string& name);

/// Runs a program in place of this one, with the same standard streams; its exit code ends this process. `arguments`
/// begin with its name. Returns only if it cannot be started, with the reason.
[[nodiscard]] std::string become_program(const std::string& path, std::vector<std::string> arguments);

/// Lets memory that one thread frees serve the others, where the system's allocator does not do so by itself: sprite
/// sheets need a tenth less. Call this before any thread starts.
void share_freed_memory() noexcept;

/// Sets an environment variable of this process, unless it is set. Call this before anything reads it.
void set_default_variable(const std::string& name, const std::string& value) noexcept;

/// Reserves the descriptors of closed standard streams, so that no file opened later receives messages; the streams
/// stay unusable. Makes the streams transfer bytes unchanged. Call this before opening anything.
void prepare_standard_streams() noexcept;

/// Writes bytes to standard output and flushes it. Returns 0 or an errno: EPIPE if the reader has closed a pipe.
[[nodiscard]] int write_standard_output(std::span<const std::byte> bytes);

/// Writes UTF-8 text to standard error. Ignores errors.
void write_standard_error(std::string_view text) noexcept;

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

/// Ends this program once its streams are written: on Windows, without waiting until drivers have cleaned up, which
/// Wine ends by force after a second, with an exit code of its own.
[[noreturn]] void end_program(int exit_code) noexcept;

}  // namespace pchr
