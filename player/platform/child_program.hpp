// SPDX-License-Identifier: MIT
// Other programs that this one starts and writes to.
#pragma once

#include <pchr/expected.hpp>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace pchr::player {

/// A running program whose standard input is a pipe from this one. Its standard output goes nowhere.
class ChildProgram {
 public:
  /// Starts a program without a shell or window. Returns a message on failure.
  [[nodiscard]] static Expected<ChildProgram, std::string> start(const std::filesystem::path& program,
                                                                 const std::vector<std::string>& arguments);

  /// Writes to the program. Waits while it is busy. Returns false if it has stopped reading.
  [[nodiscard]] bool write(std::span<const std::byte> bytes);
  /// Ends the program's input, waits for its end, and returns whether it succeeded.
  [[nodiscard]] bool finish();
  /// Returns the last line that the program wrote to standard error, after finish().
  [[nodiscard]] std::string error_line() const;
  /// Kills the program. Other threads may be in write() or finish(), which then return.
  void kill();

 private:
  struct State;
  explicit ChildProgram(std::unique_ptr<State> state) noexcept;
  std::unique_ptr<State, void (*)(State*)> state_;  ///< Destroying it kills the program and waits for it.
};

}  // namespace pchr::player
