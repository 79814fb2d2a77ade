// SPDX-License-Identifier: MIT
// Diagnostics of an open file, prepared for the list.
#pragma once

#include <pchr/import/import.hpp>

#include <span>

namespace pchr::player {

enum class ProblemKind : std::uint8_t {
  error,
  warning,  ///< From the reader.
  hint      ///< From validate().
};

/// The part of a character that a problem refers to. All ids are valid.
struct ProblemPlace {
  std::optional<MeshId> mesh{};
  std::optional<BoneId> bone{};
  std::optional<ClipId> clip{};
  std::optional<ImageId> image{};
  std::optional<std::uint32_t> frame{};  ///< Frame of `clip`.
  bool operator==(const ProblemPlace&) const = default;
};

struct Problem {
  ProblemKind kind = ProblemKind::warning;
  std::string message;  ///< Code and message.
  std::string detail;   ///< Path, name and detail of the diagnostic; empty if it has none.
  std::string text;     ///< The whole diagnostic with its hint.
  ProblemPlace place{};
  bool in_rig = false;  ///< About the rig next to the character, not of its file.
};

/// Returns the number of errors and warnings. Hints are not problems.
[[nodiscard]] std::size_t count_problems(std::span<const Problem> problems) noexcept;

/// Resolves a diagnostic's path, such as `animations[2].frames[5][3].x`, in `character`, as far as possible.
[[nodiscard]] ProblemPlace place_of(std::string_view path, const Character& character);

/// Returns the reader's warnings and the diagnostics of validate(), most severe first. As slow as validate().
[[nodiscard]] std::vector<Problem> problems_of(const Imported& imported, std::string_view file_name);

}  // namespace pchr::player
