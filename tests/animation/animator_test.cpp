// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/load.hpp"
#include "support/scenes.hpp"

#include <pchr/animator.hpp>
#include <pchr/load.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <string>
#include <tuple>
#include <vector>

namespace animator_test {
using namespace pchr;
using namespace pchr::test;
using Kind = AnimatorEvent::Kind;

namespace {

/// A character with one bone. Each clip has these x positions, one per frame, at 10 frames per second.
struct Track {
  std::string name;
  bool looping;
  std::vector<float> x;
};

Character character_of(std::vector<Track> tracks) {
  CharacterData data;
  data.bones = {{"root", BoneId::none}, {"child", BoneId{0}}};
  for (Track& track : tracks) {
    Clip clip = resting_clip(track.name, static_cast<std::uint32_t>(track.x.size()), 2, 10);
    clip.looping = track.looping;
    for (std::size_t i = 0; i < track.x.size(); ++i) clip.samples.x[2 * i] = track.x[i];
    data.clips.push_back(std::move(clip));
  }
  return build(std::move(data));
}

/// Clips: 0 "bind" (one frame), 1 "loop" (four frames, looping), 2 "once" (three frames).
Character three_clips() {
  return character_of({{"bind", true, {0}}, {"loop", true, {0, 1, 2, 3}}, {"once", false, {10, 20, 30}}});
}

struct ReportedEvent {
  Kind kind;
  std::uint32_t clip;
  double seconds;
  std::uint64_t count = 1;
  std::string marker{};
  bool operator==(const ReportedEvent&) const = default;
};

std::ostream& operator<<(std::ostream& out, const ReportedEvent& event) {
  constexpr const char* kNames[] = {"started", "looped", "finished", "marker", "interrupted"};
  return out << kNames[static_cast<int>(event.kind)] << " clip " << event.clip << " at " << event.seconds << " x"
             << event.count << ' ' << event.marker;
}

std::vector<ReportedEvent> reported(std::span<const AnimatorEvent> events) {
  std::vector<ReportedEvent> result;
  for (const AnimatorEvent& event : events) {
    const std::string marker = event.marker == nullptr ? "" : event.marker->name;
    result.push_back({event.kind, static_cast<std::uint32_t>(event.clip), std::round(event.seconds * 1e9) / 1e9,
                      event.count, marker});
  }
  return result;
}

float root_x(Animator& animator) {
  Pose pose;
  animator.sample(pose);
  return pose.x[0];
}

}  // namespace

TEST_CASE("an animator without plays shows the bind pose", "[animator]") {
  const Character character = load_asset("kiri.pchr");
  Animator animator(character);
  CHECK(animator.advance(1).empty());
  PoseBuffers posed, bind;
  animator.pose(posed);
  pose_bind(character, bind);
  CHECK(posed.pose == bind.pose);
  CHECK(posed.palette == bind.palette);
}

TEST_CASE("an animator with one play shows exactly its clip", "[animator]") {
  const Character character = load_asset("kiri.pchr");
  Animator animator(character);
  animator.play(character.find_clip("walk"));
  animator.set_sampling(Sampling::smooth);
  animator.advance(0.321);
  Pose mixed, alone;
  animator.sample(mixed);
  const auto showing = animator.plays_alone();
  REQUIRE(showing);
  CHECK(showing->clip == character.find_clip("walk"));
  sample(character, showing->clip, showing->position, alone);
  CHECK(mixed == alone);
}

TEST_CASE("a crossfade blends two clips by its progress", "[animator]") {
  Animator animator(three_clips());
  animator.play(ClipId{2});
  animator.advance(0.05);
  CHECK(root_x(animator) == 10.0F);
  animator.play(ClipId{1}, {.fade_seconds = 0.4, .speed = 0});
  CHECK(root_x(animator) == 10.0F);
  CHECK_FALSE(animator.plays_alone());
  animator.advance(0.1);
  // Three quarters of the second frame, a quarter of 0.
  CHECK(root_x(animator) == Approx(0.75 * 20));
  animator.advance(0.1);
  CHECK(root_x(animator) == Approx(0.5 * 30));
  animator.advance(0.3);
  CHECK(root_x(animator) == 0.0F);
  CHECK(animator.plays().size() == 1);
  CHECK(animator.plays_alone());
}

TEST_CASE("a fade can start in the middle of another", "[animator]") {
  Animator animator(three_clips());
  animator.play(ClipId{1}, {.speed = 0, .start_seconds = 0.3});
  animator.play(ClipId{2}, {.fade_seconds = 1, .speed = 0});
  animator.advance(0.5);
  const float half = root_x(animator);
  CHECK(half == Approx(0.5 * 3 + 0.5 * 10));
  animator.play(ClipId{0}, {.fade_seconds = 1});
  CHECK(root_x(animator) == half);
  animator.advance(0.25);
  // The first fade has progressed to three quarters below the second.
  CHECK(root_x(animator) == Approx(0.75 * (0.25 * 3 + 0.75 * 10)));
  CHECK(animator.plays().size() == 3);
  animator.advance(0.25);
  CHECK(animator.plays().size() == 2);
  CHECK(root_x(animator) == Approx(0.5 * 10));
}

TEST_CASE("stopping fades back to the layers below", "[animator]") {
  Animator animator(three_clips());
  animator.play(ClipId{2}, {.speed = 0});
  animator.play(ClipId{1}, {.layer = 1, .fade_seconds = 1, .speed = 0, .start_seconds = 0.3});
  animator.advance(0.5);
  CHECK(root_x(animator) == Approx(0.5 * 10 + 0.5 * 3));
  animator.advance(0.5);
  CHECK(root_x(animator) == 3.0F);
  animator.stop(1, 0.4);
  animator.advance(0.1);
  CHECK(root_x(animator) == Approx(0.75 * 3 + 0.25 * 10));
  animator.advance(1);
  CHECK(root_x(animator) == 10.0F);
  CHECK(animator.plays(1).empty());
  animator.stop();
  CHECK(root_x(animator) == 0.0F);
  animator.stop(7);
  CHECK(reported(animator.advance(1)) == std::vector<ReportedEvent>{{Kind::interrupted, 2, 0}});
}

TEST_CASE("a queued stop fades out a layer when its last clip ends, in one step or in many", "[animator]") {
  for (const double dt : {2.0, 0.1, 0.0007}) {
    CAPTURE(dt);
    Animator animator(three_clips());
    animator.play(ClipId{1}, {.speed = 0});
    animator.play(ClipId{1}, {.layer = 1, .start_seconds = 0.2});
    animator.queue(ClipId{2}, {.layer = 1});
    animator.queue_stop(1, 0.4);
    double now = 0;
    std::vector<ReportedEvent> all;
    const auto advance_to = [&](double end) {
      for (; now < end - 1e-9; now += std::min(dt, end - now)) {
        for (const ReportedEvent& event : reported(animator.advance(std::min(dt, end - now)))) all.push_back(event);
      }
    };
    advance_to(0.6);  // The loop ends at 0.2, the clip after it at 0.5.
    REQUIRE(animator.plays(1).size() == 2);
    CHECK(animator.plays(1)[1].kind == Play::Kind::fade_out);
    CHECK(animator.plays(1)[1].weight() == Approx(0.25));
    CHECK(root_x(animator) == Approx(0.75 * 30));
    advance_to(1);
    CHECK(animator.plays(1).empty());
    CHECK(root_x(animator) == 0.0F);
    std::vector<std::pair<Kind, std::uint32_t>> kinds;
    for (const ReportedEvent& event : all) kinds.emplace_back(event.kind, event.clip);
    CHECK(kinds ==
          std::vector<std::pair<Kind, std::uint32_t>>{
              {Kind::started, 1}, {Kind::started, 1}, {Kind::looped, 1}, {Kind::started, 2}, {Kind::finished, 2}});
  }
}

TEST_CASE("stopping the lowest layer fades to the bind pose, whatever the buffer held", "[animator]") {
  Animator animator(three_clips());
  animator.play(ClipId{2}, {.speed = 0});
  animator.advance(0);
  animator.stop(0, 1);
  animator.advance(0.25);
  CHECK(root_x(animator) == Approx(0.75 * 10));
  Pose pose;
  sample(animator.character(), ClipId{1}, {3, 3, 0}, pose);
  animator.sample(pose);
  animator.sample(pose);
  CHECK(pose.x[0] == Approx(0.75 * 10));
}

TEST_CASE("a queued stop ends the current loop, then lets later clips start", "[animator]") {
  Animator animator(three_clips());
  animator.queue_stop();
  CHECK(animator.advance(1).empty());
  animator.play(ClipId{1});
  animator.queue_stop();
  animator.advance(0.39);
  CHECK(root_x(animator) == 3.0F);
  CHECK(reported(animator.advance(0.02)) == std::vector<ReportedEvent>{{Kind::looped, 1, 0.01}});
  CHECK(animator.plays().empty());

  animator.play(ClipId{2});
  animator.queue_stop(0, 0.2);
  animator.queue(ClipId{1}, {.fade_seconds = 0.2, .speed = 0, .start_seconds = 0.3});
  animator.advance(0.4);
  CHECK(root_x(animator) == Approx(0.5 * 0.5 * 30 + 0.5 * 3));
  // play() and stop() drop a queued stop.
  animator.play(ClipId{2});
  animator.queue_stop();
  animator.play(ClipId{2});
  animator.advance(5);
  CHECK(root_x(animator) == 30.0F);
}

TEST_CASE("a play that is replaced before its end is interrupted once, and does not finish", "[animator]") {
  Animator animator(three_clips());
  const PlayId first = animator.play(ClipId{2});
  animator.advance(0.1);
  animator.play(ClipId{1}, {.fade_seconds = 0.4});
  const auto events = animator.advance(0.2);
  REQUIRE(reported(events) == std::vector<ReportedEvent>{{Kind::interrupted, 2, 0}, {Kind::started, 1, 0}});
  CHECK(events[0].play == first);
  CHECK(events[0].weight == 1.0F);
  // The first one reaches its end below the fade.
  CHECK(animator.advance(0.1).empty());
  REQUIRE(animator.find(first) != nullptr);
  CHECK(animator.find(first)->clock.at_end());

  animator.play(ClipId{2}, {.fade_seconds = 0.1});
  const auto half = animator.advance(0);
  REQUIRE(half.size() == 2);
  CHECK(half[0].kind == Kind::interrupted);
  CHECK(half[0].clip == ClipId{1});
  CHECK(half[0].weight == Approx(0.75));
  animator.stop(0, 0.1);
  animator.stop(0, 0.1);
  CHECK(reported(animator.advance(0.05)) == std::vector<ReportedEvent>{{Kind::interrupted, 2, 0}});
  animator.advance(1);

  // Neither a clip that has finished nor a loop that the queue ends is interrupted.
  animator.play(ClipId{2});
  animator.advance(1);
  animator.play(ClipId{1});
  animator.queue(ClipId{1});
  animator.advance(1);
  animator.queue_stop();
  CHECK(reported(animator.advance(1)) == std::vector<ReportedEvent>{{Kind::looped, 1, 0.2}});
  animator.play(ClipId{1});
  animator.play(ClipId{1});
  CHECK(reported(animator.advance(0)) ==
        std::vector<ReportedEvent>{{Kind::started, 1, 0}, {Kind::interrupted, 1, 0}, {Kind::started, 1, 0}});
}

TEST_CASE("every play that started finishes, is interrupted or gives way to the queue", "[animator]") {
  std::minstd_rand random(11);
  Animator animator(three_clips());
  std::map<PlayId, std::pair<ClipId, int>> open;
  std::map<Kind, int> kinds;
  for (int i = 0; i < 5000; ++i) {
    const std::uint32_t layer = static_cast<std::uint32_t>(random() % 2),
                        clip = static_cast<std::uint32_t>(random() % 3);
    const double fade = static_cast<double>(random() % 4) / 10;
    switch (random() % 12) {
      case 0:
        animator.play(ClipId{clip}, {.layer = layer, .fade_seconds = fade});
        break;
      case 1:
        animator.queue(ClipId{clip}, {.layer = layer, .fade_seconds = fade});
        break;
      case 2:
        animator.stop(layer, fade);
        break;
      case 3:
        animator.queue_stop(layer, fade);
        break;
      default:
        break;
    }
    for (const AnimatorEvent& event : animator.advance(0.05)) {
      ++kinds[event.kind];
      if (event.kind == Kind::started) open[event.play] = {event.clip, 0};
      if (event.kind != Kind::finished && event.kind != Kind::interrupted) continue;
      REQUIRE(open.count(event.play) == 1);
      CHECK(++open[event.play].second == 1);
    }
  }
  CHECK(kinds[Kind::interrupted] > 100);
  CHECK(kinds[Kind::finished] > 100);
  for (const auto& [play, ends] : open) {
    // Only loops can give way to the queue.
    if (ends.first == ClipId{2} && animator.find(play) == nullptr) CHECK(ends.second == 1);
  }
}

TEST_CASE("an additive layer adds the difference to its reference pose", "[animator]") {
  CharacterData data = character_of({{"bind", true, {0}}, {"base", true, {8}}, {"lean", false, {20, 21, 25}}}).data();
  data.clips[2].samples.rotation_degrees = {30, 0, 40, 0, 90, 0};
  const Character character = build(std::move(data));
  Animator animator(character);
  animator.play(ClipId{1});
  const auto lean_at = [&](double seconds, const LayerOptions& options) {
    animator.set_layer(1, options);
    animator.play(ClipId{2}, {.layer = 1, .speed = 0, .start_seconds = seconds});
    Pose pose;
    animator.sample(pose);
    return std::pair(pose.x[0], pose.rotation_degrees[0]);
  };
  LayerOptions options{.mode = LayerMode::additive};
  CHECK(lean_at(0.25, options) == std::pair(8.0F + 25, 90.0F));
  options.reference_clip = ClipId{2};
  CHECK(lean_at(0, options) == std::pair(8.0F, 0.0F));
  CHECK(lean_at(0.25, options) == std::pair(8.0F + 5, 60.0F));
  options.weight = 0.5F;
  options.reference_frame = 1;
  CHECK(lean_at(0.25, options) == std::pair(8.0F + 2, 25.0F));
  options.reference_frame = 99;  // The last frame.
  CHECK(lean_at(0, options) == std::pair(8.0F - 2.5F, -30.0F));

  // While it fades in, it starts from the reference pose, so nothing jumps.
  options = {.mode = LayerMode::additive, .reference_clip = ClipId{2}};
  animator.stop(1);
  animator.set_layer(1, options);
  animator.play(ClipId{2}, {.layer = 1, .fade_seconds = 1, .speed = 0, .start_seconds = 0.25});
  CHECK(root_x(animator) == 8.0F);
  animator.advance(0.5);
  CHECK(root_x(animator) == Approx(8 + 2.5));

  Pose pose;
  sample(character, ClipId{1}, {}, pose);
  blend_additive(frame_pose(character, ClipId{2}, 1), frame_pose(character, ClipId{2}, 0), 1, {}, pose);
  CHECK(pose.x[0] == 9.0F);
  CHECK(pose.rotation_degrees[0] == 10.0F);
}

TEST_CASE("a queued clip starts exactly where the one before ends, in one step or in many", "[animator]") {
  for (const double dt : {10.0, 0.1, 0.01, 0.0007}) {
    CAPTURE(dt);
    Animator animator(three_clips());
    animator.play(ClipId{2});
    animator.queue(ClipId{1});
    animator.queue(ClipId{2}, {.fade_seconds = 0.15});
    std::vector<ReportedEvent> all;
    double now = 0;
    while (now < 9.99) {
      for (ReportedEvent event : reported(animator.advance(dt))) {
        event.seconds += now;
        all.push_back(event);
      }
      now += dt;
    }
    const std::vector<ReportedEvent> expected{{Kind::started, 2, 0},   {Kind::finished, 2, 0.3},
                                              {Kind::started, 1, 0.3}, {Kind::looped, 1, 0.7},
                                              {Kind::started, 2, 0.7}, {Kind::finished, 2, 1.0}};
    REQUIRE(all.size() == expected.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      CHECK(all[i].kind == expected[i].kind);
      CHECK(all[i].clip == expected[i].clip);
      CHECK(all[i].seconds == Approx(expected[i].seconds).margin(1e-9));
    }
    CHECK(root_x(animator) == 30.0F);
  }
}

TEST_CASE("a queued clip starts at once after a play that never ends", "[animator]") {
  CharacterData data = three_clips().data();
  data.clips[1].frames_per_second = 0;
  data.clips[2] = {};
  Animator animator(build(std::move(data)));
  animator.queue(ClipId{1});
  animator.queue(ClipId{2});
  animator.queue(ClipId{0});
  CHECK(reported(animator.advance(0)) ==
        std::vector<ReportedEvent>{{Kind::started, 1, 0}, {Kind::started, 2, 0}, {Kind::started, 0, 0}});
}

TEST_CASE("a step returns its events in order", "[animator]") {
  Animator animator(three_clips());
  animator.set_markers(std::make_shared<Markers>(std::vector<Marker>{
      {ClipId{2}, 2, "last"}, {ClipId{1}, 2, "step"}, {ClipId{1}, 0, "first"}, {ClipId{2}, 0, "start"}}));
  animator.play(ClipId{2});
  animator.play(ClipId{1}, {.layer = 3, .speed = 2});
  CHECK(reported(animator.advance(0)) == std::vector<ReportedEvent>{{Kind::started, 2, 0},
                                                                    {Kind::marker, 2, 0, 1, "start"},
                                                                    {Kind::started, 1, 0},
                                                                    {Kind::marker, 1, 0, 1, "first"}});
  CHECK(reported(animator.advance(0.5)) == std::vector<ReportedEvent>{{Kind::marker, 1, 0.1, 3, "step"},
                                                                      {Kind::marker, 2, 0.2, 1, "last"},
                                                                      {Kind::looped, 1, 0.2, 2},
                                                                      {Kind::marker, 1, 0.2, 2, "first"},
                                                                      {Kind::finished, 2, 0.3}});
  CHECK(animator.advance(0).empty());
}

TEST_CASE("events stay valid until the next step, whatever is called in between", "[animator]") {
  Animator animator(three_clips());
  animator.set_markers(std::make_shared<Markers>(std::vector<Marker>{{ClipId{1}, 1, "step"}, {ClipId{1}, 2, "step"}}));
  animator.play(ClipId{1});
  const std::vector<ReportedEvent> expected{
      {Kind::started, 1, 0}, {Kind::marker, 1, 0.1, 1, "step"}, {Kind::marker, 1, 0.2, 1, "step"}};
  const std::span<const AnimatorEvent> events = animator.advance(0.25);
  for (int i = 0; i < 20; ++i) {
    animator.play(ClipId{2}, {.layer = 2});
    animator.queue(ClipId{1});
    animator.set_markers(i % 2 == 0 ? nullptr : std::make_shared<Markers>(std::vector<Marker>{{ClipId{2}, 0, "new"}}));
    animator.stop(1);
  }
  CHECK(reported(events) == expected);
  CHECK(reported(animator.events()) == expected);
  std::map<Kind, int> kinds;
  for (const AnimatorEvent& event : animator.advance(0)) ++kinds[event.kind];
  CHECK(kinds == std::map<Kind, int>{{Kind::started, 20}, {Kind::interrupted, 19}});
}

TEST_CASE("an event has the weight of its play at that moment", "[animator]") {
  Animator animator(three_clips());
  animator.set_markers(std::make_shared<Markers>(std::vector<Marker>{{ClipId{1}, 1, "a"}, {ClipId{2}, 1, "b"}}));
  animator.play(ClipId{1});
  animator.play(ClipId{2}, {.fade_seconds = 0.4});
  std::map<std::string, float> weights;
  for (const AnimatorEvent& event : animator.advance(100)) {
    if (event.marker != nullptr) weights[event.marker->name] = event.weight;
  }
  CHECK(weights.at("a") == Approx(0.75));
  CHECK(weights.at("b") == Approx(0.25));
}

TEST_CASE("in reverse a clip starts at its end and its frames play backward", "[animator]") {
  Animator animator(three_clips());
  animator.set_markers(std::make_shared<Markers>(
      std::vector<Marker>{{ClipId{1}, 1, "one"}, {ClipId{1}, 3, "three"}, {ClipId{2}, 0, "zero"}}));
  animator.play(ClipId{1}, {.speed = -1});
  CHECK(root_x(animator) == 3.0F);
  CHECK(reported(animator.advance(0.45)) == std::vector<ReportedEvent>{{Kind::started, 1, 0},
                                                                       {Kind::marker, 1, 0, 1, "three"},
                                                                       {Kind::marker, 1, 0.2, 1, "one"},
                                                                       {Kind::looped, 1, 0.4},
                                                                       {Kind::marker, 1, 0.4, 1, "three"}});
  animator.play(ClipId{2}, {.speed = -1});
  CHECK(root_x(animator) == 30.0F);
  CHECK(reported(animator.advance(1)) == std::vector<ReportedEvent>{{Kind::interrupted, 1, 0},
                                                                    {Kind::started, 2, 0},
                                                                    {Kind::marker, 2, 0.2, 1, "zero"},
                                                                    {Kind::finished, 2, 0.3}});
}

TEST_CASE("negative time plays clips in reverse while fades and queues go on", "[animator]") {
  Animator animator(three_clips());
  animator.play(ClipId{1}, {.start_seconds = 0.25});
  animator.queue(ClipId{2}, {.fade_seconds = 0.2, .start_seconds = 0.3});
  CHECK(reported(animator.advance(-0.3)) ==
        std::vector<ReportedEvent>{{Kind::started, 1, 0}, {Kind::looped, 1, 0.25}, {Kind::started, 2, 0.25}});
  CHECK(animator.plays()[1].weight() == Approx(0.25));
  animator.set_speed(-1);
  CHECK(reported(animator.advance(0.35)) == std::vector<ReportedEvent>{{Kind::finished, 2, 0.25}});
  CHECK(animator.plays().size() == 1);
}

TEST_CASE("event totals do not depend on how time is divided into steps", "[animator]") {
  const Character character = character_of(
      {{"a", true, {0, 1, 2, 3, 4, 5, 6}}, {"b", true, {0, 1, 2, 3, 4}}, {"c", false, {0, 1, 2}}, {"d", true, {0}}});
  std::vector<Marker> list;
  for (std::uint32_t clip = 0; clip < 4; ++clip) {
    for (std::uint32_t frame = 0; frame < character.clips()[clip].frame_count; ++frame) {
      list.push_back({ClipId{clip}, frame, std::to_string(frame)});
    }
  }
  const auto markers = std::make_shared<Markers>(list);
  using Totals = std::map<std::tuple<int, std::uint32_t, std::string>, std::uint64_t>;
  const auto run = [&](double seconds, double dt, double speed) {
    Animator animator(character);
    animator.set_markers(markers);
    animator.play(ClipId{0}, {.speed = speed});
    animator.play(ClipId{1}, {.layer = 1, .speed = speed * 1.7, .loop = LoopMode::ping_pong});
    animator.play(ClipId{2}, {.layer = 2, .speed = speed});
    animator.play(ClipId{3}, {.layer = 3, .speed = speed});
    Totals totals;
    const auto steps = static_cast<int>(std::lround(seconds / dt));
    for (int i = 0; i < steps; ++i) {
      double last = 0;
      for (const AnimatorEvent& event : animator.advance(dt)) {
        totals[{static_cast<int>(event.kind), static_cast<std::uint32_t>(event.clip),
                event.marker ? event.marker->name : ""}] += event.count;
        CHECK(event.seconds >= last);
        CHECK(event.seconds <= dt);
        last = event.seconds;
      }
    }
    return totals;
  };
  // Not a multiple of a frame, so rounding cannot decide.
  for (const double speed : {1.0, -1.0, 0.37, -2.6}) {
    CAPTURE(speed);
    const double seconds = 7.043;
    const Totals whole = run(seconds, seconds, speed);
    CHECK(whole.size() > 15);
    for (const int parts : {3, 100, 7043, 70430}) {
      CAPTURE(parts);
      CHECK(run(seconds, seconds / parts, speed) == whole);
    }
    const Totals long_run = run(100.043, 100.043, speed);
    CHECK(run(100.043, 100.043 / 10'000, speed) == long_run);
    const std::uint64_t loops = long_run.at({static_cast<int>(Kind::looped), 0, ""});
    CHECK(loops == static_cast<std::uint64_t>(std::floor(100.043 * std::abs(speed) * 10 / 7)));
  }
}

TEST_CASE("a step of any size returns at most one event per kind and marker", "[animator]") {
  Animator animator(three_clips());
  animator.set_markers(std::make_shared<Markers>(std::vector<Marker>{{ClipId{1}, 2, "step"}}));
  animator.play(ClipId{1});
  const auto events = reported(animator.advance(1e9 + 0.05));
  CHECK(events == std::vector<ReportedEvent>{{Kind::started, 1, 0},
                                             {Kind::marker, 1, 0.2, 2'500'000'000, "step"},
                                             {Kind::looped, 1, 0.4, 2'500'000'000}});
  animator.advance(HUGE_VAL);
  animator.advance(-HUGE_VAL);
  animator.advance(std::nan(""));
  animator.advance(1e300);
  CHECK(std::isfinite(root_x(animator)));
}

TEST_CASE("a playing clip can seek, slow down and pause", "[animator]") {
  Animator animator(three_clips());
  const PlayId id = animator.play(ClipId{1});
  animator.find(id)->clock.seek_frame(3);
  CHECK(root_x(animator) == 3.0F);
  animator.find(id)->clock.pause();
  animator.advance(1);
  CHECK(root_x(animator) == 3.0F);
  animator.play(ClipId{2});
  CHECK(animator.find(id) == nullptr);
  CHECK(animator.find(PlayId::none) == nullptr);
}

TEST_CASE("a layer applies its weight and its mask", "[animator]") {
  CharacterData data = character_of({{"bind", true, {0}}, {"base", true, {8}}, {"top", true, {4}}}).data();
  data.clips[1].samples.rotation_degrees = {10, 20};
  data.clips[2].samples.rotation_degrees = {350, 60};
  data.clips[2].samples.visible = {0, 0};
  data.clips[2].samples.z_order = {5, 6};
  const Character character = build(std::move(data));
  Animator animator(character);
  animator.play(ClipId{1});
  animator.play(ClipId{2}, {.layer = 1});
  Pose pose;

  animator.set_layer(1, {.weight = 0.25F, .mask = mask_of_subtree(character, BoneId{1})});
  animator.sample(pose);
  CHECK(pose.x[0] == 8.0F);
  CHECK(pose.rotation_degrees[0] == 10.0F);
  CHECK(pose.rotation_degrees[1] == Approx(30));
  CHECK(pose.visible == SampleArray<std::uint8_t>{1, 1});
  CHECK(pose.z_order == SampleArray<std::int32_t>{0, 0});

  animator.set_layer(1, {.weight = 0.5F});
  animator.sample(pose);
  CHECK(pose.x[0] == Approx(6));
  CHECK(pose.rotation_degrees[0] == Approx(0).margin(1e-5));
  CHECK(pose.visible == SampleArray<std::uint8_t>{0, 0});
  CHECK(pose.z_order == SampleArray<std::int32_t>{5, 6});

  animator.set_layer(1, {.mode = LayerMode::additive, .mask = mask_of_bones(character, std::vector{BoneId{0}})});
  animator.sample(pose);
  CHECK(pose.x[0] == Approx(12));
  CHECK(pose.rotation_degrees[0] == Approx(0).margin(1e-5));
  CHECK(pose.rotation_degrees[1] == 20.0F);
  CHECK(pose.visible == SampleArray<std::uint8_t>{1, 1});

  animator.set_layer_weight(1, 0);
  animator.sample(pose);
  CHECK(pose.x[0] == 8.0F);
  CHECK(animator.plays_alone());
}

TEST_CASE("no fade switches visibility or draw order more than once", "[animator]") {
  // Each clip has its own draw order. Whatever fades over whatever, orders only increase.
  std::vector<Track> tracks;
  for (int i = 0; i < 6; ++i) tracks.push_back({"clip" + std::to_string(i), true, {0}});
  CharacterData data = character_of(std::move(tracks)).data();
  for (std::int32_t i = 0; i < 6; ++i) data.clips[static_cast<std::size_t>(i)].samples.z_order = {i, i};
  const Character character = build(std::move(data));
  std::minstd_rand random(7);
  for (int round = 0; round < 200; ++round) {
    Animator animator(character);
    animator.play(ClipId{0});
    std::int32_t last = 0;
    std::uint32_t next = 1;
    for (int step = 0; step < 400; ++step) {
      if (next < 6 && random() % 20 == 0) {
        animator.play(ClipId{next++}, {.fade_seconds = static_cast<double>(random() % 100) / 100});
      }
      animator.advance(0.01);
      Pose pose;
      animator.sample(pose);
      REQUIRE(pose.z_order[0] >= last);
      last = pose.z_order[0];
    }
  }
}

TEST_CASE("crossfades move no faster than their clips and the distance between them", "[animator]") {
  const Character character = load_asset("kiri.pchr");
  constexpr double kStep = 0.001;
  constexpr double kFade = 0.25;
  // The fastest that any bone moves or rotates in a clip per step, smoothly sampled.
  float fastest = 0, fastest_rotation = 0;
  const auto compare = [](const PoseBuffers& a, const PoseBuffers& b, float& moved, float& rotated) {
    for (std::size_t i = 0; i < a.world.size(); ++i) {
      moved = std::max(moved, std::hypot(a.pose.x[i] - b.pose.x[i], a.pose.y[i] - b.pose.y[i]));
      const float rotation = std::remainder(a.pose.rotation_degrees[i] - b.pose.rotation_degrees[i], 360.0F);
      rotated = std::max(rotated, std::abs(rotation));
    }
  };
  PoseBuffers posed, before;
  for (const ClipId clip : character.clips().ids()) {
    Clock clock(character.clips()[clip], LoopMode::ping_pong);
    pose_clip(character, clip, clock.position(Sampling::smooth), before);
    for (int i = 0; i < 4000; ++i) {
      clock.advance(kStep);
      pose_clip(character, clip, clock.position(Sampling::smooth), posed);
      compare(posed, before, fastest, fastest_rotation);
      std::swap(posed, before);
    }
  }
  // The largest distance between two clips. A fade crosses it within its duration, or less if it starts from another
  // fade.
  float apart = 0, apart_rotation = 0;
  std::vector<PoseBuffers> frames;
  for (const ClipId clip : character.clips().ids()) {
    for (std::uint32_t frame = 0; frame < character.clips()[clip].frame_count; ++frame) {
      pose_clip(character, clip, {frame, frame, 0}, frames.emplace_back());
    }
  }
  for (const PoseBuffers& a : frames) {
    for (const PoseBuffers& b : frames) compare(a, b, apart, apart_rotation);
  }

  std::minstd_rand random(3);
  Animator animator(character);
  animator.set_sampling(Sampling::smooth);
  animator.play(ClipId{0}, {.loop = LoopMode::ping_pong});
  animator.pose(before);
  float largest = 0, largest_rotation = 0;
  std::size_t max_plays = 0;
  for (int i = 0; i < 60'000; ++i) {
    // Often many fades at once, more than are kept separately.
    if (random() % (i % 10'000 < 5'000 ? 300 : 15) == 0) {
      const auto clip = static_cast<std::uint32_t>(random() % character.clips().size());
      animator.play(ClipId{clip}, {.fade_seconds = kFade, .loop = LoopMode::ping_pong});
    }
    animator.advance(kStep);
    animator.pose(posed);
    compare(posed, before, largest, largest_rotation);
    std::swap(posed, before);
    max_plays = std::max(max_plays, animator.plays().size());
  }
  CHECK(max_plays == Animator::kMaxPlays);
  // All concurrent fades can add up.
  const auto share = static_cast<float>(kStep / kFade * Animator::kMaxPlays);
  CHECK(largest < fastest + apart * share);
  CHECK(largest_rotation < fastest_rotation + apart_rotation * share);
  // In practice they stay far below that.
  CHECK(largest < fastest + apart * share / 2);
  CHECK(largest_rotation < fastest_rotation + apart_rotation * share / 2);
}

TEST_CASE("a fade between opposite rotations keeps its direction", "[animator]") {
  CharacterData data = character_of({{"bind", true, {0}}, {"a", false, {0, 0}}, {"b", false, {0, 0}}}).data();
  data.clips[1].frames_per_second = data.clips[2].frames_per_second = 1;
  // From 170 degrees apart to 190, past each other's opposite.
  data.clips[1].samples.rotation_degrees = {0, 0, -10, 0};
  data.clips[2].samples.rotation_degrees = {170, 0, 180, 0};
  Animator animator(build(std::move(data)));
  animator.set_sampling(Sampling::smooth);
  animator.play(ClipId{1});
  animator.play(ClipId{2}, {.fade_seconds = 1});
  Pose pose;
  float last = 0;
  for (int i = 1; i < 1000; ++i) {
    animator.advance(0.001);
    animator.sample(pose);
    REQUIRE(std::abs(std::remainder(pose.rotation_degrees[0] - last, 360.0F)) < 0.25F);
    last = pose.rotation_degrees[0];
  }
  CHECK(last == Approx(180).margin(0.5));
}

TEST_CASE("root motion adds up over loops and is removed from the pose", "[animator]") {
  // Ten pixels per frame, so 40 per loop: the seam counts as the step before it.
  const Character character =
      character_of({{"bind", true, {0}}, {"walk", true, {100, 110, 120, 130}}, {"hop", false, {0, 5, 7}}});
  for (const double dt : {2.05, 0.01, 0.37}) {
    CAPTURE(dt);
    Animator animator(character);
    animator.set_root_motion(RootMotion{BoneId{0}});
    animator.play(ClipId{1});
    double seconds = 0;
    Vec2 total{0.0F};
    while (seconds + dt < 2.06) {
      animator.advance(dt);
      total += animator.take_root_motion();
      seconds += dt;
      CHECK(root_x(animator) == 0.0F);
    }
    CHECK(total.x == Approx(seconds * 100).margin(1e-3));
    CHECK(total.y == 0.0F);
  }
  Animator animator(character);
  animator.set_root_motion(RootMotion{BoneId{0}});
  animator.play(ClipId{1}, {.speed = -1});
  animator.advance(0.95);
  CHECK(animator.take_root_motion().x == Approx(-95).margin(1e-3));
  CHECK(animator.take_root_motion() == Vec2{0.0F});
  animator.play(ClipId{2});
  animator.advance(5);
  CHECK(animator.take_root_motion().x == Approx(7));
  animator.play(ClipId{1}, {.loop = LoopMode::ping_pong});
  animator.advance(0.6);
  CHECK(animator.take_root_motion().x == Approx(0).margin(1e-3));
  // Halfway through the fade, it moves half as fast.
  animator.play(ClipId{2}, {.speed = 0});
  animator.advance(1);
  const PlayId walk = animator.play(ClipId{1}, {.fade_seconds = 1e9});
  animator.find(walk)->faded_seconds = 0.5e9;
  CHECK(animator.take_root_motion().x == Approx(0).margin(1e-3));
  animator.advance(0.4);
  CHECK(animator.take_root_motion().x == Approx(20).margin(1e-3));
}

TEST_CASE("overrides apply after the clips", "[animator]") {
  const Character character = three_clips();
  Animator animator(character);
  animator.play(ClipId{2});
  animator.overrides = {{.bone = BoneId{0}, .x = 4.0F, .rotation_degrees = 90.0F, .weight = 0.5F},
                        {.bone = BoneId{1}, .y = 3.0F, .scale_x = 2.0F, .visible = false, .relative = true},
                        {.bone = BoneId{99}, .x = 1.0F}};
  PoseBuffers posed;
  animator.pose(posed);
  CHECK(posed.pose.x[0] == Approx(7));
  CHECK(posed.pose.rotation_degrees[0] == Approx(45));
  CHECK(posed.pose.y[1] == 3.0F);
  CHECK(posed.pose.scale_x[1] == 2.0F);
  CHECK(posed.pose.visible[1] == 0);
  CHECK(posed.world[0][2].x == Approx(7));
  CHECK_FALSE(animator.plays_alone());
}

TEST_CASE("many animators advance and pose like each one alone", "[animator]") {
  const Character character = load_asset("kiri.pchr");
  std::vector<Animator> many(20, Animator(character));
  std::vector<PoseBuffers> posed(many.size());
  for (std::uint32_t i = 0; i < many.size(); ++i) many[i].play(ClipId{i % 3}, {.start_seconds = i * 0.05});
  std::vector<Animator> alone = many;
  advance_many(many, 0.2);
  pose_many(many, posed);
  for (std::size_t i = 0; i < many.size(); ++i) {
    PoseBuffers one;
    alone[i].advance(0.2);
    alone[i].pose(one);
    CHECK(one.palette == posed[i].palette);
    CHECK(reported(many[i].events()) == reported(alone[i].events()));
  }
}

}  // namespace animator_test
