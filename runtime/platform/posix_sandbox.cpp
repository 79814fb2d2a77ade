// SPDX-License-Identifier: MIT
#include "platform/sandbox.hpp"

#include "platform/posix_lockdown.hpp"
#include "platform/system_error.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#ifdef __linux__
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <string_view>
#include <utility>

extern char** environ;

namespace pchr {
namespace {

volatile std::sig_atomic_t exceeded_file_size = 0;

std::error_code lower_limit(int resource, rlim_t value) {
  rlimit limit{};
  if (getrlimit(static_cast<decltype(RLIMIT_CORE)>(resource), &limit) != 0) return last_error();
  limit.rlim_cur = limit.rlim_max = std::min(limit.rlim_max, value);
  return setrlimit(static_cast<decltype(RLIMIT_CORE)>(resource), &limit) == 0 ? std::error_code() : last_error();
}

}  // namespace

Sandbox enter_sandbox(const std::vector<std::string>& folders) {
  Sandbox sandbox;
#ifdef __linux__
  constexpr rlim_t kMaxFiles = 256;
  // A core dump would be a file elsewhere.
  for (const auto& error : {lower_limit(RLIMIT_CORE, 0), lower_limit(RLIMIT_NOFILE, kMaxFiles)}) {
    if (error) sandbox.missing.push_back(error_text(error));
  }
  // It can ignore the signal that end_with_parent() asks for, but not this one.
  int at_end = 0;
  if (prctl(PR_GET_PDEATHSIG, &at_end, 0, 0, 0) == 0 && at_end != 0) prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  std::string problem;
  sandbox.landlock = enter_landlock(folders, problem);
  if (sandbox.landlock == 0) sandbox.missing.push_back(std::exchange(problem, ""));
  sandbox.seccomp = enter_seccomp(sandbox.landlock > 0, problem);
  if (!sandbox.seccomp) sandbox.missing.push_back(problem);
#else
  (void)folders;
  sandbox.missing.emplace_back("this system has neither Landlock nor seccomp");
#endif
  return sandbox;
}

void clear_environment(const std::vector<std::string>& keep,
                       const std::vector<std::pair<std::string, std::string>>& others) {
  std::vector<std::string> names;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    names.emplace_back(text.substr(0, text.find('=')));
  }
  for (const std::string& name : names) {
    if (std::ranges::find(keep, name) == keep.end()) unsetenv(name.c_str());
  }
  for (const auto& [name, value] : others) setenv(name.c_str(), value.c_str(), 1);
}

void close_inherited_files() noexcept {
#ifdef __linux__
  // System headers can be older than the kernel.
  constexpr long kCloseRange = 436;
  syscall(kCloseRange, STDERR_FILENO + 1, ~0U, 0);
#endif
}

void discard_standard_error() noexcept {
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere < 0) return;
  dup2(nowhere, STDERR_FILENO);
  close(nowhere);
}

std::error_code limit_file_size(std::uint64_t bytes) {
  // The default is to end the process.
  std::signal(SIGXFSZ, [](int /*signal*/) { exceeded_file_size = 1; });
  return lower_limit(RLIMIT_FSIZE, bytes);
}

bool has_exceeded_file_size() noexcept { return exceeded_file_size != 0; }

std::error_code limit_memory(std::uint64_t bytes) {
#ifdef __linux__
  // RLIMIT_AS would also count libraries and what is only reserved.
  return lower_limit(RLIMIT_DATA, bytes);
#else
  return lower_limit(RLIMIT_AS, bytes);
#endif
}

}  // namespace pchr
