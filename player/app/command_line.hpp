// SPDX-License-Identifier: MIT
// The command line of pchr-player: its options, help, man page and completions.
#pragma once

#include <pchr/import/import.hpp>

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace pchr::player {

struct CommandLine {
  std::vector<std::filesystem::path> files{};
  ImportOptions options{};
  std::string printed{};  ///< Text to print instead of opening a window; empty to open one.
};

/// Parses the arguments after the program's name. Returns a message on wrong usage.
[[nodiscard]] Expected<CommandLine, std::string> parse_command_line(std::span<const std::string> arguments);

}  // namespace pchr::player
