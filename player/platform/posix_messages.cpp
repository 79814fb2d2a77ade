// SPDX-License-Identifier: MIT
#include "platform/messages.hpp"

#include <cstdio>

namespace pchr::player {

bool print_text(std::string_view text) {
  return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
}

void print_error(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); }

}  // namespace pchr::player
