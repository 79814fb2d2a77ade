// SPDX-License-Identifier: MIT
// Detects the format of image files, and decodes those for which there are libraries.
#include "import/images/image_file.hpp"

#include "character/fail.hpp"
#include "image/image.hpp"
#include "platform/escape.hpp"

#include <fmt/format.h>
#include <gif_lib.h>
#include <jerror.h>
#include <jpeglib.h>
#include <webp/decode.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

namespace pchr {
namespace {

using GifFile = std::unique_ptr<GifFileType, decltype([](GifFileType* file) { DGifCloseFile(file, nullptr); })>;

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

DecodedImage decode_png(std::span<const std::byte> bytes, std::uint64_t max_pixels) {
  const auto size = png_size(bytes);
  if (!size) return Unexpected("the PNG header is truncated");
  const Image image{{}, size->width, size->height, ImageEncoding::png, {bytes.begin(), bytes.end()}};
  auto bitmap = decode_straight(image, {.max_image_pixels = max_pixels});
  if (!bitmap) return Unexpected("the PNG " + bitmap.error().detail);
  return *std::move(bitmap);
}

DecodedImage decode_webp(std::span<const std::byte> bytes, std::uint64_t max_pixels) {
  const auto* const data = reinterpret_cast<const std::uint8_t*>(bytes.data());
  WebPBitstreamFeatures features{};
  if (WebPGetFeatures(data, bytes.size(), &features) != VP8_STATUS_OK) {
    return Unexpected("the WebP header is truncated or invalid");
  }
  if (features.has_animation != 0) return Unexpected("animated WebP files are not supported");
  const auto width = static_cast<std::uint32_t>(features.width), height = static_cast<std::uint32_t>(features.height);
  if (auto problem = size_problem(width, height, max_pixels)) return Unexpected(*std::move(problem));
  Bitmap bitmap{width, height, std::vector<std::uint8_t>(std::size_t{4} * width * height)};
  WebPDecoderConfig config{};
  if (WebPInitDecoderConfig(&config) == 0) return Unexpected("libwebp has another version than its headers");
  config.output.colorspace = MODE_RGBA;
  config.output.is_external_memory = 1;
  config.output.u.RGBA = {bitmap.rgba.data(), features.width * 4, bitmap.rgba.size()};
  VP8StatusCode status = WebPDecode(data, bytes.size(), &config);
  // Nobody aborts: libwebp reports this if it cannot allocate rows for its output.
  if (status == VP8_STATUS_OUT_OF_MEMORY || status == VP8_STATUS_USER_ABORT) {
    // Version 1.5 also reports lack of memory for damaged alpha. Then there is as much as a decoder takes.
    ::operator delete(::operator new(2 * bitmap.rgba.size() + (std::size_t{1} << 20U)));
    status = WebPDecode(data, bytes.size(), &config);
  }
  if (status != VP8_STATUS_OK) return Unexpected("the WebP pixels are truncated or invalid");
  return bitmap;
}

// Each scan of a progressive file takes a few bytes of the file but as much time as the whole image. Encoders write
// about ten.
constexpr int kMaxScans = 100;

/// State of libjpeg, and the way out of it when it fails.
struct JpegDecoder {
  JpegDecoder() = default;
  JpegDecoder(const JpegDecoder&) = delete;
  JpegDecoder& operator=(const JpegDecoder&) = delete;
  ~JpegDecoder() { jpeg_destroy_decompress(&info); }

  jpeg_decompress_struct info{};
  jpeg_error_mgr errors{};
  jpeg_progress_mgr progress{};
  Escape failure{};
  std::array<char, JMSG_LENGTH_MAX> message{};
};

[[noreturn]] void leave(j_common_ptr info) {
  auto& decoder = *static_cast<JpegDecoder*>(info->client_data);
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
  auto& decoder = *static_cast<JpegDecoder*>(info->client_data);
  if (decoder.info.input_scan_number <= kMaxScans) return;
  constexpr std::string_view kMessage = "more than 100 scans";
  std::ranges::copy(kMessage, decoder.message.begin());
  decoder.failure.leave();
}

void read_header(JpegDecoder& decoder, std::span<const std::byte> bytes) {
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
void store_row(const JpegDecoder& decoder, std::span<const JSAMPLE> row, std::span<std::uint8_t> rgba) {
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

void read_rows(JpegDecoder& decoder, std::span<JSAMPLE> row, std::span<std::uint8_t> rgba) {
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

Unexpected<std::string> failure(const JpegDecoder& decoder) {
  if (decoder.errors.msg_code == JERR_OUT_OF_MEMORY) throw_out_of_memory();
  return Unexpected(fmt::format("the JPEG is damaged: {}", decoder.message.data()));
}

}  // namespace

DecodedImage decode_gif(std::span<const std::byte> bytes, std::uint64_t max_pixels) {
  int error = 0;
  GifInput input{bytes};
  const GifFile file(DGifOpen(&input, read_next, &error));
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

DecodedImage decode_jpeg(std::span<const std::byte> bytes, std::uint64_t max_pixels) {
  JpegDecoder decoder;
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

std::optional<std::string> size_problem(std::uint64_t width, std::uint64_t height, std::uint64_t max_pixels) {
  if (width > 0 && height > 0 && width <= max_pixels / height) return std::nullopt;
  return fmt::format("the image is {} x {} pixels, but the total must be 1 to {}", width, height, max_pixels);
}

DecodedImage decode_image_file(std::span<const std::byte> bytes, std::uint64_t max_pixels) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (text.starts_with("BM") && text.size() >= 14) return decode_bmp(bytes, max_pixels);
  if (is_png(bytes)) return decode_png(bytes, max_pixels);
  if (text.starts_with("\xFF\xD8\xFF")) return decode_jpeg(bytes, max_pixels);
  if (text.starts_with("GIF8")) return decode_gif(bytes, max_pixels);
  if (text.starts_with("RIFF") && text.find("WEBP", 8) == 8) return decode_webp(bytes, max_pixels);
  if (looks_like_tga(bytes)) return decode_tga(bytes, max_pixels);
  return Unexpected("the format is unknown; supported are BMP, PNG, JPEG, GIF, WebP and TGA");
}

}  // namespace pchr
