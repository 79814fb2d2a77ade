// SPDX-License-Identifier: MIT
// Files and arguments that try to control the terminal of the user or to break JSON output.
#include "tool.hpp"

#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/psk.hpp"
#include "support/px.hpp"
#include "support/scenes.hpp"

#include <pchr/animator.hpp>
#include <pchr/import/import.hpp>

#include <simdjson.h>

#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hostile_test {
namespace {

namespace fs = std::filesystem;
using namespace pchr::test;

// Characters that must not appear in any output: U+009B, U+202E, U+2066, U+061C, U+180E, U+FFF9, U+E0041, U+2028.
const std::vector<std::string> kSteering = {"\xC2\x9B",     "\xE2\x80\xAE", "\xE2\x81\xA6",     "\xD8\x9C",
                                            "\xE1\xA0\x8E", "\xEF\xBF\xB9", "\xF3\xA0\x81\x81", "\xE2\x80\xA8"};

// UTF-8 that sets a title, clears the screen, forges a line and reverses text.
std::string hostile(const std::string& name) {
  std::string text = name + "\x1b]0;pwned\x07\x1b[2J\nforged\r\x7f";
  for (const std::string& mark : kSteering) text += mark;
  return text + "\"\\{}";
}

const std::string kBroken = "\x1b[2J\xFF\xC3(\nforged";  // Not UTF-8.

void check_harmless(std::string_view text) {
  for (const char character : text) {
    const auto byte = static_cast<unsigned char>(character);
    if ((byte < 0x20 && byte != '\n') || byte == 0x7F) FAIL_CHECK("a control character: " << int{byte});
  }
  for (const std::string& mark : kSteering) CHECK(text.find(mark) == std::string_view::npos);
  CHECK(simdjson::validate_utf8(text.data(), text.size()));
  CHECK(("\n" + std::string(text)).find("\nforged") == std::string::npos);
}

Outcome check_run(const std::vector<std::string>& arguments) {
  INFO(Catch::Detail::stringify(arguments));
  Outcome outcome = run_pchr(arguments);
  CHECK(outcome.exit_code <= 6);
  check_harmless(outcome.out);
  check_harmless(outcome.err);
  return outcome;
}

void check_json(const std::vector<std::string>& arguments) {
  const Outcome outcome = check_run(arguments);
  if (outcome.out.empty()) return;
  simdjson::dom::parser parser;
  INFO(Catch::Detail::stringify(arguments) << outcome.out);
  CHECK(parser.parse(outcome.out).error() == simdjson::SUCCESS);
}

void check_written(const fs::path& folder) {
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    check_harmless(entry.path().filename().string());
    if (entry.path().extension() == ".json") check_harmless(read_text(entry.path()));
  }
}

void check_all(const std::string& file, const std::vector<std::string>& clips) {
  const fs::path out = output("tools/hostile_out/x").parent_path();
  fs::remove_all(out);
  fs::create_directories(out);
  check_run({"inspect", file, "--bones"});
  check_json({"inspect", file, "--json"});
  check_run({"validate", file});
  check_json({"validate", file, "--json"});
  check_json({"validate", file, "--sarif"});
  check_json({"pose", file});
  check_run({"pose", file, "--clip", "none"});
  for (const std::string& clip : clips) {
    check_json({"pose", file, "--clip", clip});
    check_run({"pose", file, "--clip", clip, "--frame", "999"});
    check_run({"pose", file, "--bind", clip + ":999"});
    check_run({"sheet", file, "--clip", clip, "--max-size", "16", "--scale", "100", "-o", (out / "no.png").string()});
  }
  check_run({"render", file, "--all-clips", "--size", "8x8", "-o", (out / "{file}_{clip}.png").string()});
  check_run({"sheet", file, "--scale", "0.5", "-o", (out / "sheet.png").string()});
  check_run({"pack", file, "--lossy", "-o", (out / "packed.pchr").string()});
  check_run({"unpack", file, "--lossy", "-o", (out / "unpacked").string()});
  check_run({"convert", file, "--lossy", "-o", (out / "converted.json").string()});
  check_run({"convert", file, "--lossy", "--to", "packed", "-o", (out / "old.pchr").string()});
  const std::string other = character_file("hostile_other.pchr", sliding_quad());
  check_run({"diff", file, other, "--no-pixels"});
  check_json({"diff", other, file, "--no-pixels", "--json"});
  check_written(out);
}

pchr::CharacterData named_hostilely() {
  pchr::CharacterData data = two_bone_arm();
  for (auto& bone : data.bones) bone.name = hostile("bone");
  for (auto& mesh : data.meshes) mesh.name = hostile("mesh");
  for (auto& image : data.images) image.name = hostile("image");
  for (auto& clip : data.clips) clip.name = hostile("clip");
  data.reserved_flags = 1;
  return data;
}

std::string text_file(const std::string& name, const std::string& text) {
  const fs::path path = output("tools/" + name);
  write_file(path, std::as_bytes(std::span(text)));
  return path.string();
}

}  // namespace

TEST_CASE("names in a v1 file cannot control terminals or break JSON", "[tools][hostile]") {
  check_all(character_file("hostile.pchr", named_hostilely()), {hostile("clip")});
  pchr::CharacterData data = named_hostilely();
  data.vertices[0].bones[0] = 99;
  check_all(character_file("hostile_broken.pchr", data), {});
  data = named_hostilely();
  data.bones[1].name = kBroken;
  check_all(character_file("hostile_bytes.pchr", data), {});
}

TEST_CASE("a file's own name cannot control terminals or break JSON", "[tools][hostile]") {
  check_all(character_file(kBroken + ".pchr", named_hostilely()), {});
  check_all(output("tools/" + hostile("missing") + ".pchr").string(), {});
  const std::string file = character_file("hostile_plain.pchr", sliding_quad());
  check_run({"render", file, "--reference", kBroken});
  check_run({"render", file, "-o", "/dev/null/" + kBroken});
  check_run({"render", file, "-o", "{" + kBroken + "}"});
  check_run({"inspect", file, "--animation", kBroken});
}

TEST_CASE("names in a JSON file cannot control terminals or break JSON", "[tools][hostile]") {
  const std::string bad = R"(\u001b[2J\nforged\u009b\u202e\ud83d\ude00\udb40\udc41)";
  const auto with_image = [&](const std::string& path, const std::string& more) {
    return R"({"version": 1, "fps": 24, "images": [{"name": ")" + bad + R"(", "path": ")" + path +
           R"(", "width": 1, "height": 1)" + more + R"(}], "bones": [{"name": ")" + bad +
           R"(", "parent": -1}], "meshes": [], "animations": []})";
  };
  check_all(text_file("hostile_missing.json", with_image(bad + ".png", "")), {});
  check_all(text_file("hostile_outside.json", with_image("../" + bad, "")), {});
  check_all(text_file("hostile_format.json", with_image("x.png", R"(, "format": ")" + bad + "\"")), {});
  check_all(text_file("hostile_key.json", R"({"version": 1, ")" + bad + R"(": 1, ")" + bad + R"(": 2, "bones": 3})"),
            {});
  check_all(text_file("hostile_bytes.json", "{\"version\": 1, \"" + kBroken + "\": }"), {});
}

TEST_CASE("markers cannot control terminals or break JSON", "[tools][hostile]") {
  const std::string file = character_file("hostile_marked.pchr", named_hostilely());
  const auto mark = [&](const std::string& clip, const std::string& frame) {
    const std::string bad = R"(\u001b[2J\nforged\u009b\u202e)";
    const std::string text = R"({"markers": [{"clip": ")" + (clip.empty() ? bad : clip) + R"(", "frame": )" + frame +
                             R"(, "name": ")" + bad + "\"}]}";
    write_file(pchr::markers_path(file), std::as_bytes(std::span(text)));
  };
  mark("", "0");
  check_all(file, {});
  pchr::CharacterData data = named_hostilely();
  data.clips[1].name = "bend";
  mark("bend", "0");
  check_all(character_file("hostile_marked.pchr", data), {});
  mark("bend", "99");
  check_all(file, {});
  fs::remove(pchr::markers_path(file));
}

TEST_CASE("a Pomyu character cannot control terminals or break JSON", "[tools][hostile]") {
  check_all(text_file("hostile.chp", "#CharName " + kBroken + "\n#Artist \x1b[2J\n#CharBMP \x1b]0;x\x07.png\n#" +
                                         "\x1b[2J\xFF 1\nwords \x1b[2J\n#Data 16\n#Size \x1b 16\n#00 \x1b[2J 0 4 2\n" +
                                         "#Patern \x1b 02\n#Patern 1 \x1b[\n#Loop 99 \xFF\n"),
            {});
}

TEST_CASE("an artwork cannot control terminals or break JSON", "[tools][hostile]") {
  PxArtwork artwork{.width = 1, .height = 1};
  artwork.add_layer(hostile("layer"), {{{255, 0, 0, 255}}});
  artwork.groups.push_back({.id = kBroken, .name = kBroken, .children = {{PxType::layer, kBroken + "none"}}});
  artwork.layers.push_back({.id = kBroken + "two", .name = kBroken, .frames = {{kBroken}}, .blend = 99});
  artwork.entries = {{PxType::layer, artwork.layers[0].id}, {PxType::group, kBroken}, {PxType::layer, kBroken + "two"}};
  artwork.tags = {{hostile("tag"), 0, 0}, {kBroken, 0, 9}};
  artwork.tilesets = {{.id = kBroken, .name = kBroken, .tiles = {Bytes(3)}}};
  const fs::path path = output("tools/hostile.px");
  write_file(path, write_px(artwork));
  check_all(path.string(), {hostile("tag")});
  check_run({"inspect", path.string(), "--layers", kBroken});
}

TEST_CASE("an Unreal mesh and its animation cannot control terminals or break JSON", "[tools][hostile]") {
  const std::string id = "\x1b]0;t\x07\n\xFF\xC2\x9B[2J";
  PskFile mesh = boxes_psk({{"\x1b[2J\xFF", {0, 0, 0}, {1, 1, 1}, 0}, {"b\n\x9B", {0, 0, 0}, {1, 1, 1}, 1}});
  for (auto& [part, file_name] : {std::pair{std::string("BONENAMES"), "hostile_psk"}, {"none", "hostile_psk_parts"}}) {
    PskFile animation = small_psa();
    PskFile spoiled = mesh;
    if (part == "BONENAMES") {
      chunk_of(animation, part) = bone_chunk(part, {{"\x1b[2J\xFF"}, {"tip"}});
    } else {
      spoiled.push_back({id, 4, 1, Bytes(4)});
      spoiled.push_back({id + "2", 4, 0x7FFFFFFF, Bytes(4)});
      animation.push_back({id, 4, 0x7FFFFFFF, Bytes(4)});
    }
    std::memcpy(chunk_of(animation, "ANIMINFO").records.data(), "\x1b[2J\nforged\xFF", 12);
    const fs::path folder = output(std::string("tools/") + file_name + "/x").parent_path();
    fs::create_directories(folder);
    write_file(folder / "hero.psk", bytes_of(spoiled));
    write_file(folder / "hero.psa", bytes_of(animation));
    const std::string file = (folder / "hero.psk").string();
    check_all(file, {});
    check_run({"inspect", file, "--animation", (folder / "hero.psa").string()});
    check_json({"validate", (folder / "hero.psa").string(), "--sarif"});
    check_run({"convert", file, "-o", (folder / "hero.glb").string(), "--force"});
  }
}

TEST_CASE("arguments cannot control terminals", "[tools][hostile]") {
  const std::string file = character_file("hostile_arguments.pchr", sliding_quad());
  for (const std::string& word : {hostile("word"), kBroken}) {
    for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
             {word},
             {"--" + word},
             {"inspect", file, "--" + word},
             {"inspect", file, word},
             {"inspect", file, "--max-file-mb", word},
             {"inspect", file, "--encoding", word},
             {"inspect", file, "--bind", word},
             {"pose", file, "--clip", word},
             {"pose", file, "--clip", "slide", "--time", word},
             {"render", file, "-o", "x.png", "--size", word},
             {"render", file, "-o", "x.png", "--background", word},
             {"render", file, "-o", "x.png", "--format", word},
             {"render", file, "-o", "x.png", "--frames", word},
             {"convert", file, "-o", word},
             {"convert", file, "-o", "x.pchr", "--to", word},
         }) {
      check_run(arguments);
    }
  }
}

}  // namespace hostile_test
