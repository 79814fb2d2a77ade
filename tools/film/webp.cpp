// SPDX-License-Identifier: MIT
// Animated WebP: each frame a WebP of its own, put together by libwebpmux.
#include "film/area.hpp"
#include "film/encoder.hpp"
#include "film/timing.hpp"

#include <fmt/format.h>
#include <webp/encode.h>
#include <webp/mux.h>

#include <algorithm>
#include <cstring>
#include <memory>

namespace pchr::film {
namespace {

constexpr std::uint32_t kMostMilliseconds = (1U << 24) - 1;
constexpr std::uint32_t kMostPlays = 65535;

// Places of frames are even.
Area even(const Area& area) {
  if (area.width == 0) return {0, 0, 1, 1};
  return {area.x & ~1U, area.y & ~1U, area.width + (area.x & 1U), area.height + (area.y & 1U)};
}

Result<WebPConfig> make_config(std::optional<float> quality) {
  WebPConfig config;
  bool fine = WebPConfigInit(&config) != 0;
  if (quality) {
    config.quality = *quality;
    config.alpha_quality = 100;
  } else {
    // Of 0 to 9: beyond it files take longer and are hardly smaller.
    constexpr int kEffort = 3;
    fine = fine && WebPConfigLosslessPreset(&config, kEffort) != 0;
  }
  if (!fine || WebPValidateConfig(&config) == 0) return std::unexpected("libwebp refuses its settings");
  return config;
}

Result<Bytes> encode_webp(const Bitmap& straight, const WebPConfig& config) {
  WebPPicture picture;
  if (WebPPictureInit(&picture) == 0) return std::unexpected("libwebp is of another version");
  const std::unique_ptr<WebPPicture, decltype([](WebPPicture* made) { WebPPictureFree(made); })> owner(&picture);
  picture.use_argb = config.lossless;
  picture.width = static_cast<int>(straight.width);
  picture.height = static_cast<int>(straight.height);
  Bytes bytes;
  picture.custom_ptr = &bytes;
  picture.writer = [](const std::uint8_t* data, std::size_t count, const WebPPicture* to) {
    const auto more = std::as_bytes(std::span(data, count));
    auto& written = *static_cast<Bytes*>(to->custom_ptr);
    written.insert(written.end(), more.begin(), more.end());
    return 1;
  };
  if (WebPPictureImportRGBA(&picture, straight.rgba.data(), picture.width * 4) == 0 ||
      WebPEncode(&config, &picture) == 0) {
    return std::unexpected(
        fmt::format("libwebp cannot encode a frame: its error {}", static_cast<int>(picture.error_code)));
  }
  return bytes;
}

struct Webp {
  Film film;
  Timing timing;
  Result<WebPConfig> config;
  std::unique_ptr<WebPMux, decltype([](WebPMux* mux) { WebPMuxDelete(mux); })> mux{WebPMuxNew()};

  [[nodiscard]] Result<Bytes> encode(const Frame& frame) const {
    if (!config) return std::unexpected(config.error());
    const Area area = frame.previous ? even(changed_area(*frame.picture, *frame.previous)) : whole(*frame.picture);
    Result<Bytes> file = encode_webp(straight_part(*frame.picture, area), *config);
    if (!file) return file;
    const auto place = std::as_bytes(std::span(&area, 1));
    file->insert(file->begin(), place.begin(), place.end());
    return file;
  }

  Result<Bytes> join(std::uint32_t index, Bytes encoded) {
    Area area;
    std::memcpy(&area, encoded.data(), sizeof(area));
    encoded.erase(encoded.begin(), encoded.begin() + sizeof(area));
    if (film.frame_ends.size() == 1) return encoded;
    const WebPData data{reinterpret_cast<const std::uint8_t*>(encoded.data()), encoded.size()};
    WebPMuxFrameInfo info{};
    info.bitstream = data;
    info.x_offset = static_cast<int>(area.x);
    info.y_offset = static_cast<int>(area.y);
    info.duration = static_cast<int>(std::min(timing.ticks[index], kMostMilliseconds));
    info.id = WEBP_CHUNK_ANMF;
    info.dispose_method = WEBP_MUX_DISPOSE_NONE;
    info.blend_method = WEBP_MUX_NO_BLEND;
    if (const WebPMuxError error = WebPMuxPushFrame(mux.get(), &info, 1); error != WEBP_MUX_OK) return failed(error);
    return index + 1 == film.frame_ends.size() ? assemble() : Bytes();
  }

  Result<Bytes> assemble() {
    const WebPMuxAnimParams parameters{0, static_cast<int>(std::min(film.plays, kMostPlays))};
    WebPMuxError error = WebPMuxSetAnimationParams(mux.get(), &parameters);
    if (error == WEBP_MUX_OK) {
      error = WebPMuxSetCanvasSize(mux.get(), static_cast<int>(film.width), static_cast<int>(film.height));
    }
    WebPData file{};
    if (error == WEBP_MUX_OK) error = WebPMuxAssemble(mux.get(), &file);
    const std::unique_ptr<WebPData, decltype([](WebPData* data) { WebPDataClear(data); })> owner(&file);
    mux.reset();
    if (error != WEBP_MUX_OK) return failed(error);
    const auto bytes = std::as_bytes(std::span(file.bytes, file.size));
    return Bytes(bytes.begin(), bytes.end());
  }

  static std::unexpected<std::string> failed(WebPMuxError error) {
    return std::unexpected(
        fmt::format("libwebpmux cannot put the film together: its error {}", static_cast<int>(error)));
  }
};

}  // namespace

Encoder make_webp_encoder(const Film& film, std::optional<float> quality) {
  const std::shared_ptr<Webp> webp(new Webp{film, timing_of(film, Format::webp), make_config(quality)});
  return {.encode = [webp](const Frame& frame) { return webp->encode(frame); },
          .join = [webp](std::uint32_t index, Bytes encoded) { return webp->join(index, std::move(encoded)); }};
}

}  // namespace pchr::film
