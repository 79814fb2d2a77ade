// SPDX-License-Identifier: MIT
// Child processes of POSIX systems.
#include "platform/child_process.hpp"

#include "character/format.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <mutex>
#include <utility>

extern char** environ;

namespace pchr {
namespace {

void close_end(int& descriptor) {
  if (descriptor >= 0) close(std::exchange(descriptor, -1));
}

struct Pipe {
  std::array<int, 2> ends{-1, -1};  ///< To read and to write.
  ~Pipe() {
    for (int& end : ends) close_end(end);
  }
};

int open_pipe(Pipe& pipe) {
  if (::pipe(pipe.ends.data()) != 0) return errno;
  for (const int end : pipe.ends) fcntl(end, F_SETFD, FD_CLOEXEC);
  return 0;
}

// A write to a process that has ended must fail, not end this program.
class WithoutPipeSignal {
 public:
  WithoutPipeSignal() {
    sigset_t pipe;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe, &before_);
  }
  ~WithoutPipeSignal() {
    sigset_t pending;
    sigpending(&pending);
    if (sigismember(&pending, SIGPIPE) == 1 && sigismember(&before_, SIGPIPE) == 0) {
      sigset_t pipe;
      sigemptyset(&pipe);
      sigaddset(&pipe, SIGPIPE);
      int taken = 0;
      sigwait(&pipe, &taken);
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  WithoutPipeSignal(const WithoutPipeSignal&) = delete;
  WithoutPipeSignal& operator=(const WithoutPipeSignal&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace

struct ChildProcess::State {
  pid_t process = -1;
  int to = -1, from = -1;

  // Returns how the process ended, as wait() does.
  std::string wait() {
    close_end(to);
    int status = 0;
    pid_t ended = 0;
    while ((ended = waitpid(process, &status, 0)) == -1 && errno == EINTR) {
    }
    process = -1;
    if (ended == -1) return std::strerror(errno);
    if (WIFSIGNALED(status)) return format_text("signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
    return WEXITSTATUS(status) == 0 ? "" : format_text("exit code {}", WEXITSTATUS(status));
  }
};

Expected<ChildProcess, std::string> ChildProcess::start(std::vector<std::string> arguments) {
  // Where pipes cannot be created with FD_CLOEXEC, another process could inherit them in between.
  static std::mutex mutex;
  const std::scoped_lock guard(mutex);
  Pipe to, from;
  int error = open_pipe(to);
  if (error == 0) error = open_pipe(from);
  if (error != 0) return Unexpected(std::string(std::strerror(error)));

  std::vector<char*> values;
  for (std::string& argument : arguments) values.push_back(argument.data());
  values.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, to.ends[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, from.ends[1], STDOUT_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  // The thread that starts it can block signals.
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  pid_t process = -1;
  // The link works even if the program's file has been replaced since.
  const char* const self = access("/proc/self/exe", X_OK) == 0 ? "/proc/self/exe" : values.front();
  error = posix_spawnp(&process, self, &actions, &attributes, values.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return Unexpected(std::string(std::strerror(error)));

  const auto end = [](State* state) {
    close_end(state->from);
    if (state->process != -1) {
      ::kill(state->process, SIGKILL);
      state->wait();
    }
    delete state;
  };
  return ChildProcess({new State{process, std::exchange(to.ends[1], -1), std::exchange(from.ends[0], -1)}, end});
}

bool ChildProcess::write(std::span<const std::byte> bytes) {
  const WithoutPipeSignal without_signal;
  while (!bytes.empty()) {
    const ssize_t count = ::write(state_->to, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
  return true;
}

bool ChildProcess::read(std::span<std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::read(state_->from, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
  return true;
}

void ChildProcess::terminate() const noexcept {
  ::kill(state_->process, SIGTERM);
  // A stopped process ends only if it continues.
  ::kill(state_->process, SIGCONT);
}
void ChildProcess::kill() const noexcept { ::kill(state_->process, SIGKILL); }
std::string ChildProcess::wait() { return state_->wait(); }

void end_with_parent() noexcept {
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
}

}  // namespace pchr
