// SPDX-License-Identifier: MIT
// Compares the sample characters with golden images. PCHR_UPDATE_GOLDENS=1 writes new ones; look at them before
// committing.
#include "images.hpp"
#include "session.hpp"

#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/load.hpp"

#include <pchr/queries.hpp>
#include <pchr/load.hpp>

#include <fmt/format.h>

namespace golden_test {
using namespace pchr;

namespace {

// Software and hardware rasterizers round slightly differently, mostly at edges.
constexpr int kRounding = 2;
constexpr double kShareOfEdgePixels = 0.001;
constexpr std::uint32_t kSide = 256;

struct Golden {
  const char* character;
  const char* clip;
  std::uint32_t frame;
};

constexpr Golden kGoldens[] = {{"quad", "turn", 1}, {"corners", "sway", 12}, {"corners", "gust", 6},
                               {"kiri", "bind", 0}, {"kiri", "walk", 15},    {"kiri", "wave", 37},
                               {"kiri", "jump", 27}};

Bitmap draw(const test::Session& session, const Golden& golden) {
  const auto character = load_character(test::asset(fmt::format("{}.pchr", golden.character)));
  REQUIRE(character);
  const auto clip = character->find_clip(golden.clip);
  REQUIRE(clip != ClipId::none);
  REQUIRE(golden.frame < character->clips()[clip].frame_count);
  PoseBuffers posed;
  pose_clip(*character, clip, {golden.frame, golden.frame, 0}, posed);
  auto renderer = session.renderer();
  const Model model = test::require_value(renderer.upload(*character));
  auto target = test::require_value(OffscreenTarget::create(session.get_proc_address(), kSide, kSide));
  target.begin();
  renderer.draw(model, posed, fit({{}, 1, {kSide, kSide}}, compute_character_bounds(*character)));
  return target.finish();
}

}  // namespace

TEST_CASE("the sample characters match their golden images", "[render]") {
  const test::Session session;
  for (const Golden& golden : kGoldens) {
    const std::string name = fmt::format("{}_{}_{:04}", golden.character, golden.clip, golden.frame);
    INFO(name);
    const Bitmap image = draw(session, golden);
    const auto file = test::golden(name + ".png");
    if (test::updating_goldens()) {
      test::write_png(file, image);
      continue;
    }
    const Bitmap expected = test::read_png(file);
    const test::Difference difference = test::difference(image, expected, kRounding);
    INFO("largest " << difference.largest << ", " << 100 * difference.share_above << " % above " << kRounding);
    CHECK(difference.share_above <= kShareOfEdgePixels);
    if (difference.share_above > kShareOfEdgePixels) test::write_comparison("golden/" + name, image, expected);
  }
}

}  // namespace golden_test
