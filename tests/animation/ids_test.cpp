// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/load.hpp"

#include <pchr/animator.hpp>
#include <pchr/draw_list.hpp>
#include <pchr/queries.hpp>

namespace ids_test {
using namespace pchr;
using namespace pchr::test;

namespace {

/// Ids without an element. Only release builds accept more than `none`.
template <typename Id>
std::vector<Id> missing() {
#ifdef NDEBUG
  return {Id::none, Id{9999}};
#else
  return {Id::none};
#endif
}

Character kiri() { return load_character(asset("kiri.pchr")).value(); }

bool equal(const Rect& a, const Rect& b) { return a.min == b.min && a.max == b.max; }

}  // namespace

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

}  // namespace ids_test
