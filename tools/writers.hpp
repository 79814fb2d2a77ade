// SPDX-License-Identifier: MIT
// Files of one run that two would write.
#pragma once

#include <map>
#include <string>

namespace pchr::tools {

/// Which input or option of a run writes each file.
class Writers {
 public:
  /// Adds an input, which nothing may write. Fails as wrong usage if something does.
  void add_input(const std::string& path);
  /// Adds a file that is written. Fails as wrong usage if it is an input, or another one writes it too.
  void add(const std::string& path, const std::string& writer);

 private:
  std::map<std::string, std::string> writers_;  ///< By normal path; empty for inputs.
};

}  // namespace pchr::tools
