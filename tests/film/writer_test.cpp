// SPDX-License-Identifier: MIT
// Films of all formats, whole.
#include "film/film_writer.hpp"

#include "support/catch.hpp"

#include <latch>
#include <random>
#include <string>
#include <vector>

using namespace pchr;
using namespace pchr::film;

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

Film film_of(std::size_t frames) {
  Film film{kWidth, kHeight, {}, 0};
  for (std::size_t i = 1; i <= frames; ++i) film.frame_ends.push_back(static_cast<double>(i) / 30);
  return film;
}

/// What is written for each frame.
std::vector<Bytes> written(const std::vector<Bitmap>& pictures, const Settings& settings, unsigned threads) {
  std::vector<Bytes> parts;
  Pipeline pipeline(threads);
  auto writer = FilmWriter::create(pipeline, film_of(pictures.size()), settings,
                                   [&](std::uint32_t frame, std::span<const std::byte> bytes) -> Result<void> {
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

TEST_CASE("films are the same bytes however many threads write them", "[film]") {
  for (const bool opaque : {false, true}) {
    const std::vector<Bitmap> pictures = noise(opaque);
    for (const Settings& settings :
         {Settings{Format::png, {}, {}}, Settings{Format::apng, {}, {}}, Settings{Format::gif, {}, {}},
          Settings{Format::gif, {}, Rgb{9, 99, 199}}, Settings{Format::webp, {}, {}}, Settings{Format::webp, 50.0F, {}},
          Settings{Format::rgba, {}, {}}, Settings{Format::y4m, {}, {}}}) {
      INFO("format " << static_cast<int>(settings.format));
      const std::vector<Bytes> alone = written(pictures, settings, 1);
      CHECK_FALSE(alone.back().empty());
      CHECK(written(pictures, settings, 5) == alone);
      CHECK_FALSE(written({pictures[0]}, settings, 2).front().empty());
    }
  }
}

TEST_CASE("PNG and RGBA hold a frame's pixels with straight alpha", "[film]") {
  const std::vector<Bitmap> pictures = noise(false);
  const std::vector<Bytes> png = written(pictures, {Format::png, {}, {}}, 2);
  const std::vector<Bytes> rgba = written(pictures, {Format::rgba, {}, {}}, 2);
  for (std::size_t frame = 0; frame < kFrames; ++frame) {
    Bitmap straight = pictures[frame];
    unpremultiply(straight);
    CHECK(png[frame] == encode_png(straight));
    const auto bytes = std::as_bytes(std::span(straight.rgba));
    CHECK(std::ranges::equal(rgba[frame], bytes));
  }
}

TEST_CASE("a format that looks at all frames first has room for the second pass once all are looked at", "[film]") {
  const std::vector<Bitmap> pictures = noise(false);
  Pipeline pipeline(2);
  std::latch go_on(1);
  REQUIRE(pipeline.add([&]() -> Result<Pipeline::Finish> {
    go_on.wait();
    return [] { return Result<void>(); };
  }));
  const Sink sink = [](std::uint32_t, std::span<const std::byte>) { return Result<void>(); };
  auto writer = FilmWriter::create(pipeline, film_of(1), {Format::gif, {}, {}}, sink);
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

TEST_CASE("a film that the format cannot hold is refused", "[film]") {
  Pipeline pipeline(1);
  const Sink sink = [](std::uint32_t, std::span<const std::byte>) { return Result<void>(); };
  Film wide = film_of(1);
  wide.width = 16384;
  CHECK_FALSE(FilmWriter::create(pipeline, wide, {Format::webp, {}, {}}, sink));
  CHECK(FilmWriter::create(pipeline, wide, {Format::gif, {}, {}}, sink));
  Film uneven = film_of(2);
  uneven.frame_ends[1] = 5;
  CHECK_FALSE(FilmWriter::create(pipeline, uneven, {Format::y4m, {}, {}}, sink));
}

TEST_CASE("what a sink refuses ends the film", "[film]") {
  const std::vector<Bitmap> pictures = noise(true);
  Pipeline pipeline(2);
  auto writer = FilmWriter::create(pipeline, film_of(kFrames), {Format::png, {}, {}},
                                   [](std::uint32_t frame, std::span<const std::byte>) -> Result<void> {
                                     if (frame == 2) return std::unexpected("the disk is full");
                                     return {};
                                   });
  REQUIRE(writer);
  for (const Bitmap& picture : pictures) writer->add(picture);
  const auto done = pipeline.wait();
  REQUIRE_FALSE(done);
  CHECK(done.error() == "the disk is full");
}

TEST_CASE("formats are told by a name's extension, in any case", "[film]") {
  CHECK(format_of("a.b/walk.GIF") == Format::gif);
  CHECK(format_of("walk.webp") == Format::webp);
  CHECK_FALSE(format_of("gif"));
  CHECK_FALSE(format_of("walk.bmp"));
}
