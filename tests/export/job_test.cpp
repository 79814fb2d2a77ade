// SPDX-License-Identifier: MIT
// Jobs that draw the frames of a format with two passes.
#include "support/catch.hpp"
#include "support/scenes.hpp"

#include <pchr/export/animation.hpp>
#include <pchr/offscreen.hpp>
#include <pchr/queries.hpp>

#include <string>
#include <thread>
#include <vector>

namespace pchr::test::job_test {
namespace {

/// The arm's second clip.
struct Exporting {
  HeadlessContext context = HeadlessContext::create().value();
  Renderer renderer = Renderer::create(context.get_proc_address()).value();
  Character character = Character::build(two_bone_arm()).value();
  Model model = renderer.upload(character).value();

  [[nodiscard]] ExportedAnimation animation(FrameSize size) const {
    Framing framing;
    framing.size = size;
    const Camera camera = frame_camera(framing, size, compute_clip_bounds(character, ClipId{1}));
    ExportedAnimation made = make_animation(plan_animation(character, ClipId{1}, {}, 1).value(), size, camera);
    made.paths = {"arm.gif"};
    return made;
  }
  /// Returns the bytes of the GIFs in order. Never blocks, like the player.
  std::vector<std::byte> write(std::vector<ExportedAnimation> animations, ExportJobOptions options) {
    std::vector<std::byte> file;
    const auto append = [&](const std::string&, std::span<const std::byte> bytes, bool) -> ExportResult<void> {
      file.insert(file.end(), bytes.begin(), bytes.end());
      return {};
    };
    options.encoder.format = AnimationFormat::gif;
    options.write = append;
    auto job =
        ExportJob::create(renderer, model, context.get_proc_address(), std::move(animations), std::move(options));
    REQUIRE(job);
    auto stepped = job->step();
    for (; stepped && *stepped != ExportJob::Step::finished; stepped = job->step()) {
      if (*stepped == ExportJob::Step::wait) std::this_thread::yield();
    }
    REQUIRE(stepped);
    CHECK(job->done() == job->total());
    return file;
  }
};

}  // namespace

TEST_CASE("frames of a GIF are drawn once if they fit in memory", "[export]") {
  Exporting arm;
  std::size_t drawn = 0;
  const auto count = [&](PoseBuffers&) { ++drawn; };
  const std::vector<ExportedAnimation> two{arm.animation({48, 40}), arm.animation({30, 50})};
  const std::vector<std::byte> kept = arm.write(two, {.adjust = count, .threads = 2});
  CHECK(drawn == two[0].frames.size() + two[1].frames.size());

  PoseBuffers posed;
  std::size_t asked = 0;
  const auto draw = [&](std::size_t animation, std::uint32_t frame) {
    ++asked;
    draw_frame(arm.renderer, arm.model, two[animation].frames[frame], posed);
  };
  CHECK(arm.write(two, {.draw = draw}) == kept);
  CHECK(asked == 2 * drawn);

  const ExportedAnimation large = arm.animation({1500, 1500});
  drawn = 0;
  CHECK_FALSE(arm.write({large}, {.adjust = count}).empty());
  CHECK(drawn == 2 * large.frames.size());
}

}  // namespace pchr::test::job_test
