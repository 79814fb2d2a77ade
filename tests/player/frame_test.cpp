// SPDX-License-Identifier: MIT
// The input of a frame, and what a frame draws again.
#include "app/frame.hpp"
#include "app/window.hpp"
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

namespace pchr::test::changed_areas_test {
namespace {

using player::ChangedAreas;

struct Square {
  float x = 0, y = 0;
  ImU32 color = 0;
};

/// Draws squares of 10 x 10 units in a window of 200 x 100.
struct Interface {
  ImDrawList list{nullptr};
  ImDrawList* lists[1] = {&list};
  ImDrawData data;

  explicit Interface(std::initializer_list<Square> squares, ImVec4 shown = {0, 0, 200, 100}, float scale = 1) {
    for (const Square& square : squares) {
      const int first = list.VtxBuffer.Size;
      for (const auto& [x, y] : {std::pair{0, 0}, {10, 0}, {10, 10}, {0, 10}}) {
        list.VtxBuffer.push_back(
            {{square.x + static_cast<float>(x), square.y + static_cast<float>(y)}, {}, square.color});
      }
      for (const int corner : {0, 1, 2, 0, 2, 3}) list.IdxBuffer.push_back(static_cast<ImDrawIdx>(first + corner));
    }
    ImDrawCmd command;
    command.ClipRect = shown;
    command.ElemCount = static_cast<unsigned>(list.IdxBuffer.Size);
    list.CmdBuffer.push_back(command);
    data.Valid = true;
    data.DisplaySize = {200, 100};
    data.FramebufferScale = {scale, scale};
    add(data);
  }

  template <typename Data>
  void add(Data& to) {
    to.CmdListsCount = 1;
    if constexpr (std::is_pointer_v<decltype(to.CmdLists)>) {
      to.CmdLists = lists;
    } else {
      to.CmdLists.push_back(&list);
    }
  }
};

std::vector<Rect> changes(ChangedAreas& areas, const Interface& interface) { return areas.update(interface.data); }

bool is(const Rect& area, Vec2 min, Vec2 max) { return area.min == min && area.max == max; }

}  // namespace

TEST_CASE("an interface that is drawn as before changes nothing", "[player][areas]") {
  ChangedAreas areas;
  const auto first = changes(areas, Interface({{10, 20, 1}, {50, 20, 2}}));
  REQUIRE(first.size() == 1);
  CHECK(is(first[0], {10, 20}, {60, 30}));
  CHECK(changes(areas, Interface({{10, 20, 1}, {50, 20, 2}})).empty());
}

TEST_CASE("the area of what changes its color, place or number is drawn again", "[player][areas]") {
  ChangedAreas areas;
  static_cast<void>(changes(areas, Interface({{10, 20, 1}, {50, 20, 2}, {90, 20, 3}})));
  const auto lit = changes(areas, Interface({{10, 20, 1}, {50, 20, 7}, {90, 20, 3}}));
  REQUIRE(lit.size() == 1);
  CHECK(is(lit[0], {50, 20}, {60, 30}));
  const auto moved = changes(areas, Interface({{10, 20, 1}, {50.5F, 40, 7}, {90, 20, 3}}));
  REQUIRE(moved.size() == 1);
  CHECK(is(moved[0], {50, 20}, {61, 50}));
  const auto fewer = changes(areas, Interface({{10, 20, 1}, {90, 20, 3}}));
  REQUIRE(fewer.size() == 1);
  CHECK(is(fewer[0], {50, 40}, {61, 50}));
}

TEST_CASE("only what is visible changes, in framebuffer pixels", "[player][areas]") {
  ChangedAreas areas;
  static_cast<void>(changes(areas, Interface({{10, 20, 1}}, {0, 0, 15, 100}, 2)));
  const auto lit = changes(areas, Interface({{10, 20, 2}}, {0, 0, 15, 100}, 2));
  REQUIRE(lit.size() == 1);
  CHECK(is(lit[0], {20, 40}, {30, 60}));
  CHECK(changes(areas, Interface({{195, 150, 2}}, {0, 0, 15, 100}, 2)).size() == 1);
  CHECK(changes(areas, Interface({{150, 150, 2}}, {0, 0, 15, 100}, 2)).empty());
}

TEST_CASE("areas that overlap are joined", "[player][areas]") {
  std::vector<Rect> areas;
  player::add_area(areas, {{0, 0}, {10, 10}});
  player::add_area(areas, {{20, 0}, {30, 10}});
  CHECK(areas.size() == 2);
  player::add_area(areas, {{10, 0}, {20, 10}});
  CHECK(areas.size() == 3);
  player::add_area(areas, {{5, 5}, {15, 15}});
  REQUIRE(areas.size() == 2);
  CHECK(is(areas[1], {0, 0}, {20, 15}));
}

TEST_CASE("drawing is clipped to the areas", "[player][areas]") {
  Interface interface({{10, 20, 1}}, {0, 0, 100, 100}, 2);
  const Rect areas[] = {{{0, 0}, {20, 20}}, {{40, 40}, {400, 50}}, {{200, 0}, {400, 20}}};
  player::clip(interface.data, areas);
  REQUIRE(interface.list.CmdBuffer.Size == 2);
  const ImVec4 first = interface.list.CmdBuffer[0].ClipRect;
  const ImVec4 second = interface.list.CmdBuffer[1].ClipRect;
  CHECK(is({{first.x, first.y}, {first.z, first.w}}, {0, 0}, {10, 10}));
  CHECK(is({{second.x, second.y}, {second.z, second.w}}, {20, 20}, {100, 25}));
  CHECK(interface.list.CmdBuffer[1].ElemCount == 6);
}

TEST_CASE("a lost context is reported once the driver says so", "[player]") {
  CHECK_FALSE(player::context_loss(nullptr));
  CHECK_FALSE(player::context_loss([]() -> GLenum { return GL_NO_ERROR; }));
  struct Case {
    player::GetResetStatus status;
    bool guilty;
  };
  for (const Case& each :
       {Case{[]() -> GLenum { return 0x8253; }, true}, Case{[]() -> GLenum { return 0x8254; }, false},
        Case{[]() -> GLenum { return 0x8255; }, false}}) {
    const auto loss = player::context_loss(each.status);
    REQUIRE(loss);
    CHECK(loss->starts_with("the graphics driver was reset"));
    CHECK((loss->find("by what the player drew") != std::string::npos) == each.guilty);
  }
}

}  // namespace pchr::test::changed_areas_test
