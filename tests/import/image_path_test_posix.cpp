// SPDX-License-Identifier: MIT
// Files near a character that Windows does not have: names that are equal except for case, names in another encoding,
// and pipes.
#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/folder.hpp"
#include "support/load.hpp"
#include "support/png.hpp"
#include "support/psk.hpp"

#include "import/files.hpp"
#include "platform/files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/inotify.h>
#endif

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace image_path_test_posix {
using namespace pchr;
using test::Bytes;
namespace fs = std::filesystem;

namespace {

fs::path folder_with(std::initializer_list<const char*> names) {
  const fs::path folder = test::fresh_folder("image_path");
  for (const char* const name : names) test::write_file(folder / name, {});
  return folder;
}

std::vector<std::string> names_of(const std::vector<std::string>& paths) {
  std::vector<std::string> names;
  for (const std::string& path : paths) names.emplace_back(fs::path(path).filename().string());
  return names;
}

Bytes bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

using Files = std::map<std::string, Bytes>;

/// Characters of all formats that name other files, each with the file that is opened.
std::map<std::string, Files> characters() {
  const Bytes png = test::png_of(2, 1, std::vector<std::uint8_t>(8, 255));
  std::map<std::string, Files> all;
  all["hero.json"] = {
      {"hero.json",
       bytes_of(
           R"({"version": 1, "fps": 30, "images": [{"name": "a", "path": "parts/a.png", "width": 2, "height": 1}],)"
           R"( "bones": [], "meshes": [], "animations": []})")},
      {"parts/a.png", png}};
  Files& akari = all["akari_ske.json"];
  for (const char* const name : {"akari_ske.json", "akari_tex.json", "akari_tex.png"}) {
    akari[name] = test::read_file(test::asset(std::string("akari/") + name));
  }
  Files& tako = all["tako.json"];
  for (const char* const name : {"tako.json", "tako.atlas", "tako.png"}) {
    tako[name] = test::read_file(test::asset(std::string("tako/") + name));
  }
  all["hero.gltf"] = {
      {"hero.gltf",
       bytes_of(R"({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],)"
                R"( "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "material": 0}]}],)"
                R"( "materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}],)"
                R"( "textures": [{"source": 0}], "images": [{"uri": "skin.png"}],)"
                R"( "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],)"
                R"( "bufferViews": [{"buffer": 0, "byteLength": 36}],)"
                R"( "buffers": [{"uri": "hero.bin", "byteLength": 36}]})")},
      {"hero.bin", Bytes(36)},
      {"skin.png", png}};
  all["hero.chp"] = {{"hero.chp", bytes_of("#CharBMP parts/a.png\n#Patern 1 00\n")}, {"parts/a.png", png}};
  return all;
}

std::string with_other_case(std::string name) {
  for (char& letter : name) {
    const bool is_lower = letter >= 'a' && letter <= 'z';
    if (is_lower) letter = static_cast<char>(letter - 'a' + 'A');
  }
  return name;
}

fs::path written(const Files& files) {
  const fs::path folder = test::fresh_folder("case");
  for (const auto& [name, bytes] : files) {
    fs::create_directories((folder / name).parent_path());
    test::write_file(folder / name, bytes);
  }
  return folder;
}

/// Returns the warnings and the error about files, as text.
std::vector<std::string> problems_of(const Expected<Imported, LoadError>& imported) {
  if (!imported) return {fmt::format("{}: {}", code(imported.error().id), describe(imported.error()))};
  std::vector<std::string> problems;
  for (const Diagnostic& warning : imported->character.warnings()) {
    const DiagnosticId id = warning.id;
    const bool is_about_files = id == DiagnosticId::name_differs_in_case || id == DiagnosticId::image_absent ||
                                id == DiagnosticId::chp_image_unusable;
    if (is_about_files) problems.push_back(fmt::format("{}: {}", code(id), describe(warning)));
  }
  return problems;
}

}  // namespace

TEST_CASE("an exact name is preferred, and otherwise all that differ in case are found", "[image_path]") {
  const fs::path folder = folder_with({"A.bmp", "a.bmp"});
  CHECK(names_of(find_names(folder, "a.bmp")) == std::vector<std::string>{"a.bmp"});
  CHECK(names_of(find_names(folder, "A.bmp")) == std::vector<std::string>{"A.bmp"});
  CHECK(names_of(find_names(folder, "a.BMP")) == std::vector<std::string>{"A.bmp", "a.bmp"});
}

TEST_CASE("Japanese names are found in the encodings of other systems", "[image_path]") {
  const fs::path folder = folder_with({"\x95\x5C.bmp"});
  CHECK(find_names(folder, "表.BMP").size() == 1);
  CHECK(find_names(folder, "表.BMP", {{.text_encoding = "UTF-8"}}).size() == 1);
  CHECK(find_names(folder, "表.BMP", {{.text_encoding = "CP949"}}).empty());
}

TEST_CASE("files of every format are found if their names differ in case, with a warning", "[image_path]") {
  for (const auto& [opened, files] : characters()) {
    INFO(opened);
    CHECK(problems_of(import_character((written(files) / opened).string())).empty());
    Files renamed;
    for (const auto& [name, bytes] : files) renamed[name == opened ? name : with_other_case(name)] = bytes;
    const auto problems = problems_of(import_character((written(renamed) / opened).string()));
    CHECK(problems.size() == files.size() - 1);
    for (const auto& [name, bytes] : files) {
      if (name == opened) continue;
      const std::string warning = fmt::format("W278: the file \"{}\" was found as \"{}\"", name, with_other_case(name));
      // The atlas of DragonBones and Spine is found by the name of the skeleton.
      CHECK(std::ranges::count(problems, warning) == 1);
    }
    // The same without a file system.
    test::Folder pack;
    pack.files = renamed;
    const auto list = [&](const std::string& of) {
      std::vector<std::string> names;
      for (const auto& [name, bytes] : pack.files) {
        const std::string parent = fs::path(name).parent_path().string();
        if (parent == of) names.push_back(fs::path(name).filename().string());
        if (of.empty() && !parent.empty()) names.push_back(parent + "/");
      }
      return names;
    };
    ImportOptions listing;
    listing.list_folder = list;
    CHECK(problems_of(pack.import(opened, listing)) == problems);
    // Files that are given may have any case, too.
    ImportOptions options;
    const fs::path folder = written(renamed);
    for (const auto& [name, bytes] : renamed) options.images.push_back((folder / name).string());
    options.image_folder = folder_with({}).string();
    CHECK(problems_of(import_character((folder / opened).string(), options)).size() == files.size() - 1);
  }
}

TEST_CASE("no file is chosen if several differ in case, and an exact one wins", "[image_path]") {
  for (const auto& [opened, files] : characters()) {
    for (const auto& [name, bytes] : files) {
      if (name == opened) continue;
      INFO(opened << ", " << name);
      Files renamed = files;
      renamed.erase(name);
      const auto with_case_of = [&](std::size_t letter) {
        std::string other = name;
        const std::size_t at = name.rfind('/') + 1 + letter;  // npos + 1 is 0
        other[at] = with_other_case(name)[at];
        return other;
      };
      renamed[with_case_of(0)] = renamed[with_case_of(name.ends_with("a.png") ? 2 : 1)] = bytes;
      const auto problems = problems_of(import_character((written(renamed) / opened).string()));
      REQUIRE(problems.size() == 1);
      CHECK_THAT(problems[0], test::contains("have this name in different case"));
      renamed[name] = bytes;
      CHECK(problems_of(import_character((written(renamed) / opened).string())).empty());
    }
  }
}

TEST_CASE("a folder is listed once for all missing files of a character", "[image_path]") {
  const Files files = characters()["tako.json"];
  const fs::path folder = written(files);
  std::string atlas = test::read_text(folder / "tako.atlas");
  for (int page = 0; page < 100; ++page)
    atlas += fmt::format("\n\nnone{}.png\nsize: 8, 8\nnone{}\nbounds: 0, 0, 8, 8\n", page, page);
  test::write_file(folder / "tako.atlas", bytes_of(atlas));
  std::size_t listed = 0;
  const auto note = [&](const std::string&) { ++listed; };
  ImportOptions options;
  options.before_listing = note;
  const auto imported = import_character((folder / "tako.json").string(), options);
  REQUIRE(imported);
  CHECK(problems_of(imported).size() == 16);
  CHECK(listed == 1);
}

TEST_CASE("a folder that leads elsewhere is not searched for names in other case", "[image_path][links]") {
  Files files = characters()["hero.json"];
  const Bytes png = files["parts/a.png"];
  files.erase("parts/a.png");
  const fs::path folder = written(files), elsewhere = folder.parent_path() / "case_elsewhere";
  fs::create_directories(elsewhere);
  test::write_file(elsewhere / "A.PNG", png);
  fs::create_directory_symlink(elsewhere, folder / "parts");
  const std::string path = (folder / "hero.json").string();
  std::vector<std::string> listed;
  ImportOptions options;
  const auto note = [&](const std::string& each) { listed.push_back(each); };
  options.before_listing = note;
  CHECK(import_character(path, options).error().id == DiagnosticId::image_unreadable);
  CHECK(listed == std::vector<std::string>{folder.string()});
  options.follow_links = true;
  CHECK(import_character(path, options));
  fs::remove_all(elsewhere);
}

TEST_CASE("a pipe in place of a file is named in every format", "[image_path]") {
  for (const auto& [opened, files] : characters()) {
    for (const auto& [name, bytes] : files) {
      if (name == opened) continue;
      INFO(opened << ", " << name);
      const fs::path folder = written(files);
      fs::remove(folder / name);
      REQUIRE(mkfifo((folder / name).c_str(), 0600) == 0);
      const auto problems = problems_of(import_character((folder / opened).string()));
      REQUIRE(problems.size() == 1);
      CHECK_THAT(problems[0], test::contains("the file is not a regular file"));
    }
  }
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
