// SPDX-License-Identifier: MIT
// Names of outputs, and formats inferred from them.
#include "tool.hpp"

#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/png.hpp"
#include "support/psk.hpp"
#include "support/px.hpp"
#include "support/scenes.hpp"

#include <pchr/animator.hpp>
#include <pchr/import/import.hpp>
#include <simdjson.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace names_test {
namespace {

using namespace pchr::test;
namespace fs = std::filesystem;

// Writes a file whose clips have these names.
std::string clips_named(const std::vector<std::string>& names) {
  pchr::CharacterData data = sliding_quad();
  const pchr::Clip clip = data.clips.back();
  data.clips.clear();
  for (const std::string& name : names) {
    data.clips.push_back(clip);
    data.clips.back().name = name;
  }
  return character_file("names.pchr", data);
}

TEST_CASE("an unknown extension is wrong usage without --format", "[tools][names]") {
  const fs::path folder = fresh_folder("work");
  const std::string file = character_file("names_quad.pchr", sliding_quad());
  for (const char* name : {"walk.mp4", "walk.jpg", "walk.bmp", "{clip}.{frame}"}) {
    for (const std::vector<std::string>& more : std::vector<std::vector<std::string>>{{}, {"--contact-sheet", "2"}}) {
      const Outcome outcome = run_pchr(joined({"render", file, "--size", "8x8", "-o", (folder / name).string()}, more));
      INFO(outcome.err);
      CHECK(outcome.exit_code == 2);
      CHECK_THAT(outcome.err, contains(".png, .apng, .gif, .webp, .rgba or .y4m"));
    }
  }
  for (const Strings& command : std::vector<Strings>{{"diff", file, file}, {"sheet", file}, {"convert", file}}) {
    CHECK(run_pchr(joined(command, {"-o", (folder / "walk.jpg").string()})).exit_code == 2);
  }
  CHECK(names_in(folder).empty());
  CHECK(
      run_pchr({"render", file, "--size", "8x8", "--format", "gif", "-o", (folder / "walk.mp4").string()}).exit_code ==
      0);
  CHECK(names_in(folder) == std::vector<std::string>{"walk.mp4"});
}

TEST_CASE("clips with equal names get separate files", "[tools][names]") {
  const std::string file = clips_named({"walk/left", "walk:left", "-", "walk/left"});
  const auto rendered = [&](const std::string& name) {
    const fs::path folder = fresh_folder("work");
    const Outcome outcome =
        run_pchr({"render", file, "--all-clips", "--frame", "0", "--size", "8x8", "-o", (folder / name).string()});
    INFO(outcome.err);
    CHECK(outcome.exit_code == 0);
    return names_in(folder);
  };
  CHECK(rendered("{clip}.png") ==
        std::vector<std::string>{"_-.png", "walk_left.png", "walk_left_2.png", "walk_left_3.png"});
  CHECK(rendered("{index}.png") == std::vector<std::string>{"0.png", "1.png", "2.png", "3.png"});
  CHECK(rendered("{index:02}_{file}.png").front() == "00_names.png");
  const Outcome alike = run_pchr({"render", file, "--all-clips", "--frame", "0", "-o", "{file}.png"});
  CHECK(alike.exit_code == 2);
  CHECK_THAT(alike.err, contains("\n  hint: use {clip}, {index} or {frame:04} in the output name"));
}

TEST_CASE("outputs go to the folder of the input, as named", "[tools][names]") {
  const fs::path folder = fresh_folder("work") / "cast";
  fs::create_directories(folder);
  fs::copy(clips_named({"walk"}), folder / "hero.pchr");
  const fs::path before = fs::current_path();
  for (const fs::path& from : {folder.parent_path(), folder}) {
    fs::current_path(from);
    const std::string file = fs::relative(folder / "hero.pchr", from).generic_string();
    const Outcome outcome = run_pchr({"render", file, "--size", "8x8", "-o", "{folder}/{file} {clip}.png"});
    CHECK(outcome.err.empty());
    fs::current_path(before);
    CHECK(names_in(folder) == std::vector<std::string>{"hero walk.png", "hero.pchr"});
    fs::remove(folder / "hero walk.png");
  }
}

TEST_CASE("unknown placeholders are wrong usage", "[tools][names]") {
  const std::string file = character_file("names_quad.pchr", sliding_quad());
  for (const std::string placeholder : {"{frames}", "{}", "{frame:}", "{frame:0x4}", "{frame:99}", "{clip:02}"}) {
    const Outcome outcome = run_pchr({"render", file, "-o", placeholder + ".png"});
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.err ==
          "pchr: unknown placeholder " + placeholder +
              " in the output name\n  hint: use {file}, {folder}, {clip}, {index} or {frame}; {frame:04} "
              "has four digits\n");
  }
}

TEST_CASE("a clip named - is not written to standard output", "[tools][names]") {
  const fs::path before = fs::current_path();
  const std::string file = clips_named({"-"});
  fs::current_path(fresh_folder("work"));
  const Outcome outcome = run_pchr({"render", file, "--all-clips", "--frame", "0", "--size", "8x8", "-o", "{clip}"});
  const std::vector<std::string> names = names_in(".");
  fs::current_path(before);
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.out.empty());
  CHECK(names == std::vector<std::string>{"_-"});
}

TEST_CASE("invalid numbers are wrong usage", "[tools][names]") {
  const fs::path folder = fresh_folder("work");
  const std::string file = character_file("names_quad.pchr", sliding_quad());
  const std::string png = (folder / "a.png").string();
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"render", file, "-o", png, "--margin"},
           {"render", file, "-o", png, "--scale"},
           {"render", file, "-o", png, "--speed"},
           {"render", file, "-o", png, "--fps"},
           {"render", file, "-o", png, "--quality"},
           {"render", file, "-o", png, "--threshold"},
           {"render", file, "-o", png, "--size"},
           {"sheet", file, "-o", png, "--scale"},
           {"sheet", file, "-o", png, "--speed"},
           {"diff", file, file, "--tolerance"},
           {"diff", file, file, "--threshold"},
       }) {
    for (const char* number : {"nan", "inf", "nanx3"}) {
      const Strings whole = joined(arguments, {number});
      INFO(Catch::Detail::stringify(whole));
      CHECK(run_pchr(whole).exit_code == 2);
    }
  }
  CHECK(names_in(folder).empty());
}

TEST_CASE("bounds too large for an image are wrong usage", "[tools][names]") {
  pchr::CharacterData data = sliding_quad();
  for (pchr::Vertex& vertex : data.vertices) {
    vertex.x *= 4e37F;
    vertex.y *= 4e37F;
  }
  const std::string file = character_file("names_huge.pchr", data);
  const std::string png = (fresh_folder("work") / "a.png").string();
  CHECK(run_pchr({"sheet", file, "-o", png}).exit_code == 2);
  CHECK(run_pchr({"sheet", file, "--scale", "10000", "-o", png}).exit_code == 2);
  CHECK(run_pchr({"render", file, "--scale", "1e10", "-o", png}).exit_code == 2);
}

TEST_CASE("the largest size is the one in the help", "[tools][names]") {
  const Outcome help = run_pchr({"render", "--help"});
  CHECK_THAT(help.out, contains("up to 16384 pixels"));
  CHECK_THAT(help.out, contains("128 megapixels"));
  const std::string file = character_file("names_quad.pchr", sliding_quad());
  const std::string png = (fresh_folder("work") / "a.png").string();
  const Outcome outcome = run_pchr({"render", file, "--size", "16384x8193", "-o", png});
  CHECK(outcome.exit_code == 2);
  CHECK_THAT(outcome.err, contains("128 megapixels"));
  const Outcome sheet = run_pchr({"render", file, "--contact-sheet", "2", "--size", "12000x12000", "-o", png});
  CHECK(sheet.exit_code == 2);
}

// Names of files in every script and of every length, and standard streams that do not change bytes.

void check_all_subcommands(const fs::path& folder, const std::string& stem) {
  const auto within = [&](const std::string& name) { return (folder / name).string(); };
  const std::string file = within(stem + ".pchr");
  write_file(file, write_v1(two_bone_arm()));
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"inspect", file},
           {"validate", file},
           {"pose", file, "--clip", "bend"},
           {"render", file, "--size", "8x8", "-o", within(stem + ".png")},
           {"render", file, "--size", "8x8", "--all-clips", "-o", within("{file} {clip}.gif")},
           {"sheet", file, "-o", within(stem + " sheet.png")},
           {"unpack", file, "-o", within(stem)},
           {"convert", file, "-o", within(stem + " 3.pchr")},
           {"pack", file, "-o", within(stem + " 2.pchr")},
           {"diff", file, within(stem + " 2.pchr")},
       }) {
    const Outcome outcome = run_pchr(arguments);
    INFO(arguments[0] << " says " << outcome.err);
    CHECK(outcome.exit_code == 0);
  }
  CHECK(names_in(folder) == std::vector<std::string>{stem, stem + " 2.pchr", stem + " 3.pchr", stem + " bend.gif",
                                                     stem + " sheet.json", stem + " sheet.png", stem + ".pchr",
                                                     stem + ".png"});
  CHECK(read_file(within(stem + " 2.pchr")) == read_file(file));
  CHECK(run_pchr({"inspect", file}).out.starts_with(file + '\n'));
}

TEST_CASE("all subcommands read and write files with names in any script", "[tools][file_names]") {
  for (const std::string stem : {"two words", "狐の少女", "лиса è ß", "🦊👩", "it's [1] %PATH% &^!"}) {
    INFO(stem);
    check_all_subcommands(fresh_folder("scripts"), stem);
  }
}

TEST_CASE("all subcommands read and write files with paths of more than 300 characters", "[tools][file_names]") {
  fs::path folder = fresh_folder("long");
  while (folder.string().size() < 320) folder /= "a folder with a rather long name, as artists make them";
  fs::create_directories(folder);
  check_all_subcommands(folder, "狐");
}

TEST_CASE("standard input and output do not change bytes", "[tools][file_names]") {
  pchr::CharacterData data = sliding_quad();
  // Line ends, and the mark that ends text files on some systems.
  data.images = {plain_image(4, 4, {0x0A, 0x0D, 0x1A, 0xFF}), plain_image(4, 4, {0x0D, 0x0A, 0x1A, 0xFF}, "other")};
  const std::string file = character_file("file_names_bytes.pchr", data);
  const fs::path copy = output("tools/file_names/copy.pchr");
  const std::string through = shell_command({"pack", "-", "-o", "-"}) + " < '" + file + "' > '" + copy.string() + "'";
  REQUIRE(std::system(through.c_str()) == 0);
  CHECK(read_file(copy) == read_file(file));
}

TEST_CASE("text on standard output has the same line ends on every system", "[tools][file_names]") {
  const std::string file = character_file("file_names_text.pchr", sliding_quad());
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"inspect", file}, {"validate", file}, {"validate", "nosuch.pchr"}, {"--help"}}) {
    const Outcome outcome = run_pchr(arguments);
    CHECK(outcome.out.ends_with('\n'));
    CHECK((outcome.out + outcome.err).find('\r') == std::string::npos);
  }
}

// Files and arguments that try to control the terminal of the user or to break JSON output.

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

}  // namespace
}  // namespace names_test
