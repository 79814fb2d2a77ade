// SPDX-License-Identifier: MIT
// Programs that this one starts, and streams that it reads.
#pragma once

#include <pchr/expected.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
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

/// Returns whether `path` names a pipe or device, which can block a reader even when the program exits.
[[nodiscard]] bool is_stream(const std::filesystem::path& path);

/// A pipe, device or standard input that is read without blocking for long.
class InputStream {
 public:
  [[nodiscard]] static InputStream standard_input() noexcept;
  /// Opens a path for which is_stream() is true. Returns a message on failure.
  [[nodiscard]] static Expected<InputStream, std::string> open(const std::filesystem::path& path);
  InputStream(InputStream&& other) noexcept;
  InputStream& operator=(InputStream&&) = delete;
  ~InputStream();

  /// Waits at most a tenth of a second for bytes. Returns how many were read into `bytes`, or nothing at the end.
  [[nodiscard]] std::optional<std::size_t> read(std::span<std::byte> bytes) const;

 private:
  InputStream(std::intptr_t handle, bool owned) noexcept : handle_(handle), owned_(owned) {}
  std::intptr_t handle_;
  bool owned_;  ///< Standard input stays open.
};

/// Two descriptors of the C library that another program has opened: a socket, pipes, or standard input and output.
struct QuestionChannel {
  int input = -1;
  int output = -1;

  /// Waits for the next byte. Returns nothing once the other program has closed the channel.
  [[nodiscard]] std::optional<char> receive() const;
  /// Sends all of `text`. Ignores failures: the other program may be gone.
  void send(std::string_view text) const;
};

}  // namespace pchr::player
