// SPDX-License-Identifier: MIT
// Names of files in every script and of every length, and standard streams that do not change bytes.
#include "tool.hpp"

#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/png.hpp"
#include "support/scenes.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace file_names_test {
namespace {

using namespace pchr::test;
namespace fs = std::filesystem;

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

}  // namespace

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

}  // namespace file_names_test
