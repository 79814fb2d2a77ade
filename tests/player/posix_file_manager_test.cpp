// SPDX-License-Identifier: MIT
// Showing a file in the file manager.
#include "platform/file_manager.hpp"

#include "support/catch.hpp"
#include "support/files.hpp"

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <thread>

namespace pchr::player::posix_file_manager_test {
namespace {

namespace fs = std::filesystem;

/// Makes programs be found only in one folder.
class Path {
 public:
  explicit Path(const fs::path& folder) { setenv("PATH", folder.c_str(), 1); }
  Path(const Path&) = delete;
  Path& operator=(const Path&) = delete;
  ~Path() { setenv("PATH", before_.c_str(), 1); }

 private:
  std::string before_ = std::getenv("PATH");
};

/// Makes a program that writes its last arguments to `called`, then ends with `code`.
void write_program(const fs::path& path, const fs::path& called, int code) {
  // Renaming makes the file appear complete.
  std::ofstream(path) << "#!/bin/sh\nfor last; do echo \"$last\" >>'" << called.string() << ".part'; done\n"
                      << "/bin/mv '" << called.string() << ".part' '" << called.string() << "'\nexit " << code << "\n";
  fs::permissions(path, fs::perms::owner_all);
}

std::string wait_for(const fs::path& file) {
  while (!fs::exists(file)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return test::read_text(file);
}

}  // namespace

TEST_CASE("a file is selected in the file manager, or else its folder is opened", "[player]") {
  const fs::path programs = test::output("player/programs/x").parent_path();
  fs::remove_all(programs);
  fs::create_directories(programs);
  const fs::path called = programs / "called";
  const fs::path opened = programs / "opened";
  const Path path(programs);
  CHECK_FALSE(show_in_folder("/a/b"));
  write_program(programs / "dbus-send", called, 1);
  write_program(programs / "xdg-open", opened, 0);
  CHECK(show_in_folder("/a/two words, \u7d75.pchr"));
  CHECK_THAT(wait_for(called), test::contains("array:string:file:///a/two%20words%2C%20%E7%B5%B5.pchr\n"));
  CHECK(wait_for(opened) == "/a\n");
  fs::remove(opened);
  CHECK(open_with_default_program("/a/two words.gif"));
  CHECK(wait_for(opened) == "/a/two words.gif\n");
  fs::remove(programs / "xdg-open");
  CHECK_FALSE(open_with_default_program("/a/b"));
}

}  // namespace pchr::player::posix_file_manager_test
