// SPDX-License-Identifier: MIT
#include "support/catch.hpp"

#include <pchr/draw_list.hpp>

namespace appearance_test {
using namespace pchr;

TEST_CASE("a placement mirrors, scales, rotates and moves, in this order", "[appearance]") {
  const Vec2 point{3, 4};
  CHECK(placement({}) == kIdentity);
  CHECK(apply(placement({10, 20}), point) == Vec2{13, 24});
  CHECK(apply(placement({10, 20}, 0, 2), point) == Vec2{16, 28});
  CHECK(apply(placement({10, 20}, 90), point) == Vec2{6, 23});
  CHECK(apply(placement({10, 20}, 180), point) == Vec2{7, 16});
  CHECK(apply(placement({10, 20}, 0, 1, true), point) == Vec2{7, 24});
  CHECK(apply(placement({10, 20}, 90, 2, true), point) == Vec2{2, 14});
  const Vec2 rotated = apply(placement({}, 30, 1), {2, 0});
  CHECK(rotated.x == Approx(1.7320508));
  CHECK(rotated.y == Approx(1));
}

TEST_CASE("a mirrored placement equals the placement of a character with x negated", "[appearance]") {
  for (float degrees = -400; degrees <= 400; degrees += 37) {
    const Affine plain = placement({5, -6}, degrees, 1.5F), mirrored = placement({5, -6}, degrees, 1.5F, true);
    CHECK(apply(mirrored, {7, 11}) == apply(plain, {-7, 11}));
  }
}

}  // namespace appearance_test
