// SPDX-License-Identifier: MIT
// Crossfades and layers, without a window.
#include "playback/mix.hpp"
#include "support/catch.hpp"
#include "support/scenes.hpp"

#include <cmath>
#include <string_view>

namespace pchr::test::mix_test {
namespace {

using player::Mix;

/// Clips "left" and "right" hold the root at x = 0 and x = 10. A second bone is its child.
Character left_and_right() {
  CharacterData data;
  data.images.push_back(plain_image(2, 2, {255, 255, 255, 255}));
  data.bones = {{.name = "root", .parent = BoneId::none}, {.name = "arm", .parent = BoneId{0}}};
  add_quad(data, "quad", 0, {{0, 0}, {4, 4}}, 0);
  data.clips = {resting_clip("left", 12, 2), resting_clip("empty", 0, 2), resting_clip("right", 12, 2)};
  for (Clip& clip : data.clips) clip.looping = true;
  for (std::size_t i = 0; i < 24; ++i) data.clips[2].samples.x[i] = 10;
  return *Character::build(std::move(data));
}

float root_x(Mix& mix, std::size_t bone = 0) {
  Pose pose;
  mix.animator.sample(pose);
  return pose.x[bone];
}

Mix begun() { return player::begin_mix(left_and_right(), std::make_shared<Markers>(), ClipId{0}); }

bool near(float a, float b) { return std::abs(a - b) < 0.01F; }

}  // namespace

TEST_CASE("a replay shows the first clip, fades for the given time and ends on the second", "[mix]") {
  Mix mix = begun();
  CHECK(mix.from == ClipId{0});
  CHECK(mix.to == ClipId{2});
  mix.fade_seconds = 0.4;
  player::advance(mix, Mix::kLeadSeconds - 0.01, 1.0);
  CHECK(near(root_x(mix), 0));
  player::advance(mix, 0.21, 1.0);
  CHECK(near(root_x(mix), 5));
  player::advance(mix, 0.21, 1.0);
  CHECK(near(root_x(mix), 10));
  player::replay(mix);
  CHECK(near(root_x(mix), 0));
}

TEST_CASE("a mix plays at the given speed", "[mix]") {
  Mix mix = begun();
  mix.fade_seconds = 0.4;
  player::advance(mix, (Mix::kLeadSeconds + 0.2) / 4, 4.0);
  CHECK(near(root_x(mix), 5));
}

TEST_CASE("fading to a clip starts at once, and a clip without frames is ignored", "[mix]") {
  Mix mix = begun();
  player::fade_to(mix, ClipId{1});
  CHECK(mix.to == ClipId{2});
  player::fade_to(mix, ClipId{99});
  CHECK(mix.to == ClipId{2});
  mix.fade_seconds = 0.2;
  player::fade_to(mix, ClipId{2});
  CHECK(mix.from == ClipId{0});
  player::advance(mix, 0.1, 1.0);
  CHECK(near(root_x(mix), 5));
}

TEST_CASE("layers override or add by weight on the bones of their subtree", "[mix]") {
  Mix mix = begun();
  player::add_layer(mix, ClipId{2});
  mix.layers[0].weight = 0.5F;
  mix.layers[0].bone = BoneId{1};
  player::update_layer(mix, 0);
  player::advance(mix, 0.01, 1.0);
  CHECK(near(root_x(mix, 0), 0));
  CHECK(near(root_x(mix, 1), 5));
  mix.layers[0] = {.clip = ClipId{2}, .weight = 1.0F, .mode = LayerMode::additive};
  player::update_layer(mix, 0);
  CHECK(near(root_x(mix, 0), 10));
  player::add_layer(mix, ClipId{2});
  mix.layers[1].mode = LayerMode::additive;
  player::update_layer(mix, 1);
  CHECK(near(root_x(mix, 0), 20));
  player::remove_layer(mix, 0);
  CHECK(near(root_x(mix, 0), 10));
  player::set_layer_clip(mix, 0, ClipId{0});
  player::advance(mix, 0.5, 1.0);
  CHECK(near(root_x(mix, 0), 0));
}

TEST_CASE("steps and seeks move the current clip", "[mix]") {
  Mix mix = begun();
  player::step(mix, 3);
  CHECK(player::playing_clip(mix)->clock.frame() == 3);
  player::step(mix, -1);
  CHECK(player::playing_clip(mix)->clock.frame() == 2);
  player::seek_frame(mix, 7);
  CHECK(player::playing_clip(mix)->clock.frame() == 7);
}

TEST_CASE("animator events are kept newest first, up to a limit", "[mix]") {
  Mix mix = begun();
  player::advance(mix, 0.01, 1.0);
  REQUIRE(mix.event_count == 1);
  CHECK(std::string_view(mix.events[0].text.data()) == "started left");
  player::advance(mix, 0.5, 1.0);
  CHECK(std::string_view(mix.events[0].text.data()) == "looped left");
  CHECK(mix.events[1].age_seconds > mix.events[0].age_seconds);
  for (int i = 0; i < 100; ++i) player::advance(mix, 0.6, 1.0);
  CHECK(mix.event_count == mix.events.size());
}

TEST_CASE("a mix continues with a reloaded file, matched by name", "[mix]") {
  Mix mix = begun();
  player::add_layer(mix, ClipId{2});
  mix.layers[0].bone = BoneId{1};
  mix.layers[0].weight = 0.5F;
  player::update_layer(mix, 0);
  player::add_layer(mix, ClipId{0});
  player::advance(mix, Mix::kLeadSeconds + 1.0, 1.0);
  const double seconds = player::playing_clip(mix)->clock.seconds();

  CharacterData data = left_and_right().data();
  std::swap(data.clips[0], data.clips[2]);
  data.clips[2].name = "gone";
  data.bones.insert(data.bones.begin() + 1, {.name = "tail", .parent = BoneId{0}});
  for (Clip& clip : data.clips) {
    const float x = clip.samples.x.empty() ? 0 : clip.samples.x[0];
    clip.samples.resize(std::size_t{clip.frame_count} * 3);
    for (std::size_t i = 0; i < clip.samples.x.size(); ++i) clip.samples.x[i] = x;
  }
  player::continue_with(mix, *Character::build(std::move(data)), std::make_shared<Markers>(), ClipId{0});
  CHECK(mix.to == ClipId{0});
  REQUIRE(mix.layers.size() == 1);
  CHECK(mix.layers[0].clip == ClipId{0});
  CHECK(mix.layers[0].bone == BoneId{2});
  CHECK(mix.layers[0].weight == 0.5F);
  CHECK(player::playing_clip(mix)->clip == ClipId{0});
  CHECK(player::playing_clip(mix)->clock.seconds() == Approx(seconds));
}

}  // namespace pchr::test::mix_test
