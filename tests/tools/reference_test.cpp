// SPDX-License-Identifier: MIT
// The help, man page and completions of a made-up program, and those of `pchr`.
#include "tool.hpp"

#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/scenes.hpp"

#include <command_reference.hpp>

#include <span>
#include <string>
#include <vector>

namespace reference_test {
namespace {

using namespace pchr::test;
using pchr::reference::Program;
using pchr::reference::Shell;

Program painter() {
  Program program;
  program.name = "painter";
  program.summary = "Paint walls and fences";
  program.options = {{{"--help"}, "", "Print help"}};
  program.details = "Paint dries.\n.Dots and 'quotes' stay:\n  $ painter  wall\n\nA second paragraph.";
  program.examples = "  painter wall --color red";
  pchr::reference::Command wall{"wall", "Paint a wall"};
  wall.arguments = {{{"FILE"}, "", "The wall's plan", "", true}};
  wall.options = {{{"-o", "--output"}, "FILE", "File to write", "Output"},
                  {{"--color"}, "red|green", "Color of the wall, in the painter's light: it's [dry]"},
                  {{"--shelf"}, "DIR", "Folder of paints"},
                  {{"--coats"}, "N", "Number of coats"},
                  {{"--wet"}, "", "Leave it wet"}};
  program.subcommands = {wall, {"fence", "Paint a fence"}};
  program.version = "1.2.3";
  program.exit_codes = {{0, "success"}, {2, "wrong usage"}};
  program.see_also = {"brush(1)"};
  return program;
}

std::filesystem::path write_script(const std::string& name, const std::string& script) {
  std::filesystem::path file = output("tools/" + name);
  write_file(file, std::as_bytes(std::span(script)));
  return file;
}

// Runs a completion script and completes a command line; returns the candidates with a space after each.
std::string complete_in_bash(const std::string& script, const std::string& function,
                             const std::vector<std::string>& words) {
  const std::filesystem::path file = write_script("completion.bash", script);
  std::string line = "cd " + file.parent_path().string() + "; . ./completion.bash; COMP_WORDS=(";
  for (const std::string& word : words) line += " '" + word + "'";
  line += "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); " + function + "; printf '%s ' \"${COMPREPLY[@]}\"";
  const Outcome outcome = run_program("/bin/bash", {"-c", line});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err.empty());
  return outcome.out;
}

bool is_installed(const std::string& program) {
  return run_program("/bin/sh", {"-c", "command -v " + program + " >/dev/null"}).exit_code == 0;
}

TEST_CASE("help lists arguments, then options under their headings, in one column", "[tools][reference]") {
  const Program program = painter();
  CHECK(help(program, program.subcommands[0], 60) ==
        "Paint a wall\n"
        "\n"
        "Usage: painter wall [OPTIONS] FILE\n"
        "\n"
        "Arguments:\n"
        "  FILE  The wall's plan\n"
        "\n"
        "Output:\n"
        "  -o, --output FILE      File to write\n"
        "\n"
        "Options:\n"
        "      --color red|green  Color of the wall, in the painter's\n"
        "                         light: it's [dry]\n"
        "      --shelf DIR        Folder of paints\n"
        "      --coats N          Number of coats\n"
        "      --wet              Leave it wet\n"
        "\n"
        "Exit codes:\n"
        "  0  success\n"
        "  2  wrong usage\n");
}

TEST_CASE("help fills paragraphs and keeps indented lines", "[tools][reference]") {
  const Program program = painter();
  CHECK_THAT(help(program, program),
             contains("\nPaint dries. .Dots and 'quotes' stay:\n  $ painter  wall\n\nA second"));
  CHECK_THAT(help(program, program), contains("\nExamples:\n  painter wall --color red\n"));
}

TEST_CASE("a man page has every section and escapes what troff would interpret", "[tools][reference]") {
  const std::string page = man_page(painter());
  for (const char* part :
       {".TH PAINTER 1 \"\" \"pchr 1.2.3\"", ".SH NAME\npainter \\- paint walls and fences\n", ".SH SYNOPSIS\n",
        "\n\\&.Dots and 'quotes' stay:\n.PP\n.nf\n  $ painter  wall\n.fi\n", ".SS painter wall\nPaint a wall.\n",
        "\\fB\\-o\\fR, \\fB\\-\\-output\\fR \\fIFILE\\fR\nFile to write.\n", ".SH EXIT STATUS\n", ".SH EXAMPLES\n",
        ".SH SEE ALSO\n\\fBbrush\\fR(1)\n"}) {
    CHECK_THAT(page, contains(part));
  }
}

TEST_CASE("bash completes subcommands, options and the choices of an option", "[tools][reference]") {
  const std::string script = completion(painter(), Shell::bash);
  const auto complete = [&](const std::vector<std::string>& words) {
    return complete_in_bash(script, "_painter", words);
  };
  CHECK(complete({"painter", ""}) == "wall fence ");
  CHECK(complete({"painter", "--"}) == "--help ");
  CHECK(complete({"painter", "wall", "--co"}) == "--color --coats ");
  CHECK(complete({"painter", "wall", "--color", ""}) == "red green ");
  CHECK(complete({"painter", "wall", "--color", "g"}) == "green ");
  CHECK(complete({"painter", "wall", "--color", "="}) == "red green ");
  CHECK(complete({"painter", "wall", "--color", "=", "r"}) == "red ");
}

TEST_CASE("bash completes folders for DIR and leaves files to readline", "[tools][reference]") {
  const std::string script = completion(painter(), Shell::bash);
  std::filesystem::create_directories(output("tools/completed folder"));
  const auto complete = [&](const std::vector<std::string>& words) {
    return complete_in_bash(script, "_painter", words);
  };
  CHECK(complete({"painter", "wall", "--shelf", "completed"}) == "completed folder ");
  CHECK(complete({"painter", "wall", "-o", ""}) == " ");
  CHECK(complete({"painter", "wall", "x"}) == " ");
}

TEST_CASE("zsh completions quote and escape descriptions", "[tools][reference]") {
  const std::string script = completion(painter(), Shell::zsh);
  CHECK(script.starts_with("#compdef painter\n"));
  CHECK_THAT(script, contains("'(--color)--color[Color of the wall, in the painter'\\''s light\\: it'\\''s \\[dry\\]]"
                              ":value:(red green)'"));
  CHECK_THAT(script, contains("'(-o --output)-o[File to write]:FILE:_files'"));
  CHECK_THAT(script, contains("'*:FILE:_files'"));
}

TEST_CASE("fish completions belong to their subcommand", "[tools][reference]") {
  const std::string script = completion(painter(), Shell::fish);
  CHECK_THAT(script, contains("complete -c painter -n __fish_use_subcommand -a fence -d 'Paint a fence'\n"));
  CHECK_THAT(script, contains("complete -c painter -n '__fish_seen_subcommand_from wall' -l color -x -a 'red green' "
                              "-d 'Color of the wall, in the painter\\'s light: it\\'s [dry]'\n"));
  CHECK_THAT(script, contains(" -s o -l output -r -F -d 'File to write'\n"));
}

TEST_CASE("every shell that is installed parses its completions", "[tools][reference]") {
  for (const auto& [shell, name] :
       {std::pair{Shell::bash, "bash"}, std::pair{Shell::zsh, "zsh"}, std::pair{Shell::fish, "fish"}}) {
    if (!is_installed(name)) continue;
    const std::filesystem::path file = write_script(std::string("completion.") + name, completion(painter(), shell));
    const Outcome outcome = run_program("/usr/bin/env", {name, "-n", file.string()});
    INFO(name << ": " << outcome.err);
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.err.empty());
  }
}

TEST_CASE("the man page of pchr renders without warnings and covers every subcommand", "[tools][reference]") {
  const std::string page = run_pchr({"--print-man-page"}).out;
  for (const char* subcommand :
       {"inspect", "play", "render", "sheet", "pose", "validate", "pack", "unpack", "convert", "diff"}) {
    CHECK_THAT(page, contains(".SS pchr " + std::string(subcommand) + "\n"));
  }
  CHECK_THAT(page, contains("\\fB\\-\\-json\\-dialect\\fR \\fIv1|pachario\\fR\n"));
  for (const char* old_name : {"spelling", "centre", "print"})
    CHECK_FALSE(page.contains("\\-" + std::string(old_name)));
  const std::filesystem::path file = write_script("pchr.1", page);
  if (!is_installed("groff")) return;
  const Outcome rendered = run_program("/usr/bin/env", {"groff", "-man", "-ww", "-z", file.string()});
  CHECK(rendered.exit_code == 0);
  CHECK(rendered.err.empty());
}

TEST_CASE("the completions of pchr know its subcommands and options", "[tools][reference]") {
  const std::string script = run_pchr({"--print-completion", "bash"}).out;
  const auto complete = [&](const std::vector<std::string>& words) { return complete_in_bash(script, "_pchr", words); };
  CHECK(complete({"pchr", "un"}) == "unpack ");
  CHECK(complete({"pchr", "render", "--or"}) == "--orbit ");
  CHECK(complete({"pchr", "render", "hero.pchr", "--format", "a"}) == "apng ");
  CHECK(complete({"pchr", "unpack", "--json-dialect", ""}) == "v1 pachario ");
  CHECK(complete({"pchr", "convert", "--sp"}) == " ");
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const Outcome printed = run_pchr({"--print-completion", shell});
    CHECK(printed.exit_code == 0);
    CHECK_THAT(printed.out, contains("json-dialect"));
    if (!is_installed(shell)) continue;
    const std::filesystem::path file = write_script(std::string("pchr.") + shell, printed.out);
    const Outcome parsed = run_program("/usr/bin/env", {shell, "-n", file.string()});
    INFO(shell << ": " << parsed.err);
    CHECK(parsed.exit_code == 0);
  }
  CHECK(run_pchr({"--print-completion", "tcsh"}).exit_code == 2);
}

TEST_CASE("old names of options still work", "[tools][reference]") {
  const std::string file = character_file("reference_old.pchr", sliding_quad());
  const std::string folder = output("tools/old").string();
  CHECK(run_pchr({"unpack", file, "-o", folder, "--force", "--spelling", "v1"}).exit_code == 0);
  CHECK(run_pchr({"render", file, "-o", folder + "/a.png", "--size", "8x8", "--centre", "0,0"}).exit_code == 0);
}

}  // namespace

}  // namespace reference_test
