// SPDX-License-Identifier: MIT
// Decodes JPEG files with libjpeg-turbo.
#include "import/images/image_file.hpp"

#include "character/fail.hpp"
#include "platform/escape.hpp"

#include <fmt/format.h>
#include <jerror.h>
#include <jpeglib.h>

#include <algorithm>
#include <array>

namespace pchr {
namespace {

// Each scan of a progressive file takes a few bytes of the file but as much time as the whole image. Encoders write
// about ten.
constexpr int kMaxScans = 100;

/// State of libjpeg, and the way out of it when it fails.
struct Decoder {
  Decoder() = default;
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;
  ~Decoder() { jpeg_destroy_decompress(&info); }

  jpeg_decompress_struct info{};
  jpeg_error_mgr errors{};
  jpeg_progress_mgr progress{};
  Escape failure{};
  std::array<char, JMSG_LENGTH_MAX> message{};
};

[[noreturn]] void leave(j_common_ptr info) {
  auto& decoder = *static_cast<Decoder*>(info->client_data);
  decoder.errors.format_message(info, decoder.message.data());
  decoder.failure.leave();
}

/// Treats warnings of libjpeg as failures unless all pixels are intact.
void check_message(j_common_ptr info, int level) {
  const int code = info->err->msg_code;
  constexpr int kHarmless[] = {JWRN_EXTRANEOUS_DATA, JWRN_JFIF_MAJOR, JWRN_ADOBE_XFORM, JWRN_NOT_SEQUENTIAL};
  if (level < 0 && std::ranges::find(kHarmless, code) == std::end(kHarmless)) leave(info);
}

void check_scans(j_common_ptr info) {
  auto& decoder = *static_cast<Decoder*>(info->client_data);
  if (decoder.info.input_scan_number <= kMaxScans) return;
  constexpr std::string_view kMessage = "more than 100 scans";
  std::ranges::copy(kMessage, decoder.message.begin());
  decoder.failure.leave();
}

void read_header(Decoder& decoder, std::span<const std::byte> bytes) {
  decoder.info.err = jpeg_std_error(&decoder.errors);
  decoder.errors.error_exit = leave;
  decoder.errors.emit_message = check_message;
  decoder.errors.output_message = [](j_common_ptr) {};
  decoder.info.client_data = &decoder;
  jpeg_create_decompress(&decoder.info);
  decoder.progress.progress_monitor = check_scans;
  decoder.info.progress = &decoder.progress;
  jpeg_mem_src(&decoder.info, reinterpret_cast<const unsigned char*>(bytes.data()),
               static_cast<unsigned long>(bytes.size()));
  jpeg_read_header(&decoder.info, TRUE);
  decoder.info.out_color_space = decoder.info.num_components == 4 ? JCS_CMYK : JCS_RGB;
}

/// Converts a row to RGBA. Files with Adobe's marker store CMYK inverted.
void store_row(const Decoder& decoder, std::span<const JSAMPLE> row, std::span<std::uint8_t> rgba) {
  const bool cmyk = decoder.info.out_color_space == JCS_CMYK;
  const std::size_t channels = cmyk ? 4 : 3;
  const unsigned flip = decoder.info.saw_Adobe_marker != 0 ? 0 : 255;
  for (std::size_t pixel = 0; pixel < rgba.size() / 4; ++pixel) {
    const auto from = row.subspan(pixel * channels, channels);
    for (std::size_t i = 0; i < 3; ++i) {
      rgba[pixel * 4 + i] =
          cmyk ? static_cast<std::uint8_t>(((from[i] ^ flip) * (from[3] ^ flip) + 127) / 255) : from[i];
    }
    rgba[pixel * 4 + 3] = 255;
  }
}

void read_rows(Decoder& decoder, std::span<JSAMPLE> row, std::span<std::uint8_t> rgba) {
  jpeg_start_decompress(&decoder.info);
  while (decoder.info.output_scanline < decoder.info.output_height) {
    const std::size_t row_bytes = std::size_t{4} * decoder.info.output_width;
    const std::size_t start = decoder.info.output_scanline * row_bytes;
    JSAMPROW rows[] = {row.data()};
    jpeg_read_scanlines(&decoder.info, rows, 1);
    store_row(decoder, row, rgba.subspan(start, row_bytes));
  }
  jpeg_finish_decompress(&decoder.info);
}

Unexpected<std::string> failure(const Decoder& decoder) {
  if (decoder.errors.msg_code == JERR_OUT_OF_MEMORY) throw_out_of_memory();
  return Unexpected(fmt::format("the JPEG is damaged: {}", decoder.message.data()));
}

}  // namespace

DecodedImage decode_jpeg(std::span<const std::byte> bytes, std::uint64_t max_pixels) {
  Decoder decoder;
  const auto header = [&] { read_header(decoder, bytes); };
  if (!decoder.failure.run(header)) return failure(decoder);
  const std::uint32_t width = decoder.info.image_width, height = decoder.info.image_height;
  if (auto problem = size_problem(width, height, max_pixels)) return Unexpected(*std::move(problem));
  Bitmap bitmap{width, height, std::vector<std::uint8_t>(std::size_t{4} * width * height)};
  std::vector<JSAMPLE> row(std::size_t{4} * width);
  const auto rows = [&] { read_rows(decoder, row, bitmap.rgba); };
  if (!decoder.failure.run(rows)) return failure(decoder);
  return bitmap;
}

}  // namespace pchr
