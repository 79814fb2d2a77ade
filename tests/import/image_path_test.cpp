// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/files.hpp"

#include "import/file_names.hpp"
#include "platform/utf8_path.hpp"

#include <filesystem>
#include <string>

namespace image_path_test {
using namespace pchr;
namespace fs = std::filesystem;

namespace {

void make_file(const fs::path& path) {
  fs::create_directories(path.parent_path());
  test::write_file(path, {});
}

/// Returns whether find_file() finds the file at `expected`.
bool finds(const fs::path& folder, std::string_view path, const fs::path& expected) {
  const auto found = find_file(test::utf8_of(folder), path, {});
  return found && fs::equivalent(path_from_utf8(*found), expected);
}

bool finds_nothing(const fs::path& folder, std::string_view path) {
  return !find_file(test::utf8_of(folder), path, {});
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
  const fs::path folder = test::fresh_folder("case");
  make_file(folder / "Sub" / "Body.BMP");
  make_file(folder / u8"ＡÄΩЯ.png");
  CHECK(finds(folder, "sub\\body.bmp", folder / "Sub" / "Body.BMP"));
  CHECK(finds(folder, "SUB/./BODY.bmp", folder / "Sub" / "Body.BMP"));
  CHECK(finds(folder, "ａäωя.PNG", folder / u8"ＡÄΩЯ.png"));
  CHECK(finds_nothing(folder, "sub"));
  CHECK(finds_nothing(folder, "sub/none.bmp"));
  CHECK(finds_nothing(folder, "../case/Sub/Body.BMP"));
  CHECK(finds_nothing(folder, "Sub/../Sub/Body.BMP"));
  CHECK(finds_nothing(folder, "sub/../sub/../../case/Sub/Body.BMP"));
}

TEST_CASE("Japanese names are found in the normal form of other systems", "[image_path]") {
  const fs::path folder = test::fresh_folder("japanese");
  make_file(folder / u8"か\u3099ハ\u309A.bmp");
  CHECK(finds(folder, "がパ.bmp", folder / u8"か\u3099ハ\u309A.bmp"));
}

}  // namespace image_path_test
