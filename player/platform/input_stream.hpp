// SPDX-License-Identifier: MIT
#pragma once

#include <pchr/expected.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

namespace pchr::player {

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

}  // namespace pchr::player
