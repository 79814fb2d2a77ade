// SPDX-License-Identifier: MIT
#include "document/document.hpp"

namespace pchr::player {

std::optional<Extent>& extent_slot(Document& document, std::optional<ClipId> clip) {
  const std::size_t clips = document.character().clips().size();
  document.extents.resize(clips + 1);
  return document.extents[clip ? index(*clip) : clips];
}

const Extent& extent_of(Document& document, std::optional<ClipId> clip) {
  std::optional<Extent>& extent = extent_slot(document, clip);
  if (!extent) extent = clip ? clip_extent(document.character(), *clip) : character_extent(document.character());
  return *extent;
}

std::string read_markers(Document& document) {
  const std::filesystem::path path = markers_path(document.path);
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return {};
  auto markers = load_markers(path, document.character());
  if (!markers) return describe(markers.error(), path.filename().string());
  document.markers = std::make_shared<Markers>(std::move(*markers));
  return {};
}

void carry_over(Document& document, const Document& before) {
  std::vector<AlphaMask> masks = std::move(document.selection.masks);
  document.selection = carried_over(before.selection, before.character(), document.character());
  document.selection.masks = std::move(masks);
  document.artwork_layers = before.artwork_layers;
}

}  // namespace pchr::player
