// SPDX-License-Identifier: MIT
// A program started by a test, which never outlives it.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace pchr::test {

/// How long tests wait for something that should happen at once: a guard against waiting forever, no measure of
/// anything, on the busiest machine with the slowest sanitizer.
inline constexpr std::chrono::seconds kPatience{180};

struct Variable {
  std::string name;
  std::optional<std::string> value;  ///< Absent: not set.
};

class ChildProcess {
 public:
  /// Starts `command` (program and arguments) with the environment changed by `variables`. What it prints goes
  /// to the file `log`; `inherited` becomes its file descriptor 3 where it is not negative.
  ChildProcess(const std::vector<std::string>& command, const std::vector<Variable>& variables,
               const std::filesystem::path& log, int inherited = -1);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess();  ///< Ends the program.

  [[nodiscard]] pid_t id() const noexcept { return id_; }
  [[nodiscard]] bool running();
  /// Waits for the end: the exit code, or 128 and the signal. Absent where it does not end in time.
  [[nodiscard]] std::optional<int> wait(std::chrono::milliseconds patience = kPatience);

 private:
  void collect(int options);
  pid_t id_ = -1;
  std::optional<int> exit_code_;
};

}  // namespace pchr::test
