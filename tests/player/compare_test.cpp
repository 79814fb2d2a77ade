// SPDX-License-Identifier: MIT
// Two clips on one clock.
#include "compare.hpp"

#include "session.hpp"
#include "support/catch.hpp"
#include "support/scenes.hpp"

#include <pchr/offscreen.hpp>

namespace pchr::player {
namespace {

enum : std::uint32_t { kWalk, kStep, kSlow, kEmpty };

/// Clips of 8 and 3 frames at 8 per second, of 4 at 2 per second, and one without frames. All loop.
CharacterData four_clips() {
  CharacterData data = test::two_bone_arm();
  const std::size_t bones = data.bones.size();
  data.clips = {test::resting_clip("walk", 8, bones, 8), test::resting_clip("step", 3, bones, 8),
                test::resting_clip("slow", 4, bones, 2), test::resting_clip("empty", 0, bones)};
  for (Clip& clip : data.clips) clip.looping = true;
  return data;
}

struct Shown {
  HeadlessContext context = HeadlessContext::create().value();
  Renderer renderer = Renderer::create(context.get_proc_address()).value();
  Session session{};

  Shown() {
    show_model(session, "a/hero.pchr", model(four_clips()), kWalk, {});
    session.document->clock.pause();
    set_compare_mode(session, CompareMode::side_by_side);
    advance(session, 0);
  }

  Model model(CharacterData data) { return renderer.upload(Character::build(std::move(data)).value()).value(); }

  void compare_with(CharacterData data) {
    compare_file(session, ComparedFile{"b/other.pchr", model(std::move(data))});
    advance(session, 0);
  }
  void seek(std::uint32_t frame) {
    seek_frame(session, frame);
    advance(session, 0);
  }
  void play(double seconds) {
    session.document->clock.play();
    advance(session, seconds);
  }
  [[nodiscard]] std::uint32_t frame() const { return session.comparison.shown->frame; }
  [[nodiscard]] std::string clip() const {
    return compared_model(session).character().clips()[*session.comparison.clip].name;
  }
};

}  // namespace

TEST_CASE("C goes from off to side by side, to wipe, and back", "[player][compare]") {
  Shown shown;
  CHECK(shown.session.comparison.mode == CompareMode::side_by_side);
  cycle_compare_mode(shown.session);
  CHECK(shown.session.comparison.mode == CompareMode::wipe);
  cycle_compare_mode(shown.session);
  CHECK_FALSE(comparing(shown.session));
  Session empty;
  cycle_compare_mode(empty);
  CHECK_FALSE(comparing(empty));
}

TEST_CASE("the second clip is at the seconds of the first, wrapped by its own length", "[player][compare]") {
  Shown shown;
  CHECK(shown.clip() == "step");
  for (std::uint32_t frame = 0; frame < 8; ++frame) {
    shown.seek(frame);
    CHECK(shown.frame() == frame % 3);
  }
  compare_clip(shown.session, kSlow);
  for (std::uint32_t frame = 0; frame < 8; ++frame) {
    shown.seek(frame);
    CHECK(shown.frame() == frame / 4);
  }
}

TEST_CASE("a clip that is longer than the first goes on when that begins anew", "[player][compare]") {
  Shown shown;
  compare_clip(shown.session, kSlow);
  shown.seek(0);
  shown.play(1.25);
  CHECK(shown.session.document->clock.frame() == 2);
  CHECK(shown.frame() == 2);
  shown.play(0.5);
  CHECK(shown.frame() == 3);
  shown.play(0.5);
  CHECK(shown.frame() == 0);
  shown.seek(4);
  CHECK(shown.frame() == 1);
}

TEST_CASE("in reverse, at another speed and in a range both go the same way", "[player][compare]") {
  Shown shown;
  compare_clip(shown.session, kSlow);
  shown.seek(4);
  set_speed(shown.session, -2);
  shown.play(0.375);
  CHECK(shown.session.document->clock.seconds() == Approx(0.75));
  CHECK(shown.frame() == 3);
  set_speed(shown.session, 1);
  set_range(shown.session, FrameRange{0, 1});
  for (int i = 0; i < 20; ++i) {
    shown.play(0.125);
    CHECK(shown.frame() == 0);
  }
}

TEST_CASE("where the first plays once, both end on their last frames at most", "[player][compare]") {
  Shown shown;
  shown.seek(0);
  set_loop_mode(shown.session, LoopMode::once);
  shown.play(5);
  CHECK(shown.session.document->clock.frame() == 7);
  CHECK(shown.frame() == 2);
}

TEST_CASE("hidden meshes are hidden on both sides of one file", "[player][compare]") {
  Shown shown;
  const std::size_t all = shown.session.comparison.posed.draw_list.size();
  REQUIRE(all > 0);
  set_hidden(shown.session.selection, shown.session.document->character(), 0, true);
  refresh(shown.session);
  advance(shown.session, 0);
  CHECK(shown.session.comparison.posed.draw_list.size() == all - 1);
}

TEST_CASE("another file shows its clip of the same name until another is chosen", "[player][compare]") {
  Shown shown;
  CharacterData other = four_clips();
  std::swap(other.clips[kWalk], other.clips[kSlow]);
  other.clips[kStep].name = "jump";
  shown.compare_with(other);
  CHECK(compared_name(shown.session) == "other.pchr");
  CHECK(shown.clip() == "walk");
  select_clip(shown.session, kSlow);
  advance(shown.session, 0);
  CHECK(shown.clip() == "slow");
  select_clip(shown.session, kStep);
  advance(shown.session, 0);
  CHECK(shown.clip() == "slow");
  compare_clip(shown.session, kStep);
  select_clip(shown.session, kWalk);
  advance(shown.session, 0);
  CHECK(shown.clip() == "jump");
  compare_file(shown.session, std::nullopt);
  advance(shown.session, 0);
  CHECK(compared_name(shown.session) == "hero.pchr");
}

TEST_CASE("swapping sides keeps the moment, twice is as before", "[player][compare]") {
  Shown shown;
  const bool other_file = GENERATE(false, true);
  if (other_file) shown.compare_with(four_clips());
  compare_clip(shown.session, kSlow);
  shown.seek(5);
  const std::string first = shown.session.document->name();
  const std::string second = compared_name(shown.session);
  swap_sides(shown.session);
  advance(shown.session, 0);
  CHECK(shown.session.document->name() == second);
  CHECK(compared_name(shown.session) == first);
  CHECK(shown.session.document->clip == kSlow);
  CHECK(shown.session.document->clock.frame() == 1);
  CHECK_FALSE(playing(shown.session));
  CHECK(shown.clip() == "walk");
  CHECK(shown.frame() == 5);
  swap_sides(shown.session);
  advance(shown.session, 0);
  CHECK(shown.session.document->name() == first);
  CHECK(shown.session.document->clock.frame() == 5);
  CHECK(shown.clip() == "slow");
  CHECK(shown.frame() == 1);
}

TEST_CASE("a reload keeps what is compared, a mix does without, and nothing to compare is survived",
          "[player][compare]") {
  Shown shown;
  compare_clip(shown.session, kSlow);
  advance(shown.session, 0);
  CharacterData again = four_clips();
  std::swap(again.clips[kStep], again.clips[kSlow]);
  show_model_again(shown.session, shown.model(again), kWalk, {});
  advance(shown.session, 0);
  CHECK(shown.clip() == "slow");
  set_drive(shown.session, Drive::mix);
  CHECK_FALSE(comparing(shown.session));
  cycle_compare_mode(shown.session);
  CHECK(comparing(shown.session));
  CharacterData none = four_clips();
  none.clips.clear();
  shown.compare_with(none);
  CHECK_FALSE(shown.session.comparison.clip);
  CHECK(shown.session.comparison.shown);
  swap_sides(shown.session);
  CHECK(shown.session.document->name() == "hero.pchr");
}

TEST_CASE("the divider stays on the canvas", "[player][compare]") {
  Session session;
  for (int i = 0; i < 30; ++i) move_divider(session, 0.05F);
  CHECK(session.comparison.divider == 1.0F);
  move_divider(session, -2.0F);
  CHECK(session.comparison.divider == 0.0F);
}

}  // namespace pchr::player
