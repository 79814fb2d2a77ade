// SPDX-License-Identifier: MIT
// The timeline, without a window.
#include "support/catch.hpp"
#include "support/scenes.hpp"
#include "playback/playback.hpp"
#include "ui/app.hpp"

#include <vector>

namespace pchr::test::timeline_test {
namespace {

using player::LaneRun;
using Runs = std::vector<LaneRun>;
using player::TimelineView;

/// Returns a clip of a thousand frames and a view of it.
Clip thousand_frames() { return resting_clip("clip", 1000, 1); }

TimelineView view_of(const Clip& clip) {
  TimelineView view;
  player::show_clip(view, clip);
  return view;
}

}  // namespace

TEST_CASE("lanes are runs of equal values of a bone", "[timeline]") {
  Clip clip = resting_clip("clip", 6, 2);
  const auto at = [](std::size_t frame, std::size_t bone) { return frame * 2 + bone; };
  clip.samples.visible[at(2, 1)] = 0;
  clip.samples.visible[at(3, 1)] = 0;
  clip.samples.visible[at(0, 0)] = 0;
  clip.samples.z_order[at(5, 1)] = -7;
  clip.samples.x[at(1, 1)] = 3;
  player::Lanes lanes = player::find_lanes(clip, 2, BoneId{1});
  CHECK(lanes.keys == Runs{{0, 0, 0}, {1, 2, 1}, {3, 3, 0}, {4, 5, 1}});
  CHECK(lanes.visible == Runs{{0, 1, 1}, {2, 3, 0}, {4, 5, 1}});
  CHECK(lanes.z_order == Runs{{0, 4, 0}, {5, 5, -7}});
  CHECK(player::run_of_frame(lanes.visible, 3) == LaneRun{2, 3, 0});
  CHECK(player::run_of_frame(lanes.visible, 4) == LaneRun{4, 5, 1});
  lanes = player::find_lanes(clip, 2, BoneId{0});
  CHECK(lanes.visible == Runs{{0, 0, 0}, {1, 5, 1}});
}

TEST_CASE("a bone that does not exist and a clip without frames have no lanes", "[timeline]") {
  REQUIRE(player::find_lanes(resting_clip("clip", 6, 2), 2, BoneId{0}).visible.size() == 1);
  CHECK(player::find_lanes(resting_clip("clip", 6, 2), 2, BoneId{2}).visible.empty());
  CHECK(player::find_lanes(resting_clip("clip", 0, 2), 2, BoneId{0}).z_order.empty());
}

TEST_CASE("frames have shares of their clip by their durations", "[timeline]") {
  Clip clip = resting_clip("clip", 4, 1);
  CHECK(player::share_of(clip, 1) == 0.25);
  CHECK(player::frame_at(clip, 0.3) == 1);
  CHECK(player::frame_at(clip, 2) == 3);
  CHECK(player::frame_at(clip, -2) == 0);
  clip.frame_ends = {0.5, 0.6, 0.8, 1.0};
  CHECK(player::share_of(clip, 1) == 0.5);
  CHECK(player::frame_at(clip, 0.49) == 0);
  CHECK(player::frame_at(clip, 0.5) == 1);
}

TEST_CASE("zooming keeps the pointed frame in place, down to a few frames", "[timeline]") {
  const Clip clip = thousand_frames();
  TimelineView view = view_of(clip);
  CHECK(player::visible_frames(view, clip) == FrameRange{0, 999});
  player::zoom(view, clip, 5, 0.25);
  CHECK(view.span() < 0.4);
  CHECK((0.25 - view.begin) / view.span() == Approx(0.25));
  player::zoom(view, clip, 100, 0.25);
  const FrameRange few = player::visible_frames(view, clip);
  CHECK(few.last - few.first < 10);
  CHECK(few.first <= 250);
  CHECK(few.last >= 249);
  player::zoom(view, clip, -100, 0.9);
  CHECK(player::visible_frames(view, clip) == FrameRange{0, 999});
}

TEST_CASE("panning ends at the clip's ends, and a clip of another length is shown whole", "[timeline]") {
  const Clip clip = thousand_frames();
  TimelineView view = view_of(clip);
  player::show_part(view, clip, 0.4, 0.5);
  player::pan(view, clip, 0.2);
  CHECK(player::visible_frames(view, clip) == FrameRange{600, 699});
  player::pan(view, clip, 3);
  CHECK(player::visible_frames(view, clip) == FrameRange{900, 999});
  player::pan(view, clip, -3);
  CHECK(player::visible_frames(view, clip) == FrameRange{0, 99});
  player::show_clip(view, thousand_frames());
  CHECK(player::visible_frames(view, clip) == FrameRange{0, 99});
  const Clip other = resting_clip("other", 10, 1);
  player::show_clip(view, other);
  CHECK(player::visible_frames(view, other) == FrameRange{0, 9});
}

TEST_CASE("a range and a frame are brought into view", "[timeline]") {
  const Clip clip = thousand_frames();
  TimelineView view = view_of(clip);
  player::show_range(view, clip, {400, 499});
  CHECK(player::visible_frames(view, clip) == FrameRange{395, 504});
  player::show_range(view, clip, {400, 400});
  CHECK(view.span() == Approx(0.008));
  player::show_part(view, clip, 0.2, 0.3);
  player::reveal(view, clip, 350);
  CHECK(player::visible_frames(view, clip) == FrameRange{251, 350});
  player::reveal(view, clip, 100);
  CHECK(player::visible_frames(view, clip) == FrameRange{100, 199});
}

TEST_CASE("the view turns the page with the playhead", "[timeline]") {
  const Clip clip = thousand_frames();
  TimelineView view = view_of(clip);
  const auto visible = [&](std::uint32_t frame, bool playing) {
    player::follow_playhead(view, clip, frame, playing);
    return player::visible_frames(view, clip);
  };
  player::show_part(view, clip, 0.0, 0.1);
  CHECK(visible(99, true) == FrameRange{0, 99});
  CHECK(visible(100, true) == FrameRange{100, 199});
  CHECK(visible(99, true) == FrameRange{0, 99});
  CHECK(visible(700, false) == FrameRange{700, 799});
  CHECK(visible(0, true) == FrameRange{0, 99});
  // A part chosen elsewhere stays while the clip plays, until the playhead moves by hand.
  player::show_part(view, clip, 0.5, 0.6);
  CHECK(visible(1, true) == FrameRange{500, 599});
  CHECK(visible(2, false) == FrameRange{2, 101});
}

}  // namespace pchr::test::timeline_test
