// SPDX-License-Identifier: MIT
// Animations of all formats.
#include "export/encoder.hpp"

#include "support/catch.hpp"

#include <latch>
#include <random>
#include <string>
#include <vector>

using namespace pchr;
using namespace pchr::exporting;

namespace {

constexpr std::uint32_t kWidth = 37, kHeight = 23, kFrames = 9;

/// Premultiplied noise in which a part moves, a part stays, and a part is transparent; two frames are equal.
std::vector<Bitmap> noise(bool opaque) {
  std::mt19937 random(5);
  std::vector<Bitmap> pictures(kFrames, {kWidth, kHeight, std::vector<std::uint8_t>(kWidth * kHeight * 4)});
  for (std::uint32_t frame = 0; frame < kFrames; ++frame) {
    if (frame == 4) {
      pictures[frame] = pictures[3];
      continue;
    }
    for (std::uint32_t pixel = 0; pixel < kWidth * kHeight; ++pixel) {
      const bool changes = pixel % kWidth > 5 + frame && pixel / kWidth > 4;
      std::uint8_t* rgba = &pictures[frame].rgba[pixel * 4];
      rgba[3] = opaque ? 255 : changes ? static_cast<std::uint8_t>(random() % 256) : std::uint8_t{0};
      for (int i = 0; i < 3; ++i) {
        const unsigned value = changes ? static_cast<unsigned>(random()) : pixel;
        rgba[i] = static_cast<std::uint8_t>(value % (rgba[3] + 1U));
      }
    }
  }
  return pictures;
}

AnimationInfo info_of(std::size_t frames) {
  AnimationInfo film{kWidth, kHeight, {}, 0};
  for (std::size_t i = 1; i <= frames; ++i) film.frame_ends.push_back(static_cast<double>(i) / 30);
  return film;
}

/// What is written for each frame.
std::vector<Bytes> written(const std::vector<Bitmap>& pictures, const EncoderOptions& settings, unsigned threads) {
  std::vector<Bytes> parts;
  Pipeline pipeline(threads);
  auto writer =
      AnimationWriter::create(pipeline, info_of(pictures.size()), settings,
                              [&](std::uint32_t frame, std::span<const std::byte> bytes) -> ExportResult<void> {
                                CHECK(frame == parts.size());
                                parts.emplace_back(bytes.begin(), bytes.end());
                                return {};
                              });
  REQUIRE(writer);
  for (unsigned pass = 0; pass < writer->passes(); ++pass) {
    for (const Bitmap& picture : pictures) REQUIRE(writer->add(picture));
  }
  REQUIRE(pipeline.wait());
  CHECK(parts.size() == pictures.size());
  return parts;
}

}  // namespace

TEST_CASE("films are the same bytes however many threads write them", "[export]") {
  for (const bool opaque : {false, true}) {
    const std::vector<Bitmap> pictures = noise(opaque);
    for (const EncoderOptions& settings :
         {EncoderOptions{AnimationFormat::png, {}, {}}, EncoderOptions{AnimationFormat::apng, {}, {}},
          EncoderOptions{AnimationFormat::gif, {}, {}},
          EncoderOptions{AnimationFormat::gif, {}, std::array<std::uint8_t, 3>{9, 99, 199}},
          EncoderOptions{AnimationFormat::webp, {}, {}}, EncoderOptions{AnimationFormat::webp, 50.0F, {}},
          EncoderOptions{AnimationFormat::rgba, {}, {}}, EncoderOptions{AnimationFormat::y4m, {}, {}}}) {
      INFO("format " << static_cast<int>(settings.format));
      const std::vector<Bytes> alone = written(pictures, settings, 1);
      CHECK_FALSE(alone.back().empty());
      CHECK(written(pictures, settings, 5) == alone);
      CHECK_FALSE(written({pictures[0]}, settings, 2).front().empty());
    }
  }
}

TEST_CASE("PNG and RGBA hold a frame's pixels with straight alpha", "[export]") {
  const std::vector<Bitmap> pictures = noise(false);
  const std::vector<Bytes> png = written(pictures, {AnimationFormat::png, {}, {}}, 2);
  const std::vector<Bytes> rgba = written(pictures, {AnimationFormat::rgba, {}, {}}, 2);
  for (std::size_t frame = 0; frame < kFrames; ++frame) {
    Bitmap straight = pictures[frame];
    unpremultiply(straight);
    CHECK(png[frame] == encode_png(straight));
    const auto bytes = std::as_bytes(std::span(straight.rgba));
    CHECK(std::ranges::equal(rgba[frame], bytes));
  }
}

TEST_CASE("a format that looks at all frames first has room for the second pass once all are looked at", "[export]") {
  const std::vector<Bitmap> pictures = noise(false);
  Pipeline pipeline(2);
  std::latch go_on(1);
  REQUIRE(pipeline.add([&]() -> ExportResult<Pipeline::Finish> {
    go_on.wait();
    return [] { return ExportResult<void>(); };
  }));
  const Sink sink = [](std::uint32_t, std::span<const std::byte>) { return ExportResult<void>(); };
  auto writer = AnimationWriter::create(pipeline, info_of(1), {AnimationFormat::gif, {}, {}}, sink);
  REQUIRE(writer);
  CHECK(writer->has_room());
  REQUIRE(writer->add(pictures[0]));
  CHECK_FALSE(writer->has_room());
  go_on.count_down();
  REQUIRE(pipeline.wait());
  CHECK(writer->has_room());
  REQUIRE(writer->add(pictures[0]));
  CHECK(pipeline.wait());
}

TEST_CASE("a film that the format cannot hold is refused", "[export]") {
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

TEST_CASE("what a sink refuses ends the film", "[export]") {
  const std::vector<Bitmap> pictures = noise(true);
  Pipeline pipeline(2);
  auto writer =
      AnimationWriter::create(pipeline, info_of(kFrames), {AnimationFormat::png, {}, {}},
                              [](std::uint32_t frame, std::span<const std::byte>) -> ExportResult<void> {
                                if (frame == 2)
                                  return std::unexpected(ExportError{ExportError::Kind::failed, "the disk is full"});
                                return {};
                              });
  REQUIRE(writer);
  for (const Bitmap& picture : pictures) writer->add(picture);
  const auto done = pipeline.wait();
  REQUIRE_FALSE(done);
  CHECK(done.error().message == "the disk is full");
}

TEST_CASE("formats are told by a name's extension, in any case", "[export]") {
  CHECK(animation_format_of("a.b/walk.GIF") == AnimationFormat::gif);
  CHECK(animation_format_of("walk.webp") == AnimationFormat::webp);
  CHECK_FALSE(animation_format_of("gif"));
  CHECK_FALSE(animation_format_of("walk.bmp"));
}
