// SPDX-License-Identifier: MIT
// Runs the built `pchr` on files made in code.
#include "tool.hpp"

#include "support/files.hpp"
#include "support/scenes.hpp"

#include <cli.hpp>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string_view>

extern char** environ;

namespace pchr::test {
namespace {

/// Sends a standard stream of this process to a file.
class Redirection {
 public:
  Redirection(int stream, const std::string& path) : stream_(stream), before_(dup(stream)) {
    std::fflush(nullptr);
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    dup2(file, stream);
    close(file);
  }
  ~Redirection() {
    std::fflush(nullptr);
    dup2(before_, stream_);
    close(before_);
  }
  Redirection(const Redirection&) = delete;
  Redirection& operator=(const Redirection&) = delete;

 private:
  int stream_, before_;
};

}  // namespace

std::vector<std::string> pchr_command(const std::vector<std::string>& arguments) {
  std::vector<std::string> command{PCHR_TOOL};
  if (const char* const other = std::getenv("PCHR_TEST_TOOL")) {
    std::istringstream words(other);
    command.assign(std::istream_iterator<std::string>(words), {});
  }
  command.insert(command.end(), arguments.begin(), arguments.end());
  return command;
}

std::string null_device() { return pchr_command().back().ends_with(".exe") ? "NUL" : "/dev/null"; }

std::string shell_command(const std::vector<std::string>& arguments) {
  std::string line;
  for (const std::string& word : pchr_command(arguments)) line += (line.empty() ? "'" : " '") + word + "'";
  return line;
}

Outcome run_pchr(const std::vector<std::string>& arguments, const std::vector<std::string>& environment,
                 const std::filesystem::path& out_file) {
  if (environment.empty() && out_file.empty() && std::getenv("PCHR_TEST_TOOL") == nullptr) {
    const std::string out = output("tools/stdout").string(), err = output("tools/stderr").string();
    Outcome outcome;
    {
      const Redirection to_out(STDOUT_FILENO, out), to_err(STDERR_FILENO, err);
      outcome.exit_code = static_cast<int>(tools::run(joined({"pchr"}, arguments)));
    }
    outcome.out = read_text(out);
    outcome.err = read_text(err);
    return outcome;
  }
  std::vector<std::string> command = pchr_command(arguments);
  const std::string program = command.front();
  command.erase(command.begin());
  return run_program(program, command, environment, out_file);
}

Outcome run_program(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                    const std::vector<std::string>& environment, const std::filesystem::path& out_file) {
  const std::string out = out_file.empty() ? output("tools/stdout").string() : out_file.string();
  const std::string err = output("tools/stderr").string();

  std::vector<char*> argv{const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  std::vector<char*> envp;
  for (const std::string& variable : environment) envp.push_back(const_cast<char*>(variable.c_str()));
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view name(*variable, std::strcspn(*variable, "=") + 1);
    const bool is_replaced = std::ranges::any_of(environment, [&](const auto& own) { return own.starts_with(name); });
    if (!is_replaced) envp.push_back(*variable);
  }
  envp.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  constexpr int kFlags = O_WRONLY | O_CREAT | O_TRUNC;
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out.c_str(), kFlags, 0644);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err.c_str(), kFlags, 0644);
  pid_t child = 0;
  const int failed = posix_spawn(&child, program.c_str(), &actions, nullptr, argv.data(), envp.data());
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) throw std::runtime_error("cannot start " + program.string());

  int status = 0;
  waitpid(child, &status, 0);
  Outcome outcome;
  outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  if (out_file.empty()) outcome.out = read_text(out);
  outcome.err = read_text(err);
  return outcome;
}

Strings joined(Strings first, const Strings& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

Strings names_in(const std::filesystem::path& folder) {
  Strings names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    names.push_back(utf8_of(entry.path().filename()));
  std::ranges::sort(names);
  return names;
}

std::string character_file(const std::string& name, const pchr::CharacterData& data) {
  const auto path = output("tools/" + name);
  write_file(path, write_v1(data));
  return path.string();
}

}  // namespace pchr::test
