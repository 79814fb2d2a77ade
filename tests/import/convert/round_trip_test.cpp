// SPDX-License-Identifier: MIT
// Every character that loads, however odd, comes back from each format that it is saved in.
#include "fuzz/mutate/mutator.hpp"
#include "fuzz/mutate/scenes.hpp"
#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/load.hpp"
#include "support/psk.hpp"
#include "support/scenes.hpp"

#include <pchr/import/save.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace round_trip_test {
using namespace pchr;
using mutate::Mutator;
using test::Bytes;

namespace {

/// Loads a character from files in memory, the first of which is named `input`.
Expected<Imported, LoadError> load_from(const std::vector<mutate::SceneFile>& files) {
  ImportOptions options;
  options.limits.max_image_pixels = 1U << 16;
  options.uses_rig = false;
  const auto read_file = [&](const std::string& path) -> Expected<std::vector<std::byte>, std::string> {
    const auto file = std::ranges::find(files, path, &mutate::SceneFile::name);
    if (file == files.end()) return Unexpected(std::string("there is no such file"));
    return file->bytes;
  };
  options.read_file = read_file;
  return import_character(files.front().name, options);
}

/// Returns a rig that names what a character has: each clip that has a frame, and its last bone.
Bytes rig_of(const Character& character) {
  std::vector<Marker> markers;
  for (const ClipId id : character.clips().ids()) {
    const Clip& clip = character.clips()[id];
    // A lookup by name finds the first.
    if (clip.frame_count == 0 || character.find_clip(clip.name) != id) continue;
    markers.push_back({id, clip.frame_count - 1, "last"});
  }
  Sidecar sidecar;
  sidecar.markers = Markers(std::move(markers));
  if (!character.bones().empty()) {
    const std::string& name = character.bones()[BoneId{character.bones().ids().count - 1}].name;
    sidecar.masks.push_back({"mask", {character.find_bone(name)}});
  }
  const std::string text = save_rig(sidecar, character);
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

/// Compares what every format stores.
void check_same(const Character& back, const Character& character, bool is_gltf) {
  REQUIRE(back.bones().size() >= character.bones().size());
  for (const BoneId id : character.bones().ids()) {
    CHECK(back.bones()[id].name == character.bones()[id].name);
    CHECK(back.bones()[id].parent == character.bones()[id].parent);
  }
  REQUIRE(back.clips().size() == character.clips().size());
  const std::size_t bones = character.bones().size(), back_bones = back.bones().size();
  for (const ClipId id : character.clips().ids()) {
    const Clip& clip = character.clips()[id];
    const Clip& other = back.clips()[id];
    INFO("clip " << index(id) << " \"" << clip.name << "\"");
    CHECK(other.name == clip.name);
    CHECK(other.group == (is_gltf ? clip.group : std::string()));
    CHECK(other.frame_count == clip.frame_count);
    CHECK(other.looping == clip.looping);
    CHECK(other.loop_start == clip.loop_start);
    CHECK(other.frames_per_second == clip.frames_per_second);
    CHECK(other.frame_ends == clip.frame_ends);
    if (other.frame_count != clip.frame_count) continue;
    float error = 0;
    for (std::size_t frame = 0; frame < clip.frame_count; ++frame) {
      for (std::size_t bone = 0; bone < bones; ++bone) {
        const std::size_t to = frame * back_bones + bone, from = frame * bones + bone;
        const auto add = [&](const SampleArray<float>& left, const SampleArray<float>& right) {
          error = std::max(error, std::abs(left[to] - right[from]) / std::max(1.0F, std::abs(right[from])));
        };
        add(other.samples.x, clip.samples.x);
        add(other.samples.y, clip.samples.y);
        add(other.samples.scale_x, clip.samples.scale_x);
        add(other.samples.scale_y, clip.samples.scale_y);
        const float turn = other.samples.rotation_degrees[to] - clip.samples.rotation_degrees[from];
        // Rotations of glTF have no whole turns.
        if (!character.data().is_3d && std::abs(clip.samples.rotation_degrees[from]) < 1e4F) {
          error = std::max(error, std::abs(is_gltf ? std::remainder(turn, 360.0F) : turn) / 10);
        }
      }
    }
    CHECK(error < 1e-4F);
  }
  std::vector<Mesh> meshes(character.data().meshes);
  if (is_gltf) std::erase_if(meshes, [](const Mesh& mesh) { return mesh.index_count == 0; });
  REQUIRE(back.meshes().size() == meshes.size());
  for (std::uint32_t i = 0; i < meshes.size(); ++i) {
    const Mesh& mesh = meshes[i];
    const Mesh& other = back.meshes()[MeshId{i}];
    INFO("mesh " << i << " \"" << mesh.name << "\"");
    CHECK(other.name == mesh.name);
    CHECK(other.vertex_count == mesh.vertex_count);
    CHECK(std::ranges::equal(back.indices(other), character.indices(mesh)));
  }
  CHECK(back.data().frames_per_second == character.data().frames_per_second);
  CHECK(back.data().is_3d == character.data().is_3d);
}

/// Saves a character in a format and loads it. Characters that lose something must only load.
void check_format(const Imported& imported, Format format, JsonDialect dialect) {
  const Character& character = imported.character;
  SaveOptions options;
  options.json_dialect = dialect;
  options.limits.max_bone_samples = 1U << 14;  // Of clips that are resampled.
  auto saved = save(imported, format, "input", options);
  const bool is_lossless = saved.has_value();
  if (!saved) {
    CHECK_FALSE(describe(saved.error(), "input").empty());
    options.lossy = true;
    saved = save(imported, format, "input", options);
    if (!saved) return;
  }
  std::vector<mutate::SceneFile> files{{saved->file.name, saved->file.bytes}};
  for (const SavedFile& image : saved->images) files.push_back({image.name, image.bytes});
  const auto back = load_from(files);
  if (!back) FAIL(describe(back.error(), "the saved file"));
  if (is_lossless) check_same(back->character, character, false);
  if (!is_lossless) return;
  const auto rig = load_rig(rig_of(character), back->character);
  if (!rig) FAIL(describe(rig.error(), "the rig of the saved file"));
}

/// Returns whether a character was saved as glTF.
bool check_gltf(const Character& character) {
  const auto saved = save_gltf(character);
  if (!saved) {
    CHECK_FALSE(describe(saved.error(), "input").empty());
    return false;
  }
  const auto back = load_from({{"input.glb", *saved}});
  if (!back) FAIL(describe(back.error(), "input.glb"));
  check_same(back->character, character, true);
  const auto rig = load_rig(rig_of(character), back->character);
  if (!rig) FAIL(describe(rig.error(), "the rig of input.glb"));
  return true;
}

bool check_all_formats(const Imported& imported) {
  check_format(imported, Format::v1, JsonDialect::v1);
  for (const JsonDialect dialect : {JsonDialect::v1, JsonDialect::pachario}) {
    check_format(imported, Format::json, dialect);
    check_format(imported, Format::packed, dialect);
  }
  return check_gltf(imported.character);
}

/// Changes one thing of a character to something odd.
void change(CharacterData& data, Mutator& mutator) {
  const auto one_of = [&](const auto&... values) {
    const std::vector<std::common_type_t<std::decay_t<decltype(values)>...>> all{values...};
    return all[mutator.below(all.size())];
  };
  const auto any = [&](auto& list) -> auto& { return list[mutator.below(list.size())]; };
  const auto name = [&] {
    return one_of(std::string(), std::string("again"), std::string("a/\"b\n\x01"), std::string("\xE5\xA4\x8F"),
                  std::string(300, 'n'));
  };
  const auto number = [&] {
    return one_of(0.0F, -1.0F, 1e-7F, 1e-40F, 1e9F, -1e31F, std::numeric_limits<float>::max(), 720.5F);
  };
  const auto samples = [&]() -> BoneSamples& { return any(data.clips).samples; };
  std::vector<std::function<void()>> changes{
      [&] { data.frames_per_second = one_of(0U, 1U, 59U, 65535U); },
      [&] { data.pixel_art = !data.pixel_art; },
      [&] { any(data.images).name = name(); },
      [&] { any(data.meshes).name = name(); },
      [&] { any(data.meshes).index_count = 0; },
      [&] { any(data.vertices).x = number(); },
      [&] { any(data.vertices).u = number(); },
      [&] { any(data.vertices).weights[mutator.below(4)] = one_of(0.0F, 0.5F, 2.0F); },
      [&] { data.images.clear(); },
      [&] { data.meshes.clear(); },
      [&] { data.clips.clear(); },
  };
  if (!data.bones.empty()) changes.emplace_back([&] { any(data.bones).name = name(); });
  if (!data.clips.empty()) {
    changes.emplace_back([&] { any(data.clips).name = name(); });
    changes.emplace_back([&] { any(data.clips).group = name(); });
    changes.emplace_back([&] { any(data.clips).looping = false; });
    changes.emplace_back([&] {
      any(data.clips).frames_per_second = one_of(0.0, 1e-9, 1e-300, 1.0 / 3, 29.97, 12345.0, 1e6, 1e29, 1e300);
    });
    changes.emplace_back([&] {
      Clip& clip = any(data.clips);
      clip.loop_start = clip.frame_count > 1 ? clip.frame_count - 1 : 0;
    });
    changes.emplace_back([&] {
      Clip& clip = any(data.clips);
      const double length = one_of(1e-9, 0.3, 1e5, 1e7);
      clip.frame_ends.clear();
      for (std::uint32_t frame = 1; frame <= clip.frame_count; ++frame) clip.frame_ends.push_back(frame * length);
    });
    changes.emplace_back([&] {
      data.clips.insert(data.clips.begin() + static_cast<std::ptrdiff_t>(mutator.below(data.clips.size())),
                        test::resting_clip(any(data.clips).name, 0, data.bones.size()));
    });
    const bool has_samples =
        !data.bones.empty() && std::ranges::all_of(data.clips, [](const Clip& clip) { return clip.frame_count > 0; });
    if (has_samples) {
      changes.emplace_back([&] { any(samples().x) = number(); });
      changes.emplace_back([&] { any(samples().scale_y) = number(); });
      changes.emplace_back([&] { any(samples().rotation_degrees) = number(); });
      changes.emplace_back([&] { any(samples().visible) = 0; });
      changes.emplace_back([&] { any(samples().z_order) = one_of(-40000, -1, 7, 1 << 30); });
      changes.emplace_back([&] {
        BoneSamples& all = samples();
        all.opacity.assign(all.x.size(), one_of(0.0F, 0.25F, 1.0F));
        any(all.opacity) = 0.5F;
      });
    }
  }
  changes[mutator.below(changes.size())]();
}

}  // namespace

TEST_CASE("characters with odd values come back from every format", "[convert]") {
  std::vector<CharacterData> characters{test::sliding_quad(), test::two_bone_arm(), load_asset("quad.pchr").data()};
  characters.push_back(load_character(test::bytes_of(test::small_psk())).value().data());
  characters.emplace_back().frames_per_second = 30;
  characters.back().clips.push_back(test::resting_clip("still", 2, 0));
  Mutator mutator(1);
  int built = 0, written = 0;
  for (int round = 0; round < 300; ++round) {
    INFO("round " << round);
    CharacterData data = mutator.one_of(characters);
    // The whole bind pose is that of the clips.
    data.bind_pose = {};
    for (std::uint64_t left = 1 + mutator.below(3); left > 0; --left) {
      if (!data.meshes.empty() && !data.images.empty()) change(data, mutator);
    }
    const auto character = Character::build(std::move(data));
    if (!character) continue;
    ++built;
    written += check_all_formats(Imported{*character}) ? 1 : 0;
  }
  CHECK(built > 200);
  CHECK(written > 150);
}

TEST_CASE("damaged files that load come back from every format", "[convert]") {
  Mutator mutator(2);
  int loaded = 0;
  for (const mutate::Scene& scene : mutate::all_scenes(test::asset("quad.pchr"))) {
    if (scene.share > 1) continue;
    for (int round = 0; round < 25; ++round) {
      INFO(scene.name << ", round " << round);
      std::vector<mutate::SceneFile> files = scene.files;
      if (round > 0) {
        Bytes& bytes = files[round % 2 == 0 ? 0 : mutator.below(files.size())].bytes;
        bytes = mutator.mutate(std::move(bytes));
      }
      const auto imported = load_from(files);
      if (!imported) continue;
      ++loaded;
      check_all_formats(*imported);
    }
  }
  CHECK(loaded > 80);
}

}  // namespace round_trip_test
