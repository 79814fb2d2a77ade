// SPDX-License-Identifier: MIT
// Files that can be made again.
#pragma once

#include <pchr/callback.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace PCHR_API pchr {

/// Returns the user's folder for cached files: $XDG_CACHE_HOME, if it is an absolute path, or else what the system
/// uses. Empty if there is none.
[[nodiscard]] std::string user_cache_folder();

/// A folder of small files, which several processes can use at the same time. Errors are ignored: what cannot be stored
/// is not found later.
class CacheFolder {
 public:
  /// Creates the folder when something is first stored. With an empty path, nothing is.
  CacheFolder(std::string path, std::uint64_t max_bytes) : path_(std::move(path)), max_bytes_(max_bytes) {}

  /// Returns the bytes of a file, or none.
  [[nodiscard]] std::vector<std::byte> load(const std::string& name) const;
  /// Replaces a file. If the folder would exceed its limit, all other files are removed.
  void store(const std::string& name, std::span<const std::byte> bytes) const;

  /// Return these functions as those of a ProgramCache, which can be used as long as the folder exists.
  /// @{
  [[nodiscard]] Callback<std::vector<std::byte>(const std::string& name)> loading() const noexcept;
  [[nodiscard]] Callback<void(const std::string& name, std::span<const std::byte> bytes)> storing() const noexcept;
  /// @}

 private:
  std::string path_;
  std::uint64_t max_bytes_;
};

/// Returns the folder in which the tool and the player keep compiled shader programs.
[[nodiscard]] const CacheFolder& program_folder();

}  // namespace pchr
