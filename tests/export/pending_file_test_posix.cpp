// SPDX-License-Identifier: MIT
// Unfinished output files, and leftovers of killed processes.
#include "support/catch.hpp"
#include "support/files.hpp"

#include <pchr/export/animation.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <set>
#include <string>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace {

int disk_waits = 0;
bool has_links = true;

}  // namespace

// Instead of those of the C library.
extern "C" int fsync(int descriptor) {
  ++disk_waits;
  return static_cast<int>(syscall(SYS_fsync, descriptor));
}
extern "C" int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) noexcept {
  if (!has_links) return errno = EPERM, -1;
  return static_cast<int>(syscall(SYS_linkat, from_folder, from, to_folder, to, flags));
}
extern "C" int syncfs(int descriptor) noexcept {
  ++disk_waits;
  return static_cast<int>(syscall(SYS_syncfs, descriptor));
}

namespace pending_file_test_posix {
using namespace pchr;
namespace fs = std::filesystem;

namespace {

std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename().string());
  return names;
}

const std::vector<std::byte> kBytes(3, std::byte{7});

/// Process that starts to write files in a folder and runs until it is killed.
class Writer {
 public:
  Writer(const fs::path& folder, int files) {
    int ready[2];
    REQUIRE(pipe(ready) == 0);
    child_ = fork();
    if (child_ == 0) {
      OutputFiles output{InputFiles()};
      for (int i = 0; i < files; ++i) {
        if (!output.write((folder / std::to_string(i)).string(), kBytes)) _exit(1);
      }
      if (::write(ready[1], "!", 1) != 1) _exit(1);
      for (;;) pause();
    }
    ::close(ready[1]);
    char said = 0;
    REQUIRE(::read(ready[0], &said, 1) == 1);
    ::close(ready[0]);
  }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;
  ~Writer() { end(); }
  void end() {
    if (child_ > 0) {
      kill(child_, SIGKILL);
      waitpid(child_, nullptr, 0);
    }
    child_ = 0;
  }

 private:
  pid_t child_ = 0;
};

void write_one(const fs::path& path) {
  OutputFiles output{InputFiles()};
  CHECK(output.write(path.string(), kBytes));
  CHECK(output.publish(Existing::replace));
}

}  // namespace

TEST_CASE("files of a running or killed process stay hidden, and disturb no other", "[export][pending]") {
  const fs::path folder = test::fresh_folder("killed");
  Writer writer(folder, 20);
  std::set<std::string> expected = names_in(folder);
  CHECK(expected.size() == 20);
  CHECK(std::ranges::all_of(expected, [](const std::string& name) { return name.starts_with(".pchr."); }));
  for (const char* name : {"new", "0"}) {
    write_one(folder / name);
    expected.insert(name);
    CHECK(names_in(folder) == expected);
    CHECK(test::read_file(folder / name) == kBytes);
    writer.end();
    CHECK(names_in(folder) == expected);
  }
}

TEST_CASE("there can be more output files than open file descriptors", "[export][pending]") {
  const fs::path folder = test::fresh_folder("many");
  rlimit before{};
  REQUIRE(getrlimit(RLIMIT_NOFILE, &before) == 0);
  const rlimit few{64, before.rlim_max};
  REQUIRE(setrlimit(RLIMIT_NOFILE, &few) == 0);
  OutputFiles output{InputFiles()};
  bool written = true;
  for (int i = 0; i < 200; ++i) {
    written = written && output.write((folder / fmt::format("{}.png", i)).string(), kBytes, true);
  }
  const bool published = output.publish(Existing::replace).has_value();
  REQUIRE(setrlimit(RLIMIT_NOFILE, &before) == 0);
  CHECK(written);
  CHECK(published);
}

TEST_CASE("output files are on the disk before they replace others, many of them at once", "[export][pending]") {
  const fs::path folder = test::fresh_folder("synced");
  for (const int files : {1, 3, 1000}) {
    OutputFiles output{InputFiles()};
    for (int i = 0; i < files; ++i) REQUIRE(output.write((folder / std::to_string(i)).string(), kBytes));
    disk_waits = 0;
    REQUIRE(output.publish(Existing::replace));
    CHECK(disk_waits == (files > 3 ? 1 : files));
  }
}

TEST_CASE("no file is published if one of them exists and must be kept", "[export][pending]") {
  const fs::path folder = test::fresh_folder("kept");
  const std::vector<std::byte> precious(9, std::byte{1});
  OutputFiles output{InputFiles()};
  for (const char* name : {"a.png", "b.png", "c.png"}) CHECK(output.write((folder / name).string(), kBytes));
  test::write_file(folder / "b.png", precious);
  const auto published = output.publish(Existing::keep);
  REQUIRE_FALSE(published);
  CHECK(published.error().kind == ExportError::Kind::exists);
  CHECK(names_in(folder).contains("b.png"));
  CHECK_FALSE(names_in(folder).contains("a.png"));
  CHECK_FALSE(names_in(folder).contains("c.png"));
  CHECK(test::read_file(folder / "b.png") == precious);
}

TEST_CASE("if one file cannot be moved to its place, those that were replaced return and new ones disappear",
          "[export][pending]") {
  const fs::path folder = test::fresh_folder("put_back");
  const std::vector<std::byte> precious(9, std::byte{1});
  for (const bool links : {true, false}) {
    has_links = links;
    for (const char* name : {"a", "c", "e"}) test::write_file(folder / name, precious);
    for (const char* name : {"link", "d"}) fs::remove(folder / name);
    fs::create_symlink("e", folder / "link");
    OutputFiles output{InputFiles(), false};
    for (const char* name : {"a", "b", "c", "link", "d", "e"}) CHECK(output.write((folder / name).string(), kBytes));
    fs::create_directories(folder / "d");
    const auto published = output.publish(Existing::replace);
    has_links = true;
    REQUIRE_FALSE(published);
    CHECK_THAT(published.error().message, test::contains((folder / "d").string()));
    for (const char* name : {"a", "c", "e"}) CHECK(test::read_file(folder / name) == precious);
    CHECK(fs::is_symlink(folder / "link"));
    CHECK(fs::is_directory(folder / "d"));
    CHECK_FALSE(fs::exists(folder / "b"));
    output = OutputFiles{InputFiles()};
    CHECK(names_in(folder) == std::set<std::string>{"a", "c", "d", "e", "link"});
  }
  for (const bool links : {true, false}) {
    has_links = links;
    OutputFiles output{InputFiles()};
    for (const char* name : {"a", "b", "c"}) CHECK(output.write((folder / name).string(), kBytes));
    const auto published = output.publish(Existing::replace);
    has_links = true;
    CHECK(published);
    CHECK(test::read_file(folder / "a") == kBytes);
    CHECK(names_in(folder) == std::set<std::string>{"a", "b", "c", "d", "e", "link"});
  }
}

TEST_CASE("paths that no file can have are found before anything is written", "[export][pending]") {
  const fs::path folder = test::fresh_folder("paths");
  test::write_file(folder / "file", kBytes);
  OutputFiles output{InputFiles()};
  for (const std::string& name : {std::string(256, 'x'), std::string("."), std::string("file/below")}) {
    INFO(name);
    CHECK_FALSE(output.check((folder / name).string()));
    CHECK_FALSE(output.write((folder / name).string(), kBytes));
    CHECK(names_in(folder) == std::set<std::string>{"file"});
  }
  for (const std::string& name : {std::string(255, 'x'), std::string("file"), std::string("new/file")}) {
    CHECK(output.check((folder / name).string()));
  }
  for (const char* name : {"-", "/dev/null"}) CHECK(output.check(name));
}

TEST_CASE("files that exist can be left as they are while the others are published", "[export][pending]") {
  const fs::path folder = test::fresh_folder("skipped");
  const std::vector<std::byte> precious(9, std::byte{1});
  OutputFiles output{InputFiles()};
  for (const char* name : {"a.png", "b.png", "c.png"}) CHECK(output.write((folder / name).string(), kBytes));
  test::write_file(folder / "b.png", precious);
  CHECK(output.publish(Existing::skip));
  CHECK(test::read_file(folder / "a.png").size() == kBytes.size());
  CHECK(test::read_file(folder / "b.png") == precious);
  CHECK(test::read_file(folder / "c.png").size() == kBytes.size());
  CHECK(names_in(folder) == std::set<std::string>{"a.png", "b.png", "c.png"});
}

TEST_CASE("an output never replaces an input file, by any path", "[export][pending]") {
  const fs::path folder = test::fresh_folder("inputs");
  const std::vector<std::byte> precious(9, std::byte{1});
  test::write_file(folder / "read.png", precious);
  fs::create_hard_link(folder / "read.png", folder / "hard.png");
  fs::create_symlink("read.png", folder / "soft.png");
  fs::create_directory_symlink(".", folder / "again");
  InputFiles inputs;
  inputs.add(folder / "read.png");
  inputs.add(folder / "missing.png");
  for (const char* name : {"read.png", "hard.png", "soft.png", "again/read.png", "again/../inputs/read.png"}) {
    INFO(name);
    CHECK(inputs.contains(folder / name));
    OutputFiles output(inputs);
    CHECK_FALSE(output.write((folder / name).string(), kBytes, true));
  }
  OutputFiles output(inputs);
  CHECK(output.write((folder / "late.png").string(), kBytes, true));
  fs::create_hard_link(folder / "read.png", folder / "late.png");
  CHECK_FALSE(output.publish(Existing::replace));
  CHECK_FALSE(inputs.contains(folder / "missing.png"));
  CHECK(test::read_file(folder / "read.png") == precious);
  CHECK(fs::is_symlink(folder / "soft.png"));
}

TEST_CASE("the start of an unfinished file can be rewritten, but not that of a pipe or device", "[export][pending]") {
  const fs::path folder = test::fresh_folder("rewrite");
  const std::string path = (folder / "file").string();
  const std::vector<std::byte> start(2, std::byte{9});
  OutputFiles output{InputFiles()};
  CHECK(output.can_rewrite(path));
  CHECK(output.write(path, kBytes, false));
  CHECK(output.rewrite_start(start));
  CHECK(output.write(path, kBytes));
  CHECK(output.publish(Existing::replace));
  CHECK(test::read_file(path) == std::vector{std::byte{9}, std::byte{9}, kBytes[0], kBytes[0], kBytes[0], kBytes[0]});
  CHECK_FALSE(output.can_rewrite("-"));
  CHECK_FALSE(output.can_rewrite("/dev/null"));
}

}  // namespace pending_file_test_posix
