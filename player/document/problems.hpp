// SPDX-License-Identifier: MIT
// The diagnostics of an open file, ready to be listed.
#pragma once

#include <pchr/import/import.hpp>

namespace pchr::player {

enum class ProblemKind : std::uint8_t {
  error,
  warning,  ///< The reader's.
  hint      ///< Of validate().
};

/// The part of a character that a problem is about. All ids are within it.
struct ProblemPlace {
  std::optional<MeshId> mesh{};
  std::optional<BoneId> bone{};
  std::optional<ClipId> clip{};
  std::optional<ImageId> image{};
  std::optional<std::uint32_t> frame{};  ///< Of the clip.
  bool operator==(const ProblemPlace&) const = default;
};

struct Problem {
  ProblemKind kind = ProblemKind::warning;
  std::string message;  ///< One sentence, with its code.
  std::string where;    ///< Such as `mesh "left arm"`, and what was found there; may be empty.
  std::string text;     ///< The whole diagnostic with its hint.
  ProblemPlace place{};
};

/// Returns where a diagnostic's path, such as `animations[2].frames[5][3].x`, leads in `character`, if anywhere.
[[nodiscard]] ProblemPlace place_of(std::string_view path, const Character& character);

/// Returns the reader's warnings and the diagnostics of validate(), most severe first. As slow as validate().
[[nodiscard]] std::vector<Problem> problems_of(const Imported& imported, std::string_view file_name);

}  // namespace pchr::player
