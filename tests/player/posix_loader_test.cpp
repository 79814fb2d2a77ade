// SPDX-License-Identifier: MIT
// The thread that reads files, with named pipes.
#include "document/loader.hpp"

#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/scenes.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

namespace pchr::player::posix_loader_test {

namespace fs = std::filesystem;

TEST_CASE("a loader that waits for a pipe can be destroyed", "[player][loader]") {
  const fs::path pipe = test::output("player/loader-silent.pchr");
  fs::remove(pipe);
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  // A separate process with an alarm, so that a hang does not block the other tests.
  const pid_t child = fork();
  if (child == 0) {
    alarm(600);
    {
      Loader loader([] {});
      loader.start({.paths = {pipe}});
      // Opening the other end succeeds once the loader has opened the pipe.
      while (open(pipe.c_str(), O_WRONLY | O_NONBLOCK) < 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(WIFEXITED(status));
}

TEST_CASE("a loader reads a character from a pipe", "[player][loader]") {
  const fs::path arm = test::output("player/loader-arm.pchr");
  test::write_file(arm, test::write_v1(test::two_bone_arm()));
  const fs::path pipe = test::output("player/loader-pipe.pchr");
  fs::remove(pipe);
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  Loader loader([] {});
  loader.start({.paths = {pipe}});
  const test::Bytes bytes = test::read_file(arm);
  // The writer waits for the loader to open the other end.
  std::thread writer([&] { test::write_file(pipe, bytes); });
  std::optional<LoadResult> result;
  while (!(result = loader.take())) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  writer.join();
  REQUIRE(result->file);
  CHECK(result->file->path == pipe);
  CHECK(result->read.empty());
}

}  // namespace pchr::player::posix_loader_test
