// SPDX-License-Identifier: MIT
// Noticing that files are saved.
#include "file_watch.hpp"

#include "support/catch.hpp"
#include "support/files.hpp"

#include <chrono>
#include <fstream>
#include <thread>

namespace pchr::player {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

struct Watched {
  fs::path folder;
  fs::path file;
  FileWatch watch{[] {}};

  explicit Watched(const std::string& name) : folder(test::output("player/watch-" + name + "/x").parent_path()) {
    fs::remove_all(folder);
    fs::create_directories(folder);
    file = folder / "hero.pchr";
    write("first");
    watch.watch({stamp(file)});
  }

  void write(const std::string& text) const { std::ofstream(file) << text; }
  [[nodiscard]] bool changes(milliseconds patience = milliseconds(10'000)) {
    for (milliseconds waited{0}; waited < patience; waited += milliseconds(5)) {
      if (watch.take_changed()) return true;
      std::this_thread::sleep_for(milliseconds(5));
    }
    return false;
  }
};

}  // namespace

TEST_CASE("a file that is written, replaced or deleted and made again has changed, once each", "[player]") {
  Watched watched("ways");
  CHECK_FALSE(watched.changes(milliseconds(300)));
  watched.write("second, longer");
  CHECK(watched.changes());
  CHECK_FALSE(watched.changes(milliseconds(300)));
  std::ofstream(watched.folder / "beside") << "third, longer still";
  fs::rename(watched.folder / "beside", watched.file);
  CHECK(watched.changes());
  fs::remove(watched.file);
  CHECK_FALSE(watched.changes(milliseconds(300)));
  watched.write("4");
  CHECK(watched.changes());
}

TEST_CASE("a file that is written slowly has changed when it rests", "[player]") {
  Watched watched("slow");
  std::ofstream stream(watched.file);
  for (int i = 0; i < 10; ++i) {
    stream << "more " << i << std::flush;
    CHECK_FALSE(watched.changes(milliseconds(10)));
  }
  CHECK(watched.changes());
}

TEST_CASE("what changed before the watch began is a change too", "[player]") {
  Watched watched("before");
  const FileStamp before = stamp(watched.file);
  watched.write("second, longer");
  watched.watch.watch({before});
  CHECK(watched.changes());
}

TEST_CASE("files behind links and in folders that come later are watched", "[player]") {
  Watched watched("links");
  fs::create_directories(watched.folder / "elsewhere");
  const fs::path target = watched.folder / "elsewhere/target.pchr";
  std::ofstream(target) << "first";
  fs::create_symlink(target, watched.folder / "link.pchr");
  const fs::path later = watched.folder / "later/image.png";
  watched.watch.watch({stamp(watched.folder / "link.pchr"), stamp(later)});
  std::ofstream(target) << "second, longer";
  CHECK(watched.changes());
  fs::create_directories(later.parent_path());
  std::ofstream(later) << "here";
  CHECK(watched.changes());
}

}  // namespace pchr::player
