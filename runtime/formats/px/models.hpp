// SPDX-License-Identifier: MIT
// The models of a .px file.
#pragma once

#include "formats/px/fields.hpp"
#include "formats/px/file.hpp"

namespace pchr::px {

/// Reads models, each from the fields it is given; `remarks` outlives it. A model that is cut, or whose values cannot
/// be used, is remarked upon.
class ModelReader {
 public:
  explicit ModelReader(Remarks& remarks) noexcept : remarks_(&remarks) {}

  /// Entries of a type that is not known are left out.
  [[nodiscard]] std::vector<Entry> read_entries(Fields& fields);
  [[nodiscard]] Item read_layer(Fields& fields);
  [[nodiscard]] Item read_group(Fields& fields);
  [[nodiscard]] Item read_tilemap(Fields& fields);
  [[nodiscard]] Item read_reference(Fields& fields);
  [[nodiscard]] Content read_content(Fields& fields);
  [[nodiscard]] TilemapContent read_tilemap_content(Fields& fields);
  [[nodiscard]] Tileset read_tileset(Fields& fields);
  [[nodiscard]] ArtworkTag read_tag(Fields& fields);
  [[nodiscard]] ArtworkSymmetry read_symmetry_line(Fields& fields);
  /// Nothing where the guide has no cells or is of a kind that is not known.
  [[nodiscard]] std::optional<ArtworkGuide> read_guide(Fields& fields);
  /// Only says that it is not drawn.
  void read_post_processor(Fields& fields);
  /// By what it multiplies the speed; 1 where it does not.
  [[nodiscard]] double read_modifier(Fields& fields);

  void add(FindingId id, std::uint64_t offset, std::string path, std::string_view name, std::string detail);

 private:
  [[nodiscard]] Frame read_frame(Fields& fields);
  void read_state(Fields& content, Item& item);
  void read_effects(Fields& content, const Item& item);
  void check(const Fields& content, const Item& item);
  [[nodiscard]] float checked_opacity(float opacity, const Item& item);
  [[nodiscard]] float checked_angle(float radians, std::uint64_t offset, std::string_view section,
                                    std::string_view name);

  Remarks* remarks_;
};

/// In the words of findings, such as "layers", "groups": the part of the file in which items of that kind are.
[[nodiscard]] std::string_view section_of(LayerKind kind) noexcept;

}  // namespace pchr::px
