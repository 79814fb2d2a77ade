// SPDX-License-Identifier: MIT
// Ten thousand inputs that no person would make.
#include "chara.hpp"
#include "drag_and_drop.hpp"
#include "running_player.hpp"
#include "squares.hpp"
#include "support/psk.hpp"

#include <array>
#include <optional>
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
  Hands(RunningPlayer& player, std::mt19937& random) : player_(player), random_(random) {}

  void do_something() {
    Desktop& desktop = player_.desktop;
    switch (below(18)) {
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
      case 10:
        click_menu();
        break;
      case 11:
        click_context_menu();
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

  void click(Vec2 at, unsigned button) {
    player_.desktop.move(at);
    player_.desktop.press(button);
    player_.desktop.release(button);
  }

  /// Chooses an entry of a menu, which can be Quit.
  void click_menu() {
    const Vec2 title{static_cast<float>(below(500)), kLayout.menu.center().y};
    click(title, 1);
    click(title + Vec2{30.0F, static_cast<float>(20 + below(500))}, 1);
  }

  void click_context_menu() {
    const Vec2 at{static_cast<float>(below(kWidth)), static_cast<float>(below(kHeight))};
    click(at, 3);
    click(at + Vec2{30.0F, static_cast<float>(10 + below(200))}, 1);
  }

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
  std::mt19937& random_;
};

void survive(int inputs) {
  const fs::path folder = fresh_folder("window/random");
  write_file(folder / "arm.pchr", write_v1(two_bone_arm()));
  write_file(folder / "quad.pchr", write_v1(sliding_quad()));
  write_file(folder / "broken.pchr", Bytes(40));
  write_chara(folder);
  write_squares(folder);
  write_file(folder / "boxes.psk",
             bytes_of(boxes_psk({{"body", {0, 0, 0}, {1, 1, 2}}, {"head", {0, 0, 2}, {1, 1, 3}, 1}})));
  write_file(folder / "turn.psa", bytes_of(small_psa()));
  // Menus can open files with other programs, which would take the keys.
  const std::string programs = std::getenv("PATH");
  setenv("PATH", folder.c_str(), 1);
  std::mt19937 random(20'240'229);
  std::optional<RunningPlayer> player;
  for (int i = 0; i < inputs; ++i) {
    if (player && !player->process.running()) {
      REQUIRE(player->process.wait() == 0);  // By the menu.
      player.reset();
    }
    if (!player) {
      player.emplace(std::vector{path_text(folder)});
      player->desktop.after_input = [] {};  // Do not wait for frames.
    }
    if (i % (inputs / 20) == 0) {
      constexpr std::array kFiles{"broken.pchr", "arm.pchr",  "test.chp", "quad.pchr",
                                  "squares.px",  "boxes.psk", "turn.psa"};
      const char* const file = kFiles[static_cast<std::size_t>(i / (inputs / 20)) % kFiles.size()];
      static_cast<void>(drop_file(player->desktop, player->window, kCanvas.center(), folder / file));
    }
    Hands(*player, random).do_something();
    // Draw some frames between the inputs.
    if (i % 32 == 0) player->shows_frame();
  }
  Hands(*player, random).let_go();

  player->desktop.resize(player->window, kWidth, kHeight);
  player->shows_frame();
  player->desktop.keep_screenshot("after_random_input.png");
  // Escape closes what takes the keys. The question about unsaved changes is answered by quitting again.
  for (int i = 0; i < 10 && player->process.running(); ++i) {
    player->desktop.key("Escape");
    player->desktop.key("q", "Control_L");
    player->shows_frame();
  }
  CHECK(player->process.wait() == 0);
  setenv("PATH", programs.c_str(), 1);
}

}  // namespace

TEST_CASE("the player survives random inputs and quits normally", "[window][random]") { survive(400); }

TEST_CASE("the player survives ten thousand random inputs", "[window][random][long]") { survive(10'000); }

}  // namespace pchr::test::random_input_test
