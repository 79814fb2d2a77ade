// SPDX-License-Identifier: MIT
// The two mechanisms of Linux for sandboxes, which neither system headers nor libraries wrap.
#pragma once

#include <string>
#include <vector>

namespace pchr {

/// Lets all threads of this process create, rename and remove files only in `folders` and below, and opens nothing
/// else. Returns the version of Landlock's interface, or 0 with the `problem`.
[[nodiscard]] int enter_landlock(const std::vector<std::string>& folders, std::string& problem);

/// Makes the kernel refuse system calls that reach beyond this process, in all its threads. Files can only be created.
/// Returns false with the `problem` if it does not. `links` allows hard links, which could expose other files.
[[nodiscard]] bool enter_seccomp(bool links, std::string& problem);

}  // namespace pchr
