// SPDX-License-Identifier: MIT
// Names of outputs, and formats inferred from them.
#include "tool.hpp"

#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/scenes.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
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

}  // namespace

}  // namespace names_test
