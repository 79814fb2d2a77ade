// SPDX-License-Identifier: MIT
// Encodes frames as PNG files, raw RGBA and Y4M, and runs all encoders in parallel.
#include "export/encoder.hpp"

#include "export/fail.hpp"
#include "export/pixels.hpp"
#include "export/timing.hpp"
#include "image/image.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pchr {
namespace exporting {
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

std::uint32_t max_side(AnimationFormat format) {
  if (format == AnimationFormat::webp) return 16383;
  return format == AnimationFormat::gif ? 65535 : 0x7FFFFFFF;
}

constexpr std::pair<std::string_view, AnimationFormat> kNames[]{
    {"png", AnimationFormat::png},   {"apng", AnimationFormat::apng}, {"gif", AnimationFormat::gif},
    {"webp", AnimationFormat::webp}, {"rgba", AnimationFormat::rgba}, {"y4m", AnimationFormat::y4m}};

}  // namespace

ExportResult<EncoderPointer> make_encoder(const AnimationInfo& info, const EncoderOptions& options) {
  const std::uint32_t max = max_side(options.format);
  if (std::max(info.width, info.height) > max) {
    return reject(fmt::format("{} x {} pixels are too large for the format, whose maximum side is {}", info.width,
                              info.height, max));
  }
  using enum AnimationFormat;
  if (options.format == png) {
    return std::make_shared<PlainEncoder>([compression = options.png_compression](const Bitmap& premultiplied) {
      return write_png(straight_part(premultiplied, whole(premultiplied)), compression);
    });
  }
  if (options.format == apng) return make_apng_encoder(info, options);
  if (options.format == gif) return make_gif_encoder(info, options);
  if (options.format == webp) return make_webp_encoder(info, options);
  if (options.format == rgba) return std::make_shared<PlainEncoder>(encode_as_rgba);
  const ExportResult<Rate> rate = constant_rate(info.frame_ends);
  if (!rate) return reject("Y4M needs a constant frame rate, but " + rate.error().message);
  std::string header = fmt::format("YUV4MPEG2 W{} H{} F{}:{} Ip A1:1 C444 XCOLORRANGE=LIMITED\nFRAME\n", info.width,
                                   info.height, rate->frames, rate->seconds);
  return std::make_shared<PlainEncoder>(encode_as_yuv, std::move(header), "FRAME\n");
}

ExportResult<AnimationWriter> AnimationWriter::create(Pipeline& pipeline, const AnimationInfo& info,
                                                      const EncoderOptions& options, Sink sink,
                                                      RewriteStart rewrite_start) {
  ExportResult<EncoderPointer> encoder = make_encoder(info, options);
  if (!encoder) return Unexpected(encoder.error());
  AnimationWriter writer;
  writer.pipeline_ = &pipeline;
  writer.encoder_ = *std::move(encoder);
  writer.frame_count_ = static_cast<std::uint32_t>(info.frame_ends.size());
  writer.output_ =
      std::make_shared<Output>(writer.encoder_, std::move(sink), std::move(rewrite_start), writer.frame_count_);
  writer.scanning_ = writer.encoder_->scans();
  return writer;
}

bool AnimationWriter::has_room() const { return is_scanned() ? pipeline_->idle() : pipeline_->has_room(); }

bool AnimationWriter::add(Bitmap premultiplied) {
  if (is_scanned()) {
    // Encoding needs all frames scanned.
    if (!pipeline_->wait()) return false;
    scanning_ = false;
    next_frame_ = 0;
    previous_ = nullptr;
  }
  Frame frame{next_frame_++, std::make_shared<const Bitmap>(std::move(premultiplied)), previous_};
  previous_ = frame.pixels;
  if (!scanning_) return encode(frame);
  return pipeline_->add([encoder = encoder_, frame = std::move(frame)]() -> ExportResult<Pipeline::Finish> {
    encoder->scan(frame);
    return [] { return ExportResult<void>(); };
  });
}

bool AnimationWriter::encode(const Frame& frame) {
  return pipeline_->add([output = output_, frame = Frame(frame)]() mutable -> ExportResult<Pipeline::Finish> {
    ExportResult<Bytes> encoded = output->encoder->encode(frame);
    const std::uint32_t index = frame.index;
    frame = {};
    if (!encoded) return Unexpected(encoded.error());
    return [output, index, bytes = *std::move(encoded)]() mutable { return output->write(index, std::move(bytes)); };
  });
}

ExportResult<void> AnimationWriter::Output::write(std::uint32_t index, Bytes encoded) {
  const ExportResult<Bytes> joined = encoder->join(index, std::move(encoded));
  if (!joined) return Unexpected(joined.error());
  const Bytes start = encoder->complete_start();
  if (start.empty()) return sink(index, *joined);
  const bool last = index + 1 == frame_count;
  if (rewrite_start) {
    if (last) {
      if (auto rewritten = rewrite_start(start); !rewritten) return rewritten;
    }
    return sink(index, *joined);
  }
  kept.insert(kept.end(), joined->begin(), joined->end());
  if (!last) return sink(index, {});
  std::ranges::copy(start, kept.begin());
  return sink(index, kept);
}

}  // namespace exporting

std::optional<AnimationFormat> animation_format_named(std::string_view name) {
  const auto same_letters = [](char a, char b) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    return lower(a) == lower(b);
  };
  for (const auto& [known, format] : exporting::kNames) {
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

}  // namespace pchr
