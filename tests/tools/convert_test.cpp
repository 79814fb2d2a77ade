// SPDX-License-Identifier: MIT
// `pchr convert`.
#include "tool.hpp"

#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/load.hpp"
#include "support/scenes.hpp"

#include <fmt/format.h>
#include <pchr/animator.hpp>
#include <pchr/image.hpp>
#include <pchr/import/import.hpp>
#include <pchr/import/save.hpp>
#include <pchr/load.hpp>

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
  const auto character = build(data);
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

TEST_CASE("events of a DragonBones skeleton become the markers of the output", "[tools][convert]") {
  const fs::path folder = fresh_folder("work");
  const std::string file = asset("akari/akari_ske.json").string();
  const std::string output = (folder / "akari.pchr").string();
  const Outcome refused = run_pchr({"convert", file, "-o", output});
  CHECK(refused.exit_code == 1);
  CHECK_THAT(refused.err, contains("error E305: "));
  REQUIRE(run_pchr({"convert", file, "-o", output, "--lossy", "--fps", "12"}).exit_code == 0);
  const auto character = pchr::load_character(output);
  REQUIRE(character);
  CHECK(character->clips()[character->find_clip("idle")].frame_count == 24);
  const auto sidecar = pchr::load_sidecar(output, *character);
  REQUIRE(sidecar);
  REQUIRE(sidecar->markers.all().size() == 1);
  CHECK(sidecar->markers.all()[0].clip == character->find_clip("boo"));
  CHECK(sidecar->markers.all()[0].frame == 7);
}

TEST_CASE("an armature of a DragonBones skeleton is chosen by its name", "[tools][convert]") {
  const fs::path folder = fresh_folder("work");
  const std::string file = asset("akari/akari_tex.json").string();
  const std::string output = (folder / "moth.pchr").string();
  REQUIRE(run_pchr({"convert", file, "-o", output, "--armature", "moth"}).exit_code == 0);
  const auto character = pchr::load_character(output);
  REQUIRE(character);
  CHECK(character->find_clip("flutter") != pchr::ClipId::none);
  CHECK_THAT(run_pchr({"inspect", file, "--armature", "crow"}).err, contains("there is no armature \"crow\""));
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

TEST_CASE("the reference frame of a layer of states moves with its resampled clip", "[tools][convert]") {
  const fs::path folder = fresh_folder("work");
  const auto path = [&](const char* name) { return (folder / name).string(); };
  fs::copy_file(asset("hotaru.px"), path("hotaru.px"));
  const auto artwork = pchr::load_character(path("hotaru.px")).value();
  const auto clip = std::ranges::find_if(artwork.clips(), [&](const pchr::Clip& candidate) {
    return candidate.frame_count > 1 && candidate.frames_per_second != artwork.data().frames_per_second;
  });
  REQUIRE(clip != artwork.clips().end());
  const std::string text = fmt::format(R"({{"states": {{"layers": [{{"name": "a", "mode": "additive",
    "reference": {{"clip": "{}", "frame": {}}}, "states": [{{"name": "b", "clip": "{}"}}]}}]}}}})",
                                       clip->name, clip->frame_count - 1, clip->name);
  write_file(path("hotaru.rig.json"), std::as_bytes(std::span(text)));
  REQUIRE(run_pchr({"convert", path("hotaru.px"), "-o", path("even.pchr"), "--lossy"}).exit_code == 0);
  const auto even = pchr::load_character(path("even.pchr")).value();
  const auto sidecar = pchr::load_rig(path("even.rig.json"), even).value();
  CHECK(sidecar.state_errors.empty());
  const std::uint32_t frame = sidecar.states.layers.at(0).reference_frame;
  CHECK(frame != clip->frame_count - 1);
  const pchr::Clip& moved = even.clips()[even.find_clip(clip->name)];
  CHECK(moved.frame_begin(frame) ==
        Approx(clip->frame_begin(clip->frame_count - 1)).margin(1 / moved.frames_per_second));
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

// `pchr pack`.

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

// `pchr unpack`.

TEST_CASE("unpack writes JSON and its images to a folder that it creates", "[tools][unpack]") {
  const fs::path folder = fs::path(fresh("new")) / "deeper";
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
  CHECK(run_pchr({"unpack", file, "-o", fs::path(fresh("dialect")).string(), "--json-dialect", "klingon"}).exit_code ==
        2);
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
  const fs::path folder = fs::path(fresh("links")), precious = fresh("precious");
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
  const fs::path folder = fs::path(fresh("none")), broken = fresh("broken.pchr");
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

// `pchr` with a character without images.

std::string bare_arm() {
  pchr::CharacterData data = two_bone_arm();
  data.images.clear();
  for (pchr::Mesh& mesh : data.meshes) mesh.image = pchr::ImageId{0};
  return character_file("bare_arm.pchr", data);
}

TEST_CASE("inspect reports a character without images", "[tools][no_images]") {
  const Outcome outcome = run_pchr({"inspect", bare_arm()});
  CHECK(outcome.exit_code == 0);
  CHECK_THAT(outcome.out, contains("\n0 images; meshes are drawn in a checker pattern\n"));
  const Outcome json = run_pchr({"inspect", bare_arm(), "--json"});
  CHECK(json.exit_code == 0);
  CHECK_THAT(json.out, contains("\"images\": []"));
  CHECK(run_pchr({"validate", bare_arm()}).exit_code == 0);
}

TEST_CASE("a character without an image is not rendered blank", "[tools][no_images]") {
  const std::filesystem::path path = output("tools/bare_arm.png");
  REQUIRE(run_pchr({"render", bare_arm(), "--size", "64x64", "-o", path.string()}).exit_code == 0);
  const pchr::Bitmap bitmap = pchr::load_png(path).value();
  const auto opaque = std::ranges::count(bitmap.rgba, std::uint8_t{255});
  CHECK(opaque > 100);
  CHECK(std::ranges::count(bitmap.rgba, std::uint8_t{168}) > 30);
  CHECK(std::ranges::count(bitmap.rgba, std::uint8_t{120}) > 30);
}

TEST_CASE("a character without an image survives a round trip through every format", "[tools][no_images]") {
  const std::string file = bare_arm();
  const std::filesystem::path folder = output("tools/bare_arm/x").parent_path();
  std::string last = file;
  for (const char* name : {"bare.json", "packed.pchr", "back.pchr"}) {
    std::vector<std::string> arguments{"convert", last, "-o", (folder / name).string(), "--force"};
    if (name == std::string("packed.pchr"))
      arguments.insert(arguments.end(), {"--to", "packed", "--json-dialect", "v1"});
    const Outcome outcome = run_pchr(arguments);
    INFO(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    last = (folder / name).string();
  }
  CHECK(read_file(last) == read_file(file));
}

// `--texture`, `--rig` and `--max-output-mb`: which files are read, and how much is written.

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

}  // namespace
}  // namespace convert_test
