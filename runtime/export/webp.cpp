// SPDX-License-Identifier: MIT
// Writes animated WebP (RFC 9649): libwebp encodes the frames.
#include "export/encoder.hpp"
#include "export/fail.hpp"
#include "export/pixels.hpp"
#include "export/timing.hpp"

#include <fmt/format.h>
#include <webp/decode.h>
#include <webp/encode.h>

#include <algorithm>
#include <cstring>

namespace pchr::exporting {
namespace {

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

EncoderPointer make_webp_encoder(const AnimationInfo& info, const EncoderOptions& options) {
  return std::make_shared<WebpEncoder>(info, options);
}

}  // namespace pchr::exporting
