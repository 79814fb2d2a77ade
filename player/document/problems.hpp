// SPDX-License-Identifier: MIT
// What is wrong with a file that plays all the same, ready to be listed. Knows nothing of the window.
#pragma once

#include <pchr/import/import.hpp>
#include <pchr/diagnostic.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pchr::player {

/// Most severe first.
enum class ProblemKind : std::uint8_t {
  error,
  warning,  ///< The reader's.
  advice    ///< What validate() adds.
};

/// What of a character a problem is about, as indices. All are within it.
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
  std::string sentence;  ///< One sentence, with its code.
  std::string where;     ///< Such as `mesh "left arm"`, and what was found there; may be empty.
  std::string text;      ///< All of it, and what to do about it.
  ProblemPlace place{};
};

/// Where a diagnostic's path, such as `animations[2].frames[5][3].x`, leads in `character`. Nowhere where it leads out.
[[nodiscard]] ProblemPlace place_of(std::string_view path, const Character& character);

/// The reader's warnings and the diagnostics of validate(), by kind. Takes as long as validate() does.
[[nodiscard]] std::vector<Problem> problems_of(const Imported& imported, std::string_view file_name);

}  // namespace pchr::player
