// SPDX-License-Identifier: MIT
// All clips of a character on one picture.
#include "render.hpp"

#include <pchr/bounds.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace pchr::tools {
namespace {

using Rows = std::vector<std::vector<Shot>>;

Shot shot_of(const Character& character, const RenderOptions& options, std::optional<std::uint32_t> clip,
             std::uint32_t frame) {
  const FramePosition position{frame, frame, 0};
  return {clip, position,
          film::camera_of(options.view, options.view.size, bounds_of(character, options, clip, position))};
}

Shot shot_of_bind_pose(const Character& character, const RenderOptions& options) {
  Shot shot = shot_of(character, options, std::nullopt, 0);
  shot.scene = scene_of(character, options, std::nullopt, {}, shot.camera);
  return shot;
}

// At most `count` frames of a clip, evenly spaced from its first to its last.
std::vector<Shot> row_of_clip(const Character& character, std::uint32_t clip, const RenderOptions& options) {
  const std::uint32_t frames = character.clips()[clip].frame_count;
  if (frames == 0) return {shot_of_bind_pose(character, options)};
  const std::uint32_t count = std::min(*options.contact_sheet, frames);
  const std::uint64_t steps = std::max(count, 2U) - 1;
  std::vector<Shot> row;
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto frame = static_cast<std::uint32_t>((i * (frames - 1) + steps / 2) / steps);
    row.push_back(shot_of(character, options, clip, frame));
    const bool fits_anew = i == 0 || options.fit == Fit::frame;
    row.back().scene =
        fits_anew ? scene_of(character, options, clip, row.back().position, row.back().camera) : row.front().scene;
  }
  return row;
}

Result<Rows> plan_rows(const Character& character, const RenderOptions& options) {
  Rows rows;
  for (const std::string& name : options.clips) {
    const auto clip = find_clip(character, name);
    if (!clip) return std::unexpected(clip.error());
    rows.push_back(row_of_clip(character, *clip, options));
  }
  if (!rows.empty()) return rows;
  for (std::uint32_t clip = 0; clip < character.clips().size(); ++clip) {
    if (!film::is_mere_bind_pose(character, clip)) rows.push_back(row_of_clip(character, clip, options));
  }
  if (rows.empty()) rows.push_back({shot_of_bind_pose(character, options)});
  return rows;
}

// A picture with room for all tiles, in the background colour: rows may have fewer tiles than others.
Result<Bitmap> empty_picture(const Rows& rows, const RenderOptions& options) {
  const Size tile = options.view.size;
  std::size_t columns = 0;
  for (const auto& row : rows) columns = std::max(columns, row.size());
  const std::uint64_t width = std::uint64_t{tile.width} * columns;
  const std::uint64_t height = std::uint64_t{tile.height} * rows.size();
  if (width * height > kMaxPixels) {
    return fail(ExitCode::usage, fmt::format("pchr: the picture would have {} x {} pixels; the limit is {} megapixels",
                                             width, height, kMaxPixels >> 20));
  }
  Bitmap picture{static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height), {}};
  picture.rgba.resize(width * height * 4);
  for (std::size_t i = 0; i < picture.rgba.size(); ++i) picture.rgba[i] = options.view.background.colour[i % 4];
  return picture;
}

void copy_into(Bitmap& picture, const Bitmap& tile, std::size_t left, std::size_t top) {
  const std::size_t row_bytes = std::size_t{tile.width} * 4;
  for (std::size_t y = 0; y < tile.height; ++y) {
    std::memcpy(&picture.rgba[((top + y) * picture.width + left) * 4], &tile.rgba[y * row_bytes], row_bytes);
  }
}

}  // namespace

Result<Bitmap> draw_contact_sheet(const Input& input, const RenderOptions& options) {
  const auto rows = plan_rows(input.character, options);
  if (!rows) return std::unexpected(rows.error());
  auto picture = empty_picture(*rows, options);
  if (!picture) return picture;
  auto stage = Stage::open(input, options.input.no_images);
  if (!stage) return std::unexpected(stage.error());
  const Size tile = options.view.size;
  if (const auto sized = stage->set_size(tile); !sized) return std::unexpected(sized.error());
  Background background = options.view.background;
  background.checker = false;
  for (std::size_t row = 0; row < rows->size(); ++row) {
    for (std::size_t column = 0; column < (*rows)[row].size(); ++column) {
      copy_into(*picture, stage->draw((*rows)[row][column], background), column * tile.width, row * tile.height);
    }
  }
  if (options.view.background.checker) put_on_checker(*picture);
  return picture;
}

}  // namespace pchr::tools
