// SPDX-License-Identifier: MIT
// A Pomyu character played by its game's rules.
#include "chara.hpp"
#include "running_player.hpp"

#include <array>
#include <cstdlib>

namespace pchr::test::game_test {
namespace {

constexpr std::uint8_t kBlue = 250, kSecondBlue = 130;
/// Two cycles of this file's animations. An idle character changes only at the end of a cycle.
constexpr std::chrono::milliseconds kTwoCycles{2200};

struct Shown {
  int animation = 0;  ///< 0 for none.
  std::uint8_t blue = 0;
  bool operator==(const Shown&) const = default;
};

/// Decodes the color at the center of the canvas.
Shown shown(const Screenshot& screenshot) {
  const Vec2 at = kCanvas.center();
  const auto pixel = static_cast<std::size_t>(static_cast<int>(at.y) * screenshot.width + static_cast<int>(at.x)) * 3;
  if (screenshot.rgb[pixel + 1] > 2) return {};
  for (int number = 1; number <= static_cast<int>(kCharaAnimations); ++number) {
    if (std::abs(screenshot.rgb[pixel] - red_of(number)) <= 2) return {number, screenshot.rgb[pixel + 2]};
  }
  return {};
}

fs::path fresh_chara(const std::string& name) {
  const fs::path folder = output("window/" + name + "/x").parent_path();
  fs::remove_all(folder);
  return write_chara(folder);
}

struct Gamer : RunningPlayer {
  explicit Gamer(const fs::path& file, std::vector<std::string> options = {})
      : RunningPlayer(with(std::move(options), file)) {
    REQUIRE(shows_title("01_neutral"));
  }
  static std::vector<std::string> with(std::vector<std::string> options, const fs::path& file) {
    options.push_back(path_text(file));
    return options;
  }
  void begin() {
    const Screenshot clips = capture();
    desktop.key("x", "Shift_L");
    REQUIRE(changes_from(clips, kLayout.clips));
  }
  /// Starts paused at the start of an idle cycle.
  void begin_paused() {
    begin();
    desktop.key("space");
    desktop.key("Home");
    REQUIRE(comes_to_rest());
  }
  /// Steps by the length of any of the animations.
  void step_animation() { desktop.key("Right", "Shift_L"); }
  [[nodiscard]] bool plays(int number, std::uint8_t blue = kBlue) const {
    return eventually([&] { return shown(capture()) == Shown{number, blue}; });
  }
  /// Like plays(), but also checks the title.
  [[nodiscard]] bool plays_under_its_name(int number) const {
    return plays(number) && shows_title(std::string(clip_name(static_cast<CharaAnimation>(number))));
  }
};

}  // namespace

TEST_CASE("keys judge notes, and each gets one reaction", "[window][game][long]") {
  Gamer player(fresh_chara("game-notes"));
  player.begin_paused();
  CHECK(player.plays(1));
  for (const auto& [key, number] : {std::pair{"1", 4}, {"2", 8}, {"3", 7}, {"4", 6}}) {
    CAPTURE(key);
    player.desktop.key(key);
    player.step_animation();  // The idle cycle ends first.
    CHECK(player.plays_under_its_name(number));
    player.step_animation();
    CHECK(player.plays(1));
  }
  player.step_animation();
  CHECK(player.plays(2));  // Fever leaves a full gauge.
  player.desktop.key("n");
  player.desktop.key("3");
  player.step_animation();
  CHECK(player.plays(10));
}

TEST_CASE("disturbances and the end of a song last until they are stopped", "[window][game][long]") {
  Gamer player(fresh_chara("game-song"));
  player.begin();
  player.desktop.key("5");
  CHECK(player.plays(18));
  CHECK(player.stays(kTwoCycles));
  player.desktop.key("5");
  CHECK(player.plays(1));
  player.desktop.key("n");
  player.desktop.key("5");
  CHECK(player.plays(3));
  player.desktop.key("6");
  CHECK(player.plays(14));
  player.desktop.key("8");
  CHECK(player.plays(16));
  player.desktop.key("n");
  // Slow playback, so that one second is visible even on a busy machine.
  for (int i = 0; i < 10; ++i) player.desktop.key("comma");
  player.desktop.key("7");
  CHECK(player.plays(5));
  player.desktop.key("BackSpace");
  CHECK(player.plays(1));
  player.desktop.key("9");
  CHECK(player.plays(16));
  player.desktop.key("8");
  CHECK(player.plays(15));
  player.desktop.key("0");
  CHECK(player.plays(17));
  CHECK(player.stays(kTwoCycles));
  player.desktop.keep_screenshot("game-won.png");
}

TEST_CASE("the gauge selects the idle animation, and the arrow keys play any animation", "[window][game][long]") {
  Gamer player(fresh_chara("game-gauge"));
  player.begin();
  for (int i = 0; i < 6; ++i) player.desktop.key("Prior");
  CHECK(player.plays(2));
  CHECK(player.stays(kTwoCycles));  // At 60% the idle animations do not alternate.
  for (int i = 0; i < 3; ++i) player.desktop.key("Prior");
  CHECK(player.plays(1));
  CHECK(player.plays(2));
  for (int i = 0; i < 9; ++i) player.desktop.key("Next");
  CHECK(eventually([&] { return player.plays(1) && player.stays(kTwoCycles); }));
  for (int i = 0; i < 12; ++i) player.desktop.key("Down");
  CHECK(player.plays(14));  // There is no 13.
}

TEST_CASE("buttons and the list do the same as the keys", "[window][game][long]") {
  Gamer player(fresh_chara("game-mouse"));
  player.begin_paused();
  const Vec2 corner = kLayout.clips.min;
  player.desktop.click(corner + Vec2{165, 165});  // Great, the third of four.
  player.step_animation();
  CHECK(player.plays(7));
  player.step_animation();
  CHECK(player.plays(1));
  player.desktop.click(corner + Vec2{180, 201});  // Dance, the second of two.
  CHECK(player.plays(18));
  REQUIRE(player.comes_to_rest());
  player.desktop.keep_screenshot("game-buttons.png");
  player.desktop.click(corner + Vec2{60, 342});  // The fourth on the left.
  CHECK(player.plays(4));
  player.desktop.click(corner + Vec2{60, 342});
  player.step_animation();
  CHECK(player.plays(1));
}

TEST_CASE("a paused game stands still and can be stepped", "[window][game][long]") {
  Gamer player(fresh_chara("game-paused"));
  player.begin_paused();
  player.desktop.key("2");
  REQUIRE(player.comes_to_rest());
  CHECK(player.plays(1));
  CHECK(player.stays(kTwoCycles, {{0, 0}, {kWidth, kHeight}}));
  const Screenshot paused = player.capture();
  player.step_animation();
  CHECK(player.plays(8));
  CHECK(player.changes_from(paused, kLayout.clips));
  player.desktop.key("x", "Shift_L");
  CHECK(player.shows_title("01_neutral"));
  CHECK(player.plays(1));
}

TEST_CASE("a saved image is reloaded, and the game continues", "[window][game][long]") {
  const fs::path file = fresh_chara("game-saved");
  Gamer player(file);
  player.begin();
  player.desktop.key("6");
  REQUIRE(player.plays(18));
  write_sheet(file.parent_path() / "sheet.bmp", 200);
  CHECK(player.plays(18, 200));
  player.desktop.key("6");
  CHECK(player.plays(1, 200));
}

TEST_CASE("Shift+P and --second-player apply the second-player skin", "[window][game][long]") {
  const fs::path file = fresh_chara("game-second");
  {
    Gamer player(file);
    player.desktop.key("space");
    player.desktop.key("4");
    REQUIRE(player.plays(4));
    const Screenshot first = player.capture();
    player.desktop.key("p", "Shift_L");
    CHECK(player.plays(4, kSecondBlue));
    CHECK(player.shows_title("04_miss"));
    player.desktop.keep_screenshot("game-second.png");
    player.desktop.key("p", "Shift_L");
    CHECK(player.plays(4, kBlue));
    player.desktop.move(kCanvas.center());
    CHECK(player.becomes(first));
  }
  Gamer player(file, {"--second-player", "--encoding", "shift-jis"});
  CHECK(player.plays(1, kSecondBlue));
}

TEST_CASE("a sample character's game is shown", "[window][game][long]") {
  const int scale = GENERATE(1, 2);
  RunningPlayer player({path_text(asset("konpei/konpei.chp"))}, kWidth * scale, kHeight * scale, 96 * scale);
  REQUIRE(player.shows_title("01_neutral"));
  const Screenshot clips = player.capture();
  player.desktop.key("x", "Shift_L");
  player.desktop.key("3");
  REQUIRE(player.changes_from(clips));
  player.desktop.keep_screenshot("game-konpei-" + std::to_string(scale) + "x.png");
  player.desktop.key("5");
  CHECK(player.shows_title("18_attacked"));
  player.desktop.key("space");
  const Rect all{{0, 0}, {kWidth * scale, kHeight * scale}};
  REQUIRE(player.comes_to_rest());
  const Screenshot attacked = player.capture();
  player.desktop.key("F1");
  REQUIRE(player.changes_from(attacked, all));
  REQUIRE(player.comes_to_rest());
  player.desktop.keep_screenshot("help-" + std::to_string(scale) + "x.png");
  player.desktop.key("F1");
  REQUIRE(player.becomes(attacked, all));
  player.desktop.key("space");
  player.desktop.resize(player.window, 760 * scale, 480 * scale);
  player.desktop.key("6");
  player.desktop.key("6");
  CHECK(player.shows_title("01_neutral"));
  player.desktop.keep_screenshot("game-small-" + std::to_string(scale) + "x.png");
  CHECK(player.process.running());
}

TEST_CASE("docs/game.png is up to date", "[window][game][docs][long]") {
  RunningPlayer player({path_text(asset("konpei/konpei.chp"))});
  REQUIRE(player.shows_title("01_neutral"));
  player.desktop.key("x", "Shift_L");
  player.desktop.key("space");
  player.desktop.key("Home");
  for (int i = 0; i < 3; ++i) player.desktop.key("Prior");
  player.desktop.key("3");
  for (int i = 0; i < 3; ++i) player.desktop.key("Right");
  player.desktop.move({kCanvas.min.x + 20, kCanvas.min.y + 20});
  REQUIRE(player.comes_to_rest());
  CHECK(player.is_documented("game.png"));
}

}  // namespace pchr::test::game_test
