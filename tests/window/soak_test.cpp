// SPDX-License-Identifier: MIT
// Memory use over a long time. Run it with window_tests "[.soak]"; PCHR_SOAK_MINUTES sets the time.
#include "running_player.hpp"

#include <fstream>
#include <iostream>

namespace pchr::test::soak_test {
namespace {

double soak_minutes() {
  const char* minutes = std::getenv("PCHR_SOAK_MINUTES");
  return minutes != nullptr ? std::strtod(minutes, nullptr) : 3.0;
}

/// Returns the memory that a process uses, in MiB.
double resident_mebibytes(pid_t process) {
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  for (std::string line; std::getline(status, line);) {
    double kibibytes = 0;
    if (std::sscanf(line.c_str(), "VmRSS: %lf", &kibibytes) == 1) return kibibytes / 1024.0;
  }
  return 0;
}

/// Chooses clips, saves the file twice (once broken), steps through the folder, and exports.
void work(RunningPlayer& player, const fs::path& folder) {
  Desktop& desktop = player.desktop;
  for (const char* key : {"Down", "Down", "Up", "n", "b", "g", "Right", "End", "Home", "n", "b", "g"}) desktop.key(key);
  const fs::path saved = folder / "arm.pchr";
  const Bytes whole = write_v1(two_bone_arm());
  write_file(saved, Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(whole.size() / 2)));
  player.shows_frame();
  write_file(saved, whole);
  for (const char* key : {"bracketright", "bracketright"}) {
    const std::string before = player.state("file");
    desktop.key(key);
    REQUIRE(eventually([&] { return player.state("file") != before; }));
  }
  REQUIRE(player.state_becomes("load error", ""));
  desktop.key("e", "Control_L");
  player.click("export start");
  REQUIRE(eventually([&] { return player.state("export") != "running"; }));
  desktop.key("Escape");
  desktop.key("Escape");
  desktop.key("F12");
  desktop.key("space");
  player.shows_frame();
}

}  // namespace

TEST_CASE("memory stays flat over hours of clips, reloads and exports", "[.soak]") {
  const fs::path folder = output("window/soak/x").parent_path();
  const auto prepare = [&] {
    fs::remove_all(folder);
    fs::create_directories(folder);
    write_file(folder / "arm.pchr", write_v1(two_bone_arm()));
    write_file(folder / "quad.pchr", write_v1(sliding_quad()));
  };
  prepare();
  fs::copy_file(PCHR_ASSETS_DIR "/kiri.pchr", folder / "kiri.pchr");
  RunningPlayer player({path_text(folder / "kiri.pchr")});
  player.desktop.after_input = nullptr;  // The player queues input.
  using Clock = std::chrono::steady_clock;
  const auto begun = Clock::now();
  const auto minutes = [&] { return std::chrono::duration<double, std::ratio<60>>(Clock::now() - begun).count(); };
  double warm = 0;
  double reported = 0;
  int rounds = 0;
  for (; minutes() < soak_minutes(); ++rounds) {
    work(player, folder);
    REQUIRE(player.process.running());
    if (rounds % 20 == 0) {
      for (const auto& entry : fs::directory_iterator(folder)) {
        if (entry.path().extension() != ".pchr") fs::remove_all(entry.path());
      }
    }
    const double now = resident_mebibytes(player.process.id());
    if (minutes() < soak_minutes() * 0.25) warm = std::max(warm, now);
    if (minutes() < reported) continue;
    std::cout << "after " << static_cast<int>(reported) << " min and " << rounds << " rounds: " << now << " MiB"
              << std::endl;
    reported += 1.0;
  }
  const double last = resident_mebibytes(player.process.id());
  std::cout << rounds << " rounds: " << warm << " MiB after a quarter of the time, " << last << " MiB at the end\n";
  player.desktop.keep_screenshot("soak.png");
  constexpr double kNoise = 8.0;
  CHECK(last < warm * 1.03 + kNoise);
}

}  // namespace pchr::test::soak_test
