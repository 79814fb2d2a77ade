// SPDX-License-Identifier: MIT
// 3D characters on the GPU: depth, light, back faces, and equal results baked or posed.
#include "images.hpp"
#include "session.hpp"

#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/load.hpp"
#include "support/psk.hpp"
#include "support/scenes.hpp"

#include <pchr/load.hpp>
#include <pchr/3d.hpp>
#include <pchr/pose.hpp>

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace drawing_3d_test {
using namespace pchr;
using namespace pchr::test;

namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kSide = 128;

/// Two squares facing a viewer in front: a red one and, farther away but drawn later, a green one.
Character two_squares() {
  CharacterData data;
  data.is_3d = true;
  data.frames_per_second = 30;
  data.bones = {{"root", BoneId::none}};
  data.images = {plain_image(1, 1, {255, 0, 0, 255}), plain_image(1, 1, {0, 255, 0, 255})};
  add_quad(data, "near", 0, {{-4, -4}, {4, 4}}, 0);
  add_quad(data, "far", 1, {{-4, -4}, {4, 4}}, 0);
  for (std::size_t i = 0; i < data.vertices.size(); ++i) data.vertices_3d.push_back({i < 4 ? 2.0F : -2.0F});
  // 2D characters need not be counter-clockwise.
  for (std::size_t i = 0; i < data.indices.size(); i += 3) std::swap(data.indices[i + 1], data.indices[i + 2]);
  return build(std::move(data));
}

/// A context, a renderer and a square target.
struct Studio {
  Session session;
  Renderer renderer = session.renderer();
  OffscreenTarget target = require_value(OffscreenTarget::create(session.get_proc_address(), kSide, kSide));

  Bitmap draw(const Model& model, const PoseBuffers& posed, const SceneView& view) {
    target.begin();
    renderer.draw_scene(model, posed, view);
    return target.finish();
  }
  Bitmap draw(const Model& model, const Instance& instance, const SceneView& view) {
    target.begin();
    renderer.draw_scene(model, {&instance, 1}, view);
    return target.finish();
  }
};

/// Returns a camera that sees the whole pose, from this far around.
OrbitCamera around(const Character& character, const PoseBuffers& posed, float yaw_degrees, float pitch_degrees = 0) {
  OrbitCamera camera;
  camera.yaw_degrees = yaw_degrees;
  camera.pitch_degrees = pitch_degrees;
  camera.viewport = {kSide, kSide};
  return fit(camera, box_of(character, posed));
}

Pixel middle(const Bitmap& bitmap) { return pixel(bitmap, kSide / 2, kSide / 2); }

bool is_red(const Pixel& pixel) { return pixel[0] > 100 && pixel[1] == 0 && pixel[3] == 255; }
bool is_green(const Pixel& pixel) { return pixel[1] > 100 && pixel[0] == 0 && pixel[3] == 255; }

PoseBuffers bind_pose_of(const Character& character) {
  PoseBuffers posed;
  pose_bind(character, posed);
  return posed;
}

/// The tetrahedron with its animation, moved by the given number of bones.
Character tetrahedron(std::size_t bones, const std::string& name) {
  PskFile mesh = small_psk();
  struct Weight {
    float weight;
    std::int32_t point, bone;
  };
  std::vector<Weight> weights;
  for (std::int32_t point = 0; point < 4; ++point)
    weights.push_back({1, point, point % static_cast<std::int32_t>(bones)});
  chunk_of(mesh, "RAWWEIGHTS") = chunk_of_records("RAWWEIGHTS", weights);
  chunk_of(mesh, "REFSKELT") = bone_chunk("REFSKELT", {{"root"}, {"tip", 0, {0, 0, 0, 1}, {0, 0, 1}}, {"third"}});
  PskFile animation = small_psa();
  // Rotates about the file's z axis, a little more each frame.
  for (std::size_t frame = 0; frame < 4; ++frame) {
    const float half = 0.03F * static_cast<float>(frame);
    put(chunk_of(animation, "ANIMKEYS"), frame * 2, 12, std::array{0.0F, 0.0F, half, 1.0F});
  }
  const fs::path folder = output("3d") / name;
  fs::create_directories(folder);
  write_file(folder / "hero.psk", bytes_of(mesh));
  write_file(folder / "hero.psa", bytes_of(animation));
  return load_character(folder / "hero.psk").value();
}

}  // namespace

TEST_CASE("nearer meshes hide farther ones in any draw order", "[render][3d]") {
  Studio studio;
  const Character character = two_squares();
  const Model model = require_value(studio.renderer.upload(character));
  const PoseBuffers posed = bind_pose_of(character);
  CHECK(is_red(middle(studio.draw(model, posed, scene_view(around(character, posed, 0))))));
  CHECK(is_green(middle(studio.draw(model, posed, scene_view(around(character, posed, 180))))));
  // A 2D camera sees the front.
  studio.target.begin();
  studio.renderer.draw(model, posed, plain_camera(kSide, kSide));
  CHECK(is_red(middle(studio.target.finish())));
}

TEST_CASE("back faces are culled on request, and otherwise lit like their front", "[render][3d]") {
  Studio studio;
  const Character character = two_squares();
  const Model model = require_value(studio.renderer.upload(character));
  const PoseBuffers posed = bind_pose_of(character);
  SceneView front = scene_view(around(character, posed, 0)), back = scene_view(around(character, posed, 180));
  const Pixel seen = middle(studio.draw(model, posed, front));
  const Pixel seen_behind = middle(studio.draw(model, posed, back));
  CHECK(std::abs(seen[0] - seen_behind[1]) <= 2);
  front.cull_back_faces = back.cull_back_faces = true;
  CHECK(middle(studio.draw(model, posed, front)) == seen);
  CHECK(middle(studio.draw(model, posed, back)) == Pixel{0, 0, 0, 0});
}

TEST_CASE("a mirrored placement does not mirror the light", "[render][3d]") {
  Studio studio;
  const Character character = two_squares();
  const Model model = require_value(studio.renderer.upload(character));
  const PoseBuffers posed = bind_pose_of(character);
  const SceneView view = scene_view(around(character, posed, 0));
  Instance plain, mirrored;
  plain.clip = mirrored.clip = ClipId::none;
  mirrored.appearance.placement = {-1, 0, 0, 1, 0, 0};
  CHECK(close(middle(studio.draw(model, plain, view)), middle(studio.draw(model, mirrored, view)), 1));
}

TEST_CASE("depth is cleared before a draw unless the draw keeps existing depth", "[render][3d]") {
  Studio studio;
  const Character character = two_squares();
  const Model model = require_value(studio.renderer.upload(character));
  const PoseBuffers posed = bind_pose_of(character);
  SceneView view = scene_view(around(character, posed, 0));
  PoseBuffers far_alone = posed;
  far_alone.draw_list = {{MeshId{1}}};
  for (const bool clears : {true, false}) {
    view.clear_depth = true;
    studio.target.begin();
    studio.renderer.draw_scene(model, posed, view);
    view.clear_depth = clears;
    studio.renderer.draw_scene(model, far_alone, view);
    CHECK(is_green(middle(studio.target.finish())) == clears);
  }
}

TEST_CASE("a 3D clip looks the same baked and posed, however many bones there are", "[render][3d]") {
  Studio studio;
  for (const std::size_t bones : {1, 2, 3}) {
    INFO(bones << " bones");
    const Character character = tetrahedron(bones, std::to_string(bones));
    REQUIRE(character.clips().size() == 1);
    const Model model = require_value(studio.renderer.upload(character));
    for (const ClipTime position : {ClipTime{0, 0, 0}, {3, 3, 0}, {1, 2, 0.5F}, {3, 0, 0.25F}}) {
      PoseBuffers posed;
      pose_clip(character, ClipId{0}, position, posed);
      const SceneView view = scene_view(around(character, posed, 30, 20));
      const Bitmap expected = studio.draw(model, posed, view);
      const Bitmap baked = studio.draw(model, Instance{ClipId{0}, position, {}}, view);
      CHECK(studio.renderer.statistics().posed == 0);
      CHECK(difference(expected, Bitmap{kSide, kSide, std::vector<std::uint8_t>(4 * kSide * kSide)}, 100).share_above >
            0.05);
      const auto difference = test::difference(expected, baked, 8);
      CHECK(difference.share_above < 0.002);
    }
  }
}

TEST_CASE("closed game meshes look the same with back faces culled", "[render][3d][conformance]") {
  const auto folder = conformance_folder();
  if (!folder || !fs::exists(*folder / "psk")) return;
  Studio studio;
  // These two are closed.
  for (const std::string name : {"Suzanne", "Grunt_Preview_LOD0"}) {
    const Character character = load_character(*folder / "psk" / (name + ".psk")).value();
    const Model model = require_value(studio.renderer.upload(character));
    const PoseBuffers posed = bind_pose_of(character);
    for (const int yaw : {0, 90, 180, 270}) {
      SceneView view = scene_view(around(character, posed, static_cast<float>(yaw), 10));
      const Bitmap both_sides = studio.draw(model, posed, view);
      view.cull_back_faces = true;
      const Bitmap front_sides = studio.draw(model, posed, view);
      write_png(output("3d/" + name + "_" + std::to_string(yaw) + ".png"), front_sides);
      const auto difference = test::difference(both_sides, front_sides, 16);
      INFO(name << " from " << yaw << " degrees");
      CHECK(middle(front_sides)[3] == 255);
      CHECK(difference.share_above < 0.01);
    }
  }
}

TEST_CASE("a 3D crossfade equals its pose", "[render][3d]") {
  Studio studio;
  const Character character = tetrahedron(3, "crossfade");
  const Model model = require_value(studio.renderer.upload(character));
  const ClipTime late = clip_time(character.clips()[ClipId{0}], 0.09, Sampling::smooth);
  PoseBuffers posed;
  for (const ClipId from : {ClipId{0}, ClipId::none}) {
    for (const float weight : {0.3F, 0.8F}) {
      Instance instance{from, {}, {}};
      instance.fade_clip = ClipId{0};
      instance.fade_position = late;
      instance.fade_weight = weight;
      from == ClipId::none ? sample_bind_pose(character, posed.pose) : sample(character, from, {}, posed.pose);
      blend(character, ClipId{0}, late, weight, posed.pose);
      update(character, posed);
      const SceneView view = scene_view(around(character, posed, 30));
      CHECK(difference(studio.draw(model, instance, view), studio.draw(model, posed, view), 1).largest <= 1);
    }
  }
}

}  // namespace drawing_3d_test
