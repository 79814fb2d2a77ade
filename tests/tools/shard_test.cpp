// SPDX-License-Identifier: MIT
// `--shard`.
#include "tool.hpp"

#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/scenes.hpp"

#include <engine.hpp>

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <vector>

namespace pchr::test::shard_test {

using namespace pchr::tools;

/// Returns the contents of each file in a folder.
std::map<std::string, Bytes> files_in(const std::filesystem::path& folder) {
  std::map<std::string, Bytes> files;
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    files[utf8_of(file.path().filename())] = read_file(file.path());
  }
  return files;
}

/// Runs `render` in all shards, and checks that they write the files of one run, each once.
void check_shards(std::vector<std::string> arguments, const std::string& name, std::uint32_t shards) {
  const std::filesystem::path whole = fresh_folder("tools/shard_whole"), parts = fresh_folder("tools/shard_parts");
  arguments.insert(arguments.begin(), {"render", "--size", "24x24"});
  REQUIRE(run_pchr(joined(arguments, {"-o", utf8_of(whole / name)})).exit_code == 0);

  std::size_t written = 0;
  for (std::uint32_t number = 1; number <= shards; ++number) {
    const std::filesystem::path folder = fresh_folder("tools/shard_part");
    const std::string shard = fmt::format("{}/{}", number, shards);
    const Outcome outcome = run_pchr(joined(arguments, {"--shard", shard, "-o", utf8_of(folder / name)}));
    INFO(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    for (const auto& [file, bytes] : files_in(folder)) {
      ++written;
      write_file(parts / file, bytes);
    }
  }
  CHECK(written == files_in(whole).size());
  CHECK(files_in(whole) == files_in(parts));
}

TEST_CASE("A shard is a number and a count", "[shard]") {
  const auto shard = parse_shard("3/40");
  REQUIRE(shard);
  CHECK(shard->number == 3);
  CHECK(shard->count == 40);
  CHECK(parse_shard("4294967295/4294967295"));
  for (const char* text : {"", "3", "3/", "/40", "0/40", "41/40", "-1/40", "3/40/", "3 /40", "3/ 40", "3/0", "a/b",
                           "1/4294967296", "0x1/2", "+1/2"}) {
    INFO(text);
    CHECK_FALSE(parse_shard(text));
  }
}

TEST_CASE("Each file belongs to one shard, and the shards are about equal", "[shard]") {
  constexpr std::uint32_t kShards = 8, kFiles = 4000;
  std::vector<std::uint32_t> counts(kShards);
  for (std::uint32_t file = 0; file < kFiles; ++file) {
    // Even numbers, as of every other frame.
    const std::string name = fmt::format("cast/hero{:05}.pchr", file * 2);
    std::uint32_t shards = 0;
    for (std::uint32_t number = 1; number <= kShards; ++number) {
      if (!has_file({number, kShards}, name)) continue;
      ++shards;
      ++counts[number - 1];
    }
    REQUIRE(shards == 1);
  }
  for (const std::uint32_t count : counts) {
    CHECK(count > kFiles / kShards * 3 / 4);
    CHECK(count < kFiles / kShards * 5 / 4);
  }
}

TEST_CASE("The shard of a file is the same on all systems", "[shard]") {
  CHECK(has_file({1, 1}, "anything"));
  CHECK(has_file({20, 40}, "cast/kiri.pchr"));
  CHECK(has_file({20, 40}, "cast\\kiri.pchr"));
  CHECK(has_file({16, 40}, "cast/h\xc3\xa9ro.pchr"));
}

TEST_CASE("Outputs are cut into ranges that follow each other", "[shard]") {
  for (const std::uint64_t total : {0U, 1U, 7U, 90U, 4294967295U}) {
    for (const std::uint32_t count : {1U, 2U, 3U, 40U, 100U}) {
      std::uint64_t next = 0;
      for (std::uint32_t number = 1; number <= count; ++number) {
        const auto [first, end] = output_range({number, count}, static_cast<std::uint32_t>(total));
        REQUIRE(first == next);
        CHECK(end - first >= total / count);
        CHECK(end - first <= total / count + 1);
        next = end;
      }
      CHECK(next == total);
    }
  }
  CHECK(output_range({4294967295U, 4294967295U}, 4294967295U).second == 4294967295U);
}

TEST_CASE("Shards of one file draw its frames and animations once", "[tools][shard]") {
  const std::string arm = character_file("shard_arm.pchr", two_bone_arm());
  for (const std::uint32_t shards : {1U, 3U, 20U}) {
    check_shards({arm, "--clip", "bend"}, "{frame:02}.png", shards);
    check_shards({arm, "--clip", "bend", "--clip", "bind"}, "{clip} {frame}.png", shards);
  }
  check_shards({arm, "--clip", "bend", "--clip", "bind"}, "{clip}.webp", 3);
  check_shards({arm}, "arm.png", 2);
}

TEST_CASE("Shards of one file have stamps of their own", "[tools][shard]") {
  const std::string arm = character_file("shard_arm.pchr", two_bone_arm());
  const std::filesystem::path folder = fresh_folder("tools/shard_stamps");
  const auto draw = [&] {
    std::map<std::filesystem::path, std::filesystem::file_time_type> times;
    for (const char* shard : {"1/2", "2/2"}) {
      const Outcome outcome = run_pchr({"render", arm, "--clip", "bend", "--size", "24x24", "--if-changed", "--shard",
                                        shard, "-o", utf8_of(folder / "{frame}.png")});
      INFO(outcome.err);
      REQUIRE(outcome.exit_code == 0);
    }
    for (const auto& file : std::filesystem::directory_iterator(folder)) {
      if (file.path().extension() == ".png") times[file.path()] = file.last_write_time();
    }
    return times;
  };
  const auto first = draw();
  CHECK(first.size() == 8);
  CHECK(draw() == first);
}

TEST_CASE("Shards of many files work on each once", "[tools][shard]") {
  std::vector<std::string> files;
  for (int i = 0; i < 6; ++i) files.push_back(character_file(fmt::format("shard_{}.pchr", i), sliding_quad()));
  check_shards(files, "{file}.png", 3);
  check_shards({files[0], files[1]}, "{file} {frame}.png", 2);
}

TEST_CASE("A shard finds mistakes in the others", "[tools][shard]") {
  const std::string first = character_file("shard_0.pchr", sliding_quad());
  const std::string folder = utf8_of(fresh_folder("tools/shard_collision"));
  for (const char* shard : {"1/2", "2/2"}) {
    const Outcome outcome = run_pchr({"render", first, first, "--shard", shard, "-o", folder + "/{file}.png"});
    CHECK(outcome.exit_code == 2);
    CHECK_THAT(outcome.err, contains("would both be written to"));
  }
  const Outcome outcome = run_pchr({"render", first, "--shard", "3/2", "-o", folder + "/quad.png"});
  CHECK(outcome.exit_code == 2);
  CHECK_THAT(outcome.err, contains("\"3/2\" is not a shard I/N such as 3/40"));
  CHECK(files_in(folder).empty());
}

TEST_CASE("A shard without files succeeds", "[tools][shard]") {
  const std::string file = character_file("shard_0.pchr", sliding_quad());
  int inspected = 0;
  for (const char* shard : {"1/3", "2/3", "3/3"}) {
    const Outcome outcome = run_pchr({"inspect", file, "--shard", shard});
    CHECK(outcome.exit_code == 0);
    if (!outcome.out.empty()) ++inspected;
  }
  CHECK(inspected == 1);
}

}  // namespace pchr::test::shard_test
