// SPDX-License-Identifier: MIT
// `pchr unpack`.
#include "tool.hpp"

#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/load.hpp"
#include "support/scenes.hpp"

#include <pchr/load.hpp>

#include <filesystem>
#include <string>

namespace unpack_test {
namespace {

using namespace pchr::test;
namespace fs = std::filesystem;

fs::path fresh(const std::string& name) {
  const fs::path path = output("tools/unpack/" + name);
  fs::remove_all(path);
  return path;
}

TEST_CASE("unpack writes JSON and its images to a folder that it creates", "[tools][unpack]") {
  const fs::path folder = fresh("new") / "deeper";
  const std::string file = character_file("unpack_arm.pchr", two_bone_arm());
  const Outcome outcome = run_pchr({"unpack", file, "-o", folder.string()});
  INFO(outcome.err);
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.out.empty());
  CHECK(outcome.err.empty());
  CHECK(names_in(folder) == Strings{"unpack_arm.arm.png", "unpack_arm.badge.png", "unpack_arm.json"});
  CHECK(pchr::load_character(folder / "unpack_arm.json").value().clips().size() == 2);
}

TEST_CASE("unpack writes either JSON dialect", "[tools][unpack]") {
  const std::string file = asset("quad.pchr").string();
  for (const auto& [dialect, key] : {std::pair{"v1", "\"boneIds\""}, {"pachario", "\"triangles\""}}) {
    const fs::path folder = fresh("dialect");
    REQUIRE(run_pchr({"unpack", file, "-o", folder.string(), "--json-dialect", dialect}).exit_code == 0);
    CHECK_THAT(read_text(folder / "quad.json"), contains(key));
    CHECK(pchr::load_character(folder / "quad.json").value().bones().size() ==
          pchr::load_character(file).value().bones().size());
  }
  CHECK(run_pchr({"unpack", file, "-o", fresh("dialect").string(), "--json-dialect", "klingon"}).exit_code == 2);
}

TEST_CASE("no image name escapes the folder", "[tools][unpack]") {
  pchr::CharacterData data = sliding_quad();
  for (const char* name : {"../../x", "/tmp/pchr-unpack-test", "..", ".", "CON", "", "a\\b", ".hidden", "x", "X"}) {
    data.images.push_back(plain_image(1, 1, {1, 2, 3, 4}, name));
  }
  const fs::path outer = fresh("outer");
  const fs::path folder = outer / "a" / "b";
  const std::string file = character_file("unpack_hostile.pchr", data);
  REQUIRE(run_pchr({"unpack", file, "-o", folder.string()}).exit_code == 0);
  CHECK(names_in(outer) == Strings{"a"});
  CHECK(names_in(outer / "a") == Strings{"b"});
  CHECK(names_in(folder).size() == data.images.size() + 1);
  CHECK_FALSE(fs::exists("/tmp/pchr-unpack-test"));
  for (const auto& entry : fs::directory_iterator(folder)) CHECK(entry.is_regular_file());
  CHECK(pchr::load_character(folder / "unpack_hostile.json").value().images()[1].name == "../../x");
}

TEST_CASE("images with equal names get separate files", "[tools][unpack]") {
  pchr::CharacterData data = sliding_quad();
  data.images[0] = plain_image(2, 2, {255, 0, 0, 255}, "same");
  data.images.push_back(plain_image(3, 3, {0, 255, 0, 255}, "same"));
  const fs::path folder = fresh("same");
  const std::string file = character_file("unpack_same.pchr", data);
  REQUIRE(run_pchr({"unpack", file, "-o", folder.string()}).exit_code == 0);
  CHECK(names_in(folder) == Strings{"unpack_same.json", "unpack_same.same-2.png", "unpack_same.same.png"});
  const auto character = pchr::load_character(folder / "unpack_same.json").value();
  CHECK(character.images()[0].width == 2);
  CHECK(character.images()[1].width == 3);
}

TEST_CASE("unpack writes nothing if a file exists and --force is not given", "[tools][unpack]") {
  const fs::path folder = fresh("present");
  fs::create_directories(folder);
  write_file(folder / "unpack_arm.badge.png", std::as_bytes(std::span("old", 3)));
  const std::string file = character_file("unpack_arm.pchr", two_bone_arm());
  const Outcome outcome = run_pchr({"unpack", file, "-o", folder.string()});
  CHECK(outcome.exit_code == 2);
  CHECK_THAT(outcome.err, contains("unpack_arm.badge.png already exists; use --force to replace it"));
  CHECK(names_in(folder) == Strings{"unpack_arm.badge.png"});
  CHECK(read_text(folder / "unpack_arm.badge.png") == "old");
  CHECK(run_pchr({"unpack", file, "-o", folder.string(), "--force"}).exit_code == 0);
  CHECK(names_in(folder).size() == 3);
  CHECK(pchr::load_character(folder / "unpack_arm.json"));
}

TEST_CASE("unpack --force replaces a link, not its target", "[tools][unpack]") {
  const fs::path folder = fresh("links"), precious = fresh("precious");
  fs::create_directories(folder);
  write_file(precious, std::as_bytes(std::span("precious", 8)));
  fs::create_symlink(precious, folder / "unpack_arm.arm.png");
  const std::string file = character_file("unpack_arm.pchr", two_bone_arm());
  CHECK(run_pchr({"unpack", file, "-o", folder.string()}).exit_code == 2);
  CHECK(run_pchr({"unpack", file, "-o", folder.string(), "--force"}).exit_code == 0);
  CHECK(read_text(precious) == "precious");
  CHECK(fs::is_regular_file(fs::symlink_status(folder / "unpack_arm.arm.png")));
}

TEST_CASE("unpack writes the markers and the rig under the character's name", "[tools][unpack]") {
  const fs::path folder = fresh("marked");
  REQUIRE(run_pchr({"unpack", asset("kiri.pchr").string(), "-o", folder.string()}).exit_code == 0);
  CHECK(read_file(folder / "kiri.rig.json") == read_file(asset("kiri.rig.json")));
  CHECK(run_pchr({"inspect", (folder / "kiri.json").string()}).exit_code == 0);
}

TEST_CASE("a character that cannot be read leaves no folder", "[tools][unpack]") {
  const fs::path folder = fresh("none"), broken = fresh("broken.pchr");
  write_file(broken, std::as_bytes(std::span("broken", 6)));
  CHECK(run_pchr({"unpack", broken.string(), "-o", folder.string()}).exit_code == 1);
  CHECK(run_pchr({"unpack", broken.string(), "-o", (folder / "{file}").string()}).exit_code == 1);
  CHECK_FALSE(fs::exists(folder));
}

TEST_CASE("a folder that cannot be created, or a folder in place of a file, exits 3", "[tools][unpack]") {
  const fs::path plain = fresh("plain");
  write_file(plain, std::as_bytes(std::span("file", 4)));
  const std::string file = character_file("unpack_arm.pchr", two_bone_arm());
  CHECK(run_pchr({"unpack", file, "-o", plain.string()}).exit_code == 3);
  CHECK(run_pchr({"unpack", file, "-o", (plain / "below").string()}).exit_code == 3);
  const fs::path folder = fresh("occupied");
  fs::create_directories(folder / "unpack_arm.arm.png");
  CHECK(run_pchr({"unpack", file, "-o", folder.string(), "--force"}).exit_code == 3);
  CHECK(names_in(folder) == Strings{"unpack_arm.arm.png"});
}

}  // namespace

}  // namespace unpack_test
