// SPDX-License-Identifier: MIT
// CPU use of the player. Not a test, since nothing is asserted. Run it with window_tests "[.cpu]".
#include "running_player.hpp"

#include <fstream>
#include <iostream>
#include <sstream>

#include <unistd.h>

namespace pchr::test::cpu_use {
namespace {

/// Returns the CPU time of a process and its threads, in seconds.
double cpu_seconds(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::stringstream stat;
  stat << file.rdbuf();
  // The name, in parentheses, is the only field that can contain spaces. User and system time are 12 and 13 fields
  // after it.
  std::istringstream fields(stat.str().substr(stat.str().rfind(')') + 1));
  std::string skipped;
  for (int i = 0; i < 11; ++i) fields >> skipped;
  double user = 0, system = 0;
  fields >> user >> system;
  return (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

/// Returns the use of one core, averaged over ten seconds.
double percent_used(pid_t process) {
  constexpr int kSeconds = 10;
  const double before = cpu_seconds(process);
  std::this_thread::sleep_for(std::chrono::seconds(kSeconds));
  return (cpu_seconds(process) - before) / kSeconds * 100.0;
}

}  // namespace

TEST_CASE("CPU use is printed", "[.cpu]") {
  RunningPlayer player({PCHR_ASSETS_DIR "/kiri.pchr"}, 1280, 720);
  player.desktop.resize(player.window, 1280, 720);
  REQUIRE(player.shows_title("kiri"));
  std::this_thread::sleep_for(std::chrono::seconds(2));
  std::cout << "playing, with OpenGL in software: " << percent_used(player.process.id()) << " % of a core\n";
  // The tooltip of the CPU time includes the panels' share.
  const player::Layout layout = player::arrange({1280, 720}, 1.0F);
  player.desktop.move(layout.info.center());
  for (int i = 0; i < 20; ++i) {
    player.desktop.press(5);
    player.desktop.release(5);
  }
  player.desktop.move(layout.info.max - Vec2{30.0F, 60.0F});
  std::this_thread::sleep_for(std::chrono::seconds(2));
  player.desktop.keep_screenshot("cpu_use.png");
  static_cast<void>(player.pause_at_start());
  std::cout << "paused: " << percent_used(player.process.id()) << " % of a core\n";
}

}  // namespace pchr::test::cpu_use
