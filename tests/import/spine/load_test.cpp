// SPDX-License-Identifier: MIT
// Spine skeletons with their atlases and images, in any of their files.
#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/folder.hpp"
#include "support/load.hpp"
#include "support/png.hpp"

#include <pchr/image.hpp>
#include <pchr/pose.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace spine_load_test {
using namespace pchr;
using test::Bytes;
using test::Folder;
using namespace std::string_literals;

namespace {

Folder sample() {
  Folder folder;
  for (const char* const name : {"tako.json", "tako.skel", "tako.atlas", "tako.png"}) {
    folder.files[name] = test::read_file(test::asset(std::string("tako/") + name));
  }
  return folder;
}

constexpr std::string_view kSkeleton =
    R"({"skeleton": {"spine": "4.1.24"}, "bones": [{"name": "root"}],)"
    R"( "slots": [{"name": "flag", "bone": "root", "attachment": "white"}],)"
    R"( "skins": [{"name": "default", "attachments": {"flag": {"white": {"width": 2, "height": 1}}}}],)"
    R"( "animations": {"wave": {"bones": {"root": {"rotate": [{"value": 10}, {"time": 0.1}]}}}}})";

}  // namespace

TEST_CASE("a Spine character opens by its JSON, its binary and its atlas", "[spine]") {
  Folder folder = sample();
  const auto json = folder.import("tako.json");
  REQUIRE(json);
  CHECK(json->skins == std::vector<std::string>{"default", "lagoon"});
  for (const char* const opened : {"tako.skel", "tako.atlas"}) {
    INFO(opened);
    const auto other = folder.import(opened);
    REQUIRE(other);
    CHECK(other->format == json->format);
    const Character &a = json->character, &b = other->character;
    REQUIRE((a.meshes().size() == b.meshes().size() && a.bones().size() == b.bones().size()));
    REQUIRE((a.clips().size() == b.clips().size() && a.vertices().size() == b.vertices().size()));
    double distance = 0;
    for (std::uint32_t clip = 0; clip < a.clips().size(); ++clip) {
      PoseBuffers posed_a, posed_b;
      REQUIRE(a.clips()[clip].frame_count == b.clips()[clip].frame_count);
      for (std::uint32_t frame = 0; frame < a.clips()[clip].frame_count; frame += 7) {
        pose_clip(a, ClipId{clip}, {frame, frame, 0}, posed_a);
        pose_clip(b, ClipId{clip}, {frame, frame, 0}, posed_b);
        for (std::uint32_t mesh = 0; mesh < a.meshes().size(); ++mesh) {
          std::vector<Vec2> points_a(a.meshes()[mesh].vertex_count), points_b(points_a.size());
          deform_mesh(a, posed_a, MeshId{mesh}, points_a);
          deform_mesh(b, posed_b, MeshId{mesh}, points_b);
          for (std::size_t i = 0; i < points_a.size(); ++i) {
            const Vec2 apart = points_a[i] - points_b[i];
            distance = std::max(distance, static_cast<double>(std::hypot(apart.x, apart.y)));
          }
        }
      }
    }
    CHECK(distance < 0.01);
  }
}

TEST_CASE("no prefix of a Spine character crashes, and none of its binary loads", "[spine]") {
  const Folder whole = sample();
  for (const std::string name : {"tako.skel", "tako.atlas", "tako.json"}) {
    Folder folder = whole;
    const Bytes& bytes = whole.files.at(name);
    for (std::size_t size = 0; size < bytes.size(); size += name == "tako.atlas" ? 1 : 97) {
      folder.files[name].assign(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
      const auto imported = folder.import(name == "tako.atlas" ? "tako.skel" : name);
      INFO(name << ", " << size << " bytes");
      if (name != "tako.atlas") REQUIRE_FALSE(imported);
      if (!imported) REQUIRE_FALSE(describe(imported.error(), name).empty());
    }
  }
}

TEST_CASE("a premultiplied page of a Spine atlas becomes straight", "[spine]") {
  struct Case {
    const char* atlas;
    const char* entries;
    bool is_premultiplied;
  };
  const Case cases[] = {{"hero.atlas", "size:2,1\npma:true", true},
                        {"hero.atlas", "size:2,1", false},
                        {"hero.atlas", "size:2,1\npma:false", false},
                        {"hero-pma.atlas", "size: 2,1\nformat: RGBA8888", true}};
  for (const auto& [atlas, entries, is_premultiplied] : cases) {
    INFO(atlas << ": " << entries);
    Folder folder;
    folder.add("hero.json", kSkeleton);
    folder.add(atlas, "white.png\n" + std::string(entries) + "\nwhite\nbounds:0,0,2,1\n");
    folder.files["white.png"] = test::png_of(2, 1, std::vector<std::uint8_t>{64, 32, 0, 128, 255, 0, 0, 255});
    for (const char* const opened : {"hero.json", atlas}) {
      const auto imported = folder.import(opened);
      if (!imported) FAIL(describe(imported.error(), opened));
      auto bitmap = decode(imported->character.images()[0]);
      REQUIRE(bitmap);
      unpremultiply(*bitmap);
      const int red = is_premultiplied ? 128 : 64;
      const std::vector<int> straight = {red, red / 2, 0, 128, 255, 0, 0, 255};
      for (std::size_t i = 0; i < straight.size(); ++i) CHECK(std::abs(bitmap->rgba[i] - straight[i]) <= 1);
    }
  }
}

TEST_CASE("the page of a Spine atlas can be larger than the atlas says", "[spine]") {
  Folder folder;
  folder.add("hero.json", kSkeleton);
  folder.add("hero.atlas", "white.png\nsize:4,4\nwhite\nbounds:2,1,2,1\n");
  folder.files["white.png"] = test::png_of(8, 8, std::vector<std::uint8_t>(8 * 8 * 4, 255));
  const auto imported = folder.import("hero.json");
  REQUIRE(imported);
  const auto vertices = imported->character.vertices();
  REQUIRE(vertices.size() == 4);
  CHECK((vertices.front().u == 0.5F && vertices.front().v == 0.25F && vertices.back().u == 1 &&
         vertices.back().v == 0.5F));
}

TEST_CASE("Spine files that are named for Unity find each other beside another character", "[spine]") {
  const auto atlas = [](const std::string& image) { return image + "\nsize:2,1\nwhite\nbounds:0,0,2,1\n"; };
  const Bytes image = test::png_of(2, 1, std::vector<std::uint8_t>(8, 255));
  struct Case {
    std::string skeleton, atlas;
  };
  const std::vector<Case> cases = {{"hero.json", "hero.atlas.txt"},       {"hero.json.txt", "hero.atlas.txt"},
                                   {"hero.JSON.TXT", "hero.atlas"},       {"hero.skel.bytes", "hero.atlas.txt"},
                                   {"hero.skel.txt", "hero.atlas.txt"},   {"hero-pro.json.txt", "hero-pma.atlas.txt"},
                                   {"hero winter.json", "hero.atlas.txt"}};
  for (const Case& each : cases) {
    INFO(each.skeleton << " and " << each.atlas);
    Folder folder;
    folder.add(each.skeleton, kSkeleton);
    folder.add(each.atlas, atlas("hero.png"));
    folder.add("enemy.json", kSkeleton);
    folder.add("enemy.atlas.txt", atlas("enemy.png"));
    folder.files["hero.png"] = folder.files["enemy.png"] = image;
    const auto list = [&](const std::string&) {
      std::vector<std::string> names;
      for (const auto& [name, bytes] : folder.files) names.push_back(name);
      return names;
    };
    ImportOptions options;
    options.list_folder = list;
    const auto hero = folder.import(each.skeleton, options);
    if (!hero) FAIL(describe(hero.error(), each.skeleton));
    CHECK(hero->character.images()[0].name == "hero.png");
    const auto enemy = folder.import("enemy.json", options);
    REQUIRE(enemy);
    CHECK(enemy->character.images()[0].name == "enemy.png");
  }
  // A file that is there but cannot be used is not passed over.
  Folder folder;
  folder.add("hero.json", kSkeleton);
  folder.add("hero.atlas", "\xFF\xFEh\0"s);
  folder.add("hero.atlas.txt", atlas("hero.png"));
  const auto refused = folder.import("hero.json");
  REQUIRE_FALSE(refused);
  CHECK(describe(refused.error()) == "the text is UTF-16, but must be UTF-8, in \"hero.atlas\"");
}

}  // namespace spine_load_test
