// SPDX-License-Identifier: MIT
// Known files, the cast, and problems of files.
#include "document/cast.hpp"
#include "document/files.hpp"
#include "document/loader.hpp"
#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/load.hpp"
#include "support/scenes.hpp"
#include "ui/app.hpp"

#include <pchr/load.hpp>

#include <thread>

namespace pchr::player::files_test {

namespace fs = std::filesystem;

TEST_CASE("names sort in natural order: case-insensitive, numbers by value", "[player]") {
  const std::vector<std::string> sorted{"", "arm", "Arm 2", "arm 10", "arm 010 b", "b", "b1", "C"};
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    for (std::size_t j = 0; j < sorted.size(); ++j) {
      INFO(sorted[i] << " and " << sorted[j]);
      CHECK(sorts_before(sorted[i], sorted[j]) == (i < j));
    }
  }
}

TEST_CASE("recent files are unique, absolute, newest first and limited in number", "[player]") {
  OpenRequests requests;
  for (int i = 0; i < 30; ++i) remember(requests, "hero" + std::to_string(i) + ".pchr");
  remember(requests, "x/../hero20.pchr");
  CHECK(requests.recent.size() == kMaxRecentFiles);
  CHECK(requests.recent[0] == fs::current_path() / "hero20.pchr");
  CHECK(requests.recent[1] == fs::current_path() / "hero29.pchr");
  CHECK(std::ranges::count(requests.recent, requests.recent[0]) == 1);
}

TEST_CASE("characters are identified by their extension", "[player]") {
  for (const char* name :
       {"a.pchr", "a.PCHR", "folder/a.json", "a.CHP", "a.px", "a.aseprite", "a.ase", "a.psk", "a.PSKX"})
    CHECK(has_character_suffix(name));
  for (const char* name : {"a.png", ".pchr.x.tmp", ".a.json", "a.markers.json", "a.rig.json", "a.psa", "pchr"}) {
    CHECK_FALSE(has_character_suffix(name));
  }
}

}  // namespace pchr::player::files_test

namespace pchr::player::cast_test {
namespace {

namespace fs = std::filesystem;

fs::path folder_of(const std::string& name, std::initializer_list<const char*> files) {
  const fs::path folder = test::fresh_folder("player/" + name);
  for (const char* file : files) test::write_file(folder / file, test::write_v1(test::two_bone_arm()));
  return folder;
}

Cast cast_of(std::initializer_list<const char*> files) {
  Cast cast;
  set_files(cast, {files.begin(), files.end()});
  return cast;
}

}  // namespace

TEST_CASE("stepping through the cast wraps around", "[player][cast]") {
  const Cast cast = cast_of({"a.pchr", "b.pchr", "c.pchr"});
  Cast steps = cast_of({"a.pchr", "b.pchr", "c.pchr"});
  OpenRequests requests{.tried = "b.pchr"};
  std::string visited;
  for (const int direction : {1, 1, -1, -1, -1}) {
    step(steps, requests, direction);
    REQUIRE(requests.pending);
    CHECK(requests.pending->reason == LoadReason::step);
    visited += requests.tried.string().front();
  }
  CHECK(visited == "cacba");
  requests.tried = "gone.pchr";
  step(steps, requests, 1);
  CHECK(requests.tried == "a.pchr");
  open_entry(cast, requests, 7);
  CHECK(requests.tried == "a.pchr");
}

TEST_CASE("files that stay in the cast keep their errors", "[player][cast]") {
  Cast cast = cast_of({"a.pchr", "b.pchr"});
  set_error(cast, "b.pchr", "broken");
  set_error(cast, "other.pchr", "not in the cast");
  set_files(cast, {"new.pchr", "b.pchr"});
  CHECK(cast.entries[0].error.empty());
  CHECK(cast.entries[1].error == "broken");
  CHECK(place_of(cast, "b.pchr") == 1U);
  CHECK_FALSE(place_of(cast, "a.pchr"));
}

TEST_CASE("steps in a folder that is not read yet add up", "[player][cast]") {
  Cast cast = cast_of({"x/a.pchr"});
  OpenRequests requests{.tried = "x/a.pchr"};
  step(cast, requests, 1);
  step_in_folder(cast, requests, 1);
  REQUIRE(requests.pending);
  CHECK(requests.pending->neighbor == 2);
  CHECK(requests.pending->paths == std::vector<fs::path>{"x/a.pchr"});
}

TEST_CASE("reading the folders again finds new files", "[player][cast]") {
  const fs::path folder = folder_of("cast", {"a.pchr"});
  Cast cast{.sources = {folder}};
  set_files(cast, {folder / "a.pchr"});
  test::write_file(folder / "b.pchr", test::write_v1(test::two_bone_arm()));
  refresh(cast);
  bool changed = false;
  while (cast.reading.valid()) {
    changed |= update(cast);
    std::this_thread::yield();
  }
  CHECK(changed);
  CHECK(cast.entries.size() == 2);
  CHECK(cast.entries.back().name == "b.pchr");
  CHECK_FALSE(update(cast));
}

}  // namespace pchr::player::cast_test

namespace pchr::player::problems_test {
namespace {

/// Two meshes with the same name, the second with weights that do not sum to 1, and bytes after the end of the file.
Character flawed() {
  CharacterData data = test::two_bone_arm();
  data.meshes[1].name = data.meshes[0].name;
  data.vertices[data.meshes[1].first_vertex].weights[0] = 0.5F;
  test::Bytes bytes = test::write_v1(data);
  bytes.push_back({});
  return load_character(std::span<const std::byte>(bytes)).value();
}

}  // namespace

TEST_CASE("the reader's warnings come before hints", "[player][problems]") {
  const std::vector<Problem> problems = problems_of({flawed()}, "arm.pchr");
  REQUIRE(problems.size() == 4);
  CHECK(problems[0].kind == ProblemKind::warning);
  CHECK_THAT(problems[0].message, test::contains("W202 "));
  CHECK(problems[0].place == ProblemPlace{});
  CHECK_THAT(problems[0].text, test::contains("arm.pchr: warning W202"));
  CHECK(problems[1].kind == ProblemKind::hint);
  CHECK(problems[1].place == ProblemPlace{.mesh = MeshId{1}});
  CHECK(problems[2].place == ProblemPlace{.mesh = MeshId{0}});
  CHECK(problems[3].place == ProblemPlace{.mesh = MeshId{1}});
}

TEST_CASE("hints are not counted as problems", "[player][problems]") {
  CHECK(count_problems(problems_of({flawed()}, "arm.pchr")) == 1);
  CHECK(count_problems({}) == 0);
}

TEST_CASE("a valid character has no problems", "[player][problems]") {
  CHECK(problems_of(load_character(test::asset("kiri.pchr")).value().file, "kiri.pchr").empty());
}

TEST_CASE("a path resolves to the part it names", "[player][problems]") {
  const Character arm = Character::build(test::two_bone_arm()).value();
  CHECK(place_of("meshes[1].vertices[3].boneIds[2]", arm) == ProblemPlace{.mesh = MeshId{1}});
  CHECK(place_of("bones[1]", arm) == ProblemPlace{.bone = BoneId{1}});
  CHECK(place_of("images[0].width", arm) == ProblemPlace{.image = ImageId{0}});
  CHECK(place_of("animations[1]", arm) == ProblemPlace{.clip = ClipId{1}});
  CHECK(place_of("animations[1].frames[5]", arm) == ProblemPlace{.clip = ClipId{1}, .frame = 5});
  CHECK(place_of("animations[1].frames[5][1].x", arm) ==
        ProblemPlace{.bone = BoneId{1}, .clip = ClipId{1}, .frame = 5});
}

TEST_CASE("a path out of range resolves to nothing", "[player][problems]") {
  const Character arm = Character::build(test::two_bone_arm()).value();
  for (const std::string_view path :
       {"", "meshes", "meshes[", "meshes[]", "meshes[x]", "meshes[1", "meshes[99]", "bones[99999999999]", "bones[-1]",
        "images[9]", "animations[2].frames[0]", "header[0]", "xmeshes[0]"}) {
    INFO(path);
    CHECK(place_of(path, arm) == ProblemPlace{});
  }
  CHECK(place_of("animations[1].frames[8]", arm) == ProblemPlace{.clip = ClipId{1}});
  CHECK(place_of("animations[1].frames[7][99]", arm) == ProblemPlace{.clip = ClipId{1}, .frame = 7});
}

TEST_CASE("a tab's key opens it, and closes it if it is open", "[player][problems]") {
  View view;
  toggle_tab(view, Tab::problems);
  CHECK(view.tab == Tab::problems);
  toggle_tab(view, Tab::inside);
  CHECK(view.tab == Tab::inside);
  toggle_tab(view, Tab::inside);
  CHECK(view.tab == Tab::facts);
}

}  // namespace pchr::player::problems_test
