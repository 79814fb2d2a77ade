// SPDX-License-Identifier: MIT
// The player's state as text, for programs that drive it.
#pragma once

#include "app/app.hpp"

namespace pchr::player {

/// Returns the value of `key` in the table of state.cpp; empty if there is no such key. Numbers have a decimal point,
/// and "yes" and "no" stand for what is on or off.
[[nodiscard]] std::string describe_state(const App& app, std::string_view key);

}  // namespace pchr::player
