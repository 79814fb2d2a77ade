// SPDX-License-Identifier: MIT
// Input that comes faster than frames.
#include "running_player.hpp"

#include <csignal>

namespace pchr::test::input_test {
namespace {

/// Keeps the player from drawing, so that all input until it continues comes within one frame.
class Stopped {
 public:
  explicit Stopped(RunningPlayer& player) : player_(player), after_input_(std::move(player.desktop.after_input)) {
    player.desktop.after_input = nullptr;
    kill(player.process.id(), SIGSTOP);
  }
  Stopped(const Stopped&) = delete;
  Stopped& operator=(const Stopped&) = delete;
  ~Stopped() {
    kill(player_.process.id(), SIGCONT);
    player_.desktop.after_input = std::move(after_input_);
  }

 private:
  RunningPlayer& player_;
  std::function<void()> after_input_;
};

void click_there(Desktop& desktop) {
  desktop.press(1);
  desktop.release(1);
}

}  // namespace

TEST_CASE("clicks and keys within one frame are all handled, in order and where they happened", "[window][input]") {
  RunningPlayer player({path_text(arm_file())});
  static_cast<void>(player.pause_at_start());
  {
    INFO("ten clicks within one frame step ten frames");
    player.desktop.move(player.where("next-frame").center());
    {
      const Stopped stopped(player);
      for (int i = 0; i < 5; ++i) click_there(player.desktop);
    }
    CHECK(player.state("frame") == "5");
    {
      const Stopped stopped(player);
      for (int i = 0; i < 10; ++i) click_there(player.desktop);
    }
    CHECK(player.state("frame") == std::to_string(15 % kBendFrames));
  }
  {
    INFO("clicks within one frame count where they happened");
    player.desktop.key("Home");
    const Vec2 next = player.where("next-frame").center();
    const Vec2 previous = player.where("previous-frame").center();
    {
      const Stopped stopped(player);
      for (const Vec2 at : {next, next, previous, next}) player.desktop.click(at);
      player.desktop.move(kCanvas.center());
    }
    CHECK(player.state("frame") == "2");
  }
  {
    INFO("keys within one frame are all handled, in order with the clicks");
    player.desktop.key("Home");
    player.desktop.move(player.where("next-frame").center());
    {
      const Stopped stopped(player);
      for (int i = 0; i < 3; ++i) player.desktop.key("Right");
      click_there(player.desktop);
      player.desktop.key("Home");
      click_there(player.desktop);
      player.desktop.key("Right");
    }
    CHECK(player.state("frame") == "2");
  }
  {
    INFO("a double click within one frame is one");
    player.desktop.key("minus");
    player.desktop.move(player.where("speed").center());
    {
      const Stopped stopped(player);
      click_there(player.desktop);
      click_there(player.desktop);
    }
    CHECK(player.state("speed") == "1.00");
  }
  {
    INFO("what is typed within one frame is all in the field, and Backspace deletes it");
    player.desktop.key("Home");
    {
      const Stopped stopped(player);
      player.desktop.key("slash");
      for (const char* letter : {"b", "e", "n", "d", "x"}) player.desktop.key(letter);
    }
    CHECK(player.state("clip filter") == "bendx");
    {
      const Stopped stopped(player);
      player.desktop.key("BackSpace");
      player.desktop.key("BackSpace");
      player.desktop.key("n");
      player.desktop.key("BackSpace");
    }
    CHECK(player.state("clip filter") == "ben");
    {
      const Stopped stopped(player);
      for (int i = 0; i < 3; ++i) player.desktop.key("BackSpace");
    }
    CHECK(player.state("clip filter").empty());
    CHECK(player.state("frame") == "0");
  }
}

}  // namespace pchr::test::input_test
