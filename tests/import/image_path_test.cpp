// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/files.hpp"

#include "import/file_names.hpp"

#include <filesystem>
#include <string>

namespace image_path_test {
using namespace pchr;
namespace fs = std::filesystem;

namespace {

/// Returns an empty folder for this test.
fs::path fresh_folder(const std::string& name) {
  const fs::path folder = test::output("image_path/" + name);
  fs::remove_all(folder);
  fs::create_directories(folder);
  return folder;
}

void make_file(const fs::path& path) {
  fs::create_directories(path.parent_path());
  test::write_file(path, {});
}

}  // namespace

TEST_CASE("a path stays inside its folder unless it is absolute, has a drive or climbs out", "[image_path]") {
  for (const char* const inside : {"a.bmp", "a/b.bmp", "a\\b.bmp", "./a.bmp", "a/../b.bmp", "a..b"}) {
    CHECK(stays_inside(inside));
  }
  for (const char* const outside : {"", "/a.bmp", "\\a.bmp", "c:a.bmp", "C:\\a.bmp", "../a.bmp", "a/../../b", ".."}) {
    CHECK_FALSE(stays_inside(outside));
  }
  CHECK_FALSE(stays_inside(std::string_view("a\0b", 3)));
}

TEST_CASE("a file is found with its folders and name in any case", "[image_path]") {
  const fs::path folder = fresh_folder("case");
  make_file(folder / "Sub" / "Body.BMP");
  make_file(folder / "ＡÄΩЯ.png");
  CHECK(find_file(folder, "sub\\body.bmp") == folder / "Sub" / "Body.BMP");
  CHECK(find_file(folder, "SUB/./BODY.bmp") == folder / "Sub" / "Body.BMP");
  CHECK(find_file(folder, "ａäωя.PNG") == folder / "ＡÄΩЯ.png");
  CHECK_FALSE(find_file(folder, "sub"));
  CHECK_FALSE(find_file(folder, "sub/none.bmp"));
  CHECK_FALSE(find_file(folder, "../case/Sub/Body.BMP"));
  CHECK_FALSE(find_file(folder, "Sub/../Sub/Body.BMP"));
  CHECK_FALSE(find_file(folder, "sub/../sub/../../case/Sub/Body.BMP"));
}

TEST_CASE("an exact name is preferred", "[image_path]") {
  const fs::path folder = fresh_folder("exact");
  make_file(folder / "A.bmp");
  make_file(folder / "a.bmp");
  CHECK(find_file(folder, "a.bmp") == folder / "a.bmp");
  CHECK(find_file(folder, "A.bmp") == folder / "A.bmp");
  CHECK(find_file(folder, "a.BMP") == folder / "A.bmp");
}

TEST_CASE("Japanese names are found in the encodings of other systems", "[image_path]") {
  const fs::path folder = fresh_folder("japanese");
  make_file(folder / "か\xE3\x82\x99ハ\xE3\x82\x9A.bmp");
  make_file(folder / "\x95\x5C.bmp");
  CHECK(find_file(folder, "がパ.bmp"));
  CHECK(find_file(folder, "表.BMP"));
}

}  // namespace image_path_test
