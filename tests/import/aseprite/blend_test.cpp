// SPDX-License-Identifier: MIT
// The blend modes of Aseprite that mix each channel by itself, compared with their formulas in real numbers.
#include "import/artwork/artwork.hpp"

#include "support/catch.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace aseprite_blend_test {
using namespace pchr;

namespace {

double hard_light(double under, double over) {
  return over < 0.5 ? under * over * 2 : under + (over * 2 - 1) - under * (over * 2 - 1);
}

double soft_light(double under, double over) {
  const double root = under <= 0.25 ? ((16 * under - 12) * under + 4) * under : std::sqrt(under);
  return over <= 0.5 ? under - (1 - 2 * over) * under * (1 - under) : under + (2 * over - 1) * (root - under);
}

struct Mode {
  BlendMode mode;
  double (*mix)(double under, double over);
};

constexpr Mode kModes[] = {
    {BlendMode::multiply, [](double under, double over) { return under * over; }},
    {BlendMode::screen, [](double under, double over) { return under + over - under * over; }},
    {BlendMode::overlay, [](double under, double over) { return hard_light(over, under); }},
    {BlendMode::darken, [](double under, double over) { return std::min(under, over); }},
    {BlendMode::lighten, [](double under, double over) { return std::max(under, over); }},
    {BlendMode::color_dodge,
     [](double under, double over) { return under == 0          ? 0
                                            : under >= 1 - over ? 1
                                                                : under / (1 - over); }},
    {BlendMode::color_burn,
     [](double under, double over) { return under == 1          ? 1
                                            : 1 - under >= over ? 0
                                                                : 1 - (1 - under) / over; }},
    {BlendMode::hard_light, hard_light},
    {BlendMode::soft_light, soft_light},
    {BlendMode::difference, [](double under, double over) { return std::abs(under - over); }},
    {BlendMode::exclusion, [](double under, double over) { return under + over - 2 * under * over; }},
    {BlendMode::addition, [](double under, double over) { return std::min(under + over, 1.0); }},
    {BlendMode::subtract, [](double under, double over) { return std::max(under - over, 0.0); }},
    {BlendMode::divide, [](double under, double over) { return under == 0      ? 0
                                                               : under >= over ? 1
                                                                               : under / over; }}};

}  // namespace

TEST_CASE("opaque pixels of an Aseprite artwork blend by the formula of each mode", "[aseprite]") {
  for (const Mode& mode : kModes) {
    for (int under = 0; under < 256; under += 5) {
      for (int over = 0; over < 256; over += 3) {
        const auto channel = [](int value) { return static_cast<std::uint8_t>(value); };
        std::array backdrop{Rgba{channel(under), 0, 255, 255}};
        const std::array source{Rgba{channel(over), channel(over), channel(over), 255}};
        artwork::blend(mode.mode, source, 1.0F, backdrop);
        const double exact = mode.mix(under / 255.0, over / 255.0) * 255;
        CAPTURE(static_cast<int>(mode.mode), under, over, backdrop[0].red, exact);
        if (std::abs(backdrop[0].red - exact) > 1.01 || backdrop[0].alpha != 255) FAIL("another color");
      }
    }
  }
}

TEST_CASE("opacity fades an Aseprite pixel, and a transparent backdrop takes the color as it is", "[aseprite]") {
  const std::array source{Rgba{200, 100, 40, 255}};
  for (const Mode& mode : kModes) {
    std::array nothing{Rgba{}};
    artwork::blend(mode.mode, source, 1.0F, nothing);
    CHECK(nothing[0] == source[0]);
    std::array unchanged{Rgba{10, 20, 30, 255}};
    artwork::blend(mode.mode, source, 0.0F, unchanged);
    CHECK(unchanged[0] == Rgba{10, 20, 30, 255});
  }
}

}  // namespace aseprite_blend_test
