// SPDX-License-Identifier: MIT
// `pchr diff`, on changes made one at a time.
#include "comparison.hpp"
#include "tool.hpp"

#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/load.hpp"
#include "support/scenes.hpp"

#include <pchr/import/import.hpp>
#include <pchr/image.hpp>
#include <pchr/load.hpp>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace diff_test {
namespace {

using namespace pchr::test;
using namespace pchr::tools;
using pchr::CharacterData;
using pchr::Imported;

// Plain data and the contents of its markers file.
struct FullData : CharacterData {
  FullData(CharacterData data = {}) : CharacterData(std::move(data)) {}
  std::string title{}, author{}, format{};
  std::vector<pchr::MenuImage> menu_images{};
  std::optional<pchr::CharaInfo> chara{};
  std::optional<pchr::Artwork> artwork{};
  std::vector<pchr::AnimationFile> animation_files{};
  [[nodiscard]] Imported imported() const {
    return {build(*this), format, title, author, menu_images, chara, artwork, animation_files};
  }
};

// A 3D character with a value in every field that diff compares.
FullData full_character() {
  FullData data = two_bone_arm();
  data.title = "Arm";
  data.author = "somebody";
  data.images.push_back(plain_image(4, 4, {1, 2, 3, 255}, "unused"));
  data.menu_images = {{"icon", pchr::ImageId{0}, 0, 0, 4, 4}, {"face", pchr::ImageId{0}, 2, 2, 4, 4}};
  data.chara = pchr::CharaInfo{};
  data.artwork = pchr::Artwork{.width = 4, .height = 4, .frame_ms = {100}, .palette = {{1, 2, 3, 255}}};
  data.artwork->layers.push_back({.name = "layer"});
  data.artwork->tags.push_back({.name = "tag"});
  data.artwork->tilesets.push_back({.name = "tiles"});
  data.is_3d = true;
  data.vertices_3d.resize(data.vertices.size());
  for (pchr::Clip& clip : data.clips) {
    clip.samples.opacity.resize(clip.samples.x.size(), 1);
    clip.samples.samples_3d.resize(clip.samples.x.size());
  }
  data.bind_pose = data.clips[0].samples;
  return data;
}

std::vector<std::string> differences(const FullData& first, const FullData& second) {
  const Imported a = first.imported(), b = second.imported();
  const pchr::Sidecar none;
  const auto bitmaps = pchr::decode_images(a.character).value(),
             other_bitmaps = pchr::decode_images(b.character).value();
  const Matches matches = match_parts(a, b);
  std::vector<std::string> changes;
  for (const StructureDifference& each :
       compare_structure({a, none, bitmaps}, {b, none, other_bitmaps}, matches, 0.001)) {
    changes.push_back(each.kind + " " + each.name + ": " + each.change);
  }
  for (const PoseDifference& each : compare_poses(a.character, b.character, matches)) {
    if (each.pixels > 0.001) changes.push_back(each.clip ? "pose of a clip" : "bind pose");
  }
  return changes;
}

struct Change {
  std::string field;
  std::function<void(FullData&)> make;
};

// A 2D character with a vertex of six influences; 3D characters have up to four.
CharacterData influenced_character() {
  CharacterData data = two_bone_arm();
  data.authored_influences.assign(6, {.vertex = 4, .bone = 1, .weight = 0.25F});
  return data;
}

// A character with two clips of one name and two bones of one name.
FullData twins() {
  CharacterData data = two_bone_arm();
  for (pchr::Bone& bone : data.bones) bone.name = "arm";
  data.clips.push_back(data.clips[1]);
  data.meshes[1].name = data.meshes[0].name;
  return data;
}

}  // namespace

TEST_CASE("diff reports a change in any field", "[tools][diff]") {
  const FullData base = full_character();
  CHECK(differences(base, base) == std::vector<std::string>());
  const auto change = GENERATE(values<Change>({
      {"title", [](auto& data) { data.title = "Leg"; }},
      {"author", [](auto& data) { data.author = ""; }},
      {"frames per second", [](auto& data) { data.frames_per_second = 13; }},
      {"flags", [](auto& data) { data.reserved_flags = 1; }},
      {"pixel art", [](auto& data) { data.pixel_art = true; }},
      {"samples_3d",
       [](auto& data) {
         data.is_3d = false;
         data.vertices_3d.clear();
         data.bind_pose.samples_3d.clear();
         for (pchr::Clip& clip : data.clips) clip.samples.samples_3d.clear();
       }},
      {"chara", [](auto& data) { data.chara.reset(); }},
      {"chara legacy", [](auto& data) { data.chara->legacy = true; }},
      {"chara wait", [](auto& data) { data.chara->wait = 2; }},
      {"artwork", [](auto& data) { data.artwork.reset(); }},
      {"artwork width", [](auto& data) { data.artwork->width = 5; }},
      {"artwork height", [](auto& data) { data.artwork->height = 5; }},
      {"artwork indexed", [](auto& data) { data.artwork->indexed = true; }},
      {"artwork speed", [](auto& data) { data.artwork->speed = 2; }},
      {"artwork frames", [](auto& data) { data.artwork->frame_ms[0] = 101; }},
      {"artwork layers", [](auto& data) { data.artwork->layers[0].opacity = 0.5F; }},
      {"artwork tags", [](auto& data) { data.artwork->tags[0].repeats = 2; }},
      {"artwork clip", [](auto& data) { data.artwork->whole_clip = 1; }},
      {"artwork tilesets", [](auto& data) { data.artwork->tilesets[0].columns = 2; }},
      {"artwork palette", [](auto& data) { data.artwork->palette[0].red = 2; }},
      {"image name", [](auto& data) { data.images[2].name = "useless"; }},
      {"image size", [](auto& data) { data.images[2] = plain_image(2, 8, {1, 2, 3, 255}, "unused"); }},
      {"image pixel", [](auto& data) { data.images[2].bytes[0] = std::byte{2}; }},
      {"image presence",
       [](auto& data) {
         data.images[2].encoding = pchr::ImageEncoding::absent;
         data.images[2].bytes.clear();
       }},
      {"image less", [](auto& data) { data.images.pop_back(); }},
      {"image order", [](auto& data) { std::swap(data.images[0].name, data.images[1].name); }},
      {"bone name", [](auto& data) { data.bones[2].name = "sign"; }},
      {"bone parent", [](auto& data) { data.bones[2].parent = pchr::BoneId{1}; }},
      {"bone order", [](auto& data) { std::swap(data.bones[1], data.bones[2]); }},
      {"mesh name", [](auto& data) { data.meshes[1].name = "sign"; }},
      {"mesh image", [](auto& data) { data.meshes[1].image = pchr::ImageId{0}; }},
      {"mesh order", [](auto& data) { std::swap(data.meshes[0], data.meshes[1]); }},
      {"mesh less", [](auto& data) { data.meshes.pop_back(); }},
      {"vertices",
       [](auto& data) {
         data.vertices.push_back(data.vertices.back());
         data.vertices_3d.emplace_back();
         ++data.meshes[1].vertex_count;
       }},
      {"triangles", [](auto& data) { data.meshes[1].index_count -= 3; }},
      {"index", [](auto& data) { std::swap(data.indices[0], data.indices[1]); }},
      {"x", [](auto& data) { data.vertices[0].x += 0.01F; }},
      {"y", [](auto& data) { data.vertices[0].y += 0.01F; }},
      {"u", [](auto& data) { data.vertices[0].u += 0.01F; }},
      {"v", [](auto& data) { data.vertices[0].v += 0.01F; }},
      {"vertex bone", [](auto& data) { data.vertices[0].bones[0] = 2; }},
      {"weight", [](auto& data) { data.vertices[0].weights[0] = 0.5F; }},
      {"depth", [](auto& data) { data.vertices_3d[0].z = 1; }},
      {"normal", [](auto& data) { data.vertices_3d[0].normal = {0, 1, 0}; }},
      {"clip name", [](auto& data) { data.clips[1].name = "fold"; }},
      {"clip order", [](auto& data) { std::swap(data.clips[0], data.clips[1]); }},
      {"clip less", [](auto& data) { data.clips.pop_back(); }},
      {"looping", [](auto& data) { data.clips[1].looping = false; }},
      {"rate", [](auto& data) { data.clips[1].frames_per_second = 13; }},
      {"loop start", [](auto& data) { data.clips[1].loop_start = 1; }},
      {"frame ends", [](auto& data) { data.clips[0].frame_ends = {0.25}; }},
      {"group", [](auto& data) { data.clips[1].group = "moves"; }},
      {"sample x", [](auto& data) { data.clips[1].samples.x[3] += 1; }},
      {"sample y", [](auto& data) { data.clips[1].samples.y[3] += 1; }},
      {"sample scale x", [](auto& data) { data.clips[1].samples.scale_x[3] = 2; }},
      {"sample scale y", [](auto& data) { data.clips[1].samples.scale_y[3] = 2; }},
      {"sample opacity", [](auto& data) { data.clips[1].samples.opacity[3] = 0.5F; }},
      {"sample visible", [](auto& data) { data.clips[1].samples.visible[3] = 0; }},
      {"sample order", [](auto& data) { data.clips[1].samples.z_order[3] = 7; }},
      {"sample rotation", [](auto& data) { data.clips[1].samples.samples_3d[3].rotation = {0, 0, 1, 0}; }},
      {"sample z", [](auto& data) { data.clips[1].samples.samples_3d[3].z = 1; }},
      {"sample scale z", [](auto& data) { data.clips[1].samples.samples_3d[3].scale_z = 2; }},
      {"bind pose", [](auto& data) { data.bind_pose.x[1] += 1; }},
      {"bind visible", [](auto& data) { data.bind_pose.visible[1] = 0; }},
      {"bind order", [](auto& data) { data.bind_pose.z_order[1] = 7; }},
      {"bind opacity", [](auto& data) { data.bind_pose.opacity[1] = 0.5F; }},
      {"menu image name", [](auto& data) { data.menu_images[0].name = "logo"; }},
      {"menu image image", [](auto& data) { data.menu_images[0].image = pchr::ImageId{1}; }},
      {"menu image place", [](auto& data) { data.menu_images[0].x = 1; }},
      {"menu image size", [](auto& data) { data.menu_images[0].height = 3; }},
      {"menu image order", [](auto& data) { std::swap(data.menu_images[0], data.menu_images[1]); }},
      {"menu image less", [](auto& data) { data.menu_images.pop_back(); }},
  }));
  FullData changed = base;
  change.make(changed);
  INFO(change.field);
  CHECK_FALSE(differences(base, changed).empty());
  CHECK_FALSE(differences(changed, base).empty());
}

TEST_CASE("vertices that are apart by less than the tolerance are equal", "[tools][diff]") {
  CharacterData changed = two_bone_arm();
  changed.vertices[0].x += 0.0005F;
  changed.vertices[0].v += 0.00001F;
  changed.vertices[4].weights[0] += 0.000002F;
  CHECK(differences(two_bone_arm(), changed).empty());
  const std::string first = character_file("diff_near.pchr", two_bone_arm());
  const std::string second = character_file("diff_near_changed.pchr", changed);
  CHECK(run_pchr({"diff", first, second, "--no-pixels"}).exit_code == 0);
  const Outcome outcome = run_pchr({"diff", first, second, "--no-pixels", "--tolerance", "0"});
  CHECK(outcome.exit_code == 5);
  CHECK_THAT(outcome.out, contains("vertices moved by up to 0.000 px") && contains("texture coordinates moved") &&
                              contains("weights changed"));
}

TEST_CASE("diff reports a change in influences beyond four", "[tools][diff]") {
  const CharacterData base = influenced_character();
  CHECK(differences(base, base) == std::vector<std::string>());
  const auto change = GENERATE(values<Change>({
      {"none", [](auto& data) { data.authored_influences.clear(); }},
      {"less", [](auto& data) { data.authored_influences.pop_back(); }},
      {"vertex",
       [](auto& data) {
         for (pchr::AuthoredInfluence& influence : data.authored_influences) influence.vertex = 3;
       }},
      {"bone", [](auto& data) { data.authored_influences[0].bone = 2; }},
      {"weight", [](auto& data) { data.authored_influences[0].weight = 0.5F; }},
  }));
  FullData changed = base;
  change.make(changed);
  INFO(change.field);
  CHECK_FALSE(differences(base, changed).empty());
  CHECK_FALSE(differences(changed, base).empty());
}

TEST_CASE("diff reports a 2D rotation", "[tools][diff]") {
  CharacterData turned = two_bone_arm();
  turned.clips[1].samples.rotation_degrees[4] += 1;
  CHECK(differences(two_bone_arm(), turned) == std::vector<std::string>{"pose of a clip"});
}

TEST_CASE("the format of a character and the origin of its clips are not differences", "[tools][diff]") {
  FullData other = two_bone_arm();
  other.format = "another";
  other.animation_files = {{"run.psa", 3, 3, true}};
  CHECK(differences(two_bone_arm(), other).empty());
}

TEST_CASE("parts with equal names are compared in order", "[tools][diff]") {
  CHECK(differences(twins(), twins()).empty());
  CharacterData changed = twins();
  changed.clips[2].samples.x[5] += 20;
  CHECK(differences(twins(), changed) == std::vector<std::string>{"pose of a clip"});
  changed = twins();
  changed.clips.pop_back();
  CHECK(differences(twins(), changed) == std::vector<std::string>{"clip bend: only in the first"});
}

TEST_CASE("a part without a counterpart by name is compared by index", "[tools][diff]") {
  CharacterData renamed = two_bone_arm();
  renamed.clips[1].name = "fold";
  CHECK(differences(two_bone_arm(), renamed) == std::vector<std::string>{"clip bend: renamed to \"fold\""});
  renamed.clips[1].samples.x[0] += 3;
  CHECK(differences(two_bone_arm(), renamed).size() == 2);
}

TEST_CASE("diff identifies the second clip of a name", "[tools][diff]") {
  CharacterData changed = twins();
  changed.clips[2].samples.x[5] += 20;
  const std::string first = character_file("diff_twins.pchr", twins());
  const std::string second = character_file("diff_twins_changed.pchr", changed);
  const Outcome outcome = run_pchr({"diff", first, second, "--no-pixels"});
  CHECK(outcome.exit_code == 5);
  CHECK_THAT(outcome.out, contains("pose in clip 2 bend: up to 20.000 px apart, at frame 1 in bone 2 arm\n"));
  CHECK(run_pchr({"diff", first, first}).exit_code == 0);
}

TEST_CASE("diff --no-pixels reports draw order and visibility", "[tools][diff]") {
  const std::string first = character_file("diff_order.pchr", two_bone_arm());
  CharacterData changed = two_bone_arm();
  changed.clips[1].samples.z_order[5] = 9;
  changed.clips[1].samples.visible[3] = 0;
  const Outcome outcome = run_pchr({"diff", first, character_file("diff_order_changed.pchr", changed), "--no-pixels"});
  CHECK(outcome.exit_code == 5);
  CHECK(outcome.out ==
        "clip 1 bend: visibility differs in 1 of 8 frames, first at frame 1 in bone 0 \"upper\" 1, then 0\n"
        "clip 1 bend: draw order differs in 1 of 8 frames, first at frame 1 in bone 2 \"badge\" 1, then 9\n");
}

TEST_CASE("diff compares the markers next to the files", "[tools][diff]") {
  const std::string first = character_file("diff_marked.pchr", two_bone_arm());
  const std::string second = character_file("diff_marked_otherwise.pchr", two_bone_arm());
  const auto mark = [](const std::string& file, std::string_view frame) {
    const std::string text =
        R"({"markers": [{"clip": "bend", "frame": 4, "name": "step"}, {"clip": "bend", "frame": )" +
        std::string(frame) + R"(, "name": "hit"}]})";
    write_file(pchr::markers_path(file), std::as_bytes(std::span(text)));
  };
  mark(first, "1");
  mark(second, "1");
  CHECK(run_pchr({"diff", first, second, "--no-pixels"}).exit_code == 0);
  mark(second, "2");
  const Outcome outcome = run_pchr({"diff", first, second, "--no-pixels"});
  CHECK(outcome.exit_code == 5);
  CHECK(outcome.out ==
        "marker hit: only in the first, at frame 1 of clip 1 \"bend\"\n"
        "marker hit: only in the second, at frame 2 of clip 1 \"bend\"\n");
  std::filesystem::remove(pchr::markers_path(second));
  CHECK(run_pchr({"diff", first, second, "--no-pixels"}).exit_code == 5);
}

TEST_CASE("diff compares the rigs next to the files", "[tools][diff]") {
  const std::string first = character_file("diff_rigged.pchr", two_bone_arm());
  const std::string second = character_file("diff_rigged_otherwise.pchr", two_bone_arm());
  const auto rig = [](const std::string& file, const std::string& gusts) {
    const std::string text = R"({"gusts": )" + gusts + "}";
    write_file(pchr::rig_path(file), std::as_bytes(std::span(text)));
  };
  rig(first, "0.5"), rig(second, "5e-1");
  CHECK(run_pchr({"diff", first, second, "--no-pixels"}).exit_code == 0);
  rig(second, "0.25");
  const Outcome outcome = run_pchr({"diff", first, second, "--no-pixels"});
  CHECK(outcome.exit_code == 5);
  CHECK_THAT(outcome.out, contains("rig") && contains("differs"));
  rig(second, R"(0.5, "masks": [{"name": "arm", "bones": ["upper"]}])");
  const Outcome masked = run_pchr({"diff", first, second, "--no-pixels"});
  CHECK(masked.exit_code == 5);
  CHECK_THAT(masked.out, contains("masks") && contains("differ"));
}

TEST_CASE("diff names what differs in state machines", "[tools][diff]") {
  const std::string first = character_file("diff_states.pchr", two_bone_arm());
  const std::string second = character_file("diff_states_otherwise.pchr", two_bone_arm());
  const auto write_states = [](const std::string& file, const std::string& states) {
    const std::string text = R"({"states": )" + states + "}";
    write_file(pchr::rig_path(file), std::as_bytes(std::span(text)));
  };
  const std::string parameters = R"("parameters": [{"name": "speed", "type": "number", "max": 2},
                                                   {"name": "jump", "type": "trigger"}])";
  write_states(first, "{" + parameters + R"(, "layers": [{"name": "body", "states": [
    {"name": "idle", "clip": "bind"}, {"name": "move", "clip": "bend"}, {"name": "old"}]}, {"name": "arms",
    "states": [{"name": "free"}]}]})");
  write_states(second, "{" + parameters + R"(, "layers": [{"name": "body", "weight": 1.0, "states": [
    {"name": "idle", "clip": "bind", "speed": 1e0}, {"name": "move", "clip": "bend"}, {"name": "old"}]},
    {"name": "arms", "states": [{"name": "free"}]}]})");
  CHECK(run_pchr({"diff", first, second, "--no-pixels"}).exit_code == 0);
  write_states(second, R"({"parameters": [{"name": "jump", "type": "trigger", "key": "space"},
    {"name": "speed", "type": "number", "max": 3}], "layers": [{"name": "body", "first": "move", "states": [
    {"name": "idle", "clip": "bend", "loop": true},
    {"name": "move", "blend": [{"clip": "bind", "at": 0}, {"clip": "bend", "at": 1}], "parameter": "speed"},
    {"name": "new"}], "transitions": [{"to": "new", "when": [{"parameter": "jump"}]}]}]})");
  const Outcome outcome = run_pchr({"diff", first, second, "--no-pixels"});
  CHECK(outcome.exit_code == 5);
  CHECK(outcome.out ==
        "parameter speed: differs in max\n"
        "parameter jump: differs in key\n"
        "character states: the order of parameters differs\n"
        "state layer body: differs in first, transitions\n"
        "state body: idle: differs in clip, loop\n"
        "state body: move: differs in what it plays\n"
        "state body: old: only in the first\n"
        "state body: new: only in the second\n"
        "state layer arms: only in the first\n");
}

TEST_CASE("every character equals itself", "[tools][diff]") {
  std::vector<std::filesystem::path> files;
  for (const char* name :
       {"corners.pchr", "hotaru.px", "kaeru.aseprite", "kiri.pchr", "quad.pchr", "koi/koi.psk", "konpei/konpei.chp"}) {
    files.push_back(asset(name));
  }
  if (const auto folder = conformance_folder()) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(*folder)) {
      const std::string extension = entry.path().extension().string();
      const bool is_character = extension == ".pchr" || extension == ".chp" || extension == ".px" ||
                                extension == ".aseprite" || extension == ".psk";
      if (is_character && pchr::load_character(entry.path())) files.push_back(entry.path());
    }
  }
  for (const std::filesystem::path& file : files) {
    INFO(file);
    const Outcome outcome = run_pchr({"diff", file.string(), file.string(), "--no-pixels", "--no-images"});
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.out == "The characters are the same.\n");
  }
}

}  // namespace diff_test
