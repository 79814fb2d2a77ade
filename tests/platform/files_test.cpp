// SPDX-License-Identifier: MIT
// Files of the system, by names that make trouble.
#include "support/catch.hpp"
#include "support/files.hpp"

#include "platform/file_path.hpp"
#include "platform/files.hpp"
#include "platform/output_file.hpp"
#include "platform/utf8_path.hpp"

#include <algorithm>
#include <chrono>
#include <set>

namespace files_test {
using namespace pchr;
namespace fs = std::filesystem;

namespace {

/// Removes what is in a folder. std::filesystem::remove_all() cannot do it with long paths on Windows.
void clear(const std::string& folder) {
  std::vector<std::string> paths;
  const auto add = [&](const std::string& name, FileKind /*kind*/) {
    return paths.push_back(path_in(folder, name)), true;
  };
  visit_system_folder(folder, add);
  for (const std::string& path : paths) {
    if (find_kind(path) == FileKind::folder) clear(path);
    fs::remove(path_from_utf8(path));
  }
}

/// Returns an empty folder for this test.
std::string cleared_folder(const std::string& name) {
  const fs::path folder = test::output("files") / path_from_utf8(name);
  fs::create_directories(folder);
  clear(utf8_of(folder));
  return utf8_of(folder);
}

void write_text(const std::string& path, std::string_view text) {
  std::error_code error;
  const File file = open_file(path, "wb", error);
  INFO(path << ": " << error_text(error));
  REQUIRE(file != nullptr);
  REQUIRE(std::fwrite(text.data(), 1, text.size(), file.get()) == text.size());
}

std::string text_of(const std::string& path) {
  const auto file = read_file(path, 1000);
  if (!file) return file.error().detail;
  return {reinterpret_cast<const char*>(file->storage.data()), file->size};
}

std::string read_all(std::FILE* file) {
  std::string text(100, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file));
  return text;
}

/// Names that paths of this system can have. The last one is in folders that make the path longer than 300 characters.
std::vector<std::string> names() {
  std::string deep = "deep";
  for (int i = 0; i < 3; ++i) deep += '/' + std::string(90, static_cast<char>('a' + i));
  return {"with space.txt", "キリ 立ち絵.txt", "naïve Ωя.txt", "\xF0\x9F\xA6\x8A fox.txt", "a.b.c", deep + "/name.txt"};
}

}  // namespace

TEST_CASE("files with spaces, CJK, emoji and long paths are written, found, listed and read", "[files]") {
  const std::string folder = cleared_folder("names");
  for (const std::string& name : names()) {
    INFO(name);
    const std::string path = path_in(folder, name);
    fs::create_directories(path_from_utf8(folder_of(path)));
    write_text(path, name);
    CHECK(find_kind(path) == FileKind::file);
    CHECK(fs::is_regular_file(path_from_utf8(path)));
    CHECK(find_kind(std::string(folder_of(path))) == FileKind::folder);
    CHECK(text_of(path) == name);
    std::string first(1, ' ');
    CHECK(read_part({}, path, name.size() - 1, std::as_writable_bytes(std::span(first))));
    CHECK(first[0] == name.back());
    std::vector<std::string> found;
    const auto add = [&](const std::string& entry, FileKind kind) {
      if (kind == FileKind::file) found.push_back(entry);
      return true;
    };
    visit_system_folder(std::string(folder_of(path)), add);
    CHECK(std::ranges::count(found, file_name_of(path)) == 1);
    CHECK(absolute_path(path) == normal_path(path));
    CHECK(is_same_file(path, path_in(folder, "./" + name)));
    CHECK(utf8_of(path_from_utf8(path).filename()) == file_name_of(path));
    remove_file(path);
    CHECK(find_kind(path) == FileKind::none);
  }
}

TEST_CASE("a file is replaced while others read it, and they read on in the old one", "[files]") {
  const std::string folder = cleared_folder("replaced");
  for (const std::string& name : names()) {
    const std::string path = path_in(folder, name), next = path + ".next";
    fs::create_directories(path_from_utf8(folder_of(path)));
    write_text(path, "old");
    write_text(next, "new");
    std::error_code error;
    const File reader = open_file(path, "rb", error);
    REQUIRE(reader != nullptr);
    const std::error_code replaced = replace_file(next, path);
    INFO(error_text(replaced));
    CHECK_FALSE(replaced);
    CHECK(text_of(path) == "new");
    CHECK(find_kind(next) == FileKind::none);
    CHECK(read_all(reader.get()) == "old");
  }
}

TEST_CASE("a file that must not replace another does not", "[files]") {
  const std::string folder = cleared_folder("kept");
  const std::string from = path_in(folder, "from"), to = path_in(folder, "to");
  write_text(from, "new");
  write_text(to, "old");
  CHECK(move_to_new_file(from, to) == std::errc::file_exists);
  CHECK(text_of(from) == "new");
  CHECK(text_of(to) == "old");
  remove_file(to);
  CHECK_FALSE(move_to_new_file(from, to));
  CHECK(text_of(to) == "new");
  std::error_code error;
  CHECK(create_file(to, error) == nullptr);
  CHECK(error == std::errc::file_exists);
}

TEST_CASE("the status of a file tells when it may have changed", "[files]") {
  const std::string folder = cleared_folder("status"), path = path_in(folder, "file");
  CHECK(find_status(path) == FileStatus{});
  CHECK(find_status(folder).kind == FileKind::folder);
  write_text(path, "12345");
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const FileStatus status = find_status(path);
  CHECK(status.kind == FileKind::file);
  CHECK(status.bytes == 5);
  CHECK(std::chrono::abs(now - std::chrono::nanoseconds(status.changed)) < std::chrono::days(1));
  CHECK(find_status(path) == status);
  // To any time but its own.
  fs::last_write_time(path_from_utf8(path), fs::last_write_time(path_from_utf8(path)) - std::chrono::hours(1));
  CHECK(find_status(path).changed != status.changed);
}

TEST_CASE("errors of the system are told in English", "[files]") {
  const std::string folder = cleared_folder("errors");
  std::error_code error;
  CHECK(open_file(path_in(folder, "none"), "rb", error) == nullptr);
  CHECK(error_text(error) == "No such file or directory");
  CHECK(text_of(path_in(folder, "none/none")) == "the file cannot be read: No such file or directory");
  CHECK(text_of(folder) == "the file cannot be read: Is a directory");
  const std::error_code moved = move_to_new_file(path_in(folder, "none"), path_in(folder, "other"));
  CHECK(error_text(moved) == "No such file or directory");
}

TEST_CASE("a lock file is held by one holder, and is removed at the end", "[files]") {
  const std::string path = path_in(cleared_folder("lock"), "lock");
  {
    const LockFile lock = LockFile::create(path);
    REQUIRE(lock.is_held());
    CHECK_FALSE(LockFile::create(path).is_held());
    CHECK_FALSE(LockFile::take_over(path).is_held());
    CHECK(find_kind(path) == FileKind::file);
  }
  CHECK(find_kind(path) == FileKind::none);
}

TEST_CASE("a file of another program is no lock to take over", "[files]") {
  const std::string path = path_in(cleared_folder("foreign"), "lock");
  write_text(path, "precious");
  CHECK_FALSE(LockFile::take_over(path).is_held());
  CHECK(text_of(path) == "precious");
}

TEST_CASE("an empty lock file of a killed process is taken over", "[files]") {
  const std::string path = path_in(cleared_folder("killed"), "lock");
  write_text(path, "");
  {
    const LockFile lock = LockFile::take_over(path);
    CHECK(lock.is_held());
    CHECK_FALSE(LockFile::take_over(path).is_held());
  }
  CHECK(find_kind(path) == FileKind::none);
}

}  // namespace files_test
