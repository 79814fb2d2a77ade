// SPDX-License-Identifier: MIT
// A place inside a character, independent of the format it was read from.
#pragma once

#include <pchr/character.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pchr {

enum class Section : std::uint8_t { file, images, bones, meshes, animations };

enum class Field : std::uint8_t {
  none,
  version,
  frames_per_second,
  flags,
  name,
  width,
  height,
  format,
  data,
  parent,
  image,
  index_count,
  x,
  y,
  u,
  v,
  bone_id,
  bone_weight,
  index,
  rotation,
  scale_x,
  scale_y,
  opacity,
  visible,
  z_order,
  transform_flags,
  vertex,     ///< A whole vertex.
  frame,      ///< A whole frame.
  transform,  ///< One bone in one frame.
};

/// As an item: the section itself.
inline constexpr std::uint32_t kWholeSection = 0xFFFFFFFF;

/// Names one value: `item` of `section`, its `element` (a vertex, an index, a frame) and that element's
/// `slot` (an influence, a bone).
struct Location {
  Section section = Section::file;
  Field field = Field::none;
  std::uint32_t item = 0;
  std::uint32_t element = 0;
  std::uint32_t slot = 0;
};

/// Such as `meshes[2].vertices[17].boneIds[1]`, in the words of the format's documentation.
[[nodiscard]] std::string to_path(const Location& location);

/// Name of the image, bone, mesh or clip that `location` lies in; empty where there is none.
[[nodiscard]] std::string_view name_at(const CharacterData& data, const Location& location) noexcept;

}  // namespace pchr
