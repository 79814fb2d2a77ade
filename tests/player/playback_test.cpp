// SPDX-License-Identifier: MIT
// Playback, without a document, a view or a window.
#include "playback/playback.hpp"

#include "support/catch.hpp"
#include "support/scenes.hpp"

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
  std::optional<CharaInfo> chara{};
  Playback playback{};
  Shown() { play_file(playback, {character, markers, chara}, ClipId{1}); }
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
  set_mode(shown.playback, {shown.character, shown.markers, shown.chara}, PlaybackMode::mix);
  REQUIRE(shown.playback.mix() != nullptr);
  add_layer(*shown.playback.mix(), ClipId{2});
  shown.playback.mix()->fade_seconds = 1.5;
  set_mode(shown.playback, {shown.character, shown.markers, shown.chara}, PlaybackMode::clip);
  CHECK(shown.playback.shows_clip());
  set_mode(shown.playback, {shown.character, shown.markers, shown.chara}, PlaybackMode::mix);
  CHECK(shown.playback.mix()->layers.size() == 1);
  play_file(shown.playback, {shown.character, shown.markers, shown.chara}, ClipId{2});
  REQUIRE(shown.playback.mix() != nullptr);
  CHECK(shown.playback.mix()->layers.empty());
  CHECK(shown.playback.mix()->from == ClipId{2});
  CHECK(shown.playback.mix()->fade_seconds == 1.5);
  play_file(shown.playback, {shown.character, shown.markers, shown.chara}, std::nullopt);
  CHECK(shown.playback.shows_clip());
}

TEST_CASE("a reloaded file keeps clip, range, time and play state", "[player][playback]") {
  Shown shown;
  select_clip(shown.playback, shown.character, ClipId{1});
  set_range(shown.playback, shown.character, FrameRange{2, 6});
  seek_frame(shown.playback, 5);
  const Character again = walk_and_run(6);
  reload_file(shown.playback, {shown.character, shown.markers, shown.chara}, {again, shown.markers, shown.chara},
              ClipId{2});
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
