// SPDX-License-Identifier: MIT
#include "export/animation_formats.hpp"

#include "compiler/once.hpp"
#include "export/fail.hpp"
#include "export/pixels.hpp"
#include "image/image.hpp"
#include "platform/checksums.hpp"

#include <fmt/format.h>
#include <gif_lib.h>
#include <webp/decode.h>
#include <webp/encode.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <utility>

namespace pchr {
namespace exporting {
namespace {

// Smaller errors are not visible.
constexpr double kExactSeconds = 1e-6;

constexpr std::uint32_t kApngMaxTicks = 65535;

bool fits_apng(const Timing& timing) {
  return std::ranges::all_of(timing.ticks, [](std::uint32_t ticks) { return ticks <= kApngMaxTicks; });
}

// APNG stores durations as fractions of 16-bit integers. Uses the first denominator that is exact for all frames, else
// 1000, or less if a frame lasts longer than a minute.
Timing timing_of_apng(std::span<const double> frame_ends) {
  const double rate = std::round(1 / frame_ends.front());
  std::vector<std::uint32_t> candidates{1000, 60000, 48000, 44100, 30000};
  if (rate >= 1 && rate <= kApngMaxTicks) candidates.insert(candidates.begin(), static_cast<std::uint32_t>(rate));
  for (const std::uint32_t candidate : candidates) {
    Timing timing = round_to_ticks(frame_ends, candidate, 1);
    if (timing.max_error_seconds <= kExactSeconds && fits_apng(timing)) return timing;
  }
  for (const std::uint32_t candidate : {1000U, 100U, 10U}) {
    Timing timing = round_to_ticks(frame_ends, candidate, 1);
    if (fits_apng(timing)) return timing;
  }
  Timing timing = round_to_ticks(frame_ends, 1, 1);
  for (std::uint32_t& ticks : timing.ticks) ticks = std::min(ticks, kApngMaxTicks);
  return timing;
}

}  // namespace

Timing round_to_ticks(std::span<const double> frame_ends, std::uint32_t ticks_per_second, std::uint32_t min_ticks) {
  constexpr double kMaxTicks = 4e9;
  Timing timing{ticks_per_second, min_ticks, {}, 0};
  double before = 0;
  for (const double end : frame_ends) {
    const double ticks =
        std::clamp(std::round(end * ticks_per_second) - before, static_cast<double>(min_ticks), kMaxTicks);
    timing.ticks.push_back(static_cast<std::uint32_t>(ticks));
    before += ticks;
    timing.max_error_seconds = std::max(timing.max_error_seconds, std::abs(before / ticks_per_second - end));
  }
  return timing;
}

Timing timing_of(const AnimationInfo& info, AnimationFormat format) {
  // Viewers show GIF frames shorter than two ticks for 0.1 s instead.
  if (format == AnimationFormat::gif) return round_to_ticks(info.frame_ends, 100, 2);
  if (format == AnimationFormat::webp) return round_to_ticks(info.frame_ends, 1000, 1);
  return timing_of_apng(info.frame_ends);
}

ExportResult<Rate> constant_rate(std::span<const double> frame_ends) {
  if (frame_ends.empty()) return reject("the animation has no frames");
  const auto count = static_cast<double>(frame_ends.size());
  const double frame_seconds = frame_ends.back() / count;
  for (std::size_t i = 0; i < frame_ends.size(); ++i) {
    if (std::abs(frame_ends[i] - frame_seconds * static_cast<double>(i + 1)) > kExactSeconds) {
      return reject("the frames have different durations");
    }
  }
  for (const std::uint32_t seconds : {1U, 1001U, 1000U}) {
    const double frames = std::round(seconds / frame_seconds);
    if (frames >= 1 && frames < 4e9 && std::abs(frames * frame_seconds - seconds) <= 1e-9 * seconds) {
      return Rate{static_cast<std::uint32_t>(frames), seconds};
    }
  }
  const double frames = std::clamp(std::round(1e6 / frame_seconds), 1.0, 4e9);
  return Rate{static_cast<std::uint32_t>(frames), 1'000'000};
}

namespace {

/// Encodes frames independently, with a header before the first and a separator between frames.
class PlainEncoder : public Encoder {
 public:
  using Encode = std::function<Bytes(const Bitmap& premultiplied)>;
  explicit PlainEncoder(Encode function, std::string header = "", std::string separator = "")
      : encode_(std::move(function)), header_(std::move(header)), separator_(std::move(separator)) {}

  ExportResult<Bytes> encode(const Frame& frame) override { return encode_(*frame.pixels); }
  ExportResult<Bytes> join(std::uint32_t index, Bytes encoded) override {
    const auto before = std::as_bytes(std::span(index == 0 ? header_ : separator_));
    encoded.insert(encoded.begin(), before.begin(), before.end());
    return encoded;
  }

 private:
  Encode encode_;
  std::string header_, separator_;
};

Bytes encode_as_rgba(const Bitmap& premultiplied) {
  const Bitmap straight = straight_part(premultiplied, whole(premultiplied));
  const auto bytes = std::as_bytes(std::span(straight.rgba));
  return {bytes.begin(), bytes.end()};
}

// Encodes three planes over black: BT.601, limited range.
Bytes encode_as_yuv(const Bitmap& premultiplied) {
  const std::vector<std::uint8_t>& rgba = premultiplied.rgba;
  const std::size_t pixels = rgba.size() / 4;
  Bytes planes(pixels * 3);
  // Coefficients are in 1/65536, scaled so that full range 255 maps to the limited range.
  constexpr int kRound = 1 << 15;
  for (std::size_t i = 0; i < pixels; ++i) {
    const int r = rgba[i * 4], g = rgba[i * 4 + 1], b = rgba[i * 4 + 2];
    planes[i] = static_cast<std::byte>((16829 * r + 33039 * g + 6416 * b + kRound + (16 << 16)) >> 16);
    planes[pixels + i] = static_cast<std::byte>((-9714 * r - 19070 * g + 28784 * b + kRound + (128 << 16)) >> 16);
    planes[2 * pixels + i] = static_cast<std::byte>((28784 * r - 24103 * g - 4681 * b + kRound + (128 << 16)) >> 16);
  }
  return planes;
}

// Animated PNG (PNG, third edition): each frame is encoded as a PNG, whose data moves to the chunks of one file.

constexpr std::size_t kSignatureBytes = 8;
constexpr std::size_t kHeaderEnd = kSignatureBytes + 12 + 13;

std::uint32_t big_endian(std::span<const std::byte> bytes) {
  std::uint32_t value = 0;
  for (const std::byte byte : bytes.first(4)) value = value << 8U | std::to_integer<std::uint32_t>(byte);
  return value;
}

void append_big_endian(Bytes& bytes, std::uint32_t value, int byte_count = 4) {
  for (int i = byte_count - 1; i >= 0; --i) bytes.push_back(static_cast<std::byte>(value >> 8 * i));
}

void append_chunk(Bytes& file, std::string_view type, std::span<const std::byte> data) {
  append_big_endian(file, static_cast<std::uint32_t>(data.size()));
  const std::size_t start = file.size();
  append(file, std::as_bytes(std::span(type)));
  append(file, data);
  append_big_endian(file, crc32_of(std::span(file).subspan(start)));
}

class ApngEncoder : public Encoder {
 public:
  ApngEncoder(const AnimationInfo& info, PngCompression compression)
      : info_(info), compression_(compression), timing_(timing_of(info, AnimationFormat::apng)) {}

  // Returns the position in 8 bytes, followed by a PNG of the changed area.
  ExportResult<Bytes> encode(const Frame& frame) override {
    Area area = frame.previous ? changed_area(*frame.pixels, *frame.previous) : whole(*frame.pixels);
    // Frames without changes still need a pixel.
    if (area.width == 0) area = {0, 0, 1, 1};
    Bytes encoded;
    append_big_endian(encoded, area.x);
    append_big_endian(encoded, area.y);
    append(encoded, write_png(straight_part(*frame.pixels, area), compression_));
    return encoded;
  }

  ExportResult<Bytes> join(std::uint32_t index, Bytes encoded) override {
    const std::span<const std::byte> png = std::span(encoded).subspan(8);
    Bytes file;
    if (index == 0) {
      append(file, png.first(kHeaderEnd));
      Bytes control;
      append_big_endian(control, static_cast<std::uint32_t>(info_.frame_ends.size()));
      append_big_endian(control, info_.plays);
      append_chunk(file, "acTL", control);
    }
    append_frame_control(file, index, encoded);
    for (std::size_t at = kSignatureBytes; at + 12 <= png.size();) {
      const std::size_t bytes = big_endian(png.subspan(at));
      if (std::memcmp(&png[at + 4], "IDAT", 4) == 0) append_data(file, index, png.subspan(at + 8, bytes));
      at += 12 + bytes;
    }
    if (index + 1 == info_.frame_ends.size()) append_chunk(file, "IEND", {});
    return file;
  }

 private:
  void append_data(Bytes& file, std::uint32_t index, std::span<const std::byte> data) {
    if (index == 0) return append_chunk(file, "IDAT", data);
    Bytes numbered;
    append_big_endian(numbered, next_sequence_++);
    append(numbered, data);
    append_chunk(file, "fdAT", numbered);
  }

  void append_frame_control(Bytes& file, std::uint32_t index, std::span<const std::byte> encoded) {
    Bytes control;
    append_big_endian(control, next_sequence_++);
    append(control, encoded.subspan(8 + kSignatureBytes + 8, 8));  // Width and height, from IHDR.
    append(control, encoded.first(8));
    append_big_endian(control, timing_.ticks[index], 2);
    append_big_endian(control, timing_.ticks_per_second, 2);
    // Keep the previous frame, and replace pixels including alpha.
    append_big_endian(control, 0, 2);
    append_chunk(file, "fcTL", control);
  }

  AnimationInfo info_;
  PngCompression compression_;
  Timing timing_;
  std::uint32_t next_sequence_ = 0;
};

// GIF89a, with giflib. One palette for the whole animation avoids flickering colors.

class GifFile {
 public:
  explicit GifFile(Bytes& bytes) : file_(EGifOpen(&bytes, append, nullptr)) {
    if (file_ != nullptr) EGifSetGifVersion(file_, true);
  }
  GifFile(const GifFile&) = delete;
  GifFile& operator=(const GifFile&) = delete;
  ~GifFile() { (void)close(); }

  [[nodiscard]] GifFileType* get() const { return file_; }
  /// Writes the trailer. Returns whether that succeeded.
  bool close() { return file_ == nullptr || EGifCloseFile(std::exchange(file_, nullptr), nullptr) == GIF_OK; }

 private:
  static int append(GifFileType* file, const GifByteType* data, int count) {
    auto& bytes = *static_cast<Bytes*>(file->UserData);
    const auto more = std::as_bytes(std::span(data, static_cast<std::size_t>(count)));
    bytes.insert(bytes.end(), more.begin(), more.end());
    return count;
  }

  GifFileType* file_;
};

class GifEncoder : public Encoder {
 public:
  GifEncoder(const AnimationInfo& info, const std::optional<Rgb>& matte)
      : info_(info), matte_(matte), timing_(timing_of(info, AnimationFormat::gif)) {}

  [[nodiscard]] bool scans() const override { return true; }
  void scan(const Frame& frame) override { counts_.add(*frame.pixels, matte_); }

  // Encodes a file of one frame, then removes the header from all but the first and the trailer from all but the last.
  ExportResult<Bytes> encode(const Frame& frame) override {
    chosen_.call([this] { choose_palette(); });
    Bytes bytes;
    GifFile file(bytes);
    if (file.get() == nullptr || !put_header(file.get())) return fail("giflib cannot write the header");
    if (frame.index > 0) bytes.clear();
    if (!put_frame(file.get(), frame)) return fail("giflib cannot encode a frame");
    const std::size_t end = bytes.size();
    if (!file.close()) return fail("giflib cannot write the trailer");
    if (frame.index + 1 < info_.frame_ends.size()) bytes.resize(end);
    return bytes;
  }

 private:
  // The index after the last color is transparent.
  void choose_palette() {
    std::vector<Rgb> palette = counts_.choose_palette(255);
    transparent_ = static_cast<GifPixelType>(palette.size());
    const unsigned bits = std::max(2U, static_cast<unsigned>(std::bit_width(palette.size())));
    for (const Rgb& color : palette) table_.push_back({color[0], color[1], color[2]});
    table_.resize(std::size_t{1} << bits);
    index_.emplace(std::move(palette));
  }

  bool put_header(GifFileType* file) {
    // giflib does not modify the table.
    ColorMapObject map{static_cast<int>(table_.size()), std::countr_zero(table_.size()), false, table_.data()};
    if (EGifPutScreenDesc(file, static_cast<int>(info_.width), static_cast<int>(info_.height), map.BitsPerPixel,
                          transparent_, &map) != GIF_OK) {
      return false;
    }
    if (info_.plays == 1) return true;
    const unsigned repeats = info_.plays == 0 ? 0 : std::min(info_.plays - 1, 65535U);
    const std::array<GifByteType, 3> loop{1, static_cast<GifByteType>(repeats & 255U),
                                          static_cast<GifByteType>(repeats >> 8U)};
    return EGifPutExtensionLeader(file, APPLICATION_EXT_FUNC_CODE) == GIF_OK &&
           EGifPutExtensionBlock(file, 11, "NETSCAPE2.0") == GIF_OK &&
           EGifPutExtensionBlock(file, 3, loop.data()) == GIF_OK && EGifPutExtensionTrailer(file) == GIF_OK;
  }

  bool put_frame(GifFileType* file, const Frame& frame) {
    const Area area = area_of(frame);
    const GraphicsControlBlock control{counts_.all_opaque() ? DISPOSE_DO_NOT : DISPOSE_BACKGROUND, false,
                                       static_cast<int>(std::min(timing_.ticks[frame.index], 65535U)), transparent_};
    std::array<GifByteType, 4> extension{};
    EGifGCBToExtension(&control, extension.data());
    std::vector<GifPixelType> indices = indices_of(*frame.pixels, area);
    return EGifPutExtension(file, GRAPHICS_EXT_FUNC_CODE, 4, extension.data()) == GIF_OK &&
           EGifPutImageDesc(file, static_cast<int>(area.x), static_cast<int>(area.y), static_cast<int>(area.width),
                            static_cast<int>(area.height), false, nullptr) == GIF_OK &&
           EGifPutLine(file, indices.data(), static_cast<int>(indices.size())) == GIF_OK;
  }

  // GIF can only make a drawn pixel transparent again by clearing its whole frame.
  [[nodiscard]] Area area_of(const Frame& frame) const {
    Area area = !counts_.all_opaque() ? visible_area(*frame.pixels)
                : frame.previous      ? changed_area(*frame.pixels, *frame.previous)
                                      : whole(*frame.pixels);
    if (area.width == 0) area = {0, 0, 1, 1};
    return area;
  }

  [[nodiscard]] std::vector<GifPixelType> indices_of(const Bitmap& bitmap, const Area& area) const {
    std::vector<GifPixelType> indices;
    indices.reserve(std::size_t{area.width} * area.height);
    const std::uint8_t* known = nullptr;
    for (std::size_t y = area.y; y < area.y + area.height; ++y) {
      const std::uint8_t* pixel = &bitmap.rgba[(y * bitmap.width + area.x) * 4];
      for (std::uint32_t x = 0; x < area.width; ++x, pixel += 4) {
        if (known != nullptr && std::memcmp(pixel, known, 4) == 0) {
          indices.push_back(indices.back());
          continue;
        }
        const Flat flat = flatten(pixel, matte_);
        indices.push_back(flat.opaque ? index_->nearest(flat.color) : transparent_);
        known = pixel;
      }
    }
    return indices;
  }

  AnimationInfo info_;
  std::optional<Rgb> matte_;
  Timing timing_;
  ColorCounts counts_;
  Once chosen_;
  std::optional<PaletteIndex> index_;
  GifPixelType transparent_ = 0;
  std::vector<GifColorType> table_;
};

// Animated WebP (RFC 9649). libwebp encodes the frames.

constexpr std::uint32_t kMaxMilliseconds = (1U << 24) - 1;
constexpr std::uint32_t kMaxPlays = 65535;

// WebP requires even frame offsets.
Area even(const Area& area) {
  if (area.width == 0) return {0, 0, 1, 1};
  return {area.x & ~1U, area.y & ~1U, area.width + (area.x & 1U), area.height + (area.y & 1U)};
}

ExportResult<WebPConfig> make_config(const EncoderOptions& options) {
  WebPConfig config;
  bool fine = WebPConfigInit(&config) != 0;
  if (options.webp_quality) {
    config.quality = *options.webp_quality;
    config.alpha_quality = 100;
    config.method = std::min(options.webp_effort.value_or(4), 6);
  } else {
    fine = fine && WebPConfigLosslessPreset(&config, options.webp_effort.value_or(3)) != 0;
  }
  if (!fine || WebPValidateConfig(&config) == 0) return fail("libwebp rejects the encoder settings");
  return config;
}

ExportResult<Bytes> encode_webp(const Bitmap& straight, const WebPConfig& config) {
  WebPPicture frame;
  if (WebPPictureInit(&frame) == 0) return fail("libwebp has an incompatible version");
  const std::unique_ptr<WebPPicture, decltype([](WebPPicture* made) { WebPPictureFree(made); })> owner(&frame);
  frame.use_argb = config.lossless;
  frame.width = static_cast<int>(straight.width);
  frame.height = static_cast<int>(straight.height);
  Bytes bytes;
  frame.custom_ptr = &bytes;
  frame.writer = [](const std::uint8_t* data, std::size_t count, const WebPPicture* to) {
    const auto more = std::as_bytes(std::span(data, count));
    auto& written = *static_cast<Bytes*>(to->custom_ptr);
    written.insert(written.end(), more.begin(), more.end());
    return 1;
  };
  if (WebPPictureImportRGBA(&frame, straight.rgba.data(), frame.width * 4) == 0 || WebPEncode(&config, &frame) == 0) {
    return fail(fmt::format("libwebp cannot encode a frame: error {}", static_cast<int>(frame.error_code)));
  }
  return bytes;
}

void append_number(Bytes& file, std::uint64_t value, int byte_count) {
  for (int i = 0; i < byte_count; ++i) file.push_back(static_cast<std::byte>(value >> 8 * i));
}

void append_chunk_header(Bytes& file, std::string_view name, std::uint64_t bytes) {
  append(file, std::as_bytes(std::span(name)));
  append_number(file, bytes, 4);
}

constexpr std::size_t kFileHeaderBytes = 12, kChunkHeaderBytes = 8, kExtendedBytes = 10;

/// Returns the chunks of a WebP file of one frame that an animation contains.
std::span<const std::byte> frame_chunks(std::span<const std::byte> webp) {
  const auto chunks = webp.subspan(kFileHeaderBytes);
  const bool is_extended = std::memcmp(chunks.data(), "VP8X", 4) == 0;
  return is_extended ? chunks.subspan(kChunkHeaderBytes + kExtendedBytes) : chunks;
}

bool has_alpha(std::span<const std::byte> webp) {
  WebPBitstreamFeatures features;
  return WebPGetFeatures(reinterpret_cast<const std::uint8_t*>(webp.data()), webp.size(), &features) == VP8_STATUS_OK &&
         features.has_alpha != 0;
}

/// Writes the container of an animation itself: libwebpmux keeps all frames in memory until the last.
class WebpEncoder : public Encoder {
 public:
  WebpEncoder(const AnimationInfo& info, const EncoderOptions& options)
      : info_(info), timing_(timing_of(info, AnimationFormat::webp)), config_(make_config(options)) {}

  // Returns the changed area, followed by its pixels as a WebP.
  ExportResult<Bytes> encode(const Frame& frame) override {
    if (!config_) return Unexpected(config_.error());
    const Area area = frame.previous ? even(changed_area(*frame.pixels, *frame.previous)) : whole(*frame.pixels);
    ExportResult<Bytes> file = encode_webp(straight_part(*frame.pixels, area), *config_);
    if (!file) return file;
    const auto place = std::as_bytes(std::span(&area, 1));
    file->insert(file->begin(), place.begin(), place.end());
    return file;
  }

  ExportResult<Bytes> join(std::uint32_t index, Bytes encoded) override {
    Area area;
    std::memcpy(&area, encoded.data(), sizeof(area));
    encoded.erase(encoded.begin(), encoded.begin() + sizeof(area));
    if (!is_animated()) return encoded;
    Bytes file;
    if (index == 0) {
      file = start();
      append_chunk_header(file, "ANIM", 6);
      append_number(file, 0, 4);  // Transparent background.
      append_number(file, std::min(info_.plays, kMaxPlays), 2);
    }
    append_frame(file, index, area, encoded);
    bytes_ += file.size();
    has_alpha_ = has_alpha_ || has_alpha(encoded);
    if (bytes_ > kMaxBytes) return fail("a WebP file cannot have more than 4 GiB");
    return file;
  }

  // The size of the file and whether any frame has alpha are known only after the last frame.
  [[nodiscard]] Bytes complete_start() const override { return is_animated() ? start() : Bytes(); }

 private:
  [[nodiscard]] bool is_animated() const { return info_.frame_ends.size() > 1; }

  [[nodiscard]] Bytes start() const {
    Bytes file;
    append_chunk_header(file, "RIFF", bytes_ - std::min<std::uint64_t>(bytes_, kChunkHeaderBytes));
    append(file, std::as_bytes(std::span(std::string_view("WEBP"))));
    append_chunk_header(file, "VP8X", kExtendedBytes);
    constexpr unsigned kAnimated = 2, kAlpha = 16;
    append_number(file, kAnimated | (has_alpha_ ? kAlpha : 0), 4);
    append_number(file, info_.width - 1, 3);
    append_number(file, info_.height - 1, 3);
    return file;
  }

  void append_frame(Bytes& file, std::uint32_t index, const Area& area, std::span<const std::byte> webp) const {
    const auto chunks = frame_chunks(webp);
    constexpr unsigned kFrameBytes = 16, kReplace = 2;
    append_chunk_header(file, "ANMF", kFrameBytes + chunks.size());
    for (const std::uint32_t value :
         {area.x / 2, area.y / 2, area.width - 1, area.height - 1, std::min(timing_.ticks[index], kMaxMilliseconds)}) {
      append_number(file, value, 3);
    }
    append_number(file, kReplace, 1);
    append(file, chunks);
  }

  static constexpr std::uint64_t kMaxBytes = 0xFFFFFFFE;
  AnimationInfo info_;
  Timing timing_;
  ExportResult<WebPConfig> config_;
  std::uint64_t bytes_ = 0;  ///< Size of the file so far.
  bool has_alpha_ = false;
};

}  // namespace

ExportResult<std::unique_ptr<Encoder>> make_encoder(const AnimationInfo& info, const EncoderOptions& options) {
  using enum AnimationFormat;
  const std::uint32_t max = options.format == webp ? 16383 : options.format == gif ? 65535 : 0x7FFFFFFF;
  if (std::max(info.width, info.height) > max) {
    return reject(fmt::format("{} x {} pixels are too large for the format, whose maximum side is {}", info.width,
                              info.height, max));
  }
  if (options.format == png) {
    return std::make_unique<PlainEncoder>([compression = options.png_compression](const Bitmap& premultiplied) {
      return write_png(straight_part(premultiplied, whole(premultiplied)), compression);
    });
  }
  if (options.format == apng) return std::make_unique<ApngEncoder>(info, options.png_compression);
  if (options.format == gif) return std::make_unique<GifEncoder>(info, options.gif_matte);
  if (options.format == webp) return std::make_unique<WebpEncoder>(info, options);
  if (options.format == rgba) return std::make_unique<PlainEncoder>(encode_as_rgba);
  const ExportResult<Rate> rate = constant_rate(info.frame_ends);
  if (!rate) return reject("Y4M needs a constant frame rate, but " + rate.error().message);
  std::string header = fmt::format("YUV4MPEG2 W{} H{} F{}:{} Ip A1:1 C444 XCOLORRANGE=LIMITED\nFRAME\n", info.width,
                                   info.height, rate->frames, rate->seconds);
  return std::make_unique<PlainEncoder>(encode_as_yuv, std::move(header), "FRAME\n");
}

}  // namespace exporting

std::optional<AnimationFormat> animation_format_named(std::string_view name) {
  constexpr std::pair<std::string_view, AnimationFormat> kNames[]{
      {"png", AnimationFormat::png},   {"apng", AnimationFormat::apng}, {"gif", AnimationFormat::gif},
      {"webp", AnimationFormat::webp}, {"rgba", AnimationFormat::rgba}, {"y4m", AnimationFormat::y4m}};
  const auto same_letters = [](char a, char b) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    return lower(a) == lower(b);
  };
  for (const auto& [known, format] : kNames) {
    if (std::ranges::equal(known, name, same_letters)) return format;
  }
  return std::nullopt;
}

std::optional<AnimationFormat> animation_format_of(std::string_view file_name) {
  const std::size_t dot = file_name.rfind('.');
  if (dot == std::string_view::npos) return std::nullopt;
  return animation_format_named(file_name.substr(dot + 1));
}

ExportResult<void> check_format(const AnimationInfo& info, const EncoderOptions& options) {
  const auto encoder = exporting::make_encoder(info, options);
  if (!encoder) return Unexpected(encoder.error());
  return {};
}

std::string describe_rounding(const AnimationInfo& info, AnimationFormat format) {
  if (format != AnimationFormat::gif && format != AnimationFormat::webp && format != AnimationFormat::apng) return {};
  if (info.frame_ends.size() < 2) return {};
  const exporting::Timing timing = exporting::timing_of(info, format);
  constexpr double kUnseenSeconds = 1e-3;
  if (timing.max_error_seconds <= kUnseenSeconds) return {};
  double all = 0;
  for (const std::uint32_t ticks : timing.ticks) all += ticks;
  all /= timing.ticks_per_second;
  if (all - info.frame_ends.back() > 1.0 / timing.ticks_per_second) {
    return fmt::format(
        "the format cannot store frames shorter than {}/{} s, so the animation lasts {:.2f} s instead of {:.2f}; use "
        "at "
        "most {} frames per second",
        timing.min_ticks, timing.ticks_per_second, all, info.frame_ends.back(),
        timing.ticks_per_second / timing.min_ticks);
  }
  return fmt::format("times are rounded to 1/{} s, with errors of at most {:.1f} ms", timing.ticks_per_second,
                     timing.max_error_seconds * 1000);
}

}  // namespace pchr
