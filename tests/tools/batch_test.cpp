// SPDX-License-Identifier: MIT
// Many files in one run: their order, exit codes, messages and outputs.
#include "tool.hpp"

#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/scenes.hpp"

#include <engine.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace batch_test {
namespace {

using namespace pchr::test;
using namespace pchr::tools;
namespace fs = std::filesystem;

/// Returns a sliding quad of one of some colors.
pchr::CharacterData colored_quad(std::size_t color) {
  pchr::CharacterData data = sliding_quad();
  data.images[0] = plain_image(1, 1, {255, static_cast<std::uint8_t>(color * 40), 0, 255});
  return data;
}

/// Writes characters named a to f, of which "c" is broken, and returns their paths.
Strings write_cast(const std::string& folder) {
  fs::create_directories(output("tools/batch/" + folder));
  Strings files;
  for (const char* name : {"a", "b", "c", "d", "e", "f"}) {
    const std::string file = "batch/" + folder + '/' + name + ".pchr";
    files.push_back(character_file(file, colored_quad(files.size())));
  }
  const std::string broken = "not a character";
  write_file(files[2], std::as_bytes(std::span(broken)));
  return files;
}

Strings without_broken(Strings files) {
  files.erase(files.begin() + 2);
  return files;
}

/// Returns where each text occurs, so that an ascending result means that they occur in this order.
std::vector<std::size_t> places_of(const std::string& text, const Strings& parts) {
  std::vector<std::size_t> places;
  for (const std::string& part : parts) places.push_back(text.find(part));
  return places;
}

bool is_ascending(const std::vector<std::size_t>& places) {
  return std::ranges::is_sorted(places) && places.back() != std::string::npos;
}

std::string list_file(const std::string& name, const std::string& text) {
  const fs::path path = output("tools/batch/" + name);
  fs::create_directories(path.parent_path());
  write_file(path, std::as_bytes(std::span(text)));
  return path.string();
}

TEST_CASE("many files are drawn as they are alone, with any number of jobs", "[tools][batch]") {
  const Strings files = without_broken(write_cast("alone"));
  const fs::path alone = fresh_folder("batch_alone");
  const Strings drawing{"--size", "24x20", "--clip", "slide", "-o"};
  for (const std::string& file : files) {
    const Outcome outcome = run_pchr(joined(joined({"render", file}, drawing), {(alone / "{file}.webp").string()}));
    REQUIRE(outcome.exit_code == 0);
  }
  for (const char* jobs : {"1", "2", "9"}) {
    INFO(jobs << " jobs");
    const fs::path together = output("tools/batch/together") / jobs;
    fs::remove_all(together);
    const Outcome outcome = run_pchr(
        joined(joined(joined({"render", "-j", jobs}, files), drawing), {(together / "sub" / "{file}.webp").string()}));
    CHECK(outcome.err.ends_with("5 files: 5 succeeded\n"));
    CHECK(outcome.exit_code == 0);
    REQUIRE(names_in(together / "sub") == names_in(alone));
    for (const std::string& name : names_in(alone)) {
      INFO(name);
      CHECK(read_file(together / "sub" / name) == read_file(alone / name));
    }
  }
  CHECK(read_file(alone / "a.webp") != read_file(alone / "b.webp"));
}

TEST_CASE("reports of many files come in their order", "[tools][batch]") {
  const Strings files = write_cast("order");
  const Outcome text = run_pchr(joined({"inspect", "--keep-going", "-j", "3"}, files));
  CHECK(is_ascending(places_of(text.out, without_broken(files))));
  CHECK(text.exit_code == 6);
  std::string alone;
  for (const std::string& file : without_broken(files)) {
    alone += (alone.empty() ? "" : "\n") + run_pchr({"inspect", file}).out;
  }
  CHECK(text.out == alone);
  const Outcome json = run_pchr(joined({"inspect", "--json", "--keep-going"}, files));
  CHECK(json.out.starts_with("[\n{"));
  CHECK(json.out.ends_with("}\n]\n"));
  const Outcome checked = run_pchr(joined({"validate", "--json", "-j", "2"}, files));
  CHECK(is_ascending(places_of(checked.out, files)));
  CHECK(checked.exit_code == 1);
}

TEST_CASE("the exit code says whether all, some or none of the files succeeded", "[tools][batch]") {
  const Strings files = write_cast("codes");
  const std::string& broken = files[2];
  const fs::path folder = fresh_folder("batch_codes");
  const Strings drawing{"--size", "8x8", "-o", (folder / "{file}.png").string(), "--keep-going"};
  const auto render = [&](const Strings& inputs) { return run_pchr(joined(joined({"render"}, drawing), inputs)); };
  CHECK(render({files[0], files[1]}).exit_code == 0);
  const Outcome some = render(files);
  CHECK(some.exit_code == 6);
  CHECK_THAT(some.err, contains(broken + ": error E101: "));
  CHECK_THAT(some.err, contains("\n6 files: 5 succeeded, 1 failed\n"));
  CHECK(names_in(folder) == Strings{"a.png", "b.png", "d.png", "e.png", "f.png"});
  const Outcome none = render({broken, output("tools/batch/missing.pchr").string()});
  CHECK(none.exit_code == 1);
  CHECK_THAT(none.err, contains("\n2 files: 0 succeeded, 2 failed\n"));
  CHECK(render({output("tools/batch/missing.pchr").string(), broken}).exit_code == 4);
}

TEST_CASE("a failure names the file that it is about, if there are several", "[tools][batch]") {
  const Strings files = without_broken(write_cast("named"));
  const std::string images = (fresh_folder("batch_named") / "{file}.png").string();
  const std::string shared = output("batch_named/all.png").string();
  pchr::CharacterData still = colored_quad(0);
  still.clips.clear();
  const std::string other = character_file("batch/named/still.pchr", still);
  const Strings named{"--clip", "slide"};
  for (const Strings& options :
       std::vector<Strings>{{"render", "-o", images}, {"pose"}, {"sheet", "-o", images}, {"sheet", "-o", shared}}) {
    const Outcome outcome = run_pchr(joined(joined(options, named), {files[0], other, files[1]}));
    INFO(Catch::Detail::stringify(options));
    const std::string problem = ": there is no clip named \"slide\"; the character has no clips\n";
    CHECK(outcome.err.starts_with("pchr: " + other + problem));
  }
  const Outcome frame = run_pchr({"render", files[0], other, "--frame", "0", "-o", images});
  CHECK_THAT(frame.err, contains("pchr: " + other + ": the character has no clips, so "));
  // Wrong options are not about a file.
  const Outcome options = run_pchr({"render", files[0], files[1], "--smooth", "-o", images});
  CHECK(options.err == "pchr: --smooth has no effect without --time, --fps or --states\n");
}

TEST_CASE("nothing is started after a failure without --keep-going", "[tools][batch]") {
  const Strings files = write_cast("stop");
  const fs::path folder = fresh_folder("batch_stop");
  const Outcome outcome =
      run_pchr(joined({"convert", "-j", "1", "--to", "packed", "-o", (folder / "{file}.pchr").string()}, files));
  CHECK(outcome.exit_code == 6);
  CHECK_THAT(outcome.err, contains("\n6 files: 2 succeeded, 1 failed, 3 not started\n"));
  CHECK(names_in(folder) == Strings{"a.pchr", "b.pchr"});
}

TEST_CASE("names of files are read from a list, in lines or separated by NUL", "[tools][batch]") {
  const Strings files = without_broken(write_cast("lists"));
  const std::string lines = list_file("lists/lines.txt", files[0] + "\r\n\n" + files[1] + '\n' + files[2]);
  const std::string nul = list_file("lists/by_nul.txt", files[0] + '\0' + files[1] + '\0' + files[2] + '\0');
  const std::string marked = list_file("lists/marked.txt", "\xef\xbb\xbf" + read_text(lines));
  for (const std::string& list : {lines, nul, marked}) {
    const Outcome outcome = run_pchr({"validate", "--json", "--files-from", list});
    CHECK(outcome.exit_code == 0);
    CHECK(is_ascending(places_of(outcome.out, {files[0], files[1], files[2]})));
  }
  const Outcome both = run_pchr({"inspect", files[3], "--files-from", lines});
  CHECK(is_ascending(places_of(both.out, {files[3], files[0], files[1], files[2]})));
  CHECK(run_pchr({"inspect", "--json", "--files-from", list_file("lists/none.txt", "")}).out == "[]\n");
  const Outcome one = run_pchr({"inspect", "--json", "--files-from", list_file("lists/one.txt", files[0])});
  CHECK(one.out.starts_with("[\n{"));
  CHECK(run_pchr({"inspect", "--files-from", output("tools/batch/lists/missing.txt").string()}).exit_code == 4);
}

TEST_CASE("a file that is no list of names is an error that names it", "[tools][batch]") {
  using namespace std::string_literals;
  const std::string wide = list_file("lists/wide.txt", "\xff\xfe" + "a\0.\0p\0\n\0"s);
  const Outcome utf16 = run_pchr({"validate", "--files-from", wide});
  CHECK(utf16.err == "pchr: " + wide + ": the list is UTF-16; expected UTF-8\n");
  CHECK(utf16.exit_code == 1);
  CHECK(run_pchr({"validate", "--files-from", list_file("lists/mark_only.txt", "\xff\xfe")}).exit_code == 4);
  const std::string one_line = list_file("lists/one_line.txt", "a\n" + std::string(65536, 'b'));
  const Outcome endless = run_pchr({"validate", "--files-from", one_line});
  CHECK(endless.err == "pchr: " + one_line + ": name 2 has 65,536 bytes; expected at most 65,535\n");
  CHECK(endless.exit_code == 1);
  const Outcome empty = run_pchr({"sheet", "--files-from", list_file("lists/nobody.txt", "\n"), "-o", "sheet.png"});
  CHECK(empty.err == "pchr: the list names no characters\n");
  CHECK(empty.exit_code == 2);
}

TEST_CASE("outputs that collide are wrong usage, before any work", "[tools][batch]") {
  const Strings files = without_broken(write_cast("collide"));
  const fs::path folder = fresh_folder("batch_collide");
  const fs::path other = folder / "other";
  fs::create_directories(other);
  fs::copy_file(files[0], other / "a.pchr");
  const std::string same = (other / "a.pchr").string();
  const std::string list = list_file("collide/list", files[0]);
  const std::string beside = fs::path(files[0]).parent_path().string();
  const std::string images = (folder / "{file}.png").string();
  for (const Strings& arguments : std::vector<Strings>{
           {"render", files[0], files[1], "-o", (folder / "one.png").string()},
           {"render", files[0], files[1], "-o", "-"},
           {"render", files[0], same, "-o", (folder / "{file}.png").string()},
           {"render", files[0], files[0], "-o", (folder / "{folder}_{file}.png").string()},
           {"render", files[0], files[1], "-o", (folder / "{clip}.png").string()},
           {"render", files[0], files[1], "-o", (folder / "{fil}.png").string()},
           {"render", files[0], "-", "-o", (folder / "{file}.png").string()},
           {"convert", files[0], files[1], "-o", (folder / "one.glb").string()},
           {"unpack", files[0], same, "-o", folder.string()},
           {"render", files[0], files[1], "-o", images, "--manifest", (folder / "b.png").string()},
           {"render", files[0], files[1], "-o", images, "--depfile", (folder / "." / "a.png").string()},
           {"render", files[0], files[1], "-o", images, "--depfile", (folder / "x").string(), "--manifest",
            (folder / "x").string()},
           {"render", files[0], files[1], "-o", images, "--manifest", files[1]},
           {"render", "--files-from", list, "-o", images, "--manifest", list},
           {"render", "--files-from", list, "-o", beside + "/list"},
           {"convert", files[0], beside + "/a-2.pchr", "-o", beside + "/{file}-2.pchr", "--force"},
           {"render", "-o", (folder / "{file}.png").string()},
       }) {
    const Outcome outcome = run_pchr(arguments);
    INFO(Catch::Detail::stringify(arguments) << " says " << outcome.err);
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.err.starts_with("pchr: "));
    CHECK(names_in(folder) == Strings{"other"});
  }
}

TEST_CASE("options that are wrong for all files are reported once", "[tools][batch]") {
  const Strings files = write_cast("options");
  const fs::path folder = fresh_folder("batch_options");
  for (const Strings& options : std::vector<Strings>{
           {}, {"-o", (folder / "{file}.png").string(), "--smooth"}, {"-o", (folder / "{file}.jpeg").string()}}) {
    const Outcome outcome = run_pchr(joined(joined({"render", "--keep-going"}, options), files));
    INFO(outcome.err);
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.err.starts_with("pchr: "));
    CHECK(outcome.err.rfind("pchr: ") == 0);
  }
}

TEST_CASE("outputs that collide by the names of clips or records are not replaced in silence", "[tools][batch]") {
  const fs::path folder = fresh_folder("batch_collide_late");
  pchr::CharacterData first = sliding_quad(), second = sliding_quad();
  first.clips.back().name = "b_c";
  second.clips.back().name = "c";
  const std::string a = character_file("batch/late/a.pchr", first);
  const std::string a_b = character_file("batch/late/a_b.pchr", second);
  const std::string images = (folder / "{file}_{clip}.png").string();
  const Strings drawing{"render", "--all-clips", "--frame", "0", "--size", "8x8", "-o", images, "-j", "1"};
  const Outcome outcome = run_pchr(joined(drawing, {a, a_b}));
  CHECK(outcome.exit_code == 2);
  CHECK_THAT(outcome.err, contains("pchr: " + a + " and " + a_b + " would both be written to " +
                                   (folder / "a_b_c.png").generic_string() +
                                   "\n  hint: use {file} and {folder} in the output name\n"));
  for (const char* record : {"--manifest", "--depfile"}) {
    const std::string image = (folder / "a_b_c.png").string();
    const Outcome single = run_pchr(joined(drawing, {a, record, image}));
    CHECK(single.exit_code == 2);
    CHECK_THAT(single.err, contains(std::string("pchr: ") + record + " and " + a + " would both be written to "));
    CHECK(read_text(image).starts_with("\x89PNG"));
  }
}

TEST_CASE("only errors are printed with --quiet", "[tools][batch]") {
  const Strings files = write_cast("quiet");
  const Outcome outcome = run_pchr(joined(
      {"pack", "--quiet", "--keep-going", "--force", "-o", (fresh_folder("batch_quiet") / "{file}.pchr").string()},
      files));
  CHECK(outcome.err.starts_with(files[2] + ": error E101: "));
  CHECK(std::ranges::count(outcome.err, '\n') == 2);
}

TEST_CASE("progress and messages are lines of JSON if wanted", "[tools][batch]") {
  const Strings files = write_cast("json");
  const fs::path folder = fresh_folder("batch_json");
  const Outcome outcome = run_pchr(joined({"render", "--progress", "json", "--log-format", "json", "--keep-going",
                                           "--size", "8x8", "-o", (folder / "{file}.png").string()},
                                          files));
  CHECK(is_ascending(places_of(
      outcome.err,
      {"{\"version\": 1, \"type\": \"progress\", \"input\": \"" + files[0] +
           "\", \"index\": 0, \"total\": 6, \"exitCode\": 0, \"status\": \"done\", \"written\": [\"",
       "{\"version\": 1, \"type\": \"message\", \"severity\": \"error\", \"file\": \"" + files[2] + "\", \"text\": \"",
       "\"diagnostic\": {\"id\": \"E101\", ",
       "\", \"index\": 2, \"total\": 6, \"exitCode\": 1, \"status\": \"failed\", \"written\": []}\n",
       "\"index\": 5, "})));
  CHECK(std::ranges::count(outcome.err, '\n') == 7);
}

TEST_CASE("progress in JSON names as written only what was written now", "[tools][batch]") {
  const Strings files = without_broken(write_cast("progress"));
  const fs::path folder = fresh_folder("batch_progress");
  const auto run = [&](const Strings& inputs) {
    return run_pchr(joined({"convert", "--if-changed", "--force", "--progress", "json", "-o",
                            (folder / "{file}.json").string()},
                           inputs))
        .err;
  };
  const std::string done = "\"exitCode\": 0, \"status\": \"done\", \"written\": [\"";
  const std::string unchanged = "\"exitCode\": 0, \"status\": \"unchanged\", \"written\": []}\n";
  for (const Strings& inputs : {files, Strings{files[0]}}) {
    fs::remove_all(folder);
    fs::create_directories(folder);
    CHECK_THAT(run(inputs), contains(done) && !contains(unchanged));
    CHECK_THAT(run(inputs), contains(unchanged) && !contains(done));
  }
}

// `--shard`.

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

}  // namespace
}  // namespace batch_test
