// SPDX-License-Identifier: MIT
// What the verbs that write characters share.
#pragma once

#include "common.hpp"
#include "output.hpp"

#include <pchr/save.hpp>

#include <filesystem>
#include <string>
#include <string_view>

namespace pchr::tools {

struct SavingOptions {
  InputOptions input;
  std::string output;
  SaveOptions save;
  bool force = false;
};

/// The input, -o, --lossy, --bake-opacity, --max-output-mb and --force.
void add_saving_options(CLI::App& command, SavingOptions& options, std::string_view output_name,
                        const std::string& output_help);
void add_spelling_option(CLI::App& command, SavingOptions& options);
void add_rgba_option(CLI::App& command, SavingOptions& options);

/// Reads the input and saves it. Warnings and losses go to standard error.
[[nodiscard]] Result<Saved> read_and_save(const SavingOptions& options, Form form);

/// Writes a character without images beside it: a file, or with "-" standard output.
[[nodiscard]] Result<void> write_alone(const Saved& saved, const SavingOptions& options);

/// Writes a character to `path` and its images beside it, images first: a JSON file that is there finds them.
[[nodiscard]] Result<void> write_with_images(const Saved& saved, const std::filesystem::path& path,
                                             const SavingOptions& options);

}  // namespace pchr::tools
