// SPDX-License-Identifier: MIT
// Stamps, which tell that a run would have the same result again.
#include "stamp.hpp"

#include "support/catch.hpp"
#include "support/files.hpp"

#include <filesystem>
#include <chrono>
#include <string_view>
#include <tuple>

namespace pchr::test::stamp_test {
namespace {

namespace fs = std::filesystem;
using tools::find_unchanged_task;
using tools::Hash;
using tools::stamp_path;
using tools::Task;
using tools::TaskStatus;
using tools::write_stamp;

constexpr Hash kKey{1, 2, 3};

/// A task with its files in a folder, and the stamp that it wrote.
struct Run {
  fs::path folder;
  std::string stamp = path("stamp");
  Task task{.input = "hero"};

  explicit Run(const std::string& name) : folder(fresh_folder(name)) {
    write("hero.json", "hero");
    write("hero.png", "pixels");
    for (const char* file : {"hero.json", "hero.png"}) {
      task.read.push_back({path(file), tools::state_to_read(path(file))});
    }
    task.missing = {path("hero.rig.json")};
    fs::create_directory(folder / "listed");
    write("listed/texture.png", "texture");
    task.folders.push_back({path("listed"), tools::names_in_folder(path("listed"))});
    for (const char* file : {"out.png", "listed/out.png"}) {
      write(file, "out");
      task.written.push_back({.path = path(file), .state = tools::state_of_written(path(file))});
    }
    Diagnostic diagnostic;
    diagnostic.id = DiagnosticId::chp_image_unusable;
    diagnostic.detail = "with a detail";
    task.messages.push_back({Severity::warning, "hero.json", "a warning", diagnostic});
    write_stamp(stamp, kKey, task);
  }

  [[nodiscard]] std::string path(const std::string& name) const { return utf8_of(folder / name); }
  void write(const std::string& name, std::string_view text) const {
    write_file(folder / name, std::as_bytes(std::span(text)));
  }
  [[nodiscard]] bool is_unchanged() const { return find_unchanged_task(stamp, kKey).has_value(); }
};

TEST_CASE("the stamp of an unchanged task returns it", "[tools][stamp]") {
  const Run run("stamp_same");
  const auto found = find_unchanged_task(run.stamp, kKey);
  REQUIRE(found);
  CHECK(found->status == TaskStatus::unchanged);
  CHECK(found->input == "hero");
  REQUIRE(found->messages.size() == 1);
  CHECK(found->messages[0].text == "a warning");
  CHECK(found->messages[0].severity == Severity::warning);
  CHECK(found->messages[0].diagnostic.value().detail == "with a detail");
  REQUIRE(found->written.size() == 2);
  CHECK(found->written[0].state == run.task.written[0].state);
  CHECK_FALSE(find_unchanged_task(run.stamp, {1, 2, 4}));
  CHECK_FALSE(find_unchanged_task(run.path("none"), kKey));
  CHECK_FALSE(find_unchanged_task(utf8_of(run.folder), kKey));
}

TEST_CASE("any change of a file ends a stamp, even one of the same size", "[tools][stamp]") {
  const Run run("stamp_changes");
  for (const auto& [name, before, after] :
       {std::tuple("hero.json", "hero", "her0"), std::tuple("hero.png", "pixels", "pixel5"),
        std::tuple("out.png", "out", "0ut"), std::tuple("hero.json", "hero", "a longer hero")}) {
    INFO(name);
    CHECK(run.is_unchanged());
    run.write(name, after);
    CHECK_FALSE(run.is_unchanged());
    run.write(name, before);
    CHECK(run.is_unchanged());
    fs::rename(run.folder / name, run.folder / "away");
    CHECK_FALSE(run.is_unchanged());
    fs::create_directory(run.folder / name);
    CHECK_FALSE(run.is_unchanged());
    fs::remove(run.folder / name);
    fs::rename(run.folder / "away", run.folder / name);
  }
  CHECK(run.is_unchanged());
}

TEST_CASE("new times alone do not end a stamp", "[tools][stamp]") {
  const Run run("stamp_times");
  for (const char* name : {"hero.json", "hero.png", "out.png"}) {
    const auto time = fs::last_write_time(run.folder / name);
    for (const auto hours : {-1000, 1000}) {
      fs::last_write_time(run.folder / name, time + std::chrono::hours(hours));
      CHECK(run.is_unchanged());
    }
  }
}

TEST_CASE("a file that appears where one was missing ends a stamp", "[tools][stamp]") {
  const Run run("stamp_missing");
  run.write("hero.rig.json", "{}");
  CHECK_FALSE(run.is_unchanged());
  fs::remove(run.folder / "hero.rig.json");
  CHECK(run.is_unchanged());
}

TEST_CASE("a change in a listed folder ends a stamp, except that of its own outputs", "[tools][stamp]") {
  const Run run("stamp_folders");
  CHECK(run.is_unchanged());
  run.write("listed/.pchr.other.stamp", "");
  CHECK(run.is_unchanged());
  run.write("listed/other.png", "");
  CHECK_FALSE(run.is_unchanged());
  fs::remove(run.folder / "listed/other.png");
  CHECK(run.is_unchanged());
  fs::remove(run.folder / "listed/texture.png");
  CHECK_FALSE(run.is_unchanged());
}

TEST_CASE("a damaged stamp ends itself", "[tools][stamp]") {
  const Run run("stamp_damaged");
  const Bytes bytes = read_file(run.stamp);
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    Bytes damaged = bytes;
    damaged[at] ^= std::byte{0x10};
    write_file(run.stamp, damaged);
    CHECK_FALSE(run.is_unchanged());
    damaged.resize(at);
    write_file(run.stamp, damaged);
    CHECK_FALSE(run.is_unchanged());
  }
  write_file(run.stamp, bytes);
  CHECK(run.is_unchanged());
}

TEST_CASE("a stamp lies next to its outputs, or in the cache", "[tools][stamp]") {
  CHECK(stamp_path("", "out/hero.png", kKey) == "out/.pchr.hero.png.stamp");
  CHECK(stamp_path("", "hero_{clip}_{frame:04}.png", kKey) == ".pchr.hero_{clip}_{frame_04}.png.stamp");
  CHECK(stamp_path("", "out/{clip}/hero.png", kKey) == "out/.pchr.{clip}_hero.png.stamp");
  const std::string cached = stamp_path("cache", "out/hero.png", kKey);
  CHECK(cached.starts_with("cache/010203"));
  CHECK(cached.ends_with(".stamp"));
  const std::string longest = stamp_path("", "out/" + std::string(250, 'x'), kKey);
  CHECK(longest.size() < 100);
  CHECK(longest != stamp_path("", "out/" + std::string(250, 'y'), kKey));
}

TEST_CASE("a stamp that cannot be written is none", "[tools][stamp]") {
  const fs::path folder = fresh_folder("stamp_unwritable");
  const std::string stamp = utf8_of(folder / "none/stamp");
  write_stamp(stamp, kKey, {.input = "hero"});
  CHECK_FALSE(find_unchanged_task(stamp, kKey));
}

}  // namespace
}  // namespace pchr::test::stamp_test
