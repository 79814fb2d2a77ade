// SPDX-License-Identifier: MIT
// CPU use of the player. Not a test, since nothing is asserted. Run it with window_tests "[.cpu]".
#include "hidden_window.hpp"
#include "running_player.hpp"

#include <cmath>
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

/// Prints the use of one core over some seconds, and the number of frames that the player presents per second.
/// Meanwhile, `act` is called a hundred times per second.
void print_use(const RunningPlayer& player, const std::string& what, const std::function<void(int)>& act = {}) {
  using namespace std::chrono;
  constexpr seconds kTime{6};
  const auto presented = [&] { return std::stod(player.state("presented")); };
  const double frames = presented();
  const double before = cpu_seconds(player.process.id());
  const auto begun = steady_clock::now();
  for (int i = 0; steady_clock::now() - begun < kTime; ++i) {
    if (act) act(i);
    std::this_thread::sleep_for(milliseconds(10));
  }
  const double used = cpu_seconds(player.process.id()) - before;
  const double passed = duration<double>(steady_clock::now() - begun).count();
  std::cout << what << ": " << std::round(used / passed * 1000.0) / 10.0 << " % of a core, "
            << std::round((presented() - frames) / passed) << " frames per second" << std::endl;
}

}  // namespace

TEST_CASE("CPU use is printed", "[.cpu]") {
  RunningPlayer player({PCHR_ASSETS_DIR "/kiri.pchr"}, 1280, 720);
  player.desktop.resize(player.window, 1280, 720);
  REQUIRE(player.shows_title("kiri"));
  player.desktop.after_input = [] {};
  const Rect canvas = player::arrange({1280, 720}, 1.0F).canvas;
  std::this_thread::sleep_for(std::chrono::seconds(2));
  std::cout << "With OpenGL in software, at 1280 x 720:\n";
  print_use(player, "playing");
  minimize(player.desktop, player.window);
  print_use(player, "playing, minimized");
  restore(player.desktop, player.window);
  {
    const Cover cover(player.desktop, player.window);
    print_use(player, "playing, covered");
  }
  player.desktop.key("space");
  REQUIRE(player.state_becomes("playing", "no"));
  print_use(player, "paused");
  print_use(player, "paused, the mouse moves over the canvas", [&](int i) {
    player.desktop.move(canvas.center() + 100.0F * Vec2{std::sin(static_cast<float>(i) * 0.05F), 0.0F});
  });
  print_use(player, "paused, the mouse moves over the panels", [&](int i) {
    player.desktop.move({canvas.min.x * 0.5F, 200.0F + 150.0F * std::sin(static_cast<float>(i) * 0.05F)});
  });
}

}  // namespace pchr::test::cpu_use
