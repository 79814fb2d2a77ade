// SPDX-License-Identifier: MIT
#include "platform/sandbox.hpp"

#include "platform/posix_lockdown.hpp"
#include "platform/system_error.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <utility>

extern char** environ;

namespace pchr {
namespace {

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

std::error_code limit_memory(std::uint64_t bytes) {
#ifdef __linux__
  // RLIMIT_AS would also count libraries and what is only reserved.
  return lower_limit(RLIMIT_DATA, bytes);
#else
  return lower_limit(RLIMIT_AS, bytes);
#endif
}

}  // namespace pchr
