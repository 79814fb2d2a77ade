// SPDX-License-Identifier: MIT
#include "options.hpp"

#include "platform/process.hpp"
#include "task.hpp"

#include <command_reference.hpp>

#include <cmath>

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
    if (described.group == kFormatsGroup || described.group == kLimitsGroup) described.topic = "formats";
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
  reference::Command formats{.name = "formats",
                             .summary = "Options for reading characters, which all subcommands have"};
  for (const CLI::App* subcommand : app.get_subcommands({})) {
    reference::Command& command = program.subcommands.emplace_back();
    describe_command(*subcommand, command);
    for (const reference::Option& option : command.options) {
      if (option.topic.empty() || std::ranges::count(formats.options, option.names, &reference::Option::names))
        continue;
      reference::Option& shown = formats.options.emplace_back(option);
      shown.topic.clear();
    }
  }
  program.topics.push_back(std::move(formats));
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

std::string check_finite(const std::string& text) {
  return std::isfinite(std::strtof(text.c_str(), nullptr)) ? "" : '"' + text + "\" is not a finite number";
}

std::string check_above_0(const std::string& text) {
  const double value = std::strtod(text.c_str(), nullptr);
  return value > 0 && std::isfinite(value) ? "" : '"' + text + "\" is not a positive number";
}

CLI::Validator check_range(double min, double max) {
  const auto check = [min, max](const std::string& text) {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (end != text.c_str() && *end == '\0' && value >= min && value <= max && std::isfinite(value))
      return std::string();
    const std::string range =
        std::isinf(max) ? fmt::format("at least {}", min) : fmt::format("from {} to {}", min, max);
    return fmt::format("\"{}\" is not a number {}", text, range);
  };
  return {check, ""};
}

CLI::Validator check_choice(const std::vector<std::string>& names) {
  const auto check = [names](const std::string& text) {
    return std::ranges::count(names, text) > 0 ? std::string()
                                               : fmt::format("\"{}\" is not one of {}", text, fmt::join(names, ", "));
  };
  return {check, ""};
}

void begin_group(CLI::App& command, const char* heading) { command.option_defaults()->group(heading); }

CLI::Option* add_effort_option(CLI::App& command, PngCompression& target) {
  using enum PngCompression;
  return add_choice<PngCompression>(command, "--effort", target, {{"fast", fast}, {"default", normal}, {"best", best}},
                                    "Write PNG files fast or small");
}

CLI::Option* add_mega_option(CLI::App& command, const std::string& name, std::uint64_t& target,
                             const std::string& description) {
  return command
      .add_option_function<std::uint32_t>(
          name, [&target](std::uint32_t megas) { target = std::uint64_t{megas} << 20; }, description)
      ->option_text("N");
}

void add_output_limit(CLI::App& command, std::uint64_t& target, const char* fallback) {
  begin_group(command, "Limits");
  add_mega_option(command, "--max-output-mb", target,
                  fmt::format("Max size of all files written for each input, in MiB (default: {})", fallback));
  begin_group(command, "Options");
}

CLI::Option* add_pair_option(CLI::App& command, const std::string& name, std::vector<float>& target,
                             const std::string& argument, const std::string& description) {
  return add_option(command, name, target, argument, description, check_finite)->delimiter(',')->expected(2);
}

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

std::optional<std::string> help_text(const CLI::App& app, const std::string& name) {
  const reference::Program program = describe_program(app);
  if (name.empty()) return reference::help(program, program, help_width());
  for (const auto* commands : {&program.subcommands, &program.topics}) {
    for (const reference::Command& command : *commands) {
      if (command.name == name) return reference::help(program, command, help_width());
    }
  }
  return std::nullopt;
}

}  // namespace pchr::tools
