// SPDX-License-Identifier: MIT
// `pchr render --states`.
#include "tool.hpp"

#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/scenes.hpp"

#include <pchr/import/import.hpp>

#include <filesystem>
#include <string>

namespace states_test {
namespace {

using namespace pchr::test;
namespace fs = std::filesystem;

void write_text(const fs::path& path, std::string_view text) { write_file(path, std::as_bytes(std::span(text))); }

/// The arm rests until the trigger "go", then bends. The speed of that is a number.
constexpr std::string_view kStates = R"({"states": {
  "parameters": [
    {"name": "go", "type": "trigger"},
    {"name": "how fast", "type": "number", "min": 0, "max": 2, "value": 1},
    {"name": "end", "type": "boolean"}
  ],
  "layers": [{
    "name": "body",
    "states": [{"name": "rest", "clip": "bind"}, {"name": "bend", "clip": "bend", "speedParameter": "how fast"}],
    "transitions": [
      {"from": "rest", "to": "bend", "when": [{"parameter": "go"}]},
      {"from": "bend", "to": "rest", "when": [{"parameter": "end"}]}
    ]
  }]
})";
constexpr std::string_view kNoRig = "}";
constexpr std::string_view kSpring = R"(, "springs": [{"bones": ["lower"], "tip": [0, 40], "frequency": 2}]})";

struct Played {
  fs::path folder = fresh_folder("tools/states");
  std::string file = (folder / "arm.pchr").string(), script = (folder / "script.txt").string();

  explicit Played(std::string_view rig = kNoRig) {
    fs::copy(character_file("states_arm.pchr", two_bone_arm()), file);
    write_text(pchr::rig_path(file), std::string(kStates) + std::string(rig));
  }
  /// Renders `text` with one image for each frame, and returns their names.
  Strings frames(std::string_view text, const Strings& more = {}, const std::string& name = "s") {
    write_text(script, text);
    fs::create_directory(folder / name);
    const Outcome outcome = run_pchr(joined({"render", file, "--states", script, "--size", "60x100", "--zoom", "0.8",
                                             "--center", "0,40", "-o", (folder / name / "{frame:02}.png").string()},
                                            more));
    INFO(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    return names_in(folder / name);
  }
  Bytes clip(const std::string& name, int frame) {
    const std::string path = (folder / "clip.png").string();
    REQUIRE(run_pchr({"render", file, "--no-rig", "--clip", name, "--frame", std::to_string(frame), "--size", "60x100",
                      "--zoom", "0.8", "--center", "0,40", "-o", path})
                .exit_code == 0);
    return read_file(path);
  }
};

}  // namespace

TEST_CASE("a script plays the state machines of a character", "[tools][states]") {
  Played arm;
  const Strings names = arm.frames("# The arm bends after half a second.\n0.5 go\n\n1 end # It does not end there.\n");
  REQUIRE(names.size() == 12);
  for (std::size_t i = 0; i < names.size(); ++i) {
    INFO(i);
    const bool bends = i >= 6;
    CHECK(read_file(arm.folder / "s" / names[i]) ==
          arm.clip(bends ? "bend" : "bind", bends ? static_cast<int>(i) - 6 : 0));
  }
  // At another rate, and with the bytes of all shards together.
  CHECK(arm.frames("0.5 go\n1 end\n", {"--fps", "24"}, "fast").size() == 24);
  for (const char* shard : {"1/2", "2/2"}) arm.frames("0.5 go\n1 end\n", {"--shard", shard}, "shards");
  REQUIRE(names_in(arm.folder / "shards") == names);
  for (const std::string& name : names) {
    CHECK(read_file(arm.folder / "shards" / name) == read_file(arm.folder / "s" / name));
  }
}

TEST_CASE("a script can be standard input", "[tools][states]") {
  Played arm;
  const Strings names = arm.frames("0.5 go\n1 end\n");
  const auto run = [&](const Strings& files) {
    Strings command = pchr_command(joined({"render", "--states", "-", "--size", "60x100", "--zoom", "0.8", "--center",
                                           "0,40", "-o", (arm.folder / "piped/{frame:02}.png").string()},
                                          files));
    command.insert(command.begin(), {"-c", R"(exec "$@" < "$0")", arm.script});
    return run_program("/bin/sh", command);
  };
  CHECK(run({arm.file}).exit_code == 0);
  REQUIRE(names_in(arm.folder / "piped") == names);
  for (const std::string& name : names) {
    CHECK(read_file(arm.folder / "piped" / name) == read_file(arm.folder / "s" / name));
  }
  CHECK(run({arm.file, arm.file}).exit_code == 2);
  CHECK(run({"-"}).exit_code == 2);
  write_text(arm.script, "1 gone");
  CHECK_THAT(run({arm.file}).err, contains("standard input: line 1: there is no parameter \"gone\""));
}

TEST_CASE("too many frames are refused before they are posed", "[tools][states]") {
  Played arm(kSpring);
  write_text(arm.script, "0 go\n");
  const std::string image = (arm.folder / "image.png").string();
  // What the frames show is not known yet: not all frames of the script, and only the smallest size with --scale.
  const std::pair<Strings, const char*> cases[] = {
      {{"render", "--states", arm.script, "--format", "webp"}, "5 frames of 512 x 512 pixels"},
      {{"render", "--clip", "bend", "--scale", "1"}, " frames of 64 x 64 pixels"},
      {{"sheet", "--clip", "bend"}, " frames of 64 x 64 pixels"}};
  for (const auto& [arguments, error] : cases) {
    const Outcome outcome =
        run_pchr(joined(arguments, {arm.file, "--fps", "100000", "--max-output-megapixels", "1", "-o", image}));
    INFO(outcome.err);
    CHECK(outcome.exit_code == 2);
    CHECK_THAT(outcome.err, contains(error) && contains("exceed the output limit of 1 megapixels"));
  }
}

TEST_CASE("a script without an end lasts until the last state has played", "[tools][states]") {
  Played arm;
  CHECK(arm.frames("0.5 go\n").size() == 6 + 8);
  CHECK(arm.frames("0.5 go\n0.5 \"how fast\" 2\n", {}, "fast").size() == 6 + 4);
  CHECK(arm.frames("", {}, "none").size() == 1);
  // Names are what follows the time; "end" alone is the end.
  CHECK(arm.frames("0 go\r\n1\t\"end\" true\r\n1.25 end\r\n", {}, "quoted").size() == 15);
  CHECK(read_file(arm.folder / "quoted/14.png") == arm.clip("bind", 0));
}

TEST_CASE("a script moves springs, and its camera fits what it shows", "[tools][states]") {
  Played arm(kSpring);
  const std::string_view text = "0 go\n1 end\n";
  const Strings names = arm.frames(text);
  arm.frames(text, {"--no-rig"}, "plain");
  CHECK(read_file(arm.folder / "s/00.png") == read_file(arm.folder / "plain/00.png"));
  CHECK(read_file(arm.folder / "s/05.png") != read_file(arm.folder / "plain/05.png"));
  for (const char* fit : {"clip", "file", "frame"}) {
    const std::string animation = (arm.folder / "animation.webp").string();
    const Outcome outcome =
        run_pchr({"render", arm.file, "--states", arm.script, "--scale", "1", "--fit", fit, "-o", animation});
    INFO(outcome.err);
    CHECK(outcome.exit_code == 0);
    CHECK(fs::file_size(animation) > 1000);
  }
}

TEST_CASE("mistakes in a script are errors with their line", "[tools][states]") {
  Played arm;
  struct Case {
    const char* text;
    const char* error;
  };
  const Case cases[] = {
      {"0 go\nsoon go\n", "line 2: the time is \"soon\", but expected seconds from 0 to 86,400"},
      {"-1 go", "line 1: the time is \"-1\""},
      {"1e9 go", "line 1: the time is \"1e9\""},
      {"nan go", "line 1: the time is \"nan\""},
      {"1 go\n0.5 go", "line 2: the time is 0.5, but expected at least 1"},
      {"1", "line 1: there is only a time, but expected a parameter or \"end\" after it"},
      {"1 gone", "line 1: there is no parameter \"gone\", but expected one of these: go, how fast, end"},
      {"1 go 1", "line 1: \"go\" is \"1\", but expected no value, because it is a trigger"},
      {"1 how fast 1", "line 1: \"1\" follows, but expected only a time, a parameter and a value"},
      {"1 \"how fast\" 3", "line 1: \"how fast\" is \"3\", but expected a number from 0 to 2"},
      {"1 \"how fast\" nan", "line 1: \"how fast\" is \"nan\""},
      {"1 \"how fast\"", "line 1: \"how fast\" has no value, but expected a number from 0 to 2"},
      {"1 \"how fast", "line 1: \"how fast has no closing quotation mark"},
      {"1 \"end\" 1", "line 1: \"end\" is \"1\", but expected true or false"},
      {"1 end\n2 go", "line 2: there is another line after \"end\""},
      {"1 end 2", "line 1: \"2\" follows, but expected nothing after \"end\""},
      {"\"1\" go", "line 1: the time is \"1\""},
  };
  const std::string animation = (arm.folder / "animation.webp").string();
  for (const Case& each : cases) {
    write_text(arm.script, each.text);
    const Outcome outcome = run_pchr({"render", arm.file, "--states", arm.script, "-o", animation});
    INFO(each.text << ": " << outcome.err);
    CHECK(outcome.exit_code == 1);
    CHECK_THAT(outcome.err, contains("script.txt: ") && contains(each.error));
  }
  write_text(arm.script, "0 go\n1 end");
  CHECK(run_pchr({"render", arm.file, "--states", arm.script + "x", "-o", animation}).exit_code == 4);
  const Outcome one = run_pchr({"render", arm.file, "--states", arm.script, "-o", (arm.folder / "a.png").string()});
  CHECK(one.exit_code == 2);
  CHECK_THAT(one.err, contains("several images would be written"));
  for (const Strings& wrong :
       {Strings{"--clip", "bend"}, {"--frame", "1"}, {"--speed", "2"}, {"--contact-sheet", "2"}}) {
    CHECK(run_pchr(joined({"render", arm.file, "--states", arm.script, "-o", animation}, wrong)).exit_code == 2);
  }
  CHECK(run_pchr({"render", arm.file, "--states", arm.script, "--loops", "2", "-o", animation}).exit_code == 0);
  fs::remove(animation);
  const std::string video = (arm.folder / "a.y4m").string();
  CHECK(run_pchr({"render", arm.file, "--states", arm.script, "--loops", "2", "-o", video}).exit_code == 2);
  write_text(pchr::rig_path(arm.file), "{}");
  const Outcome none = run_pchr({"render", arm.file, "--states", arm.script, "-o", animation});
  CHECK(none.exit_code == 2);
  CHECK_THAT(none.err, contains("has no state machines"));
  CHECK_FALSE(fs::exists(animation));
}

TEST_CASE("a change of the script renders it again", "[tools][states]") {
  Played arm;
  const std::string animation = (arm.folder / "animation.apng").string();
  const auto run = [&](std::string_view text) {
    write_text(arm.script, text);
    REQUIRE(run_pchr({"render", arm.file, "--states", arm.script, "--size", "20x20", "-o", animation, "--if-changed"})
                .exit_code == 0);
    return read_file(animation);
  };
  const Bytes first = run("0 go\n1 end");
  CHECK(run("0 go\n1 end") == first);
  CHECK(run("0 go\n2 end") != first);
}

}  // namespace states_test
