// SPDX-License-Identifier: MIT
// Once warm, posing allocates nothing. A program of its own, because it replaces operator new to count allocations.
#include "support/catch.hpp"
#include "support/scenes.hpp"
#include "support/load.hpp"

#include "character/kernels.hpp"

#include <pchr/animator.hpp>
#include <pchr/gpu.hpp>
#include <pchr/import/import.hpp>
#include <pchr/pose.hpp>
#include <pchr/queries.hpp>
#include <pchr/states.hpp>
#include <pchr/draw_list.hpp>
#include <pchr/load.hpp>

#include <cstdlib>
#include <new>

using namespace pchr;
using namespace pchr::test;

namespace {

std::size_t allocations = 0;

}  // namespace

void* operator new(std::size_t size) {
  ++allocations;
  void* memory = std::malloc(size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace {

Character sample_character() {
  auto character = load_character(asset("kiri.pchr"));
  REQUIRE(character);
  return *character;
}

}  // namespace

TEST_CASE("the allocation counter counts allocations", "[allocations]") {
  const std::size_t before = allocations;
  const std::vector<int> values(100);
  CHECK(allocations == before + 1);
}

TEST_CASE("posing again allocates nothing, no matter what is shown", "[allocations]") {
  const Character character = sample_character();
  std::vector<Vec2> points(character.vertices().size());
  const auto masks = alpha_masks(character).value();
  SkinData skin;
  part_of(skin, character.find_mesh("hood")).visible = false;
  for (const PoseKernels* set : available_kernels()) {
    use_kernels(*set);
    PoseBuffers posed;
    Pose pose;
    DrawList list;
    std::vector<Hit> hits;
    PoseBuffers scratch;
    // The first moment has fewer visible meshes than later ones.
    pose_clip(character, ClipId{0}, {}, posed);
    posed.pose.visible.assign(posed.pose.visible.size(), 0);
    update(character, posed);
    build_draw_list(character, posed.pose.frame(0, character.bones().size()), list);
    sample(character, ClipId{0}, {}, pose);
    std::vector<PoseBuffers> many(2);
    std::vector<PoseRequest> requests(2);
    pose_many(character, requests, many);
    const PaletteLayout layout = make_gpu_geometry(character).layout;
    std::vector<BoneTexels> rows(requests.size() * layout.row_bones());
    PoseBuffers rows_scratch;
    write_palette_rows(character, layout, std::vector<PoseRequest>(2, {ClipId{0}, {0, 0, 0.5F}}), rows_scratch, rows);
    hits.reserve(character.meshes().size());
    const std::vector<HitInstance> crowd{{ClipId{0}, {}, {}, &skin}, {ClipId{1}, {0, 1, 0.5F}, {kIdentity}}};
    (void)hit_test(character, crowd, masks, {0, 100}, scratch);

    const std::size_t before = allocations;
    for (const ClipId clip : character.clips().ids()) {
      const std::uint32_t frames = character.clips()[clip].frame_count;
      for (std::uint32_t frame = 0; frame < frames; ++frame) {
        const ClipTime position{frame, (frame + 1) % frames, 0.5F};
        sample(character, clip, position, pose);
        blend(character.bind_pose(), 0.5F, pose);
        build_draw_list(character, pose.frame(0, character.bones().size()), list);
        pose_clip(character, clip, position, posed);
        deform(character.vertices(), posed.palette, points);
        requests[0] = {clip, position, {}, {}, 0.25F};
        requests[1] = {ClipId{}, {}, clip, position, 0.75F};
        pose_many(character, requests, many);
        write_palette_rows(character, layout, requests, rows_scratch, rows);
        const auto last_bone = BoneId(character.bones().size() - 1);
        (void)bone_world(character, requests[0], last_bone);
        (void)hit_test(character, posed, masks, {0, 100});
        hit_test_all(character, posed, masks, {0, 100}, hits);
        (void)hit_test(character, crowd, masks, {0, 100}, scratch);
        (void)bounds(character, posed);
        (void)rotation_towards(character.bones(), character.bind_pose(), last_bone, {});
      }
    }
    pose_bind(character, posed);
    CHECK(allocations == before);
  }
}

TEST_CASE("an animator that is warm allocates nothing", "[allocations]") {
  const Character character = sample_character();
  const auto clip_count = static_cast<std::uint32_t>(character.clips().size());
  Animator animator(character);
  animator.set_markers(std::make_shared<Markers>(load_rig(utf8_of(asset("kiri.rig.json")), character).value().markers));
  animator.set_layer(1, {.weight = 0.5F, .mask = mask_of_subtree(character, character.find_bone("chest"))});
  animator.set_layer(2, {.weight = 0.5F, .mode = LayerMode::additive, .reference_clip = ClipId{1}});
  animator.set_root_motion(RootMotion{BoneId{0}});
  animator.overrides = {{.bone = BoneId{3}, .rotation_degrees = 10.0F}};
  auto rig = std::make_shared<Rig>(load_rig(utf8_of(asset("kiri.rig.json")), character).value().rig);
  rig->aims.push_back({.name = "look", .bone = character.find_bone("head")});
  rig->ik.push_back({.upper = character.find_bone("near_thigh"),
                     .lower = character.find_bone("near_shin"),
                     .end = character.find_bone("near_foot")});
  rig->feet.push_back({.plant = "step", .lift = "leap"});
  animator.set_rig(rig);
  animator.rig_control("look")->target = Vec2{100, 100};
  PoseBuffers posed;
  const auto play_on = [&] {
    for (std::uint32_t i = 0; i < 300; ++i) {
      // Sometimes many fades at once, sometimes none.
      if (i % 100 < 30) animator.play(ClipId{i % clip_count}, {.layer = i % 3, .fade_seconds = 0.5});
      if (i % 7 == 0) animator.queue(ClipId{i % clip_count}, {.layer = i % 3, .fade_seconds = 0.1});
      if (i % 50 == 40) animator.stop(i % 3, 0.1);
      if (i % 50 == 20) animator.queue_stop(i % 3, 0.1);
      animator.set_rig_placement({1, 0, 0, 1, static_cast<float>(i), 0}, i % 50 == 0);
      animator.advance(i % 20 == 0 ? 3 : 0.02);
      animator.pose(posed);
    }
  };
  play_on();
  play_on();  // Starts with other clips playing, so queues can become longer.
  const std::size_t before = allocations;
  play_on();
  CHECK(allocations == before);
}

TEST_CASE("a state machine that is warm allocates nothing, nor does going back to a copy of it", "[allocations]") {
  const Character character = sample_character();
  const Sidecar sidecar = load_rig(utf8_of(asset("kiri.rig.json")), character).value();
  States states = sidecar.states;
  states.layers[0].states.push_back({.name = "fall", .kind = State::Kind::sequence, .clip = "idle", .start = "jump"});
  states.layers[0].states.push_back({.name = "plane",
                                     .kind = State::Kind::blend_2d,
                                     .points = {{"walk", Vec2{0, 0}}, {"run", Vec2{2, 0}}, {"idle", Vec2{0, 1}}},
                                     .x = "speed",
                                     .y = "lean"});
  states.parameters.push_back({.name = "lean"});
  states.layers[0].transitions.push_back({.from = "move", .to = "plane", .after = 1.5, .fade_seconds = 0.2});
  states.layers[0].transitions.push_back({.from = "plane", .to = "fall", .after = 1, .synchronized = true});
  states.layers[0].transitions.push_back({.from = "fall", .to = "idle", .after = 1.5, .fade_seconds = 0.1});
  Animator animator(character);
  animator.set_markers(std::make_shared<Markers>(sidecar.markers));
  animator.set_root_motion(RootMotion{BoneId{0}});
  StateMachine machine(make_state_graph(states, character, sidecar.masks, Markers(sidecar.markers)).value());
  machine.advance(animator, 0);
  Animator old_animator = animator;
  StateMachine old_machine = machine;
  PoseBuffers posed;
  std::size_t entered = 0;
  const auto play_on = [&] {
    for (std::uint32_t i = 0; i < 400; ++i) {
      machine.set("speed", static_cast<float>(i % 23) / 11);
      machine.set("lean", static_cast<float>(i % 7) / 6);
      if (i % 90 == 0) machine.fire("jump");
      if (i % 70 == 0) machine.fire("wave");
      if (i == 200) old_machine = machine, old_animator = animator;
      entered += machine.advance(animator, i % 20 == 0 ? 3 : 0.05).size();
      animator.pose(posed);
    }
    machine = old_machine;
    animator = old_animator;
  };
  play_on();
  play_on();
  const std::size_t before = allocations;
  play_on();
  CHECK(allocations == before);
  CHECK(entered > 100);
}

TEST_CASE("appending a crowd to a draw stream again allocates nothing, with or without a skin", "[allocations]") {
  const Character character = sample_character();
  SkinData skin;
  part_of(skin, character.find_mesh("hood")).visible = false;
  part_of(skin, character.find_mesh("scarf")).tint = {1, 0, 0, 1};
  PoseBuffers posed;
  pose_clip(character, ClipId{1}, {}, posed);
  DrawStream stream;
  stream.with_3d = stream.with_looks = true;
  const StreamOptions plain{.camera = Camera{{0, 0}, 1, {500, 500}}}, dressed{.skin = &skin};
  for (int i = 0; i < 10; ++i) append_draw_stream(character, posed, plain, stream);
  const std::size_t before = allocations;
  stream.clear();
  for (int i = 0; i < 10; ++i) append_draw_stream(character, posed, i % 2 == 0 ? dressed : plain, stream);
  CHECK(allocations == before);
}
