// SPDX-License-Identifier: MIT
// The help, man page and completions of `pchr`, made from its options.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace pchr::tools {

/// Sets the text after the options in the help of a program or subcommand. For a program, also adds the hidden options
/// that print its man page and completions.
/// @param details Paragraphs; indented lines stay as they are.
/// @param examples Indented lines.
void set_manual(CLI::App& command, const std::string& details, const std::string& examples);

/// Returns the help of a program or one of its subcommands, as wide as the terminal allows.
[[nodiscard]] std::string help_text(const CLI::App& app, const CLI::App& command);

}  // namespace pchr::tools
