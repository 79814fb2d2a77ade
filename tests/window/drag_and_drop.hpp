// SPDX-License-Identifier: MIT
// Drops a file on a window, like a file manager.
#pragma once

#include "desktop.hpp"

#include <filesystem>

namespace pchr::test {

/// Drops `file` on `window` at the display point `at`. Returns false if the window refuses it.
[[nodiscard]] bool drop_file(Desktop& desktop, WindowId window, Vec2 at, const std::filesystem::path& file);

}  // namespace pchr::test
