// SPDX-License-Identifier: MIT
// `pchr` with Pomyu characters.
#include "tool.hpp"

#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/png.hpp"

#include <simdjson.h>

#include <filesystem>
#include <string>

namespace chp_test {
namespace {

using namespace pchr::test;

/// A red square of 8 pixels at the top left of 16 x 16; green for the second player.
std::string square() {
  const std::filesystem::path folder = output("tools/chp/black.png").parent_path();
  std::filesystem::create_directories(folder);
  std::vector<std::uint8_t> red, green;
  for (int i = 0; i < 64; ++i) {
    red.insert(red.end(), {255, 0, 0, 255});
    green.insert(green.end(), {0, 255, 0, 255});
  }
  write_file(folder / "Red.png", png_of(8, 8, red));
  write_file(folder / "green.png", png_of(8, 8, green));
  const std::string text =
      "#CharName \xB0\xA1\n#Artist me\n#CharBMP red.PNG\n#CharBMP2P green.png\n#Data 16\n#Size 16 16\n"
      "#00 0 0 4 2\n#02 0 0 8 8\n#Patern 1 02\n#Patern 6 02\n";
  write_file(folder / "square.chp", std::as_bytes(std::span(text)));
  return (folder / "square.chp").string();
}

/// Returns the PNG of a rendered frame of 16 x 16 pixels.
Bytes rendered(std::vector<std::string> options) {
  const std::string image_path = output("tools/chp/rendered.png").string();
  const Outcome outcome =
      run_pchr(joined({"render", square(), "--clip", "06_fever", "--size", "16x16", "-o", image_path}, options));
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  return read_file(image_path);
}

}  // namespace

TEST_CASE("inspect shows the title, author and menu images of a Pomyu character", "[tools][chp]") {
  const Outcome outcome = run_pchr({"inspect", square(), "--encoding", "EUC-KR"});
  CHECK(outcome.exit_code == 0);
  CHECK_THAT(outcome.out, contains("title       가\n  author      me\n"));
  CHECK_THAT(outcome.out, contains("1 menu image\n  name  image        at   size\n  name  0 red.PNG  0, 0  4 x 2"));
  CHECK_THAT(outcome.out, contains("1  06_fever"));
  simdjson::dom::parser parser;
  const std::string json = run_pchr({"inspect", square(), "--json"}).out;
  const simdjson::dom::element document = parser.parse(json);
  CHECK(std::string_view(document["author"]) == "me");
  CHECK(std::uint64_t(document["menuImages"].at(0)["width"]) == 4);
}

TEST_CASE("inspect shows the behavior of a Pomyu character", "[tools][chp]") {
  const auto inspected = [](std::string_view text, std::vector<std::string> options) {
    const std::filesystem::path file = output("tools/chp/waits.chp");
    write_file(file, std::as_bytes(std::span(text)));
    options.insert(options.begin(), {"inspect", file.string()});
    return run_pchr(options).out;
  };
  constexpr std::string_view kModern = "#Data 16\n#Wait 3\n#Patern 1 02\n", kLegacy = "#Patern 1 02\n";
  CHECK_THAT(inspected(kModern, {}), contains("  behavior    modern, #Wait 3: reacts after 3 idle cycles\n"));
  CHECK_THAT(inspected(kLegacy, {}), contains("  behavior    legacy, #Wait 1: reacts immediately\n"));
  CHECK_THAT(inspected(kModern, {"--json"}), contains("\"chara\": {\"legacy\": false, \"wait\": 3}"));
  CHECK_THAT(inspected(kLegacy, {"--json"}), contains("\"chara\": {\"legacy\": true, \"wait\": 1}"));
  CHECK_THAT(run_pchr({"inspect", asset("quad.pchr").string(), "--json"}).out, contains("\"chara\": null"));
}

TEST_CASE("option --black-key makes black transparent instead of the corner pixel's color", "[tools][chp]") {
  const std::filesystem::path folder = output("tools/chp/black.png").parent_path();
  // Black with a red corner.
  const std::vector<std::uint8_t> rgb{0, 0, 0, 255, 0, 0};
  write_file(folder / "black.png", png_of_rgb(2, 1, rgb));
  const std::string text = "#CharBMP black.png\n#Size 2 1\n#02 0 0 2 1\n#Patern 1 02\n";
  write_file(folder / "black.chp", std::as_bytes(std::span(text)));
  const auto drawn = [&](const std::vector<std::string>& options) {
    return run_pchr(joined({"render", (folder / "black.chp").string(), "--format", "rgba", "-o", "-"}, options)).out;
  };
  CHECK(drawn({}) != drawn({"--black-key"}));
}

TEST_CASE("validate finds nothing in a valid Pomyu character", "[tools][chp]") {
  CHECK(run_pchr({"validate", "--strict", square()}).exit_code == 0);
  CHECK(run_pchr({"inspect", square(), "--encoding", "nonsense"}).exit_code == 1);
}

TEST_CASE("a Pomyu character renders as the first or second player", "[tools][chp]") {
  CHECK(rendered({}) == rendered({}));
  CHECK(rendered({}) != rendered({"--second-player"}));
}

TEST_CASE("convert drops fades only with --lossy", "[tools][chp][convert]") {
  const std::string chp = square();
  const std::string text =
      "#CharBMP red.PNG\n#CharTex Red.png\n#Data 16\n#Size 16 16\n#00 0 0 4 2\n#02 0 0 8 8\n#Anime 100\n"
      "#Texture 1 02020202 02020202 FF804000\n";
  const std::filesystem::path fading = std::filesystem::path(chp).replace_filename("fading.chp");
  write_file(fading, std::as_bytes(std::span(text)));
  const std::string out = output("tools/chp/faded.pchr").string();
  std::filesystem::remove(out);
  const Outcome refused = run_pchr({"convert", fading.string(), "-o", out});
  CHECK(refused.exit_code == 1);
  CHECK_FALSE(std::filesystem::exists(out));
  const Outcome opaque = run_pchr({"convert", fading.string(), "--lossy", "-o", out});
  CHECK(opaque.exit_code == 0);
  CHECK_THAT(opaque.err, contains("W305"));
}

}  // namespace chp_test
