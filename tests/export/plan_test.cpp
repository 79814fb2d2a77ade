// SPDX-License-Identifier: MIT
// Frames, sizes and cameras of exports.
#include "support/catch.hpp"
#include "support/scenes.hpp"

#include <pchr/export/animation.hpp>
#include <pchr/queries.hpp>

namespace pchr::test::plan_test {
namespace {

using Fit = ExportRequest::Fit;

/// The quad is 16 pixels wide, and slides by 12.
const Character& quad() {
  static const Character character = build(sliding_quad());
  return character;
}

std::vector<ExportPlan> planned(ExportRequest request) {
  request.framing.scale = 1;
  request.framing.margin = 0;
  auto plans = plan_export(quad(), request);
  REQUIRE(plans);
  REQUIRE(plans->size() == request.clips.size());
  return *std::move(plans);
}

const std::vector<ClipId> kBoth{ClipId{0}, ClipId{1}};

}  // namespace

TEST_CASE("clips are framed alone, or all by one camera", "[export][plan]") {
  const auto alone = planned({.clips = kBoth});
  CHECK(alone[0].size == FrameSize{16, 16});
  CHECK(alone[1].size == FrameSize{28, 16});
  CHECK(alone[1].cameras.size() == 1);
  CHECK(alone[1].cameras[0].center.x == 6);
  CHECK(alone[0].frames.times.size() == 1);
  CHECK(alone[1].frames.times.size() == 4);
  const auto together = planned({.clips = kBoth, .fit = Fit::all});
  for (const ExportPlan& plan : together) {
    CHECK(plan.size == FrameSize{28, 16});
    REQUIRE(plan.cameras.size() == 1);
    CHECK(plan.cameras[0].center == alone[1].cameras[0].center);
  }
}

TEST_CASE("each frame has its camera if it is to fit alone", "[export][plan]") {
  const auto bounds_at = [](ClipId clip, ClipTime time) { return compute_frame_bounds(quad(), clip, time.frame); };
  const auto plans = planned({.clips = {ClipId{1}}, .fit = Fit::frame, .bounds = bounds_at});
  CHECK(plans[0].size == FrameSize{16, 16});
  REQUIRE(plans[0].cameras.size() == 4);
  const ExportedAnimation animation = make_animation(plans[0]);
  for (std::size_t i = 0; i < 4; ++i) CHECK(animation.frames[i].camera.center.x == 4 * static_cast<float>(i));
}

TEST_CASE("a plan plays as its clip does unless the request says otherwise", "[export][plan]") {
  const auto plans = planned({.clips = kBoth});
  CHECK(plans[0].plays == 1);
  CHECK(plans[1].plays == 0);
  CHECK(make_animation(plans[0]).info.plays == 1);
  CHECK(planned({.clips = {ClipId{1}}, .plays = 3})[0].plays == 3);
  CHECK(planned({.clips = {ClipId{1}}, .cycles = 2})[0].frames.times.size() == 8);
}

TEST_CASE("a single time or the bind pose can be planned", "[export][plan]") {
  const auto still = planned({.clips = {ClipId{1}}, .still = ClipTime{2, 2, 0}});
  REQUIRE(still[0].frames.times.size() == 1);
  CHECK(still[0].frames.times[0].frame == 2);
  CHECK(still[0].frames.first_frame == 2);
  CHECK(still[0].size == FrameSize{28, 16});
  const auto bind = planned({.clips = {ClipId::none}});
  CHECK(bind[0].frames.clip == ClipId::none);
  CHECK(bind[0].size == FrameSize{16, 16});
}

TEST_CASE("a clip holds only the bind pose if it is one frame with a name that says so", "[export][plan]") {
  const auto is_bind = [](const CharacterData& data, const BindPose& bind = {}) {
    return is_bind_pose_clip(Character::build(data, bind).value(), ClipId{0});
  };
  CharacterData data = sliding_quad();
  for (const char* name : {"bind", "Bind_Pose", "BINDPOSE", "rest", "rest_pose", "Setup"}) {
    data.clips[0].name = name;
    CHECK(is_bind(data));
  }
  for (const char* name : {"stand", "idle", "binding", "bind ", ""}) {
    data.clips[0].name = name;
    CHECK(Character::build(data).value().bind_pose_source().clip == ClipId{0});
    CHECK_FALSE(is_bind(data));
    CHECK_FALSE(is_bind(data, ClipBindPose{name, 0}));
  }
  data.clips[0].name = "bind";
  CHECK_FALSE(is_bind(data, ClipBindPose{"slide", 0}));
  CharacterData alone = data;
  alone.clips.pop_back();
  CHECK_FALSE(is_bind(alone));
  data.clips[0] = resting_clip("rest", 2, 1);
  CHECK_FALSE(is_bind(data));
}

TEST_CASE("frames that do not exist or are too large are refused", "[export][plan]") {
  ExportRequest request{.clips = {ClipId{1}}};
  request.frames.frames = FrameRange{0, 4};
  const auto missing = plan_export(quad(), request);
  REQUIRE_FALSE(missing);
  CHECK(missing.error().message == "there is no frame 4; clip \"slide\" has frames 0 to 3");
  for (const Fit fit : {Fit::frame, Fit::clip, Fit::all}) {
    ExportRequest large{.clips = {ClipId{1}}, .fit = fit};
    large.framing.scale = 1e4F;
    const auto refused = plan_export(quad(), large);
    REQUIRE_FALSE(refused);
    CHECK_THAT(refused.error().message, contains("but the limit is 16384 pixels per side"));
  }
}

}  // namespace pchr::test::plan_test
