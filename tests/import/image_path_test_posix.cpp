// SPDX-License-Identifier: MIT
// Names that Windows does not have: equal except for case, or in another encoding.
#include "support/catch.hpp"
#include "support/files.hpp"

#include "import/files.hpp"

namespace image_path_test_posix {
using namespace pchr;
namespace fs = std::filesystem;

namespace {

fs::path folder_with(std::initializer_list<const char*> names) {
  const fs::path folder = test::fresh_folder("image_path");
  for (const char* const name : names) test::write_file(folder / name, {});
  return folder;
}

}  // namespace

TEST_CASE("an exact name is preferred", "[image_path]") {
  const fs::path folder = folder_with({"A.bmp", "a.bmp"});
  CHECK(find_file(folder, "a.bmp", {}) == folder / "a.bmp");
  CHECK(find_file(folder, "A.bmp", {}) == folder / "A.bmp");
  CHECK(find_file(folder, "a.BMP", {}) == folder / "A.bmp");
}

TEST_CASE("Japanese names are found in the encodings of other systems", "[image_path]") {
  const fs::path folder = folder_with({"\x95\x5C.bmp"});
  CHECK(find_file(folder, "表.BMP", {}));
}

}  // namespace image_path_test_posix
