// SPDX-License-Identifier: MIT
#include "support/catch.hpp"

#include "platform/file_path.hpp"

#include <filesystem>

namespace file_path_test {
using namespace pchr;

namespace {

/// Calls `check` for all paths of up to 7 of these characters: their digits in base 5, where 0 is no character.
template <typename Check>
void for_all_paths(const Check& check) {
  constexpr std::string_view kLetters = "/.ab";
  std::string path;
  for (std::uint32_t number = 0; number < 78125; ++number) {
    path.clear();
    for (std::uint32_t rest = number; rest > 0; rest /= 5) {
      if (rest % 5 > 0) path += kLetters[rest % 5 - 1];
    }
    check(path);
  }
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
    require_equal(path, normal_path(path), std::filesystem::path(path).lexically_normal());
  });
  CHECK(normal_path("one/./two/../three.png") == "one/three.png");
}

TEST_CASE("paths are split and joined as the standard library does", "[path]") {
  for_all_paths([](const std::string& path) {
    // Some systems give two slashes a meaning.
    if (path.starts_with("//")) return;
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
      require_equal(folder + " " + path, path_from(folder, path),
                    std::filesystem::path(path).lexically_relative(folder));
    }
  }
  CHECK(path_from(".", "./skins/hero.png") == "skins/hero.png");
  CHECK(names_in("/a/./b//c.png") == std::vector<std::string_view>{"a", "b", "c.png"});
}

}  // namespace file_path_test
