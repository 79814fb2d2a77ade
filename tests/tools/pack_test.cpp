// SPDX-License-Identifier: MIT
// `pchr pack`.
#include "tool.hpp"

#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/load.hpp"
#include "support/scenes.hpp"

#include <pchr/load.hpp>
#include <pchr/animator.hpp>
#include <pchr/import/import.hpp>

#include <filesystem>
#include <string>

namespace pack_test {
namespace {

using namespace pchr::test;
namespace fs = std::filesystem;

std::string fresh(const std::string& name) {
  const fs::path path = output("tools/pack/" + name);
  fs::remove_all(path);
  fs::remove(pchr::rig_path(path));
  return path.string();
}

TEST_CASE("pack undoes unpack, byte for byte", "[tools][pack]") {
  for (const char* name : {"quad.pchr", "kiri.pchr"}) {
    const std::string folder = fresh("undone"), packed = fresh("packed.pchr");
    REQUIRE(run_pchr({"unpack", asset(name).string(), "-o", folder}).exit_code == 0);
    const std::string json = (fs::path(folder) / name).replace_extension(".json").string();
    const Outcome outcome = run_pchr({"pack", json, "-o", packed});
    INFO(outcome.err);
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.out.empty());
    CHECK(read_file(packed) == read_file(asset(name)));
  }
}

TEST_CASE("pack --rgba writes raw pixels", "[tools][pack]") {
  const std::string packed = fresh("raw.pchr");
  REQUIRE(run_pchr({"pack", asset("quad.pchr").string(), "-o", packed, "--rgba"}).exit_code == 0);
  const auto character = pchr::load_character(packed).value();
  CHECK(character.images()[0].encoding == pchr::ImageEncoding::rgba8888);
}

TEST_CASE("pack writes to standard output", "[tools][pack]") {
  const std::string packed = fresh("stdout.pchr");
  REQUIRE(run_pchr({"pack", asset("quad.pchr").string(), "-o", "-"}, {}, packed).exit_code == 0);
  CHECK(read_file(packed) == read_file(asset("quad.pchr")));
}

TEST_CASE("pack replaces a file only with --force", "[tools][pack]") {
  const std::string packed = fresh("present.pchr");
  write_file(packed, std::as_bytes(std::span("old", 3)));
  const std::string file = asset("quad.pchr").string();
  const Outcome outcome = run_pchr({"pack", file, "-o", packed});
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.err == "pchr: " + packed + " already exists; use --force to replace it\n");
  CHECK(read_text(packed) == "old");
  CHECK(run_pchr({"pack", file, "-o", packed, "--force"}).exit_code == 0);
  CHECK(read_file(packed) == read_file(file));
}

TEST_CASE("pack fails on data that v1 cannot store, except with --lossy", "[tools][pack]") {
  pchr::CharacterData data = sliding_quad();
  Bytes bytes = write_v1(data);
  bytes[bytes.size() - 3] = std::byte{0x81};
  const std::string file = fresh("flags.pchr"), packed = fresh("lossy.pchr");
  write_file(file, bytes);
  const Outcome refused = run_pchr({"pack", file, "-o", packed});
  CHECK(refused.exit_code == 1);
  CHECK_THAT(refused.err, contains(file + ": error E301: "));
  CHECK_THAT(refused.err, contains("animations[1] \"slide\""));
  CHECK_THAT(refused.err, contains("--lossy"));
  CHECK_FALSE(fs::exists(packed));
  const Outcome lossy = run_pchr({"pack", file, "-o", packed, "--lossy"});
  CHECK(lossy.exit_code == 0);
  CHECK_THAT(lossy.err, contains(file + ": warning W301: "));
  CHECK(read_file(packed) == write_v1(data));
}

}  // namespace

}  // namespace pack_test
