// SPDX-License-Identifier: MIT
// Ten thousand inputs that no person would make.
#include "chara.hpp"
#include "drag_and_drop.hpp"
#include "running_player.hpp"
#include "squares.hpp"
#include "support/psk.hpp"

#include <array>
#include <random>

namespace pchr::test::random_input_test {
namespace {

/// All keys with a meaning and some without, except those that quit or write files.
constexpr std::array kKeys{"space",     "Left",        "Right",  "Up",
                           "Down",      "Home",        "End",    "Prior",
                           "Next",      "Return",      "Tab",    "F1",
                           "F2",        "F5",          "F11",    "Escape",
                           "BackSpace", "comma",       "period", "slash",
                           "minus",     "equal",       "1",      "2",
                           "3",         "9",           "4",      "5",
                           "6",         "7",           "8",      "1",
                           "0",         "bracketleft", "a",      "b",
                           "c",         "d",           "e",      "f",
                           "g",         "h",           "i",      "bracketright",
                           "j",         "k",           "l",      "m",
                           "n",         "o",           "p",      "r",
                           "s",         "t",           "u",      "v",
                           "w",         "x",           "y",      "z",
                           "semicolon", "Insert",      "Delete", "KP_Enter",
                           "KP_Add",    "KP_0",        "KP_1",   "KP_3",
                           "KP_4",      "KP_7",        "KP_8",   "grave"};

class Hands {
 public:
  Hands(RunningPlayer& player, unsigned seed) : player_(player), random_(seed) {}

  void do_something() {
    Desktop& desktop = player_.desktop;
    switch (below(16)) {
      case 0:
      case 1:
      case 2:
      case 3:
      case 4:
      case 5:
        press_key();
        break;
      case 6:
        desktop.press(4 + below(2));
        desktop.release(4);
        desktop.release(5);
        break;
      case 7:
        desktop.press(1 + below(3));
        break;
      case 8:
        for (unsigned button = 1; button <= 3; ++button) desktop.release(button);
        break;
      case 9:
        if (below(8) == 0)
          desktop.resize(player_.window, 1 + static_cast<int>(below(1400)), 1 + static_cast<int>(below(900)));
        break;
      default:
        desktop.move({static_cast<float>(below(kWidth)), static_cast<float>(below(kHeight))});
    }
  }

  void let_go() {
    for (unsigned button = 1; button <= 3; ++button) player_.desktop.release(button);
  }

 private:
  unsigned below(unsigned limit) { return std::uniform_int_distribution<unsigned>(0, limit - 1)(random_); }

  void press_key() {
    Desktop& desktop = player_.desktop;
    constexpr std::array kHeld{"Shift_L", "Control_L"};
    const char* held = below(4) == 0 ? kHeld[below(2)] : nullptr;
    const char* key = kKeys[below(kKeys.size())];
    if (held != nullptr) desktop.hold_key(held);
    desktop.hold_key(key);
    desktop.release_key(key);
    if (held != nullptr) desktop.release_key(held);
  }

  RunningPlayer& player_;
  std::mt19937 random_;
};

}  // namespace

TEST_CASE("the player survives ten thousand random inputs and quits normally", "[window][random]") {
  const fs::path folder = output("window/random/x").parent_path();
  fs::remove_all(folder);
  fs::create_directories(folder);
  write_file(folder / "arm.pchr", write_v1(two_bone_arm()));
  write_file(folder / "quad.pchr", write_v1(sliding_quad()));
  write_file(folder / "broken.pchr", Bytes(40));
  write_chara(folder);
  write_squares(folder);
  write_file(folder / "boxes.psk",
             bytes_of(boxes_psk({{"body", {0, 0, 0}, {1, 1, 2}}, {"head", {0, 0, 2}, {1, 1, 3}, 1}})));
  write_file(folder / "turn.psa", bytes_of(small_psa()));
  RunningPlayer player({path_text(folder)});
  Hands hands(player, 20'240'229);
  player.desktop.after_input = [] {};  // Do not wait for frames.
  for (int i = 0; i < 10'000; ++i) {
    if (i % 500 == 0) {
      constexpr std::array kFiles{"broken.pchr", "arm.pchr",  "test.chp", "quad.pchr",
                                  "squares.px",  "boxes.psk", "turn.psa"};
      const char* const file = kFiles[static_cast<std::size_t>(i) / 500 % kFiles.size()];
      static_cast<void>(drop_file(player.desktop, player.window, kCanvas.center(), folder / file));
      REQUIRE(player.process.running());
    }
    hands.do_something();
    // Draw some frames between the inputs.
    if (i % 32 == 0) player.shows_frame();
  }
  hands.let_go();

  player.desktop.resize(player.window, kWidth, kHeight);
  player.shows_frame();
  REQUIRE(player.process.running());
  player.desktop.keep_screenshot("after_random_input.png");
  player.desktop.key("q", "Control_L");
  CHECK(player.process.wait() == 0);
}

}  // namespace pchr::test::random_input_test
