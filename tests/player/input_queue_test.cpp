// SPDX-License-Identifier: MIT
#include "app/input_queue.hpp"

#include "support/catch.hpp"

#include <string>

namespace pchr::test::input_queue_test {
namespace {

using namespace player;
using Kind = InputEvent::Kind;

constexpr int kRelease = 0;
constexpr int kPress = 1;
constexpr int kRepeat = 2;
constexpr int kBackspace = 259;

InputEvent key(int code, int action) { return {.kind = Kind::key, .code = code, .action = action}; }
InputEvent character(char c) { return {.kind = Kind::character, .code = c}; }
InputEvent button(int action) { return {.kind = Kind::button, .action = action}; }
InputEvent wheel() { return {.kind = Kind::wheel, .at = {0.0F, 1.0F}}; }
InputEvent move(float x) { return {.kind = Kind::move, .at = {x, 0.0F}}; }

/// Returns the number of events that each frame takes.
std::vector<std::size_t> frames(std::initializer_list<InputEvent> events) {
  InputQueue queue;
  for (const InputEvent& event : events) queue.push(event);
  std::vector<std::size_t> counts;
  while (!queue.empty()) counts.push_back(queue.take_frame().size());
  return counts;
}

using Counts = std::vector<std::size_t>;

}  // namespace

TEST_CASE("a frame takes no two events of which one would hide the other", "[input]") {
  CHECK(frames({}).empty());
  // A click where the mouse is, and another one elsewhere.
  CHECK(frames({move(1), move(2), button(kPress), button(kRelease), move(3), button(kPress), button(kRelease)}) ==
        Counts{3, 1, 2, 1});
  CHECK(frames({wheel(), wheel(), move(1), wheel(), button(kPress)}) == Counts{2, 2, 1});
  // Keys that are pressed while another is down, and twice.
  CHECK(frames({key('A', kPress), character('a'), key('B', kPress), character('b'), key('A', kRelease),
                key('B', kRelease)}) == Counts{2, 3, 1});
  CHECK(frames({key(kBackspace, kPress), key(kBackspace, kRelease), key(kBackspace, kPress)}) == Counts{1, 1, 1});
  // Backspace repeats until it is released, and then something is typed.
  CHECK(frames({key(kBackspace, kPress), key(kBackspace, kRepeat), key(kBackspace, kRepeat), key(kBackspace, kRelease),
                key('A', kPress), character('a')}) == Counts{3, 3});
  // Modifiers apply to the click that they are held for.
  CHECK(frames({key(341, kPress), button(kPress), button(kRelease), key(341, kRelease)}) == Counts{2, 1, 1});
}

TEST_CASE("slow frames do not fall behind the mouse and the wheel", "[input]") {
  InputQueue queue;
  for (int i = 0; i < 100; ++i) {
    queue.push(wheel());
    queue.push(move(static_cast<float>(i)));
  }
  CHECK(queue.take_frame().size() == 200);
  CHECK(queue.empty());
}

TEST_CASE("keys wait while the keyboard focus moves", "[input]") {
  InputQueue queue;
  queue.push(key('A', kRelease));
  queue.push(key('B', kPress));
  queue.push(character('b'));
  CHECK(queue.take_frame(false).size() == 1);
  CHECK(queue.take_frame(false).empty());
  CHECK(queue.take_frame().size() == 2);
}

}  // namespace pchr::test::input_queue_test
