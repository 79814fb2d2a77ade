// SPDX-License-Identifier: MIT
// Writes animated WebP: libwebp encodes each frame, libwebpmux joins them.
#include "export/encoder.hpp"
#include "export/fail.hpp"
#include "export/pixels.hpp"
#include "export/timing.hpp"

#include <fmt/format.h>
#include <webp/encode.h>
#include <webp/mux.h>

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

Unexpected<ExportError> cannot_join(WebPMuxError error) {
  return fail(fmt::format("libwebpmux cannot join the frames: error {}", static_cast<int>(error)));
}

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
    if (info_.frame_ends.size() == 1) return encoded;
    WebPMuxFrameInfo frame{};
    frame.bitstream = {reinterpret_cast<const std::uint8_t*>(encoded.data()), encoded.size()};
    frame.x_offset = static_cast<int>(area.x);
    frame.y_offset = static_cast<int>(area.y);
    frame.duration = static_cast<int>(std::min(timing_.ticks[index], kMaxMilliseconds));
    frame.id = WEBP_CHUNK_ANMF;
    frame.dispose_method = WEBP_MUX_DISPOSE_NONE;
    frame.blend_method = WEBP_MUX_NO_BLEND;
    if (const WebPMuxError error = WebPMuxPushFrame(mux_.get(), &frame, 1); error != WEBP_MUX_OK) {
      return cannot_join(error);
    }
    return index + 1 == info_.frame_ends.size() ? assemble() : Bytes();
  }

 private:
  ExportResult<Bytes> assemble() {
    const WebPMuxAnimParams parameters{0, static_cast<int>(std::min(info_.plays, kMaxPlays))};
    WebPMuxError error = WebPMuxSetAnimationParams(mux_.get(), &parameters);
    if (error == WEBP_MUX_OK) {
      error = WebPMuxSetCanvasSize(mux_.get(), static_cast<int>(info_.width), static_cast<int>(info_.height));
    }
    WebPData file{};
    if (error == WEBP_MUX_OK) error = WebPMuxAssemble(mux_.get(), &file);
    const std::unique_ptr<WebPData, decltype([](WebPData* data) { WebPDataClear(data); })> owner(&file);
    mux_.reset();
    if (error != WEBP_MUX_OK) return cannot_join(error);
    const auto bytes = std::as_bytes(std::span(file.bytes, file.size));
    return Bytes(bytes.begin(), bytes.end());
  }

  AnimationInfo info_;
  Timing timing_;
  ExportResult<WebPConfig> config_;
  std::unique_ptr<WebPMux, decltype([](WebPMux* mux) { WebPMuxDelete(mux); })> mux_{WebPMuxNew()};
};

}  // namespace

EncoderPointer make_webp_encoder(const AnimationInfo& info, const EncoderOptions& options) {
  return std::make_shared<WebpEncoder>(info, options);
}

}  // namespace pchr::exporting
