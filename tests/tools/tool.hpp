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
