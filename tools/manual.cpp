// SPDX-License-Identifier: MIT
#include "manual.hpp"

#include "platform/terminal.hpp"
#include "tool.hpp"

#include <command_reference.hpp>

namespace pchr::tools {
namespace {

// Separates details and examples in the footer that CLI11 keeps for each command.
constexpr char kSeparator[] = "\n\f\n";

// Names that options had before. They still work.
constexpr std::string_view kOldNames[] = {"centre", "spelling"};

reference::Option describe_option(const CLI::Option& option) {
  reference::Option described;
  if (option.nonpositional()) {
    for (const std::string& name : option.get_snames()) described.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) {
      if (std::ranges::count(kOldNames, name) == 0) described.names.push_back("--" + name);
    }
    if (option.get_expected_max() > 0) described.value = option.get_option_text();
    described.group = option.get_group();
  } else {
    const std::string& text = option.get_option_text();
    described.names.push_back(text.empty() ? option.get_name(true) : text);
  }
  described.description = option.get_description();
  described.repeatable =
      option.get_expected_max() > 1 || option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
  return described;
}

void describe_command(const CLI::App& app, reference::Command& command) {
  command.name = app.get_name();
  command.summary = app.get_description();
  for (const CLI::Option* option : app.get_options({})) {
    const bool is_argument = !option->nonpositional();
    // CLI11 hides options without a group.
    if (!is_argument && option->get_group().empty()) continue;
    (is_argument ? command.arguments : command.options).push_back(describe_option(*option));
  }
  const std::string footer = app.get_footer();
  const std::size_t end = std::min(footer.find(kSeparator), footer.size());
  command.details = footer.substr(0, end);
  if (end < footer.size()) command.examples = footer.substr(end + sizeof(kSeparator) - 1);
}

reference::Program describe_program(const CLI::App& app) {
  reference::Program program;
  describe_command(app, program);
  for (const CLI::App* subcommand : app.get_subcommands({})) {
    describe_command(*subcommand, program.subcommands.emplace_back());
  }
  program.version = PCHR_VERSION;
  program.exit_codes = {{0, "success"},
                        {1, "a file has errors"},
                        {2, "wrong usage"},
                        {3, "OpenGL or memory is not available, or output cannot be written"},
                        {4, "a file is missing or cannot be read"},
                        {5, "two characters or images differ"},
                        {6, "some of several files succeeded"}};
  program.see_also = {"pchr-player(1)"};
  return program;
}

std::size_t help_width() {
  constexpr std::size_t kDefault = 80, kMin = 60, kMax = 100;
  return std::clamp(terminal_columns().value_or(kDefault), kMin, kMax);
}

}  // namespace

void set_manual(CLI::App& command, const std::string& details, const std::string& examples) {
  command.footer(details + kSeparator + examples);
  if (command.get_parent() != nullptr) return;
  // Each ends the program like --help does: no subcommand is needed.
  const auto print_and_end = [](const std::string& text) {
    print_text(text);
    throw CLI::Success();
  };
  command
      .add_flag_callback("--print-man-page",
                         [&command, print_and_end] { print_and_end(man_page(describe_program(command))); })
      ->group("")
      ->trigger_on_parse();
  const auto print_completion = [&command, print_and_end](const std::string& shell) {
    using enum reference::Shell;
    print_and_end(completion(describe_program(command), shell == "bash" ? bash : shell == "zsh" ? zsh : fish));
  };
  add_option(command, "--print-completion", print_completion, "bash|zsh|fish", "",
             check_choice({"bash", "zsh", "fish"}))
      ->group("")
      ->trigger_on_parse();
}

std::string help_text(const CLI::App& app, const CLI::App& command) {
  const reference::Program program = describe_program(app);
  const auto found = std::ranges::find(program.subcommands, command.get_name(), &reference::Command::name);
  const bool is_program = found == program.subcommands.end();
  return reference::help(program, is_program ? static_cast<const reference::Command&>(program) : *found, help_width());
}

}  // namespace pchr::tools
