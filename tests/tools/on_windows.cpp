// SPDX-License-Identifier: MIT
// What only the program for Windows does. The folders of tests are on a drive whose root is this system's root.
#include "tool.hpp"

#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/scenes.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace on_windows {
namespace {

using namespace pchr::test;
namespace fs = std::filesystem;

std::string with_backslashes(const fs::path& path) {
  std::string result = path.string();
  std::ranges::replace(result, '/', '\\');
  return result;
}

}  // namespace

TEST_CASE("paths have slashes or backslashes, and can start with a drive", "[tools][.windows]") {
  const fs::path folder = fresh_folder("paths");
  write_file(folder / "hero.pchr", write_v1(two_bone_arm()));
  const std::string backslashes = with_backslashes(folder);
  for (const std::string& start : {backslashes, "Z:" + backslashes, "z:" + folder.string()}) {
    INFO(start);
    fs::remove_all(folder / "out");
    CHECK(run_pchr({"inspect", start + "\\hero.pchr"}).exit_code == 0);
    CHECK(run_pchr({"unpack", start + "\\hero.pchr", "-o", start + "\\out"}).exit_code == 0);
    const std::string json = start + "\\out\\hero.json";
    CHECK(run_pchr({"pack", json, "-o", start + "\\out\\again.pchr"}).exit_code == 0);
    CHECK(run_pchr({"convert", json, "-o", start + "\\out\\copy.json"}).exit_code == 0);
    CHECK(fs::exists(folder / "out" / "copy.arm.png"));
  }
  const Outcome report = run_pchr({"validate", "--sarif", "Z:" + backslashes + "\\no such.pchr"});
  CHECK_THAT(report.out, contains("\"file:///Z%3A" + folder.string().substr(0, 5)));
  CHECK_THAT(report.out, contains("/no%20such.pchr\""));
}

TEST_CASE("wildcards name all files that match, sorted", "[tools][.windows]") {
  const fs::path folder = fresh_folder("wildcards");
  for (const char* name : {"b.pchr", "a.PCHR", "狐.pchr", "longer extension.pchrx", "other.txt"}) {
    write_file(folder / name, write_v1(two_bone_arm()));
  }
  const auto validated = [&](const std::string& pattern) {
    return run_pchr({"validate", "--json", folder.string() + pattern}).out;
  };
  const std::string all = validated("/*.pchr");
  CHECK_THAT(all, contains("a.PCHR") && contains("b.pchr") && contains("狐.pchr"));
  CHECK(all.find("a.PCHR") < all.find("b.pchr"));
  CHECK_THAT(all, !contains("pchrx") && !contains("other"));
  CHECK_THAT(validated("\\?.pchr"), contains("b.pchr") && !contains("longer"));
  CHECK_THAT(validated("/*.*"), contains("other.txt"));
  CHECK(run_pchr({"validate", folder.string() + "/none*.pchr"}).exit_code == 4);
}

TEST_CASE("clips whose names differ only in case are not written to one file", "[tools][.windows]") {
  pchr::CharacterData data = sliding_quad();
  data.clips.push_back(data.clips.back());
  data.clips.back().name = "SLIDE";
  const std::string file = character_file("windows_case.pchr", data);
  const fs::path folder = fresh_folder("case");
  const std::string names = (folder / "{clip}.png").string();
  CHECK(run_pchr({"render", file, "--all-clips", "--frame", "0", "--size", "8x8", "-o", names}).exit_code == 2);
  CHECK(fs::is_empty(folder));
}

TEST_CASE("NUL takes any output, and other device names are refused", "[tools][.windows]") {
  const std::string file = character_file("windows_nul.pchr", two_bone_arm());
  for (const char* name : {"NUL", "nul"}) {
    INFO(name);
    CHECK(run_pchr({"render", file, "--size", "8x8", "--format", "png", "-o", name}).exit_code == 0);
    CHECK(run_pchr({"pack", file, "-o", name}).exit_code == 0);
  }
  for (const char* name : {"CON", "aux.png", "folder/COM1.png"}) {
    const Outcome outcome = run_pchr({"render", file, "--size", "8x8", "--format", "png", "-o", name});
    CHECK(outcome.exit_code == 3);
    CHECK_THAT(outcome.err, contains("Windows reserves its name for a device"));
  }
}

TEST_CASE("play runs the player next to the tool with its streams and exit code", "[tools][.windows]") {
  const fs::path folder = fresh_folder("play");
  const std::vector<std::string> command = pchr_command();
  fs::copy_file(command.back(), folder / "pchr.exe");
  const auto play = [&](const std::vector<std::string>& arguments) {
    std::vector<std::string> words(command.begin() + 1, command.end() - 1);
    words.push_back((folder / "pchr.exe").string());
    words.insert(words.end(), arguments.begin(), arguments.end());
    return run_program(command.front(), words);
  };
  CHECK(play({"play"}).exit_code == 3);
  // A second copy of the tool stands for the player. Its first argument is "--".
  fs::copy_file(command.back(), folder / "pchr-player.exe");
  const Outcome outcome = play({"play", "two words.pchr", "quote\".pchr", "back\\slash\\"});
  CHECK(outcome.exit_code == 2);
  CHECK_THAT(outcome.err, contains("unknown option \"--\""));
}

}  // namespace on_windows
