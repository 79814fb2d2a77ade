// SPDX-License-Identifier: MIT
// Loading Pomyu characters: their images, and invalid input.
#include "support/bmp.hpp"
#include "support/catch.hpp"
#include "support/chp.hpp"
#include "support/files.hpp"
#include "support/load.hpp"
#include "support/image_files.hpp"
#include "support/png.hpp"

#include <pchr/image.hpp>
#include <pchr/load.hpp>

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace chp_load_test {
using namespace pchr;
namespace fs = std::filesystem;
using test::Bytes;

namespace {

/// Makes a BMP of two pixels (blue, green, red each) and two bytes of row padding.
Bytes two_pixels(std::vector<std::uint8_t> bgr) {
  bgr.resize(8);
  return test::bmp_of({40, 2, 1, 24, 0, 0, {}, bgr});
}

Bytes bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

Character loaded(const fs::path& folder, std::string_view text, const ImportOptions& options = {}) {
  test::write_file(folder / "a.chp", bytes_of(text));
  auto character = load_character(folder / "a.chp", options);
  REQUIRE(character);
  return *std::move(character);
}

std::vector<std::string> codes(const Character& character) {
  std::vector<std::string> result;
  for (const Diagnostic& diagnostic : character.warnings()) result.emplace_back(code(diagnostic.id));
  return result;
}

/// Returns the alpha of each pixel.
std::vector<int> alphas(const Image& image) {
  std::vector<int> result;
  for (std::size_t i = 3; i < image.bytes.size(); i += 4) result.push_back(std::to_integer<int>(image.bytes[i]));
  return result;
}

constexpr const char* kAnimation = "#02 0 0 2 1\n#Patern 1 02\n#Texture 1 02\n";

}  // namespace

TEST_CASE("the color of the bottom right pixel or black becomes transparent, depending on the file", "[chp]") {
  const fs::path folder = test::fresh_folder("keys");
  test::write_file(folder / "red_black.bmp", two_pixels({0, 0, 255, 0, 0, 0}));
  test::write_file(folder / "black_red.bmp", two_pixels({0, 0, 0, 0, 0, 255}));
  const std::string images =
      std::string(
          "#CharBMP black_red.bmp\n#CharTex red_black.bmp\n#CharFace black_red.bmp\n#SelectCG black_red.bmp\n") +
      kAnimation;
  using Alphas = std::vector<int>;
  const Character legacy = loaded(folder, images);
  CHECK(alphas(legacy.images()[0]) == Alphas{255, 0});
  CHECK(alphas(legacy.images()[1]) == Alphas{255, 0});
  CHECK(alphas(legacy.images()[2]) == Alphas{0, 255});
  CHECK(alphas(legacy.images()[3]) == Alphas{255, 255});
  const Character modern = loaded(folder, "#Data 16\n" + images);
  CHECK(alphas(modern.images()[0]) == Alphas{0, 255});
  const Character corner = loaded(folder, "#Data 16\n#AutoColorSet\n" + images);
  CHECK(alphas(corner.images()[0]) == Alphas{255, 0});
  CHECK(codes(corner).empty());
}

TEST_CASE("black_color_key makes black transparent in legacy characters without #AutoColorSet", "[chp]") {
  const fs::path folder = test::fresh_folder("black_key");
  test::write_file(folder / "black_red.bmp", two_pixels({0, 0, 0, 0, 0, 255}));
  const std::string text = std::string("#CharBMP black_red.bmp\n") + kAnimation;
  ImportOptions options;
  options.black_color_key = true;
  CHECK(alphas(loaded(folder, text, options).images()[0]) == std::vector<int>{0, 255});
  CHECK(alphas(loaded(folder, "#AutoColorSet\n" + text, options).images()[0]) == std::vector<int>{255, 0});
}

TEST_CASE("images can be JPEG, GIF, WebP and TGA files with any extension", "[chp]") {
  const fs::path folder = test::fresh_folder("encodings");
  const std::vector<std::uint8_t> rgba{1, 2, 3, 255, 4, 5, 6, 255}, rgb{255, 255, 255, 255, 255, 255}, indices{0, 1};
  test::write_file(folder / "a.bmp", test::jpeg_of(2, 1, rgb, {}));
  test::write_file(folder / "b.png", test::gif_of(2, 1, indices));
  test::write_file(folder / "c.jpg", test::webp_of(2, 1, rgba, true));
  test::write_file(folder / "d.gif", bytes_of(std::string("\0\0\2\0\0\0\0\0\0\0\0\0\2\0\1\0\x18\0abcdef", 24)));
  const Character character = loaded(
      folder, std::string("#Data 16\n#CharBMP a.bmp\n#CharTex b.png\n#CharFace c.jpg\n#SelectCG d.gif\n") + kAnimation);
  CHECK(codes(character).empty());
  REQUIRE(character.images().size() == 4);
  CHECK(character.images()[0].bytes[0] == std::byte{255});
  CHECK(character.images()[1].bytes[0] == std::byte{test::gif_color(0)[0]});
  CHECK(character.images()[2].bytes[5] == std::byte{5});
  CHECK(character.images()[3].bytes[0] == std::byte{'c'});
}

TEST_CASE("a PNG keeps its alpha, and the color key includes alpha", "[chp]") {
  const fs::path folder = test::fresh_folder("png");
  const std::vector<std::uint8_t> rgba{0, 0, 0, 255, 0, 0, 0, 128, 9, 9, 9, 255};
  test::write_file(folder / "alpha.bmp", test::png_of(3, 1, rgba));
  const Character character = loaded(folder, std::string("#Data 16\n#CharBMP ALPHA.BMP\n") + kAnimation);
  CHECK(alphas(character.images()[0]) == std::vector<int>{0, 128, 255});
  CHECK(character.images()[0].name == "ALPHA.BMP");
}

TEST_CASE("the second player uses its own images, or else those of the first", "[chp]") {
  const fs::path folder = test::fresh_folder("second");
  test::write_file(folder / "1.bmp", two_pixels({1, 1, 1}));
  test::write_file(folder / "2.bmp", two_pixels({2, 2, 2}));
  const std::string text =
      std::string("#Data 16\n#CharBMP 1.bmp\n#CharTex 1.bmp\n#CharBMP2P 2.bmp\n#CharTex2P none.bmp\n") + kAnimation;
  ImportOptions second;
  second.second_player = true;
  CHECK(loaded(folder, text).images()[0].name == "1.bmp");
  CHECK(codes(loaded(folder, text)).empty());
  const Character second_player = loaded(folder, text, second);
  CHECK(second_player.images()[0].name == "2.bmp");
  CHECK(second_player.images()[1].name == "1.bmp");
  CHECK(codes(second_player) == std::vector<std::string>{"W227"});
}

TEST_CASE("before_reading gets the path of each file as written, and the real one if it differs", "[chp]") {
  const fs::path folder = test::fresh_folder("reported");
  test::write_file(folder / "One.bmp", two_pixels({1, 1, 1}));
  std::vector<fs::path> reported;
  ImportOptions options;
  options.uses_rig = false;
  const auto announce = [&](const fs::path& file) { reported.push_back(file); };
  options.before_reading = announce;
  static_cast<void>(loaded(folder, std::string("#CharBMP one.BMP\n#CharTex none.bmp\n") + kAnimation, options));
  const std::vector<fs::path> expected = {folder / "a.chp", folder / "one.BMP", folder / "One.bmp",
                                          folder / "none.bmp"};
  // On Windows, the file has both names.
  CHECK((reported == expected || fs::exists(folder / "one.BMP")));
}

TEST_CASE("before_listing gets the folders in which a name was not found as written", "[chp]") {
  const fs::path folder = test::fresh_folder("listed");
  test::write_file(folder / "One.bmp", two_pixels({1, 1, 1}));
  std::set<fs::path> listed;
  ImportOptions options;
  const auto announce = [&](const fs::path& path) { listed.insert(path); };
  options.before_listing = announce;
  static_cast<void>(loaded(folder, std::string("#CharBMP One.bmp\n") + kAnimation, options));
  CHECK(listed.empty());
  static_cast<void>(loaded(folder, std::string("#CharBMP one.BMP\n#CharTex none.bmp\n") + kAnimation, options));
  CHECK(listed == std::set<fs::path>{folder});
}

TEST_CASE("an unusable image causes a warning, and its sprites are omitted", "[chp]") {
  const fs::path folder = test::fresh_folder("unusable");
  test::write_file(folder / "b.gif", bytes_of("GIF89a"));
  test::write_file(folder / "one.bmp", two_pixels({1, 1, 1}));
  fs::create_directories(folder / "dir.bmp");
  test::write_file(folder.parent_path() / "outside.bmp", two_pixels({1, 1, 1}));
  for (const char* const path : {"none.bmp", "b.gif", "dir.bmp", "../outside.bmp", "/etc/passwd", "c:\\a.bmp"}) {
    INFO(path);
    const Character character =
        loaded(folder, std::string("#Data 16\n#CharTex one.bmp\n#CharBMP ") + path + "\n" + kAnimation);
    CHECK(codes(character) == std::vector<std::string>{"W227"});
    CHECK(character.warnings()[0].line == 3);
    CHECK(character.warnings()[0].column == 10);
    CHECK(character.meshes().size() == 1);
  }
}

TEST_CASE("repeated spaces in a path also match single ones", "[chp]") {
  const fs::path folder = test::fresh_folder("blanks");
  test::write_file(folder / "a b.bmp", two_pixels({1, 1, 1}));
  CHECK(codes(loaded(folder, std::string("#CharBMP a   b.bmp\n") + kAnimation)).empty());
}

TEST_CASE("all images share the limit of pixels", "[chp]") {
  const fs::path folder = test::fresh_folder("limit");
  test::write_file(folder / "1.bmp", two_pixels({1, 1, 1}));
  ImportOptions options;
  options.limits.max_image_pixels = 3;
  const Character character = loaded(folder, std::string("#CharBMP 1.bmp\n#CharTex 1.bmp\n") + kAnimation, options);
  CHECK(character.images().size() == 1);
  CHECK(codes(character) == std::vector<std::string>{"W227"});
}

TEST_CASE("a character from memory has animations but no images", "[chp]") {
  const auto character = load_character(bytes_of(std::string("#CharBMP 1.bmp\n") + kAnimation));
  REQUIRE(character);
  CHECK(character->clips().size() == 1);
  CHECK(character->meshes().empty());
  CHECK(codes(*character) == std::vector<std::string>{"W227"});
}

TEST_CASE("text without commands is only a character if its file name says so", "[chp]") {
  const fs::path folder = test::fresh_folder("empty");
  CHECK(codes(loaded(folder, "\r\n")) == std::vector<std::string>{"W229"});
  CHECK(load_character(bytes_of("\r\n")).error().id == DiagnosticId::unknown_format);
  CHECK(load_character(bytes_of("#!/bin/sh\n#02 1\n")).error().id == DiagnosticId::unknown_format);
  CHECK(load_character(bytes_of("# a heading\n#size 1\n")));
}

TEST_CASE("a file that is not text is rejected", "[chp]") {
  const fs::path folder = test::fresh_folder("binary");
  Bytes bytes;
  for (int i = 0; i < 5000; ++i) bytes.push_back(static_cast<std::byte>(i * i % 31));
  test::write_file(folder / "a.chp", bytes);
  CHECK(load_character(folder / "a.chp").error().id == DiagnosticId::not_text);
  ImportOptions options;
  options.text_encoding = "no such thing";
  test::write_file(folder / "a.chp", bytes_of(kAnimation));
  CHECK(load_character(folder / "a.chp", options).error().id == DiagnosticId::unknown_encoding);
}

TEST_CASE("the text encoding can be specified", "[chp]") {
  ImportOptions options;
  options.text_encoding = "EUC-KR";
  const auto character = load_character(bytes_of("#CharName \xB0\xA1\n#Size 1 1\n"), options);
  REQUIRE(character);
  CHECK(character->file.title == "가");
}

TEST_CASE("text beyond 1 MiB is ignored", "[chp]") {
  std::string text = "#CharName a\n//" + std::string(1 << 20, '-') + "\n#CharName b\n";
  const auto character = load_character(bytes_of(text));
  REQUIRE(character);
  CHECK(character->file.title == "a");
  CHECK(codes(*character) == std::vector<std::string>{"W226", "W229"});
}

TEST_CASE("every prefix of a character loads", "[chp]") {
  const fs::path folder = test::fresh_folder("prefix");
  test::write_file(folder / "1.bmp", two_pixels({1, 1, 1}));
  const std::string whole =
      "\xEF\xBB\xBF#CharBMP 1.bmp // \xE3\x81\x82\n#CharTex 1.bmp\r\n#Anime 30\n#Size 9 9\n#Data 16\n#02 0 0 2 1\n"
      "#A0 1 1 -3 3\n#A1 9 9 20 20\n#Patern 1 02--02 A0--A1\n#Texture 14 02 A0 FF 80\n#Loop 1 1\n#Flame 1 20";
  for (std::size_t size = 1; size <= whole.size(); ++size) {
    INFO(size << " bytes");
    const Character character = loaded(folder, std::string_view(whole).substr(0, size));
    CHECK(decode_images(character));
  }
}

TEST_CASE("characters that would take too long or too much memory use larger steps or are rejected", "[chp]") {
  std::string text = "#CharBMP 1.bmp\n#Data 16\n#Anime 10000\n#02 0 0 2 1\n#03 0 0 2147483647 2147483647\n";
  for (int line = 0; line < 200; ++line) {
    text += "#Patern " + std::to_string(line % 18 + 1) + " ";
    for (int pair = 0; pair < 500; ++pair) text += "02--";
    text += "02 02";
    for (int pair = 0; pair < 1000; ++pair) text += pair % 2 == 0 ? "--" : "03";
    text += "\n";
  }
  const fs::path folder = test::fresh_folder("bomb");
  test::write_file(folder / "1.bmp", two_pixels({1, 1, 1}));
  const Character character = loaded(folder, text);
  std::size_t samples = 0;
  for (const Clip& clip : character.clips()) samples += clip.samples.x.size();
  CHECK(samples <= ImportOptions().limits.max_bone_samples);
  ImportOptions options;
  options.limits.max_bone_samples = 1000;
  CHECK(load_character(folder / "a.chp", options).error().id == DiagnosticId::limit_exceeded);
}

}  // namespace chp_load_test
