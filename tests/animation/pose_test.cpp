// SPDX-License-Identifier: MIT
#include "character/sine_cosine.hpp"
#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/load.hpp"
#include "support/scenes.hpp"

#include <pchr/animator.hpp>
#include <pchr/draw_list.hpp>
#include <pchr/load.hpp>
#include <pchr/pose.hpp>
#include <pchr/queries.hpp>

#include <bit>
#include <cmath>
#include <utility>

namespace pose_test {
namespace {

using namespace pchr;
using namespace pchr::test;

/// Hashes every bit of every matrix, skinned vertex and draw list of every clip.
std::uint64_t hash_of_all_poses(const Character& character) {
  std::uint64_t hash = 14695981039346656037ULL;
  const auto add = [&](std::uint32_t word) { hash = (hash ^ word) * 1099511628211ULL; };
  PoseBuffers posed;
  std::vector<Vec2> points(character.vertices().size());
  for (const ClipId clip : character.clips().ids()) {
    for (int i = 0; i < 40; ++i) {
      pose_clip(character, clip, clip_time(character.clips()[clip], i * 0.061, Sampling::smooth), posed);
      deform(character.vertices(), posed.palette, points);
      for (const Vec2 point : points) {
        add(std::bit_cast<std::uint32_t>(point.x));
        add(std::bit_cast<std::uint32_t>(point.y));
      }
      for (const DrawItem& item : posed.draw_list) add(static_cast<std::uint32_t>(item.mesh));
    }
  }
  return hash;
}

TEST_CASE("sine and cosine of degrees are exact at quarters and close everywhere", "[pose]") {
  const float quarters[][3] = {{0, 0, 1},     {90, 1, 0},    {180, 0, -1},  {270, -1, 0},  {-90, -1, 0},
                               {-180, 0, -1}, {36000, 0, 1}, {36090, 1, 0}, {3.6e8F, 0, 1}};
  for (const auto& [degrees, sine, cosine] : quarters) {
    INFO(degrees);
    CHECK(sine_cosine_degrees(degrees).sine == sine);
    CHECK(sine_cosine_degrees(degrees).cosine == cosine);
  }
  double worst = 0;
  for (float degrees = -1000; degrees < 1000; degrees += 0.37F) {
    const double radians = static_cast<double>(degrees) * 3.14159265358979323846 / 180;
    const SineCosine result = sine_cosine_degrees(degrees);
    worst = std::max({worst, std::abs(result.sine - std::sin(radians)), std::abs(result.cosine - std::cos(radians))});
  }
  CHECK(worst < 1.2e-7);
  for (const float degrees : {3e38F, -3e38F, 1e-40F, 16777216.0F}) {
    const SineCosine result = sine_cosine_degrees(degrees);
    CHECK(result.sine * result.sine + result.cosine * result.cosine == Approx(1));
  }
  CHECK(sine_cosine_degrees(HUGE_VALF).cosine == 1);
  CHECK(sine_cosine_degrees(std::nanf("")).sine == 0);
}

TEST_CASE("rotations whose difference overflows still give finite matrices", "[pose]") {
  CharacterData data = sliding_quad();
  data.clips[1].samples.rotation_degrees = {3e38F, -3e38F, 0, 0};
  const Character character = build(std::move(data));
  PoseBuffers posed;
  pose_clip(character, ClipId{1}, {0, 1, 0.5F}, posed);
  CHECK(std::isfinite(posed.world[0][0].x));
}

TEST_CASE("time maps to the frame floor(seconds * rate)", "[pose]") {
  Clip clip = resting_clip("clip", 4, 1, 8);
  const auto frame_at = [&](double seconds) { return clip_time(clip, seconds, Sampling::step).frame; };
  CHECK(frame_at(0.1249) == 0);
  CHECK(frame_at(0.125) == 1);
  CHECK(frame_at(0.49) == 3);
  CHECK(frame_at(0.5) == 3);
  CHECK(frame_at(1e300) == 3);
  CHECK(frame_at(-1) == 0);
  clip.looping = true;
  CHECK(frame_at(0.5) == 0);
  CHECK(frame_at(0.625) == 1);
  CHECK(frame_at(-0.1) == 3);
  CHECK(frame_at(1e300) < 4);
  CHECK(frame_at(3600.0 * 24 * 365) == 0);
  CHECK(frame_at(-3600.0 * 24 * 365) == 0);
  // Just before the start is the end of the last frame, however close.
  CHECK(frame_at(-1e-300) == 3);
  CHECK(clip_time(clip, -1e-300, Sampling::smooth).factor == std::nextafter(1.0F, 0.0F));
  clip.frames_per_second = 0;
  CHECK(frame_at(5) == 0);
}

TEST_CASE("smooth sampling blends the last frame into the first only in a looping clip", "[pose]") {
  Clip clip = resting_clip("clip", 4, 1, 8);
  clip.looping = true;
  const ClipTime seam = clip_time(clip, 3.5 / 8, Sampling::smooth);
  CHECK(seam.frame == 3);
  CHECK(seam.next == 0);
  CHECK(seam.factor == Approx(0.5));
  clip.looping = false;
  const ClipTime end = clip_time(clip, 3.5 / 8, Sampling::smooth);
  CHECK(end.frame == 3);
  CHECK(end.factor == 0);
}

TEST_CASE("position and scale are linear between frames, and step holds the frame", "[pose]") {
  CharacterData data = sliding_quad();
  data.clips[1].samples.scale_y = {1, 2, 1, 1};
  const Character character = build(std::move(data));
  Pose pose;
  sample(character, ClipId{1}, {0, 1, 0.25F}, pose);
  CHECK(pose.x[0] == 1);
  CHECK(pose.scale_y[0] == 1.25F);
  sample(character, ClipId{1}, {3, 0, 0.5F}, pose);
  CHECK(pose.x[0] == 6);
  sample(character, ClipId{1}, {1, 1, 0}, pose);
  CHECK(pose.x[0] == 4);
}

TEST_CASE("rotation takes the shortest arc", "[pose]") {
  const float cases[][3] = {{170, -170, 180}, {-170, 170, -180}, {350, 10, 360},    {0, 720, 0},
                            {10, 190, 100},   {0, -90, -45},     {36045, 45, 36045}};
  for (const auto& [from, to, middle] : cases) {
    CharacterData data = sliding_quad();
    data.clips[1].samples.rotation_degrees = {from, to, 0, 0};
    const Character character = build(std::move(data));
    Pose pose;
    sample(character, ClipId{1}, {0, 1, 0.5F}, pose);
    INFO(from << " to " << to);
    CHECK(pose.rotation_degrees[0] == Approx(middle).margin(0.01));
  }
}

TEST_CASE("visibility and draw order come from the earlier frame", "[pose]") {
  const Character character = build(two_bone_arm());
  Pose pose;
  sample(character, ClipId{1}, {3, 4, 0.99F}, pose);
  CHECK(pose.visible[2] == 0);
  CHECK(pose.z_order[2] == 1);
}

TEST_CASE("opacity is 1 in a clip without it, and otherwise linear", "[pose]") {
  CharacterData data = sliding_quad();
  Pose pose;
  sample(build(data), ClipId{1}, {0, 1, 0.5F}, pose);
  CHECK(pose.opacity == SampleArray<float>{1});
  data.clips[1].samples.opacity = {1, 0, 1, 1};
  sample(build(data), ClipId{1}, {0, 1, 0.25F}, pose);
  CHECK(pose.opacity == SampleArray<float>{0.75F});
}

TEST_CASE("a blend is linear in position, scale and opacity, and takes the shortest arc", "[pose]") {
  CharacterData data = sliding_quad();
  data.clips[1].samples.opacity = {1, 0, 1, 1};
  data.clips[1].samples.scale_x = {1, 3, 1, 1};
  data.clips[1].samples.rotation_degrees = {170, -170, 0, 0};
  const Character character = build(std::move(data));
  Pose pose;
  sample(character, ClipId{1}, {0, 0, 0}, pose);
  blend(character.clips()[1].samples.frame(1, 1), 0.25F, pose);
  CHECK(pose.x[0] == 1);
  CHECK(pose.scale_x[0] == 1.5F);
  CHECK(pose.opacity[0] == 0.75F);
  CHECK(pose.rotation_degrees[0] == Approx(175));
}

TEST_CASE("a blend takes visibility and draw order from the heavier side", "[pose]") {
  const Character character = build(two_bone_arm());
  const PoseView to = character.clips()[1].samples.frame(5, 3);
  Pose pose;
  sample(character, ClipId{1}, {0, 0, 0}, pose);
  blend(to, 0.49F, pose);
  CHECK(pose.visible[2] == 1);
  CHECK(pose.z_order[2] == 1);
  blend(to, 0.5F, pose);
  CHECK(pose.visible[2] == 0);
  CHECK(pose.z_order[2] == -1);
}

TEST_CASE("a blend's weight is clamped, and its ends are exact", "[pose]") {
  CharacterData data = sliding_quad();
  data.clips[1].samples.x = {0.1F, 0.7F, 0, 0};
  const Character character = build(std::move(data));
  const PoseView to = character.clips()[1].samples.frame(1, 1);
  for (const auto& [weight, x] :
       {std::pair{-1.0F, 0.1F}, {0.0F, 0.1F}, {std::nanf(""), 0.1F}, {1.0F, 0.7F}, {2.0F, 0.7F}}) {
    INFO(weight);
    Pose pose;
    sample(character, ClipId{1}, {0, 0, 0}, pose);
    blend(to, weight, pose);
    CHECK(pose.x[0] == x);
    sample(character, PoseRequest{ClipId{1}, {0, 0, 0}, ClipId{1}, {1, 1, 0}, weight}, pose);
    CHECK(pose.x[0] == x);
  }
}

TEST_CASE("a pose without opacity blends as if it were 1", "[pose]") {
  const Character character = build(sliding_quad());
  Pose pose;
  sample(character, ClipId{1}, {0, 0, 0}, pose);
  Pose to = pose;
  to.opacity = {0.5F};
  pose.opacity.clear();
  blend(to.frame(0, 1), 0.5F, pose);
  CHECK(pose.opacity == SampleArray<float>{0.75F});
}

TEST_CASE("posing many requests equals posing each", "[pose]") {
  const Character character = build(two_bone_arm());
  const PoseRequest requests[] = {
      {ClipId{1}, {3, 3, 0}}, {ClipId{0}, {}, ClipId{1}, {2, 3, 0.5F}, 1}, {ClipId{1}, {1, 2, 0.5F}}};
  std::vector<PoseBuffers> many(3);
  pose_many(character, std::span(requests).first(2), std::span(many).first(2));
  pose_many(character, std::span(requests).last(1), std::span(many).last(1));
  const std::pair<std::uint32_t, ClipTime> each[] = {{1, {3, 3, 0}}, {1, {2, 3, 0.5F}}, {1, {1, 2, 0.5F}}};
  for (int i = 0; i < 3; ++i) {
    PoseBuffers one;
    pose_clip(character, ClipId{each[i].first}, each[i].second, one);
    CHECK(many[i].pose == one.pose);
    CHECK(many[i].palette == one.palette);
    CHECK(many[i].draw_list.size() == one.draw_list.size());
  }
}

TEST_CASE("posing at a time equals posing at the clip time of that moment", "[pose]") {
  auto loaded = load_character(asset("kiri.pchr"));
  REQUIRE(loaded);
  PoseBuffers at_seconds, at_place;
  for (const ClipId clip : loaded->clips().ids()) {
    for (const Sampling sampling : {Sampling::step, Sampling::smooth}) {
      for (const double seconds : {-0.3, 0.0, 0.26, 0.71, 1e6}) {
        pose_clip(*loaded, clip, seconds, sampling, at_seconds);
        pose_clip(*loaded, clip, clip_time(loaded->clips()[clip], seconds, sampling), at_place);
        CHECK(at_seconds.palette == at_place.palette);
        CHECK(at_seconds.draw_list.size() == at_place.draw_list.size());
      }
    }
  }
}

TEST_CASE("a clip without frames shows the bind pose", "[pose]") {
  CharacterData data = sliding_quad();
  data.clips[0].samples.y = {5};
  data.clips[1].frame_count = 0;
  data.clips[1].samples = {};
  Pose pose;
  sample(build(std::move(data)), ClipId{1}, {}, pose);
  CHECK(pose.y == SampleArray<float>{5});
}

TEST_CASE("a world transform is the parent's, then T, R, S", "[pose]") {
  CharacterData data = two_bone_arm();
  auto& samples = data.clips[0].samples;
  samples.x = {100, 0, 0};
  samples.y = {0, 40, 0};
  samples.rotation_degrees = {90, -90, 0};
  samples.scale_x = {2, 1, 1};
  samples.scale_y = {3, 1, 1};
  const Character character = build(std::move(data));
  PoseBuffers posed;
  pose_clip(character, ClipId{0}, {}, posed);
  CHECK(posed.world[0] == Affine{0, 2, -3, 0, 100, 0});
  CHECK(posed.world[1] == Affine{3, 0, 0, 2, -20, 0});
  CHECK(apply(posed.world[1], {1, 1}) == Vec2{-17, 2});
}

TEST_CASE("in the bind pose every vertex is where it was authored", "[pose]") {
  const auto character = load_character(asset("kiri.pchr"));
  REQUIRE(character);
  PoseBuffers posed;
  pose_bind(*character, posed);
  std::vector<Vec2> points(character->vertices().size());
  deform(character->vertices(), posed.palette, points);
  float worst = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vertex& vertex = character->vertices()[i];
    worst = std::max({worst, std::abs(points[i].x - vertex.x), std::abs(points[i].y - vertex.y)});
  }
  CHECK(worst < 1e-3F);
}

TEST_CASE("skinning sums weights as authored and ignores unused slots", "[pose]") {
  const Affine palette[] = {{1, 0, 0, 1, 10, 0}, {1, 0, 0, 1, 0, 20}};
  const Vertex vertices[] = {{2, 3, 0, 0, {0, 1, 65535, 65535}, {0.5F, 0.5F, 0, -0.0F}},
                             {2, 3, 0, 0, {0, 1, 0, 0}, {0.5F, 0, 0, 0}},
                             {2, 3, 0, 0, {9, 1, 0, 0}, {0, 2, 0, 0}},
                             {2, 3, 0, 0, {9, 9, 9, 9}, {0, 0, 0, 0}},
                             {2, 3, 0, 0, {0, 1, 0, 0}, {1.5F, -0.5F, 0, 0}}};
  Vec2 out[5];
  deform(vertices, palette, out);
  CHECK(out[0] == Vec2{7, 13});
  CHECK(out[1] == Vec2{6, 1.5F});
  CHECK(out[2] == Vec2{4, 46});
  CHECK(out[3] == Vec2{0, 0});
  CHECK(out[4] == Vec2{17, -7});
}

TEST_CASE("a character without clips is drawn as authored", "[pose]") {
  CharacterData data = two_bone_arm();
  data.clips.clear();
  const Character character = build(std::move(data));
  PoseBuffers posed;
  pose_bind(character, posed);
  CHECK(posed.draw_list.size() == 2);
  for (const Affine& transform : posed.palette) CHECK(transform == kIdentity);
  CHECK(bounds(character, posed).min == Vec2{-10, 0});
  CHECK(bounds(character, posed).max == Vec2{10, 80});
}

TEST_CASE("bounds contain all visible vertices of a frame, a clip and all clips", "[pose]") {
  const Character character = build(sliding_quad());
  PoseBuffers posed;
  pose_clip(character, ClipId{1}, {1, 1, 0}, posed);
  CHECK(bounds(character, posed).min == Vec2{-4, -8});
  CHECK(compute_clip_bounds(character, ClipId{1}).max == Vec2{20, 8});
  CHECK(compute_clip_bounds(character, ClipId{0}).max == Vec2{8, 8});
  CHECK(compute_character_bounds(character).min == Vec2{-8, -8});
  posed.pose.visible = {0};
  update(character, posed);
  CHECK(bounds(character, posed).empty());
}

TEST_CASE("the same file and time give the same bits in every build", "[pose][golden]") {
  for (const std::string name : {"corners", "kiri"}) {
    const auto character = load_character(asset(name + ".pchr"));
    REQUIRE(character);
    const std::string actual = std::to_string(hash_of_all_poses(*character)) + "\n";
    const auto reference = golden(name + ".pose_hash");
    if (updating_goldens()) write_file(reference, std::as_bytes(std::span(actual)));
    CHECK(actual == read_text(reference));
  }
}

TEST_CASE("the samples of other formats have the same poses in every build", "[pose][golden]") {
  std::string actual;
  for (const std::string name : {"akari/akari_ske.json", "hata.gltf", "hotaru.px", "kaeru.aseprite", "koi/koi.psk",
                                 "konpei/konpei.chp", "tako/tako.skel"}) {
    actual += name + " " + std::to_string(hash_of_all_poses(load_asset(name))) + "\n";
  }
  const auto reference = golden("samples.pose_hash");
  if (updating_goldens()) write_file(reference, std::as_bytes(std::span(actual)));
  CHECK(actual == read_text(reference));
}

Pose pose_of(float x, float rotation_degrees, float scale_x, float opacity) {
  Pose pose;
  pose.resize(3);
  for (std::size_t i = 0; i < 3; ++i) {
    pose.x[i] = x;
    pose.rotation_degrees[i] = rotation_degrees;
    pose.scale_x[i] = scale_x;
  }
  pose.opacity = SampleArray<float>(3, opacity);
  return pose;
}

Character chain_of_four() {
  CharacterData data;
  data.bones = {{"a", BoneId::none}, {"b", BoneId{0}}, {"c", BoneId{1}}, {"d", BoneId{0}}};
  return build(std::move(data));
}

TEST_CASE("a subtree mask contains a bone and its descendants", "[mix]") {
  const Character character = chain_of_four();
  CHECK(mask_of_subtree(character, BoneId{0}) == BoneMask{1, 1, 1, 1});
  CHECK(mask_of_subtree(character, BoneId{1}) == BoneMask{0, 1, 1, 0});
  CHECK(mask_of_subtree(character, BoneId{3}) == BoneMask{0, 0, 0, 1});
  CHECK(mask_of_bones(character, std::vector{BoneId{0}, BoneId{2}}) == BoneMask{1, 0, 1, 0});
}

TEST_CASE("a masked blend changes only the masked bones", "[mix]") {
  const Pose to = pose_of(8, 350, 3, 0.5F);
  for (const float weight : {0.0F, 0.25F, 0.5F, 1.0F, 2.0F}) {
    Pose all = pose_of(4, 10, 1, 1), masked = all, untouched = all;
    blend(view(to), weight, all);
    blend(view(to), weight, BoneMask{0, 1, 0}, masked);
    CAPTURE(weight);
    for (const std::size_t i : {0, 1, 2}) {
      const Pose& expected = i == 1 ? all : untouched;
      CHECK(masked.x[i] == expected.x[i]);
      CHECK(masked.rotation_degrees[i] == expected.rotation_degrees[i]);
      CHECK(masked.scale_x[i] == expected.scale_x[i]);
      CHECK(masked.opacity[i] == expected.opacity[i]);
    }
  }
}

TEST_CASE("an additive blend adds the difference between a pose and its reference", "[mix]") {
  Pose pose = pose_of(10, 90, 2, 0.75F);
  const Pose layer = pose_of(5, -170, 1.5F, 0), reference = pose_of(1, 170, 1, 1);
  blend_additive(view(layer), view(reference), 0.5F, {}, pose);
  CHECK(pose.x[0] == 12.0F);
  CHECK(pose.rotation_degrees[0] == 100.0F);  // Half of the 20 degrees that are the shorter way.
  CHECK(pose.scale_x[0] == 2.25F);
  CHECK(pose.opacity[0] == 0.25F);
  blend_additive(view(layer), view(reference), 1, BoneMask{1, 0, 0}, pose);
  CHECK(pose.opacity[0] == 0.0F);
  CHECK(pose.opacity[1] == 0.25F);
}

TEST_CASE("an override replaces or adds, scaled by its weight", "[mix]") {
  Pose pose = pose_of(10, 170, 2, 1);
  const std::vector<BoneOverride> overrides{
      {.bone = BoneId{0}, .x = 20.0F, .rotation_degrees = -170.0F, .scale_x = 4.0F, .weight = 0.5F},
      {.bone = BoneId{1},
       .x = 20.0F,
       .rotation_degrees = 40.0F,
       .scale_x = 4.0F,
       .z_order = 3,
       .weight = 0.5F,
       .relative = true},
      {.bone = BoneId{2}, .x = 1.0F, .visible = false, .weight = 0.4F},
  };
  override_bones(overrides, pose);
  CHECK(pose.x[0] == 15.0F);
  CHECK(pose.rotation_degrees[0] == 180.0F);
  CHECK(pose.scale_x[0] == 3.0F);
  CHECK(pose.x[1] == 20.0F);
  CHECK(pose.rotation_degrees[1] == 190.0F);
  CHECK(pose.scale_x[1] == 5.0F);
  CHECK(pose.z_order[1] == 3);
  CHECK(pose.x[2] == Approx(6.4));
  CHECK(pose.visible[2] == 1);
}

/// Ids without an element. Only release builds accept more than `none`.
template <typename Id>
std::vector<Id> missing() {
#ifdef NDEBUG
  return {Id::none, Id{9999}};
#else
  return {Id::none};
#endif
}

Character kiri() { return load_asset("kiri.pchr"); }

bool equal(const Rect& a, const Rect& b) { return a.min == b.min && a.max == b.max; }

TEST_CASE("a clip that does not exist shows the bind pose", "[ids]") {
  const Character hero = kiri();
  PoseBuffers bind, posed;
  pose_bind(hero, bind);
  const BoneId head = hero.find_bone("head");
  REQUIRE(head != BoneId::none);
  for (const ClipId clip : missing<ClipId>()) {
    pose_clip(hero, clip, 0.3, Sampling::smooth, posed);
    CHECK(posed.pose.x == bind.pose.x);
    CHECK(bone_world(hero, clip, {1, 2, 0.5F}, head) == bind_bone_world(hero, head));
    CHECK(equal(compute_clip_bounds(hero, clip), bounds(hero, bind)));
    CHECK(equal(compute_frame_bounds(hero, clip, 0), bounds(hero, bind)));
    CHECK(hero.clips()[clip].frame_count == 0);
    CHECK(frame_pose(hero, clip, 3).x.data() == hero.bind_pose().x.data());
    CHECK(clip_time(hero.clips()[clip], 1.5, Sampling::smooth) == ClipTime{});
    Clock clock(hero.clips()[clip]);
    clock.advance(1);
    CHECK(clock.frame() == 0);
  }
}

TEST_CASE("a bone that does not exist has the identity as its transform", "[ids]") {
  const Character hero = kiri();
  PoseBuffers posed;
  pose_bind(hero, posed);
  for (const BoneId bone : missing<BoneId>()) {
    CHECK(bone_world(hero, ClipId{0}, {}, bone) == kIdentity);
    CHECK(bone_world(hero.bones(), view(posed.pose), bone) == kIdentity);
    CHECK(bind_bone_world(hero, bone) == kIdentity);
    CHECK(rotation_towards(hero.bones(), view(posed.pose), bone, {10, 10}) == 0);
    CHECK(mask_of_subtree(hero, bone) == BoneMask(hero.bones().size()));
    CHECK(mask_of_bones(hero, std::vector{bone}) == BoneMask(hero.bones().size()));
    CHECK(hero.bones()[bone].name.empty());
  }
}

TEST_CASE("a mesh that does not exist is empty", "[ids]") {
  const Character hero = kiri();
  PoseBuffers posed;
  pose_bind(hero, posed);
  for (const MeshId mesh : missing<MeshId>()) {
    CHECK(mesh_bounds(hero, posed, mesh).empty());
    CHECK(compute_mesh_bounds(hero, ClipId{0}, mesh).empty());
    CHECK(hero.vertices(hero.meshes()[mesh]).empty());
    deform_mesh(hero, posed, mesh, {});
    posed.draw_list.push_back({mesh});
    DrawStream stream;
    append_draw_stream(hero, posed, {}, stream);
    CHECK_FALSE(stream.indices.empty());
    CHECK_FALSE(hit_test(hero, posed, HitImages(std::span<const AlphaMask>()), {1e6F, 1e6F}));
  }
  SkinData skin;
  part_of(skin, MeshId::none).visible = false;
  CHECK(skin.parts.empty());
}

TEST_CASE("an animator ignores clips and layers that do not exist", "[ids]") {
  Animator animator(kiri());
  const PlayId walk = animator.play(animator.character().find_clip("walk"));
  animator.advance(0.1);
  for (const ClipId clip : missing<ClipId>()) {
    animator.set_layer(3, {.mode = LayerMode::additive, .reference_clip = clip});
#ifdef NDEBUG
    CHECK(animator.play(clip, {.fade_seconds = 0.2}) == PlayId::none);
    CHECK(animator.queue(clip) == PlayId::none);
#endif
  }
#ifdef NDEBUG
  CHECK(animator.play(ClipId{0}, {.layer = 4000000000}) == PlayId::none);
  CHECK(animator.queue(ClipId{0}, {.layer = Animator::kMaxLayers}) == PlayId::none);
  animator.stop(Animator::kMaxLayers);
  animator.queue_stop(Animator::kMaxLayers);
  animator.set_layer(Animator::kMaxLayers, {});
  animator.set_layer_weight(Animator::kMaxLayers, 0.5F);
  animator.set_layer(1, {.weight = 0.5F, .mask = BoneMask(3)});
#endif
  CHECK(animator.advance(0.1).empty());
  CHECK(animator.plays().size() == 1);
  CHECK(animator.find(walk) != nullptr);
  Pose pose;
  animator.sample(pose);
  CHECK(pose.x.size() == animator.character().bones().size());
}

}  // namespace
}  // namespace pose_test
