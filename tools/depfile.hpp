// SPDX-License-Identifier: MIT
// Dependencies for build systems, as compilers write them with -MMD -MP.
#pragma once

#include "task.hpp"

#include <pchr/expected.hpp>

namespace pchr::tools {

/// Returns the rules of a task for Make and Ninja: one that makes the files written, or `target` if it is not empty,
/// depend on those read, and an empty one for each of these, so that one that is gone does not stop a build. A file
/// that was looked for in vain, or searched, is represented by its folder, unless that has an output in it or
/// `depfile`, the file for the rules: its time would change with every run. Fails if a name has characters that the two
/// programs cannot both read.
[[nodiscard]] Expected<std::string, std::string> depfile_rules(const Task& task, const std::string& target,
                                                               const std::string& depfile);

}  // namespace pchr::tools
