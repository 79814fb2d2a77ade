// SPDX-License-Identifier: MIT
// What to believe of a process after it has looked into a stranger's file, which could have taken it over.
#pragma once

#include "task.hpp"

#include <string>

namespace pchr::tools {

/// Returns the task of such a process. `announced` is what it said before, and true. Of what it `claimed` after, only
/// the result, the text, the messages and the names of outputs count.
[[nodiscard]] Task believe(Task announced, Task claimed);

/// Makes a task fail unless all files that it says it has written are different regular files in a folder or below,
/// with no link on the way. Called once its process has ended.
void judge_written(Task& task, const std::string& folder);

/// Returns whether a path is that of a folder or inside it.
[[nodiscard]] bool is_below(const std::string& folder, const std::string& path);

}  // namespace pchr::tools
