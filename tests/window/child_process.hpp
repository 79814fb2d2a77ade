// SPDX-License-Identifier: MIT
// A program started by a test, which never outlives the test.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace pchr::test {

/// How long tests wait for something that should happen at once. This only guards against waiting forever, on the
/// busiest machine with the slowest sanitizer.
inline constexpr std::chrono::seconds kPatience{180};

struct Variable {
  std::string name;
  std::optional<std::string> value;  ///< Absent to unset the variable.
};

/// A descriptor that a program inherits, and the numbers that it gets there.
struct Inherited {
  int descriptor = -1;  ///< Negative for none.
  std::vector<int> as{3};
};

class ChildProcess {
 public:
  /// Starts `command` (program and arguments) with the environment changed by `variables`. Redirects its output to the
  /// file `log`.
  ChildProcess(const std::vector<std::string>& command, const std::vector<Variable>& variables,
               const std::filesystem::path& log, const Inherited& inherited = {});
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess();  ///< Ends the program.

  [[nodiscard]] pid_t id() const noexcept { return id_; }
  [[nodiscard]] bool running();
  /// Waits for the program to end. Returns the exit code, or 128 plus the signal, or nothing on timeout.
  [[nodiscard]] std::optional<int> wait(std::chrono::milliseconds patience = kPatience);

 private:
  void collect(int options);
  pid_t id_ = -1;
  std::optional<int> exit_code_;
};

}  // namespace pchr::test
