// SPDX-License-Identifier: MIT
// Names and files of screenshots.
#include "app/frame.hpp"

#include "shown.hpp"
#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/scenes.hpp"

#include <pchr/offscreen.hpp>

#include <algorithm>
#include <thread>

namespace pchr::player::screenshot_test {
namespace {

namespace fs = std::filesystem;

std::size_t file_count(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

/// An app that shows the arm as if it were the file `path`.
struct Shown : Windowless {
  explicit Shown(const fs::path& path, CharacterData data = test::two_bone_arm()) {
    const Character character = Character::build(std::move(data)).value();
    show_model(app, path, renderer.upload(character).value(), ClipId{1});
    app.playback.clock.pause();
    seek_frame(app.playback, 3);
    advance(app, 0);
  }
};

}  // namespace

TEST_CASE("a screenshot is named after file, clip and frame, in valid characters", "[player]") {
  CHECK(screenshot_stem(Shown("/a/hero.v2.pchr").app) == "hero.v2_bend_3");
  CharacterData data = test::two_bone_arm();
  data.clips[1].name = "run/left: \"fast\"\n";
  CHECK(screenshot_stem(Shown("hero.json", data).app) == "hero_run_left_ _fast___3");
  for (int i = 0; i < 100; ++i) data.clips[1].name += "\u7d75";
  const std::string stem = screenshot_stem(Shown("hero.json", data).app);
  CHECK(stem.size() < 120);
  CHECK(stem.ends_with("\u7d75_3"));
}

TEST_CASE("screenshots go next to the file, unless it is standard input", "[player]") {
  const auto folders = screenshot_folders(Shown("/a/b/../hero.pchr").app);
  REQUIRE_FALSE(folders.empty());
  CHECK(folders.front() == "/a");
  const auto elsewhere = screenshot_folders(Shown(kStandardInputName).app);
  CHECK(std::ranges::equal(elsewhere, std::span(folders).subspan(1)));
}

TEST_CASE("a new file replaces nothing and leaves no temporary files", "[player]") {
  const fs::path folder = test::fresh_folder("new-file");
  const std::vector<std::byte> bytes{std::byte{1}, std::byte{2}};
  const fs::path folders[] = {folder};
  CHECK(write_new_file(folders, "a", bytes).value() == folder / "a.png");
  CHECK(write_new_file(folders, "a", {}).value() == folder / "a_2.png");
  CHECK(write_new_file(folders, "a", {}).value() == folder / "a_3.png");
  CHECK(test::read_file(folder / "a.png") == bytes);
  CHECK(file_count(folder) == 3);
}

TEST_CASE("an unwritable folder is skipped, and reported if it is the last one", "[player]") {
  const fs::path folder = test::fresh_folder("fallback");
  const fs::path folders[] = {folder / "none", folder};
  CHECK(write_new_file(folders, "a", {}).value() == folder / "a.png");
  const auto refused = write_new_file(std::span(folders).first(1), "a", {});
  REQUIRE_FALSE(refused);
  CHECK_THAT(refused.error(), test::contains((folder / "none" / "a.png").string() + ": No such file"));
  CHECK_FALSE(write_new_file({}, "a", {}).error().empty());
}

TEST_CASE("a file that cannot be renamed is removed", "[player]") {
  // No file system allows a name of that length.
  const fs::path folder = test::fresh_folder("full");
  const fs::path folders[] = {folder};
  CHECK_FALSE(write_new_file(folders, std::string(300, 'a'), {}));
  CHECK(file_count(folder) == 0);
}

TEST_CASE("screenshots are written on threads and reported in order", "[player]") {
  const fs::path folder = test::fresh_folder("writer");
  ScreenshotWriter writer;
  CHECK_FALSE(writer.busy());
  writer.write({1, 1, {40, 20, 0, 80}}, {folder}, "a");
  writer.write({1, 1, {0, 0, 0, 0}}, {folder / "none"}, "a");
  std::vector<WrittenFile> written;
  while (writer.busy()) {
    if (auto next = writer.take()) written.push_back(*std::move(next));
    std::this_thread::yield();
  }
  REQUIRE(written.size() == 2);
  CHECK(written[0].value() == folder / "a.png");
  CHECK_FALSE(written[1]);
  const auto back = decode({"a", 1, 1, ImageEncoding::png, test::read_file(folder / "a.png")});
  REQUIRE(back);
  CHECK(back->rgba == std::vector<std::uint8_t>{40, 20, 0, 80});
}

}  // namespace pchr::player::screenshot_test
