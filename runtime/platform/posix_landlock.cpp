// SPDX-License-Identifier: MIT
// Landlock, Linux's sandbox for files: landlock(7).
#include "platform/posix_lockdown.hpp"

#ifdef __linux__
#include "character/format.hpp"
#include "platform/system_error.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <set>
#include <thread>

namespace pchr {
namespace {

namespace fs = std::filesystem;

// System headers can be older than the kernel.
constexpr long kCreateRuleset = 444, kAddRule = 445, kRestrictSelf = 446;
constexpr unsigned kAskForVersion = 1;
constexpr int kPathBeneath = 1;

constexpr std::uint64_t kWriteFile = 1U << 1, kRemoveFile = 1U << 5, kMakeFolder = 1U << 7, kMakeFile = 1U << 8,
                        kTruncate = 1U << 14;
/// Number of file rights that each version knows, from version 1. Later ones know no more.
constexpr std::array kFileRights{13, 14, 15, 15, 16};
constexpr int kNetworkVersion = 4, kScopeVersion = 6;

/// What a process gives up.
struct Ruleset {
  std::uint64_t files = 0, network = 0, scopes = 0;
};

// The kernel reads 12 bytes.
struct PathRule {
  std::uint64_t allowed = 0;
  std::int32_t folder = -1;
};

class Descriptor {
 public:
  explicit Descriptor(long value) : value_(static_cast<int>(value)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (value_ >= 0) close(value_);
  }
  [[nodiscard]] int value() const noexcept { return value_; }
  [[nodiscard]] bool valid() const noexcept { return value_ >= 0; }

 private:
  int value_;
};

// A signal makes each thread restrict itself: Landlock restricts only the calling thread and those that it starts
// later. Drivers start theirs before, with all signals blocked but this one.
constexpr int kSignal = SIGSYS;
std::atomic<int> shared_ruleset = -1;
std::atomic<int> restricted = 0, refused = 0;

bool restrict_this_thread() {
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && syscall(kRestrictSelf, shared_ruleset.load(), 0) == 0;
}

void restrict_on_signal(int /*signal*/) {
  const int error = errno;
  ++(restrict_this_thread() ? restricted : refused);
  errno = error;
}

std::set<pid_t> find_threads() {
  std::set<pid_t> threads;
  std::error_code error;
  for (fs::directory_iterator at("/proc/self/task", error); !error && at != fs::directory_iterator();
       at.increment(error)) {
    const std::string name = at->path().filename().string();
    pid_t thread = 0;
    if (std::from_chars(name.data(), name.data() + name.size(), thread).ec == std::errc()) threads.insert(thread);
  }
  return threads;
}

/// Returns false if a thread does not follow within some seconds.
bool restrict_other_threads() {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point end = Clock::now() + std::chrono::seconds(20);
  std::set<pid_t> done{gettid()};
  // A thread that has not been reached yet can start others.
  for (;;) {
    const std::set<pid_t> threads = find_threads();
    if (!threads.contains(gettid())) return false;
    if (std::ranges::includes(done, threads)) return refused == 0;
    for (const pid_t thread : threads) {
      if (done.contains(thread)) continue;
      const int before = restricted + refused;
      bool lives = syscall(SYS_tgkill, getpid(), thread, kSignal) == 0;
      while (lives && restricted + refused == before) {
        if (Clock::now() > end) return false;
        std::this_thread::sleep_for(std::chrono::microseconds(100));
        lives = syscall(SYS_tgkill, getpid(), thread, 0) == 0;
      }
      done.insert(thread);
    }
  }
}

bool restrict_all_threads(int ruleset) {
  shared_ruleset = ruleset;
  restricted = refused = 0;
  struct sigaction action{}, previous{};
  action.sa_handler = restrict_on_signal;
  action.sa_flags = SA_RESTART;
  if (sigaction(kSignal, &action, &previous) != 0) return false;
  const bool all = restrict_other_threads() && restrict_this_thread();
  sigaction(kSignal, &previous, nullptr);
  return all;
}

}  // namespace

int enter_landlock(const std::vector<std::string>& folders, std::string& problem) {
  const long version = syscall(kCreateRuleset, nullptr, 0, kAskForVersion);
  if (version < 1) {
    problem = "the kernel has no Landlock";
    return 0;
  }
  const auto fail_with = [&](const std::string& what) {
    problem = format_text("Landlock: {}: {}", what, error_text(last_error()));
    return 0;
  };
  const std::size_t known = std::min(static_cast<std::size_t>(version), kFileRights.size());
  Ruleset rules{.files = (std::uint64_t{1} << static_cast<unsigned>(kFileRights[known - 1])) - 1};
  if (version >= kNetworkVersion) rules.network = 0b11;
  if (version >= kScopeVersion) rules.scopes = 0b11;
  const Descriptor ruleset(syscall(kCreateRuleset, &rules, sizeof(rules), 0));
  if (!ruleset.valid()) return fail_with("no rules");
  for (const std::string& path : folders) {
    const Descriptor folder(open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!folder.valid()) return fail_with(path);
    const PathRule rule{rules.files & (kWriteFile | kRemoveFile | kMakeFolder | kMakeFile | kTruncate), folder.value()};
    if (syscall(kAddRule, ruleset.value(), kPathBeneath, &rule, 0) != 0) return fail_with(path);
  }
  if (!restrict_all_threads(ruleset.value())) {
    problem = "Landlock: not all threads follow";
    return 0;
  }
  return static_cast<int>(version);
}

}  // namespace pchr
#endif
