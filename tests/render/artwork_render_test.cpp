// SPDX-License-Identifier: MIT
// The sample artwork, enlarged with the nearest filter.
#include "images.hpp"
#include "session.hpp"

#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/load.hpp"

#include <pchr/load.hpp>

#include <array>
#include <string_view>
#include <vector>

namespace artwork_render_test {
using namespace pchr;

namespace {

constexpr std::uint32_t kZoom = 4, kSide = 48 * kZoom;

/// A frame of a clip.
struct Moment {
  std::string_view clip;
  std::uint32_t frame;
};
constexpr std::array<Moment, 5> kMoments{{{"idle", 0}, {"hop", 0}, {"hop", 2}, {"hop", 4}, {"glow", 4}}};
constexpr std::uint32_t kWidth = kSide * static_cast<std::uint32_t>(kMoments.size());

/// Draws the moments side by side.
std::vector<Instance> instances(const Character& character) {
  std::vector<Instance> result;
  for (std::uint32_t i = 0; i < kMoments.size(); ++i) {
    Instance instance;
    instance.clip = character.find_clip(kMoments[i].clip);
    instance.position = {kMoments[i].frame, kMoments[i].frame, 0};
    const float x = static_cast<float>(kSide * (2 * i + 1)) / 2 - kWidth / 2.0F;
    instance.appearance.placement = placement({x, 0}, 0, kZoom);
    result.push_back(instance);
  }
  return result;
}

}  // namespace

TEST_CASE("the sample artwork renders with crisp pixels", "[render][px]") {
  test::Session session;
  auto renderer = session.renderer();
  const auto character = load_character(test::asset("hotaru.px"));
  REQUIRE(character);
  CHECK(character->warnings().empty());
  const Model model = test::require_value(renderer.upload(*character));
  auto target = test::require_value(OffscreenTarget::create(session.get_proc_address(), kWidth, kSide, 4));
  target.begin({0.42F, 0.50F, 0.64F, 1});
  renderer.draw(model, instances(*character), test::plain_camera(kWidth, kSide));
  const Bitmap image = target.finish();
  std::uint32_t drawn = 0;
  for (std::uint32_t y = 0; y < kSide; ++y) {
    for (std::uint32_t x = 0; x < kWidth; ++x) {
      const test::Pixel pixel = test::pixel(image, x, y);
      drawn += pixel != test::pixel(image, 0, 0) ? 1 : 0;
      // Each canvas pixel is a square of one color, even at the edges of drawn areas.
      if (pixel == test::pixel(image, x / kZoom * kZoom, y / kZoom * kZoom)) continue;
      FAIL("the pixel at " << x << ", " << y << " has two colors");
    }
  }
  CHECK(drawn > kWidth * kSide / 8);
  test::write_png(test::output("hotaru.png"), image);
}

}  // namespace artwork_render_test
