// SPDX-License-Identifier: MIT
// What the subcommands that write characters share.
#pragma once

#include "tool.hpp"

#include <pchr/import/save.hpp>

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

/// The input, -o, --lossy, --max-output-mb and --force.
void add_saving_options(CLI::App& command, SavingOptions& options, std::string_view output_name,
                        const std::string& output_help);
void add_spelling_option(CLI::App& command, SavingOptions& options);
void add_rgba_option(CLI::App& command, SavingOptions& options);

/// The text of a markers file that goes beside a character; empty where there are no markers.
struct MarkersText {
  std::string text;
  bool moved = false;  ///< Not as in the input's file: clips were sampled at another rate.
};

/// A character and what goes beside it.
struct Saving {
  Saved saved;
  MarkersText markers;
};

/// Fails for a character that cannot be saved, with the options that would help.
[[noreturn]] void fail_to_save(const Diagnostic& diagnostic, const std::string& file);

/// Reads the input and saves it; image files are named after `stem`. Warnings and losses go to standard error.
[[nodiscard]] Saving read_and_save(const SavingOptions& options, Format format, const std::string& stem);

/// The markers of the input: as they are in its file, or with `at_one_rate` at the frames that save() makes of theirs.
[[nodiscard]] MarkersText read_markers(const Character& character, const SavingOptions& options, bool at_one_rate);

/// Writes a character without images beside it: a file and its markers, or standard output for "-".
void write_alone(const Saving& saving, const SavingOptions& options);

/// Writes a character to `path`, its images and markers beside it, those first: a JSON file that is there finds them.
/// An image that another JSON in that folder uses is never replaced.
void write_with_images(const Saving& saving, const std::filesystem::path& path, const SavingOptions& options);

}  // namespace pchr::tools
