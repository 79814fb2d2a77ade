// SPDX-License-Identifier: MIT
// The question before the player quits.
#pragma once

#include "app/app.hpp"

namespace pchr::player {

/// Returns whether quitting loses work: a running export, or changes to the rig.
[[nodiscard]] bool would_lose_work(const App& app) noexcept;
/// Returns whether the player may quit. If that loses work, returns false at first and asks; returns true if quitting
/// is requested again while the question is shown.
[[nodiscard]] bool may_quit(App& app) noexcept;

}  // namespace pchr::player
