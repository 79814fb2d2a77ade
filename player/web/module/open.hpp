// SPDX-License-Identifier: MIT
// Opens a character from files in memory: open_v1.cpp in the small module, open_any.cpp in the one with all formats.
#pragma once

#include <pchr/animator.hpp>
#include <pchr/load.hpp>

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace pchr::web {

/// A file that the page has read. Owns its bytes.
struct File {
  struct Free {
    void operator()(void* memory) const noexcept { std::free(memory); }
  };
  std::string path;
  std::unique_ptr<std::byte, Free> bytes;
  std::size_t size = 0;

  [[nodiscard]] std::span<const std::byte> contents() const noexcept { return {bytes.get(), size}; }
};

using Files = std::vector<File>;

/// Returns the file with that path, or null.
[[nodiscard]] const File* find_file(const Files& files, std::string_view path) noexcept;

/// A character, with what the page shows about its file.
struct Opened {
  Character character;
  std::string format{}, title{}, author{};
  Markers markers{};
  std::vector<Diagnostic> diagnostics{};
};

/// Opens one of `files`. Appends the paths of the files that it names but that are not among them to `missing`.
[[nodiscard]] Expected<Opened, LoadError> open_character(const File& file, const Files& files, const Limits& limits,
                                                         std::vector<std::string>& missing);

}  // namespace pchr::web
