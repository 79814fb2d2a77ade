// SPDX-License-Identifier: MIT
// `pchr` with Unreal meshes.
#include "tool.hpp"

#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/psk.hpp"
#include "support/scenes.hpp"

#include <simdjson.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace psk_test {
namespace {

using namespace pchr::test;

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

}  // namespace

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

TEST_CASE("convert writes 3D characters as glTF and no others", "[tools][psk]") {
  const std::filesystem::path target = folder() / "hero.glb";
  const Outcome outcome = run_pchr({"convert", mesh(), "-o", target.string(), "--force"});
  INFO(outcome.err);
  CHECK(outcome.exit_code == 0);
  const Bytes bytes = read_file(target);
  REQUIRE(bytes.size() > 4);
  CHECK(std::memcmp(bytes.data(), "glTF", 4) == 0);
  CHECK(run_pchr({"convert", mesh(), "-o", "-", "--to", "glb"}).out.size() == bytes.size());
  const std::string flat = character_file("psk_2d.pchr", sliding_quad());
  const Outcome refused = run_pchr({"convert", flat, "-o", target.string(), "--force"});
  CHECK(refused.exit_code == 1);
  CHECK_THAT(refused.err, contains("E312"));
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

}  // namespace psk_test
