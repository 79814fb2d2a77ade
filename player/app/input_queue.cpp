// SPDX-License-Identifier: MIT
#include "app/input_queue.hpp"

#include <GLFW/glfw3.h>

#include <algorithm>
#include <span>

namespace pchr::player {
namespace {

using Kind = InputEvent::Kind;

/// With more events than this in the queue, frames are slow, and the wheel and the mouse must not fall behind.
constexpr std::size_t kMany = 32;

bool is_typed(const InputEvent& event) {
  return event.kind == Kind::character || (event.kind == Kind::key && event.action != GLFW_RELEASE);
}

/// Returns whether a frame can take `event` after `taken`.
bool fits(std::span<const InputEvent> taken, const InputEvent& event, bool many) {
  const auto has = [&](Kind kind) { return std::ranges::find(taken, kind, &InputEvent::kind) != taken.end(); };
  const auto has_key = [&](auto&& condition) {
    return std::ranges::any_of(taken, [&](const InputEvent& e) { return e.kind == Kind::key && condition(e); });
  };
  const auto is_press = [](const InputEvent& e) { return e.action == GLFW_PRESS; };
  switch (event.kind) {
    case Kind::move:
      return !has(Kind::button) && (many || !has(Kind::wheel)) && !has_key(is_press);
    case Kind::button:
      return !has(Kind::button) && !has(Kind::wheel);
    case Kind::wheel:
      return !has(Kind::button);
    case Kind::key:
      if (has(Kind::button) || has(Kind::wheel)) return false;
      if (event.action == GLFW_REPEAT) return true;
      // A text field handles characters before keys.
      return !has_key([&](const InputEvent& e) {
        return (e.code == event.code && e.action != GLFW_REPEAT) || (is_press(e) && is_press(event));
      });
    case Kind::character:
      return !has(Kind::button) && !has(Kind::wheel);
    case Kind::enter:
    case Kind::focus:
      break;
  }
  return true;
}

}  // namespace

std::vector<InputEvent> InputQueue::take_frame(bool keys) {
  const bool many = events_.size() > kMany;
  std::vector<InputEvent> taken;
  while (!events_.empty() && (keys || !is_typed(events_.front())) && fits(taken, events_.front(), many)) {
    taken.push_back(events_.front());
    events_.pop_front();
  }
  return taken;
}

}  // namespace pchr::player
