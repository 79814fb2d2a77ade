// SPDX-License-Identifier: MIT
// The files that were read, which no output may replace.
#include "film/input_files.hpp"

#include <sys/stat.h>

#include <optional>

namespace pchr::film {
namespace {

std::optional<std::pair<dev_t, ino_t>> identity_of(const std::filesystem::path& path) {
  struct stat file{};
  if (stat(path.c_str(), &file) != 0) return std::nullopt;
  return std::pair(file.st_dev, file.st_ino);
}

}  // namespace

void InputFiles::add(const std::filesystem::path& path) {
  if (const auto identity = identity_of(path)) files_.insert(*identity);
}

bool InputFiles::contains(const std::filesystem::path& path) const {
  if (files_.empty()) return false;
  const auto identity = identity_of(path);
  return identity && files_.contains(*identity);
}

}  // namespace pchr::film
