// SPDX-License-Identifier: MIT
// The subcommands.
#pragma once

#include <CLI/CLI.hpp>

#include <memory>
#include <utility>

namespace pchr::tools {

/// Adds a subcommand that calls `run` with its options. The caller adds options to the returned command.
template <class Options, class Run>
std::pair<CLI::App&, Options&> add_subcommand(CLI::App& app, const char* name, const char* description,
                                              const Run& run) {
  CLI::App& command = *app.add_subcommand(name, description);
  const auto options = std::make_shared<Options>();
  command.callback([options, run] { run(*options); });
  return {command, *options};
}

void add_inspect(CLI::App& app);
void add_play(CLI::App& app);
void add_validate(CLI::App& app);
void add_render(CLI::App& app);
void add_sheet(CLI::App& app);
void add_pose(CLI::App& app);
void add_diff(CLI::App& app);
/// Adds convert, pack and unpack.
void add_convert(CLI::App& app);

}  // namespace pchr::tools
