// SPDX-License-Identifier: MIT
// `pchr convert`.
#include "tool.hpp"

#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/load.hpp"
#include "support/scenes.hpp"

#include <pchr/load.hpp>
#include <pchr/animator.hpp>
#include <pchr/import/import.hpp>
#include <pchr/import/save.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace convert_test {
namespace {

using namespace pchr::test;
namespace fs = std::filesystem;

TEST_CASE("every format converts to every other and back to the same bytes", "[tools][convert]") {
  const fs::path folder = fresh_folder("work");
  const std::string v1 = asset("quad.pchr").string();
  const auto path = [&](const char* name) { return (folder / name).string(); };
  const auto convert = [&](const std::string& from, const std::string& to, std::vector<std::string> options = {}) {
    options.insert(options.begin(), {"convert", from, "-o", to});
    const Outcome outcome = run_pchr(options);
    INFO(outcome.err);
    CHECK(outcome.exit_code == 0);
  };
  convert(v1, path("a.json"));
  convert(path("a.json"), path("a.pchr"));
  CHECK(read_file(path("a.pchr")) == read_file(v1));
  convert(path("a.json"), path("packed.pchr"), {"--to", "packed", "--json-dialect", "v1"});
  convert(path("packed.pchr"), path("b.pchr"), {"--to", "v1"});
  CHECK(read_file(path("b.pchr")) == read_file(v1));
  convert(path("packed.pchr"), path("c.JSON"), {"--force"});
  convert(path("c.JSON"), path("d.bin"), {"--to", "v1"});
  CHECK(read_file(path("d.bin")) == read_file(v1));
}

TEST_CASE("a second image in the packed format is an error, or a warning with --lossy", "[tools][convert]") {
  const fs::path folder = fresh_folder("work");
  const std::string file = character_file("convert_arm.pchr", two_bone_arm());
  const std::string packed = (folder / "arm.pchr").string();
  const Outcome refused = run_pchr({"convert", file, "-o", packed, "--to", "packed"});
  CHECK(refused.exit_code == 1);
  CHECK_THAT(refused.err, contains("error E302: "));
  CHECK_THAT(refused.err, contains("images[1] \"badge\""));
  CHECK_FALSE(fs::exists(packed));
  const Outcome lossy = run_pchr({"convert", file, "-o", packed, "--to", "packed", "--lossy"});
  CHECK(lossy.exit_code == 0);
  CHECK_THAT(lossy.err, contains("warning W302: "));
  CHECK(pchr::load_character(packed));
}

TEST_CASE("images of JSON are named after the output file", "[tools][convert]") {
  const fs::path folder = fresh_folder("work");
  const std::string file = character_file("convert_arm.pchr", two_bone_arm());
  REQUIRE(run_pchr({"convert", file, "-o", (folder / "hero.json").string()}).exit_code == 0);
  REQUIRE(run_pchr({"convert", file, "-o", (folder / "villain.json").string()}).exit_code == 0);
  CHECK(names_in(folder) ==
        Strings{"hero.arm.png", "hero.badge.png", "hero.json", "villain.arm.png", "villain.badge.png", "villain.json"});
  REQUIRE(run_pchr({"convert", (folder / "hero.json").string(), "-o", (folder / "hero.pchr").string()}).exit_code == 0);
  CHECK(read_file(folder / "hero.pchr") == read_file(file));
}

TEST_CASE("even --force does not replace an image that another JSON in the folder uses", "[tools][convert]") {
  const fs::path folder = fresh_folder("work");
  const std::string file = character_file("convert_arm.pchr", two_bone_arm());
  // Its only image has the name that the other's first image would get.
  pchr::CharacterData data = sliding_quad();
  data.images[0].name = "arm";
  const std::string other = character_file("convert_other.pchr", data);
  REQUIRE(run_pchr({"convert", other, "-o", (folder / "hero.json").string()}).exit_code == 0);
  fs::rename(folder / "hero.json", folder / "other.json");
  for (const std::string path_in_json : {"hero.arm.png", "./hero.arm.png", R"(.\\hero.arm.png)", "x/../hero.arm.png"}) {
    fs::create_directories(folder / "x");
    std::string text = read_text(folder / "other.json");
    const std::size_t at = text.find("\"path\": \"") + 9;
    text.replace(at, text.find('"', at) - at, path_in_json);
    write_file(folder / "other.json", std::as_bytes(std::span(text)));
    const std::string before = read_text(folder / "hero.arm.png");
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"convert", file, "-o", (folder / "hero.json").string(), "--force"},
          {"convert", file, "-o", (folder / "hero.json").string()}}) {
      const Outcome refused = run_pchr(arguments);
      INFO(path_in_json << " says " << refused.err);
      CHECK(refused.exit_code == 2);
      CHECK_THAT(refused.err,
                 contains("cannot replace ") && contains("hero.arm.png: ") && contains("other.json uses it too"));
      CHECK(read_text(folder / "hero.arm.png") == before);
      CHECK_FALSE(fs::exists(folder / "hero.json"));
      CHECK(pchr::load_character(folder / "other.json"));
    }
  }
  // Its own images can be replaced, whatever other JSON exists.
  const std::string own = (folder / "own.json").string();
  REQUIRE(run_pchr({"convert", file, "-o", own}).exit_code == 0);
  CHECK(run_pchr({"convert", file, "-o", own, "--force"}).exit_code == 0);
}

TEST_CASE("more than four influences in v1 are an error, or a warning with --lossy, and JSON keeps them",
          "[tools][convert]") {
  const fs::path folder = fresh_folder("work");
  pchr::CharacterData data = sliding_quad();
  data.authored_influences.assign(6, {1, 0, 0.1666667F});
  const auto character = pchr::Character::build(data).value();
  const auto saved = pchr::save(character, pchr::Format::json, "six").value();
  write_file(folder / "six.json", saved.file.bytes);
  write_file(folder / saved.images[0].name, saved.images[0].bytes);
  const std::string json = (folder / "six.json").string(), v1 = (folder / "six.pchr").string();
  const Outcome refused = run_pchr({"convert", json, "-o", v1});
  CHECK(refused.exit_code == 1);
  CHECK_THAT(refused.err, contains("error E313: ") && contains("--lossy"));
  CHECK_FALSE(fs::exists(v1));
  const Outcome lossy = run_pchr({"pack", json, "-o", v1, "--lossy"});
  CHECK(lossy.exit_code == 0);
  CHECK_THAT(lossy.err, contains("warning W311: "));
  CHECK(pchr::load_character(v1).value().data().vertices == pchr::load_character(json).value().data().vertices);
  const std::string again = (folder / "again.json").string();
  REQUIRE(run_pchr({"convert", json, "-o", again}).exit_code == 0);
  CHECK(pchr::load_character(again).value().data().authored_influences == data.authored_influences);
  CHECK(run_pchr({"validate", json}).out.find("W401") == std::string::npos);
}

TEST_CASE("markers follow the character under its new name", "[tools][convert]") {
  const fs::path folder = fresh_folder("work");
  const std::string kiri = asset("kiri.pchr").string();
  const std::string markers = read_text(asset("kiri.rig.json"));
  const auto path = [&](const char* name) { return (folder / name).string(); };
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"convert", kiri, "-o", path("a.json")},
                                                    {"convert", kiri, "-o", path("b.pchr")},
                                                    {"pack", kiri, "-o", path("c.pchr")},
                                                    {"convert", kiri, "-o", path("d.pchr"), "--to", "packed"}}) {
    INFO(arguments[3]);
    REQUIRE(run_pchr(arguments).exit_code == 0);
    CHECK(read_text(pchr::rig_path(arguments[3])) == markers);
  }
  // With the same name in the same folder, the markers file is already right.
  const Outcome same = run_pchr({"convert", path("b.pchr"), "-o", path("b.json")});
  INFO(same.err);
  CHECK(same.exit_code == 0);
  CHECK(same.err.empty());
  CHECK(read_text(path("b.rig.json")) == markers);
}

TEST_CASE("pack and convert write a bind pose that was chosen or guessed as the first clip", "[tools][convert]") {
  const fs::path folder = fresh_folder("work");
  const auto path = [&](const char* name) { return (folder / name).string(); };
  const auto write_rig = [&](const char* name, std::string_view text) {
    write_file(pchr::rig_path(path(name)), std::as_bytes(std::span(text)));
  };
  pchr::CharacterData data = two_bone_arm();
  data.clips.erase(data.clips.begin());
  write_file(path("arm.pchr"), write_v1(data));
  const auto first_clip = [&](const char* name) {
    const pchr::CharacterData written = pchr::load_character(path(name)).value().data();
    return written.clips.size() == data.clips.size() ? "" : written.clips[0].name;
  };
  const auto is_same_pose = [&](const char* name, const pchr::BindPose& bind) {
    const auto expected = pchr::load_character(path("arm.pchr"), {.bind_pose = bind}).value();
    const auto written = pchr::load_character(path(name)).value();
    CHECK_FALSE(written.bind_pose_guess());
    return std::ranges::equal(expected.inverse_bind(), written.inverse_bind());
  };
  const Outcome guessed = run_pchr({"convert", path("arm.pchr"), "-o", path("a.pchr")});
  CHECK(guessed.exit_code == 0);
  CHECK_THAT(guessed.err, contains("the bind pose, frame 0 of clip bend, is written as a first clip named bind"));
  CHECK(first_clip("a.pchr") == "bind");
  CHECK(is_same_pose("a.pchr", pchr::ClipBindPose{"bend", 0}));
  CHECK(run_pchr({"convert", path("a.pchr"), "-o", path("again.pchr")}).err.empty());
  CHECK(read_file(path("again.pchr")) == read_file(path("a.pchr")));
  CHECK(run_pchr({"pack", path("arm.pchr"), "-o", path("b.pchr"), "--no-bind-clip"}).err.empty());
  CHECK(read_file(path("b.pchr")) == read_file(path("arm.pchr")));
  CHECK(run_pchr({"convert", path("arm.pchr"), "-o", path("c.json"), "--bind", "identity"}).exit_code == 0);
  CHECK(first_clip("c.json") == "bind");
  CHECK(is_same_pose("c.json", pchr::IdentityBindPose{}));

  write_rig("arm.pchr", R"({"bind": {"clip": "bend", "frame": 4}, "gusts": 0.5})");
  CHECK(run_pchr({"pack", path("arm.pchr"), "-o", path("d.pchr")}).exit_code == 0);
  CHECK(is_same_pose("d.pchr", pchr::ClipBindPose{"bend", 4}));
  CHECK(read_text(path("d.rig.json")) == "{\n  \"gusts\": 0.5\n}\n");
  CHECK(run_pchr({"pack", path("arm.pchr"), "-o", path("e.pchr"), "--no-bind-clip"}).exit_code == 0);
  CHECK(read_text(path("e.rig.json")) == read_text(path("arm.rig.json")));
  CHECK(is_same_pose("e.pchr", pchr::ClipBindPose{"bend", 4}));
  const Outcome contradicted = run_pchr({"convert", path("arm.pchr"), "-o", path("arm.json"), "--bind", "bend:2"});
  CHECK(contradicted.exit_code == 2);
  CHECK_THAT(contradicted.err, contains("another bind pose than --bind"));
  CHECK(run_pchr({"convert", path("arm.pchr"), "-o", path("f.pchr"), "--bind", "bend:2"}).exit_code == 0);
  CHECK(is_same_pose("f.pchr", pchr::ClipBindPose{"bend", 2}));
  write_rig("arm.pchr", R"({"bind": {"clip": "dance"}})");
  CHECK_THAT(run_pchr({"render", path("arm.pchr"), "-o", path("arm.png")}).err, contains("arm.rig.json: error E125"));
  CHECK(run_pchr({"validate", path("arm.pchr")}).exit_code == 1);
}

TEST_CASE("markers are written with the character or not at all", "[tools][convert]") {
  const fs::path folder = fresh_folder("work");
  const std::string kiri = asset("kiri.pchr").string();
  const auto path = [&](const char* name) { return (folder / name).string(); };
  write_file(path("hero.rig.json"), std::as_bytes(std::span("old", 3)));
  const Outcome kept = run_pchr({"convert", kiri, "-o", path("hero.pchr")});
  CHECK(kept.exit_code == 2);
  CHECK_THAT(kept.err, contains("hero.rig.json already exists; use --force to replace it"));
  CHECK(names_in(folder) == Strings{"hero.rig.json"});
  CHECK(run_pchr({"convert", kiri, "-o", path("hero.pchr"), "--force"}).exit_code == 0);
  CHECK(read_file(path("hero.rig.json")) == read_file(asset("kiri.rig.json")));

  // Existing markers now apply to a character without markers, with a warning.
  const Outcome adopted = run_pchr({"convert", asset("quad.pchr").string(), "-o", path("hero.pchr"), "--force"});
  CHECK(adopted.exit_code == 0);
  CHECK_THAT(adopted.err, contains("hero.rig.json already exists and now applies to "));

  // Broken markers are not written.
  const std::string broken = R"({"markers": [{"clip": "no such clip", "frame": 0, "name": "x"}]})";
  write_file(path("hero.rig.json"), std::as_bytes(std::span(broken)));
  const Outcome refused = run_pchr({"convert", path("hero.pchr"), "-o", path("next.pchr")});
  CHECK(refused.exit_code == 1);
  CHECK_THAT(refused.err, contains("hero.rig.json") && contains("no such clip"));
  CHECK_FALSE(fs::exists(path("next.pchr")));
}

TEST_CASE("markers cannot go to standard output, with a warning", "[tools][convert]") {
  const Outcome outcome = run_pchr({"convert", asset("kiri.pchr").string(), "-o", "-", "--to", "v1"});
  CHECK(outcome.exit_code == 0);
  CHECK_THAT(outcome.err, contains("kiri.rig.json are not written"));
  const Outcome device =
      run_pchr({"convert", asset("kiri.pchr").string(), "-o", null_device(), "--to", "v1", "--force"});
  CHECK(device.exit_code == 0);
  CHECK_THAT(device.err, contains("kiri.rig.json are not written"));
}

TEST_CASE("a link is followed to the character, and markers go next to the link", "[tools][convert][posix]") {
  const fs::path folder = fresh_folder("work");
  fs::create_directories(folder / "store");
  write_file(folder / "store" / "real.pchr", std::as_bytes(std::span("old", 3)));
  fs::create_symlink("store/real.pchr", folder / "hero.pchr");
  const std::string kiri = asset("kiri.pchr").string();
  REQUIRE(run_pchr({"convert", kiri, "-o", (folder / "hero.pchr").string(), "--force"}).exit_code == 0);
  CHECK(fs::is_symlink(folder / "hero.pchr"));
  CHECK(read_file(folder / "store" / "real.pchr") == read_file(kiri));
  CHECK(fs::exists(folder / "hero.rig.json"));
}

TEST_CASE("markers of resampled clips move to the frames that begin at their time", "[tools][convert]") {
  const fs::path folder = fresh_folder("work");
  const auto path = [&](const char* name) { return (folder / name).string(); };
  fs::copy_file(asset("hotaru.px"), path("hotaru.px"));
  const auto artwork = pchr::load_character(path("hotaru.px")).value();
  const auto clip = std::ranges::find_if(artwork.clips(), [&](const pchr::Clip& candidate) {
    return candidate.frame_count > 1 && candidate.frames_per_second != artwork.data().frames_per_second;
  });
  REQUIRE(clip != artwork.clips().end());
  const std::string text = fmt::format(R"({{"markers": [{{"clip": "{}", "frame": {}, "name": "last"}}]}})", clip->name,
                                       clip->frame_count - 1);
  write_file(path("hotaru.markers.json"), std::as_bytes(std::span(text)));
  REQUIRE(run_pchr({"convert", path("hotaru.px"), "-o", path("even.pchr"), "--lossy"}).exit_code == 0);
  const auto even = pchr::load_character(path("even.pchr")).value();
  const auto markers = pchr::load_markers(path("even.markers.json"), even).value();
  REQUIRE(markers.all().size() == 1);
  const pchr::Marker marker = markers.all()[0];
  CHECK(even.clips()[marker.clip].name == clip->name);
  CHECK(marker.frame != clip->frame_count - 1);
  // The content at the marker begins with its new frame, not earlier.
  const std::size_t bones = even.bones().size();
  const auto shows = [&](const pchr::Character& character, const pchr::Clip& of, std::uint32_t frame) {
    const auto visible = of.samples.frame(frame, character.bones().size()).visible;
    return std::vector<std::uint8_t>(visible.begin(), visible.end());
  };
  REQUIRE(bones == artwork.bones().size());
  const pchr::Clip& moved = even.clips()[marker.clip];
  CHECK(shows(even, moved, marker.frame) == shows(artwork, *clip, clip->frame_count - 1));
  CHECK(shows(even, moved, marker.frame - 1) == shows(artwork, *clip, clip->frame_count - 2));

  // One markers file cannot serve both frame rates.
  const Outcome refused = run_pchr({"convert", path("hotaru.px"), "-o", path("hotaru.pchr"), "--lossy", "--force"});
  CHECK(refused.exit_code == 2);
  CHECK_THAT(refused.err, contains("under another name"));
  CHECK(read_text(path("hotaru.markers.json")) == text);
  CHECK_FALSE(fs::exists(path("hotaru.pchr")));
}

TEST_CASE("convert rejects options that do not apply", "[tools][convert]") {
  const fs::path folder = fresh_folder("work");
  const std::string file = asset("quad.pchr").string();
  const auto path = [&](const char* name) { return (folder / name).string(); };
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"convert", file},
                                             {"convert", file, "-o", path("a.txt")},
                                             {"convert", file, "-o", path("a")},
                                             {"convert", file, "-o", path("a.json"), "--to", "px"},
                                             {"convert", file, "-o", path("a.json"), "--rgba"},
                                             {"convert", file, "-o", path("a.pchr"), "--json-dialect", "v1"},
                                             {"convert", file, "-o", "-"},
                                             {"convert", file, "-o", "-", "--to", "json"}}) {
    const Outcome outcome = run_pchr(arguments);
    INFO(Catch::Detail::stringify(arguments) << " says " << outcome.err);
    CHECK(outcome.exit_code == 2);
    CHECK_FALSE(outcome.err.empty());
    CHECK(fs::is_empty(folder));
  }
}

}  // namespace

}  // namespace convert_test
