// SPDX-License-Identifier: MIT
// A GPU that never catches up.
#pragma once

#include "hooks.hpp"

#include <map>
#include <string>

namespace pchr::test {

/// Functions of a context whose GPU has never done with anything (glClientWaitSync times out), and which gives the name
/// of the buffer that was deleted last to the next one, as a context may. `gl` must outlive them. One at a time.
[[nodiscard]] std::map<std::string, Hooks::Function> late_gl(const Gl& gl);

/// How often a name was given again since then.
[[nodiscard]] unsigned names_given_again();

}  // namespace pchr::test
