// SPDX-License-Identifier: MIT
// This program, its arguments, and other programs. All texts are UTF-8.
#pragma once

#include <pchr/api.hpp>

#include <optional>
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

}  // namespace pchr
