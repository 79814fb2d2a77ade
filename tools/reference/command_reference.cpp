// SPDX-License-Identifier: MIT
#include "command_reference.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

namespace pchr::reference {
namespace {

std::string joined(const std::vector<std::string>& parts, std::string_view between) {
  std::string text;
  for (const std::string& part : parts) {
    if (!text.empty()) text += between;
    text += part;
  }
  return text;
}

std::string replaced(std::string_view text, char character, std::string_view replacement) {
  std::string result;
  for (const char c : text) {
    if (c == character) {
      result += replacement;
    } else {
      result += c;
    }
  }
  return result;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::vector<std::string> lines_of(std::string_view text) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  return text.empty() ? std::vector<std::string>() : split(text, '\n');
}

bool is_indented(std::string_view line) { return line.starts_with(' '); }

/// Returns the values that an option accepts, if its placeholder lists them.
std::vector<std::string> choices_of(const Option& option) {
  return option.value.contains('|') ? split(option.value, '|') : std::vector<std::string>();
}

std::string capitalized(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

std::string upper_case(std::string text) {
  for (char& c : text) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return text;
}

std::string group_of(const Option& option) { return option.group.empty() ? "Options" : option.group; }

/// Returns the headings in the order of their first options, the general one last.
std::vector<std::string> groups_of(const std::vector<Option>& options) {
  std::vector<std::string> groups;
  for (const Option& option : options) {
    if (std::ranges::count(groups, group_of(option)) == 0) groups.push_back(group_of(option));
  }
  std::ranges::stable_partition(groups, [](const std::string& group) { return group != "Options"; });
  return groups;
}

/// Returns the options that no topic shows.
std::vector<Option> own_options(const Command& command) {
  std::vector<Option> options = command.options;
  std::erase_if(options, [](const Option& option) { return !option.topic.empty(); });
  return options;
}

/// Returns the topics that show the others.
std::set<std::string> topics_of(const Command& command) {
  std::set<std::string> topics;
  for (const Option& option : command.options) {
    if (!option.topic.empty()) topics.insert(option.topic);
  }
  return topics;
}

std::string synopsis(const Program& program, const Command& command) {
  std::string text = program.name;
  if (&command != &program) text += ' ' + command.name;
  if (!command.subcommands.empty()) return text + " SUBCOMMAND [OPTIONS] ...";
  text += " [OPTIONS]";
  for (const Option& argument : command.arguments) text += ' ' + argument.names.front();
  return text;
}

// Help

/// Appends text in lines of up to `width` columns. The first line continues at `column`; the others are indented.
void append_filled(std::string& out, std::string_view text, std::size_t indent, std::size_t width, std::size_t column) {
  bool is_first = true;
  for (const std::string& word : split(text, ' ')) {
    if (!is_first && column + 1 + word.size() > width) {
      out += '\n' + std::string(indent, ' ');
      column = indent;
    } else if (!is_first) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
    is_first = false;
  }
  out += '\n';
}

constexpr std::size_t kTermIndent = 2;

using Terms = std::vector<std::pair<std::string, std::string>>;

/// Returns the column of descriptions, which only long terms exceed.
std::size_t description_column(const Terms& terms) {
  constexpr std::size_t kMaxTerm = 24;
  std::size_t widest = 0;
  for (const auto& [term, description] : terms) {
    if (term.size() <= kMaxTerm) widest = std::max(widest, term.size());
  }
  return kTermIndent + (widest > 0 ? widest : kMaxTerm) + 2;
}

/// Appends terms with their descriptions, which are below long terms.
void append_terms(std::string& out, const std::string& heading, const Terms& terms, std::size_t column,
                  std::size_t width) {
  out += '\n' + heading + ":\n";
  for (const auto& [term, description] : terms) {
    out += std::string(kTermIndent, ' ') + term;
    const std::size_t end = kTermIndent + term.size();
    out += end + 2 > column ? '\n' + std::string(column, ' ') : std::string(column - end, ' ');
    append_filled(out, description, column, width, column);
  }
}

std::string term_of(const Option& option) {
  // Without a short name the long one stands where other long ones do.
  const bool has_short = option.names.front().size() == 2 || !option.names.front().starts_with('-');
  std::string term = (has_short ? "" : "    ") + joined(option.names, ", ");
  if (!option.value.empty()) term += ' ' + option.value;
  return term;
}

void append_paragraphs(std::string& out, std::string_view text, std::size_t width) {
  std::string paragraph;
  const auto end_paragraph = [&] {
    if (!paragraph.empty()) append_filled(out, paragraph, 0, width, 0);
    paragraph.clear();
  };
  for (const std::string& line : lines_of(text)) {
    if (line.empty() || is_indented(line)) {
      end_paragraph();
      out += line + '\n';
    } else {
      paragraph += (paragraph.empty() ? "" : " ") + line;
    }
  }
  end_paragraph();
}

// Man pages

/// Escapes text that troff fills or keeps as it is.
std::string troff(std::string_view text) {
  std::string escaped = replaced(replaced(text, '\\', "\\e"), '-', "\\-");
  // At the start of a line these begin a request.
  return escaped.starts_with('.') || escaped.starts_with('\'') ? "\\&" + escaped : escaped;
}

std::string bold(std::string_view text) { return "\\fB" + troff(text) + "\\fR"; }
std::string italic(std::string_view text) { return "\\fI" + troff(text) + "\\fR"; }

void append_troff(std::string& out, std::string_view text) {
  bool is_kept = false, starts = true;
  const auto keep = [&](bool wanted) {
    if (is_kept != wanted) out += wanted ? ".PP\n.nf\n" : ".fi\n";
    is_kept = wanted;
  };
  for (const std::string& line : lines_of(text)) {
    if (line.empty()) {
      keep(false);
      starts = true;
      continue;
    }
    const bool is_start = std::exchange(starts, false);
    if (!is_indented(line) && (is_start || is_kept)) {
      keep(false);
      out += ".PP\n";
    }
    keep(is_indented(line));
    out += troff(line) + '\n';
  }
  keep(false);
}

void append_troff(std::string& out, const Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.names) names.push_back(bold(name));
  out += ".TP\n" + joined(names, ", ") + (option.value.empty() ? "" : ' ' + italic(option.value)) + '\n';
  out += troff(option.description) + ".\n";
}

void append_troff(std::string& out, const std::vector<Option>& options) {
  for (const std::string& group : groups_of(options)) {
    for (const Option& option : options) {
      if (group_of(option) == group) append_troff(out, option);
    }
  }
}

void append_troff_synopsis(std::string& out, const Program& program, const Command& command) {
  out += ".PP\n" + bold(program.name) + ' ' + bold(command.name) + " [" + italic("OPTIONS") + ']';
  for (const Option& argument : command.arguments) out += ' ' + italic(argument.names.front());
  out += '\n';
}

// Completions

std::string single_quoted(std::string_view text) { return '\'' + replaced(text, '\'', "'\\''") + '\''; }

std::string names_of_subcommands(const Program& program, std::string_view between) {
  std::vector<std::string> names;
  for (const Command& command : program.subcommands) names.push_back(command.name);
  return joined(names, between);
}

/// Returns a name that a shell function can have.
std::string function_of(const Program& program) { return '_' + replaced(program.name, '-', "_"); }

void append_bash_options(std::string& out, const Command& command, std::string_view name) {
  for (const Option& option : command.options) {
    if (option.value.empty()) continue;
    std::vector<std::string> patterns;
    for (const std::string& each : option.names) patterns.push_back(single_quoted(std::string(name) + ':' + each));
    out += "    " + joined(patterns, " | ") + ") ";
    if (const auto choices = choices_of(option); !choices.empty()) {
      out += "words=" + single_quoted(joined(choices, " ")) + " ;;\n";
    } else if (option.value == "FILE") {
      out += "return ;;\n";
    } else if (option.value == "DIR") {
      out += "folders=1 ;;\n";
    } else {
      out += "compopt +o default 2>/dev/null; return ;;\n";
    }
  }
}

std::string option_names(const Command& command) {
  std::vector<std::string> names;
  for (const Option& option : command.options) names.insert(names.end(), option.names.begin(), option.names.end());
  return joined(names, " ");
}

std::string bash_completion(const Program& program) {
  const std::string function = function_of(program);
  std::string out = "# Completes " + program.name + " in bash.\n" + function + R"(() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command='' words='' folders='' i
  COMPREPLY=()
  # Bash splits --option=value at the sign.
  if [[ $current == = ]]; then
    current=''
  elif [[ $previous == = ]]; then
    previous=${COMP_WORDS[COMP_CWORD - 2]}
  fi
)";
  if (!program.subcommands.empty()) {
    out += "  for ((i = 1; i < COMP_CWORD; i++)); do\n    case ${COMP_WORDS[i]} in\n      " +
           names_of_subcommands(program, " | ") + ") command=${COMP_WORDS[i]}; break ;;\n    esac\n  done\n";
  }
  out += "  case $command:$previous in\n";
  append_bash_options(out, program, "");
  for (const Command& command : program.subcommands) append_bash_options(out, command, command.name);
  out += "  esac\n  if [[ -z $words && -z $folders && $current == -* ]]; then\n    case $command in\n";
  out += "      '') words=" + single_quoted(option_names(program)) + " ;;\n";
  for (const Command& command : program.subcommands) {
    out += "      " + command.name + ") words=" + single_quoted(option_names(command)) + " ;;\n";
  }
  out += "    esac\n";
  if (!program.subcommands.empty()) {
    out += "  elif [[ -z $words && -z $folders && -z $command ]]; then\n    words=" +
           single_quoted(names_of_subcommands(program, " ")) + '\n';
  }
  out += R"(  fi
  if [[ -n $words ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
    compopt +o default 2>/dev/null
  elif [[ -n $folders ]]; then
    mapfile -t COMPREPLY < <(compgen -d -- "$current")
    compopt -o filenames 2>/dev/null
  fi
}
complete -o default -F )" +
         function + ' ' + program.name + '\n';
  return out;
}

/// Escapes text inside [...] or between colons of an _arguments specification.
std::string zsh_text(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (std::string_view("[]:\\").contains(c)) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string zsh_values(const Option& option) {
  if (const auto choices = choices_of(option); !choices.empty()) return '(' + joined(choices, " ") + ')';
  return option.value == "FILE" ? "_files" : option.value == "DIR" ? "_files -/" : " ";
}

/// Returns an _arguments specification for each option and argument.
std::vector<std::string> zsh_specifications(const Command& command) {
  std::vector<std::string> specifications;
  for (const Option& option : command.options) {
    std::string rest = '[' + zsh_text(option.description) + ']';
    if (!option.value.empty()) {
      rest += ':' + zsh_text(choices_of(option).empty() ? option.value : "value") + ':' + zsh_values(option);
    }
    const std::string exclusion = option.repeatable ? "*" : '(' + joined(option.names, " ") + ')';
    for (const std::string& name : option.names) {
      specifications.push_back(single_quoted(exclusion + name + rest));
    }
  }
  for (const Option& argument : command.arguments) {
    specifications.push_back(
        single_quoted((argument.repeatable ? "*:" : ":") + zsh_text(argument.names.front()) + ":_files"));
  }
  return specifications;
}

std::string zsh_arguments(const Command& command, const std::string& indent) {
  return indent + "_arguments -S " + joined(zsh_specifications(command), " \\\n  " + indent) + '\n';
}

std::string zsh_completion(const Program& program) {
  const std::string function = function_of(program);
  std::string out = "#compdef " + program.name + "\n# Completes " + program.name + " in zsh.\n" + function + "() {\n";
  if (program.subcommands.empty()) {
    out += zsh_arguments(program, "  ");
  } else {
    out += "  local curcontext=$curcontext state line\n  typeset -A opt_args\n  local -a subcommands=(\n";
    for (const Command& command : program.subcommands) {
      out += "    " + single_quoted(command.name + ':' + zsh_text(command.summary)) + '\n';
    }
    out += "  )\n  _arguments -C " + joined(zsh_specifications(program), " \\\n    ") +
           " \\\n    ': :->subcommand' \\\n    '*:: :->arguments'\n  case $state in\n"
           "    subcommand) _describe subcommand subcommands ;;\n    arguments)\n      case $line[1] in\n";
    for (const Command& command : program.subcommands) {
      out += "        " + command.name + ")\n" + zsh_arguments(command, "          ") + "          ;;\n";
    }
    out += "      esac\n      ;;\n  esac\n";
  }
  // A file that zsh loads by itself is a function with the name of the file.
  out += "}\nif [[ ${funcstack[1]//-/_} == " + function + " ]]; then\n  " + function + " \"$@\"\nelse\n  compdef " +
         function + ' ' + program.name + "\nfi\n";
  return out;
}

std::string fish_quoted(std::string_view text) {
  return '\'' + replaced(replaced(text, '\\', "\\\\"), '\'', "\\'") + '\'';
}

void append_fish_options(std::string& out, const Program& program, const Command& command,
                         const std::string& condition) {
  for (const Option& option : command.options) {
    out += "complete -c " + program.name + condition;
    for (const std::string& name : option.names) {
      out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    }
    if (const auto choices = choices_of(option); !choices.empty()) {
      out += " -x -a " + fish_quoted(joined(choices, " "));
    } else if (option.value == "FILE") {
      out += " -r -F";
    } else if (option.value == "DIR") {
      out += " -x -a '(__fish_complete_directories)'";
    } else if (!option.value.empty()) {
      out += " -x";
    }
    out += " -d " + fish_quoted(option.description) + '\n';
  }
}

std::string fish_completion(const Program& program) {
  std::string out = "# Completes " + program.name + " in fish.\n";
  const std::string none = program.subcommands.empty() ? "" : " -n __fish_use_subcommand";
  if (!program.subcommands.empty()) out += "complete -c " + program.name + none + " -f\n";
  for (const Command& command : program.subcommands) {
    out += "complete -c " + program.name + none + " -a " + command.name + " -d " + fish_quoted(command.summary) + '\n';
  }
  append_fish_options(out, program, program, none);
  for (const Command& command : program.subcommands) {
    append_fish_options(out, program, command, " -n '__fish_seen_subcommand_from " + command.name + '\'');
  }
  return out;
}

}  // namespace

std::string help(const Program& program, const Command& command, std::size_t width) {
  std::string out;
  append_filled(out, command.summary, 0, width, 0);
  const bool is_topic =
      std::ranges::find(program.topics, &command, [](const Command& each) { return &each; }) != program.topics.end();
  if (!is_topic) out += "\nUsage: " + synopsis(program, command) + '\n';
  const auto append = [&](const std::string& heading, const Terms& terms, std::size_t column) {
    if (!terms.empty()) append_terms(out, heading, terms, column, width);
  };
  Terms terms;
  for (const Option& argument : command.arguments) terms.emplace_back(term_of(argument), argument.description);
  append("Arguments", terms, description_column(terms));
  terms.clear();
  for (const Command& each : command.subcommands) terms.emplace_back(each.name, each.summary);
  append("Subcommands", terms, description_column(terms));
  terms.clear();
  for (const Command& topic : program.topics) terms.emplace_back(topic.name, topic.summary);
  if (&command == &program) append("Topics", terms, description_column(terms));
  const std::vector<Option> options = own_options(command);
  terms.clear();
  for (const Option& option : options) terms.emplace_back(term_of(option), option.description);
  const std::size_t column = description_column(terms);
  for (const std::string& group : groups_of(options)) {
    terms.clear();
    for (const Option& option : options) {
      if (group_of(option) == group) terms.emplace_back(term_of(option), option.description);
    }
    append(group, terms, column);
  }
  for (const std::string& topic : topics_of(command)) {
    append_filled(out += '\n', "More options: '" + program.name + " help " + topic + "'", 0, width, 0);
  }
  if (!command.details.empty()) {
    out += '\n';
    append_paragraphs(out, command.details, width);
  }
  if (!command.examples.empty()) {
    out += "\nExamples:\n";
    append_paragraphs(out, command.examples, width);
  }
  if (is_topic) return out;
  terms.clear();
  for (const ExitCode& code : program.exit_codes) terms.emplace_back(std::to_string(code.value), code.meaning);
  append("Exit codes", terms, description_column(terms));
  return out;
}

std::string man_page(const Program& program) {
  std::string out =
      ".TH " + troff(upper_case(program.name)) + " 1 \"\" \"pchr " + troff(program.version) + "\" \"User Commands\"\n";
  out += ".nh\n.ad l\n.SH NAME\n" + troff(program.name) + " \\- ";
  std::string summary = program.summary;
  if (!summary.empty() && summary[0] >= 'A' && summary[0] <= 'Z') {
    summary[0] = static_cast<char>(summary[0] - 'A' + 'a');
  }
  out += troff(summary) + "\n.SH SYNOPSIS\n";
  if (program.subcommands.empty()) {
    out += bold(program.name) + " [" + italic("OPTIONS") + ']';
    for (const Option& argument : program.arguments) out += ' ' + italic(argument.names.front());
    out += '\n';
  } else {
    out += bold(program.name) + ' ' + italic("SUBCOMMAND") + " [" + italic("OPTIONS") + "] ...\n";
  }
  out += ".SH DESCRIPTION\n";
  append_troff(out, program.details);
  if (!program.arguments.empty()) append_troff(out, program.arguments);
  out += ".SH OPTIONS\n";
  append_troff(out, program.options);
  if (!program.subcommands.empty()) out += ".SH SUBCOMMANDS\n";
  for (const Command& command : program.subcommands) {
    out += ".SS " + troff(program.name + ' ' + command.name) + '\n' + troff(capitalized(command.summary)) + ".\n";
    append_troff_synopsis(out, program, command);
    append_troff(out, command.arguments);
    append_troff(out, own_options(command));
    append_troff(out, command.details);
    if (command.examples.empty()) continue;
    out += ".PP\n" + bold("Examples") + '\n';
    append_troff(out, command.examples);
  }
  for (const Command& topic : program.topics) {
    out += ".SH " + troff(upper_case(topic.name)) + '\n' + troff(topic.summary) + ".\n";
    append_troff(out, topic.options);
  }
  if (!program.exit_codes.empty()) out += ".SH EXIT STATUS\n";
  for (const ExitCode& code : program.exit_codes) {
    out += ".TP\n" + bold(std::to_string(code.value)) + '\n' + troff(capitalized(code.meaning)) + ".\n";
  }
  if (!program.examples.empty()) {
    out += ".SH EXAMPLES\n";
    append_troff(out, program.examples);
  }
  if (!program.see_also.empty()) {
    std::vector<std::string> pages;
    for (const std::string& page : program.see_also) {
      const std::size_t section = page.find('(');
      pages.push_back(bold(page.substr(0, section)) + page.substr(std::min(section, page.size())));
    }
    out += ".SH SEE ALSO\n" + joined(pages, ", ") + '\n';
  }
  return out;
}

std::string completion(const Program& program, Shell shell) {
  switch (shell) {
    case Shell::bash:
      return bash_completion(program);
    case Shell::zsh:
      return zsh_completion(program);
    case Shell::fish:
      return fish_completion(program);
  }
  return {};
}

}  // namespace pchr::reference
