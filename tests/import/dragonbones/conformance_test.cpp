// SPDX-License-Identifier: MIT
// DragonBones skeletons from games, compared with the vertices that an independent program computed.
#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/load.hpp"

#include <pchr/pose.hpp>

#include <simdjson.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace dragonbones_conformance_test {
using namespace pchr;
namespace fs = std::filesystem;

namespace {

std::string_view last_part(std::string_view name) { return name.substr(name.rfind('/') + 1); }

/// Returns how far the expected points are from the vertices of a mesh. Programs order the corners of images
/// differently.
float distance(const simdjson::dom::element& expected, std::span<const Vec2> points) {
  double largest = 0;
  for (std::size_t i = 0; i < expected["xy"].get_array().size(); ++i) {
    const simdjson::dom::element place = expected["xy"].at(i);
    double closest = 1e9;
    for (std::size_t k = 0; k < points.size(); ++k) {
      if (points.size() > 4 && k != std::uint64_t(expected["vertices"].at(i))) continue;
      closest = std::min(closest, std::hypot(points[k].x - double(place.at(0)), points[k].y - double(place.at(1))));
    }
    largest = std::max(largest, closest);
  }
  return static_cast<float>(largest);
}

struct Sample {
  const char* source;
  const char* expected;
  const char* armature;
  double frames_per_second;
};

}  // namespace

TEST_CASE("DragonBones vertices agree with an independent program", "[conformance][dragonbones]") {
  const auto folder = test::conformance_folder();
  if (!folder || !fs::exists(*folder / "dragonbones")) {
    WARN("the conformance folder does not exist");
    return;
  }
  constexpr Sample kSamples[] = {{"bullet_01", "db_bullet", "", 24},
                                 {"DragonBoy", "db_dragonboy", "", 24},
                                 {"bear", "db_bear", "", 60},
                                 {"mecha_1406", "db_mecha_1406", "", 60},
                                 {"mecha_1004d", "db_mecha_1004d", "", 30},
                                 {"mecha_2903", "db_mecha_2903d", "mecha_2903d", 24}};
  for (const Sample& sample : kSamples) {
    INFO(sample.source);
    ImportOptions options;
    options.armature = sample.armature;
    options.frames_per_second = sample.frames_per_second;
    // The expected vertices are without deform keys.
    const auto read_file = [&](const std::string& path) -> Expected<std::vector<std::byte>, std::string> {
      if (!fs::exists(path)) return Unexpected(std::string("there is no such file"));
      std::vector<std::byte> bytes = test::read_file(path);
      std::span text(reinterpret_cast<char*>(bytes.data()), bytes.size());
      constexpr std::string_view kKey = "\"ffd\"";
      for (auto rest = std::ranges::search(text, kKey); !rest.empty(); rest = std::ranges::search(text, kKey)) {
        rest.front() = ' ';
        rest[1] = '"';
      }
      return bytes;
    };
    options.read_file = read_file;
    const auto character =
        load_character((*folder / "dragonbones" / (std::string(sample.source) + "_ske.json")).string(), options);
    REQUIRE(character);
    const fs::path path = *folder / sample.expected / (std::string(sample.expected) + ".expected.json");
    simdjson::dom::parser parser;
    const simdjson::dom::element expected = parser.load(path.string());
    for (const auto frame : expected["frames"]) {
      const std::string_view name = frame["animation"];
      const auto number = static_cast<std::uint32_t>(std::uint64_t(frame["frame"]));
      const ClipId clip = character->find_clip(name);
      // The expected clips can loop where the source does not, and the other way around.
      if (clip == ClipId::none || number >= character->clips()[clip].frame_count) continue;
      INFO("clip " << name << " frame " << number);
      PoseBuffers posed;
      pose_clip(*character, clip, {number, number, 0}, posed);
      for (std::size_t i = 0; i < expected["meshes"].get_array().size(); ++i) {
        const std::string_view wanted = expected["meshes"].at(i)["name"];
        INFO(wanted);
        float closest = 1e9F;
        for (const MeshId mesh : character->meshes().ids()) {
          if (last_part(character->meshes()[mesh].name) != last_part(wanted)) continue;
          std::vector<Vec2> points(character->meshes()[mesh].vertex_count);
          deform_mesh(*character, posed, mesh, points);
          closest = std::min(closest, distance(frame["meshes"].at(i), points));
        }
        CHECK(closest < 0.01F);
      }
    }
  }
}

}  // namespace dragonbones_conformance_test
