// SPDX-License-Identifier: MIT
// Runs the built `pchr` on files made in code.
#pragma once

#include "support/catch.hpp"

#include <pchr/character.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace pchr::test {

using Strings = std::vector<std::string>;

struct Outcome {
  int exit_code = 0;  ///< 128 plus the signal, if one ended it.
  std::string out;
  std::string err;
};

/// Returns the command that starts `pchr`, with `arguments`. PCHR_TEST_TOOL in the environment replaces the built
/// program: words separated by spaces, such as the paths of a script that runs Wine and of a program for Windows. The
/// tags [posix] and [windows] mark tests that need a program for that system.
[[nodiscard]] Strings pchr_command(const Strings& arguments = {});

/// Returns the name of the device of that program's system that takes any output.
[[nodiscard]] std::string null_device();

/// Returns the same command for a shell. No word contains an apostrophe.
[[nodiscard]] std::string shell_command(const Strings& arguments = {});

/// Runs `pchr` with `arguments` and waits for it to end. `environment` adds variables, as `NAME=value`. Standard output
/// goes to `out_file` if one is given, and is returned otherwise. Without either, and without PCHR_TEST_TOOL, it runs
/// in this process.
[[nodiscard]] Outcome run_pchr(const Strings& arguments, const Strings& environment = {},
                               const std::filesystem::path& out_file = {});

/// Runs another program the same way.
[[nodiscard]] Outcome run_program(const std::filesystem::path& program, const Strings& arguments,
                                  const Strings& environment = {}, const std::filesystem::path& out_file = {});

/// Returns the elements of both.
[[nodiscard]] Strings joined(Strings first, const Strings& second);

/// Returns the sorted names in a folder.
[[nodiscard]] Strings names_in(const std::filesystem::path& folder);

/// Writes `data` as a v1 file to the test's output folder and returns its path.
[[nodiscard]] std::string character_file(const std::string& name, const pchr::CharacterData& data);

}  // namespace pchr::test
