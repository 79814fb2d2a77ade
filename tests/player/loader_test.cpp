// SPDX-License-Identifier: MIT
// The thread that reads files.
#include "document/loader.hpp"

#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/scenes.hpp"

#include <pchr/import/save.hpp>

#include <atomic>
#include <chrono>
#include <thread>

namespace pchr::player::loader_test {
namespace {

namespace fs = std::filesystem;

fs::path arm_file() {
  const fs::path path = test::output("player/loader-arm.pchr");
  test::write_file(path, test::write_v1(test::two_bone_arm()));
  return path;
}

LoadResult wait_for(Loader& loader) {
  while (true) {
    if (auto result = loader.take()) return std::move(*result);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace

TEST_CASE("a loader returns the character with its bitmaps, clip, bounds and files", "[player][loader]") {
  const fs::path arm = arm_file();
  std::atomic<int> woken = 0;
  Loader loader([&] { ++woken; });
  CHECK_FALSE(loader.take());
  loader.start({.paths = {arm}, .clip = "bind"});
  const LoadResult named = wait_for(loader);
  REQUIRE(named.file);
  CHECK(named.file->bitmaps.size() == named.file->imported.character.images().size());
  CHECK(named.file->clip == named.file->imported.character.find_clip("bind"));
  CHECK_FALSE(named.file->bounds.box.empty());
  CHECK(named.read == std::vector{stamp(arm)});
  CHECK(woken == 1);
  CHECK_FALSE(loader.take());
  loader.start({.paths = {arm}, .clip = "no such clip"});
  const LoadResult moving = wait_for(loader);
  REQUIRE(moving.file);
  CHECK(moving.file->clip == moving.file->imported.character.find_clip("bend"));
}

TEST_CASE("a JSON character's files include its images, even unreadable ones", "[player][loader]") {
  const fs::path folder = test::output("player/loader-json/x").parent_path();
  const Saved saved = save(Character::build(test::sliding_quad()).value(), Format::json, "quad").value();
  REQUIRE(saved.images.size() == 1);
  const fs::path image = folder / saved.images[0].name;
  test::write_file(folder / "quad.json", saved.file.bytes);
  test::write_file(image, saved.images[0].bytes);
  Loader loader([] {});
  loader.start({.paths = {folder / "quad.json"}});
  const LoadResult whole = wait_for(loader);
  REQUIRE(whole.file);
  CHECK(whole.read == std::vector{stamp(folder / "quad.json"), stamp(image)});
  fs::remove(image);
  loader.start({.paths = {folder / "quad.json"}});
  const LoadResult broken = wait_for(loader);
  CHECK_FALSE(broken.file);
  CHECK(broken.read == std::vector{stamp(folder / "quad.json"), FileStamp{.path = image}});
}

TEST_CASE("a loader reports why the first of several broken files does not load", "[player][loader]") {
  test::write_file(test::output("player/short.pchr"), test::Bytes(3));
  Loader loader([] {});
  loader.start({.paths = {"no such.pchr", test::output("player/short.pchr")}});
  const LoadResult result = wait_for(loader);
  REQUIRE_FALSE(result.file);
  CHECK_THAT(result.file.error(), test::contains("no such.pchr"));
}

TEST_CASE("a file of another kind is reported in plain words, with its first bytes as details", "[player][loader]") {
  const fs::path notes = test::fresh_folder("player/notes") / "notes.txt";
  test::write_file(notes, std::as_bytes(std::span(std::string_view("hello"))));
  Loader loader([] {});
  loader.start({.paths = {notes}});
  const LoadResult result = wait_for(loader);
  REQUIRE_FALSE(result.file);
  const std::string& error = result.file.error();
  CHECK(error.starts_with("notes.txt is not a character file. The player opens .pchr, .json, .skel, .atlas, .chp"));
  CHECK(error.find("\n\nnotes.txt: error E101: ") < error.find("68 65 6c 6c"));
}

TEST_CASE("only the latest of several requests is answered", "[player][loader]") {
  const fs::path arm = arm_file();
  for (int round = 0; round < 10; ++round) {
    Loader loader([] {});
    for (int i = 0; i < 20; ++i) {
      loader.start({.paths = {test::asset("kiri.pchr")}});
      static_cast<void>(loader.progress());
      std::this_thread::sleep_for(std::chrono::microseconds(137 * i * round));
      loader.start({.paths = {arm}});
      if (i % 4 != 0) continue;
      const LoadResult result = wait_for(loader);
      REQUIRE(result.file);
      CHECK(result.file->path == arm);
    }
    loader.start({.paths = {test::asset("kiri.pchr")}});
  }
}

}  // namespace pchr::player::loader_test
