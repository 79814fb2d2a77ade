// SPDX-License-Identifier: MIT
// `pchr play`, with a player that only prints its arguments.
#include "tool.hpp"

#include "support/catch.hpp"
#include "support/files.hpp"

#include <fstream>

namespace play_test {
namespace {

namespace fs = std::filesystem;
using namespace pchr::test;

fs::path folder_with_player(const std::string& name, const std::string& text) {
  const fs::path player = output("tools/" + name + "/pchr-player");
  std::ofstream(player) << "#!/bin/sh\necho " << text << " \"$@\"\nexit 7\n";
  fs::permissions(player, fs::perms::owner_all);
  return player.parent_path();
}

}  // namespace

TEST_CASE("play runs the player in PATH with all files and returns its exit code", "[tools][play][posix]") {
  const fs::path folder = folder_with_player("on-path", "path");
  const Outcome outcome =
      run_pchr({"play", "one.pchr", "-", "two words.json"}, {"PATH=/nonexistent::" + folder.string()});
  CHECK(outcome.out == "path -- one.pchr - two words.json\n");
  CHECK(outcome.exit_code == 7);
  CHECK(run_pchr({"play"}, {"PATH=" + folder.string()}).out == "path --\n");
  CHECK(run_pchr({"play", "a.pchr", "--bind", "idle:2"}, {"PATH=" + folder.string()}).out ==
        "path --bind idle:2 -- a.pchr\n");
  CHECK(run_pchr({"play", "a.chp", "--second-player", "--black-key", "--encoding", "shift-jis"},
                 {"PATH=" + folder.string()})
            .out == "path --second-player --black-key --encoding shift-jis -- a.chp\n");
}

TEST_CASE("play prefers the player next to the tool", "[tools][play][posix]") {
  const fs::path next_to_tool = folder_with_player("next_to_tool", "next_to_tool");
  const fs::path other = folder_with_player("on-path", "path");
  fs::copy_file(PCHR_TOOL, next_to_tool / "pchr", fs::copy_options::overwrite_existing);
  const Outcome outcome = run_program(next_to_tool / "pchr", {"play", "one.pchr"}, {"PATH=" + other.string()});
  CHECK(outcome.out == "next_to_tool -- one.pchr\n");
}

TEST_CASE("play without a player exits 3", "[tools][play][posix]") {
  for (const std::string path : {"PATH=", "PATH=/nonexistent"}) {
    const Outcome outcome = run_pchr({"play", "one.pchr"}, {path});
    CHECK(outcome.exit_code == 3);
    CHECK(outcome.err == "pchr: cannot find pchr-player next to this program or in PATH\n");
    CHECK(outcome.out.empty());
  }
}

}  // namespace play_test
