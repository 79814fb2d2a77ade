// SPDX-License-Identifier: MIT
// A program started by a test, which never outlives the test.
#include "child_process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <stdexcept>
#include <thread>

namespace pchr::test {
namespace {

[[noreturn]] void become(const std::vector<std::string>& command, const std::vector<Variable>& variables,
                         const std::filesystem::path& log, const Inherited& inherited) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int output = open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  for (const int number : inherited.as) {
    if (inherited.descriptor == number) fcntl(number, F_SETFD, 0);
    if (inherited.descriptor >= 0 && inherited.descriptor != number) dup2(inherited.descriptor, number);
  }
  for (const Variable& variable : variables) {
    variable.value ? setenv(variable.name.c_str(), variable.value->c_str(), 1) : unsetenv(variable.name.c_str());
  }
  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  execv(arguments[0], arguments.data());
  _exit(127);
}

}  // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& command, const std::vector<Variable>& variables,
                           const std::filesystem::path& log, const Inherited& inherited) {
  id_ = fork();
  if (id_ < 0) throw std::runtime_error("cannot start " + command[0]);
  if (id_ == 0) become(command, variables, log, inherited);
}

ChildProcess::~ChildProcess() {
  if (!running()) return;
  kill(id_, SIGTERM);
  if (wait(std::chrono::seconds(30))) return;
  kill(id_, SIGKILL);
  collect(0);
}

bool ChildProcess::running() {
  collect(WNOHANG);
  return !exit_code_;
}

std::optional<int> ChildProcess::wait(std::chrono::milliseconds patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (running() && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return exit_code_;
}

void ChildProcess::collect(int options) {
  int status = 0;
  if (exit_code_ || waitpid(id_, &status, options) != id_) return;
  exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace pchr::test
