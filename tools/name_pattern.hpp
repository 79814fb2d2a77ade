// SPDX-License-Identifier: MIT
// Names with placeholders, such as "{file}_{clip}_{frame:04}.png".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pchr::tools {

/// What the placeholders stand for. Those without a value are not available.
struct NameParts {
  std::optional<std::string> file{};     ///< The input's name without its extension.
  std::optional<std::string> folder{};   ///< The input's folder.
  std::optional<std::string> clip{};     ///< The clip's name.
  std::optional<std::uint64_t> index{};  ///< The clip's index in the file.
  std::optional<std::uint64_t> frame{};  ///< The frame's number in the clip.
};

/// Returns parts of the name of an output: {file} and {folder} of the input.
[[nodiscard]] NameParts parts_of_input(const std::string& file);

/// Fills in a pattern. Fails as wrong usage if a placeholder is not available; `where` names the pattern.
[[nodiscard]] std::string fill_name(std::string_view pattern, const NameParts& parts,
                                    std::string_view where = "the output name");

/// Replaces characters that would name another folder, hide the file, mean standard output or control a terminal. The
/// backslashes that printable() writes are replaced too.
[[nodiscard]] std::string safe_part(std::string_view name);

}  // namespace pchr::tools
