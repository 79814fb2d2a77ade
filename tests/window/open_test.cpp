// SPDX-License-Identifier: MIT
// Opening files, and reloading them when they are saved.
#include "drag_and_drop.hpp"
#include "running_player.hpp"
#include "support/png.hpp"

#include <fcntl.h>
#include <fstream>
#include <unistd.h>

namespace pchr::test::open_test {
namespace {

const Rect kBelowBanner{{kCanvas.min.x, kCanvas.center().y}, kCanvas.max};

/// The arm with its strip in another color.
Bytes arm_in(Rgba color) {
  CharacterData data = two_bone_arm();
  for (Image& image : data.images) image = plain_image(image.width, image.height, color, image.name);
  return write_v1(data);
}

/// Saves like many editors: to a temporary file that is then renamed.
void save_by_rename(const fs::path& path, const Bytes& bytes) {
  const fs::path temporary = path.string() + ".tmp";
  write_file(temporary, bytes);
  fs::rename(temporary, path);
}

/// The arm with two images of 25 MB each.
Bytes large_arm() {
  CharacterData data = two_bone_arm();
  for (Image& image : data.images) image = plain_image(2500, 2500, {90, 200, 120, 255}, image.name);
  while (data.images.size() < 2) data.images.push_back(plain_image(2500, 2500, {90, 200, 120, 255}, "more"));
  return write_v1(data);
}

}  // namespace

TEST_CASE("an armature of a skeleton is chosen in the Info panel", "[window][open]") {
  RunningPlayer player({path_text(asset("akari/akari_ske.json"))});
  REQUIRE(player.shows_title("idle"));
  const auto choose = [&](const std::string& armature) {
    player.click("##armature");
    player.click(armature);
  };
  choose("moth");
  CHECK(player.state_becomes("clip", "flutter"));
  choose("akari");
  CHECK(player.state_becomes("clip", "idle"));
}

TEST_CASE("a saved file is reloaded with the same time and view", "[window][open][windows]") {
  const fs::path file = fresh_folder("reload") / "arm.pchr";
  write_file(file, arm_in({200, 60, 60, 255}));
  RunningPlayer player({path_text(file)});
  REQUIRE(player.shows_title("bend"));
  static_cast<void>(player.pause_at_start());
  static_cast<void>(player.screenshot_after_key("Right"));
  player.desktop.wheel(true);
  REQUIRE(player.comes_to_rest());
  const Screenshot red = player.capture();

  save_by_rename(file, arm_in({60, 60, 200, 255}));
  REQUIRE(player.changes_from(red));
  REQUIRE(player.comes_to_rest());
  const Screenshot blue = player.capture();
  CHECK(player.title().find("bend") != std::string::npos);
  // The strip has a single color, so every pixel that differs was red and is now blue. Everything else is unchanged.
  std::size_t recolored = 0;
  for (std::size_t i = 0; i < red.rgb.size(); i += 3) {
    if (red.rgb[i] > 180 && red.rgb[i + 2] < 90) recolored += blue.rgb[i + 2] > 180 && blue.rgb[i] < 90 ? 1 : 0;
  }
  CHECK(recolored > 1000);

  write_file(file, arm_in({200, 60, 60, 255}));
  CHECK(player.becomes(red));
}

TEST_CASE("a broken save shows an error over the last good frame until it is fixed", "[window][open]") {
  const fs::path file = fresh_folder("broken-save") / "arm.pchr";
  const Bytes good_bytes = arm_in({200, 60, 60, 255});
  write_file(file, good_bytes);
  RunningPlayer player({path_text(file)});
  REQUIRE(player.shows_title("bend"));
  const Screenshot good = player.pause_at_start();
  write_file(file, Bytes(good_bytes.begin(), good_bytes.begin() + static_cast<std::ptrdiff_t>(good_bytes.size() / 2)));
  REQUIRE(player.changes_from(good));
  REQUIRE(player.comes_to_rest());
  CHECK(difference(player.capture(), good, kBelowBanner) == 0);
  write_file(file, good_bytes);
  CHECK(player.becomes(good));
}

TEST_CASE("a file is not reloaded if auto reload is off", "[window][open]") {
  const fs::path file = fresh_folder("no-reload") / "arm.pchr";
  write_file(file, arm_in({200, 60, 60, 255}));
  RunningPlayer player({path_text(file)});
  REQUIRE(player.shows_title("bend"));
  const Screenshot red = player.pause_at_start();
  player.desktop.key("r", "Control_L");
  write_file(file, arm_in({60, 60, 200, 255}));
  CHECK(player.stays(std::chrono::seconds(1)));
  CHECK(difference(player.capture(), red, kCanvas) == 0);
  player.desktop.key("F5");
  CHECK(player.changes_from(red));
}

TEST_CASE("an image of a JSON character is reloaded when it is saved", "[window][open]") {
  const fs::path folder = fresh_folder("reload-image");
  const auto paint = [&](std::uint8_t red, std::uint8_t blue) {
    const std::vector<std::uint8_t> rgba{red, 0, blue, 255};
    write_file(folder / "images/\u7d75.png", png_of(1, 1, rgba));
  };
  fs::create_directories(folder / "images");
  paint(250, 0);
  std::ofstream(folder / "square.json") << R"({"version": 1, "fps": 24,
    "images": [{"name": "paint", "path": "images/\u7d75.png", "width": 1, "height": 1}],
    "bones": [{"name": "root", "parentIdx": -1}],
    "meshes": [{"name": "square", "imageIdx": 0, "vertices": [
      {"x": 0, "y": 0, "u": 0, "v": 1, "bones": [{"idx": 0, "weight": 1}]},
      {"x": 8, "y": 0, "u": 1, "v": 1, "bones": [{"idx": 0, "weight": 1}]},
      {"x": 8, "y": 8, "u": 1, "v": 0, "bones": [{"idx": 0, "weight": 1}]},
      {"x": 0, "y": 8, "u": 0, "v": 0, "bones": [{"idx": 0, "weight": 1}]}],
      "triangles": [0, 1, 2, 0, 2, 3]}],
    "animations": []})";
  RunningPlayer player({path_text(folder / "square.json")});
  const auto middle = [&] {
    const Screenshot screenshot = player.capture();
    const Vec2 at = kCanvas.center();
    const std::uint8_t* p =
        &screenshot.rgb[(static_cast<std::size_t>(at.y) * static_cast<std::size_t>(screenshot.width) +
                         static_cast<std::size_t>(at.x)) *
                        3];
    return std::vector<int>{p[0], p[1], p[2]};
  };
  CHECK(eventually([&] { return middle() == std::vector{250, 0, 0}; }));
  paint(0, 250);
  CHECK(eventually([&] { return middle() == std::vector{0, 0, 250}; }));
}

TEST_CASE("a large file opens while the previous one plays", "[window][open]") {
  const fs::path large = fresh_folder("large") / "large.pchr";
  write_file(large, large_arm());
  REQUIRE(fs::file_size(large) > 50'000'000);
  RunningPlayer player({path_text(arm_file())});
  REQUIRE(player.shows_title("arm.pchr"));
  REQUIRE(drop_file(player.desktop, player.window, kCanvas.center(), large));
  CHECK(player.shows_title("large.pchr"));
  CHECK(player.process.running());
}

TEST_CASE("while the first file is opened, the window names it instead of inviting to open one", "[window][open]") {
  int ends[2];
  REQUIRE(pipe2(ends, O_CLOEXEC) == 0);
  const int input = dup(STDIN_FILENO);
  dup2(ends[0], STDIN_FILENO);
  RunningPlayer player({"-"});
  dup2(input, STDIN_FILENO);
  for (const int unused : {input, ends[0]}) close(unused);
  CHECK(player.state_becomes("opening", "standard input"));
  player.shows_frame();
  CHECK_FALSE(player.find("open file"));
  player.desktop.keep_screenshot("opening.png");
  const Bytes bytes = write_v1(two_bone_arm());
  CHECK(write(ends[1], bytes.data(), bytes.size()) == std::ssize(bytes));
  close(ends[1]);
  CHECK(player.shows_title("standard input \u2013 bend"));
  CHECK(player.state("opening").empty());
}

TEST_CASE("a newer file replaces one that is being opened, and quitting does not wait", "[window][open]") {
  const fs::path large = fresh_folder("cancel") / "large.pchr";
  write_file(large, large_arm());
  RunningPlayer player({});
  REQUIRE(drop_file(player.desktop, player.window, kCanvas.center(), large));
  REQUIRE(drop_file(player.desktop, player.window, kCanvas.center(), arm_file()));
  CHECK(player.shows_title("arm.pchr"));
  player.desktop.key("space");
  REQUIRE(player.comes_to_rest());
  CHECK(player.title().find("arm.pchr") != std::string::npos);
  REQUIRE(drop_file(player.desktop, player.window, kCanvas.center(), large));
  player.desktop.key("q");
  CHECK(player.process.wait().value_or(-1) == 0);
}

TEST_CASE("keys step through the given files and through the folder", "[window][open]") {
  const fs::path folder = fresh_folder("go");
  for (const char* name : {"a.pchr", "b.pchr", "c.pchr", "d.pchr"}) write_file(folder / name, write_v1(two_bone_arm()));
  RunningPlayer player({path_text(folder / "b.pchr"), path_text(folder / "d.pchr")});
  CHECK(player.shows_title("b.pchr"));
  player.desktop.key("Next", "Control_L");
  CHECK(player.shows_title("d.pchr"));
  player.desktop.key("Prior", "Control_L");
  CHECK(player.shows_title("b.pchr"));
  player.desktop.key("bracketright");
  CHECK(player.shows_title("c.pchr"));
  player.desktop.key("bracketleft");
  CHECK(player.shows_title("b.pchr"));
  player.desktop.key("bracketleft");
  CHECK(player.shows_title("a.pchr"));
}

TEST_CASE("a dropped folder opens its first character", "[window][open]") {
  const fs::path folder = fresh_folder("dropped");
  for (const char* name : {"hero10.pchr", "hero9.pchr"}) write_file(folder / name, write_v1(two_bone_arm()));
  RunningPlayer player({});
  REQUIRE(drop_file(player.desktop, player.window, kCanvas.center(), folder));
  CHECK(player.shows_title("hero9.pchr"));
  player.desktop.key("Next", "Control_L");
  CHECK(player.shows_title("hero10.pchr"));
}

TEST_CASE("a character is read from standard input", "[window][open][windows]") {
  const fs::path script = fresh_folder("input") / "feed";
  std::ofstream(script) << "#!/bin/sh\nexec \"$@\" - <" << arm_file().string() << "\n";
  fs::permissions(script, fs::perms::owner_all);
  const Desktop desktop = open_desktop();
  std::vector<std::string> command = RunningPlayer::command({});
  command.insert(command.begin(), script.string());
  ChildProcess process(command,
                       {{"DISPLAY", desktop.name()},
                        {"LIBGL_ALWAYS_SOFTWARE", "1"},
                        {"WAYLAND_DISPLAY", std::nullopt},
                        {"XDG_CONFIG_HOME", path_text(fresh_configuration())}},
                       output("window/input.log"));
  CHECK(eventually([&] { return desktop.find_window("standard input \u2013 bend") != 0; }));
}

TEST_CASE("the browser opens files by keyboard and mouse", "[window][open][windows]") {
  const fs::path folder = fresh_folder("browse");
  for (const char* name : {"heroes/arm.pchr", "heroes/leg.pchr", "heroes/more/head.pchr", "notes.txt"}) {
    fs::create_directories((folder / name).parent_path());
    write_file(folder / name, write_v1(two_bone_arm()));
  }
  RunningPlayer player({path_text(folder / "heroes/arm.pchr")});
  const Screenshot arm = player.pause_at_start();
  player.desktop.key("o", "Control_L");
  REQUIRE(player.changes_from(arm));
  REQUIRE(player.comes_to_rest());
  player.desktop.keep_screenshot("browser.png");
  for (const std::string letter : {"l", "e"}) player.desktop.key(letter);
  REQUIRE(player.comes_to_rest());
  player.desktop.key("Return");
  CHECK(player.shows_title("leg.pchr"));
  static_cast<void>(player.pause_at_start());

  player.desktop.key("o", "Control_L");
  player.desktop.key("BackSpace");
  player.desktop.key("Escape");
  CHECK(player.becomes(arm));
  player.desktop.key("o", "Control_L");
  for (const std::string letter : {"m", "o", "x"}) player.desktop.key(letter);
  player.desktop.key("BackSpace");
  player.desktop.key("Return");
  REQUIRE(player.comes_to_rest());
  // A title and two recent files come first, then the title of this folder.
  const Rect area = player::browser_area({kWidth, kHeight}, 1.0F);
  player.desktop.keep_screenshot("browser-recent.png");
  for (const std::string letter : {"h", "e", "a"}) player.desktop.key(letter);
  REQUIRE(player.comes_to_rest());
  player.desktop.click({area.center().x, area.min.y + 84.0F + player::kBrowserRowHeight * 0.5F});
  CHECK(player.shows_title("head.pchr"));
}

TEST_CASE("the empty window has a button that opens the browser", "[window][open]") {
  RunningPlayer player({});
  REQUIRE(player.comes_to_rest());
  const Screenshot empty = player.capture();
  CHECK(player.find("open file"));
  player.desktop.click(player::open_button(kLayout).center());
  REQUIRE(player.changes_from(empty));
  // The button changes its color before the browser is open and can be closed.
  REQUIRE(player.comes_to_rest());
  player.desktop.key("Escape");
  player.desktop.move(kCanvas.center());
  CHECK(player.becomes(empty));
}

TEST_CASE("the player remembers its window, view, playback and recent files", "[window][open][windows]") {
  const std::string configuration = fresh_configuration();
  const fs::path file = fs::path(configuration) / "pchr/player.conf";
  {
    RunningPlayer player({path_text(arm_file())}, kWidth, kHeight, 96, configuration);
    static_cast<void>(player.pause_at_start());
    const Screenshot before = player.capture();
    player.desktop.resize(player.window, 1000, 700);
    for (const std::string key : {"g", "m", "l", "Tab"}) player.desktop.key(key);
    player.desktop.key("r", "Control_L");
    REQUIRE(player.changes_from(before));
    player.desktop.key("q");
    REQUIRE(player.process.wait().value_or(-1) == 0);
  }
  const std::string text = read_text(file);
  for (const std::string line :
       {"window = 1000x700+0+0", "background = color", "loop = once", "sampling = smooth", "reload = off"}) {
    INFO(text);
    CHECK_THAT(text, contains(line + "\n"));
  }
  CHECK_THAT(text, contains("recent = " + path_text(arm_file()) + "\n"));

  std::ofstream(file, std::ios::app) << "from the future = yes\n";
  RunningPlayer player({}, kWidth, kHeight, 96, configuration);
  CHECK(player.desktop.size(player.window) == Vec2{1000, 700});
  REQUIRE(player.comes_to_rest());
  CHECK(player.state("panels") == "yes");  // Hidden panels are not remembered.
  player.desktop.keep_screenshot("empty-recent.png");
  const player::Layout layout = player::arrange({1000, 700}, 1.0F);
  player.desktop.click(player::open_button(layout).center() + Vec2{0.0F, 55.0F});
  CHECK(player.shows_title("arm.pchr"));
  player.desktop.key("q");
  REQUIRE(player.process.wait().value_or(-1) == 0);
  CHECK_THAT(read_text(file), contains("from the future = yes\n"));
}

TEST_CASE("a broken preferences file, or a folder in its place, is ignored", "[window][open]") {
  const std::string configuration = fresh_configuration();
  const fs::path file = fs::path(configuration) / "pchr/player.conf";
  if (GENERATE(true, false)) {
    fs::create_directories(file);
  } else {
    write_file(output("window/config/pchr/player.conf"), Bytes(5000, std::byte{0xFF}));
  }
  RunningPlayer player({path_text(arm_file())}, kWidth, kHeight, 96, configuration);
  CHECK(player.shows_title("arm.pchr"));
  player.desktop.key("q");
  CHECK(player.process.wait().value_or(-1) == 0);
}

}  // namespace pchr::test::open_test
