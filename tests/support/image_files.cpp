// SPDX-License-Identifier: MIT
// JPEG, GIF and WebP files for tests, written by their reference libraries.
#include "support/image_files.hpp"

#include <gif_lib.h>
#include <webp/encode.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

// Needs the headers above.
#include <jpeglib.h>

namespace pchr::test {
namespace {

Bytes copy_of(const unsigned char* data, std::size_t size) {
  const auto* const first = reinterpret_cast<const std::byte*>(data);
  return {first, first + size};
}

/// One scan per AC term and bit, all of one component.
std::vector<jpeg_scan_info> scan_per_term() {
  std::vector<jpeg_scan_info> scans{{1, {0}, 0, 0, 0, 0}};
  for (int term = 1; term < 64; ++term) scans.push_back({1, {0}, term, term, 0, 1});
  for (int term = 1; term < 64; ++term) scans.push_back({1, {0}, term, term, 1, 0});
  return scans;
}

}  // namespace

Bytes jpeg_of(int width, int height, std::span<const std::uint8_t> samples, const JpegOptions& options) {
  jpeg_compress_struct info{};
  jpeg_error_mgr errors{};
  info.err = jpeg_std_error(&errors);
  jpeg_create_compress(&info);
  unsigned char* data = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&info, &data, &size);
  info.image_width = static_cast<JDIMENSION>(width);
  info.image_height = static_cast<JDIMENSION>(height);
  info.input_components = options.channels;
  info.in_color_space = options.channels == 1 ? JCS_GRAYSCALE : options.channels == 3 ? JCS_RGB : JCS_CMYK;
  jpeg_set_defaults(&info);
  jpeg_set_quality(&info, 100, TRUE);
  info.write_Adobe_marker = options.adobe ? TRUE : FALSE;
  const std::vector<jpeg_scan_info> scans = scan_per_term();
  if (options.progressive) jpeg_simple_progression(&info);
  if (options.scan_per_term) {
    info.scan_info = scans.data();
    info.num_scans = static_cast<int>(scans.size());
  }
  jpeg_start_compress(&info, TRUE);
  const std::size_t row_bytes = static_cast<std::size_t>(width) * static_cast<std::size_t>(options.channels);
  for (std::size_t row = 0; row < static_cast<std::size_t>(height); ++row) {
    std::vector<JSAMPLE> pixels(samples.begin() + static_cast<std::ptrdiff_t>(row * row_bytes),
                                samples.begin() + static_cast<std::ptrdiff_t>((row + 1) * row_bytes));
    JSAMPROW rows[] = {pixels.data()};
    jpeg_write_scanlines(&info, rows, 1);
  }
  jpeg_finish_compress(&info);
  Bytes bytes = copy_of(data, size);
  jpeg_destroy_compress(&info);
  std::free(data);
  return bytes;
}

std::array<std::uint8_t, 3> gif_color(std::uint8_t index) noexcept {
  return {static_cast<std::uint8_t>(10 + index * 60), static_cast<std::uint8_t>(200 - index * 50), index};
}

Bytes gif_of(int width, int height, std::span<const std::uint8_t> indices, const GifOptions& options) {
  Bytes bytes;
  int error = 0;
  const auto append = [](GifFileType* file, const GifByteType* data, int size) {
    auto& to = *static_cast<Bytes*>(file->UserData);
    const auto* const first = reinterpret_cast<const std::byte*>(data);
    to.insert(to.end(), first, first + size);
    return size;
  };
  GifFileType* const file = EGifOpen(&bytes, append, &error);
  EGifSetGifVersion(file, true);
  ColorMapObject* const colors = GifMakeMapObject(4, nullptr);
  for (std::uint8_t i = 0; i < 4; ++i) colors->Colors[i] = {gif_color(i)[0], gif_color(i)[1], gif_color(i)[2]};
  const auto or_frame = [](int size, int frame) { return size > 0 ? size : frame; };
  EGifPutScreenDesc(file, or_frame(options.canvas_width, width), or_frame(options.canvas_height, height), 8, 0,
                    options.own_colors ? nullptr : colors);
  if (options.transparent >= 0) {
    const GraphicsControlBlock control{DISPOSAL_UNSPECIFIED, false, 0, options.transparent};
    GifByteType block[4];
    EGifGCBToExtension(&control, block);
    EGifPutExtension(file, GRAPHICS_EXT_FUNC_CODE, sizeof(block), block);
  }
  EGifPutImageDesc(file, options.left, options.top, width, height, options.interlaced,
                   options.own_colors ? colors : nullptr);
  std::vector<int> order;
  constexpr int kPasses[][2] = {{0, 8}, {4, 8}, {2, 4}, {1, 2}};
  for (const auto& [start, step] : kPasses) {
    for (int y = start; y < height; y += step) order.push_back(y);
  }
  if (!options.interlaced) std::ranges::sort(order);
  for (const int y : order) {
    std::vector<GifPixelType> row(indices.begin() + std::ptrdiff_t{y} * width,
                                  indices.begin() + std::ptrdiff_t{y + 1} * width);
    EGifPutLine(file, row.data(), width);
  }
  EGifCloseFile(file, &error);
  GifFreeMapObject(colors);
  return bytes;
}

Bytes webp_of(int width, int height, std::span<const std::uint8_t> rgba, bool lossless) {
  std::uint8_t* data = nullptr;
  const std::size_t size = lossless ? WebPEncodeLosslessRGBA(rgba.data(), width, height, width * 4, &data)
                                    : WebPEncodeRGBA(rgba.data(), width, height, width * 4, 100, &data);
  Bytes bytes = copy_of(data, size);
  WebPFree(data);
  return bytes;
}

}  // namespace pchr::test
