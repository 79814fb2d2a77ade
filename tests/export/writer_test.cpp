// SPDX-License-Identifier: MIT
// Writing animations in all formats.
#include "export/encoder.hpp"

#include "support/catch.hpp"
#include "support/latch.hpp"

#include <random>
#include <string>
#include <vector>

namespace writer_test {
using namespace pchr;
using namespace pchr::exporting;

namespace {

constexpr std::uint32_t kWidth = 37, kHeight = 23, kFrames = 9;

/// Makes premultiplied noise with moving, static and transparent parts; two frames are equal.
std::vector<Bitmap> noise(bool opaque) {
  std::mt19937 random(5);
  std::vector<Bitmap> frames(kFrames, {kWidth, kHeight, std::vector<std::uint8_t>(kWidth * kHeight * 4)});
  for (std::uint32_t frame = 0; frame < kFrames; ++frame) {
    if (frame == 4) {
      frames[frame] = frames[3];
      continue;
    }
    for (std::uint32_t pixel = 0; pixel < kWidth * kHeight; ++pixel) {
      const bool changes = pixel % kWidth > 5 + frame && pixel / kWidth > 4;
      std::uint8_t* rgba = &frames[frame].rgba[pixel * 4];
      rgba[3] = opaque ? 255 : changes ? static_cast<std::uint8_t>(random() % 256) : std::uint8_t{0};
      for (int i = 0; i < 3; ++i) {
        const unsigned value = changes ? static_cast<unsigned>(random()) : pixel;
        rgba[i] = static_cast<std::uint8_t>(value % (rgba[3] + 1U));
      }
    }
  }
  return frames;
}

AnimationInfo info_of(std::size_t frames) {
  AnimationInfo info{kWidth, kHeight, {}, 0};
  for (std::size_t i = 1; i <= frames; ++i) info.frame_ends.push_back(static_cast<double>(i) / 30);
  return info;
}

/// Returns the bytes written for each frame.
std::vector<Bytes> written(const std::vector<Bitmap>& frames, const EncoderOptions& settings, unsigned threads) {
  std::vector<Bytes> parts;
  Pipeline pipeline(threads);
  auto writer =
      AnimationWriter::create(pipeline, info_of(frames.size()), settings,
                              [&](std::uint32_t frame, std::span<const std::byte> bytes) -> ExportResult<void> {
                                CHECK(frame == parts.size());
                                parts.emplace_back(bytes.begin(), bytes.end());
                                return {};
                              });
  REQUIRE(writer);
  for (unsigned pass = 0; pass < writer->passes(); ++pass) {
    for (const Bitmap& bitmap : frames) REQUIRE(writer->add(bitmap));
  }
  REQUIRE(pipeline.wait());
  CHECK(parts.size() == frames.size());
  return parts;
}

}  // namespace

TEST_CASE("any number of threads writes the same bytes", "[export]") {
  for (const bool opaque : {false, true}) {
    const std::vector<Bitmap> frames = noise(opaque);
    for (const EncoderOptions& settings :
         {EncoderOptions{AnimationFormat::png, {}, {}}, EncoderOptions{AnimationFormat::apng, {}, {}},
          EncoderOptions{AnimationFormat::gif, {}, {}},
          EncoderOptions{AnimationFormat::gif, {}, std::array<std::uint8_t, 3>{9, 99, 199}},
          EncoderOptions{AnimationFormat::webp, {}, {}}, EncoderOptions{AnimationFormat::webp, 50.0F, {}},
          EncoderOptions{AnimationFormat::rgba, {}, {}}, EncoderOptions{AnimationFormat::y4m, {}, {}}}) {
      INFO("format " << static_cast<int>(settings.format));
      const std::vector<Bytes> alone = written(frames, settings, 1);
      CHECK_FALSE(alone.back().empty());
      CHECK(written(frames, settings, 5) == alone);
      CHECK(written(frames, settings, 0) == alone);
      CHECK_FALSE(written({frames[0]}, settings, 2).front().empty());
    }
  }
}

TEST_CASE("PNG and RGBA store pixels with straight alpha", "[export]") {
  const std::vector<Bitmap> frames = noise(false);
  const std::vector<Bytes> png = written(frames, {AnimationFormat::png, {}, {}}, 2);
  const std::vector<Bytes> rgba = written(frames, {AnimationFormat::rgba, {}, {}}, 2);
  for (std::size_t frame = 0; frame < kFrames; ++frame) {
    Bitmap straight = frames[frame];
    unpremultiply(straight);
    CHECK(png[frame] == encode_png(straight, PngCompression::fast));
    const auto bytes = std::as_bytes(std::span(straight.rgba));
    CHECK(std::ranges::equal(rgba[frame], bytes));
  }
}

TEST_CASE("a WebP is written frame by frame where its start can be rewritten", "[export]") {
  for (const bool opaque : {false, true}) {
    const std::vector<Bitmap> frames = noise(opaque);
    const std::vector<Bytes> at_once = written(frames, {AnimationFormat::webp, {}, {}}, 2);
    Bytes file;
    Pipeline pipeline(2);
    auto writer = AnimationWriter::create(
        pipeline, info_of(frames.size()), {AnimationFormat::webp, {}, {}},
        [&](std::uint32_t, std::span<const std::byte> bytes) -> ExportResult<void> {
          CHECK_FALSE(bytes.empty());
          file.insert(file.end(), bytes.begin(), bytes.end());
          return {};
        },
        [&](std::span<const std::byte> start) -> ExportResult<void> {
          std::ranges::copy(start, file.begin());
          return {};
        });
    REQUIRE(writer);
    for (const Bitmap& bitmap : frames) REQUIRE(writer->add(bitmap));
    REQUIRE(pipeline.wait());
    CHECK(file == at_once.back());
    for (std::size_t frame = 0; frame + 1 < frames.size(); ++frame) CHECK(at_once[frame].empty());
  }
}

TEST_CASE("effort changes the size of a WebP", "[export]") {
  const std::vector<Bitmap> frames = noise(false);
  for (const std::optional<float> quality : {std::optional<float>(), std::optional<float>(50)}) {
    EncoderOptions fast{AnimationFormat::webp, quality, {}}, small = fast;
    fast.webp_effort = 0;
    small.webp_effort = 9;
    CHECK(written(frames, small, 2).back().size() < written(frames, fast, 2).back().size());
  }
}

TEST_CASE("a format with two passes has room for the second once all frames are scanned", "[export]") {
  const std::vector<Bitmap> frames = noise(false);
  Pipeline pipeline(2);
  test::Latch go_on(1);
  REQUIRE(pipeline.add([&]() -> ExportResult<Pipeline::Finish> {
    go_on.wait();
    return [] { return ExportResult<void>(); };
  }));
  const Sink sink = [](std::uint32_t, std::span<const std::byte>) { return ExportResult<void>(); };
  auto writer = AnimationWriter::create(pipeline, info_of(1), {AnimationFormat::gif, {}, {}}, sink);
  REQUIRE(writer);
  CHECK(writer->has_room());
  REQUIRE(writer->add(frames[0]));
  CHECK_FALSE(writer->has_room());
  go_on.count_down();
  REQUIRE(pipeline.wait());
  CHECK(writer->has_room());
  REQUIRE(writer->add(frames[0]));
  CHECK(pipeline.wait());
}

TEST_CASE("an animation that the format cannot store is rejected", "[export]") {
  Pipeline pipeline(1);
  const Sink sink = [](std::uint32_t, std::span<const std::byte>) { return ExportResult<void>(); };
  AnimationInfo wide = info_of(1);
  wide.width = 16384;
  CHECK_FALSE(AnimationWriter::create(pipeline, wide, {AnimationFormat::webp, {}, {}}, sink));
  CHECK(AnimationWriter::create(pipeline, wide, {AnimationFormat::gif, {}, {}}, sink));
  AnimationInfo uneven = info_of(2);
  uneven.frame_ends[1] = 5;
  CHECK_FALSE(AnimationWriter::create(pipeline, uneven, {AnimationFormat::y4m, {}, {}}, sink));
}

TEST_CASE("a failure of the sink stops the animation", "[export]") {
  const std::vector<Bitmap> frames = noise(true);
  Pipeline pipeline(2);
  auto writer =
      AnimationWriter::create(pipeline, info_of(kFrames), {AnimationFormat::png, {}, {}},
                              [](std::uint32_t frame, std::span<const std::byte>) -> ExportResult<void> {
                                if (frame == 2)
                                  return Unexpected(ExportError{ExportError::Kind::failed, "the disk is full"});
                                return {};
                              });
  REQUIRE(writer);
  for (const Bitmap& bitmap : frames) writer->add(bitmap);
  const auto done = pipeline.wait();
  REQUIRE_FALSE(done);
  CHECK(done.error().message == "the disk is full");
}

TEST_CASE("formats are identified by the extension, case-insensitively", "[export]") {
  CHECK(animation_format_of("a.b/walk.GIF") == AnimationFormat::gif);
  CHECK(animation_format_of("walk.webp") == AnimationFormat::webp);
  CHECK_FALSE(animation_format_of("gif"));
  CHECK_FALSE(animation_format_of("walk.bmp"));
}

}  // namespace writer_test
