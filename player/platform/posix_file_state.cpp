// SPDX-License-Identifier: MIT
#include "platform/file_state.hpp"

namespace pchr::player {

std::optional<FileState> file_state(const std::filesystem::path& path) {
  std::error_code error;
  const auto modified = std::filesystem::last_write_time(path, error);
  if (error) return std::nullopt;
  const std::uintmax_t bytes = std::filesystem::file_size(path, error);
  if (error) return std::nullopt;
  return FileState{modified.time_since_epoch().count(), bytes};
}

}  // namespace pchr::player
