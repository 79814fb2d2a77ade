// SPDX-License-Identifier: MIT
// Where films go: files that take their places together, once all are whole, or standard output.
#pragma once

#include "film/film.hpp"
#include "film/pending_file.hpp"

#include <cstddef>
#include <cstdio>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace pchr::film {

class FilmOutput {
 public:
  /// Never replaces one of `inputs`.
  explicit FilmOutput(InputFiles inputs) : inputs_(std::move(inputs)) {}

  /// Appends to the file at `path`, or to standard output for "-". With `last` the file is whole. Another path begins
  /// only then. What a link points at is replaced; devices and pipes are written directly.
  [[nodiscard]] Result<void> write(const std::string& path, std::span<const std::byte> bytes, bool last);

  /// Puts all files in their places.
  [[nodiscard]] Result<void> publish(Existing existing);

 private:
  [[nodiscard]] Result<void> open(const std::string& path);

  InputFiles inputs_;
  std::optional<PendingFile> pending_;
  std::unique_ptr<std::FILE, CloseFile> direct_;
  std::vector<PendingFile> whole_;
};

}  // namespace pchr::film
