// SPDX-License-Identifier: MIT
// A Pomyu character as its game plays it.
#include "chara.hpp"
#include "running_player.hpp"

#include <array>
#include <cstdlib>

namespace pchr::test {
namespace {

constexpr std::uint8_t kBlue = 250, kSecondBlue = 130;
/// Two cycles of an animation of this file: an idle character changes only at the end of a cycle.
constexpr std::chrono::milliseconds kTwoCycles{2200};

struct Shown {
  int animation = 0;  ///< 0: none of them.
  std::uint8_t blue = 0;
  bool operator==(const Shown&) const = default;
};

/// What the color in the middle of the canvas says.
Shown shown(const Picture& picture) {
  const Vec2 at = kCanvas.center();
  const auto pixel = static_cast<std::size_t>(static_cast<int>(at.y) * picture.width + static_cast<int>(at.x)) * 3;
  if (picture.rgb[pixel + 1] > 2) return {};
  for (int number = 1; number <= static_cast<int>(kCharaAnimations); ++number) {
    if (std::abs(picture.rgb[pixel] - red_of(number)) <= 2) return {number, picture.rgb[pixel + 2]};
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
    const Picture clips = capture();
    desktop.key("x", "Shift_L");
    REQUIRE(changes_from(clips, kLayout.clips));
  }
  /// Begins at the start of an idle cycle, and stands still.
  void begin_paused() {
    begin();
    desktop.key("space");
    desktop.key("Home");
    REQUIRE(comes_to_rest());
  }
  /// As long as every animation here lasts.
  void step_animation() { desktop.key("Right", "Shift_L"); }
  [[nodiscard]] bool plays(int number, std::uint8_t blue = kBlue) const {
    return eventually([&] { return shown(capture()) == Shown{number, blue}; });
  }
  /// As plays(), with the title that tells so.
  [[nodiscard]] bool plays_under_its_name(int number) const {
    return plays(number) && shows_title(std::string(clip_name(static_cast<CharaAnimation>(number))));
  }
};

}  // namespace

TEST_CASE("keys tell of notes, which are answered once", "[window][game]") {
  Gamer player(fresh_chara("game-notes"));
  player.begin_paused();
  CHECK(player.plays(1));
  for (const auto& [key, number] : {std::pair{"1", 4}, {"2", 8}, {"3", 7}, {"4", 6}}) {
    CAPTURE(key);
    player.desktop.key(key);
    player.step_animation();  // What idles ends first.
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

TEST_CASE("disturbances and the song's end go on until they are told to end", "[window][game]") {
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
  // Slowly, so that what lasts for a second is seen however busy the machine is.
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
  player.desktop.keep_picture("game-won.png");
}

TEST_CASE("the gauge chooses what it idles with, and the arrows play any animation", "[window][game]") {
  Gamer player(fresh_chara("game-gauge"));
  player.begin();
  for (int i = 0; i < 6; ++i) player.desktop.key("Prior");
  CHECK(player.plays(2));
  CHECK(player.stays(kTwoCycles));  // At 60 % there is no turn.
  for (int i = 0; i < 3; ++i) player.desktop.key("Prior");
  CHECK(player.plays(1));
  CHECK(player.plays(2));
  for (int i = 0; i < 9; ++i) player.desktop.key("Next");
  CHECK(eventually([&] { return player.plays(1) && player.stays(kTwoCycles); }));
  for (int i = 0; i < 12; ++i) player.desktop.key("Down");
  CHECK(player.plays(14));  // It has no 13.
}

TEST_CASE("buttons and the list do what the keys do", "[window][game]") {
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
  player.desktop.keep_picture("game-buttons.png");
  player.desktop.click(corner + Vec2{60, 342});  // In the list, the fourth on the left.
  CHECK(player.plays(4));
  player.desktop.click(corner + Vec2{60, 342});
  player.step_animation();
  CHECK(player.plays(1));
}

TEST_CASE("a game stands still while it is paused, and steps", "[window][game]") {
  Gamer player(fresh_chara("game-paused"));
  player.begin_paused();
  player.desktop.key("2");
  REQUIRE(player.comes_to_rest());
  CHECK(player.plays(1));
  CHECK(player.stays(kTwoCycles, {{0, 0}, {kWidth, kHeight}}));
  const Picture paused = player.capture();
  player.step_animation();
  CHECK(player.plays(8));
  CHECK(player.changes_from(paused, kLayout.clips));
  player.desktop.key("x", "Shift_L");
  CHECK(player.shows_title("01_neutral"));
  CHECK(player.plays(1));
}

TEST_CASE("a picture that is saved is shown, and the game goes on", "[window][game]") {
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

TEST_CASE("Shift+P dresses for the second player at the same moment, and so does --second-player", "[window][game]") {
  const fs::path file = fresh_chara("game-second");
  {
    Gamer player(file);
    player.desktop.key("space");
    player.desktop.key("4");
    REQUIRE(player.plays(4));
    const Picture first = player.capture();
    player.desktop.key("p", "Shift_L");
    CHECK(player.plays(4, kSecondBlue));
    CHECK(player.shows_title("04_miss"));
    player.desktop.keep_picture("game-second.png");
    player.desktop.key("p", "Shift_L");
    CHECK(player.plays(4, kBlue));
    player.desktop.move(kCanvas.center());
    CHECK(player.becomes(first));
  }
  Gamer player(file, {"--second-player", "--encoding", "shift-jis"});
  CHECK(player.plays(1, kSecondBlue));
}

TEST_CASE("the game of a real character is shown", "[window][game]") {
  const int scale = GENERATE(1, 2);
  RunningPlayer player({path_text(asset("konpei/konpei.chp"))}, kWidth * scale, kHeight * scale, 96 * scale);
  REQUIRE(player.shows_title("01_neutral"));
  const Picture clips = player.capture();
  player.desktop.key("x", "Shift_L");
  player.desktop.key("3");
  REQUIRE(player.changes_from(clips));
  player.desktop.keep_picture("game-konpei-" + std::to_string(scale) + "x.png");
  player.desktop.key("5");
  CHECK(player.shows_title("18_attacked"));
  player.desktop.key("space");
  const Rect all{{0, 0}, {kWidth * scale, kHeight * scale}};
  REQUIRE(player.comes_to_rest());
  const Picture attacked = player.capture();
  player.desktop.key("F1");
  REQUIRE(player.changes_from(attacked, all));
  REQUIRE(player.comes_to_rest());
  player.desktop.keep_picture("help-" + std::to_string(scale) + "x.png");
  player.desktop.key("F1");
  REQUIRE(player.becomes(attacked, all));
  player.desktop.key("space");
  player.desktop.resize(player.window, 760 * scale, 480 * scale);
  player.desktop.key("6");
  player.desktop.key("6");
  CHECK(player.shows_title("01_neutral"));
  player.desktop.keep_picture("game-small-" + std::to_string(scale) + "x.png");
  CHECK(player.process.running());
}

TEST_CASE("the README shows the game as it is", "[window][game][readme]") {
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

}  // namespace pchr::test
