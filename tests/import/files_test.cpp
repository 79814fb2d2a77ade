// SPDX-License-Identifier: MIT
// Files near a character, their names and formats: found in the file system, not downloaded by Git LFS, or not in the
// file system at all.
#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/load.hpp"
#include "support/psk.hpp"

#include "import/files.hpp"
#include "platform/utf8_path.hpp"

#include <pchr/image.hpp>
#include <pchr/import/import.hpp>
#include <pchr/import/save.hpp>
#include <pchr/load.hpp>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace files_test {
using namespace pchr;
using namespace pchr::test;
namespace fs = std::filesystem;

namespace {

void make_file(const fs::path& path) {
  fs::create_directories(path.parent_path());
  test::write_file(path, {});
}

/// Returns whether find_names() finds only the file at `expected`.
bool finds(const fs::path& folder, std::string_view path, const fs::path& expected) {
  const auto found = find_names(test::utf8_of(folder), path, {});
  return found.size() == 1 && fs::equivalent(path_from_utf8(found.front()), expected);
}

bool finds_nothing(const fs::path& folder, std::string_view path) {
  return find_names(test::utf8_of(folder), path, {}).empty();
}

constexpr std::string_view kPointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 12345\n";
constexpr const char* kDetail = "the file is a Git LFS pointer, which git lfs pull replaces with the file";

void write(const fs::path& path, std::string_view text) { write_file(path, std::as_bytes(std::span(text))); }

template <class Result>
void check_pointer(const Result& result) {
  REQUIRE_FALSE(result);
  CHECK(result.error().id == DiagnosticId::git_lfs_pointer);
  CHECK_THAT(result.error().detail, contains(kDetail));
}

/// Checks that the only warning names the pointer and the command.
void check_warning(const Character& character, DiagnosticId id) {
  REQUIRE(character.warnings().size() == 1);
  CHECK(character.warnings()[0].id == id);
  CHECK_THAT(character.warnings()[0].detail, contains(kDetail));
}

/// A pack of files with paths that do not exist in the file system.
struct Pack {
  std::map<std::string, test::Bytes> files{};
  std::vector<std::string> read{};  ///< Paths that were asked for, including those of missing files.

  Expected<std::vector<std::byte>, std::string> operator()(const std::string& path) {
    read.push_back(path);
    const auto file = files.find(path);
    if (file == files.end()) return Unexpected<std::string>("the pack has no such file");
    return file->second;
  }
  [[nodiscard]] std::vector<std::string> list(const std::string& folder) const {
    const std::string prefix = folder.empty() ? "" : folder + "/";
    std::vector<std::string> names;
    for (const auto& [path, bytes] : files) {
      if (!path.starts_with(prefix)) continue;
      const std::string rest = path.substr(prefix.size());
      const std::string name = rest.substr(0, rest.find('/') + 1);
      names.push_back(name.empty() ? rest : name);
    }
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
  }
  void add_folder(const fs::path& folder, const std::string& as) {
    for (const auto& entry : fs::directory_iterator(folder)) {
      if (entry.is_regular_file()) files[as + entry.path().filename().string()] = test::read_file(entry.path());
    }
  }
  [[nodiscard]] bool was_read(const std::string& path) const { return std::ranges::count(read, path) > 0; }
};

std::vector<std::string> described_warnings(const Character& character) {
  std::vector<std::string> result;
  for (const Diagnostic& warning : character.warnings()) result.push_back(describe(warning, "file"));
  return result;
}

}  // namespace

TEST_CASE("the table of formats gives dialogs and messages their lists", "[formats]") {
  CHECK(list_extensions("or") == ".pchr, .json, .chp, .px, .aseprite, .psk or .glb");
  CHECK(list_extensions("and", true) ==
        ".pchr, .json, .skel, .atlas, .chp, .px, .aseprite, .ase, .psk, .pskx, .glb and .gltf");
  REQUIRE(input_formats().size() == 9);
  CHECK(input_formats()[5].title == "Pixquare artwork");
  CHECK(input_formats()[6].title == "Aseprite artwork");
  CHECK(input_formats()[7].extensions == std::vector<std::string>{".psk", ".pskx"});
  for (const char* const name : {"a.pchr", "folder/B.PSKX", "c.rig.px", ".json/d.json", "e.skel"})
    CHECK(has_character_name(name));
  for (const char* const name :
       {"", "pchr", "a.psa", "a.rig.json", "a.Markers.JSON", "a.px/b.png", "a_tex.json", "a_tex_1.json", "a.atlas"}) {
    CHECK_FALSE(has_character_name(name));
  }
}

TEST_CASE("a path stays inside its folder unless it is absolute, has a drive or climbs out", "[image_path]") {
  for (const char* const inside : {"a.bmp", "a/b.bmp", "a\\b.bmp", "./a.bmp", "a/../b.bmp", "a..b"}) {
    CHECK(stays_inside(inside));
  }
  for (const char* const outside : {"", "/a.bmp", "\\a.bmp", "c:a.bmp", "C:\\a.bmp", "../a.bmp", "a/../../b", ".."}) {
    CHECK_FALSE(stays_inside(outside));
  }
  CHECK_FALSE(stays_inside(std::string_view("a\0b", 3)));
}

TEST_CASE("a file is found with its folders and name in any case", "[image_path]") {
  const fs::path folder = test::fresh_folder("case");
  make_file(folder / "Sub" / "Body.BMP");
  make_file(folder / u8"ＡÄΩЯ.png");
  CHECK(finds(folder, "sub\\body.bmp", folder / "Sub" / "Body.BMP"));
  CHECK(finds(folder, "SUB/./BODY.bmp", folder / "Sub" / "Body.BMP"));
  CHECK(finds(folder, "ａäωя.PNG", folder / u8"ＡÄΩЯ.png"));
  CHECK(finds_nothing(folder, "sub"));
  CHECK(finds_nothing(folder, "sub/none.bmp"));
  CHECK(finds_nothing(folder, "../case/Sub/Body.BMP"));
  CHECK(finds_nothing(folder, "Sub/../Sub/Body.BMP"));
  CHECK(finds_nothing(folder, "sub/../sub/../../case/Sub/Body.BMP"));
}

TEST_CASE("Japanese names are found in the normal form of other systems", "[image_path]") {
  const fs::path folder = test::fresh_folder("japanese");
  make_file(folder / u8"か\u3099ハ\u309A.bmp");
  CHECK(finds(folder, "がパ.bmp", folder / u8"か\u3099ハ\u309A.bmp"));
}

TEST_CASE("a character, image or rig that is a Git LFS pointer is named, with the command", "[git_lfs]") {
  const fs::path folder = fresh_folder("git_lfs");
  for (const char* const name : {"hero.pchr", "hero.json", "hero.chp", "hero.psk", "hero.rig.json", "hero.png"}) {
    write(folder / name, kPointer);
  }
  for (const char* const name : {"hero.pchr", "hero.json", "hero.chp", "hero.psk"}) {
    check_pointer(load_character(folder / name));
  }
  const auto bytes = std::as_bytes(std::span(kPointer));
  check_pointer(pchr::load(bytes));
  check_pointer(pchr::load(test::utf8_of(folder / "hero.pchr")));
  check_pointer(import_character(bytes));
  check_pointer(load_png(test::utf8_of(folder / "hero.png")));
  const Character hero = load_character(asset("kiri.pchr")).value();
  check_pointer(load_rig(test::utf8_of(folder / "hero.rig.json"), hero));
  check_pointer(load_rig(bytes, hero));
  check_pointer(load_markers(bytes, hero));
  CHECK(hint(DiagnosticId::git_lfs_pointer).starts_with("Run git lfs pull"));
}

TEST_CASE("an image of a JSON character that is a Git LFS pointer is an error at its path", "[git_lfs]") {
  const fs::path folder = fresh_folder("git_lfs_image");
  const std::string json = read_text(fs::path(PCHR_DIAGNOSTICS_DIR) / "E127_image_unreadable.json");
  write(folder / "hero.json", json);
  write(folder / "missing.png", kPointer);
  const auto loaded = load_character(folder / "hero.json");
  check_pointer(loaded);
  CHECK(loaded.error().path == "images[0].path");
  CHECK(loaded.error().line == 5);
}

TEST_CASE("side files of characters without their own errors name the pointer in a warning", "[git_lfs]") {
  const fs::path folder = fresh_folder("git_lfs_side");
  write(folder / "folder.doc", "");
  write(folder / "one.bmp", kPointer);
  write(folder / "hero.chp", "#CharBMP one.bmp\n#02 0 0 2 1\n#Patern 1 02\n#Texture 1 02\n");
  check_warning(*load_character(folder / "hero.chp"), DiagnosticId::chp_image_unusable);
  write_file(folder / "koi.psk", bytes_of(small_psk()));
  write(folder / "koi.psa", kPointer);
  ImportOptions options;
  options.animations = {test::utf8_of(folder / "koi.psa")};
  check_warning(*load_character(folder / "koi.psk", options), DiagnosticId::psa_unusable);
}

TEST_CASE("a character, its markers and a PNG load from what read_file returns", "[own_files]") {
  Pack pack;
  const fs::path kiri = test::asset("kiri.pchr");
  pack.files["data/kiri.pchr"] = test::read_file(kiri);
  pack.files["data/kiri.rig.json"] = test::read_file(test::asset("kiri.rig.json"));
  pack.files["one.png"] = encode_png({1, 1, {1, 2, 3, 255}});
  const auto hero = load("data/kiri.pchr", {.read_file = pack});
  REQUIRE(hero);
  CHECK(hero->data() == load(kiri.string())->data());
  const auto markers = load_markers("data/kiri.rig.json", *hero, pack);
  REQUIRE(markers);
  CHECK(load_rig("data/kiri.rig.json", *hero, pack)->rig.springs.size() == 4);
  CHECK(markers->all().size() == load_markers(test::asset("kiri.rig.json").string(), *hero)->all().size());
  CHECK(load_png("one.png", {}, pack)->rgba == std::vector<std::uint8_t>{1, 2, 3, 255});
  CHECK(pack.read == std::vector<std::string>{"data/kiri.pchr", "data/kiri.rig.json", "data/kiri.rig.json", "one.png"});
}

TEST_CASE("the images of a JSON character are read from its folder in the pack", "[own_files]") {
  const Character kiri = load_character(test::asset("kiri.pchr")).value();
  const Saved saved = save(kiri, Format::json, "kiri").value();
  for (const std::string folder : {"", "deep/"}) {
    Pack pack;
    pack.files[folder + "kiri.json"] = saved.file.bytes;
    for (const SavedFile& image : saved.images) pack.files[folder + image.name] = image.bytes;
    ImportOptions options;
    options.read_file = pack;
    const auto loaded = load_character(folder + "kiri.json", options);
    REQUIRE(loaded);
    REQUIRE(loaded->images().size() == kiri.images().size());
    CHECK(decode_images(*loaded)->front().rgba == decode_images(kiri)->front().rgba);
    CHECK(pack.read.size() == 2 + kiri.images().size());  // Also the rig file.
  }
}

TEST_CASE("a Pomyu character finds its images in the pack", "[own_files]") {
  const fs::path file = test::asset("konpei/konpei.chp");
  const Character expected = load_character(file).value();
  for (const bool lists : {false, true}) {
    Pack pack;
    pack.add_folder(file.parent_path(), "chars/konpei/");
    const auto list = [&](const std::string& folder) { return pack.list(folder); };
    ImportOptions options;
    options.read_file = pack;
    if (lists) options.list_folder = list;
    const auto loaded = load_character("chars/konpei/konpei.chp", options);
    REQUIRE(loaded);
    CHECK(loaded->data() == expected.data());
    CHECK(described_warnings(*loaded) == described_warnings(expected));
  }
}

TEST_CASE("with list_folder, image names of a Pomyu character ignore case", "[own_files]") {
  Pack pack;
  const fs::path folder = test::asset("konpei");
  for (const auto& entry : fs::directory_iterator(folder)) {
    std::string name = entry.path().filename().string();
    std::ranges::transform(name, name.begin(),
                           [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
    pack.files[name] = test::read_file(entry.path());
  }
  const auto list = [&](const std::string& path) { return pack.list(path); };
  ImportOptions options;
  options.read_file = pack;
  options.list_folder = list;
  const auto loaded = load_character("KONPEI.CHP", options);
  REQUIRE(loaded);
  CHECK(loaded->data().images.size() == load_character(folder / "konpei.chp")->images().size());
}

TEST_CASE("an Unreal mesh finds its animations and textures in the pack if it can list folders", "[own_files]") {
  const fs::path mesh = test::asset("koi/koi.psk");
  const Character expected = load_character(mesh).value();
  REQUIRE_FALSE(expected.clips().empty());
  for (const std::string folder : {"", "export/Game/"}) {
    Pack pack;
    pack.add_folder(mesh.parent_path(), folder);
    const auto list = [&](const std::string& path) { return pack.list(path); };
    ImportOptions options;
    options.read_file = pack;
    options.list_folder = list;
    const auto loaded = load_character(folder + "koi.psk", options);
    REQUIRE(loaded);
    CHECK(loaded->data() == expected.data());
    CHECK(described_warnings(*loaded) == described_warnings(expected));
  }
}

TEST_CASE("without list_folder, an Unreal mesh gets the animations that it is given", "[own_files]") {
  const fs::path mesh = test::asset("koi/koi.psk");
  Pack pack;
  pack.add_folder(mesh.parent_path(), "fish/");
  ImportOptions options;
  options.read_file = pack;
  const auto bare = load_character("fish/koi.psk", options);
  REQUIRE(bare);
  CHECK(bare->clips().empty());
  options.animations = {"fish/koi.psa"};
  const auto animated = load_character("fish/koi.psk", options);
  REQUIRE(animated);
  CHECK(animated->clips().size() == load_character(mesh)->clips().size());
  CHECK(pack.was_read("fish/koi.psa"));
}

TEST_CASE("images that are given replace those that the names of a character lead to", "[own_files]") {
  const Character kiri = load_character(test::asset("kiri.pchr")).value();
  Saved saved = save(kiri, Format::json, "kiri").value();
  Pack pack;
  pack.files["kiri.json"] = saved.file.bytes;
  for (const SavedFile& image : saved.images) {
    pack.files[image.name] = {std::byte{1}};
    pack.files["elsewhere/" + image.name] = image.bytes;
  }
  ImportOptions options;
  options.read_file = pack;
  CHECK_FALSE(load_character("kiri.json", options));
  for (const SavedFile& image : saved.images) options.images.push_back("elsewhere/" + image.name);
  const auto from_file = load_character("kiri.json", options);
  REQUIRE(from_file);
  CHECK(decode_images(*from_file)->front().rgba == decode_images(kiri)->front().rgba);
  const auto from_memory = load_character(pack.files["kiri.json"], options);
  REQUIRE(from_memory);
  CHECK(from_memory->data() == from_file->data());
}

TEST_CASE("images that are given can have names in another case, and need no folder", "[own_files]") {
  for (const char* const name : {"konpei/konpei.chp", "koi/koi.psk"}) {
    const fs::path file = test::asset(name);
    const Character expected = load_character(file).value();
    Pack pack;
    ImportOptions options;
    options.read_file = pack;
    for (const auto& entry : fs::directory_iterator(file.parent_path())) {
      std::string given = entry.path().filename().string();
      if (entry.path().extension() == ".psa") {
        options.animations.push_back(given);
      } else {
        std::ranges::transform(given, given.begin(),
                               [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
        options.images.push_back("/given/" + given);
        given = "/given/" + given;
      }
      pack.files[given] = test::read_file(entry.path());
    }
    pack.files["only"] = test::read_file(file);
    const auto loaded = load_character("only", options);
    REQUIRE(loaded);
    REQUIRE(loaded->images().size() == expected.images().size());
    CHECK(decode_images(*loaded)->front().rgba == decode_images(expected)->front().rgba);
    CHECK(loaded->clips().size() == expected.clips().size());
  }
}

TEST_CASE("the reason that a file cannot be read is part of the error", "[own_files]") {
  Pack pack;
  const auto missing = load("nowhere.pchr", {.read_file = pack});
  REQUIRE_FALSE(missing);
  CHECK(missing.error().id == DiagnosticId::unreadable_file);
  CHECK_THAT(describe(missing.error(), "nowhere.pchr"), test::contains("the pack has no such file"));

  const Saved saved = save(load_character(test::asset("quad.pchr")).value(), Format::json, "quad").value();
  pack.files["quad.json"] = saved.file.bytes;
  ImportOptions options;
  options.read_file = pack;
  const auto without_image = load_character("quad.json", options);
  REQUIRE_FALSE(without_image);
  CHECK_THAT(describe(without_image.error(), "quad.json"), test::contains("the pack has no such file"));
}

TEST_CASE("limits apply to what read_file returns", "[own_files]") {
  Pack pack;
  pack.files["quad.pchr"] = test::read_file(test::asset("quad.pchr"));
  const std::uint64_t size = pack.files["quad.pchr"].size();
  CHECK(load("quad.pchr", {.limits = {.max_file_bytes = size}, .read_file = pack}));
  const auto too_large = load("quad.pchr", {.limits = {.max_file_bytes = size - 1}, .read_file = pack});
  REQUIRE_FALSE(too_large);
  CHECK(too_large.error().id == DiagnosticId::limit_exceeded);
}

TEST_CASE("a callback can be a function with a pointer to its data", "[own_files]") {
  const test::Bytes quad = test::read_file(test::asset("quad.pchr"));
  const auto read = [](void* user, const std::string&) -> Expected<std::vector<std::byte>, std::string> {
    return *static_cast<const test::Bytes*>(user);
  };
  const ReadFile reader(read, const_cast<test::Bytes*>(&quad));
  CHECK(load("any", {.read_file = reader}));
  CHECK_FALSE(ReadFile());
  // A callback refers to a function object, so a temporary one would be gone when it is called.
  STATIC_REQUIRE_FALSE(std::is_constructible_v<ReadFile, Pack>);
  STATIC_REQUIRE(std::is_constructible_v<ReadFile, Pack&>);
}

}  // namespace files_test
