// SPDX-License-Identifier: MIT
// Files that belong to a character and are symbolic links.
#include "support/bmp.hpp"
#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/png.hpp"
#include "support/psk.hpp"
#include "support/scenes.hpp"

#include "platform/files.hpp"

#include <pchr/import/import.hpp>
#include <pchr/import/save.hpp>

#include <algorithm>
#include <filesystem>
#include <string>

namespace links_test_posix {
using namespace pchr;
namespace fs = std::filesystem;

namespace {

void write(const fs::path& path, std::string_view text) { test::write_file(path, std::as_bytes(std::span(text))); }

/// Folders `in`, with the character `hero.json` and its image, and `out`.
struct Folders {
  fs::path in = test::fresh_folder("links") / "in", out = in.parent_path() / "out";
  fs::path image = in / "hero.arm.png";

  Folders() {
    fs::create_directories(in);
    fs::create_directories(out);
    // Exports end here, so that no mesh finds files of another test.
    write(in.parent_path() / "end.doc", "");
    const Saved saved = save(Character::build(test::two_bone_arm()).value(), Format::json, "hero").value();
    test::write_file(in / saved.file.name, saved.file.bytes);
    for (const SavedFile& file : saved.images) test::write_file(in / file.name, file.bytes);
    REQUIRE(fs::exists(image));
  }
  /// Moves a file and leaves a link to it.
  static void move(const fs::path& from, const fs::path& to) {
    fs::rename(from, to);
    fs::create_symlink(to, from);
  }
};

std::optional<DiagnosticId> error_of(const fs::path& path, const ImportOptions& options = {}) {
  const auto imported = import_character(path.string(), options);
  return imported ? std::nullopt : std::optional(imported.error().id);
}

std::vector<std::string> codes_of(const fs::path& path, const ImportOptions& options = {}) {
  std::vector<std::string> codes;
  const auto imported = import_character(path.string(), options);
  REQUIRE(imported);
  for (const Diagnostic& warning : imported->character.warnings()) codes.emplace_back(code(warning.id));
  return codes;
}

ImportOptions following() {
  ImportOptions options;
  options.follow_links = true;
  return options;
}

}  // namespace

TEST_CASE("an image behind a link out of the character's folder is refused unless links are followed", "[links]") {
  const Folders folders;
  Folders::move(folders.image, folders.out / "secret.png");
  const auto refused = import_character((folders.in / "hero.json").string());
  REQUIRE_FALSE(refused);
  CHECK(refused.error().id == DiagnosticId::link_outside);
  CHECK(refused.error().path == "images[0].path");
  CHECK(refused.error().detail == "is \"hero.arm.png\", but the file is a link to outside the character's folder");
  CHECK(refused.error().line > 0);
  CHECK_FALSE(error_of(folders.in / "hero.json", following()));
  ImportOptions outside;
  outside.allow_images_outside = true;
  CHECK_FALSE(error_of(folders.in / "hero.json", outside));
  ImportOptions named;
  named.images = {folders.image.string()};
  CHECK_FALSE(error_of(folders.in / "hero.json", named));
}

TEST_CASE("a linked folder leads out of the character's folder, too", "[links]") {
  const Folders folders;
  fs::create_directory_symlink(folders.out, folders.in / "linked");
  fs::rename(folders.image, folders.out / "secret.png");
  std::string text = test::read_text(folders.in / "hero.json");
  const std::string name = "hero.arm.png";
  text.replace(text.find(name), name.size(), "linked/secret.png");
  write(folders.in / "hero.json", text);
  CHECK(error_of(folders.in / "hero.json") == DiagnosticId::link_outside);
  CHECK_FALSE(error_of(folders.in / "hero.json", following()));
}

TEST_CASE("a link to a file in the character's folder or below it is followed", "[links]") {
  const Folders folders;
  fs::create_directory(folders.in / "store");
  Folders::move(folders.image, folders.in / "store" / "1234");
  CHECK_FALSE(error_of(folders.in / "hero.json"));
  // The folder of the character can be a link itself, or named in another way.
  fs::create_directory_symlink(folders.in, folders.out / "in");
  CHECK_FALSE(error_of(folders.out / "in" / "hero.json"));
  CHECK_FALSE(error_of(folders.out / ".." / "in" / "hero.json"));
  ImportOptions elsewhere;
  elsewhere.image_folder = (folders.out / "in").string();
  fs::rename(folders.in / "hero.json", folders.out / "hero.json");
  CHECK_FALSE(error_of(folders.out / "hero.json", elsewhere));
}

TEST_CASE("build systems can link every file of a character into another folder", "[links]") {
  const Folders folders;
  write(folders.in / "hero.rig.json", R"({"wind": [1, 2]})");
  for (const auto& entry : fs::directory_iterator(folders.in)) {
    fs::create_symlink(entry.path(), folders.out / entry.path().filename());
  }
  CHECK_FALSE(error_of(folders.out / "hero.json"));
  const Character hero = import_character((folders.out / "hero.json").string())->character;
  CHECK(load_sidecar((folders.out / "hero.json").string(), hero)->rig.wind.x == 1);
}

TEST_CASE("a folder whose name begins like the character's folder is another one", "[links]") {
  const Folders folders;
  fs::create_directory(folders.in.string() + "side");
  Folders::move(folders.image, folders.in.string() + "side/secret.png");
  CHECK(error_of(folders.in / "hero.json") == DiagnosticId::link_outside);
  CHECK(is_below(std::vector<std::string>{"/"}, "/a"));
  CHECK(is_below(std::vector<std::string>{"/a", "/b"}, "/b/c"));
  CHECK_FALSE(is_below(std::vector<std::string>{"/a"}, "/a"));
  CHECK_FALSE(is_below(std::vector<std::string>{""}, "/a"));
}

TEST_CASE("a linked rig next to a character is refused, but one that the user named is read", "[links]") {
  const Folders folders;
  write(folders.out / "secret.json", R"({"wind": [1, 2]})");
  fs::create_symlink(folders.out / "secret.json", folders.in / "hero.rig.json");
  const std::string path = (folders.in / "hero.json").string();
  const Character hero = import_character(path)->character;
  const auto refused = load_sidecar(path, hero);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().id == DiagnosticId::link_outside);
  CHECK(load_sidecar(path, hero, true)->rig.wind.x == 1);
  CHECK(load_rig(rig_path(path), hero)->rig.wind.x == 1);
}

TEST_CASE("a character without a rig next to it has an empty one", "[links]") {
  const Folders folders;
  const std::string path = (folders.in / "hero.json").string();
  const auto sidecar = load_sidecar(path, import_character(path)->character);
  REQUIRE(sidecar);
  CHECK(sidecar->markers.all().empty());
}

TEST_CASE("an image of a Pomyu character behind a link out of its folder is an error", "[links][chp]") {
  const Folders folders;
  const fs::path chp = folders.in / "a.chp";
  write(chp, "#Data 16\n#CharBMP body.bmp\n#02 0 0 2 1\n#Patern 1 02\n#Texture 1 02\n");
  test::write_file(folders.in / "Body.bmp", test::bmp_of({40, 2, 1, 24, 0, 0, {}, std::vector<std::uint8_t>(8, 9)}));
  CHECK(codes_of(chp) == std::vector<std::string>{"W278"});
  Folders::move(folders.in / "Body.bmp", folders.out / "secret.bmp");
  const auto refused = import_character(chp.string());
  REQUIRE_FALSE(refused);
  CHECK(refused.error().id == DiagnosticId::link_outside);
  CHECK(refused.error().line == 2);
  CHECK(codes_of(chp, following()) == std::vector<std::string>{"W278"});
}

TEST_CASE("links that lead an Unreal mesh out of the folders that were searched are not used", "[links][psk]") {
  const Folders folders;
  const fs::path mesh = folders.in / "Hero.psk";
  test::write_file(mesh, test::bytes_of(test::boxes_psk({{"skin", {-1, -1, 0}, {1, 1, 6}}})));
  test::write_file(folders.out / "secret.png", test::png_of(1, 1, std::vector<std::uint8_t>(4, 255)));
  test::write_file(folders.out / "secret.psa", test::bytes_of(test::small_psa()));
  fs::create_symlink(folders.out / "secret.png", folders.in / "skin.png");
  fs::create_symlink(folders.out / "secret.psa", folders.in / "HeroAnims.psa");
  CHECK(codes_of(mesh) == std::vector<std::string>{"W257", "W261"});
  const auto imported = import_character(mesh.string());
  for (const Diagnostic& warning : imported->character.warnings()) {
    CHECK_THAT(warning.detail, test::contains("the file is a link to outside the character's folder"));
  }
  CHECK(codes_of(mesh, following()).empty());
  ImportOptions named;
  named.animations = {(folders.in / "HeroAnims.psa").string()};
  named.images = {(folders.in / "skin.png").string()};
  CHECK(codes_of(mesh, named).empty());
  // All files are links into one folder.
  fs::rename(mesh, folders.out / "Hero.psk");
  fs::create_symlink(folders.out / "Hero.psk", mesh);
  CHECK(codes_of(mesh).empty());
}

TEST_CASE("files from the program's own reader are not checked", "[links]") {
  const Folders folders;
  Folders::move(folders.image, folders.out / "secret.png");
  const auto read = [](const std::string& path) -> Expected<std::vector<std::byte>, std::string> {
    if (!fs::exists(path)) return Unexpected<std::string>("there is no such file");
    return test::read_file(path);
  };
  ImportOptions options;
  options.read_file = read;
  CHECK_FALSE(error_of(folders.in / "hero.json", options));
}

}  // namespace links_test_posix
