// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/scenes.hpp"

#include <pchr/animator.hpp>
#include <pchr/draw_list.hpp>

namespace rebind_test {
using namespace pchr;
using namespace pchr::test;

namespace {

/// A character whose clips move the bone "arm", if it exists, to x = 100 * (clip's number) + frame. 10 frames per
/// second.
Character version(const std::vector<std::string>& bones, const std::vector<std::string>& clips) {
  CharacterData data;
  for (const std::string& name : bones) data.bones.push_back({name, name == "root" ? BoneId::none : BoneId{0}});
  for (std::size_t number = 0; number < clips.size(); ++number) {
    Clip clip = resting_clip(clips[number], 10, static_cast<std::uint32_t>(bones.size()), 10);
    clip.looping = true;
    for (std::size_t bone = 0; bone < bones.size(); ++bone) {
      if (bones[bone] != "arm" && bones[bone] != "hand") continue;
      const float base = clips[number] == "jump" ? 200.0F : 100.0F;
      for (std::size_t frame = 0; frame < 10; ++frame) {
        clip.samples.x[frame * bones.size() + bone] = base + static_cast<float>(frame);
      }
    }
    data.clips.push_back(std::move(clip));
  }
  return build(std::move(data));
}

float x_of(Animator& animator, const char* bone) {
  Pose pose;
  animator.sample(pose);
  return pose.x.at(index(animator.character().find_bone(bone)));
}

const std::vector<std::string> kOldBones{"root", "arm", "leg"}, kOldClips{"walk", "jump"};
const std::vector<std::string> kNewBones{"root", "hat", "leg", "arm"}, kNewClips{"idle", "jump", "walk"};

}  // namespace

TEST_CASE("a rebound animator plays the clip of the same name at the same time", "[animator][rebind]") {
  Animator animator(version(kOldBones, kOldClips));
  const PlayId walk = animator.play(ClipId{0}, {.speed = 2});
  animator.advance(0.15);
  CHECK(x_of(animator, "arm") == 103);
  const Rebound missing = animator.rebind(version(kNewBones, kNewClips));
  CHECK(missing.clips.empty());
  CHECK(missing.bones.empty());
  REQUIRE(animator.find(walk) != nullptr);
  CHECK(animator.find(walk)->clip == ClipId{2});
  CHECK(x_of(animator, "arm") == 103);
  animator.advance(0.1);
  CHECK(x_of(animator, "arm") == 105);
}

TEST_CASE("a rebound animator keeps its fades, queues, masks, overrides, root motion and markers",
          "[animator][rebind]") {
  Animator animator(version(kOldBones, kOldClips));
  animator.set_markers(std::make_shared<Markers>(std::vector<Marker>{{ClipId{0}, 5, "step"}, {ClipId{1}, 2, "leap"}}));
  animator.play(ClipId{0});
  animator.play(ClipId{1}, {.fade_seconds = 1});
  animator.queue(ClipId{0});
  animator.set_layer(1, {.weight = 0.5F, .mask = {0, 1, 0}});
  animator.play(ClipId{1}, {.layer = 1});
  animator.overrides = {{.bone = BoneId{2}, .rotation_degrees = 30.0F}};
  animator.set_root_motion(RootMotion{.bone = BoneId{1}});
  animator.advance(0.25);
  Pose before;
  animator.sample(before);

  const Rebound missing = animator.rebind(version(kNewBones, kNewClips));
  CHECK((missing.clips.empty() && missing.bones.empty()));
  Pose after;
  animator.sample(after);
  CHECK(after.x.at(3) == before.x.at(1));
  CHECK(after.rotation_degrees.at(2) == before.rotation_degrees.at(2));
  CHECK(after.x.at(1) == 0);  // The new bone rests.
  CHECK(animator.plays().size() == 2);
  CHECK(animator.plays()[1].weight() == 0.25F);
  (void)animator.take_root_motion();
  bool steps = false, walks = false;
  for (const AnimatorEvent& event : animator.advance(1)) {
    steps |= event.marker != nullptr && event.marker->name == "leap" && event.clip == ClipId{1};
    walks |= event.kind == AnimatorEvent::Kind::started && event.clip == ClipId{2};
  }
  CHECK(steps);
  CHECK(walks);
  CHECK(animator.take_root_motion().x != 0);
}

TEST_CASE("what a new version lacks ends, and is named", "[animator][rebind]") {
  Animator animator(version(kOldBones, kOldClips));
  animator.play(ClipId{0});
  animator.play(ClipId{1}, {.fade_seconds = 1});
  animator.queue(ClipId{1});
  animator.overrides = {{.bone = BoneId{1}, .rotation_degrees = 1.0F}, {.bone = BoneId{2}, .rotation_degrees = 2.0F}};
  animator.set_root_motion(RootMotion{.bone = BoneId{1}});
  const Rebound missing = animator.rebind(version({"root", "leg"}, {"walk"}));
  CHECK(missing.clips == std::vector<std::string>{"jump"});
  CHECK(missing.bones == std::vector<std::string>{"arm"});
  CHECK(animator.plays().size() == 1);
  REQUIRE(animator.overrides.size() == 1);
  CHECK(animator.overrides[0].bone == BoneId{1});
  animator.advance(2);
  CHECK(animator.plays().size() == 1);
  CHECK(animator.rebind(version({}, {})).clips == std::vector<std::string>{"walk"});
  CHECK(animator.plays().empty());
  Pose pose;
  animator.sample(pose);
  CHECK(pose.x.empty());
}

TEST_CASE("a play that rebinding drops is interrupted", "[animator][rebind]") {
  Animator animator(version(kOldBones, kOldClips));
  animator.play(ClipId{0});
  animator.advance(0);
  const PlayId jump = animator.play(ClipId{1}, {.layer = 1});
  animator.queue_stop();
  animator.set_layer(2, {.mode = LayerMode::additive, .reference_clip = ClipId{0}, .reference_frame = 3});
  animator.play(ClipId{0}, {.layer = 2, .speed = 0, .start_seconds = 0.35});
  animator.rebind(version(kNewBones, {"idle", "walk"}));
  CHECK(x_of(animator, "arm") == 100);  // Nothing is added to the walk.
  std::vector<std::pair<AnimatorEvent::Kind, PlayId>> jumps;
  for (const AnimatorEvent& event : animator.advance(0)) {
    if (event.play != jump) continue;
    jumps.emplace_back(event.kind, event.play);
    CHECK(event.clip == ClipId::none);
    CHECK(event.layer == 1);
  }
  CHECK(jumps == std::vector<std::pair<AnimatorEvent::Kind, PlayId>>{{AnimatorEvent::Kind::started, jump},
                                                                     {AnimatorEvent::Kind::interrupted, jump}});
  // The queued stop is kept.
  animator.advance(2);
  CHECK(animator.plays().empty());
}

TEST_CASE("a new bone in a mask follows its parent", "[animator][rebind]") {
  for (const std::uint8_t root : {std::uint8_t{0}, std::uint8_t{1}}) {
    Animator animator(version(kOldBones, kOldClips));
    animator.set_layer(0, {.mask = {root, 1, 0}});
    animator.play(ClipId{0});
    animator.rebind(version({"root", "hand", "arm"}, kOldClips));
    animator.advance(0.35);
    CHECK(x_of(animator, "arm") == 103);
    CHECK(x_of(animator, "hand") == (root == 0 ? 100 : 103));
  }
}

TEST_CASE("a rebound skin keeps the meshes and images of the same names", "[skin][rebind]") {
  const auto character = [](const std::vector<std::string>& meshes, const std::vector<std::string>& images) {
    CharacterData data;
    for (const std::string& name : images) {
      data.images.push_back(plain_image(1, 1, {255, 255, 255, 255}));
      data.images.back().name = name;
    }
    data.bones = {{"root", BoneId::none}};
    for (const std::string& name : meshes) add_quad(data, name, 0, {{0, 0}, {1, 1}}, 0);
    return build(std::move(data));
  };
  const Character from = character({"hood", "scarf", "tail"}, {"day", "night"});
  const Character to = character({"tail", "belt", "scarf"}, {"moon", "night", "noon"});
  SkinData skin{"winter", {}, {}};
  part_of(skin, MeshId{0}).visible = false;
  part_of(skin, MeshId{1}).image = ImageId{1};
  part_of(skin, MeshId{2}).image = add_image(skin, from, {1, 1, {1, 2, 3, 4}});
  const Rebound missing = rebind_skin(skin, from, to);
  CHECK(missing.meshes == std::vector<std::string>{"hood"});
  CHECK(missing.images.empty());
  REQUIRE(skin.parts.size() == 3);
  CHECK(skin.parts[0].image == ImageId{3});
  CHECK(skin.parts[1] == SkinPart{});
  CHECK(skin.parts[2].image == ImageId{1});
  CHECK_FALSE(validate_skin(skin, to));
  SkinData painted{"painted", {}, {{.image = ImageId{0}}}};
  CHECK(rebind_skin(painted, from, character({"hood"}, {})).images == std::vector<std::string>{"day"});
  CHECK(painted.parts[0].image == ImageId::none);
}

}  // namespace rebind_test
