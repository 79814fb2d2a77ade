// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>

namespace pchr::player {

/// Two descriptors of the C library that another program has opened: a socket, pipes, or standard input and output.
struct QuestionChannel {
  int input = -1;
  int output = -1;

  /// Waits for the next byte. Returns nothing once the other program has closed the channel.
  [[nodiscard]] std::optional<char> receive() const;
  /// Sends all of `text`. Ignores failures: the other program may be gone.
  void send(std::string_view text) const;
};

}  // namespace pchr::player
