// SPDX-License-Identifier: MIT
// Decodes GIF files with giflib.
#include "import/images/image_file.hpp"

#include "character/fail.hpp"

#include <fmt/format.h>
#include <gif_lib.h>

#include <algorithm>
#include <cstring>
#include <memory>

namespace pchr {
namespace {

using File = std::unique_ptr<GifFileType, decltype([](GifFileType* file) { DGifCloseFile(file, nullptr); })>;

struct GifInput {
  std::span<const std::byte> rest;
  bool ended = false;  ///< Whether the decoder wanted more.
};

/// Supplies the decoder with the next bytes.
int read_next(GifFileType* file, GifByteType* to, int count) {
  auto& [rest, ended] = *static_cast<GifInput*>(file->UserData);
  const std::size_t size = std::min(rest.size(), static_cast<std::size_t>(std::max(count, 0)));
  ended |= size < static_cast<std::size_t>(std::max(count, 0));
  if (size > 0) std::memcpy(to, rest.data(), size);
  rest = rest.subspan(size);
  return static_cast<int>(size);
}

Unexpected<std::string> failure(int error, const GifInput& input) {
  // For a color table that does not fit into memory, giflib says that the screen descriptor could not be read.
  const bool is_memory = error == D_GIF_ERR_NOT_ENOUGH_MEM || (error == D_GIF_ERR_NO_SCRN_DSCR && !input.ended);
  if (is_memory) throw_out_of_memory();
  const char* const reason = GifErrorString(error);
  return Unexpected(fmt::format("the GIF is damaged: {}", reason != nullptr ? reason : "unknown error"));
}

/// Reads an extension. The one of the next frame sets the transparent color.
bool read_extension(GifFileType& file, int& transparent) {
  int code = 0;
  GifByteType* block = nullptr;
  if (DGifGetExtension(&file, &code, &block) == GIF_ERROR) return false;
  GraphicsControlBlock control{};
  if (code == GRAPHICS_EXT_FUNC_CODE && block != nullptr &&
      DGifExtensionToGCB(block[0], block + 1, &control) == GIF_OK) {
    transparent = control.TransparentColor;
  }
  while (block != nullptr) {
    if (DGifGetExtensionNext(&file, &block) == GIF_ERROR) return false;
  }
  return true;
}

/// Finds the first frame. Returns false at the end of the file or if the file is damaged.
bool find_frame(GifFileType& file, int& transparent) {
  for (;;) {
    GifRecordType type = UNDEFINED_RECORD_TYPE;
    if (DGifGetRecordType(&file, &type) == GIF_ERROR || type == TERMINATE_RECORD_TYPE) return false;
    if (type == IMAGE_DESC_RECORD_TYPE) return DGifGetImageDesc(&file) == GIF_OK;
    if (type == EXTENSION_RECORD_TYPE && !read_extension(file, transparent)) return false;
  }
}

void store_pixel(std::uint8_t* to, const ColorMapObject& colors, int index, int transparent) {
  const GifColorType color = index < colors.ColorCount ? colors.Colors[index] : GifColorType{0, 0, 0};
  const std::uint8_t rgba[] = {color.Red, color.Green, color.Blue,
                               static_cast<std::uint8_t>(index == transparent ? 0 : 255)};
  std::copy_n(rgba, 4, to);
}

/// Decodes the current frame onto the canvas, clipped to it.
bool read_frame(GifFileType& file, const ColorMapObject& colors, int transparent, Bitmap& canvas) {
  const GifImageDesc& frame = file.Image;
  std::vector<GifPixelType> row(static_cast<std::size_t>(frame.Width));
  const auto read_row = [&](int y) {
    if (DGifGetLine(&file, row.data(), frame.Width) == GIF_ERROR) return false;
    const std::size_t canvas_y = static_cast<std::size_t>(frame.Top) + static_cast<std::size_t>(y);
    const auto left = static_cast<std::size_t>(frame.Left);
    if (canvas_y >= canvas.height || left >= canvas.width) return true;
    const std::size_t count = std::min(row.size(), canvas.width - left);
    std::uint8_t* const first = canvas.rgba.data() + (canvas_y * canvas.width + left) * 4;
    for (std::size_t x = 0; x < count; ++x) store_pixel(first + x * 4, colors, row[x], transparent);
    return true;
  };
  // First row and step of the four passes of an interlaced frame, then of the single pass of any other.
  constexpr std::pair<int, int> kPasses[] = {{0, 8}, {4, 8}, {2, 4}, {1, 2}, {0, 1}};
  for (const auto& [start, step] : frame.Interlace ? std::span(kPasses).first(4) : std::span(kPasses).last(1)) {
    for (int y = start; y < frame.Height; y += step) {
      if (!read_row(y)) return false;
    }
  }
  return true;
}

}  // namespace

DecodedImage decode_gif(std::span<const std::byte> bytes, std::uint64_t max_pixels) {
  int error = 0;
  GifInput input{bytes};
  const File file(DGifOpen(&input, read_next, &error));
  if (!file) return failure(error, input);
  int transparent = NO_TRANSPARENT_COLOR;
  if (!find_frame(*file, transparent)) {
    if (file->Error != 0) return failure(file->Error, input);
    return Unexpected("the GIF has no frames");
  }
  const auto side = [](int pixels) { return static_cast<std::uint32_t>(std::max(pixels, 0)); };
  const std::uint32_t width = side(file->SWidth), height = side(file->SHeight);
  if (auto problem = size_problem(width, height, max_pixels)) return Unexpected(*std::move(problem));
  // Decoding time depends on the frame, not on the canvas.
  auto problem = size_problem(side(file->Image.Width), side(file->Image.Height), max_pixels);
  if (problem) return Unexpected(*std::move(problem));
  const ColorMapObject* const colors = file->Image.ColorMap != nullptr ? file->Image.ColorMap : file->SColorMap;
  if (colors == nullptr) return Unexpected("the GIF has no color table");
  Bitmap bitmap{width, height, std::vector<std::uint8_t>(std::size_t{4} * width * height)};
  if (!read_frame(*file, *colors, transparent, bitmap)) return failure(file->Error, input);
  return bitmap;
}

}  // namespace pchr
