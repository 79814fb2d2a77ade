// SPDX-License-Identifier: MIT
// The list of files to step through.
#include "document/cast.hpp"

#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/scenes.hpp"

#include <thread>

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
  Files files{.tried = "b.pchr"};
  std::string visited;
  for (const int direction : {1, 1, -1, -1, -1}) {
    step(steps, files, direction);
    REQUIRE(files.request);
    CHECK(files.request->reason == LoadReason::step);
    visited += files.tried.string().front();
  }
  CHECK(visited == "cacba");
  files.tried = "gone.pchr";
  step(steps, files, 1);
  CHECK(files.tried == "a.pchr");
  open_entry(cast, files, 7);
  CHECK(files.tried == "a.pchr");
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
  Files files{.tried = "x/a.pchr"};
  step(cast, files, 1);
  step_in_folder(cast, files, 1);
  REQUIRE(files.request);
  CHECK(files.request->neighbor == 2);
  CHECK(files.request->paths == std::vector<fs::path>{"x/a.pchr"});
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
