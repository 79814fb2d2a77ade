// SPDX-License-Identifier: MIT
#include "platform/question_channel.hpp"

#include <fcntl.h>
#include <io.h>

namespace pchr::player {

std::optional<char> QuestionChannel::receive() const {
  char byte = 0;
  return _read(input, &byte, 1) == 1 ? std::optional(byte) : std::nullopt;
}

void QuestionChannel::send(char byte) const { static_cast<void>(_write(output, &byte, 1)); }

}  // namespace pchr::player
