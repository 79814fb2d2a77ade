// SPDX-License-Identifier: MIT
#include "app/command_line.hpp"

#include "platform/utf8_path.hpp"
#include "ui/commands.hpp"

#include <command_reference.hpp>
#include <fmt/format.h>
#include <version.hpp>

#include <algorithm>
#include <optional>
#include <string_view>

namespace pchr::player {
namespace {

struct CommandLineOption {
  std::string_view name;
  std::string_view value;        ///< Placeholder; empty for a flag.
  std::string_view description;  ///< Empty for a hidden option.
  /// Applies the option. Returns false if the value is invalid.
  bool (*apply)(CommandLine& line, std::string_view value);
};

std::optional<reference::Shell> shell_named(std::string_view name) {
  constexpr std::string_view kNames[] = {"bash", "zsh", "fish"};
  const auto* found = std::ranges::find(kNames, name);
  if (found == std::end(kNames)) return std::nullopt;
  return static_cast<reference::Shell>(found - std::begin(kNames));
}

reference::Program program();

constexpr CommandLineOption kOptions[] = {
    {"--bind", "POSE", "Bind pose of the first file: CLIP[:FRAME], identity or auto (default: auto)",
     [](CommandLine& line, std::string_view pose) {
       line.options.bind_pose = parse_bind_pose(pose);
       return true;
     }},
    {"--second-player", "", "Apply the second-player skin to Pomyu characters (.chp)",
     [](CommandLine& line, std::string_view) { return line.options.second_player = true; }},
    {"--black-key", "",
     "Make black transparent in legacy .chp characters without #AutoColorSet (default: the color of the corner pixel)",
     [](CommandLine& line, std::string_view) { return line.options.black_color_key = true; }},
    {"--encoding", "NAME", "Text encoding of .chp and .psk files, such as shift-jis (default: detected)",
     [](CommandLine& line, std::string_view name) {
       line.options.text_encoding = name;
       return true;
     }},
    {"--help", "", "Show this help",
     [](CommandLine& line, std::string_view) {
       const reference::Program described = program();
       line.printed = reference::help(described, described);
       return true;
     }},
    {"--version", "", "Show the version and the commit it was built from",
     [](CommandLine& line, std::string_view) {
       line.printed = std::string("pchr-player ") + reference::version_and_commit() + "\n";
       return true;
     }},
    {"--print-commands", "", "",
     [](CommandLine& line, std::string_view) {
       line.printed = describe_commands();
       return true;
     }},
    {"--print-man-page", "", "",
     [](CommandLine& line, std::string_view) {
       line.printed = reference::man_page(program());
       return true;
     }},
    {"--print-completion", "SHELL", "", [](CommandLine& line, std::string_view name) {
       const auto shell = shell_named(name);
       if (shell) line.printed = reference::completion(program(), *shell);
       return shell.has_value();
     }}};

reference::Program program() {
  reference::Program described;
  described.name = "pchr-player";
  described.summary = "Show and play 2D skeletal characters";
  described.arguments = {{.names = {"[FILE]..."},
                          .value = "",
                          .description = "A character (" + list_extensions("or", true) +
                                         "); a folder stands for the characters in it, and - for standard input",
                          .repeatable = true}};
  for (const CommandLineOption& option : kOptions) {
    if (option.description.empty()) continue;
    described.options.push_back({.names = {std::string(option.name)},
                                 .value = std::string(option.value),
                                 .description = std::string(option.description)});
  }
  described.details =
      "The first file that loads is shown; Ctrl+Page Down and Ctrl+Page Up step through the others. Unreal animations "
      "(.psa) among the files are attached to the mesh; those next to it are found by name. Files and folders can also "
      "be dropped on the window. Press ? in the window for all keys.\n";
  described.version = PCHR_VERSION;
  described.exit_codes = {
      {0, "Success"}, {2, "Wrong usage"}, {3, "No display, no OpenGL 3.3, or standard output cannot be written"}};
  described.see_also = {fmt::format("{}(1)", reference::tool_name())};
  return described;
}

}  // namespace

Expected<CommandLine, std::string> parse_command_line(std::span<const std::string> arguments) {
  CommandLine line;
  bool options_allowed = true;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view argument = arguments[i];
    if (!options_allowed || !argument.starts_with("-") || argument == kStandardInput) {
      line.files.push_back(path_from_utf8(argument));
      continue;
    }
    if (argument == "--") {
      options_allowed = false;
      continue;
    }
    const auto* option = std::ranges::find(kOptions, argument, &CommandLineOption::name);
    if (option == std::end(kOptions)) {
      return Unexpected(fmt::format("unknown option {}; see pchr-player --help", argument));
    }
    std::string_view value;
    if (!option->value.empty()) {
      if (++i == arguments.size()) {
        return Unexpected(fmt::format("{} needs a value; see pchr-player --help", argument));
      }
      value = arguments[i];
    }
    if (!option->apply(line, value)) return Unexpected(fmt::format("{} does not accept {}", argument, value));
    if (!line.printed.empty()) return line;
  }
  return line;
}

}  // namespace pchr::player
