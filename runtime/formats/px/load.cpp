// SPDX-License-Identifier: MIT
// Pixquare artworks: .px files.
#include "formats/px/load.hpp"

#include "formats/px/build.hpp"
#include "formats/px/references.hpp"
#include "model/build.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace pchr {
namespace {

/// Says so where names were asked for, and are there, but the picture is empty.
void remark_if_blank(const px::File& file, const px::Frames& frames, const LayerChoice& choice, Remarks& remarks) {
  if (choice.which != LayerChoice::Which::named || frames.frames.empty() || !frames.pictures.empty()) return;
  std::string found;
  for (const std::string& name : choice.names) {
    if (std::ranges::find(file.items, name, &px::Item::name) == file.items.end()) continue;
    found += fmt::format("{}\"{}\"", found.empty() ? "" : ", ", printable(name));
  }
  if (found.empty()) return;
  remarks.add(FindingId::px_nothing_drawn, [&] {
    return Finding{FindingId::px_nothing_drawn,
                   {},
                   {},
                   {},
                   fmt::format("none of {} frames has a pixel of {}", frames.frames.size(), found)};
  });
}

BindPose bind_pose_of(const CharacterData& data) {
  if (data.clips.empty()) return IdentityBindPose{};
  return ClipBindPose{data.clips.front().name, 0};
}

}  // namespace

bool looks_like_px(std::span<const std::byte> bytes) noexcept { return px::has_px_header(bytes); }

std::expected<Character, LoadError> read_px(std::span<const std::byte> bytes, const LoadOptions& options) {
  Remarks remarks;
  const auto file = px::read_file(bytes, remarks);
  if (!file) return std::unexpected(file.error());
  const Limits& limits = options.limits;
  if (const std::uint64_t pixels = std::uint64_t{file->width} * file->height; pixels > limits.max_image_pixels) {
    return std::unexpected(Finding{FindingId::limit_exceeded,
                                   "canvas",
                                   {},
                                   {},
                                   fmt::format("found {} pixels; the limit is {}", pixels, limits.max_image_pixels)});
  }
  px::Tree tree = px::make_tree(*file, remarks);
  px::choose_layers(tree, *file, options.layers, remarks);
  const std::vector<px::Tiles> tiles = px::inflate_tiles(*file, limits.max_image_pixels, remarks);
  const auto references = px::place_references(*file, tree, limits.max_image_pixels, remarks);
  const auto frames = px::compose_frames(*file, tree, tiles, references, limits, remarks);
  if (!frames) return std::unexpected(frames.error());
  remark_if_blank(*file, *frames, options.layers, remarks);
  auto data = px::make_character(*file, tree, *frames, tiles, limits, remarks);
  if (!data) return std::unexpected(std::move(data.error()));
  const BindPose bind = bind_pose_of(*data);
  return CharacterBuilder::build(*std::move(data), bind, {}, std::move(remarks));
}

}  // namespace pchr
