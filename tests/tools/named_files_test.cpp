// SPDX-License-Identifier: MIT
// `--texture`, `--rig` and `--max-output-mb`: which files are read, and how much is written.
#include "tool.hpp"

#include "support/catch.hpp"
#include "support/files.hpp"

#include <filesystem>
#include <string>

namespace named_files_test {
namespace {

using namespace pchr::test;
namespace fs = std::filesystem;

/// A character of the assets as JSON, with its images in another folder.
struct Apart {
  fs::path folder = fresh_folder("tools/named_files");
  std::string json = (folder / "character" / "kiri.json").string();
  Strings textures;  ///< As options.

  Apart() {
    fs::create_directories(folder / "character");
    REQUIRE(run_pchr({"unpack", asset("kiri.pchr").string(), "-o", (folder / "images").string()}).exit_code == 0);
    fs::rename(folder / "images" / "kiri.json", json);
    for (const auto& entry : fs::directory_iterator(folder / "images")) {
      textures.insert(textures.end(), {"--texture", entry.path().string()});
    }
    REQUIRE_FALSE(textures.empty());
  }
};

}  // namespace

TEST_CASE("the images that other files name are replaced by --texture", "[tools][named_files]") {
  const Apart apart;
  CHECK(run_pchr({"inspect", apart.json}).exit_code == 1);
  const Outcome outcome = run_pchr(joined({"inspect", apart.json}, apart.textures));
  INFO(outcome.err);
  CHECK(outcome.exit_code == 0);
}

TEST_CASE("another file for the markers and the rig can be named", "[tools][named_files]") {
  const fs::path folder = fresh_folder("tools/named_rig");
  for (const char* name : {"kiri.pchr", "kiri.rig.json"}) fs::copy(asset(name), folder);
  const std::string file = (folder / "kiri.pchr").string(), rig = (folder / "other.json").string();
  const std::string with_markers = run_pchr({"inspect", file, "--json"}).out;
  fs::rename(folder / "kiri.rig.json", rig);
  CHECK_THAT(with_markers, contains("\"name\": \"step\""));
  CHECK_THAT(run_pchr({"inspect", file, "--json"}).out, !contains("\"name\": \"step\""));
  CHECK_THAT(run_pchr({"inspect", file, "--json", "--rig", rig}).out, contains("\"name\": \"step\""));
}

TEST_CASE("an input that writes too much leaves nothing", "[tools][named_files]") {
  const fs::path folder = fresh_folder("tools/too_much_output");
  for (const char* name : {"kiri.rgba", "kiri_{frame}.png"}) {
    const Outcome outcome = run_pchr({"render", asset("kiri.pchr").string(), "--clip", "walk", "--size", "512x512",
                                      "--max-output-mb", "1", "-o", (folder / name).string()});
    CHECK(outcome.exit_code == 1);
    CHECK_THAT(outcome.err, contains("kiri.pchr: it writes more than the 1 MiB that --max-output-mb allows"));
    CHECK(fs::is_empty(folder));
  }
}

}  // namespace named_files_test
