// SPDX-License-Identifier: MIT
// Names for files that are not whole yet, and an end to those that never will be.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace pchr::film {

/// Names of temporary files in one folder: ".pchr.ID.NUMBER.tmp". While it lives, ".pchr.ID.lock" is locked beside
/// them. A killed process leaves its files but not its lock, which is how the next one knows that they can go.
class TemporaryNames {
 public:
  /// Those of `folder`, shared by all who write there at the same time. The first removes what killed processes left.
  [[nodiscard]] static std::shared_ptr<TemporaryNames> in(const std::filesystem::path& folder);

  explicit TemporaryNames(const std::filesystem::path& folder);
  TemporaryNames(const TemporaryNames&) = delete;
  TemporaryNames& operator=(const TemporaryNames&) = delete;
  ~TemporaryNames();

  /// A name that nobody had before.
  [[nodiscard]] std::filesystem::path next();

 private:
  [[nodiscard]] bool lock();

  std::filesystem::path folder_;
  std::string id_;
  int lock_ = -1;  ///< A descriptor; -1 where the folder takes no lock. Files that are left then stay.
  std::atomic<std::uint64_t> count_ = 0;
};

}  // namespace pchr::film
