// SPDX-License-Identifier: MIT
// Building Pomyu characters: each operation's part of the image is drawn at its destination.
#include "support/catch.hpp"
#include "support/chp.hpp"
#include "support/files.hpp"
#include "support/load.hpp"

#include "import/chp/chp.hpp"
#include "import/text_decoding.hpp"

#include <pchr/import/pomyu.hpp>
#include <pchr/load.hpp>
#include <pchr/pose.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace chp_build_test {
using namespace pchr;

namespace {

/// Makes images of one size without files.
chp::Images plain_images(std::uint32_t width, std::uint32_t height) {
  chp::Images images;
  for (const char* const name : {"bmp", "tex"}) {
    images.all.push_back({name, width, height, ImageEncoding::rgba8888,
                          std::vector<std::byte>(std::size_t{4} * width * height, std::byte{255})});
  }
  images.char_bmp = 0;
  images.char_tex = 1;
  return images;
}

struct Made {
  chp::File file;
  chp::Plan plan;
  Character character;
};

Made made(const chp::File& file, const chp::Images& images, std::uint64_t max_samples = 1U << 24) {
  auto plan = chp::plan_clips(file, images, max_samples);
  REQUIRE(plan);
  CharacterData data = chp::make_character(file, *plan, images);
  BindPose bind = IdentityBindPose{};
  if (!data.clips.empty()) bind = ClipBindPose{data.clips.front().name, 0};
  auto character = Character::build(std::move(data), bind);
  REQUIRE(character);
  return {file, *std::move(plan), *std::move(character)};
}

Made made(const std::string& text, std::uint64_t max_samples = 1U << 24) {
  return made(test::interpreted(text).file, plain_images(100, 100), max_samples);
}

struct Box {
  double left, top, right, bottom;
};

/// Returns the visible bounds of an operation, in the character's pixels, y down.
Box visible(const chp::File& file, int animation, const chp::Operation& operation, const Image& image) {
  const auto& from = operation.source;
  const auto& to = operation.destination;
  const auto at = [](std::int64_t start, std::int64_t length, std::int64_t from_start, std::int64_t from_length,
                     bool flip, double edge) {
    const double part = (edge - static_cast<double>(from_start)) / static_cast<double>(from_length);
    return static_cast<double>(start) + static_cast<double>(length) * (flip ? 1 - part : part);
  };
  const double x0 =
      at(to.x, to.width, from.x, from.width, operation.flip_x, static_cast<double>(std::max<std::int64_t>(from.x, 0)));
  const double x1 = at(to.x, to.width, from.x, from.width, operation.flip_x,
                       static_cast<double>(std::min<std::int64_t>(from.x + from.width, image.width)));
  const double y0 = at(to.y, to.height, from.y, from.height, operation.flip_y,
                       static_cast<double>(std::max<std::int64_t>(from.y, 0)));
  const double y1 = at(to.y, to.height, from.y, from.height, operation.flip_y,
                       static_cast<double>(std::min<std::int64_t>(from.y + from.height, image.height)));
  Box box{std::min(x0, x1), std::min(y0, y1), std::max(x0, x1), std::max(y0, y1)};
  if (operation.layer == chp::Layer::texture) return box;
  const chp::PixelRect clip = chp::clip_of(file, animation);
  return {std::max(box.left, static_cast<double>(clip.x)), std::max(box.top, static_cast<double>(clip.y)),
          std::min(box.right, static_cast<double>(clip.x + clip.width)),
          std::min(box.bottom, static_cast<double>(clip.y + clip.height))};
}

/// Returns the expected place of an image pixel in world space.
Vec2 expected_position(const chp::File& file, const chp::Operation& operation, double u, double v) {
  const auto& from = operation.source;
  const auto& to = operation.destination;
  double x = (u - static_cast<double>(from.x)) / static_cast<double>(from.width) - 0.5;
  double y = (v - static_cast<double>(from.y)) / static_cast<double>(from.height) - 0.5;
  x *= static_cast<double>(to.width) * (operation.flip_x ? -1 : 1);
  y *= static_cast<double>(to.height) * (operation.flip_y ? -1 : 1);
  // Counter-clockwise with y down.
  const double angle = operation.rotation * std::numbers::pi / 128;
  const double rotated_x = x * std::cos(angle) + y * std::sin(angle);
  const double rotated_y = y * std::cos(angle) - x * std::sin(angle);
  const double center_x = static_cast<double>(to.x) + static_cast<double>(to.width) / 2;
  const double center_y = static_cast<double>(to.y) + static_cast<double>(to.height) / 2;
  return {static_cast<float>(center_x + rotated_x - static_cast<double>(file.width) / 2),
          static_cast<float>(static_cast<double>(file.height) / 2 - center_y - rotated_y)};
}

void check_mesh(const Made& made, int animation, const chp::Operation& operation, const PoseBuffers& posed, MeshId id) {
  const Mesh& mesh = made.character.meshes()[id];
  const Image& image = made.character.images()[mesh.image];
  const auto vertices = made.character.vertices(mesh);
  std::vector<Vec2> points(vertices.size());
  deform(vertices, posed.palette, points);
  Rect area;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec2 expected = expected_position(made.file, operation, static_cast<double>(vertices[i].u) * image.width,
                                            static_cast<double>(vertices[i].v) * image.height);
    CHECK(points[i].x == Approx(expected.x).margin(0.002));
    CHECK(points[i].y == Approx(expected.y).margin(0.002));
    area.include(points[i]);
  }
  const BoneId bone = made.character.governing_bone(id);
  CHECK(posed.pose.frame(0, made.character.bones().size()).opacity[index(bone)] == Approx(operation.alpha / 255.0));
  if (operation.rotation != 0) return;
  const Box box = visible(made.file, animation, operation, image);
  CHECK(area.min.x + static_cast<double>(made.file.width) / 2 == Approx(box.left).margin(0.002));
  CHECK(area.max.x + static_cast<double>(made.file.width) / 2 == Approx(box.right).margin(0.002));
  CHECK(static_cast<double>(made.file.height) / 2 - area.max.y == Approx(box.top).margin(0.002));
  CHECK(static_cast<double>(made.file.height) / 2 - area.min.y == Approx(box.bottom).margin(0.002));
}

/// Checks every millisecond of every animation.
void check_all(const Made& made) {
  for (const ClipId clip : made.character.clips().ids()) {
    const chp::ClipPlan& plan = made.plan.clips[index(clip)];
    std::uint32_t frame = 0;
    PoseBuffers posed;
    for (std::int64_t ms = 0; ms < plan.start_ms.back(); ++ms) {
      if (plan.start_ms[frame + 1] <= ms) ++frame;
      INFO("animation " << plan.animation << " at " << ms << " ms, frame " << frame);
      pose_clip(made.character, clip, {frame, frame, 0}, posed);
      std::vector<chp::Operation> operations;
      chp::evaluate(made.file, plan.animation, ms, operations);
      std::erase_if(operations, [&](const chp::Operation& operation) {
        const Image& image = made.character.images()[operation.layer == chp::Layer::texture ? 1 : 0];
        const Box box = visible(made.file, plan.animation, operation, image);
        return operation.alpha == 0 || !(box.left < box.right) || !(box.top < box.bottom);
      });
      REQUIRE(posed.draw_list.size() == operations.size());
      for (std::size_t i = 0; i < operations.size(); ++i) {
        CHECK(made.character.meshes()[posed.draw_list[i].mesh].image ==
              ImageId(operations[i].layer == chp::Layer::texture));
        check_mesh(made, plan.animation, operations[i], posed, posed.draw_list[i].mesh);
      }
    }
  }
}

constexpr const char* kRects =
    "#Data 16\n#Anime 20\n#Size 40 60\n#02 0 0 40 60\n#03 40 0 40 60\n#04 40 0 -40 60\n#05 80 80 40 40\n"
    "#A0 -30 -10 40 60\n#A1 30 50 20 90\n#A2 10 50 -30 -60\n#A3 5 5 30 30\n";

}  // namespace

TEST_CASE("at any time exactly the sprites of the current operations are drawn at their destinations", "[chp]") {
  check_all(made(std::string(kRects) +
                 "#Patern 1 0203\n#Patern 2 02020202 A0----A1\n#Layer 2 04 A2A2A2A2\n#Layer 2 03030303\n"
                 "#Texture 3 02--04 A0--A2 FF--00 00--80\n#Patern 14 0202 A0A1\n#Texture 4 0505 A3A2 FF80 40C0\n"
                 "#Patern 5 0505 A3A0\n#Patern 6 0404 A0--\n"));
}

TEST_CASE("a sprite that a frame draws several times has a bone for each", "[chp]") {
  const Made twice = made(std::string(kRects) + "#Patern 1 0202\n#Layer 1 0202 A3A3\n#Layer 1 0203\n");
  CHECK(twice.character.bones().size() == 4);
  CHECK(twice.character.bones()[1].name == "CharBMP 0,0 40x60 #2");
  check_all(twice);
}

TEST_CASE("clips have the names and loop starts of their animations", "[chp]") {
  const Made all =
      made(std::string(kRects) + "#Patern 1 02\n#Patern 7 0203\n#Patern 17 020302\n#Loop 17 1\n#Loop 7 1\n");
  const auto clips = all.character.clips();
  REQUIRE(clips.size() == 3);
  CHECK(clips[0].name == "01_neutral");
  CHECK(clips[0].looping);
  CHECK(clips[1].name == "07_great");
  CHECK_FALSE(clips[1].looping);
  CHECK(clips[2].name == "17_fever_win");
  CHECK(clips[2].looping);
  CHECK(clips[2].loop_start == 1);
  CHECK(clips[2].frames_per_second == 50);
  CHECK(clips[2].frame_ends.empty());
  CHECK(clips[2].samples.opacity.empty());
}

TEST_CASE("rules include the parameters of the character's file", "[chp]") {
  const Made waits = made(std::string(kRects) + "#Wait 3\n#Patern 1 02\n");
  const CharaRules rules = rules_of({waits.file.legacy, static_cast<std::uint32_t>(waits.file.wait)},
                                    CharaProfile::feeling_pomu, CharaSide::rival);
  CHECK(rules.wait == 3);
  CHECK_FALSE(rules.legacy);
  CHECK(rules.side == CharaSide::rival);
  CHECK(CharaState(waits.character, rules).animation() == CharaAnimation::neutral);
}

TEST_CASE("a tween gets a frame for each change, and its loop starts at the right time", "[chp]") {
  const Made tween =
      made("#Data 16\n#Anime 100\n#02 0 0 9 9\n#A0 0 0 9 9\n#A1 4 0 9 9\n#Patern 3 0202020202 A0--A1A0A1\n#Loop 3 3\n");
  const Clip& clip = tween.character.clips()[0];
  // x becomes 1, 2 and 3 at 75, 150 and 225 ms.
  CHECK(tween.plan.clips[0].start_ms == std::vector<std::int64_t>{0, 75, 100, 150, 200, 225, 300, 400, 500});
  CHECK(clip.loop_start == 6);
  REQUIRE(clip.frame_ends.size() == 8);
  CHECK(clip.frame_ends.front() == 0.075);
  CHECK(clip.frame_ends.back() == 0.5);
}

TEST_CASE("tweens use larger steps if exact ones would need too many samples", "[chp]") {
  const std::string text =
      "#Data 16\n#Anime 500\n#Size 50 50\n#02 0 0 50 50\n#A0 0 0 60 60\n#A1 0 0 8000 8000\n"
      "#Patern 1 02020202020202020202 A0----------------A1\n";
  const Made exact = made("#Size 40 60\n#02 0 0 9 9\n#03 0 0 20 9\n#Patern 1 02--03\n");
  CHECK(exact.plan.step_ms == 1);
  const Made coarse = made(text);
  CHECK(coarse.plan.step_ms > 1);
  const std::size_t samples = coarse.plan.clips[0].frame_count() * coarse.plan.sprites.size();
  CHECK(samples <= std::size_t{4} << 20);
  CHECK(samples > std::size_t{1} << 18);
  // The animation's own frames stay.
  CHECK(made(text, 100).plan.clips[0].start_ms ==
        std::vector<std::int64_t>{0, 500, 1000, 1500, 2000, 2500, 3000, 3500, 4000, 4500, 5000});
  CHECK_FALSE(chp::plan_clips(test::interpreted(text).file, plain_images(100, 100), 99));
}

TEST_CASE("sprites of a missing image are omitted", "[chp]") {
  chp::Images images = plain_images(100, 100);
  images.char_tex.reset();
  const Made without = made(test::interpreted(std::string(kRects) + "#Patern 1 02\n#Texture 1 03\n").file, images);
  CHECK(without.character.meshes().size() == 1);
}

TEST_CASE("rebuilding a character from its data gives the same bind pose", "[chp]") {
  const Made once = made(std::string(kRects) + "#Texture 1 0505 A3A2 FF80 40C0\n");
  const auto again = Character::build(once.character.data());
  REQUIRE(again);
  for (std::size_t i = 0; i < 6; ++i) {
    for (int column = 0; column < 3; ++column) {
      CHECK(again->inverse_bind()[0][column] == once.character.inverse_bind()[0][column]);
    }
  }
}

TEST_CASE("menu images are regions of the character's images", "[chp]") {
  chp::Images images = plain_images(100, 100);
  images.all.push_back(images.all[0]);
  images.char_face = 2;
  images.select_cg = 1;
  const auto read = test::interpreted(
      "#CharName Lumi\n#Artist me\n#00 10 20 -5 8\n#01 90 0 50 60\n#CharFaceAllSize 500 0 10 10\n#Patern 1 02\n");
  CHECK(read.file.name == "Lumi");
  CHECK(read.file.artist == "me");
  CHECK(chp::menu_images(read.file, images) == std::vector<MenuImage>{{"name", ImageId{0}, 5, 20, 5, 8},
                                                                      {"background", ImageId{0}, 90, 0, 10, 60},
                                                                      {"face", ImageId{2}, 0, 0, 100, 100},
                                                                      {"icon", ImageId{1}, 0, 0, 100, 100}});
}

TEST_CASE("third-party Pomyu characters are drawn as their operations specify", "[chp][conformance]") {
  const auto folder = test::conformance_folder();
  if (!folder) return;
  for (const char8_t* const name : {u8"legacy_bolt/bolt.chp", u8"modern_lumi/lumi.chp", u8"sjis_yunomi/湯のみ.chp"}) {
    const auto path = *folder / "chp" / name;
    INFO(test::utf8_of(path));
    Warnings warnings;
    const auto text = decode_text(test::read_file(path));
    const chp::File file = chp::interpret(chp::read_commands(text->utf8, warnings), warnings);
    ReaderOptions options;
    options.image_folder = test::utf8_of(path.parent_path());
    check_all(made(file, chp::load_images(file, options, warnings).value()));
    const auto loaded = load_character(path);
    REQUIRE(loaded);
    CHECK(loaded->file.format.ends_with("Pomyu CHP"));
  }
}

}  // namespace chp_build_test
