// SPDX-License-Identifier: MIT
// Help, man pages and shell completions of a program, from one description of its options.
#pragma once

#include <string>
#include <vector>

namespace pchr::reference {

/// An option, or an argument, which has no dashes.
struct Option {
  std::vector<std::string> names;  ///< "-o", "--output"; for an argument its placeholder, such as "FILE".
  /// Placeholder of the value; empty for a flag. Shells complete FILE, DIR and choices such as "png|gif".
  std::string value;
  std::string description;  ///< One sentence without its period, or several.
  std::string group{};      ///< Heading in the help; empty: "Options".
  bool repeatable = false;
  std::string topic{};  ///< The topic whose help shows it, in place of that of its subcommand; empty for none.
};

struct ExitCode {
  int value;
  std::string meaning;
};

/// A program or a subcommand.
struct Command {
  std::string name;     ///< "pchr", or "render" for a subcommand.
  std::string summary;  ///< One phrase without a period.
  std::vector<Option> arguments{};
  std::vector<Option> options{};
  /// Paragraphs between blank lines, which are filled. Indented lines stay as they are.
  std::string details{};
  std::string examples{};  ///< Indented lines.
  std::vector<Command> subcommands{};
};

/// What only a program has.
struct Program : Command {
  std::string version;
  std::vector<ExitCode> exit_codes;
  std::vector<Command> topics{};        ///< Options of several subcommands, which are described once.
  std::vector<std::string> see_also{};  ///< Man pages, such as "pchr-player(1)".
};

enum class Shell : unsigned char { bash, zsh, fish };

/// Returns the help of a program, or of `command`, one of its subcommands or topics, in lines of up to `width` columns.
[[nodiscard]] std::string help(const Program& program, const Command& command, std::size_t width = 80);

/// Returns the man page of a program and all its subcommands, in troff with the man macros.
[[nodiscard]] std::string man_page(const Program& program);

/// Returns a completion script.
[[nodiscard]] std::string completion(const Program& program, Shell shell);

}  // namespace pchr::reference
