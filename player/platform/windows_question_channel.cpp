// SPDX-License-Identifier: MIT
#include "platform/question_channel.hpp"

#include <fcntl.h>
#include <io.h>

namespace pchr::player {

std::optional<char> QuestionChannel::receive() const {
  char byte = 0;
  return _read(input, &byte, 1) == 1 ? std::optional(byte) : std::nullopt;
}

void QuestionChannel::send(std::string_view text) const {
  // The C library would write line breaks as those of Windows.
  static_cast<void>(_setmode(output, _O_BINARY));
  while (!text.empty()) {
    const int sent = _write(output, text.data(), static_cast<unsigned>(text.size()));
    if (sent <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(sent));
  }
}

}  // namespace pchr::player
