// SPDX-License-Identifier: MIT
// Opening files a little at a time.
#include "opening.hpp"

#include "support/bmp.hpp"
#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/png.hpp"
#include "support/scenes.hpp"

#include <pchr/offscreen.hpp>

#include <algorithm>
#include <chrono>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace pchr::player {
namespace {

namespace fs = std::filesystem;
using Seconds = std::chrono::duration<double>;

/// Asks `condition` again and again until it holds; false after minutes, lest it be asked forever.
template <typename Condition>
bool eventually(Condition&& condition) {
  for (const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(3);
       std::chrono::steady_clock::now() < end;) {
    if (condition()) return true;
  }
  return false;
}

/// An Opening as the player's loop drives it.
struct Driver {
  HeadlessContext context = HeadlessContext::create().value();
  Renderer renderer = Renderer::create(context.get_proc_address()).value();
  Session session{};
  Opening opening{[] {}};
  double slowest = 0;  ///< Seconds of the slowest update() so far.

  void update() {
    const auto begun = std::chrono::steady_clock::now();
    opening.update(session, renderer, Seconds(begun.time_since_epoch()).count());
    slowest = std::max(slowest, Seconds(std::chrono::steady_clock::now() - begun).count());
  }

  void open(std::vector<fs::path> paths) {
    open_files(session.files, std::move(paths));
    finish();
  }

  void finish() {
    do {
      update();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    } while (opening.busy());
  }
};

fs::path fresh_folder(const std::string& name) {
  const fs::path folder = test::output("player/" + name + "/x").parent_path();
  fs::remove_all(folder);
  fs::create_directories(folder);
  return folder;
}

fs::path arm_in(const fs::path& folder, const std::string& name = "arm.pchr") {
  test::write_file(folder / name, test::write_v1(test::two_bone_arm()));
  return folder / name;
}

}  // namespace

TEST_CASE("a character without images opens, and has no atlas to show", "[player][opening]") {
  CharacterData data = test::two_bone_arm();
  data.images.clear();
  for (Mesh& mesh : data.meshes) mesh.image = 0;
  const fs::path file = fresh_folder("no_images") / "arm.pchr";
  test::write_file(file, test::write_v1(data));
  Driver driver;
  driver.open({file});
  INFO(driver.session.error);
  REQUIRE(driver.session.document);
  driver.session.view.tab = Tab::atlas;
  CHECK_FALSE(atlas_is_shown(driver.session));
}

TEST_CASE("the window goes on with what it shows while a large file is opened", "[player]") {
  const fs::path folder = fresh_folder("large");
  CharacterData data = test::two_bone_arm();
  SECTION("50 MB of images") {
    while (data.images.size() < 48) data.images.push_back(data.images.front());
    for (Image& image : data.images) image = test::plain_image(512, 512, {90, 200, 120, 255});
  }
  SECTION("50 MB of animation") {
    while (data.bones.size() < 100) data.bones.push_back({"bone " + std::to_string(data.bones.size()), 0});
    data.clips = {test::resting_clip("long", 25'000, data.bones.size())};
  }
  test::write_file(folder / "large.pchr", test::write_v1(data));
  REQUIRE(fs::file_size(folder / "large.pchr") > 50'000'000);
  Driver driver;
  driver.open({arm_in(folder)});
  driver.slowest = 0;
  open_files(driver.session.files, {folder / "large.pchr"});
  int pictures_meanwhile = 0;
  do {
    driver.update();
    REQUIRE(driver.session.document);
    if (driver.session.document->name() == "arm.pchr") ++pictures_meanwhile;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  } while (driver.opening.busy());
  CHECK(driver.session.document->name() == "large.pchr");
  CHECK(pictures_meanwhile > 0);
  // For people: `player_tests --success` shows it. How long a window is held is no matter of right or wrong.
  INFO("the slowest of " << pictures_meanwhile << " updates took " << driver.slowest * 1000 << " ms");
  SUCCEED();
}

TEST_CASE("of two files asked for the newer one is opened, and nothing of the older is seen", "[player]") {
  const fs::path folder = fresh_folder("newer");
  Driver driver;
  for (int i = 0; i < 30; ++i) {
    open_files(driver.session.files, {test::asset("kiri.pchr")});
    driver.update();
    std::this_thread::sleep_for(std::chrono::milliseconds(i));
    driver.open({arm_in(folder)});
    REQUIRE(driver.session.document);
    CHECK(driver.session.document->name() == "arm.pchr");
  }
}

TEST_CASE("an Opening that ends while it opens a file leaves nothing behind", "[player]") {
  for (int i = 0; i < 20; ++i) {
    Driver driver;
    open_files(driver.session.files, {test::asset("kiri.pchr")});
    driver.update();
    std::this_thread::sleep_for(std::chrono::milliseconds(i));
    CHECK(driver.session.error.empty());
  }
}

TEST_CASE("a folder stands for its characters, of which the first that loads is opened", "[player]") {
  const fs::path folder = fresh_folder("several");
  test::write_file(folder / "a1.pchr", test::Bytes(100));
  for (const char* name : {"b2.pchr", "b10.pchr", "C.pchr"}) arm_in(folder, name);
  Driver driver;
  driver.open({folder});
  REQUIRE(driver.session.document);
  Files& files = driver.session.files;
  CHECK(driver.session.document->name() == "b2.pchr");
  CHECK(files.list.size() == 4);
  open_in_list(files, 1);
  driver.finish();
  CHECK(driver.session.document->name() == "b10.pchr");
  open_in_folder(files, 1);
  driver.finish();
  CHECK(driver.session.document->name() == "C.pchr");
  open_in_folder(files, 1);
  CHECK_FALSE(files.request);
  open_in_list(files, -1);
  driver.finish();
  open_in_list(files, -1);
  driver.finish();
  CHECK(driver.session.document->name() == "b2.pchr");
  CHECK(driver.session.error.empty());
  open_in_list(files, -1);
  driver.finish();
  CHECK(driver.session.document->name() == "b2.pchr");
  CHECK_FALSE(driver.session.error.empty());
  open_in_list(files, 1);
  driver.finish();
  CHECK(driver.session.error.empty());
}

TEST_CASE("an empty folder is an error", "[player]") {
  Driver driver;
  driver.open({fresh_folder("nothing")});
  CHECK_FALSE(driver.session.document);
  CHECK_THAT(driver.session.error, test::contains("nothing: no .pchr, .json, .chp, .px or .psk file"));
}

TEST_CASE("a file read again shows the clip of the same name at the same time, playing or not", "[player]") {
  const fs::path folder = fresh_folder("again");
  const fs::path file = arm_in(folder);
  Driver driver;
  driver.open({file});
  Session& session = driver.session;
  REQUIRE(session.document);
  const bool stays_playing = GENERATE(true, false);
  seek_frame(session, 5);
  if (stays_playing) session.document->clock.play();
  session.view.fitted = false;
  session.view.camera.zoom = 3.0F;

  CharacterData data = test::two_bone_arm();
  data.clips.insert(data.clips.begin(), test::resting_clip("another", 3, data.bones.size()));
  test::write_file(file, test::write_v1(data));
  open_again(session);
  driver.finish();
  CHECK(session.document->current_clip()->name == "bend");
  CHECK(session.document->clip == 2U);
  CHECK(session.document->clock.frame() == 5);
  CHECK(playing(session) == stays_playing);
  CHECK_FALSE(session.view.fitted);
  CHECK(session.view.camera.zoom == 3.0F);

  data.clips.pop_back();
  test::write_file(file, test::write_v1(data));
  open_again(session);
  driver.finish();
  CHECK(session.document->current_clip()->name == "another");
}

TEST_CASE("a Pomyu character is dressed for the second player at the same moment, and stays so when it is saved",
          "[player][game]") {
  const fs::path folder = fresh_folder("second-player");
  fs::copy(test::asset("konpei"), folder, fs::copy_options::recursive);
  Driver driver;
  driver.open({folder / "konpei.chp"});
  Session& session = driver.session;
  REQUIRE(shows_chara(session));
  CHECK(session.document->character().images()[0].name == "konpei.png");
  select_clip(session, 3);
  seek_frame(session, 5);
  session.view.fitted = false;
  session.view.camera.zoom = 3.0F;
  set_second_player(session, true);
  driver.finish();
  CHECK(session.document->character().images()[0].name == "konpei_2p.png");
  CHECK(session.document->clip == 3U);
  CHECK(session.document->clock.frame() == 5);
  CHECK(session.view.camera.zoom == 3.0F);
  open_again(session);
  driver.finish();
  CHECK(session.document->character().images()[0].name == "konpei_2p.png");
  set_second_player(session, false);
  driver.finish();
  CHECK(session.document->character().images()[0].name == "konpei.png");
  driver.open({arm_in(folder)});
  set_second_player(session, true);
  CHECK_FALSE(session.files.request);
}

TEST_CASE("a legacy Pomyu character is opened with black as its color key, and stays so when it is saved",
          "[player][game]") {
  const fs::path folder = fresh_folder("black-key");
  // Black, and red in the corner.
  test::write_file(folder / "a.png", test::png_of_rgb(2, 1, std::vector<std::uint8_t>{0, 0, 0, 255, 0, 0}));
  const std::string_view text = "#CharBMP a.png\n#02 0 0 2 1\n#Patern 1 02\n";
  test::write_file(folder / "a.chp", std::as_bytes(std::span(text)));
  Driver driver;
  driver.open({folder / "a.chp"});
  Session& session = driver.session;
  const auto first_alpha = [&] { return session.document->character().images()[0].bytes[3]; };
  CHECK(first_alpha() == std::byte{255});
  LoadOptions options = session.document->source.options;
  options.black_color_key = true;
  open_again(session, options);
  driver.finish();
  CHECK(first_alpha() == std::byte{0});
  open_again(session);
  driver.finish();
  CHECK(first_alpha() == std::byte{0});
}

TEST_CASE("files are opened as the program was told to", "[player][game]") {
  Driver driver;
  driver.session.files.options.second_player = true;
  driver.open({test::asset("konpei/konpei.chp")});
  CHECK(driver.session.document->character().images()[0].name == "konpei_2p.png");
}

TEST_CASE("a picture of a Pomyu character that is saved, or comes at last, is seen", "[player][game]") {
  const fs::path folder = fresh_folder("pictures");
  const auto write = [&](const char* name, std::uint8_t grey) {
    test::write_file(folder / name, test::bmp_of({.pixels = {grey, grey, grey, 0}}));
  };
  write("one.bmp", 100);
  const std::string text = "#CharBMP one.bmp\n#CharTex two.bmp\n#Data 16\n#02 0 0 1 1\n#Patern 1 0202\n";
  test::write_file(folder / "a.chp", std::as_bytes(std::span(text)));
  Driver driver;
  driver.open({folder / "a.chp"});
  Session& session = driver.session;
  REQUIRE(session.document);
  const auto grey_becomes = [&](std::size_t image, int grey) {
    return eventually([&] {
      driver.finish();
      const auto images = session.document->character().images();
      return image < images.size() && std::to_integer<int>(images[image].bytes[0]) == grey;
    });
  };
  CHECK(grey_becomes(0, 100));
  write("one.bmp", 200);
  CHECK(grey_becomes(0, 200));
  write("two.bmp", 50);
  CHECK(grey_becomes(1, 50));
}

TEST_CASE("a broken file that nothing was open before is shown once it is mended", "[player]") {
  const fs::path file = fresh_folder("mended") / "arm.pchr";
  test::write_file(file, test::Bytes(10));
  Driver driver;
  driver.open({file});
  REQUIRE_FALSE(driver.session.document);
  arm_in(file.parent_path());
  REQUIRE(eventually([&] {
    driver.finish();
    return driver.session.document.has_value();
  }));
  CHECK(driver.session.error.empty());
}

TEST_CASE("a file to compare opens beside the one that is open, and is watched once it is the first",
          "[player][compare]") {
  const fs::path folder = fresh_folder("compare");
  const fs::path second = arm_in(folder, "second.pchr");
  Driver driver;
  driver.open({arm_in(folder, "first.pchr")});
  open_to_compare(driver.session, second);
  driver.finish();
  CHECK(driver.session.error.empty());
  CHECK(driver.session.document->name() == "first.pchr");
  CHECK(driver.session.files.tried == folder / "first.pchr");
  REQUIRE(comparing(driver.session));
  CHECK(compared_name(driver.session) == "second.pchr");
  advance(driver.session, 0);
  swap_sides(driver.session);
  CHECK(driver.session.document->name() == "second.pchr");
  driver.update();
  const std::uint32_t opened = driver.session.files_opened;
  CharacterData changed = test::two_bone_arm();
  changed.bones[0].name = "changed";
  test::write_file(second, test::write_v1(changed));
  REQUIRE(eventually([&] {
    driver.finish();
    return driver.session.files_opened != opened;
  }));
  CHECK(driver.session.document->character().bones()[0].name == "changed");

  test::write_file(folder / "broken.pchr", std::vector<std::byte>(7));
  open_to_compare(driver.session, folder / "broken.pchr");
  driver.finish();
  CHECK_FALSE(driver.session.error.empty());
  CHECK(compared_name(driver.session) == "first.pchr");
}

}  // namespace pchr::player
