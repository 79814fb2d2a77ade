// SPDX-License-Identifier: MIT
// Draws the Pomyu sample as both players.
#include "images.hpp"
#include "session.hpp"

#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/load.hpp"

#include <pchr/load.hpp>

#include <array>
#include <span>
#include <string_view>
#include <vector>

namespace pomyu_render_test {
using namespace pchr;

namespace {

constexpr std::uint32_t kWidth = 960, kHeight = 580, kColumns = 6, kRows = 2;
constexpr std::uint32_t kCellWidth = kWidth / kColumns, kCellHeight = kHeight / kRows;
constexpr float kHeadroom = 6;  // Room for parts that fly above the character.

/// A time in a clip, in seconds.
struct Moment {
  std::string_view clip;
  double seconds;
};
constexpr std::array<Moment, std::size_t{kColumns} * kRows> kMoments{{{"02_second", 0.1},
                                                                      {"06_fever", 0.5},
                                                                      {"14_dance", 2.3},
                                                                      {"07_great", 0.3},
                                                                      {"14_dance", 0.6},
                                                                      {"15_win", 0.6},
                                                                      {"03_ojama", 0.3},
                                                                      {"18_attacked", 0.7},
                                                                      {"05_standing", 0.2},
                                                                      {"16_lose", 1.0},
                                                                      {"17_fever_win", 0.3},
                                                                      {"08_good", 0.4}}};

Character konpei(bool second_player) {
  ImportOptions options;
  options.second_player = second_player;
  auto character = load_character(test::asset("konpei/konpei.chp"), options);
  REQUIRE(character);
  return *std::move(character);
}

/// Draws the moments in rows. Each cell of the checkerboard shows one of the two players.
std::vector<Instance> instances(const Character& character, std::uint32_t player) {
  std::vector<Instance> result;
  for (std::uint32_t i = 0; i < kMoments.size(); ++i) {
    const std::uint32_t column = i % kColumns, row = i / kColumns;
    if ((column + row) % 2 != player) continue;
    Instance instance;
    instance.clip = character.find_clip(kMoments[i].clip);
    instance.position = clip_time(character.clips()[instance.clip], kMoments[i].seconds, Sampling::step);
    const float x = static_cast<float>(kCellWidth * (2 * column + 1)) / 2 - kWidth / 2.0F;
    const float y = kHeight / 2.0F - static_cast<float>(kCellHeight * (2 * row + 1)) / 2 - kHeadroom;
    instance.appearance.placement = placement({x, y});
    result.push_back(instance);
  }
  return result;
}

}  // namespace

TEST_CASE("the Pomyu sample renders as both players", "[render]") {
  test::Session session;
  auto renderer = session.renderer();
  auto target = test::require_value(OffscreenTarget::create(session.get_proc_address(), kWidth, kHeight, 4));
  const auto draw = [&](std::span<const std::uint32_t> players) {
    target.begin({0.93F, 0.91F, 0.86F, 1});
    for (const std::uint32_t player : players) {
      const Character character = konpei(player == 1);
      const Model model = test::require_value(renderer.upload(character));
      renderer.draw(model, instances(character, player), test::plain_camera(kWidth, kHeight));
      CHECK(renderer.statistics().instances == kMoments.size() / 2);
    }
    return target.finish();
  };
  const Bitmap first = draw(std::array{0U}), both = draw(std::array{0U, 1U});
  const test::Pixel paper = test::pixel(first, 0, 0);
  for (std::uint32_t i = 0; i < kMoments.size(); ++i) {
    INFO(kMoments[i].clip);
    const std::uint32_t x = i % kColumns * kCellWidth + kCellWidth / 2, y = i / kColumns * kCellHeight + 120;
    const bool is_second = (i % kColumns + i / kColumns) % 2 == 1;
    CHECK((test::pixel(first, x, y) == paper) == is_second);
    CHECK(test::pixel(both, x, y) != paper);
  }
  test::write_png(test::output("konpei.png"), both);
}

}  // namespace pomyu_render_test
