// SPDX-License-Identifier: MIT
// Runs the built `pchr` program on files made in code.
#pragma once

#include "support/catch.hpp"

#include <pchr/character.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace pchr::test {

struct Outcome {
  int exit_code = 0;  ///< 128 + the signal where one ended it.
  std::string out;
  std::string err;
};

/// Runs `pchr` with `arguments` and waits for its end. `environment` is added, as `NAME=value`. Standard
/// output goes to `out_file` where one is given, and is returned otherwise.
[[nodiscard]] Outcome run_pchr(const std::vector<std::string>& arguments,
                               const std::vector<std::string>& environment = {},
                               const std::filesystem::path& out_file = {});

/// The same for another program.
[[nodiscard]] Outcome run_program(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                                  const std::vector<std::string>& environment = {},
                                  const std::filesystem::path& out_file = {});

/// Writes `data` as a v1 file among the test's output; the path.
[[nodiscard]] std::string character_file(const std::string& name, const pchr::CharacterData& data);

}  // namespace pchr::test
