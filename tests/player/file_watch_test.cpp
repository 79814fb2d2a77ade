// SPDX-License-Identifier: MIT
// Detecting saved files.
#include "document/files.hpp"

#include "support/catch.hpp"
#include "support/files.hpp"

#include <chrono>
#include <fstream>
#include <thread>

namespace pchr::player::file_watch_test {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

struct Watched {
  fs::path folder;
  fs::path file;
  FileWatch watch{[] {}};

  explicit Watched(const std::string& name) : folder(test::fresh_folder("player/watch-" + name)) {
    file = folder / "hero.pchr";
    write("first");
    watch.watch({stamp(file)});
  }

  /// Writes in one step, so that no partial state is seen.
  void write(const std::string& text) const {
    const auto mode = fs::exists(file) ? std::ios::in | std::ios::out : std::ios::out;
    std::fstream(file, mode) << text;
  }
  /// Returns whether a change is reported in time. The default only guards against waiting forever.
  [[nodiscard]] bool changes(milliseconds patience = milliseconds(180'000)) {
    for (const auto end = Clock::now() + patience; Clock::now() < end;) {
      if (watch.take_news() == FileNews::changed) return true;
      std::this_thread::sleep_for(milliseconds(1));
    }
    return watch.take_news() == FileNews::changed;
  }
  /// Waits for the next news.
  [[nodiscard]] FileNews news() {
    for (const auto end = Clock::now() + milliseconds(180'000); Clock::now() < end;) {
      if (const FileNews news = watch.take_news(); news != FileNews::none) return news;
      std::this_thread::sleep_for(milliseconds(1));
    }
    return FileNews::none;
  }
};

}  // namespace

TEST_CASE("writing, replacing and recreating a file are reported once each", "[player]") {
  Watched watched("ways");
  CHECK_FALSE(watched.changes(milliseconds(300)));
  watched.write("second, longer");
  CHECK(watched.changes());
  CHECK_FALSE(watched.changes(milliseconds(300)));
  std::ofstream(watched.folder / "temporary") << "third, longer still";
  fs::rename(watched.folder / "temporary", watched.file);
  CHECK(watched.changes());
  fs::remove(watched.file);
  CHECK_FALSE(watched.changes(milliseconds(300)));
  watched.write("4");
  CHECK(watched.changes());
}

TEST_CASE("a deleted file and its return are reported", "[player]") {
  Watched watched("deleted");
  fs::rename(watched.file, watched.folder / "aside");
  CHECK(watched.news() == FileNews::deleted);
  CHECK_FALSE(watched.changes(milliseconds(700)));
  fs::rename(watched.folder / "aside", watched.file);
  CHECK(watched.news() == FileNews::returned);
  fs::remove(watched.file);
  CHECK(watched.news() == FileNews::deleted);
  watched.write("another, longer");
  CHECK(watched.news() == FileNews::changed);
}

TEST_CASE("a slowly written file is reported once it is stable", "[player]") {
  Watched watched("slow");
  std::ofstream stream(watched.file);
  const auto write = [&] {
    for (int part = 0; part < 5; ++part) stream << "more " << part << std::flush;
  };
  // False if a pause was so long that the file counted as stable, which can happen on a busy machine.
  const auto stays_unchanged = [&] {
    write();
    REQUIRE(watched.changes());
    auto last = Clock::now();
    write();
    for (int i = 0; i < 10; ++i) {
      const bool changed = watched.changes(milliseconds(10));
      const auto before = Clock::now();
      write();
      if (Clock::now() - last > milliseconds(90)) return false;
      CHECK_FALSE(changed);
      last = before;
    }
    return true;
  };
  int rounds = 0;
  while (!stays_unchanged()) REQUIRE(++rounds < 1000);
  CHECK(watched.changes());
}

TEST_CASE("a change before the watch started is reported", "[player]") {
  Watched watched("before");
  const FileStamp before = stamp(watched.file);
  watched.write("second, longer");
  watched.watch.watch({before});
  CHECK(watched.changes());
}

TEST_CASE("link targets and files in folders that do not exist yet are watched", "[player]") {
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

}  // namespace pchr::player::file_watch_test
