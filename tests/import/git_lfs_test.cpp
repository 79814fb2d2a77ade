// SPDX-License-Identifier: MIT
// Files that Git LFS did not download.
#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/load.hpp"
#include "support/psk.hpp"

#include <pchr/image.hpp>
#include <pchr/load.hpp>
#include <pchr/import/import.hpp>

namespace git_lfs_test {
using namespace pchr;
using namespace pchr::test;
namespace fs = std::filesystem;

namespace {

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

}  // namespace

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
  check_pointer(pchr::load(utf8_of(folder / "hero.pchr")));
  check_pointer(import_character(bytes));
  check_pointer(load_png(utf8_of(folder / "hero.png")));
  const Character hero = load_character(asset("kiri.pchr")).value();
  check_pointer(load_rig(utf8_of(folder / "hero.rig.json"), hero));
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
  options.animations = {utf8_of(folder / "koi.psa")};
  check_warning(*load_character(folder / "koi.psk", options), DiagnosticId::psa_unusable);
}

}  // namespace git_lfs_test
