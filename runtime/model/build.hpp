// SPDX-License-Identifier: MIT
// Plain data into a checked character: the one place that checks every index, for all formats.
#pragma once

#include "model/location.hpp"

#include <pchr/character.hpp>

#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace pchr {

/// Where a location stands in the file it was read from.
struct Place {
  std::optional<std::uint64_t> byte_offset{};
  std::uint32_t line = 0;    ///< Of a text file, from 1.
  std::uint32_t column = 0;  ///< In bytes, from 1.
  std::string path{};        ///< In the words of the file, where they are others than to_path's.
};

/// Finds a location in the file; asked only when something is found.
using Locate = std::function<Place(const Location&)>;

/// A finding at `location` of `data`.
[[nodiscard]] Finding finding_at(FindingId id, const CharacterData& data, const Location& location,
                                 const Locate& locate, std::string detail);

struct CharacterBuilder {
  /// Checks everything an index or a number can break, then derives. `warnings` are the reader's own.
  [[nodiscard]] static std::expected<Character, Finding> build(CharacterData data, const BindPose& bind,
                                                               const Locate& locate, std::vector<Finding> warnings);
};

}  // namespace pchr
