// SPDX-License-Identifier: MIT
// Where a character came from.
#pragma once

#include "file_watch.hpp"

#include <pchr/load.hpp>

#include <vector>

namespace pchr::player {

/// How a file was read, and which files that were, as they were before it.
struct Source {
  LoadOptions options{};
  std::vector<FileStamp> read{};
};

}  // namespace pchr::player
