// SPDX-License-Identifier: MIT
// Lanes of the timeline, without a window.
#include "support/catch.hpp"
#include "support/scenes.hpp"
#include "playback/lanes.hpp"

#include <vector>

namespace pchr::test::timeline_test {
namespace {

using player::LaneRun;
using Runs = std::vector<LaneRun>;

}  // namespace

TEST_CASE("lanes are runs of equal values of a bone", "[timeline]") {
  Clip clip = resting_clip("clip", 6, 2);
  const auto at = [](std::size_t frame, std::size_t bone) { return frame * 2 + bone; };
  clip.samples.visible[at(2, 1)] = 0;
  clip.samples.visible[at(3, 1)] = 0;
  clip.samples.visible[at(0, 0)] = 0;
  clip.samples.z_order[at(5, 1)] = -7;
  player::Lanes lanes;
  player::find_lanes(clip, 2, BoneId{1}, lanes);
  CHECK(lanes.visible == Runs{{0, 1, 1}, {2, 3, 0}, {4, 5, 1}});
  CHECK(lanes.z_order == Runs{{0, 4, 0}, {5, 5, -7}});
  CHECK(player::run_of_frame(lanes.visible, 3) == LaneRun{2, 3, 0});
  CHECK(player::run_of_frame(lanes.visible, 4) == LaneRun{4, 5, 1});
  player::find_lanes(clip, 2, BoneId{0}, lanes);
  CHECK(lanes.visible == Runs{{0, 0, 0}, {1, 5, 1}});
}

TEST_CASE("a bone that does not exist and a clip without frames have no lanes", "[timeline]") {
  player::Lanes lanes;
  player::find_lanes(resting_clip("clip", 6, 2), 2, BoneId{0}, lanes);
  REQUIRE(lanes.visible.size() == 1);
  player::find_lanes(resting_clip("clip", 6, 2), 2, BoneId{2}, lanes);
  CHECK(lanes.visible.empty());
  player::find_lanes(resting_clip("clip", 0, 2), 2, BoneId{0}, lanes);
  CHECK(lanes.z_order.empty());
}

}  // namespace pchr::test::timeline_test
