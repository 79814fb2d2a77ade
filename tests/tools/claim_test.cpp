// SPDX-License-Identifier: MIT
// A process that a file from a stranger could have taken over, and how far to believe it.
#include "claim.hpp"

#include "support/catch.hpp"
#include "support/files.hpp"

#include <filesystem>

namespace pchr::test::claim_test {
namespace {

namespace fs = std::filesystem;
using tools::believe;
using tools::ExitCode;
using tools::is_below;
using tools::judge_written;
using tools::Task;

/// Returns whether a process may say that it has written these files.
bool may_write(const fs::path& folder, const std::vector<fs::path>& paths) {
  Task task{.input = "hero"};
  for (const fs::path& path : paths) task.written.push_back({.path = utf8_of(path)});
  judge_written(task, utf8_of(folder));
  const bool may = task.exit_code == ExitCode::success;
  CHECK(task.written.size() == (may ? paths.size() : 0));
  CHECK(task.messages.size() == (may ? 0 : 1));
  return may;
}

TEST_CASE("what a process says about files that were read does not count", "[tools][claim]") {
  Task announced{.input = "hero", .sandbox = "all in force"};
  announced.read.push_back({.path = "hero"});
  Task claimed{.input = "other", .exit_code = ExitCode::bad_data, .out = "text\x1b[2J\n", .sandbox = "nothing"};
  claimed.read = {{.path = "/etc/passwd"}};
  claimed.missing = {"/etc/shadow"};
  claimed.folders = {{.path = "/etc"}};
  claimed.messages.push_back({.text = "an error"});
  claimed.written.push_back({.path = "hero.png", .frames = 2, .state = {.bytes = 4}});
  const Task task = believe(announced, claimed);
  CHECK(task.input == "hero");
  CHECK(task.sandbox == "all in force");
  REQUIRE(task.read.size() == 1);
  CHECK(task.read[0].path == "hero");
  CHECK(task.missing.empty());
  CHECK(task.folders.empty());
  CHECK(task.exit_code == ExitCode::bad_data);
  CHECK(task.out == "text\\x1b[2J\n");
  CHECK(task.messages.size() == 1);
  REQUIRE(task.written.size() == 1);
  CHECK(task.written[0].frames == 2);
  CHECK_FALSE(is_known(task.written[0].state));
}

TEST_CASE("outputs are regular files in the folder that was allowed", "[tools][claim]") {
  const fs::path base = fresh_folder("claim"), out = base / "out";
  fs::create_directories(out / "walk");
  for (const char* name : {"out/hero.png", "out/walk/1.png", "secret", "out2"}) write_file(base / name, {});
  CHECK(may_write(out, {}));
  CHECK(may_write(out, {out / "hero.png", out / "walk/1.png"}));
  CHECK(may_write(out / "", {out / "." / "hero.png"}));
  CHECK(may_write(out / "walk" / "..", {out / "walk" / ".." / "hero.png"}));
  CHECK_FALSE(may_write(out, {out / "hero.png", out / "hero.png"}));
  CHECK_FALSE(may_write(out, {out / "none.png"}));
  CHECK_FALSE(may_write(out, {out / "walk"}));
  CHECK_FALSE(may_write(out, {out}));
  CHECK_FALSE(may_write(out, {""}));
  CHECK_FALSE(may_write(out, {base / "secret"}));
  CHECK_FALSE(may_write(out, {base / "out2"}));
  CHECK_FALSE(may_write(out, {out / ".." / "secret"}));
  CHECK_FALSE(may_write(out, {"/etc/passwd"}));
}

TEST_CASE("outputs are not reached through links", "[tools][claim][posix]") {
  const fs::path base = fresh_folder("claim_links"), out = base / "out";
  fs::create_directories(out);
  fs::create_directories(base / "other");
  write_file(base / "other/secret", {});
  fs::create_symlink(base / "other/secret", out / "file");
  fs::create_directory_symlink(base / "other", out / "folder");
  CHECK_FALSE(may_write(out, {out / "file"}));
  CHECK_FALSE(may_write(out, {out / "folder/secret"}));
  // The user named this one.
  CHECK(may_write(out / "folder", {out / "folder/secret"}));
}

TEST_CASE("a folder holds itself and what is inside", "[tools][claim]") {
  CHECK(is_below("out", "out"));
  CHECK(is_below(".", "out"));
  CHECK(is_below("out", "out/cache"));
  CHECK(is_below("./out/", "out/../out/cache"));
  CHECK_FALSE(is_below("out", "."));
  CHECK_FALSE(is_below("out", "output"));
  CHECK_FALSE(is_below("out", "out/../cache"));
}

}  // namespace
}  // namespace pchr::test::claim_test
