// SPDX-License-Identifier: MIT
// A short message over the canvas that disappears after a few seconds.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>

namespace pchr::player {

inline constexpr double kNoticeSeconds = 6.0;
inline constexpr double kNoticeWithButtonsSeconds = 12.0;
inline constexpr double kStays = 1e9;  ///< Seconds of a notice that stays until it is answered.

/// What a notice is about. It sets the color of the stripe at its left.
enum class NoticeKind : std::uint8_t { info, success, warning, error };

/// A button in a notice. A click runs the command and closes the notice.
struct NoticeButton {
  const char* command = nullptr;  ///< Id of a command; null for no button.
  const char* label = nullptr;
};

struct Notice {
  std::string text{};  ///< UTF-8; empty without a notice.
  NoticeKind kind = NoticeKind::info;
  std::string to_copy{};  ///< Copied to the clipboard on a click; if empty, a click closes the notice.
  std::array<NoticeButton, 2> buttons{};
  double seconds_left = 0;  ///< Until the notice disappears.
};

/// Shows a notice for its time, in place of the previous one.
inline void show_notice(Notice& notice, Notice shown) {
  notice = std::move(shown);
  notice.seconds_left = notice.buttons[0].command != nullptr ? kNoticeWithButtonsSeconds : kNoticeSeconds;
}
inline void show_notice(Notice& notice, std::string text, NoticeKind kind = NoticeKind::info) {
  show_notice(notice, Notice{.text = std::move(text), .kind = kind});
}

/// Advances time. Returns whether the notice disappeared.
inline bool pass(Notice& notice, double seconds) {
  if (notice.text.empty()) return false;
  notice.seconds_left -= seconds;
  if (notice.seconds_left > 0) return false;
  notice = {};
  return true;
}

}  // namespace pchr::player
