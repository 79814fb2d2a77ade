// SPDX-License-Identifier: MIT
// The command line of `pchr`.
#pragma once

#include "task.hpp"

namespace pchr::tools {

/// Runs a command line, which begins with the program's name. Prints results and errors to the standard streams.
[[nodiscard]] ExitCode run(std::vector<std::string> arguments);

}  // namespace pchr::tools
