// SPDX-License-Identifier: MIT
// A GPU that never catches up.
#pragma once

#include "hooks.hpp"

#include <map>
#include <string>

namespace pchr::test {

/// Returns functions of a context whose GPU never finishes anything (glClientWaitSync times out) and which reuses the
/// name of the last deleted buffer or texture for the next one, as a context may. `gl` must outlive them. Only one set
/// can be in use at a time.
[[nodiscard]] std::map<std::string, Hooks::Function> late_gl(const Gl& gl);

/// Returns how often a name has been reused since then.
[[nodiscard]] unsigned reused_names();

}  // namespace pchr::test
