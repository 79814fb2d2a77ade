// SPDX-License-Identifier: MIT
// The Rig tab: tuning a spring with the mouse, undo, saving and reloading.
#include "running_player.hpp"

#include <csignal>

namespace pchr::test::rig_test {
namespace {

// Rows of the panel while its only spring is selected.
constexpr std::uint32_t kSpringRow = 2, kFrequencyRow = 6;

/// Returns the area of the control in a row.
Rect rig_row(std::uint32_t row) {
  const Vec2 padding{player::kPadding, 0.0F};
  const float top = kLayout.clips.min.y + player::kHeadingHeight + player::kRigRowHeight * static_cast<float>(row);
  return {Vec2{kLayout.clips.min.x + player::kRigLabelWidth, top} + padding,
          Vec2{kLayout.clips.max.x, top + player::kRigRowHeight - 4.0F} - 2.0F * padding};
}

/// Copies Kiri, with a slow spring in her tail.
fs::path kiri_with_tail() {
  const fs::path path = output("window/rig/kiri.pchr");
  fs::create_directories(path.parent_path());
  fs::copy_file(asset("kiri.pchr"), path, fs::copy_options::overwrite_existing);
  const std::string rig = R"({
  "markers": [{"clip": "walk", "frame": 0, "name": "step"}],
  "springs": [{"name": "tail", "bones": "tail_1", "frequency": 1.5, "damping": 0.2}]
})";
  write_file(path.parent_path() / "kiri.rig.json", std::as_bytes(std::span(rig)));
  return path;
}

std::string rig_text() { return read_text(output("window/rig/kiri.rig.json")); }

/// Opens the tab and selects the spring.
Screenshot show_spring(RunningPlayer& player) {
  const Screenshot clips = player.capture();
  player.desktop.key("r", "Shift_L");
  REQUIRE(player.changes_from(clips, kLayout.clips));
  player.desktop.click(rig_row(kSpringRow).center());
  player.desktop.move(kCanvas.center());
  REQUIRE(player.comes_to_rest());
  return player.capture();
}

}  // namespace

TEST_CASE("a spring is tuned with the mouse and saved, and reopened with the new value", "[window][rig][long]") {
  const fs::path file = kiri_with_tail();
  Screenshot tuned;
  {
    RunningPlayer player({path_text(file)});
    REQUIRE(player.shows_title("kiri.pchr"));
    static_cast<void>(player.pause_at_start());
    const Screenshot slow = show_spring(player);

    const Rect frequency = rig_row(kFrequencyRow);
    const Vec2 left{frequency.min.x + 20, frequency.center().y}, right{frequency.max.x - 40, frequency.center().y};
    player.desktop.drag(left, right);
    player.desktop.release(1);
    player.desktop.move(kCanvas.center());
    CHECK(player.shows_title("kiri.pchr*"));
    REQUIRE(player.comes_to_rest());
    tuned = player.capture();
    CHECK(difference(tuned, slow, frequency) > 0);

    // The whole drag is one step of undo.
    player.desktop.key("z", "Control_L");
    CHECK(player.becomes(slow, frequency));
    player.desktop.hold_key("Shift_L");
    player.desktop.key("z", "Control_L");
    player.desktop.release_key("Shift_L");
    CHECK(player.becomes(tuned, frequency));

    // The first attempt to quit only asks.
    player.desktop.key("q");
    REQUIRE(player.comes_to_rest());
    REQUIRE(player.process.running());
    CHECK(player.find("save and quit"));
    player.desktop.keep_screenshot("rig-quit.png");
    player.desktop.key("s", "Control_L");
    CHECK(eventually([&] { return player.title().find('*') == std::string::npos; }));
    CHECK(rig_text().find("\"frequency\": 1.5,") == std::string::npos);
    CHECK(rig_text().find("step") != std::string::npos);
    REQUIRE(player.comes_to_rest());
    tuned = player.capture();
    player.desktop.keep_screenshot("rig-saved.png");
  }
  RunningPlayer player({path_text(file)});
  REQUIRE(player.shows_title("kiri.pchr"));
  static_cast<void>(player.pause_at_start());
  const Screenshot again = show_spring(player);
  for (std::uint32_t row = kSpringRow; row < 13; ++row) {
    CHECK(difference(again, tuned, rig_row(row)) == 0);
  }

  CHECK(player.is_documented("rig.png"));

  // Another program saves the file.
  std::string text = rig_text();
  text.replace(text.find("0.2"), 3, "0.9");
  write_file(output("window/rig/kiri.rig.json"), std::as_bytes(std::span(text)));
  CHECK(player.changes_from(again, rig_row(kFrequencyRow + 1)));
}

TEST_CASE("a spring is added at the clicked bone, and swings", "[window][rig]") {
  const fs::path file = kiri_with_tail();
  fs::remove(output("window/rig/kiri.rig.json"));
  RunningPlayer player({path_text(file)});
  REQUIRE(player.shows_title("kiri.pchr"));
  const Screenshot plain = player.pause_at_start();
  player.desktop.click(kCanvas.center() + Vec2{0, 60});
  player.desktop.key("1", "Shift_L");
  CHECK(player.shows_title("kiri.pchr*"));
  REQUIRE(player.changes_from(plain, kLayout.clips));
  player.desktop.key("space");
  player.shows_frame();
  CHECK(player.process.running());
  player.desktop.keep_screenshot("rig-added.png");
  player.desktop.key("Delete");
  CHECK(eventually([&] { return player.title().find('*') == std::string::npos; }));
}

TEST_CASE("unsaved changes outlive a killed player, and are restored", "[window][rig]") {
  const fs::path file = kiri_with_tail();
  const std::string configuration = fresh_configuration();
  // A player that is killed while it writes leaves a temporary file.
  const auto is_kept = [&] {
    std::error_code ignored;
    return std::ranges::any_of(fs::directory_iterator(fs::path(configuration) / "pchr/unsaved", ignored),
                               [](const fs::path& path) { return path.extension() == ".rig"; });
  };
  {
    RunningPlayer player({path_text(file)}, kWidth, kHeight, 96, configuration);
    REQUIRE(player.shows_title("kiri.pchr"));
    static_cast<void>(player.pause_at_start());
    static_cast<void>(show_spring(player));
    const Rect frequency = rig_row(kFrequencyRow);
    player.desktop.drag({frequency.min.x + 20, frequency.center().y}, {frequency.max.x - 40, frequency.center().y});
    player.desktop.release(1);
    REQUIRE(player.shows_title("kiri.pchr*"));
    CHECK(eventually(is_kept));
    ::kill(player.process.id(), SIGKILL);
    CHECK(player.process.wait() == 128 + SIGKILL);
  }
  const std::string saved = rig_text();
  RunningPlayer player({}, kWidth, kHeight, 96, configuration);
  CHECK(eventually([&] { return player.state("notice").find("kiri.pchr has changes") == 0; }));
  CHECK(player.comes_to_rest());
  player.desktop.keep_screenshot("rig-unsaved.png");
  player.click("Restore");
  REQUIRE(player.shows_title("kiri.pchr*"));
  CHECK(rig_text() == saved);
  player.desktop.key("s", "Control_L");
  CHECK(eventually([&] { return rig_text() != saved; }));
  CHECK(eventually([&] { return !is_kept(); }));
}

TEST_CASE("the bind pose is chosen in the Info panel and changes the image, and reopening keeps it once saved",
          "[window][rig][bind_pose]") {
  const fs::path path = output("window/bind/kiri.pchr");
  const fs::path rig = path.parent_path() / "kiri.rig.json";
  fs::create_directories(path.parent_path());
  fs::copy_file(asset("kiri.pchr"), path, fs::copy_options::overwrite_existing);
  fs::remove(rig);
  {
    RunningPlayer player({path_text(path)});
    REQUIRE(player.shows_title("kiri.pchr"));
    const Screenshot right = player.pause_at_start();
    const auto choose = [&](const std::string& pose) {
      player.click("##bind-clip");
      player.click(pose);
      player.desktop.move(kLayout.canvas.min + Vec2{40, 40});
      REQUIRE(player.comes_to_rest());
    };
    CHECK(player.state("bind pose") == "bind 0");
    choose("As authored");
    CHECK(player.state_becomes("bind pose", "as authored"));
    CHECK(player.changes_from(right));
    CHECK(player.shows_title("kiri.pchr*"));
    player.desktop.key("z", "Control_L");
    CHECK(player.becomes(right));
    CHECK(player.state_becomes("bind pose", "bind 0"));

    for (int frame = 0; frame < 6; ++frame) player.desktop.key("Right");
    player.click("use the frame shown");
    const std::string shown = player.state("clip") + " 6";
    CHECK(player.state_becomes("bind pose", shown));
    player.desktop.key("Home");
    REQUIRE(player.comes_to_rest());
    CHECK(player.changes_from(right));
    player.desktop.keep_screenshot("bind-pose.png");
    choose("bind");
    CHECK(player.becomes(right));
    player.desktop.key("s", "Control_L");
    CHECK(eventually([&] { return player.title().find('*') == std::string::npos; }));
    CHECK(read_text(rig).find(R"("bind": {"clip": "bind", "frame": 0})") != std::string::npos);
  }
  const std::string other = R"({"bind": {"clip": "walk", "frame": 3}})";
  write_file(rig, std::as_bytes(std::span(other)));
  RunningPlayer player({path_text(path)});
  REQUIRE(player.shows_title("kiri.pchr"));
  CHECK(player.state_becomes("bind pose", "walk 3"));
  // Another program saves the file.
  const std::string last = R"({"bind": "identity"})";
  write_file(rig, std::as_bytes(std::span(last)));
  CHECK(player.state_becomes("bind pose", "as authored"));
}

}  // namespace pchr::test::rig_test
