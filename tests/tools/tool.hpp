// SPDX-License-Identifier: MIT
// Runs the built `pchr` on files made in code.
#pragma once

#include "support/catch.hpp"

#include <pchr/character.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace pchr::test {

struct Outcome {
  int exit_code = 0;  ///< 128 plus the signal, if one ended it.
  std::string out;
  std::string err;
};

/// Returns the command that starts `pchr`, with `arguments`. PCHR_TEST_TOOL in the environment replaces the built
/// program: words separated by spaces, such as the paths of a script that runs Wine and of a program for Windows. The
/// tags [posix] and [windows] mark tests that need a program for that system.
[[nodiscard]] std::vector<std::string> pchr_command(const std::vector<std::string>& arguments = {});

/// Returns the name of the device of that program's system that takes any output.
[[nodiscard]] std::string null_device();

/// Returns the same command for a shell. No word contains an apostrophe.
[[nodiscard]] std::string shell_command(const std::vector<std::string>& arguments = {});

/// Runs `pchr` with `arguments` and waits for it to end. `environment` adds variables, as `NAME=value`. Standard output
/// goes to `out_file` if one is given, and is returned otherwise.
[[nodiscard]] Outcome run_pchr(const std::vector<std::string>& arguments,
                               const std::vector<std::string>& environment = {},
                               const std::filesystem::path& out_file = {});

/// Runs another program the same way.
[[nodiscard]] Outcome run_program(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                                  const std::vector<std::string>& environment = {},
                                  const std::filesystem::path& out_file = {});

/// Writes `data` as a v1 file to the test's output folder and returns its path.
[[nodiscard]] std::string character_file(const std::string& name, const pchr::CharacterData& data);

}  // namespace pchr::test
