// SPDX-License-Identifier: MIT
// Cached files, and folders that cannot hold them.
#include "platform/output_file.hpp"
#include "support/catch.hpp"
#include "support/files.hpp"

#include <thread>

namespace cache_folder_test {
using namespace pchr;
namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kRoom = 100;

test::Bytes bytes_of(std::size_t count, char value) { return test::Bytes(count, static_cast<std::byte>(value)); }

std::size_t files_in(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

}  // namespace

TEST_CASE("a cache folder keeps files", "[platform]") {
  const fs::path path = test::fresh_folder("cache") / "new" / "folder";
  const CacheFolder folder(test::utf8_of(path), kRoom);
  CHECK(folder.load("a").empty());
  CHECK_FALSE(fs::exists(path));
  folder.store("a", bytes_of(10, 'a'));
  folder.store("b", bytes_of(20, 'b'));
  CHECK(folder.load("a") == bytes_of(10, 'a'));
  CHECK(CacheFolder(test::utf8_of(path), kRoom).load("b") == bytes_of(20, 'b'));
  folder.store("a", bytes_of(5, 'c'));
  CHECK(folder.load("a") == bytes_of(5, 'c'));
  CHECK(files_in(path) == 2);
}

TEST_CASE("a cache folder does not exceed its limit", "[platform]") {
  const fs::path path = test::fresh_folder("cache");
  const CacheFolder folder(test::utf8_of(path), kRoom);
  test::write_file(path / ".hidden", bytes_of(kRoom, 'h'));
  folder.store("a", bytes_of(60, 'a'));
  folder.store("b", bytes_of(40, 'b'));
  CHECK(files_in(path) == 3);
  folder.store("c", bytes_of(1, 'c'));
  CHECK(folder.load("a").empty());
  CHECK(folder.load("b").empty());
  CHECK(folder.load("c") == bytes_of(1, 'c'));
  folder.store("d", bytes_of(kRoom + 1, 'd'));
  CHECK(folder.load("d").empty());
  CHECK(folder.load("c") == bytes_of(1, 'c'));
  CHECK(fs::exists(path / ".hidden"));
}

TEST_CASE("a cache folder that cannot be written is empty", "[platform]") {
  const fs::path folder = test::fresh_folder("cache");
  test::write_file(folder / "file", bytes_of(1, 'x'));
  for (const std::string& path :
       {std::string(), test::utf8_of(folder / "file"), test::utf8_of(folder / "file" / "in")}) {
    const CacheFolder cache(path, kRoom);
    cache.store("a", bytes_of(10, 'a'));
    CHECK(cache.load("a").empty());
  }
  CHECK(test::read_file(folder / "file") == bytes_of(1, 'x'));
  // A folder has the name of the file.
  const CacheFolder cache(test::utf8_of(folder), kRoom);
  fs::create_directories(folder / "a" / "b");
  cache.store("a", bytes_of(10, 'a'));
  CHECK(cache.load("a").empty());
  CHECK(files_in(folder) == 2);
}

TEST_CASE("several threads use a cache folder at once", "[platform]") {
  const fs::path path = test::fresh_folder("cache");
  const auto work = [&](char value) {
    const CacheFolder folder(test::utf8_of(path), std::uint64_t{1} << 20);
    for (int i = 0; i < 50; ++i) {
      folder.store("shared", bytes_of(1000, value));
      const auto found = folder.load("shared");
      // Windows can refuse to open a file while another one replaces it.
      if (!found.empty() && found != bytes_of(1000, 'a') && found != bytes_of(1000, 'b')) return false;
    }
    return true;
  };
  bool other = false;
  std::thread thread([&] { other = work('b'); });
  CHECK(work('a'));
  thread.join();
  CHECK(other);
  CHECK(CacheFolder(test::utf8_of(path), kRoom * 100).load("shared").size() == 1000);
  CHECK(files_in(path) == 1);
}

TEST_CASE("the user has a folder for cached files", "[platform]") { CHECK_FALSE(user_cache_folder().empty()); }

}  // namespace cache_folder_test
