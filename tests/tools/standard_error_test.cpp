// SPDX-License-Identifier: MIT
// A standard error that cannot be written changes neither other output nor the exit code.
#include "tool.hpp"

#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/scenes.hpp"

#include <cstdlib>
#include <filesystem>
#include <string>
#include <sys/wait.h>
#include <vector>

namespace standard_error_test {
namespace {

using namespace pchr::test;
namespace fs = std::filesystem;

// Returns the exit code of `pchr` with its standard streams redirected by a shell.
int run_redirected(const std::vector<std::string>& arguments, const std::string& redirection) {
  const int status = std::system(("exec " + shell_command(arguments) + ' ' + redirection).c_str());
  // A signal ends the shell with 128 plus its number.
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// A character that loads with a warning, because its flags are set.
std::string warned_file() {
  Bytes bytes = write_v1(two_bone_arm());
  bytes[10] = std::byte{1};
  const fs::path path = output("tools/standard_error/hero.pchr");
  write_file(path, bytes);
  const Outcome outcome = run_pchr({"pack", path.string(), "-o", "-"}, {}, "/dev/null");
  REQUIRE(outcome.exit_code == 0);
  REQUIRE(outcome.err.contains("warning"));
  return path.string();
}

TEST_CASE("a full or closed standard error does not change the exit code", "[tools][standard_error]") {
  const std::string file = warned_file();
  const std::vector<std::vector<std::string>> commands{
      {"inspect", "nosuch.pchr"}, {"inspect", file},         {"inspect"},
      {"validate", "nosuch"},     {"pose", file, "--clip="}, {"render", file, "--clip", "nosuch", "-o", "/dev/null"}};
  for (const auto& command : commands) {
    INFO(command[0]);
    const int expected = run_redirected(command, ">/dev/null 2>/dev/null");
    CHECK(expected < 128);
    CHECK(run_redirected(command, ">/dev/null 2>/dev/full") == expected);
    CHECK(run_redirected(command, ">/dev/null 2>&-") == expected);
  }
}

TEST_CASE("a full or closed standard error does not change the files written", "[tools][standard_error]") {
  const std::string file = warned_file();
  const auto written_by = [&](std::string subcommand, const std::string& name, const std::string& redirection) {
    const fs::path target = output("tools/standard_error/" + name);
    fs::remove(target);
    CHECK(run_redirected({std::move(subcommand), file, "-o", target.string()}, redirection) == 0);
    return read_file(target);
  };
  for (const auto& [subcommand, name] :
       {std::pair("render", "still.png"), {"pack", "packed.pchr"}, {"sheet", "sheet.png"}}) {
    INFO(subcommand);
    const Bytes expected = written_by(subcommand, name, ">/dev/null 2>/dev/null");
    CHECK_FALSE(expected.empty());
    CHECK(written_by(subcommand, name, ">/dev/null 2>/dev/full") == expected);
    // Otherwise the first file opened would become standard error and receive warnings.
    CHECK(written_by(subcommand, name, ">/dev/null 2>&-") == expected);
  }
}

void check_output_fails(const std::string& redirection) {
  const std::string file = warned_file();
  const std::string sheet = output("tools/standard_error/sheet.png").string();
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"inspect", file}, {"sheet", file, "-o", sheet}, {"--help"}, {"--version"}}) {
    INFO(command[0]);
    CHECK(run_redirected(command, redirection) == 3);
  }
}

TEST_CASE("a full standard output exits 3", "[tools][standard_error]") { check_output_fails(">/dev/full 2>/dev/full"); }

TEST_CASE("a closed standard output exits 3", "[tools][standard_error][posix]") { check_output_fails(">&- 2>&-"); }

}  // namespace

}  // namespace standard_error_test
