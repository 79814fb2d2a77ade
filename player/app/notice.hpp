// SPDX-License-Identifier: MIT
// A short message that goes away by itself.
#pragma once

#include <string>
#include <utility>

namespace pchr::player {

inline constexpr double kNoticeSeconds = 6.0;

struct Notice {
  std::string text{};       ///< UTF-8; empty where there is none.
  std::string to_copy{};    ///< What a click puts on the clipboard; empty: a click closes it.
  double seconds_left = 0;  ///< Until it goes.
};

inline void show_notice(Notice& notice, std::string text, std::string to_copy = {}) {
  notice = {std::move(text), std::move(to_copy), kNoticeSeconds};
}

/// Lets time pass. Returns whether the notice went away.
inline bool pass(Notice& notice, double seconds) {
  if (notice.text.empty()) return false;
  notice.seconds_left -= seconds;
  if (notice.seconds_left > 0) return false;
  notice = {};
  return true;
}

}  // namespace pchr::player
