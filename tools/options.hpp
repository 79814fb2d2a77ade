// SPDX-License-Identifier: MIT
// Options of the command line, and the help, man page and completions that are made from them.
#pragma once

#include <pchr/image.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pchr::tools {

/// Sets the heading under which help lists the options added from here on.
void begin_group(CLI::App& command, const char* heading);

/// Validators for CLI11. Each returns an error message, or an empty string if the number is valid.
[[nodiscard]] std::string check_finite(const std::string& text);
[[nodiscard]] std::string check_above_0(const std::string& text);

/// Returns a validator for finite numbers from `min` to `max`.
[[nodiscard]] CLI::Validator check_range(double min, double max);
/// Returns a validator for one of some names.
[[nodiscard]] CLI::Validator check_choice(const std::vector<std::string>& names);

/// Adds an option that sets `target` or, if that is a function, calls it with the text.
template <class Target, class... Checks>
CLI::Option* add_option(CLI::App& command, const std::string& name, Target& target, const std::string& argument,
                        const std::string& description, const Checks&... checks) {
  CLI::Option* option = nullptr;
  if constexpr (std::is_invocable_v<const Target&, std::string>) {
    option = command.add_option_function<std::string>(name, target, description);
  } else {
    option = command.add_option(name, target, description);
  }
  option->option_text(argument);
  (option->check(checks), ...);
  return option;
}

/// Adds an option whose value is one of some names.
template <class Value, class Target>
CLI::Option* add_choice(CLI::App& command, const std::string& name, Target& target,
                        const std::vector<std::pair<std::string, Value>>& choices, const std::string& description) {
  std::vector<std::string> names;
  for (const auto& [each, value] : choices) names.push_back(each);
  const auto set = [choices, &target](const std::string& text) {
    const auto chosen = std::ranges::find(choices, text, &std::pair<std::string, Value>::first);
    if (chosen != choices.end()) target = chosen->second;
  };
  return add_option(command, name, set, fmt::format("{}", fmt::join(names, "|")), description, check_choice(names));
}

/// Adds --effort for PNG files. The value in `target`, fast or normal, is the default.
CLI::Option* add_effort_option(CLI::App& command, PngCompression& target);

/// Adds an option for a limit in units of 2^20. The value in `target` is the default.
CLI::Option* add_mega_option(CLI::App& command, const std::string& name, std::uint64_t& target,
                             const std::string& description);

/// Adds --max-output-mb.
void add_output_limit(CLI::App& command, std::uint64_t& target, const char* fallback);

CLI::Option* add_pair_option(CLI::App& command, const std::string& name, std::vector<float>& target,
                             const std::string& argument, const std::string& description);

/// Headings of the options that are the same for all subcommands that read characters. `pchr help formats` shows them,
/// not the help of each subcommand.
inline constexpr char kFormatsGroup[] = "Formats", kLimitsGroup[] = "Limits";

/// Sets the text after the options in the help of a program or subcommand. For a program, also adds the hidden options
/// that print its man page and completions.
/// @param details Paragraphs; indented lines stay as they are.
/// @param examples Indented lines.
void set_manual(CLI::App& command, const std::string& details, const std::string& examples);

/// Returns the help of a program, or of a subcommand or a topic, as wide as the terminal allows. Nothing if there is
/// none of that name.
[[nodiscard]] std::optional<std::string> help_text(const CLI::App& app, const std::string& name = "");

}  // namespace pchr::tools
