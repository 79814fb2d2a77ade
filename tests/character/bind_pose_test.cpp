// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/load.hpp"
#include "support/scenes.hpp"

#include <pchr/import/import.hpp>
#include <pchr/pose.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <vector>

namespace bind_pose_test {
namespace {

using namespace pchr;
using test::add_quad;
using test::resting_clip;

std::vector<Vec2> draw(const Character& character, const Mesh& mesh, const PoseView& pose) {
  std::vector<Affine> world(character.bones().size()), palette(world.size());
  compose(character.bones(), pose, character.inverse_bind(), world, palette);
  std::vector<Vec2> points(mesh.vertex_count);
  deform(character.vertices(mesh), palette, points);
  return points;
}

/// Returns the largest distance between the same vertex of both characters, over all that some frame of `a` draws.
float largest_difference(const Character& a, const Character& b) {
  float largest = 0;
  for (const Clip& clip : a.clips()) {
    const std::uint32_t step = std::max(clip.frame_count / 16, 1U);
    for (std::uint32_t frame = 0; frame < clip.frame_count; frame += step) {
      const PoseView pose = clip.samples.frame(frame, a.bones().size());
      for (const MeshId mesh : a.meshes().ids()) {
        if (pose.visible[index(a.governing_bone(mesh))] == 0) continue;
        const auto left = draw(a, a.meshes()[mesh], pose), right = draw(b, b.meshes()[mesh], pose);
        for (std::size_t i = 0; i < left.size(); ++i) {
          const Vec2 apart = left[i] - right[i];
          largest = std::max(largest, std::hypot(apart.x, apart.y));
        }
      }
    }
  }
  return largest;
}

bool has_warning(const Character& character, DiagnosticId id) {
  return std::ranges::count(character.warnings(), id, &Diagnostic::id) > 0;
}

void forget_bind_names(CharacterData& data) {
  for (Clip& clip : data.clips) {
    if (clip.name == "bind") clip.name = "tpose_master";
  }
}

/// Takes the name of the bind pose away and moves each clip to the front in turn, each in two orders of the others.
void check_every_first_clip(const std::filesystem::path& file) {
  INFO(file.filename().string());
  const auto right = load_character(file);
  REQUIRE(right);
  if (right->clips().empty()) return;
  CharacterData data = right->data();
  forget_bind_names(data);
  for (const bool reversed : {false, true}) {
    if (reversed) std::ranges::reverse(data.clips);
    for (std::size_t first = 0; first < data.clips.size(); ++first) {
      CharacterData moved = data;
      std::rotate(moved.clips.begin(), moved.clips.begin() + static_cast<std::ptrdiff_t>(first),
                  moved.clips.begin() + static_cast<std::ptrdiff_t>(first) + 1);
      INFO("the first clip is " << moved.clips[0].name);
      const auto guessed = Character::build(std::move(moved));
      REQUIRE(guessed);
      CHECK(largest_difference(*guessed, *right) < 0.5F);
      CHECK_FALSE(has_warning(*guessed, DiagnosticId::stretching_bind_pose));
      if (const auto& guess = guessed->bind_pose_guess()) {
        CHECK(guess->chosen == guessed->bind_pose_source());
        CHECK(has_warning(*guessed, DiagnosticId::uncertain_bind_pose) ==
              (guess->runner_up_score <= guess->score * 1.05F));
      }
    }
  }
}

/// Moves the vertices to where they are drawn in frame 0 of each clip in turn, which makes that the bind pose, and
/// leaves the clip that was it out. Returns how many of these guesses are right; the others must be said to be
/// uncertain.
int count_moved_bind_poses(const std::filesystem::path& file, int& all) {
  const auto original = load_character(file);
  REQUIRE(original);
  int right = 0;
  for (const Clip& clip : original->clips()) {
    if (clip.name == "bind") continue;
    INFO(file.filename().string() << ", drawn in the first frame of " << clip.name);
    CharacterData data = original->data();
    for (const Mesh& mesh : original->meshes()) {
      const auto points = draw(*original, mesh, clip.samples.frame(0, data.bones.size()));
      for (std::uint32_t i = 0; i < mesh.vertex_count; ++i) {
        data.vertices[mesh.first_vertex + i].x = points[i].x;
        data.vertices[mesh.first_vertex + i].y = points[i].y;
      }
    }
    std::erase_if(data.clips, [](const Clip& each) { return each.name == "bind"; });
    const auto expected = Character::build(data, ClipBindPose{clip.name, 0});
    const auto guessed = Character::build(data);
    REQUIRE(expected);
    REQUIRE(guessed);
    const bool is_right = largest_difference(*guessed, *expected) < 0.5F;
    if (!is_right) CHECK(has_warning(*guessed, DiagnosticId::uncertain_bind_pose));
    right += is_right ? 1 : 0;
    ++all;
  }
  return right;
}

/// A torso, an upper and a lower arm of rigid quads that overlap at their joints, all along +Y, with clips of four
/// frames. `bent` is the angle of each joint in the first frame of the first clip, and the second begins at rest.
CharacterData rigid_arm(float bent) {
  CharacterData data;
  data.frames_per_second = 24;
  data.images.push_back(test::plain_image(4, 4, {255, 255, 255, 255}));
  data.bones = {{"torso", BoneId::none}, {"upper", BoneId{0}}, {"lower", BoneId{1}}};
  add_quad(data, "torso", 0, {{-20, 0}, {20, 110}}, 0);
  add_quad(data, "upper", 0, {{-10, 90}, {10, 210}}, 1);
  add_quad(data, "lower", 0, {{-10, 190}, {10, 310}}, 2);
  const auto clip = [](const char* name, std::array<float, 4> angles) {
    Clip made = resting_clip(name, 4, 3);
    for (std::size_t frame = 0; frame < 4; ++frame) {
      made.samples.y[3 * frame + 1] = made.samples.y[3 * frame + 2] = 100;
      made.samples.rotation_degrees[3 * frame + 1] = angles[frame];
      made.samples.rotation_degrees[3 * frame + 2] = angles[frame];
    }
    return made;
  };
  data.clips = {clip("jump", {bent, bent / 2, -20, 40}), clip("idle", {0, 10, 20, 10})};
  return data;
}

}  // namespace

TEST_CASE("a guessed bind pose is the right one, whichever clip comes first", "[bind][samples]") {
  // The sprites of konpei.chp have no joints, so nothing tells; its format defines the bind pose.
  for (const char* name : {"kiri.pchr", "corners.pchr", "quad.pchr", "hotaru.px"}) {
    check_every_first_clip(test::asset(name));
  }
  for (const std::filesystem::path& file : test::conformance_characters()) check_every_first_clip(file);
}

TEST_CASE("most frames are recognized as the one that a character was drawn in", "[bind][samples]") {
  int right = 0, all = 0;
  for (const char* name : {"kiri.pchr", "corners.pchr"}) right += count_moved_bind_poses(test::asset(name), all);
  for (const std::filesystem::path& file : test::conformance_characters()) right += count_moved_bind_poses(file, all);
  INFO(right << " of " << all);
  CHECK(right * 100 >= all * 70);
}

TEST_CASE("rigid parts that come apart tell which pose is wrong", "[bind]") {
  for (const float bent : {-90.0F, 60.0F, 120.0F}) {
    INFO(bent);
    const auto guessed = Character::build(rigid_arm(bent));
    REQUIRE(guessed);
    CHECK(guessed->bind_pose_source() == BindPoseSource{ClipId{1}, 0});
    REQUIRE(guessed->bind_pose_guess());
    CHECK(guessed->bind_pose_guess()->score < guessed->bind_pose_guess()->runner_up_score);
    CHECK_FALSE(has_warning(*guessed, DiagnosticId::stretching_bind_pose));
  }
}

TEST_CASE("the runner-up of a guess is the second best pose, not the worst", "[bind]") {
  CharacterData data = rigid_arm(60);
  data.clips.push_back(data.clips[0]);
  data.clips[2].samples.rotation_degrees[1] = data.clips[2].samples.rotation_degrees[2] = 170;
  const auto guessed = Character::build(std::move(data));
  REQUIRE(guessed);
  CHECK(guessed->bind_pose_source() == BindPoseSource{ClipId{1}, 0});
  CHECK(guessed->bind_pose_guess()->runner_up.clip != ClipId{2});
}

TEST_CASE("a part that is hidden wherever it would come apart is no evidence", "[bind]") {
  CharacterData data = rigid_arm(90);
  // A prop that flies away in every frame, but is only shown at rest.
  data.bones.push_back({"prop", BoneId{2}});
  add_quad(data, "prop", 0, {{-30, 250}, {30, 330}}, 3);
  for (Clip& clip : data.clips) {
    Clip wider = resting_clip(clip.name, 4, 4);
    for (std::size_t frame = 0; frame < 4; ++frame) {
      for (std::size_t bone = 0; bone < 3; ++bone) {
        wider.samples.y[4 * frame + bone] = clip.samples.y[3 * frame + bone];
        wider.samples.rotation_degrees[4 * frame + bone] = clip.samples.rotation_degrees[3 * frame + bone];
      }
      wider.samples.x[4 * frame + 3] = 500;
      wider.samples.visible[4 * frame + 3] = 0;
    }
    clip = std::move(wider);
  }
  const auto guessed = Character::build(std::move(data));
  REQUIRE(guessed);
  CHECK(guessed->bind_pose_source() == BindPoseSource{ClipId{1}, 0});
  CHECK(guessed->bind_pose_guess()->stretch < 0.1F);
}

TEST_CASE("a bind pose with a known name, chosen, or equal to all others is not guessed", "[bind]") {
  CharacterData named = rigid_arm(90);
  named.clips[0].name = "Rest";
  CHECK_FALSE(Character::build(named)->bind_pose_guess());
  CHECK(Character::build(named)->bind_pose_source() == BindPoseSource{ClipId{0}, 0});
  CHECK_FALSE(Character::build(rigid_arm(90), ClipBindPose{"jump", 1})->bind_pose_guess());
  CHECK_FALSE(Character::build(rigid_arm(90), IdentityBindPose{})->bind_pose_guess());
  CharacterData still = test::sliding_quad();
  still.clips[0].name = "still";
  const auto same = Character::build(still);
  CHECK_FALSE(same->bind_pose_guess());
  CHECK(same->bind_pose_source() == BindPoseSource{ClipId{0}, 0});
  CHECK(same->warnings().empty());
  still.clips.clear();
  CHECK(Character::build(still)->bind_pose_source() == BindPoseSource{});
}

TEST_CASE("without evidence, a clip of one frame is the bind pose, else the first clip", "[bind]") {
  CharacterData data = test::sliding_quad();
  data.clips[0] = resting_clip("fall", 2, 1);
  data.clips[0].samples.y = {20, 10};
  auto guessed = Character::build(data);
  CHECK(guessed->bind_pose_source() == BindPoseSource{ClipId{0}, 0});
  CHECK(guessed->bind_pose_guess()->score == 1);
  CHECK(has_warning(*guessed, DiagnosticId::uncertain_bind_pose));
  data.clips.push_back(resting_clip("pose", 1, 1));
  data.clips[2].samples.y = {7};
  guessed = Character::build(data);
  CHECK(guessed->bind_pose_source() == BindPoseSource{ClipId{2}, 0});
  CHECK(guessed->bind_pose_guess()->runner_up == BindPoseSource{ClipId{0}, 0});
}

TEST_CASE("extreme numbers and collapsed bones do not spoil a guess", "[bind]") {
  CharacterData data = rigid_arm(90);
  Clip far = data.clips[0];
  far.name = "far";
  for (float& x : far.samples.x) x = 3e38F;
  data.clips.push_back(far);
  Clip flat = data.clips[0];
  flat.name = "flat";
  std::ranges::fill(flat.samples.scale_x, 0.0F);
  data.clips.push_back(flat);
  const auto guessed = Character::build(std::move(data));
  REQUIRE(guessed);
  CHECK(guessed->bind_pose_source() == BindPoseSource{ClipId{1}, 0});
  CHECK(std::isfinite(guessed->bind_pose_guess()->score));
  CHECK(std::isfinite(guessed->bind_pose_guess()->stretch));
}

}  // namespace bind_pose_test
