// SPDX-License-Identifier: MIT
// Pixquare artworks: .px files.
#include "formats/px/load.hpp"

#include "formats/px/build.hpp"
#include "model/build.hpp"

#include <fmt/format.h>

#include <utility>

namespace pchr {
namespace {

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
  const auto frames = px::compose_frames(*file, tree, tiles, limits, remarks);
  if (!frames) return std::unexpected(frames.error());
  auto data = px::make_character(*file, tree, *frames, tiles, limits, remarks);
  if (!data) return std::unexpected(std::move(data.error()));
  const BindPose bind = bind_pose_of(*data);
  return CharacterBuilder::build(*std::move(data), bind, {}, std::move(remarks));
}

}  // namespace pchr
