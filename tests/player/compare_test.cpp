// SPDX-License-Identifier: MIT
// Comparing two clips on one clock.
#include "view/scene.hpp"

#include "shown.hpp"
#include "support/catch.hpp"
#include "support/scenes.hpp"

#include <pchr/offscreen.hpp>

namespace pchr::player::compare_test {
namespace {

constexpr ClipId kWalk{0}, kStep{1}, kSlow{2};

/// Clips with 8 and 3 frames at 8 FPS, with 4 at 2 FPS, and one without frames. All loop.
CharacterData four_clips() {
  CharacterData data = test::two_bone_arm();
  const std::size_t bones = data.bones.size();
  data.clips = {test::resting_clip("walk", 8, bones, 8), test::resting_clip("step", 3, bones, 8),
                test::resting_clip("slow", 4, bones, 2), test::resting_clip("empty", 0, bones)};
  for (Clip& clip : data.clips) clip.looping = true;
  return data;
}

struct Shown : Windowless {
  Shown() {
    show_model(app, "a/hero.pchr", model(four_clips()), kWalk);
    app.playback.clock.pause();
    set_compare_mode(app, CompareMode::side_by_side);
    advance(app, 0);
  }

  void compare_with(CharacterData data) {
    compare_file(app, Document{.path = "b/other.pchr", .model = model(std::move(data))});
    advance(app, 0);
  }
  void seek(std::uint32_t frame) {
    seek_frame(app.playback, frame);
    advance(app, 0);
  }
  void play(double seconds) {
    app.playback.clock.play();
    advance(app, seconds);
  }
  [[nodiscard]] std::uint32_t frame() const { return second_time(app).frame; }
  [[nodiscard]] std::string clip() const { return second_document(app).character().clips()[*app.comparison.clip].name; }
};

}  // namespace

TEST_CASE("comparing cycles through off, side by side, wipe and difference", "[player][compare]") {
  Shown shown;
  CHECK(shown.app.comparison.mode == CompareMode::side_by_side);
  cycle_compare_mode(shown.app);
  CHECK(shown.app.comparison.mode == CompareMode::wipe);
  cycle_compare_mode(shown.app);
  CHECK(shown.app.comparison.mode == CompareMode::difference);
  cycle_compare_mode(shown.app);
  CHECK_FALSE(comparing(shown.app));
  toggle_difference(shown.app);
  CHECK(shown.app.comparison.mode == CompareMode::difference);
  toggle_difference(shown.app);
  CHECK(shown.app.comparison.mode == CompareMode::wipe);
  App app;
  cycle_compare_mode(app);
  CHECK_FALSE(comparing(app));
}

TEST_CASE("the second clip plays at the first one's time, wrapped to its own length", "[player][compare]") {
  Shown shown;
  CHECK(shown.clip() == "step");
  for (std::uint32_t frame = 0; frame < 8; ++frame) {
    shown.seek(frame);
    CHECK(shown.frame() == frame % 3);
  }
  compare_clip(shown.app, kSlow);
  for (std::uint32_t frame = 0; frame < 8; ++frame) {
    shown.seek(frame);
    CHECK(shown.frame() == frame / 4);
  }
}

TEST_CASE("a longer second clip continues when the first one restarts", "[player][compare]") {
  Shown shown;
  compare_clip(shown.app, kSlow);
  shown.seek(0);
  shown.play(1.25);
  CHECK(shown.app.playback.clock.frame() == 2);
  CHECK(shown.frame() == 2);
  shown.play(0.5);
  CHECK(shown.frame() == 3);
  shown.play(0.5);
  CHECK(shown.frame() == 0);
  shown.seek(4);
  CHECK(shown.frame() == 1);
}

TEST_CASE("speed, direction and range apply to both clips", "[player][compare]") {
  Shown shown;
  compare_clip(shown.app, kSlow);
  shown.seek(4);
  set_speed(shown.app.playback, -2);
  shown.play(0.375);
  CHECK(shown.app.playback.clock.seconds() == Approx(0.75));
  CHECK(shown.frame() == 3);
  set_speed(shown.app.playback, 1);
  set_range(shown.app.playback, shown.app.document()->character(), FrameRange{0, 1});
  for (int i = 0; i < 20; ++i) {
    shown.play(0.125);
    CHECK(shown.frame() == 0);
  }
}

TEST_CASE("if the first clip plays once, both stop at their last frame", "[player][compare]") {
  Shown shown;
  shown.seek(0);
  set_settings(shown.app.playback, {.mode = LoopMode::once});
  shown.play(5);
  CHECK(shown.app.playback.clock.frame() == 7);
  CHECK(shown.frame() == 2);
}

TEST_CASE("hidden meshes are hidden on both sides of one file", "[player][compare]") {
  Shown shown;
  const std::size_t all = second_posed(shown.app).draw_list.size();
  REQUIRE(all > 0);
  set_hidden(shown.app.document()->selection, shown.app.document()->character(), MeshId{0}, true);
  advance(shown.app, 0);
  CHECK(second_posed(shown.app).draw_list.size() == all - 1);
}

TEST_CASE("another file shows the clip of the same name until one is chosen", "[player][compare]") {
  Shown shown;
  CharacterData other = four_clips();
  std::swap(other.clips[index(kWalk)], other.clips[index(kSlow)]);
  other.clips[index(kStep)].name = "jump";
  shown.compare_with(other);
  CHECK(second_name(shown.app) == "other.pchr");
  CHECK(shown.clip() == "walk");
  select_clip(shown.app.playback, shown.app.document()->character(), kSlow);
  advance(shown.app, 0);
  CHECK(shown.clip() == "slow");
  select_clip(shown.app.playback, shown.app.document()->character(), kStep);
  advance(shown.app, 0);
  CHECK(shown.clip() == "jump");  // The one at the same place in the list.
  compare_clip(shown.app, kStep);
  select_clip(shown.app.playback, shown.app.document()->character(), kWalk);
  advance(shown.app, 0);
  CHECK(shown.clip() == "jump");
  compare_file(shown.app, std::nullopt);
  advance(shown.app, 0);
  CHECK(second_name(shown.app) == "hero.pchr");
}

TEST_CASE("swapping sides keeps the time, and swapping twice restores everything", "[player][compare]") {
  Shown shown;
  const bool other_file = GENERATE(false, true);
  if (other_file) shown.compare_with(four_clips());
  compare_clip(shown.app, kSlow);
  shown.seek(5);
  const std::string first = shown.app.document()->name();
  const std::string second = second_name(shown.app);
  swap_sides(shown.app);
  advance(shown.app, 0);
  CHECK(shown.app.document()->name() == second);
  CHECK(second_name(shown.app) == first);
  CHECK(shown.app.playback.clip == kSlow);
  CHECK(shown.app.playback.clock.frame() == 1);
  CHECK_FALSE(shown.app.playback.playing());
  CHECK(shown.clip() == "walk");
  CHECK(shown.frame() == 5);
  swap_sides(shown.app);
  advance(shown.app, 0);
  CHECK(shown.app.document()->name() == first);
  CHECK(shown.app.playback.clock.frame() == 5);
  CHECK(shown.clip() == "slow");
  CHECK(shown.frame() == 1);
}

TEST_CASE("a comparison survives a reload, a mix ends it, and a file without clips works", "[player][compare]") {
  Shown shown;
  compare_clip(shown.app, kSlow);
  advance(shown.app, 0);
  CharacterData again = four_clips();
  std::swap(again.clips[index(kStep)], again.clips[index(kSlow)]);
  reload_model(shown.app, shown.model(again), kWalk);
  advance(shown.app, 0);
  CHECK(shown.clip() == "slow");
  set_mode(shown.app, PlaybackMode::mix);
  CHECK_FALSE(comparing(shown.app));
  cycle_compare_mode(shown.app);
  CHECK(comparing(shown.app));
  CharacterData none = four_clips();
  none.clips.clear();
  shown.compare_with(none);
  CHECK_FALSE(shown.app.comparison.clip);
  CHECK_FALSE(second_posed(shown.app).draw_list.empty());
  swap_sides(shown.app);
  CHECK(shown.app.document()->name() == "hero.pchr");
}

TEST_CASE("the divider stays on the canvas", "[player][compare]") {
  App app;
  for (int i = 0; i < 30; ++i) move_divider(app.comparison, 0.05F);
  CHECK(app.comparison.divider == 1.0F);
  move_divider(app.comparison, -2.0F);
  CHECK(app.comparison.divider == 0.0F);
}

TEST_CASE("another file shows the clip of the same name, else at the same place, else its default",
          "[player][compare]") {
  Shown shown;
  CharacterData other = four_clips();
  std::swap(other.clips[0], other.clips[2]);
  shown.compare_with(other);
  CHECK(shown.clip() == "walk");
  other.clips[2].name = "run";
  shown.compare_with(other);
  CHECK(shown.clip() == "slow");
  other.clips[0].frame_count = 0;
  other.clips[0].samples = {};
  shown.compare_with(other);
  CHECK(shown.clip() == "step");
}

TEST_CASE("the version before a save is compared under a wipe until that ends", "[player][compare]") {
  Shown shown;
  App& app = shown.app;
  CHECK_FALSE(app.find(Role::previous));
  toggle_previous(app);
  CHECK_FALSE(compares_files(app));
  CharacterData saved = four_clips();
  saved.clips[0].name = "stroll";
  Document next{.path = "a/hero.pchr", .model = shown.model(std::move(saved))};
  const auto save = [&](Document document) {
    auto actor = std::make_unique<Actor>(Actor{.document = std::move(document)});
    keep_previous(app, replace_open(app, std::move(actor), ClipId{0}, Opened::reloaded));
  };
  save(std::move(next));
  toggle_previous(app);
  advance(app, 0);
  CHECK(app.comparison.mode == CompareMode::wipe);
  CHECK(second_name(app) == "Previous save");
  CHECK(app.current_clip()->name == "stroll");
  CHECK(shown.clip() == "walk");
  swap_sides(app);
  CHECK(app.current_clip()->name == "stroll");
  // The next version replaces it, also while it is shown.
  Document last{.path = "a/hero.pchr", .model = shown.model(four_clips())};
  save(std::move(last));
  advance(app, 0);
  CHECK(shown.clip() == "stroll");
  toggle_previous(app);
  CHECK_FALSE(comparing(app));
  cycle_compare_mode(app);
  CHECK_FALSE(compares_files(app));
  show_model(app, "a/other.pchr", shown.model(four_clips()), kWalk);
  CHECK_FALSE(app.find(Role::previous));
}

}  // namespace pchr::player::compare_test
