// SPDX-License-Identifier: MIT
// Lists of files.
#include "document/files.hpp"

#include "support/catch.hpp"
#include "support/files.hpp"

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
  Files files;
  for (int i = 0; i < 30; ++i) remember(files, "hero" + std::to_string(i) + ".pchr");
  remember(files, "x/../hero20.pchr");
  CHECK(files.recent.size() == kMaxRecentFiles);
  CHECK(files.recent[0] == fs::current_path() / "hero20.pchr");
  CHECK(files.recent[1] == fs::current_path() / "hero29.pchr");
  CHECK(std::ranges::count(files.recent, files.recent[0]) == 1);
}

TEST_CASE("characters are identified by their extension", "[player]") {
  for (const char* name : {"a.pchr", "a.PCHR", "folder/a.json", "a.CHP", "a.px", "a.psk", "a.PSKX"})
    CHECK(has_character_suffix(name));
  for (const char* name : {"a.png", ".pchr.x.tmp", ".a.json", "a.markers.json", "a.rig.json", "a.psa", "pchr"}) {
    CHECK_FALSE(has_character_suffix(name));
  }
}

}  // namespace pchr::player::files_test
