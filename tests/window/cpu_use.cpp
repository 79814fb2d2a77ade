// SPDX-License-Identifier: MIT
// CPU use of the player. Not a test, since nothing is asserted. Run it with window_tests "[.cpu]".
#include "hidden_window.hpp"
#include "running_player.hpp"

#include <cmath>
#include <fstream>
#include <iostream>
#include <sstream>

#include <sys/resource.h>
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

/// Returns the CPU time of all programs that have ended, in seconds.
double child_seconds() {
  rusage use{};
  getrusage(RUSAGE_CHILDREN, &use);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(use.ru_utime) + seconds(use.ru_stime);
}

/// Prints the use of one core over some seconds, the number of frames that the player presents per second, and
/// the CPU time of each. Meanwhile, `act` is called a hundred times per second.
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
  const double drawn = presented() - frames;
  std::cout << what << ": " << std::round(used / passed * 1000.0) / 10.0 << " % of a core, "
            << std::round(drawn / passed) << " frames per second";
  if (drawn > 0) std::cout << ", " << std::round(used / drawn * 1000.0) << " ms per frame";
  std::cout << std::endl;
}

}  // namespace

TEST_CASE("CPU use is printed", "[.cpu]") {
  RunningPlayer player({PCHR_ASSETS_DIR "/kiri.pchr"});
  REQUIRE(player.shows_title("kiri"));
  player.desktop.after_input = [] {};
  std::this_thread::sleep_for(std::chrono::seconds(2));
  std::cout << "With OpenGL in software, at 1280 x 800:\n";
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
    player.desktop.move(kCanvas.center() + 100.0F * Vec2{std::sin(static_cast<float>(i) * 0.05F), 0.0F});
  });
  print_use(player, "paused, the mouse moves over the panels", [&](int i) {
    player.desktop.move({kCanvas.min.x * 0.5F, 200.0F + 150.0F * std::sin(static_cast<float>(i) * 0.05F)});
  });
}

#ifdef PCHR_TOOL
TEST_CASE("the cost of the same export in the player and with the tool is printed", "[.cpu]") {
  using namespace std::chrono;
  const fs::path folder = fresh_folder("window/export-cost");
  const fs::path file = folder / "kiri.pchr";
  fs::copy_file(PCHR_ASSETS_DIR "/kiri.pchr", file);  // Without its rig, which the tool does not play.
  RunningPlayer player({file.string()});
  REQUIRE(player.shows_title("\u2013"));
  static_cast<void>(player.pause_at_start());
  const std::string dash = " \u2013 ";
  const std::string title = player.title();
  const std::size_t begin = title.find(dash) + dash.size();
  const std::string clip = title.substr(begin, title.find(dash, begin) - begin);
  player.desktop.after_input = [] {};
  const fs::path exported = folder / ("kiri_" + clip + ".apng");
  for (int round = 0; round < 3; ++round) {
    fs::remove(exported);
    player.desktop.key("e", "Control_L");
    REQUIRE(player.state_becomes("export", "open"));
    REQUIRE(player.comes_to_rest());
    const double frames = std::stod(player.state("presented"));
    auto begun = steady_clock::now();
    const double started = cpu_seconds(player.process.id());
    player.desktop.key("Return");
    REQUIRE(eventually([&] { return fs::exists(exported); }));
    const double player_wall = duration<double>(steady_clock::now() - begun).count();
    const double player_cpu = cpu_seconds(player.process.id()) - started;
    const double presented = std::stod(player.state("presented")) - frames;
    REQUIRE(player.comes_to_rest());
    begun = steady_clock::now();
    const double children = child_seconds();
    ChildProcess tool(
        {PCHR_TOOL, "render", file.string(), "--clip", clip, "--scale", "1", "-o", (folder / "tool.apng").string()},
        {{"LIBGL_ALWAYS_SOFTWARE", "1"}}, output("window/export-cost.log"));
    REQUIRE(tool.wait() == 0);
    const double tool_wall = duration<double>(steady_clock::now() - begun).count();
    const double tool_cpu = child_seconds() - children;
    CHECK(read_file(exported) == read_file(folder / "tool.apng"));
    std::cout << "Exporting " << clip << ": player " << player_cpu << " s of CPU, " << player_wall << " s, "
              << presented << " frames presented; tool " << tool_cpu << " s of CPU, " << tool_wall << " s" << std::endl;
  }
}
#endif

}  // namespace pchr::test::cpu_use
