// SPDX-License-Identifier: MIT
// Opening files in small steps.
#include "app/opening.hpp"
#include "ui/commands.hpp"

#include "support/bmp.hpp"
#include "shown.hpp"
#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/png.hpp"
#include "support/scenes.hpp"

#include <pchr/offscreen.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace pchr::player::opening_test {
namespace {

namespace fs = std::filesystem;
using Seconds = std::chrono::duration<double>;

/// Polls `condition` until it holds. Returns false after minutes.
template <typename Condition>
bool eventually(Condition&& condition) {
  for (const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(3);
       std::chrono::steady_clock::now() < end;) {
    if (condition()) return true;
  }
  return false;
}

/// Drives an Opening like the player's main loop.
struct Driver : Windowless {
  Opening opening{[] {}};
  double slowest = 0;  ///< Seconds taken by the slowest update().

  void update() {
    const auto begun = std::chrono::steady_clock::now();
    opening.update(app, renderer, Seconds(begun.time_since_epoch()).count());
    slowest = std::max(slowest, Seconds(std::chrono::steady_clock::now() - begun).count());
  }

  void open(std::vector<fs::path> paths) {
    open_files(app.requests, std::move(paths));
    finish();
  }

  void finish() {
    do {
      update();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    } while (opening.busy());
  }
};

fs::path arm_in(const fs::path& folder, const std::string& name = "arm.pchr") {
  test::write_file(folder / name, test::write_v1(test::two_bone_arm()));
  return folder / name;
}

}  // namespace

TEST_CASE("a character without images opens and has no atlas", "[player][opening]") {
  CharacterData data = test::two_bone_arm();
  data.images.clear();
  for (Mesh& mesh : data.meshes) mesh.image = ImageId{0};
  const fs::path file = test::fresh_folder("no_images") / "arm.pchr";
  test::write_file(file, test::write_v1(data));
  Driver driver;
  driver.open({file});
  INFO(driver.app.error);
  REQUIRE(driver.app.document());
  driver.app.view.tab = Tab::atlas;
  CHECK_FALSE(atlas_is_shown(driver.app));
}

TEST_CASE("a file is read before there is a context to upload it to", "[player][opening]") {
  App app;
  std::atomic<bool> is_read = false;
  Opening opening([&] { is_read = true; });
  opening.start(app, 0);
  CHECK_FALSE(opening.busy());
  open_files(app.requests, {arm_in(test::fresh_folder("early"))});
  opening.start(app, 0);
  CHECK(opening.busy());
  REQUIRE(eventually([&] { return is_read.load(); }));
  const HeadlessContext context = HeadlessContext::create().value();
  Renderer renderer = Renderer::create(context.get_proc_address()).value();
  REQUIRE(eventually([&] {
    opening.update(app, renderer, 0);
    return !opening.busy();
  }));
  CHECK(app.document());
  app = {};
}

TEST_CASE("the open file stays while a large file is loaded", "[player]") {
  const fs::path folder = test::fresh_folder("large");
  CharacterData data = test::two_bone_arm();
  SECTION("50 MB of images") {
    while (data.images.size() < 48) data.images.push_back(data.images.front());
    for (Image& image : data.images) image = test::plain_image(512, 512, {90, 200, 120, 255});
  }
  SECTION("50 MB of animation") {
    while (data.bones.size() < 100) data.bones.push_back({"bone " + std::to_string(data.bones.size()), BoneId{0}});
    data.clips = {test::resting_clip("long", 25'000, data.bones.size())};
  }
  test::write_file(folder / "large.pchr", test::write_v1(data));
  REQUIRE(fs::file_size(folder / "large.pchr") > 50'000'000);
  Driver driver;
  driver.open({arm_in(folder)});
  driver.slowest = 0;
  open_files(driver.app.requests, {folder / "large.pchr"});
  int updates_meanwhile = 0;
  do {
    driver.update();
    REQUIRE(driver.app.document());
    if (driver.app.document()->name() == "arm.pchr") ++updates_meanwhile;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  } while (driver.opening.busy());
  CHECK(driver.app.document()->name() == "large.pchr");
  CHECK(updates_meanwhile > 0);
  // Printed with `player_tests --success`. The time an update takes is not a pass or fail criterion.
  INFO("the slowest of " << updates_meanwhile << " updates took " << driver.slowest * 1000 << " ms");
  SUCCEED();
}

TEST_CASE("a newer request replaces an older one, which is never shown", "[player]") {
  const fs::path folder = test::fresh_folder("newer");
  Driver driver;
  for (int i = 0; i < 30; ++i) {
    open_files(driver.app.requests, {test::asset("kiri.pchr")});
    driver.update();
    std::this_thread::sleep_for(std::chrono::milliseconds(i));
    driver.open({arm_in(folder)});
    REQUIRE(driver.app.document());
    CHECK(driver.app.document()->name() == "arm.pchr");
  }
}

TEST_CASE("an Opening can be destroyed while it loads a file", "[player]") {
  for (int i = 0; i < 20; ++i) {
    Driver driver;
    open_files(driver.app.requests, {test::asset("kiri.pchr")});
    driver.update();
    std::this_thread::sleep_for(std::chrono::milliseconds(i));
    CHECK(driver.app.error.empty());
  }
}

TEST_CASE("opening a folder opens its first character that loads", "[player]") {
  const fs::path folder = test::fresh_folder("several");
  test::write_file(folder / "a1.pchr", test::Bytes(100));
  for (const char* name : {"b2.pchr", "b10.pchr", "C.pchr"}) arm_in(folder, name);
  Driver driver;
  driver.open({folder});
  REQUIRE(driver.app.document());
  OpenRequests& requests = driver.app.requests;
  CHECK(driver.app.document()->name() == "b2.pchr");
  Cast& cast = driver.app.cast;
  CHECK(cast.entries.size() == 4);
  step(cast, requests, 1);
  driver.finish();
  CHECK(driver.app.document()->name() == "b10.pchr");
  step_in_folder(cast, requests, 1);
  driver.finish();
  CHECK(driver.app.document()->name() == "C.pchr");
  step(cast, requests, -1);
  driver.finish();
  step(cast, requests, -1);
  driver.finish();
  CHECK(driver.app.document()->name() == "b2.pchr");
  CHECK(driver.app.error.empty());
  step(cast, requests, -1);
  driver.finish();
  CHECK(driver.app.document()->name() == "b2.pchr");
  CHECK_FALSE(driver.app.error.empty());
  CHECK(cast.entries[0].error == driver.app.error);
  step(cast, requests, -1);
  driver.finish();
  CHECK(driver.app.document()->name() == "C.pchr");
  step(cast, requests, 1);
  step(cast, requests, 1);
  driver.finish();
  CHECK(driver.app.document()->name() == "b2.pchr");
  CHECK(driver.app.error.empty());
}

TEST_CASE("an empty folder is an error", "[player]") {
  Driver driver;
  driver.open({test::fresh_folder("nothing")});
  CHECK_FALSE(driver.app.document());
  CHECK_THAT(driver.app.error,
             test::contains("nothing: this folder has no .pchr, .json, .chp, .px, .aseprite, .psk or .glb files"));
}

TEST_CASE("a reloaded file keeps its clip by name, its time and its play state", "[player]") {
  const fs::path folder = test::fresh_folder("again");
  const fs::path file = arm_in(folder);
  Driver driver;
  driver.open({file});
  App& app = driver.app;
  REQUIRE(app.document());
  const bool stays_playing = GENERATE(true, false);
  seek_frame(app.playback, 5);
  if (stays_playing) app.playback.clock.play();
  app.view.fit.reset();
  app.view.camera.zoom = 3.0F;

  CharacterData data = test::two_bone_arm();
  data.clips.insert(data.clips.begin(), test::resting_clip("another", 3, data.bones.size()));
  test::write_file(file, test::write_v1(data));
  reload(app);
  driver.finish();
  CHECK(app.current_clip()->name == "bend");
  CHECK(app.playback.clip == ClipId{2});
  CHECK(app.playback.clock.frame() == 5);
  CHECK(app.playback.playing() == stays_playing);
  CHECK_FALSE(app.view.fit);
  CHECK(app.view.camera.zoom == 3.0F);

  data.clips.pop_back();
  test::write_file(file, test::write_v1(data));
  reload(app);
  driver.finish();
  CHECK(app.current_clip()->name == "another");
}

TEST_CASE("a Pomyu character switches to its second-player skin in place and keeps it on reload", "[player][game]") {
  const fs::path folder = test::fresh_folder("second-player");
  fs::copy(test::asset("konpei"), folder, fs::copy_options::recursive);
  Driver driver;
  driver.open({folder / "konpei.chp"});
  App& app = driver.app;
  REQUIRE(app.shows_chara());
  CHECK(app.document()->character().images()[0].name == "konpei.png");
  select_clip(app.playback, app.document()->character(), ClipId{3});
  seek_frame(app.playback, 5);
  app.view.fit.reset();
  app.view.camera.zoom = 3.0F;
  run_command(app, "second-player");
  driver.finish();
  CHECK(app.document()->character().images()[0].name == "konpei_2p.png");
  CHECK(app.playback.clip == ClipId{3});
  CHECK(app.playback.clock.frame() == 5);
  CHECK(app.view.camera.zoom == 3.0F);
  reload(app);
  driver.finish();
  CHECK(app.document()->character().images()[0].name == "konpei_2p.png");
  run_command(app, "second-player");
  driver.finish();
  CHECK(app.document()->character().images()[0].name == "konpei.png");
  driver.open({arm_in(folder)});
  run_command(app, "second-player");
  CHECK_FALSE(app.requests.pending);
}

TEST_CASE("a legacy Pomyu character switches to a black color key and keeps it on reload", "[player][game]") {
  const fs::path folder = test::fresh_folder("black-key");
  // Black, and red in the corner.
  test::write_file(folder / "a.png", test::png_of_rgb(2, 1, std::vector<std::uint8_t>{0, 0, 0, 255, 0, 0}));
  const std::string_view text = "#CharBMP a.png\n#02 0 0 2 1\n#Patern 1 02\n";
  test::write_file(folder / "a.chp", std::as_bytes(std::span(text)));
  Driver driver;
  driver.open({folder / "a.chp"});
  App& app = driver.app;
  const auto first_alpha = [&] { return app.document()->character().images()[0].bytes[3]; };
  CHECK(first_alpha() == std::byte{255});
  ImportOptions options = app.document()->source.options;
  options.black_color_key = true;
  reload(app, options);
  driver.finish();
  CHECK(first_alpha() == std::byte{0});
  reload(app);
  driver.finish();
  CHECK(first_alpha() == std::byte{0});
}

TEST_CASE("files are opened with the program's options", "[player][game]") {
  Driver driver;
  driver.app.requests.options.second_player = true;
  driver.open({test::asset("konpei/konpei.chp")});
  CHECK(driver.app.document()->character().images()[0].name == "konpei_2p.png");
}

TEST_CASE("a Pomyu character reloads when an image is saved or created", "[player][game]") {
  const fs::path folder = test::fresh_folder("images");
  const auto write = [&](const char* name, std::uint8_t gray) {
    test::write_file(folder / name, test::bmp_of({.pixels = {gray, gray, gray, 0}}));
  };
  write("one.bmp", 100);
  const std::string text = "#CharBMP one.bmp\n#CharTex two.bmp\n#Data 16\n#02 0 0 1 1\n#Patern 1 0202\n";
  test::write_file(folder / "a.chp", std::as_bytes(std::span(text)));
  Driver driver;
  driver.open({folder / "a.chp"});
  App& app = driver.app;
  REQUIRE(app.document());
  const auto gray_becomes = [&](std::size_t image, int gray) {
    return eventually([&] {
      driver.finish();
      const auto images = app.document()->character().images();
      return image < images.size() && std::to_integer<int>(images[image].bytes[0]) == gray;
    });
  };
  CHECK(gray_becomes(0, 100));
  write("one.bmp", 200);
  CHECK(gray_becomes(0, 200));
  write("two.bmp", 50);
  CHECK(gray_becomes(1, 50));
}

TEST_CASE("a broken first file opens once it is fixed", "[player]") {
  const fs::path file = test::fresh_folder("mended") / "arm.pchr";
  test::write_file(file, test::Bytes(10));
  Driver driver;
  driver.open({file});
  REQUIRE_FALSE(driver.app.document());
  arm_in(file.parent_path());
  REQUIRE(eventually([&] {
    driver.finish();
    return driver.app.document() != nullptr;
  }));
  CHECK(driver.app.error.empty());
}

TEST_CASE("a compared file opens next to the open one and is watched once it is first", "[player][compare]") {
  const fs::path folder = test::fresh_folder("compare");
  const fs::path second = arm_in(folder, "second.pchr");
  Driver driver;
  driver.open({arm_in(folder, "first.pchr")});
  open_to_compare(driver.app.requests, second);
  driver.finish();
  CHECK(driver.app.error.empty());
  CHECK(driver.app.document()->name() == "first.pchr");
  CHECK(driver.app.requests.tried == folder / "first.pchr");
  REQUIRE(comparing(driver.app));
  CHECK(second_name(driver.app) == "second.pchr");
  advance(driver.app, 0);
  swap_sides(driver.app);
  CHECK(driver.app.document()->name() == "second.pchr");
  driver.update();
  const CharacterData* opened = &driver.app.document()->character().data();
  CharacterData changed = test::two_bone_arm();
  changed.bones[0].name = "changed";
  test::write_file(second, test::write_v1(changed));
  REQUIRE(eventually([&] {
    driver.finish();
    return &driver.app.document()->character().data() != opened;
  }));
  CHECK(driver.app.document()->character().bones()[0].name == "changed");

  test::write_file(folder / "broken.pchr", std::vector<std::byte>(7));
  open_to_compare(driver.app.requests, folder / "broken.pchr");
  driver.finish();
  CHECK_FALSE(driver.app.error.empty());
  CHECK(second_name(driver.app) == "first.pchr");
}

TEST_CASE("a saved file keeps the version before, and a broken save its error", "[player][compare]") {
  const fs::path file = arm_in(test::fresh_folder("versions"));
  Driver driver;
  App& app = driver.app;
  driver.open({file});
  REQUIRE(app.document());
  CharacterData data = test::two_bone_arm();
  data.bones[1].name = "forearm";
  test::write_file(file, test::write_v1(data));
  REQUIRE(eventually([&] {
    driver.finish();
    return app.find(Role::previous) != nullptr;
  }));
  CHECK(app.document()->character().bones()[BoneId{1}].name == "forearm");
  CHECK(app.find(Role::previous)->document.character().bones()[BoneId{1}].name == "lower");
  CHECK(app.notice.text.starts_with("Reloaded "));
  CHECK(app.notice.kind == NoticeKind::success);

  test::write_file(file, test::Bytes(9));
  REQUIRE(eventually([&] {
    driver.finish();
    return !app.document()->load_error.empty();
  }));
  CHECK_THAT(app.document()->load_error, test::contains("arm.pchr"));
  CHECK(app.document()->character().bones()[BoneId{1}].name == "forearm");
  arm_in(file.parent_path());
  REQUIRE(eventually([&] {
    driver.finish();
    return app.document()->load_error.empty();
  }));
  CHECK(app.find(Role::previous)->document.character().bones()[BoneId{1}].name == "forearm");
}

TEST_CASE("deleting the open file and its return are reported", "[player]") {
  const fs::path file = arm_in(test::fresh_folder("gone"));
  Driver driver;
  App& app = driver.app;
  driver.open({file});
  const auto says = [&](const std::string& text) {
    return eventually([&] {
      driver.finish();
      return app.notice.text == text;
    });
  };
  fs::rename(file, file.parent_path() / "aside");
  CHECK(says("arm.pchr was deleted; showing the last version"));
  CHECK(app.document()->deleted);
  fs::rename(file.parent_path() / "aside", file);
  CHECK(says("arm.pchr is back"));
  CHECK_FALSE(app.document()->deleted);
}

TEST_CASE("the compared file is reloaded when it is saved", "[player][compare]") {
  const fs::path folder = test::fresh_folder("compared");
  const fs::path second = arm_in(folder, "second.pchr");
  Driver driver;
  App& app = driver.app;
  driver.open({arm_in(folder, "first.pchr")});
  open_to_compare(app.requests, second);
  driver.finish();
  test::write_file(second, test::Bytes(9));
  REQUIRE(eventually([&] {
    driver.finish();
    return !app.find(Role::compared)->document.load_error.empty();
  }));
  CHECK_THAT(app.error, test::contains("second.pchr"));
  CHECK(app.document()->load_error.empty());
  CharacterData changed = test::two_bone_arm();
  changed.bones[0].name = "changed";
  test::write_file(second, test::write_v1(changed));
  REQUIRE(eventually([&] {
    driver.finish();
    return app.find(Role::compared)->document.load_error.empty();
  }));
  CHECK(app.find(Role::compared)->document.character().bones()[BoneId{0}].name == "changed");
  CHECK(app.document()->name() == "first.pchr");
  CHECK(app.error.empty());
}

TEST_CASE("a chosen bind pose applies at once, is undone and saved, and keeps clip and time",
          "[player][opening][bind_pose]") {
  const fs::path file = arm_in(test::fresh_folder("bind_pose"));
  Driver driver;
  driver.open({file});
  App& app = driver.app;
  REQUIRE(app.document());
  const auto source = [&] { return app.document()->character().bind_pose_source(); };
  const auto is_unsaved = [&] { return has_unsaved_changes(app.document()->rig); };
  CHECK(source() == BindPoseSource{ClipId{0}, 0});
  select_clip(app.playback, app.document()->character(), ClipId{1});
  seek_frame(app.playback, 5);
  run_command(app, "bind-frame");
  commit(app.document()->rig);
  driver.finish();
  CHECK(source() == BindPoseSource{ClipId{1}, 5});
  CHECK(app.playback.clip == ClipId{1});
  CHECK(app.playback.clock.frame() == 5);
  CHECK(is_unsaved());
  CHECK(command("bind-automatic").checked(app) == false);

  run_command(app, "bind-authored");
  driver.finish();
  commit(app.document()->rig);  // A drag ends after the image has changed.
  CHECK(source().clip == ClipId::none);
  run_command(app, "rig-undo");
  driver.finish();
  CHECK(source() == BindPoseSource{ClipId{1}, 5});

  run_command(app, "rig-save");
  INFO(app.error);
  CHECK_FALSE(is_unsaved());
  CHECK_THAT(test::read_text(file.parent_path() / "arm.rig.json"),
             test::contains(R"("bind": {"clip": "bend", "frame": 5})"));
  const Character saved = app.document()->character();
  for (int i = 0; i < 50; ++i) driver.finish();
  CHECK(&app.document()->character().data() == &saved.data());  // Saving reads nothing again.
  driver.open({file});
  CHECK(source() == BindPoseSource{ClipId{1}, 5});

  // The guess, although the file still chooses.
  run_command(app, "bind-automatic");
  driver.finish();
  CHECK(source() == BindPoseSource{ClipId{0}, 0});
  CHECK(is_unsaved());
}

TEST_CASE("the option --bind applies until a bind pose is chosen, and is not saved by itself",
          "[player][opening][bind_pose]") {
  const fs::path file = arm_in(test::fresh_folder("given_bind_pose"));
  Driver driver;
  driver.app.requests.options.bind_pose = ClipBindPose{"bend", 3};
  driver.open({file});
  App& app = driver.app;
  REQUIRE(app.document());
  const auto source = [&] { return app.document()->character().bind_pose_source(); };
  CHECK(source() == BindPoseSource{ClipId{1}, 3});
  CHECK_FALSE(has_unsaved_changes(app.document()->rig));
  reload(app);
  driver.finish();
  CHECK(source() == BindPoseSource{ClipId{1}, 3});
  choose_bind_pose(app, AutomaticBindPose{});
  driver.finish();
  CHECK(source() == BindPoseSource{ClipId{0}, 0});
  CHECK_FALSE(has_unsaved_changes(app.document()->rig));
}

TEST_CASE("a bind pose that cannot be applied is tried once", "[player][opening][bind_pose]") {
  const fs::path file = arm_in(test::fresh_folder("lost_bind_pose"));
  Driver driver;
  driver.open({file});
  App& app = driver.app;
  app.requests.reload = false;
  fs::remove(file);
  choose_bind_pose(app, ClipBindPose{"bend", 3});
  driver.finish();
  CHECK_FALSE(app.error.empty());
  app.error.clear();
  for (int i = 0; i < 20; ++i) driver.finish();
  CHECK(app.error.empty());
  CHECK(app.document()->character().bind_pose_source() == BindPoseSource{ClipId{0}, 0});
}

}  // namespace pchr::player::opening_test
