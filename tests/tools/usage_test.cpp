// SPDX-License-Identifier: MIT
// Help, exit codes, errors and warnings of all subcommands of `pchr`.
#include "tool.hpp"

#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/load.hpp"
#include "support/png.hpp"
#include "support/psk.hpp"
#include "support/scenes.hpp"

#include <pchr/load.hpp>

#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace usage_test {
namespace {

using namespace pchr::test;
namespace fs = std::filesystem;

// A PNG with valid chunks whose pixels are not compressed data.
pchr::Image undecodable_image() {
  Bytes png = png_start({.width = 2, .height = 2});
  png_chunk(png, "IDAT", std::as_bytes(std::span("these bytes are not compressed pixels")));
  png_chunk(png, "IEND", {});
  return {"broken", 2, 2, pchr::ImageEncoding::png, std::move(png)};
}

TEST_CASE("help and version exit 0", "[tools][usage]") {
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"--help"}, {"inspect", "--help"}, {"render", "--help"}, {"pose", "--help"}}) {
    const Outcome outcome = run_pchr(arguments);
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, contains("Examples:"));
    CHECK(outcome.err.empty());
  }
  const Outcome version = run_pchr({"--version"});
  CHECK(version.exit_code == 0);
  // Sources that are neither a clone nor an archive do not know their commit.
  CHECK_THAT(version.out, Catch::Matchers::Matches("pchr " PCHR_VERSION "( \\(commit [0-9a-f]{10}(-modified)?\\))?\n"));
}

TEST_CASE("wrong usage exits 2 with an error", "[tools][usage]") {
  const std::string file = character_file("usage_usage.pchr", sliding_quad());
  const std::string png = output("tools/usage.png").string();
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {},
           {"dance"},
           {"inspect"},
           {"inspect", file, "--dance"},
           {"pose", file, "--frame", "0"},
           {"pose", file, "--clip", "slide", "--frame", "-1"},
           {"pose", file, "--clip", "slide", "--frame", "0", "--time", "0"},
           {"pose", file, "--clip", "slide", "--time", "nan"},
           {"pose", file, "--clip", "slide", "--time", "inf"},
           {"render", file},
           {"render", file, "-o", png, "--size", "0x5"},
           {"render", file, "-o", png, "--size", "5"},
           {"render", file, "-o", png, "--size", "16385x5"},
           {"render", file, "-o", png, "--size", "16384x16384"},
           {"render", file, "-o", png, "--background", "red"},
           {"render", file, "-o", png, "--background", "#12345"},
           {"render", file, "-o", png, "--margin", "0.5"},
           {"render", file, "-o", png, "--zoom", "0"},
           {"render", file, "-o", png, "--zoom", "nan"},
           {"render", file, "-o", png, "--zoom", "1e39"},
           {"render", file, "-o", png, "--zoom", "much"},
           {"render", file, "-o", png, "--center", "1"},
           {"render", file, "-o", png, "--center", "1,inf"},
           {"render", file, "-o", png, "--contact-sheet", "0"},
           {"render", file, "-o", png, "--contact-sheet", "2", "--frame", "1"},
           {"render", file, "-o", file},
           {"render", file, "-o", png, "--frames", "2"},
           {"render", file, "-o", png, "--frames", "3..1"},
           {"render", file, "-o", png, "--frames", "0..4", "--clip", "slide"},
           {"render", file, "-o", png, "--frames", "0..1", "--clip", "slide"},
           {"render", file, "-o", png, "--frames", "0..1", "--frame", "1"},
           {"render", file, "-o", png, "--fps", "0"},
           {"render", file, "-o", png, "--speed", "-1"},
           {"render", file, "-o", "{dance}.png"},
           {"render", file, "-o", "{frame:4x}.png"},
           {"render", file, "-o", "{frame}.png", "--fps", "1e9", "--clip", "slide"},
           {"render", file, "-o", png, "--clip", "slide", "--clip", "bind"},
           {"render", file, "-o", "-", "--clip", "slide", "--clip", "bind"},
           {"render", file, "-o", png, "--all-clips", "--clip", "bind"},
           {"render", file, "-o", png, "--format", "bmp"},
           {"render", file, "-o", png, "--quality", "101"},
           {"render", file, "-o", png, "--effort", "2"},
           {"render", file, "-o", png, "--effort", "tiny"},
           {"render", file, "-o", "a.webp", "--effort", "10"},
           {"render", file, "-o", "-", "--format", "gif", "--effort", "fast"},
           {"render", file, "-o", png, "--matte", "none"},
           {"render", file, "-o", png, "--scale", "1", "--size", "8x8"},
           {"render", file, "-o", png, "--scale", "1e6"},
           {"render", file, "-o", "-", "--format", "webp", "--size", "16384x8"},
           {"render", file, "-o", png, "--format", "gif", "--contact-sheet", "2"},
           {"render", file, "--reference", png, "--clip", "slide", "--frames", "0..1"},
           {"render", file, "-o", png, "--smooth"},
           {"render", file, "-o", png, "--speed", "2"},
           {"render", file, "-o", png, "--loops", "2"},
           {"render", file, "-o", png, "--quality", "50"},
           {"render", file, "-o", png, "--matte", "#204060"},
           {"render", file, "-o", png, "--threshold", "0.1"},
           {"render", file, "-o", png, "--zoom", "2", "--margin", "0"},
           {"render", file, "-o", png, "--zoom", "2", "--center", "0,0", "--fit", "frame"},
           {"render", file, "-o", png, "--contact-sheet", "2", "--loops", "2"},
           {"render", file, "-o", png, "--contact-sheet", "2", "--speed", "2"},
           {"render", file, "-o", png, "--contact-sheet", "2", "--smooth"},
           {"pose", file, "--clip", "slide", "--frame", "0", "--smooth"},
           {"sheet", file, "-o", png, "--smooth"},
           {"sheet", file},
           {"sheet", file, "-o", "sheet.gif"},
           {"sheet", file, "-o", png, "--max-size", "8"},
           {"sheet", file, "-o", png, "--layout", "list"},
           {"diff", file},
           {"diff", file, file, "--no-pixels", "-o", png},
           {"diff", file, file, "--no-pixels", "--html", "page"},
           {"diff", file, file, "--json", "--html", "page"},
           {"diff", file, file, "-o", png, "--html", "page"},
           {"diff", file, file, "--animate"},
           {"diff", file, "-", "--html", "page"},
           {"help", "dance"},
       }) {
    const Outcome outcome = run_pchr(arguments);
    INFO(Catch::Detail::stringify(arguments) << " says " << outcome.err);
    CHECK(outcome.exit_code == 2);
    CHECK_FALSE(outcome.err.empty());
    CHECK(outcome.out.empty());
  }
  CHECK(pchr::load_character(file));
}

TEST_CASE("a word that begins with a hyphen and is no option is an error in every subcommand", "[tools][usage]") {
  const std::string file = character_file("usage_hyphen.pchr", sliding_quad());
  for (const char* command :
       {"inspect", "play", "validate", "render", "sheet", "pose", "diff", "pack", "unpack", "convert"}) {
    for (const char* word : {"-hero.pchr", "-h.pchr", "-hh", "-1.pchr", "-x.pchr", "--hero.pchr"}) {
      const Outcome outcome = run_pchr({command, file, word});
      INFO(command << ' ' << word << " says " << outcome.err);
      CHECK(outcome.exit_code == 2);
      CHECK(outcome.out.empty());
      CHECK_THAT(outcome.err, contains(std::string("unknown option \"") + word + '"'));
      CHECK_THAT(outcome.err, contains(std::string("see 'pchr ") + command + " --help'"));
    }
    CHECK(run_pchr({command, "-h"}).exit_code == 0);
  }
  CHECK(run_pchr({"-hero.pchr"}).exit_code == 2);
  CHECK(run_pchr({"-h"}).exit_code == 0);
  CHECK(run_pchr({"validate", "--", "-hero.pchr"}).exit_code == 4);
  CHECK(run_pchr({"validate", "-j2", file, file}).exit_code == 0);
}

TEST_CASE("the name of a file is not taken for a short option with its value", "[tools][usage]") {
  const std::string file = character_file("usage_value.pchr", sliding_quad());
  const std::string named = "-odd name of a test.pchr";
  std::filesystem::copy_file(file, named, std::filesystem::copy_options::overwrite_existing);
  const Outcome outcome = run_pchr({"pack", file, named});
  std::filesystem::remove(named);
  CHECK(outcome.exit_code == 2);
  CHECK_THAT(outcome.err, contains("unknown option \"-odd name of a test.pchr\"; to name the file, begin with ./"));
  CHECK_FALSE(std::filesystem::exists("dd name of a test.pchr"));
}

TEST_CASE("a bad file exits 1 with an error that names the file, the place and the value", "[tools][usage]") {
  pchr::CharacterData data = two_bone_arm();
  data.vertices[17].bones[1] = 7;
  const std::string file = character_file("usage_bad.pchr", data);
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"inspect", file}, {"inspect", file, "--json"}, {"pose", file}, {"render", file, "-o", "-"}}) {
    const Outcome outcome = run_pchr(arguments);
    CHECK(outcome.exit_code == 1);
    CHECK(outcome.out.empty());
    CHECK_THAT(outcome.err, contains(file + ": error E114: "));
    CHECK_THAT(outcome.err, contains("meshes[0] \"strip\", vertices[17].boneIds[1] is "));
    CHECK_THAT(outcome.err, contains("is 7, but the file has "));
  }
}

TEST_CASE("an unknown clip exits 2 and lists the clips", "[tools][usage]") {
  pchr::CharacterData data = sliding_quad();
  data.clips[0].name = "cursor \x1b[2J";
  const std::string file = character_file("usage_clips.pchr", data);
  for (const std::vector<std::string>& subcommand :
       std::vector<std::vector<std::string>>{{"pose", file}, {"render", file, "-o", "-"}}) {
    const Outcome outcome = run_pchr(joined(subcommand, {"--clip", "dance"}));
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.err == "pchr: there is no clip named \"dance\"; the clips are:\n  cursor \\x1b[2J\n  slide\n");
  }
}

TEST_CASE("an error about a file whose name is like an option says how to name it", "[tools][usage]") {
  const char* const name = "-usage.pchr";
  std::filesystem::copy_file(character_file("usage_dash.pchr", sliding_quad()), name,
                             std::filesystem::copy_options::overwrite_existing);
  const Outcome wrong = run_pchr({"validate", name});
  const Outcome right = run_pchr({"validate", std::string("./") + name});
  std::filesystem::remove(name);
  CHECK(wrong.exit_code == 2);
  CHECK_THAT(wrong.err, contains("unknown option \"-usage.pchr\"; to name the file, begin with ./"));
  CHECK(right.exit_code == 0);
  CHECK_THAT(run_pchr({"validate", name}).err, contains("unknown option \"-usage.pchr\"\n"));
}

TEST_CASE("a frame out of range exits 2 with an error that names the range", "[tools][usage]") {
  const std::string file = character_file("usage_frames.pchr", sliding_quad());
  for (const std::vector<std::string>& subcommand :
       std::vector<std::vector<std::string>>{{"pose", file}, {"render", file, "-o", "-"}}) {
    const Outcome outcome = run_pchr(joined(subcommand, {"--clip", "slide", "--frame", "4"}));
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.err == "pchr: frame 4 does not exist; the clip \"slide\" has frames 0 to 3\n");
  }
}

TEST_CASE("a bind pose that does not exist exits 2", "[tools][usage]") {
  const std::string file = character_file("usage_bind.pchr", sliding_quad());
  CHECK(run_pchr({"inspect", file, "--bind", "dance"}).exit_code == 2);
  CHECK(run_pchr({"inspect", file, "--bind", "slide:4"}).exit_code == 2);
  CHECK(run_pchr({"inspect", file, "--bind", "slide:3"}).exit_code == 0);
}

TEST_CASE("a broken atlas is an error without --no-images", "[tools][usage]") {
  pchr::CharacterData data = sliding_quad();
  data.images[0] = undecodable_image();
  const std::string file = character_file("usage_atlas.pchr", data);
  for (const std::vector<std::string>& subcommand :
       std::vector<std::vector<std::string>>{{"inspect", file}, {"pose", file}, {"render", file, "-o", "-"}}) {
    const Outcome outcome = run_pchr(subcommand);
    CHECK(outcome.exit_code == 1);
    CHECK_THAT(outcome.err, contains(file + ": error E124: "));
    CHECK_THAT(outcome.err, contains("broken"));

    CHECK(run_pchr(joined(subcommand, {"--no-images"})).exit_code == 0);
  }
}

TEST_CASE("options set the limits of loading", "[tools][usage]") {
  pchr::CharacterData data = sliding_quad();
  data.images[0] = plain_image(1024, 1024, {1, 2, 3, 4});
  const std::string file = character_file("usage_limits.pchr", data);
  CHECK(run_pchr({"inspect", file}).exit_code == 0);
  CHECK(run_pchr({"inspect", file, "--max-file-mb", "3"}).exit_code == 1);
  CHECK(run_pchr({"inspect", file, "--max-megapixels", "0"}).exit_code == 1);
}

TEST_CASE("warnings go to standard error, and to the output of inspect", "[tools][usage]") {
  pchr::CharacterData data = sliding_quad();
  data.reserved_flags = 0x8001;
  const std::string file = character_file("usage_warning.pchr", data);
  const Outcome pose = run_pchr({"pose", file});
  CHECK(pose.exit_code == 0);
  CHECK_THAT(pose.err, contains(file + ": warning W201: "));
  const Outcome inspect = run_pchr({"inspect", file});
  CHECK(inspect.exit_code == 0);
  CHECK(inspect.err.empty());
  CHECK_THAT(inspect.out, contains(file + ": warning W201: "));
}

TEST_CASE("a full disk behind standard output exits 3", "[tools][usage]") {
  if (!std::filesystem::exists("/dev/full")) return;
  const std::string file = character_file("usage_full.pchr", sliding_quad());
  for (const char* subcommand : {"inspect", "pose"}) {
    const Outcome outcome = run_pchr({subcommand, file}, {}, "/dev/full");
    CHECK(outcome.exit_code == 3);
    CHECK_THAT(outcome.err, contains("cannot write to standard output: No space left on device"));
  }
}

// Input of `pchr`: standard input, and missing files.

// Runs `pchr` with a file as its standard input.
Outcome run_reading(const std::string& file, const std::vector<std::string>& arguments) {
  std::vector<std::string> command = pchr_command(arguments);
  command.insert(command.begin(), {"-c", R"(exec "$@" < "$0")", file});
  return run_program("/bin/sh", command);
}

TEST_CASE("every subcommand reads standard input if FILE is -", "[tools][input]") {
  const std::string file = character_file("input_quad.pchr", sliding_quad());
  const std::filesystem::path folder = fresh_folder("tools/input");
  const Outcome inspected = run_reading(file, {"inspect", "-"});
  CHECK(inspected.exit_code == 0);
  CHECK(inspected.out.starts_with("standard input\n"));
  const Outcome validated = run_reading(file, {"validate", "-"});
  CHECK(validated.exit_code == 0);
  CHECK_THAT(validated.out, contains("1 file, 0 errors"));
  const Outcome posed = run_reading(file, {"pose", "-", "--clip", "slide"});
  CHECK(posed.exit_code == 0);
  CHECK_THAT(posed.out, contains("\"file\": \"standard input\",\n  \"clip\": \"slide\","));
  CHECK(run_reading(file, {"diff", file, "-", "--no-pixels"}).exit_code == 0);
  CHECK(run_reading(file, {"diff", "-", file, "--no-pixels"}).exit_code == 0);
  CHECK(run_reading(file, {"pack", "-", "-o", (folder / "packed.pchr").string()}).exit_code == 0);
  CHECK(run_reading(file, {"convert", "-", "-o", (folder / "converted.pchr").string()}).exit_code == 0);
  CHECK(run_reading(file, {"unpack", "-", "-o", (folder / "unpacked").string()}).exit_code == 0);
  CHECK(std::filesystem::exists(folder / "unpacked" / "stdin.json"));
  CHECK(run_reading(file, {"render", "-", "-o", (folder / "{file}.png").string(), "--size", "8x8"}).exit_code == 0);
  CHECK(std::filesystem::exists(folder / "stdin.png"));
}

TEST_CASE("standard input is subject to the file size limit and named in errors", "[tools][input]") {
  pchr::CharacterData data = sliding_quad();
  data.images[0] = plain_image(1024, 1024, {1, 2, 3, 4});
  const std::string file = character_file("input_large.pchr", data);
  const Outcome outcome = run_reading(file, {"inspect", "-", "--max-file-mb", "3"});
  CHECK(outcome.exit_code == 1);
  CHECK_THAT(outcome.err, contains("standard input: error E104: "));
  CHECK(run_reading("/dev/null", {"inspect", "-"}).exit_code == 1);
  CHECK(run_reading("/", {"inspect", "-"}).exit_code == 4);
  CHECK(run_reading(file, {"diff", "-", "-"}).exit_code == 2);
  CHECK(run_reading(file, {"validate", "-", "-"}).exit_code == 2);
}

TEST_CASE("a missing or unreadable file exits 4, bad data 1", "[tools][input]") {
  const std::string file = character_file("input_there.pchr", sliding_quad());
  const std::string png = output("tools/input.png").string();
  const std::filesystem::path mesh = output("tools/input.psk");
  write_file(mesh, bytes_of(small_psk()));
  for (const std::string& missing : {output("tools/missing.pchr").string(), output("tools/x").parent_path().string()}) {
    for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
             {"inspect", missing},
             {"pose", missing},
             {"render", missing, "-o", png},
             {"sheet", missing, "-o", png},
             {"validate", missing},
             {"validate", file, missing},
             {"pack", missing, "-o", png},
             {"unpack", missing, "-o", png},
             {"convert", missing, "-o", png + ".pchr"},
             {"diff", file, missing},
             {"diff", missing, file},
             {"render", file, "--reference", missing},
             {"inspect", mesh.string(), "--animation", missing},
             {"validate", mesh.string(), "--animation", missing},
         }) {
      // diff takes either two files or two folders.
      if (arguments[0] == "diff" && std::filesystem::is_directory(missing)) continue;
      const Outcome outcome = run_pchr(arguments);
      INFO(Catch::Detail::stringify(arguments) << " says " << outcome.out << outcome.err);
      CHECK(outcome.exit_code == 4);
      CHECK_THAT(outcome.out + outcome.err, contains(missing + ": error E100: "));
    }
  }
  write_file(png, std::as_bytes(std::span("not an image")));
  CHECK(run_pchr({"render", file, "--reference", png}).exit_code == 1);
  CHECK(run_pchr({"diff", file, png}).exit_code == 1);
}

TEST_CASE("different images exit 5", "[tools][input]") {
  const std::string file = character_file("input_images.pchr", sliding_quad());
  const std::string png = output("tools/input_images.png").string();
  REQUIRE(run_pchr({"render", file, "--size", "8x8", "--clip", "slide", "--frame", "3", "-o", png}).exit_code == 0);
  CHECK(run_pchr({"render", file, "--size", "8x8", "--clip", "slide", "--frame", "3", "--reference", png}).exit_code ==
        0);
  CHECK(run_pchr({"render", file, "--size", "8x8", "--clip", "slide", "--frame", "0", "--reference", png}).exit_code ==
        5);
  CHECK(run_pchr({"render", file, "--size", "9x9", "--reference", png}).exit_code == 5);
}

TEST_CASE("the help of each subcommand lists the exit codes", "[tools][input]") {
  for (const char* subcommand :
       {"inspect", "play", "render", "sheet", "pose", "validate", "pack", "unpack", "convert", "diff"}) {
    const std::string help = run_pchr({subcommand, "--help"}).out;
    CHECK_THAT(help, contains("\nExit codes:\n  0  success\n"));
    CHECK_THAT(help, contains("\n  4  a file is missing or cannot be read\n"));
    CHECK(help.ends_with("\n  6  some of several files succeeded\n"));
  }
}

TEST_CASE("an unknown subcommand is an error that suggests the nearest name", "[tools][input]") {
  CHECK(run_pchr({"dance"}).err == "pchr: unknown subcommand \"dance\"\n  hint: see 'pchr --help'\n");
  CHECK_THAT(run_pchr({"inspct", "hero.pchr"}).err,
             contains("pchr: unknown subcommand \"inspct\"; did you mean \"inspect\"?\n"));
  CHECK_THAT(run_pchr({"--dance"}).err, contains("pchr: unknown option \"--dance\"\n"));
  CHECK(run_pchr({"dance"}).exit_code == 2);
}

// `pchr play`, with a player that only prints its arguments.

fs::path folder_with_player(const std::string& name, const std::string& text) {
  const fs::path player = output("tools/" + name + "/pchr-player");
  std::ofstream(player) << "#!/bin/sh\necho " << text << " \"$@\"\nexit 7\n";
  fs::permissions(player, fs::perms::owner_all);
  return player.parent_path();
}

TEST_CASE("play runs the player in PATH with all files and returns its exit code", "[tools][play][posix]") {
  const fs::path folder = folder_with_player("on-path", "path");
  const Outcome outcome =
      run_pchr({"play", "one.pchr", "-", "two words.json"}, {"PATH=/nonexistent::" + folder.string()});
  CHECK(outcome.out == "path -- one.pchr - two words.json\n");
  CHECK(outcome.exit_code == 7);
  CHECK(run_pchr({"play"}, {"PATH=" + folder.string()}).out == "path --\n");
  CHECK(run_pchr({"play", "a.pchr", "--bind", "idle:2"}, {"PATH=" + folder.string()}).out ==
        "path --bind idle:2 -- a.pchr\n");
  CHECK(run_pchr({"play", "a.chp", "--second-player", "--black-key", "--encoding", "shift-jis"},
                 {"PATH=" + folder.string()})
            .out == "path --second-player --black-key --encoding shift-jis -- a.chp\n");
}

TEST_CASE("play prefers the player next to the tool", "[tools][play][posix]") {
  const fs::path next_to_tool = folder_with_player("next_to_tool", "next_to_tool");
  const fs::path other = folder_with_player("on-path", "path");
  fs::copy_file(PCHR_TOOL, next_to_tool / "pchr", fs::copy_options::overwrite_existing);
  const Outcome outcome = run_program(next_to_tool / "pchr", {"play", "one.pchr"}, {"PATH=" + other.string()});
  CHECK(outcome.out == "next_to_tool -- one.pchr\n");
}

TEST_CASE("play without a player exits 3", "[tools][play][posix]") {
  for (const std::string path : {"PATH=", "PATH=/nonexistent"}) {
    const Outcome outcome = run_pchr({"play", "one.pchr"}, {path});
    CHECK(outcome.exit_code == 3);
    CHECK(outcome.err == "pchr: cannot find pchr-player next to this program or in PATH\n");
    CHECK(outcome.out.empty());
  }
}

}  // namespace
}  // namespace usage_test
