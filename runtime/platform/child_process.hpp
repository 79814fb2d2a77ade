// SPDX-License-Identifier: MIT
// Other processes of this program.
#pragma once

#include <pchr/expected.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace PCHR_API pchr {

/// A process that runs this program and serves the one that started it: its standard input and output are pipes to us,
/// its standard error is ours. It inherits nothing else.
class ChildProcess {
 public:
  /// Starts this program with arguments that begin with its name. Fails with the reason. The thread must outlive the
  /// process: Linux ends the process with the thread that started it.
  [[nodiscard]] static Expected<ChildProcess, std::string> start(std::vector<std::string> arguments);

  /// Sends bytes. Returns whether the process is still there to receive them.
  bool write(std::span<const std::byte> bytes);
  /// Receives all of `bytes`. Returns false if the process ends first.
  [[nodiscard]] bool read(std::span<std::byte> bytes);

  /// Asks the process to end and clean up; on Windows, ends it. Any thread can call it until wait() returns.
  void terminate() const noexcept;
  /// Ends the process at once. Any thread can call it until wait() returns.
  void kill() const noexcept;
  /// Closes the process's input and waits for its end. Returns how it ended, such as "signal 9 (Killed)", or nothing if
  /// it succeeded.
  std::string wait();

 private:
  struct State;
  explicit ChildProcess(std::unique_ptr<State, void (*)(State*)> state) noexcept : state_(std::move(state)) {}
  std::unique_ptr<State, void (*)(State*)> state_;  ///< Ends the process and waits for it.
};

/// Called by a child process: asks the system to end it, as terminate() does, when the process that started it ends in
/// any way. Where the system cannot, the child finds out when it reads its input.
void end_with_parent() noexcept;

}  // namespace pchr
