// SPDX-License-Identifier: MIT
// What other programs get from the clipboard.
#pragma once

#include "desktop.hpp"

#include <cstddef>

namespace pchr::test {

/// Asks for the clipboard in a format, such as "image/png", and returns its bytes; empty if it is not offered.
[[nodiscard]] std::vector<std::byte> read_clipboard(const Desktop& desktop, const char* format);

}  // namespace pchr::test
