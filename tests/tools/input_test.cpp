// SPDX-License-Identifier: MIT
// Input of `pchr`: standard input, and missing files.
#include "tool.hpp"

#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/psk.hpp"
#include "support/scenes.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace input_test {
namespace {

using namespace pchr::test;

// Runs `pchr` with a file as its standard input.
Outcome run_reading(const std::string& file, const std::vector<std::string>& arguments) {
  std::vector<std::string> command = pchr_command(arguments);
  command.insert(command.begin(), {"-c", R"(exec "$@" < "$0")", file});
  return run_program("/bin/sh", command);
}

}  // namespace

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

}  // namespace input_test
