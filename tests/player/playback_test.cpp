// SPDX-License-Identifier: MIT
// Playing clips.
#include "playback/playback.hpp"
#include "support/catch.hpp"
#include "support/scenes.hpp"

#include <cmath>
#include <vector>

namespace pchr::test::transport_test {
namespace {

using player::PlaybackSettings;
using player::Transport;

constexpr double kFrame = 1.0 / 24.0;

/// Ten frames at 24 FPS.
Clip ten_frames(bool looping = false) {
  Clip clip = resting_clip("ten", 10, 1);
  clip.looping = looping;
  return clip;
}

/// Returns the frames shown halfway through each frame's time.
std::vector<std::uint32_t> shown(Transport transport, std::size_t count, std::uint32_t hold = 1) {
  std::vector<std::uint32_t> frames;
  transport.advance(kFrame * 0.5);
  for (std::size_t i = 0; i < count; ++i) {
    frames.push_back(transport.position(Sampling::step, hold).frame);
    transport.advance(kFrame);
  }
  return frames;
}

const Clip kTen = ten_frames();
const Clip kTenLooping = ten_frames(true);

using Frames = std::vector<std::uint32_t>;

}  // namespace

TEST_CASE("a range plays only its frames, repeatedly", "[transport]") {
  Transport transport(kTen, {});
  transport.set_range(kTen, FrameRange{3, 5});
  CHECK(shown(transport, 7) == Frames{3, 4, 5, 3, 4, 5, 3});
  transport.configure({.mode = LoopMode::once});
  CHECK(shown(transport, 5) == Frames{3, 4, 5, 5, 5});
  transport.configure({.mode = LoopMode::ping_pong});
  CHECK(shown(transport, 6) == Frames{3, 4, 5, 4, 3, 4});
}

TEST_CASE("setting a range keeps the frame if possible, and the play state", "[transport]") {
  Transport transport(kTen, {});
  transport.seek_frame(4);
  transport.pause();
  transport.set_range(kTen, FrameRange{2, 6});
  CHECK(transport.frame() == 4);
  CHECK_FALSE(transport.playing());
  transport.set_range(kTen, FrameRange{6, 7});
  CHECK(transport.frame() == 6);
  CHECK(std::abs(transport.seconds() - 6 * kFrame) < 1e-12);
  transport.set_range(kTen, std::nullopt);
  CHECK(transport.frame() == 6);
  CHECK(transport.played() == FrameRange{0, 9});
}

TEST_CASE("a range is clamped to the clip, and an inverted one is ignored", "[transport]") {
  Transport transport(kTen, {});
  transport.set_range(kTen, FrameRange{8, 4000});
  CHECK(transport.range() == FrameRange{8, 9});
  transport.set_range(kTen, FrameRange{5, 2});
  CHECK(transport.range() == FrameRange{8, 9});
  Transport nothing;
  nothing.set_range(Clip{}, FrameRange{0, 0});
  CHECK_FALSE(nothing.range());
}

TEST_CASE("stepping stays within the range, and seeking may leave it", "[transport]") {
  Transport transport(kTenLooping, {});
  transport.set_range(kTenLooping, FrameRange{3, 5});
  transport.seek_frame(5);
  transport.step(1);
  CHECK(transport.frame() == 3);
  transport.step(-10);
  CHECK(transport.frame() == 5);
  transport.seek_seconds(0);
  CHECK(transport.frame() == 3);
  transport.seek_frame(99);
  CHECK(transport.frame() == 9);
  CHECK(transport.seconds() == Approx(9 * kFrame));
  CHECK(transport.outside_range());
  transport.step(-2);
  CHECK(transport.frame() == 7);
  transport.step(-2);
  CHECK(transport.frame() == 5);
  CHECK_FALSE(transport.outside_range());
}

TEST_CASE("playback from outside the range goes on into it", "[transport]") {
  Transport transport(kTen, {});
  transport.set_range(kTen, FrameRange{3, 5});
  transport.seek_frame(1);
  CHECK(transport.playing());
  CHECK(shown(transport, 7) == Frames{1, 2, 3, 4, 5, 3, 4});
  transport.seek_frame(8);
  CHECK(shown(transport, 5) == Frames{8, 9, 3, 4, 5});
  transport.configure({.speed = -1});
  CHECK(shown(transport, 6) == Frames{7, 6, 5, 4, 3, 5});
  transport.pause();
  CHECK_FALSE(transport.playing());
  transport.play();
  transport.advance(100.25 * kFrame);
  CHECK_FALSE(transport.outside_range());
}

TEST_CASE("a clip that does not loop rests on its end and repeats", "[transport]") {
  Transport transport(kTen, {});
  transport.advance(9.5 * kFrame);
  CHECK(transport.seconds_of_rest() == 0);
  transport.advance(kFrame);
  CHECK(transport.frame() == 9);
  CHECK(transport.playing());
  CHECK(transport.seconds_of_rest() == Approx(player::kEndSeconds - 0.5 * kFrame));
  transport.advance(transport.seconds_of_rest() + 1.5 * kFrame);
  CHECK(transport.frame() == 1);
  transport.advance(5 * (10 * kFrame + player::kEndSeconds));
  CHECK(transport.frame() == 1);
  CHECK(transport.playing());
}

TEST_CASE("in reverse, a clip that does not loop rests on its first frame", "[transport]") {
  Transport transport(kTen, {.speed = -1});
  transport.advance(0.5 * kFrame);
  CHECK(transport.frame() == 9);
  transport.advance(10 * kFrame);
  CHECK(transport.frame() == 0);
  CHECK(transport.seconds_of_rest() > 0);
  transport.advance(player::kEndSeconds);
  CHECK(transport.frame() == 9);
}

TEST_CASE("a clip rests only as long as it plays and may repeat", "[transport]") {
  Transport transport(kTen, {});
  transport.advance(10.5 * kFrame);
  REQUIRE(transport.seconds_of_rest() > 0);
  SECTION("pausing ends the rest, and playing starts over") {
    transport.pause();
    CHECK_FALSE(transport.playing());
    transport.play();
    CHECK(transport.frame() == 0);
  }
  SECTION("seeking goes on from there") {
    transport.seek_frame(4);
    transport.advance(1.5 * kFrame);
    CHECK(transport.frame() == 5);
  }
  SECTION("a change of speed keeps it") {
    transport.configure({.speed = 2});
    CHECK(transport.seconds_of_rest() > 0);
  }
  SECTION("Once stops") {
    transport.configure({.mode = LoopMode::once});
    CHECK_FALSE(transport.playing());
    CHECK(transport.frame() == 9);
  }
  SECTION("Loop goes on at once") {
    transport.configure({.mode = LoopMode::loop});
    CHECK(transport.seconds_of_rest() == 0);
    CHECK(transport.playing());
  }
}

TEST_CASE("a single frame does not repeat", "[transport]") {
  const Clip single = resting_clip("single", 1, 1);
  Transport transport(single, {});
  transport.advance(2 * kFrame);
  CHECK_FALSE(transport.playing());
}

TEST_CASE("a counted clip stops on its last frame and restarts when played again", "[transport]") {
  Transport transport(kTenLooping, {.counted = true, .times = 2});
  transport.advance(19.5 * kFrame);
  CHECK(transport.playing());
  CHECK(transport.loop() == 1);
  transport.advance(kFrame);
  CHECK_FALSE(transport.playing());
  CHECK(transport.frame() == 9);
  transport.play();
  CHECK(transport.frame() == 0);
  transport.advance(1000.0);
  CHECK_FALSE(transport.playing());
  CHECK(transport.frame() == 9);
}

TEST_CASE("a counted clip in reverse stops on its first frame", "[transport]") {
  Transport transport(kTenLooping, {.counted = true, .times = 1, .speed = -1});
  transport.play();
  transport.advance(kFrame * 0.5);
  CHECK(transport.frame() == 9);
  transport.advance(kFrame * 9);
  CHECK(transport.playing());
  CHECK(transport.frame() == 0);
  transport.advance(kFrame);
  CHECK_FALSE(transport.playing());
  CHECK(transport.frame() == 0);
}

TEST_CASE("a counted ping-pong plays back and forth that many times", "[transport]") {
  Transport transport(kTen, {.mode = LoopMode::ping_pong, .counted = true, .times = 2});
  transport.advance(35.5 * kFrame);
  CHECK(transport.playing());
  transport.advance(kFrame);
  CHECK_FALSE(transport.playing());
  CHECK(transport.frame() == 0);
}

TEST_CASE("loops are counted from when counting is turned on", "[transport]") {
  Transport transport(kTenLooping, {});
  transport.advance(55 * kFrame);
  transport.configure({.counted = true, .times = 1});
  transport.advance(kFrame);
  CHECK(transport.playing());
}

TEST_CASE("holding frames shows every second, third or further frame", "[transport]") {
  const Transport transport(kTenLooping, {});
  CHECK(shown(transport, 6, 2) == Frames{0, 0, 2, 2, 4, 4});
  CHECK(shown(transport, 10, 3) == Frames{0, 0, 0, 3, 3, 3, 6, 6, 6, 9});
  Transport smooth = transport;
  smooth.advance(2.5 * kFrame);
  CHECK(smooth.position(Sampling::smooth, 2).factor == 0.0F);
  CHECK(smooth.position(Sampling::smooth, 1).factor > 0.0F);
}

TEST_CASE("smooth playback of a range blends its last frame into its first", "[transport]") {
  Transport transport(kTen, {});
  transport.set_range(kTen, FrameRange{3, 5});
  transport.advance(2.5 * kFrame);
  const ClipTime position = transport.position(Sampling::smooth);
  CHECK(position.frame == 5);
  CHECK(position.next == 3);
}

TEST_CASE("neighboring speeds are round, keep the direction and end at the limits", "[transport]") {
  CHECK(player::neighboring_speed(1.0, 1) == 1.5);
  CHECK(player::neighboring_speed(1.0, -1) == 0.75);
  CHECK(player::neighboring_speed(-1.3, 1) == -1.5);
  CHECK(player::neighboring_speed(-1.3, -1) == -1.0);
  CHECK(player::neighboring_speed(player::kMaxSpeed, 1) == player::kMaxSpeed);
  CHECK(player::neighboring_speed(player::kMinSpeed, -1) == player::kMinSpeed);
}

TEST_CASE("a range keeps the durations of its frames", "[transport]") {
  Clip clip = ten_frames(true);
  for (std::uint32_t i = 1; i <= 10; ++i) clip.frame_ends.push_back(0.1 * i * i);
  Transport transport(clip, {});
  transport.set_range(clip, FrameRange{3, 5});
  CHECK(transport.duration_seconds() == Approx(10.0));
  transport.seek_seconds(1.7);
  CHECK(transport.frame() == 4);
  CHECK(transport.seconds() == Approx(1.7));
  transport.advance(2.0);
  CHECK(transport.frame() == 3);
  CHECK(transport.seconds() == Approx(0.9 + 0.1));
}

}  // namespace pchr::test::transport_test

namespace pchr::player::playback_test {
namespace {

Character walk_and_run(std::uint32_t walk_frames = 8) {
  CharacterData data = test::two_bone_arm();
  data.clips = {test::resting_clip("empty", 0, data.bones.size()),
                test::resting_clip("walk", walk_frames, data.bones.size(), 8),
                test::resting_clip("run", 4, data.bones.size(), 8)};
  return Character::build(std::move(data)).value();
}

struct Shown {
  Character character = walk_and_run();
  std::shared_ptr<const Markers> markers = std::make_shared<Markers>();
  std::vector<NamedMask> masks{};
  std::optional<CharaInfo> chara{};
  States states{};
  Playback playback{};
  Shown() { play_file(playback, {character, markers, masks, chara, states}, ClipId{1}); }
};

}  // namespace

TEST_CASE("clips without frames are skipped, and a chosen clip plays", "[player][playback]") {
  Shown shown;
  CHECK(shown.playback.playing());
  select_clip(shown.playback, shown.character, ClipId{0});
  CHECK(shown.playback.clip == ClipId{1});
  shown.playback.clock.pause();
  select_neighbor(shown.playback, shown.character, 1);
  CHECK(shown.playback.clip == ClipId{2});
  CHECK(shown.playback.playing());
  select_neighbor(shown.playback, shown.character, 1);
  CHECK(shown.playback.clip == ClipId{2});
}

TEST_CASE("a mix is kept while hidden, and a new file starts a new one with the same fade", "[player][playback]") {
  Shown shown;
  set_mode(shown.playback, {shown.character, shown.markers, shown.masks, shown.chara, shown.states}, PlaybackMode::mix);
  REQUIRE(shown.playback.mix() != nullptr);
  add_layer(*shown.playback.mix(), ClipId{2});
  shown.playback.mix()->fade_seconds = 1.5;
  set_mode(shown.playback, {shown.character, shown.markers, shown.masks, shown.chara, shown.states},
           PlaybackMode::clip);
  CHECK(shown.playback.shows_clip());
  set_mode(shown.playback, {shown.character, shown.markers, shown.masks, shown.chara, shown.states}, PlaybackMode::mix);
  CHECK(shown.playback.mix()->layers.size() == 1);
  play_file(shown.playback, {shown.character, shown.markers, shown.masks, shown.chara, shown.states}, ClipId{2});
  REQUIRE(shown.playback.mix() != nullptr);
  CHECK(shown.playback.mix()->layers.empty());
  CHECK(shown.playback.mix()->from == ClipId{2});
  CHECK(shown.playback.mix()->fade_seconds == 1.5);
  play_file(shown.playback, {shown.character, shown.markers, shown.masks, shown.chara, shown.states}, std::nullopt);
  CHECK(shown.playback.shows_clip());
}

TEST_CASE("a reloaded file keeps clip, range, time and play state", "[player][playback]") {
  Shown shown;
  select_clip(shown.playback, shown.character, ClipId{1});
  set_range(shown.playback, shown.character, FrameRange{2, 6});
  seek_frame(shown.playback, 5);
  const Character again = walk_and_run(6);
  reload_file(shown.playback, {shown.character, shown.markers, shown.masks, shown.chara, shown.states},
              {again, shown.markers, shown.masks, shown.chara, shown.states}, ClipId{2});
  CHECK(shown.playback.clip == ClipId{1});
  CHECK(shown.playback.clock.range() == FrameRange{2, 5});
  CHECK(shown.playback.clock.frame() == 5);
  CHECK_FALSE(shown.playback.playing());
}

TEST_CASE("a clip chosen after one that ended plays", "[player][playback]") {
  Shown shown;
  set_settings(shown.playback, {.mode = LoopMode::once});
  CHECK(advance(shown.playback, 100));
  CHECK_FALSE(shown.playback.playing());
  choose_clip(shown.playback, shown.character, ClipId{2});
  CHECK(shown.playback.playing());
  CHECK(shown.playback.clock.frame() == 0);
}

TEST_CASE("dragging the playhead pauses until it is let go", "[player][playback]") {
  Shown shown;
  end_scrub(shown.playback);
  CHECK(shown.playback.playing());
  const bool plays = GENERATE(true, false);
  if (!plays) shown.playback.clock.pause();
  scrub(shown.playback, 2);
  scrub(shown.playback, 3);
  CHECK_FALSE(shown.playback.playing());
  CHECK(shown.playback.clock.frame() == 3);
  end_scrub(shown.playback);
  CHECK(shown.playback.playing() == plays);
}

TEST_CASE("settings are clamped to their limits", "[player][playback]") {
  Playback playback;
  set_settings(playback, {.times = 0, .speed = -100, .hold = 99});
  CHECK(playback.settings.times == 1);
  CHECK(playback.settings.speed == -kMaxSpeed);
  CHECK(playback.settings.hold == kMaxHold);
}

}  // namespace pchr::player::playback_test
