// SPDX-License-Identifier: MIT
// Files from strangers: only named files are read, and the process gives up everything else.
#pragma once

#include "worker.hpp"

#include <pchr/expected.hpp>

#include <CLI/CLI.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace pchr::tools {

/// The files that can be read, in memory.
class NamedFiles {
 public:
  /// Reads a regular file, and notes it in the current task. Fails if that is not possible.
  void add(const std::string& path, std::uint64_t max_bytes);
  /// Returns the bytes of one of the files, as a ReadFile.
  [[nodiscard]] Expected<std::vector<std::byte>, std::string> operator()(const std::string& path) const;

 private:
  std::map<std::string, std::vector<std::byte>> files_;
};

/// Adds --isolated, --max-memory and --max-seconds.
void add_confinement_options(CLI::App& command, WorkerOptions& options);

/// Adds --max-output-mb. Without a value in `options`, the default is that of WorkerOptions::output_limit().
void add_output_limit(CLI::App& command, WorkerOptions& options);

/// Limits the memory of this process. Fails if the system does not support that.
void limit_allocations(std::uint64_t bytes);

/// Makes OpenGL independent of the user's settings and caches. Called before it starts.
void ignore_user_settings();

/// Returns the folder above all outputs of an input. `output` is the pattern of their names.
[[nodiscard]] std::string folder_of_outputs(const std::string& output, const std::string& input);

/// Locks this process down. It can create files only in the folder of the outputs and below, or nowhere if `output` is
/// empty. `text_encoding` is one that is needed later. Returns a message about what is in force.
[[nodiscard]] std::string lock_down(const std::string& input, const std::string& output,
                                    const std::string& text_encoding);

}  // namespace pchr::tools
