// SPDX-License-Identifier: MIT
// Thumbnails and their cache.
#include "document/cast.hpp"

#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/scenes.hpp"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <thread>

namespace pchr::player::thumbnails_test {
namespace {

namespace fs = std::filesystem;

fs::path write_arm(const fs::path& path) {
  test::write_file(path, test::write_v1(test::two_bone_arm()));
  return path;
}

std::vector<fs::path> files_in(const fs::path& folder) {
  return {fs::directory_iterator(folder), fs::directory_iterator()};
}

bool shows_something(const Bitmap& image) {
  return std::ranges::any_of(image.rgba, [](std::uint8_t value) { return value > 0; });
}

}  // namespace

TEST_CASE("a thumbnail is drawn once and then read from the cache", "[player][thumbnails]") {
  const fs::path folder = test::fresh_folder("thumbnails");
  const fs::path file = write_arm(folder / "arm.pchr");
  Thumbnail first;
  {
    ThumbnailMaker maker(folder / "cache");
    first = maker.make(file);
  }
  CHECK(first.error.empty());
  CHECK(first.image.width == kThumbnailSide);
  CHECK(shows_something(first.image));
  REQUIRE(files_in(folder / "cache").size() == 1);

  // Half transparent, so that it differs from a new one.
  const fs::path cached = folder / "cache" / cached_name(stamp(file));
  Bitmap other{kThumbnailSide, kThumbnailSide, std::vector<std::uint8_t>(first.image.rgba.size(), 0x80)};
  test::write_file(cached, encode_png(other));
  ThumbnailMaker maker(folder / "cache");
  CHECK(maker.make(file).image.rgba[3] == 0x80);

  SECTION("until the file changes") {
    std::ofstream(file, std::ios::app) << "x";
    CHECK(maker.make(file).image.rgba == first.image.rgba);
  }
  SECTION("unless the cached file is broken, too large or a link") {
    fs::remove(cached);
    switch (GENERATE(0, 1, 2)) {
      case 0:
        std::ofstream(cached) << "no image";
        break;
      case 1:
        test::write_file(cached, encode_png(Bitmap{256, 256, std::vector<std::uint8_t>(256 * 256 * 4, 0x80)}));
        break;
      default: {
        test::write_file(folder / "elsewhere.png", encode_png(other));
        std::error_code error;
        fs::create_symlink(folder / "elsewhere.png", cached, error);
        if (error) return;
      }
    }
    CHECK(maker.make(file).image.rgba == first.image.rgba);
    if (fs::exists(folder / "elsewhere.png")) {
      CHECK(test::read_file(folder / "elsewhere.png") == encode_png(other));
    }
  }
}

TEST_CASE("files that are broken, missing or no files have no thumbnail", "[player][thumbnails]") {
  const fs::path folder = test::fresh_folder("no_thumbnails");
  ThumbnailMaker maker({});
  std::ofstream(folder / "broken.pchr") << "nothing";
  const Thumbnail broken = maker.make(folder / "broken.pchr");
  CHECK(broken.image.rgba.empty());
  CHECK_THAT(broken.error, test::contains("broken.pchr"));
  for (const fs::path& path : {folder / "missing.pchr", folder}) {
    const Thumbnail none = maker.make(path);
    CHECK(none.image.rgba.empty());
    CHECK(none.error.empty());
  }
  CHECK(files_in(folder).size() == 1);
}

TEST_CASE("the cache keeps its newest thumbnails and foreign files", "[player][thumbnails]") {
  const fs::path folder = test::fresh_folder("thumbnail_cache");
  const auto now = fs::file_time_type::clock::now();
  for (int i = 0; i < 5; ++i) {
    const fs::path path = folder / ("000000000000000" + std::to_string(i) + ".png");
    std::ofstream(path) << i;
    fs::last_write_time(path, now - std::chrono::hours(i));
  }
  std::ofstream(folder / "foreign.png") << "";
  fs::last_write_time(folder / "foreign.png", now - std::chrono::hours(100));
  limit_cache(folder, 2);
  CHECK(files_in(folder).size() == 3);
  CHECK(fs::exists(folder / "0000000000000000.png"));
  CHECK(fs::exists(folder / "0000000000000001.png"));
  CHECK(fs::exists(folder / "foreign.png"));
}

TEST_CASE("thumbnails are made on a thread, and new requests replace old ones", "[player][thumbnails]") {
  const fs::path folder = test::fresh_folder("wishes");
  const fs::path a = write_arm(folder / "a.pchr");
  const fs::path b = write_arm(folder / "b.pchr");
  Thumbnails thumbnails({});
  CHECK_FALSE(thumbnails.busy());
  thumbnails.want(std::vector<fs::path>(1000, a));
  thumbnails.want({b});
  std::vector<fs::path> made;
  while (thumbnails.busy()) {
    if (const auto each = thumbnails.take()) made.push_back(each->file.path);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  REQUIRE(!made.empty());
  CHECK(made.back() == b);
  CHECK(made.size() <= 2);
}

}  // namespace pchr::player::thumbnails_test
