// SPDX-License-Identifier: MIT
// Output files that appear only when they are complete.
#pragma once

#include "platform/output_file.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <system_error>

namespace PCHR_API pchr {

/// How the names of hidden files begin that this program writes between others.
inline constexpr std::string_view kHiddenPrefix = ".pchr.";

class TemporaryNames;

struct RemoveFile {
  void operator()(const std::string* path) const;
};

/// Removes what killed processes left in a folder, unless this process has done so for a result that still exists.
std::shared_ptr<TemporaryNames> remove_leftovers(const std::string& folder);

/// File that is written to a hidden temporary file in its folder, which is removed unless it is published. If the
/// process is killed, the next one that writes there removes it.
struct PendingFile {
  explicit PendingFile(std::string target);

  /// Creates the temporary file.
  [[nodiscard]] std::error_code create();
  /// Moves the complete file to its place. Without `replace`, fails if one exists there.
  [[nodiscard]] std::error_code publish(bool replace);

  std::string path;
  std::shared_ptr<TemporaryNames> names{};                     ///< Set by create().
  std::unique_ptr<const std::string, RemoveFile> temporary{};  ///< Its path; null unless it was created.
  File file{};                                                 ///< Open for writing after create().
};

}  // namespace pchr
