// SPDX-License-Identifier: MIT
#include "platform/process.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace pchr {

namespace fs = std::filesystem;

namespace {

bool can_run(const fs::path& program) {
  std::error_code error;
  return fs::is_regular_file(program, error) && access(program.c_str(), X_OK) == 0;
}

constexpr int kRequests[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};

volatile std::sig_atomic_t caught_signal = 0;

void remember_signal(int number) { caught_signal = number; }

}  // namespace

std::vector<std::string> utf8_arguments(int argc, char** argv) { return {argv, argv + argc}; }

std::vector<std::string> expand_wildcards(const std::string& path) { return {path}; }

std::optional<std::string> find_program(const std::string& name) {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  if (!error && can_run(self.parent_path() / name)) return self.parent_path() / name;
  const char* variable = std::getenv("PATH");
  std::string_view folders = variable != nullptr ? variable : "";
  while (!folders.empty()) {
    const std::size_t end = std::min(folders.find(':'), folders.size());
    const fs::path program = fs::path(folders.substr(0, end)) / name;
    // A relative folder would depend on where this program was started.
    if (program.is_absolute() && can_run(program)) return program.string();
    folders.remove_prefix(std::min(end + 1, folders.size()));
  }
  return std::nullopt;
}

std::string become_program(const std::string& path, std::vector<std::string> arguments) {
  std::vector<char*> values;
  for (std::string& argument : arguments) values.push_back(argument.data());
  values.push_back(nullptr);
  execv(path.c_str(), values.data());
  return std::strerror(errno);
}

void share_freed_memory() noexcept {
#ifdef __GLIBC__
  mallopt(M_ARENA_MAX, 1);
#endif
}

void set_default_variable(const std::string& name, const std::string& value) noexcept {
  setenv(name.c_str(), value.c_str(), 0);
}

void prepare_standard_streams() noexcept {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // open() returns the lowest free descriptor. It is opened in the wrong direction, so using it still fails.
    if (fcntl(stream, F_GETFD) == -1) open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

int write_standard_output(std::span<const std::byte> bytes) {
  const bool written = std::fwrite(bytes.data(), 1, bytes.size(), stdout) == bytes.size() && std::fflush(stdout) == 0;
  return written ? 0 : errno;
}

void write_standard_error(std::string_view text) noexcept { std::fwrite(text.data(), 1, text.size(), stderr); }

bool is_error_on_terminal() noexcept { return isatty(STDERR_FILENO) == 1; }

std::optional<std::size_t> terminal_columns() noexcept {
  winsize size{};
  if (isatty(STDOUT_FILENO) == 0 || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) {
    return std::nullopt;
  }
  return size.ws_col;
}

void catch_interrupts() noexcept {
  struct sigaction action{};
  action.sa_handler = remember_signal;
  for (const int number : kRequests) {
    // Without SA_RESTART, so that a write to a pipe without a reader ends too. A second SIGPIPE must not end the
    // program before it has cleaned up.
    action.sa_flags = number == SIGPIPE ? 0 : static_cast<int>(SA_RESETHAND);
    struct sigaction before{};
    // Signals that nohup ignores stay ignored.
    if (sigaction(number, nullptr, &before) == 0 && before.sa_handler != SIG_IGN) sigaction(number, &action, nullptr);
  }
}

void release_interrupts() noexcept {
  for (const int number : kRequests) {
    struct sigaction current{};
    if (sigaction(number, nullptr, &current) != 0 || current.sa_handler != remember_signal) continue;
    current.sa_handler = SIG_DFL;
    sigaction(number, &current, nullptr);
  }
}

bool interrupted() noexcept { return caught_signal != 0; }

void end_if_interrupted() noexcept {
  if (caught_signal == 0) return;
  std::signal(caught_signal, SIG_DFL);
  std::raise(caught_signal);
}

void end_program(int exit_code) noexcept { std::exit(exit_code); }

}  // namespace pchr
