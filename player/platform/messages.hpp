// SPDX-License-Identifier: MIT
// Text for the user outside the window.
#pragma once

#include <string_view>

namespace pchr::player {

/// Prints UTF-8 text on standard output. Windows shows it in the terminal that the program was started from, or in a
/// message box if there is none. Returns false if it cannot be written.
[[nodiscard]] bool print_text(std::string_view text);
/// Prints UTF-8 text on standard error in the same way. Ignores failures.
void print_error(std::string_view text);

}  // namespace pchr::player
