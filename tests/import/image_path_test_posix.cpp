// SPDX-License-Identifier: MIT
// Names that Windows does not have: equal except for case, or in another encoding.
#include "support/catch.hpp"
#include "support/files.hpp"

#include "import/files.hpp"
#include "platform/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/inotify.h>
#endif

#include <array>

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

#ifdef __linux__
TEST_CASE("a pipe in place of a file is never opened", "[image_path]") {
  const fs::path pipe = test::fresh_folder("never_opened") / "pipe";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  const int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  REQUIRE(watch >= 0);
  REQUIRE(inotify_add_watch(watch, pipe.c_str(), IN_OPEN) >= 0);
  std::array<char, 4096> events{};
  std::array<std::byte, 1> byte{};
  CHECK(read_file(pipe.string(), 100).error().detail == "the file is not a regular file");
  CHECK_FALSE(read_part({}, pipe.string(), 0, byte));
  CHECK(read(watch, events.data(), events.size()) < 0);
  // The watch sees what it must not see.
  close(open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  CHECK(read(watch, events.data(), events.size()) > 0);
  close(watch);
}
#endif

}  // namespace image_path_test_posix
