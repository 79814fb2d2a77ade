// SPDX-License-Identifier: MIT
#include "support/catch.hpp"

#include "platform/file_path.hpp"

#include <filesystem>

namespace file_path_test {
using namespace pchr;

namespace {

/// Calls `check` for all paths of up to 7 of these four characters: their digits in base 5, where 0 is no character.
template <typename Check>
void for_all_paths(std::string_view characters, const Check& check) {
  std::string path;
  for (std::uint32_t number = 0; number < 78125; ++number) {
    path.clear();
    for (std::uint32_t rest = number; rest > 0; rest /= 5) {
      if (rest % 5 > 0) path += characters[rest % 5 - 1];
    }
    check(path);
  }
}

/// Calls `check` for paths of this system.
template <typename Check>
void for_all_paths(const Check& check) {
  for_all_paths("/.ab", check);
  if (kPathStyle == PathStyle::windows) for_all_paths("\\/c:", check);
}

/// Returns whether the standard library has another opinion on servers, and on drives that are no letters.
bool has_special_root(std::string_view path) {
  if (kPathStyle != PathStyle::windows || path.size() < 2) return false;
  return std::string_view("/\\").contains(path[0]) ? std::string_view("/\\").contains(path[1])
                                                   : path[1] == ':' && path[0] != 'c';
}

/// Requires equal paths. Slashes can be repeated.
void require_equal(const std::string& path, std::string_view found, const std::filesystem::path& expected) {
  const std::string generic = std::filesystem::path(found).generic_string();
  if (generic == expected.generic_string()) return;
  INFO(path);
  REQUIRE(generic == expected.generic_string());
}

}  // namespace

TEST_CASE("a path is normalized as the standard library does", "[path]") {
  for_all_paths([](const std::string& path) {
    if (has_special_root(path)) return;
    require_equal(path, normal_path(path), std::filesystem::path(path).lexically_normal());
  });
  CHECK(normal_path("one/./two/../three.png") == "one/three.png");
}

TEST_CASE("paths are split and joined as the standard library does", "[path]") {
  for_all_paths([](const std::string& path) {
    // Some systems give two slashes a meaning.
    if (path.starts_with("//") || has_special_root(path)) return;
    const std::filesystem::path same = path;
    require_equal(path, folder_of(path), same.parent_path());
    require_equal(path, file_name_of(path), same.filename());
    require_equal(path, stem_of(path), same.stem());
    require_equal(path, extension_of(path), same.extension());
    require_equal(path, path_in("folder", path), std::filesystem::path("folder") / same);
    require_equal(path, path_in(path, "name"), same / "name");
    if (same.has_filename()) {
      require_equal(path, with_extension(path, ".png"), std::filesystem::path(path).replace_extension(".png"));
    }
  });
}

TEST_CASE("a path is seen from a folder as the standard library does", "[path]") {
  for (const std::string folder : {"/a/b", "/a", "/", "a/b", "."}) {
    for (const std::string path : {"/a/b/c.png", "/a/c/d.png", "/x.png", "a/b/c.png", "a/x/y/z", "/a/b"}) {
      if (folder == "." && path[0] != '/') continue;
      if (kPathStyle == PathStyle::windows && (folder[0] == '/') != (path[0] == '/')) continue;
      require_equal(folder + " " + path, path_from(folder, path),
                    std::filesystem::path(path).lexically_relative(folder));
    }
  }
  CHECK(path_from(".", "./skins/hero.png") == "skins/hero.png");
  CHECK(names_in("/a/./b//c.png") == std::vector<std::string_view>{"a", "b", "c.png"});
}

TEST_CASE("Windows paths have drives, servers and backslashes", "[path]") {
  constexpr PathStyle kWindows = PathStyle::windows;
  CHECK(normal_path("C:\\a\\.\\b\\..\\hero.pchr", kWindows) == "C:/a/hero.pchr");
  CHECK(normal_path("C:\\..", kWindows) == "C:/");
  CHECK(normal_path("C:..\\a", kWindows) == "C:../a");
  CHECK(normal_path("\\\\server\\share\\..\\a", kWindows) == "//server/a");
  CHECK(path_in("C:\\a", "hero.png", kWindows) == "C:\\a/hero.png");
  CHECK(path_in("C:\\a\\", "hero.png", kWindows) == "C:\\a\\hero.png");
  CHECK(path_in("C:\\a", "D:\\b", kWindows) == "D:\\b");
  CHECK(path_in("C:\\a", "\\b", kWindows) == "C:\\b");
  CHECK(path_in("C:", "a", kWindows) == "C:a");
  CHECK(path_in("a", "\\\\server\\b", kWindows) == "\\\\server\\b");
  CHECK(folder_of("C:\\a\\hero.png", kWindows) == "C:\\a");
  CHECK(folder_of("C:\\hero.png", kWindows) == "C:\\");
  CHECK(folder_of("C:\\", kWindows) == "C:\\");
  CHECK(folder_of("C:hero.png", kWindows) == "C:");
  CHECK(file_name_of("C:hero.png", kWindows) == "hero.png");
  CHECK(stem_of("a\\hero.left.png", kWindows) == "hero.left");
  CHECK(extension_of("a.b\\hero", kWindows).empty());
  CHECK(names_in("C:\\a\\b/c", kWindows) == std::vector<std::string_view>{"a", "b", "c"});
  CHECK(path_from("C:\\a\\b", "C:\\a\\c\\hero.png", kWindows) == "../c/hero.png");
  CHECK(path_from("C:\\a", "D:\\a", kWindows).empty());
  CHECK(file_name_of("a\\b", PathStyle::posix) == "a\\b");
  CHECK(folder_of("C:/", PathStyle::posix) == "C:");
}

TEST_CASE("Windows reserves names for devices, with any extension and in any folder", "[path]") {
  for (const char* const name : {"CON", "nul", "Aux", "prn", "COM1", "lpt9", "com²", "NUL.png", "con .tar.gz",
                                 "folder/CON", "C:\\folder\\aux.txt", "CONIN$", "nul:"}) {
    INFO(name);
    CHECK(is_device_name(name, PathStyle::windows));
  }
  for (const char* const name : {"", "CONNECT", "COM", "COM10", "COMX", "xCON", "a.CON", "CON/hero.png", "NULL",
                                 "\\\\.\\NUL", "\\\\?\\C:\\NUL"}) {
    INFO(name);
    CHECK_FALSE(is_device_name(name, PathStyle::windows));
  }
}

}  // namespace file_path_test
