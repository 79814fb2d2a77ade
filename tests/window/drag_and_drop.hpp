// SPDX-License-Identifier: MIT
// Dropping a file on a window, as a file manager does.
#pragma once

#include "desktop.hpp"

#include <filesystem>

namespace pchr::test {

/// Drops `file` on `window` at the display point `at`. False where the window does not take it.
[[nodiscard]] bool drop_file(Desktop& desktop, WindowId window, Vec2 at, const std::filesystem::path& file);

}  // namespace pchr::test
