// SPDX-License-Identifier: MIT
#include "render.hpp"

#include <cstring>

namespace pchr::tools {
namespace {

ExportFrame tile_of(const Character& character, const RenderOptions& options, ClipId clip, std::uint32_t frame) {
  const ClipTime time{frame, frame, 0};
  ExportFrame tile{clip, time,
                   frame_camera(options.view, options.view.size, bounds_to_fit(character, options, clip, time))};
  tile.scene = scene_to_fit(character, options, clip, time, tile.camera);
  return tile;
}

// Returns evenly spaced frames of a clip, from its first to its last.
std::vector<ExportFrame> row_of_clip(const Character& character, ClipId clip, const RenderOptions& options) {
  const std::uint32_t frames = character.clips()[clip].frame_count;
  if (frames == 0) return {tile_of(character, options, ClipId::none, 0)};
  const std::uint32_t count = std::min(*options.contact_sheet, frames);
  const std::uint64_t steps = std::max(count, 2U) - 1;
  std::vector<ExportFrame> row;
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto frame = static_cast<std::uint32_t>((i * (frames - 1) + steps / 2) / steps);
    if (i == 0 || options.fit == Fit::frame) {
      row.push_back(tile_of(character, options, clip, frame));
    } else {
      row.push_back({clip, {frame, frame, 0}, row.front().camera, row.front().scene});
    }
  }
  return row;
}

}  // namespace

Bitmap draw_contact_sheet(Stage& stage, const Input& input, const RenderOptions& options) {
  std::vector<std::vector<ExportFrame>> rows;  // One for each clip.
  std::size_t columns = 1;
  for (const ClipId clip : find_clips(input.character, options.clips)) {
    rows.push_back(row_of_clip(input.character, clip, options));
    columns = std::max(columns, rows.back().size());
  }
  if (rows.empty()) rows.push_back({tile_of(input.character, options, ClipId::none, 0)});

  const FrameSize tile = options.view.size;
  const std::uint64_t width = std::uint64_t{tile.width} * columns, height = std::uint64_t{tile.height} * rows.size();
  if (width * height > kMaxFramePixels) {
    fail(ExitCode::usage, "the contact sheet would be {} x {} pixels; the limit is {} megapixels", width, height,
         kMaxFramePixels >> 20);
  }
  // Rows can have fewer tiles than others: fill the rest with the background color.
  Bitmap sheet{static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height), {}};
  sheet.rgba.resize(width * height * 4);
  for (std::size_t i = 0; i < sheet.rgba.size(); ++i) sheet.rgba[i] = options.view.background[i % 4];
  stage.add(input, options.input.no_images);
  ViewOptions view = options.view;
  view.checker = false;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (std::size_t column = 0; column < rows[row].size(); ++column) {
      const Bitmap drawn = stage.draw(rows[row][column], tile, view);
      for (std::size_t y = 0; y < tile.height; ++y) {
        std::memcpy(&sheet.rgba[((row * tile.height + y) * width + column * tile.width) * 4],
                    &drawn.rgba[y * tile.width * 4], std::size_t{tile.width} * 4);
      }
    }
  }
  if (options.view.checker) put_on_checker(sheet);
  return sheet;
}

}  // namespace pchr::tools
