// SPDX-License-Identifier: MIT
// What a run has written, as JSON for other programs.
#pragma once

#include "json.hpp"
#include "task.hpp"

namespace pchr::tools {

/// The report of --manifest: assets/schema/manifest.schema.json describes it.
class Manifest {
 public:
  Manifest();
  void add(const Task& task);
  /// Returns the whole text. No task can be added afterward.
  [[nodiscard]] std::string finish();

 private:
  JsonWriter json_;
};

}  // namespace pchr::tools
