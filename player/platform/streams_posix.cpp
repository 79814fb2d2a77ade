// SPDX-License-Identifier: MIT
#include "platform/streams.hpp"

#include "platform/files.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string_view>
#include <thread>
#include <utility>

extern char** environ;

namespace pchr::player {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kKeptBytes = 4096;

#ifdef __APPLE__
constexpr int kSendFlags = 0;
#else
constexpr int kSendFlags = MSG_NOSIGNAL;
#endif

/// Opens two connected sockets that other programs do not inherit. Sending with kSendFlags to a closed one raises no
/// signal. Returns 0, or sets errno.
int open_sockets(std::array<int, 2>& ends) {
#ifdef __APPLE__
  if (const int result = socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()); result != 0) return result;
  for (const int end : ends) fcntl(end, F_SETFD, FD_CLOEXEC);
  const int on = 1;
  return setsockopt(ends[0], SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof(on));
#else
  return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data());
#endif
}

/// Opens a pipe that other programs do not inherit. Returns 0, or sets errno.
int open_pipe(std::array<int, 2>& ends) {
#ifdef __APPLE__
  if (const int result = pipe(ends.data()); result != 0) return result;
  for (const int end : ends) fcntl(end, F_SETFD, FD_CLOEXEC);
  return 0;
#else
  return pipe2(ends.data(), O_CLOEXEC);
#endif
}

/// Keeps the end of what can be read, until its end.
void drain(int descriptor, std::string& kept) {
  std::array<char, 1024> buffer{};
  for (;;) {
    const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
    kept.append(buffer.data(), static_cast<std::size_t>(count));
    if (kept.size() > kKeptBytes) kept.erase(0, kept.size() - kKeptBytes);
  }
}

}  // namespace

struct ChildProgram::State {
  /// A descriptor that is closed at the end.
  struct Descriptor {
    int number = -1;
    Descriptor() = default;
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() { reset(); }
    void reset() {
      if (number >= 0) ::close(std::exchange(number, -1));
    }
  };

  Descriptor input{};  // A socket, because writing to a closed pipe ends this program.
  Descriptor errors{};
  pid_t id = -1;
  std::mutex mutex{};
  bool ended = false;  ///< Whether `id` may be another program by now.
  int status = -1;
  std::string kept{};
  std::thread reader{};

  void wait() {
    input.reset();
    if (ended || id < 0) return;
    siginfo_t info{};
    while (waitid(P_PID, static_cast<id_t>(id), &info, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
    }
    {
      const std::scoped_lock lock(mutex);
      ended = true;
      waitpid(id, &status, 0);
    }
    if (reader.joinable()) reader.join();
  }
  void kill() {
    const std::scoped_lock lock(mutex);
    if (!ended && id > 0) ::kill(id, SIGKILL);
  }
  ~State() {
    kill();
    wait();
  }
};

ChildProgram::ChildProgram(std::unique_ptr<State> state) noexcept
    : state_(state.release(), [](State* owned) { delete owned; }) {}

Expected<ChildProgram, std::string> ChildProgram::start(const fs::path& program,
                                                        const std::vector<std::string>& arguments) {
  auto state = std::make_unique<State>();
  std::array<int, 2> input{-1, -1};
  std::array<int, 2> errors{-1, -1};
  if (open_sockets(input) != 0) return Unexpected(error_text(last_error()));
  state->input.number = input[0];
  State::Descriptor childs_input, childs_errors;
  childs_input.number = input[1];
  if (open_pipe(errors) != 0) return Unexpected(error_text(last_error()));
  state->errors.number = errors[0];
  childs_errors.number = errors[1];

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input[1], STDIN_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, errors[1], STDERR_FILENO);
  std::string name = program.string();
  std::vector<std::string> copies(arguments);
  std::vector<char*> list{name.data()};
  for (std::string& argument : copies) list.push_back(argument.data());
  list.push_back(nullptr);
  const int error = posix_spawn(&state->id, name.c_str(), &actions, nullptr, list.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    state->id = -1;
    return Unexpected(error_text(std::error_code(error, std::generic_category())));
  }
  childs_errors.reset();
  state->reader = std::thread([&kept = state->kept, descriptor = state->errors.number] { drain(descriptor, kept); });
  return ChildProgram(std::move(state));
}

bool ChildProgram::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(state_->input.number, bytes.data(), bytes.size(), kSendFlags);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(sent));
  }
  return true;
}

bool ChildProgram::finish() {
  state_->wait();
  return WIFEXITED(state_->status) && WEXITSTATUS(state_->status) == 0;
}

std::string ChildProgram::error_line() const {
  std::string_view text = state_->kept;
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
  return std::string(text.substr(text.find_last_of("\r\n") + 1));
}

void ChildProgram::kill() { state_->kill(); }

namespace {

constexpr int kWaitMilliseconds = 100;

}  // namespace

bool is_stream(const std::filesystem::path& path) {
  std::error_code error;
  return std::filesystem::is_other(path, error);
}

InputStream InputStream::standard_input() noexcept { return {STDIN_FILENO, false}; }

Expected<InputStream, std::string> InputStream::open(const std::filesystem::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  if (descriptor < 0) return Unexpected(std::string(std::strerror(errno)));
  return InputStream(descriptor, true);
}

InputStream::InputStream(InputStream&& other) noexcept
    : handle_(other.handle_), owned_(std::exchange(other.owned_, false)) {}

InputStream::~InputStream() {
  if (owned_) close(static_cast<int>(handle_));
}

std::optional<std::size_t> InputStream::read(std::span<std::byte> bytes) const {
  pollfd input{static_cast<int>(handle_), POLLIN, 0};
  if (poll(&input, 1, kWaitMilliseconds) == 0) return 0;
  const ssize_t count = ::read(input.fd, bytes.data(), bytes.size());
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
  if (count <= 0) return std::nullopt;
  return static_cast<std::size_t>(count);
}

std::optional<char> QuestionChannel::receive() const {
  char byte = 0;
  ssize_t count = 0;
  do {
    count = ::read(input, &byte, 1);
  } while (count < 0 && errno == EINTR);
  return count == 1 ? std::optional(byte) : std::nullopt;
}

void QuestionChannel::send(std::string_view text) const {
  while (!text.empty()) {
    const ssize_t sent = ::send(output, text.data(), text.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(sent));
  }
}

}  // namespace pchr::player
