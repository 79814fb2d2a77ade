// SPDX-License-Identifier: MIT
// The keyboard.
#pragma once

#include "session.hpp"
#include "window.hpp"

#include <span>

namespace pchr::player {

struct Shortcut {
  const char* keys;
  const char* action;
};

/// All shortcuts, as the help shows them.
[[nodiscard]] std::span<const Shortcut> shortcuts() noexcept;

/// Whether a key press quits wherever the keyboard's focus is.
[[nodiscard]] bool quits(const KeyPress& press) noexcept;

/// Does what `press` means; other keys do nothing.
void handle_key(Session& session, const KeyPress& press);

}  // namespace pchr::player
