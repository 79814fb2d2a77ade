// SPDX-License-Identifier: MIT
// Plain data into a checked character, for all formats.
#pragma once

#include "model/check.hpp"
#include "model/location.hpp"
#include "model/remarks.hpp"

#include <pchr/character.hpp>

#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <span>
#include <string>

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
  /// Checks everything an index or a number can break, then derives. `remarks` are the reader's own.
  [[nodiscard]] static std::expected<Character, Finding> build(CharacterData data, const BindPose& bind,
                                                               const Locate& locate, Remarks remarks);

  /// For a reader that checked every part as it read it, by the functions of check.hpp: derives without checking
  /// again. `surveys` are of the meshes, one each.
  [[nodiscard]] static std::expected<Character, Finding> complete(CharacterData data,
                                                                  std::span<const MeshSurvey> surveys,
                                                                  const BindPose& bind, const Locate& locate,
                                                                  Remarks remarks);
};

}  // namespace pchr
