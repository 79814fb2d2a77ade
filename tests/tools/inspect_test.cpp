// SPDX-License-Identifier: MIT
// `pchr inspect`.
#include "tool.hpp"

#include "support/aseprite.hpp"
#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/load.hpp"
#include "support/png.hpp"
#include "support/psk.hpp"
#include "support/px.hpp"
#include "support/scenes.hpp"

#include <pchr/load.hpp>
#include <pchr/pose.hpp>
#include <pchr/queries.hpp>
#include <simdjson.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace inspect_test {
namespace {

using namespace pchr::test;
using simdjson::dom::element;

void check_rect(const element& value, const pchr::Rect& rect) {
  if (rect.empty()) {
    CHECK(value.is_null());
    return;
  }
  CHECK(static_cast<float>(double(value.at(0))) == rect.min.x);
  CHECK(static_cast<float>(double(value.at(1))) == rect.min.y);
  CHECK(static_cast<float>(double(value.at(2))) == rect.max.x);
  CHECK(static_cast<float>(double(value.at(3))) == rect.max.y);
}

void check_agrees(const std::string& file) {
  INFO(file);
  const auto character = pchr::load_character(file).value();
  const Outcome outcome = run_pchr({"inspect", file, "--json"});
  REQUIRE(outcome.exit_code == 0);
  simdjson::dom::parser parser;
  const element document = parser.parse(outcome.out);

  CHECK(std::string_view(document["format"]) == character.file.format);
  CHECK(std::uint64_t(document["fileBytes"]) == std::filesystem::file_size(file));
  CHECK(std::uint64_t(document["framesPerSecond"]) == character.data().frames_per_second);
  CHECK(std::uint64_t(document["flags"]) == character.data().reserved_flags);
  const pchr::BindPoseSource bind = character.bind_pose_source();
  CHECK(element(document["bindPose"]).is_null() == (bind.clip == pchr::ClipId::none));
  if (bind.clip != pchr::ClipId::none) {
    CHECK(std::uint64_t(document["bindPose"]["clip"]) == index(bind.clip));
    CHECK(std::string_view(document["bindPose"]["name"]) == character.clips()[bind.clip].name);
    CHECK(std::uint64_t(document["bindPose"]["frame"]) == bind.frame);
  }
  pchr::PoseBuffers posed;
  pchr::pose_bind(character, posed);
  check_rect(document["bindPoseBounds"], pchr::bounds(character, posed));
  check_rect(document["bounds"], pchr::compute_character_bounds(character));

  std::size_t number = 0;
  for (const element image : document["images"].get_array()) {
    const pchr::Image& expected = character.images()[number++];
    CHECK(std::string_view(image["name"]) == expected.name);
    CHECK(std::uint64_t(image["width"]) == expected.width);
    CHECK(std::uint64_t(image["height"]) == expected.height);
    CHECK(std::string_view(image["encoding"]) == (expected.encoding == pchr::ImageEncoding::png ? "png" : "rgba8888"));
    CHECK(std::uint64_t(image["bytes"]) == expected.bytes.size());
  }
  CHECK(number == character.images().size());

  number = 0;
  for (const element bone : document["bones"].get_array()) {
    const pchr::Bone& expected = character.bones()[number++];
    CHECK(std::string_view(bone["name"]) == expected.name);
    CHECK(std::int64_t(bone["parent"]) == static_cast<std::int32_t>(expected.parent));
  }
  CHECK(number == character.bones().size());

  number = 0;
  for (const element mesh : document["meshes"].get_array()) {
    const pchr::Mesh& expected = character.meshes()[number];
    CHECK(std::string_view(mesh["name"]) == expected.name);
    CHECK(std::uint64_t(mesh["image"]) == index(expected.image));
    CHECK(std::uint64_t(mesh["vertices"]) == expected.vertex_count);
    CHECK(std::uint64_t(mesh["triangles"]) == expected.index_count / 3);
    CHECK(std::uint64_t(mesh["governingBone"]) == index(character.governing_bone(pchr::MeshId(number++))));
    CHECK(std::uint64_t(mesh["influences"]) <= 4);
  }
  CHECK(number == character.meshes().size());

  number = 0;
  for (const element clip : document["clips"].get_array()) {
    const pchr::Clip& expected = character.clips()[number];
    CHECK(std::string_view(clip["name"]) == expected.name);
    CHECK(std::uint64_t(clip["frames"]) == expected.frame_count);
    CHECK(double(clip["seconds"]) == expected.duration_seconds());
    CHECK(bool(clip["loop"]) == expected.looping);
    check_rect(clip["bounds"], pchr::compute_clip_bounds(character, pchr::ClipId(number++)));
  }
  CHECK(number == character.clips().size());

  number = 0;
  for (const element warning : document["warnings"].get_array()) {
    CHECK(std::string_view(warning["id"]) == pchr::code(character.warnings()[number++].id));
  }
  CHECK(number == character.warnings().size());
}

TEST_CASE("inspect --json prints valid JSON that matches the character", "[tools][inspect]") {
  check_agrees(character_file("inspect_quad.pchr", sliding_quad()));
  check_agrees(character_file("inspect_arm.pchr", two_bone_arm()));
  check_agrees(character_file("inspect_empty.pchr", {}));
  pchr::CharacterData odd = sliding_quad();
  odd.frames_per_second = 0;
  odd.reserved_flags = 5;
  odd.bones[0].name = "\"\\\n\x01\xe2\x98\x83";
  odd.clips.push_back(resting_clip("", 0, 1));
  odd.clips[1].samples.visible = {0, 0, 0, 0};
  check_agrees(character_file("inspect_odd.pchr", odd));
  for (const auto& file : conformance_characters()) check_agrees(file.string());
}

TEST_CASE("inspect shows the parts of a character as aligned tables", "[tools][inspect]") {
  const std::string file = character_file("inspect_shown.pchr", two_bone_arm());
  const Outcome outcome = run_pchr({"inspect", file});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err.empty());
  CHECK_THAT(outcome.out, contains("  bind pose   frame 0 of clip 0 bind\n"));
  CHECK_THAT(outcome.out, contains(R"(
2 images
  #  name     size  encoding  bytes
  0  arm    8 x 32  rgba8888  1,024
  1  badge   4 x 4  rgba8888     64

3 bones, 1 root, 2 deep
  #  name
  0  upper
  1    lower
  2    badge

2 meshes, 22 vertices, 18 triangles
  #  name   image    vertices  triangles  influences  governing bone
  0  strip  0 arm          18         16           2  0 upper
  1  badge  1 badge         4          2           1  2 badge

2 clips
  #  name  frames  seconds  loop)"));
}

TEST_CASE("inspect escapes control characters and aligns wide letters", "[tools][inspect]") {
  pchr::CharacterData data = sliding_quad();
  data.images = {plain_image(1, 1, {}, "a\x1b[31m"), plain_image(1, 1, {}, "\xe7\x8c\xab"),
                 plain_image(1, 1, {}, "\xc2\x9b\xe2\x80\xae"), plain_image(1, 1, {}, "")};
  const Outcome outcome = run_pchr({"inspect", character_file("inspect_names.pchr", data)});
  CHECK_THAT(outcome.out, contains("  0  a\\x1b[31m     1 x 1  rgba8888      4\n"
                                   "  1  \xe7\x8c\xab            1 x 1  rgba8888      4\n"
                                   "  2  \\u009b\\u202e  1 x 1  rgba8888      4\n"
                                   "  3  \"\"            1 x 1  rgba8888      4\n"));
}

TEST_CASE("inspect lists many bones only with --bones", "[tools][inspect]") {
  pchr::CharacterData data = sliding_quad();
  for (std::int32_t bone = 1; bone < 100; ++bone) data.bones.push_back({"tail", pchr::BoneId(bone - 1)});
  data.clips.clear();
  const std::string file = character_file("inspect_bones.pchr", data);
  CHECK_THAT(run_pchr({"inspect", file}).out, contains("100 bones, 1 root, 100 deep (listed with --bones)\n\n"));
  CHECK_THAT(run_pchr({"inspect", file, "--bones"}).out, contains("   1    tail\n   2      tail\n"));
}

TEST_CASE("inspect shows which bind pose is used", "[tools][inspect]") {
  const std::string file = character_file("inspect_bind.pchr", two_bone_arm());
  CHECK_THAT(run_pchr({"inspect", file, "--bind", "auto"}).out, contains("  bind pose   frame 0 of clip 0 bind\n"));
  CHECK_THAT(run_pchr({"inspect", file, "--bind", "bend:3"}).out, contains("  bind pose   frame 3 of clip 1 bend\n"));
  CHECK_THAT(run_pchr({"inspect", file, "--bind", "identity"}).out, contains("  bind pose   identity\n"));
  const std::string guessed = (std::filesystem::path(PCHR_DIAGNOSTICS_DIR) / "W211_uncertain_bind_pose.pchr").string();
  const Outcome outcome = run_pchr({"inspect", guessed});
  CHECK_THAT(outcome.out, contains("  bind pose   frame 0 of clip 0 fall\n"
                                   "              guessed, with a score of 1.000; next is frame 0 of clip 1 slide with "
                                   "1.000\n") &&
                              contains("warning W211"));
  CHECK_THAT(run_pchr({"inspect", guessed, "--json"}).out,
             contains(R"("bindPoseGuess": {)") && contains(R"("runnerUp": {"clip": 1, "name": "slide", "frame": 0})"));
}

TEST_CASE("inspect lists the markers and the states next to a character and rejects invalid ones", "[tools][inspect]") {
  const Outcome outcome = run_pchr({"inspect", asset("kiri.pchr").string()});
  CHECK_THAT(outcome.out, contains("6 markers\n"));
  CHECK_THAT(outcome.out, contains("  3  land  4 jump     33\n"));
  simdjson::dom::parser parser;
  const std::string json = run_pchr({"inspect", asset("kiri.pchr").string(), "--json"}).out;
  const element markers = parser.parse(json)["markers"];
  CHECK(std::string_view(markers.at(2)["name"]) == "leap");
  CHECK(std::uint64_t(markers.at(2)["frame"]) == 16);
  CHECK_THAT(outcome.out, contains("3 parameters\n") && contains("  0  speed  number     0    2  right\n"));
  CHECK_THAT(outcome.out, contains("3 states of body, 5 transitions\n") && contains("  1  move  walk, run\n"));
  const element layer = parser.parse(json)["stateLayers"].at(1);
  CHECK(std::string_view(layer["mask"]) == "upper body");
  CHECK(std::string_view(layer["states"].at(1)["clips"].at(0)) == "wave");
  CHECK(std::uint64_t(layer["transitions"]) == 2);

  const std::filesystem::path file = output("marked.pchr");
  write_file(file, write_v1(sliding_quad()));
  const std::string wrong = R"({"markers": [{"clip": "slide", "frame": 9, "name": "x"}]})";
  write_file(output("marked.markers.json"), std::as_bytes(std::span(wrong)));
  const Outcome refused = run_pchr({"inspect", file.string()});
  CHECK(refused.exit_code == 1);
  CHECK_THAT(refused.err, contains("marked.markers.json"));
  CHECK_THAT(refused.err, contains("markers[0].frame"));
}

// `pchr` with Pomyu characters.

/// A red square of 8 pixels at the top left of 16 x 16; green for the second player.
std::string square() {
  const std::filesystem::path folder = output("tools/chp/black.png").parent_path();
  std::filesystem::create_directories(folder);
  std::vector<std::uint8_t> red, green;
  for (int i = 0; i < 64; ++i) {
    red.insert(red.end(), {255, 0, 0, 255});
    green.insert(green.end(), {0, 255, 0, 255});
  }
  write_file(folder / "red.PNG", png_of(8, 8, red));
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

// `pchr` with artworks.

constexpr PxColor kRed{255, 0, 0, 255}, kBlue{0, 0, 255, 255};

/// A red layer, a blue layer and above them a hidden white layer in a group.
std::string artwork_file() {
  PxArtwork artwork{.width = 2, .height = 1};
  artwork.add_layer("color", {{kRed, kRed}, {kBlue, kBlue}});
  auto& hidden = artwork.add_layer("cover", {PxPixels(2, {255, 255, 255, 255}), PxPixels(2, {255, 255, 255, 255})});
  hidden.visible = false;
  hidden.blend = 9;
  hidden.opacity = 0.5F;
  artwork.groups.push_back({.id = "g", .name = "group", .children = {{PxType::layer, hidden.id}}});
  artwork.entries = {{PxType::layer, "id of color"}, {PxType::group, "g"}};
  artwork.palette = {kRed, kBlue};
  artwork.tags = {{"blink", 0, 1, 2, 3}};
  artwork.references.push_back({.id = "r",
                                .name = "photo",
                                .png = png_of(1, 1, std::vector<std::uint8_t>{0, 255, 0, 255}),
                                .left = -1,
                                .top = -2,
                                .width = 3,
                                .height = 4,
                                .radians = 1.5707964F,
                                .flips = 1});
  artwork.entries.push_back({PxType::reference, "r"});
  artwork.symmetry_lines = {{.color = kBlue, .x = 1.5F, .y = 0.5F, .segments = 2}};
  artwork.guide = {.type = 1, .width = 8, .height = 4, .color = kRed};
  artwork.canvas_grid = {16, 16, {255, 255, 255, 255}, kBlue};
  const std::filesystem::path path = output("tools/px/artwork.px");
  write_file(path, write_px(artwork));
  return path.string();
}

/// Returns the first frame as PNG bytes.
Bytes artwork_image(std::vector<std::string> options) {
  const std::string image = output("tools/px/rendered.png").string();
  const Outcome outcome =
      run_pchr(joined({"render", artwork_file(), "--clip", "all", "--size", "2x1", "-o", image}, options));
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  return read_file(image);
}

TEST_CASE("inspect shows the parts of an artwork", "[tools][px]") {
  const Outcome outcome = run_pchr({"inspect", artwork_file()});
  CHECK(outcome.exit_code == 0);
  CHECK_THAT(outcome.out, contains("\nartwork of 2 x 1 px: 2 frames in 200 ms, 2 colors\n"));
  CHECK_THAT(outcome.out, contains("4 layers\n"
                                   "  #  name     kind       blend       opacity  visible  drawn\n"
                                   "  0  photo    reference  normal        100 %  yes      no\n"
                                   "  1  group    group      normal        100 %  yes      yes\n"
                                   "  2    cover  layer      soft light     50 %  no       no\n"
                                   "  3  color    layer      normal        100 %  yes      yes\n"));
  CHECK_THAT(outcome.out, contains("1 tag\n"
                                   "  #  name   frames  direction  plays    enabled  clip\n"
                                   "  0  blink  0 to 1  ping-pong  3 times  yes      0 blink\n"));
  CHECK_THAT(outcome.out, contains("1 reference layer, drawn only if named by --layers\n"
                                   "  #  name   image   size      at  angle  flipped\n"
                                   "  0  photo  1 x 1  3 x 4  -1, -2     90  horizontally\n"));
  CHECK_THAT(outcome.out, contains("1 symmetry line\n"
                                   "  #  kind    enabled        at  angle  segments  color\n"
                                   "  0  mirror  yes      1.5, 0.5      0         2  #0000ff\n"));
  CHECK_THAT(outcome.out, contains("\nisometric guide: cells of 8 x 4 px, #ff0000, hidden\n"));
  CHECK_THAT(outcome.out, contains("\ncanvas grid: cells of 16 x 16 px, #ffffff and #0000ff\n"));
}

TEST_CASE("inspect --json lists the parts of an artwork", "[tools][px]") {
  simdjson::dom::parser parser;
  const std::string json = run_pchr({"inspect", artwork_file(), "--json", "--layers", "all"}).out;
  const simdjson::dom::element artwork = parser.parse(json)["artwork"];
  CHECK(std::uint64_t(artwork["width"]) == 2);
  CHECK(std::uint64_t(artwork["frameMs"].at(1)) == 100);
  const simdjson::dom::element photo = artwork["layers"].at(0)["reference"], cover = artwork["layers"].at(2);
  CHECK(std::string_view(cover["name"]) == "cover");
  CHECK(std::int64_t(cover["parent"]) == 1);
  CHECK_FALSE(bool(cover["visible"]));
  CHECK(bool(cover["drawn"]));
  CHECK(cover["reference"].is_null());
  CHECK(std::uint64_t(photo["imageWidth"]) == 1);
  CHECK(std::int64_t(photo["left"]) == -1);
  CHECK(std::uint64_t(photo["height"]) == 4);
  CHECK(double(photo["rotation"]) == 90);
  CHECK(bool(photo["flippedHorizontally"]));
  CHECK_FALSE(bool(photo["flippedVertically"]));
  CHECK(std::string_view(artwork["symmetryLines"].at(0)["kind"]) == "mirror");
  CHECK(std::string_view(artwork["guide"]["kind"]) == "isometric");
  CHECK(std::uint64_t(artwork["guide"]["cellHeight"]) == 4);
  CHECK(std::uint64_t(artwork["canvasGrid"]["cellWidth"]) == 16);
  CHECK(std::string_view(artwork["tags"].at(0)["direction"]) == "ping-pong");
  CHECK(std::uint64_t(artwork["palette"].at(1).at(2)) == 255);
  const std::string other = run_pchr({"inspect", asset("quad.pchr").string(), "--json"}).out;
  CHECK(parser.parse(other)["artwork"].is_null());
}

TEST_CASE("inspect shows slices, pivots and nine-patches of an Aseprite artwork", "[tools][aseprite]") {
  const std::string file = output("tools/slices.aseprite").string();
  write_file(file, write_aseprite(full_aseprite()));
  CHECK_THAT(run_pchr({"inspect", file}).out, contains("1 slice\n"
                                                       "  #  name  from frame  area           center         pivot\n"
                                                       "  0  box            0  3 x 2 at 1, 0  1 x 1 at 1, 0  2, 1\n"
                                                       "  1  box            2  3 x 2 at 1, 2  1 x 1 at 1, 0  2, 1\n"));
  simdjson::dom::parser parser;
  const std::string json = run_pchr({"inspect", file, "--json"}).out;
  const simdjson::dom::element artwork = parser.parse(json)["artwork"];
  CHECK(std::int64_t(artwork["origin"].at(0)) == 3);
  CHECK(std::int64_t(artwork["origin"].at(1)) == 1);
  CHECK(std::string_view(artwork["userText"]) == "whole");
  CHECK(std::uint64_t(artwork["cels"].at(0)["layer"]) == 4);
  const simdjson::dom::element slice = artwork["slices"].at(0), key = slice["keys"].at(1);
  CHECK(std::string_view(slice["userText"]) == "hit");
  CHECK(std::uint64_t(key["firstFrame"]) == 2);
  CHECK(std::uint64_t(key["center"]["width"]) == 1);
  CHECK(std::int64_t(key["pivot"].at(0)) == 2);
}

TEST_CASE("option --layers selects the layers to draw", "[tools][px]") {
  CHECK(artwork_image({}) == artwork_image({"--layers", "visible"}));
  CHECK(artwork_image({}) == artwork_image({"--layers", "color"}));
  CHECK(artwork_image({}) != artwork_image({"--layers", "all"}));
  CHECK(artwork_image({"--layers", "all"}) == artwork_image({"--layers", "color", "--layers", "cover"}));
  const Outcome outcome = run_pchr({"inspect", artwork_file(), "--layers", "nobody"});
  CHECK_THAT(outcome.out, contains("W246"));
}

TEST_CASE("a reference layer is drawn if it is named, and drawing nothing is a warning", "[tools][px]") {
  CHECK(artwork_image({"--layers", "photo"}) != artwork_image({"--layers", "nobody"}));
  CHECK(artwork_image({"--layers", "photo", "--layers", "color"}) != artwork_image({"--layers", "color"}));
  CHECK_THAT(run_pchr({"inspect", artwork_file(), "--layers", "photo"}).out,
             contains("reference  normal        100 %  yes      yes"));
}

TEST_CASE("options limit the output of a small artwork", "[tools][px]") {
  // A canvas of 2,000 x 1,000 pixels in two colors, which compresses well as PNG.
  PxArtwork artwork{.width = 2000, .height = 1000};
  artwork.add_layer("layer", {PxPixels(2'000'000, kRed), PxPixels(2'000'000, kBlue)});
  const std::string file = output("tools/px/large.px").string();
  write_file(file, write_px(artwork));
  const std::string target = output("tools/px/limited.pchr").string();
  const auto packed = [&](const std::string& megabytes, const std::vector<std::string>& options) {
    return run_pchr(joined({"pack", file, "-o", target, "--force", "--max-output-mb", megabytes}, options));
  };
  std::filesystem::remove(target);
  const Outcome refused = packed("15", {"--rgba"});
  CHECK(refused.exit_code == 1);
  CHECK_THAT(refused.err, contains("E314"));
  CHECK_THAT(refused.err, contains("--max-output-mb"));
  CHECK_FALSE(std::filesystem::exists(target));
  CHECK(packed("16", {"--rgba"}).exit_code == 0);

  const std::string image = output("tools/px/limited.png").string();
  for (const std::string subcommand : {"render", "sheet"}) {
    std::filesystem::remove(image);
    std::vector<std::string> arguments{subcommand, file, "-o", image, "--scale", "1", "--max-output-megapixels", "1"};
    const Outcome too_many = run_pchr(arguments);
    CHECK(too_many.exit_code == 2);
    CHECK_THAT(too_many.err, contains("\n  hint: raise the limit with --max-output-megapixels"));
    CHECK_FALSE(std::filesystem::exists(image));
    arguments.back() = "8";
    CHECK(run_pchr(arguments).exit_code == 0);
  }
}

TEST_CASE("a converted artwork looks the same", "[tools][px]") {
  for (const std::string name : {"converted.pchr", "converted.json"}) {
    const std::string path = output("tools/px/" + name).string();
    const Outcome outcome = run_pchr({"convert", artwork_file(), "-o", path, "--force"});
    INFO(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    const auto original = pchr::load_character(artwork_file()), converted = pchr::load_character(path);
    REQUIRE(converted);
    CHECK(converted->clips().size() == 3);
    CHECK(converted->clips()[0].name == "bind");
    CHECK(converted->clips()[1].frame_count == 6);
    CHECK(converted->clips()[1].samples == original->clips()[0].samples);
    CHECK(converted->data().vertices == original->data().vertices);
  }
}

TEST_CASE("validate finds nothing in a valid artwork", "[tools][px]") {
  const Outcome outcome = run_pchr({"validate", "--strict", artwork_file()});
  INFO(outcome.out);
  CHECK(outcome.exit_code == 0);
}

// `pchr` with Unreal meshes.

/// The small mesh in its own folder, next to its animation under another character's name.
std::filesystem::path folder() {
  std::filesystem::path path = output("tools/psk");
  std::filesystem::create_directories(path);
  write_file(path / "hero.psk", bytes_of(small_psk()));
  PskFile animation = small_psa();
  chunk_of(animation, "BONENAMES") = bone_chunk("BONENAMES", {{"elsewhere"}, {"tip"}, {"a"}, {"b"}});
  put(chunk_of(animation, "ANIMINFO"), 0, 164, std::int32_t{2});
  write_file(path / "villain.psa", bytes_of(animation));
  return path;
}

std::string mesh() { return (folder() / "hero.psk").string(); }
std::string animation() { return (folder() / "villain.psa").string(); }

TEST_CASE("inspect shows that a mesh is 3D and which clips it plays", "[tools][psk]") {
  const Outcome outcome = run_pchr({"inspect", mesh()});
  CHECK(outcome.exit_code == 0);
  CHECK_THAT(outcome.out, contains("format      Unreal PSK, 3D"));
  CHECK_THAT(outcome.out, contains("bind pose   stored in the file"));
  CHECK_THAT(outcome.out, contains("depth       -1.0 to 0.0, 1.0 units, in the bind pose"));
  CHECK_THAT(outcome.out, contains("\n0 clips\n"));
  CHECK(outcome.out.find("animation file") == std::string::npos);

  const Outcome playing = run_pchr({"inspect", mesh(), "--animation", animation()});
  CHECK_THAT(playing.out, contains("\n1 clip\n"));
  CHECK_THAT(playing.out, contains("0  turn"));
  CHECK_THAT(playing.out, contains("W259"));
  simdjson::dom::parser parser;
  const std::string json = run_pchr({"inspect", mesh(), "--json"}).out;
  const simdjson::dom::element document = parser.parse(json);
  CHECK(double(document["depth"].at(0)) == -1);
}

TEST_CASE("validate finds nothing in a valid mesh, and an animation alone is an error", "[tools][psk]") {
  CHECK(run_pchr({"validate", mesh()}).out.find("warning W") == std::string::npos);
  const Outcome outcome = run_pchr({"validate", animation()});
  CHECK(outcome.exit_code == 1);
  CHECK_THAT(outcome.out + outcome.err, contains("E151"));
}

TEST_CASE("pose prints 3D bones and vertices of a 3D character", "[tools][psk]") {
  const Outcome outcome = run_pchr({"pose", mesh(), "--animation", animation(), "--clip", "turn", "--frame", "1"});
  REQUIRE(outcome.exit_code == 0);
  simdjson::dom::parser parser;
  const simdjson::dom::element document = parser.parse(outcome.out);
  const simdjson::dom::element tip = document["bones"].at(1)["world"];
  CHECK(tip.get_array().size() == 12);
  // The file's z axis points up.
  CHECK(double(tip.at(10)) == 3);
  CHECK(document["meshes"].at(0)["vertices"].at(0).get_array().size() == 3);
}

TEST_CASE("render orbits 3D characters and no others", "[tools][psk]") {
  const auto image = [](std::vector<std::string> options) {
    const std::filesystem::path path = output("tools/psk/image.png");
    const Outcome outcome = run_pchr(joined({"render", mesh(), "--size", "32x32", "-o", path.string()}, options));
    INFO(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    return read_file(path);
  };
  CHECK(image({}) != image({"--orbit", "90,0"}));
  CHECK(image({"--orbit", "30,20"}) == image({"--orbit", "30,20", "--cull"}));
  const std::string flat = character_file("psk_2d.pchr", sliding_quad());
  const Outcome outcome = run_pchr({"render", flat, "--orbit", "30,20", "-o", output("tools/psk/no.png").string()});
  CHECK(outcome.exit_code == 2);
  CHECK_THAT(outcome.err, contains("this one is 2D"));
}

TEST_CASE("render fits each frame of a 3D character from any angle", "[tools][psk]") {
  const auto frames = [](std::vector<std::string> options) {
    const std::filesystem::path pattern = output("tools/psk/fit_{frame}.png");
    options.insert(options.begin(), {"render", mesh(), "--animation", animation(), "--clip", "turn", "--size", "64x64",
                                     "-o", pattern.string()});
    const Outcome outcome = run_pchr(options);
    INFO(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    return std::pair(read_file(output("tools/psk/fit_0.png")), read_file(output("tools/psk/fit_1.png")));
  };
  // The tip moves away from the root, so the camera that fits the last frame is farther away.
  for (const std::vector<std::string>& seen :
       {std::vector<std::string>{"--orbit", "30,20"}, {"--cull"}, {"--orbit", "30,20", "--cull"}}) {
    INFO(seen.front());
    const Strings by_frame = joined(seen, {"--fit", "frame"});
    CHECK(frames(by_frame).first != frames(seen).first);
    CHECK(frames(by_frame).second != frames(by_frame).first);
  }
  const auto contact_sheet = [](const std::string& fit) {
    const std::filesystem::path image = output("tools/psk/fit_sheet.png");
    REQUIRE(run_pchr({"render", mesh(), "--animation", animation(), "--orbit", "30,20", "--size", "64x64", "--fit", fit,
                      "--contact-sheet", "4", "-o", image.string()})
                .exit_code == 0);
    return read_file(image);
  };
  CHECK(contact_sheet("frame") != contact_sheet("clip"));
}

TEST_CASE("convert writes 3D and 2D characters as glTF", "[tools][psk]") {
  const std::filesystem::path target = folder() / "hero.glb";
  const Outcome outcome = run_pchr({"convert", mesh(), "-o", target.string(), "--force"});
  INFO(outcome.err);
  CHECK(outcome.exit_code == 0);
  const Bytes bytes = read_file(target);
  REQUIRE(bytes.size() > 4);
  CHECK(std::memcmp(bytes.data(), "glTF", 4) == 0);
  CHECK(run_pchr({"convert", mesh(), "-o", "-", "--to", "glb"}).out.size() == bytes.size());
  const std::string flat = character_file("psk_2d.pchr", sliding_quad());
  CHECK(run_pchr({"convert", flat, "-o", target.string(), "--force"}).exit_code == 0);
  CHECK_THAT(run_pchr({"diff", flat, target.string()}).out, contains("The characters are the same."));
  CHECK(run_pchr({"convert", mesh(), "-o", target.string(), "--force", "--rgba"}).exit_code == 2);
}

TEST_CASE("convert does not flatten a 3D character, even with --lossy", "[tools][psk]") {
  for (const std::string option : {"--lossy", "--no-images"}) {
    const std::filesystem::path target = folder() / "flat.pchr";
    const Outcome outcome = run_pchr({"convert", mesh(), "-o", target.string(), option});
    CHECK(outcome.exit_code == 1);
    CHECK_THAT(outcome.err, contains("E311: a 3D character cannot be written in a 2D format"));
    CHECK_FALSE(std::filesystem::exists(target));
  }
}

TEST_CASE("inspect lists animation files near a mesh and all files that were read", "[tools][psk]") {
  const std::filesystem::path path = output("tools/psk_files");
  std::filesystem::remove_all(path);
  std::filesystem::create_directories(path / "textures");
  PskFile hero = small_psk();
  hero.push_back(material_chunk({"skin"}));
  write_file(path / "hero.psk", bytes_of(hero));
  PskFile turning = small_psa();
  put(chunk_of(turning, "ANIMINFO"), 0, 64, std::array<char, 6>{'S', 'p', 'i', 'n', 's', '\0'});
  write_file(path / "hero.psa", bytes_of(turning));
  write_file(path / "hero_boss.psa", bytes_of(small_psa()));
  const std::string config = "[AnimSet]\n", material = "Diffuse=white\n";
  write_file(path / "hero.config", std::as_bytes(std::span(config)));
  write_file(path / "textures/skin.mat", std::as_bytes(std::span(material)));
  std::filesystem::copy_file(std::filesystem::path(PCHR_DOCS_DIR) / "../tests/diagnostics/white.png",
                             path / "textures/white.png");
  const std::string file = (path / "hero.psk").string();

  const Outcome text = run_pchr({"inspect", file});
  INFO(text.out);
  CHECK_THAT(text.out, contains("\n2 animation files, 1 attached (attach others with --animation)\n"));
  CHECK_THAT(text.out, contains("hero_boss.psa"));
  CHECK_THAT(text.out, contains("\n5 files read\n"));
  CHECK_THAT(text.out, contains("turn  Spins"));
  simdjson::dom::parser parser;
  const std::string json = run_pchr({"inspect", file, "--json"}).out;
  const simdjson::dom::element document = parser.parse(json);
  CHECK(std::string_view(document["clips"].at(0)["group"]) == "Spins");
  const simdjson::dom::element animations = document["animationFiles"];
  REQUIRE(animations.get_array().size() == 2);
  CHECK(std::string_view(animations.at(0)["path"]) == (path / "hero.psa").string());
  CHECK(bool(animations.at(0)["attached"]));
  CHECK(std::string_view(animations.at(1)["path"]) == (path / "hero_boss.psa").string());
  CHECK_FALSE(bool(animations.at(1)["attached"]));
  CHECK(std::int64_t(animations.at(1)["bones"]) == 2);
  CHECK(std::int64_t(animations.at(1)["matchedBones"]) == 2);
  std::set<std::string> names;
  for (const simdjson::dom::element each : document["files"].get_array()) {
    names.insert(std::filesystem::path(std::string_view(each)).filename().string());
  }
  CHECK(names == std::set<std::string>{"hero.psk", "hero.psa", "hero.config", "skin.mat", "white.png"});
}

TEST_CASE("option --animation replaces the animations found, and auto keeps them", "[tools][psk]") {
  const std::filesystem::path path = output("tools/psk_animations");
  std::filesystem::create_directories(path / "more");
  write_file(path / "hero.psk", bytes_of(small_psk()));
  write_file(path / "hero.psa", bytes_of(small_psa()));
  const std::string more = (path / "more/jump.psa").string();
  write_file(more, bytes_of(small_psa()));
  const auto clips = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"inspect", (path / "hero.psk").string(), "--json"});
    simdjson::dom::parser parser;
    const std::string json = run_pchr(options).out;
    return parser.parse(json)["clips"].get_array().size();
  };
  CHECK(clips({}) == 1);
  CHECK(clips({"--animation", more}) == 1);
  CHECK(clips({"--animation", more, "--animation", "auto"}) == 2);
  CHECK(clips({"--animation", "auto"}) == 1);
  CHECK(clips({"--animation", "auto", "--animation", more, "--animation", more}) == 3);
  CHECK(run_pchr({"inspect", (path / "hero.psk").string(), "--max-samples", "0"}).exit_code == 1);
}

TEST_CASE("option --textures names existing folders of textures", "[tools][psk]") {
  const std::filesystem::path path = output("tools/psk_textures");
  std::filesystem::create_directories(path / "mesh/in/a/tree");
  std::filesystem::create_directories(path / "textures/below");
  PskFile hero = small_psk();
  hero.push_back(material_chunk({"white"}));
  const std::string file = (path / "mesh/in/a/tree/hero.psk").string();
  write_file(file, bytes_of(hero));
  write_file(path / "mesh/in/end.doc", {});
  std::filesystem::copy_file(std::filesystem::path(PCHR_DOCS_DIR) / "../tests/diagnostics/white.png",
                             path / "textures/below/white.png", std::filesystem::copy_options::overwrite_existing);
  CHECK_THAT(run_pchr({"inspect", file}).out, contains("W257"));
  CHECK(run_pchr({"inspect", file, "--textures", (path / "textures").string()}).out.find("W257") == std::string::npos);
  CHECK(run_pchr({"inspect", file, "--textures", (path / "nowhere").string()}).exit_code == 2);
}

}  // namespace
}  // namespace inspect_test
