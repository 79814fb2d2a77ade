// SPDX-License-Identifier: MIT
// The assertion that catches misspelled names of clips.
#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/load.hpp"

#include <pchr/animator.hpp>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace misspelled_clip_test_posix {
using namespace pchr;

#ifndef NDEBUG
TEST_CASE("playing a misspelled clip fails an assertion that says so", "[animator][ids]") {
  Animator animator(load_asset("kiri.pchr"));
  const ClipId misspelled = animator.character().find_clip("wlak");
  REQUIRE(misspelled == ClipId::none);
  for (const auto begin : {&Animator::play, &Animator::queue}) {
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    const pid_t child = fork();
    if (child == 0) {
      std::signal(SIGABRT, SIG_DFL);
      dup2(ends[1], STDERR_FILENO);
      (animator.*begin)(misspelled, {});
      _exit(0);
    }
    close(ends[1]);
    std::string said;
    char text[256];
    for (ssize_t count = 0; (count = read(ends[0], text, sizeof(text))) > 0;) {
      said.append(text, static_cast<std::size_t>(count));
    }
    close(ends[0]);
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK((WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT));
    CHECK(said.find("its name may be misspelled") != std::string::npos);
  }
}
#endif

}  // namespace misspelled_clip_test_posix
