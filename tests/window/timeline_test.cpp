// SPDX-License-Identifier: MIT
// The timeline under the mouse.
#include "running_player.hpp"

#include <chrono>
#include <span>

namespace pchr::test::timeline_test {
namespace {

/// Returns the center of `frame` on the ruler or the track of a clip with `count` frames, if all are visible.
Vec2 on(const RunningPlayer& player, const std::string& widget, std::uint32_t frame,
        std::uint32_t count = kBendFrames) {
  const Rect area = player.where(widget);
  const float along = (static_cast<float>(frame) + 0.5F) / static_cast<float>(count);
  return {area.min.x + area.size().x * along, area.center().y};
}

/// Moves the mouse away so that no tooltip is shown.
void leave(RunningPlayer& player) { player.desktop.move(kCanvas.center()); }

void drag(RunningPlayer& player, Vec2 from, Vec2 to, unsigned button = 1) {
  player.desktop.drag(from, to, button);
  player.desktop.release(button);
}

void drag_with_shift(RunningPlayer& player, Vec2 from, Vec2 to) {
  player.desktop.hold_key("Shift_L");
  drag(player, from, to);
  player.desktop.release_key("Shift_L");
}

void type(RunningPlayer& player, const std::string& text) {
  for (const char letter : text) player.desktop.key(letter == '.' ? "period" : std::string(1, letter));
}

fs::path marked_file() {
  const fs::path path = output("window/marked.pchr");
  write_file(path, write_v1(two_bone_arm()));
  const std::string text = R"({"markers": [{"clip": "bend", "frame": 3, "name": "tap"},
                                           {"clip": "bend", "frame": 5, "name": "a long name of a marker"}]})";
  write_file(output("window/marked.markers.json"), std::as_bytes(std::span(text)));
  return path;
}

/// Returns a looping clip of so many frames, as a dance to a song has.
fs::path long_file(std::uint32_t frames) {
  CharacterData data = two_bone_arm();
  Clip clip = resting_clip("dance", frames, 3, 12);
  clip.looping = true;
  for (std::uint32_t frame = 0; frame < frames; ++frame) {
    clip.samples.y[frame * 3 + 1] = 40;
    clip.samples.y[frame * 3 + 2] = 20;
    clip.samples.rotation_degrees[frame * 3 + 1] = static_cast<float>(frame % 120);
    clip.samples.z_order[frame * 3 + 2] = frame % 500 < 250 ? 1 : -1;
  }
  data.clips = {std::move(clip)};
  const fs::path path = output("window/long.pchr");
  write_file(path, write_v1(data));
  return path;
}

constexpr std::uint32_t kLong = 3600;

/// Returns the first and last frame that the timeline shows.
std::pair<int, int> visible(const RunningPlayer& player) {
  int first = -1;
  int last = -1;
  static_cast<void>(std::sscanf(player.state("visible frames").c_str(), "%d-%d", &first, &last));
  return {first, last};
}

}  // namespace

TEST_CASE("the mouse scrubs, makes ranges and changes them", "[window][timeline]") {
  RunningPlayer player({path_text(arm_file())});
  {
    INFO("dragging the ruler or the track scrubs, and playback goes on afterwards");
    REQUIRE(player.state_becomes("playing", "yes"));
    for (const std::string area : {"ruler", "track"}) {
      INFO(area);
      player.desktop.drag(on(player, area, 1), on(player, area, 5));
      CHECK(player.state("frame") == "5");
      CHECK(player.state("playing") == "no");
      CHECK(player.state("range").empty());
      player.desktop.release(1);
      CHECK(player.state_becomes("playing", "yes"));
    }
    player.desktop.key("space");
    player.desktop.click(on(player, "ruler", 3));
    CHECK(player.state("frame") == "3");
    CHECK(player.state("playing") == "no");
  }
  {
    INFO("Shift+drag makes a range, its handles change it, and its chip clears it");
    player.desktop.key("Home");
    drag_with_shift(player, on(player, "track", 2), on(player, "track", 4));
    leave(player);
    CHECK(player.state("range") == "2-4");
    player.desktop.key("Home");
    CHECK(player.state("frame") == "2");
    player.desktop.key("End");
    CHECK(player.state("frame") == "4");
    player.desktop.keep_screenshot("timeline-range.png");

    drag(player, player.where("range-first").center(), on(player, "ruler", 1));
    CHECK(player.state("range") == "1-4");
    drag(player, player.where("range-last").center(), on(player, "ruler", 6));
    CHECK(player.state("range") == "1-6");
    player.desktop.double_click(on(player, "ruler", 3));
    CHECK(player.state("range") == "1-6");
    CHECK(player.state("frame") == "3");
    player.click("range-clear");
    CHECK(player.state("range").empty());
    CHECK_FALSE(player.find("range"));
  }
  {
    INFO("scrubbing leaves the range, and playing goes on into it");
    player.desktop.key("Home");
    drag_with_shift(player, on(player, "ruler", 2), on(player, "ruler", 4));
    drag(player, on(player, "ruler", 3), on(player, "ruler", 7));
    CHECK(player.state("frame") == "7");
    CHECK(player.state("range") == "2-4");
    player.desktop.key("Left");
    CHECK(player.state("frame") == "6");
    player.desktop.key("space");
    CHECK(player.state_becomes("frame", "2"));
    CHECK(player.state_becomes("frame", "4"));
    CHECK(player.state_becomes("frame", "2"));
  }
}

TEST_CASE("a long clip is zoomed and panned, and the timeline follows its playhead and its range",
          "[window][timeline][long]") {
  RunningPlayer player({path_text(long_file(kLong))});
  static_cast<void>(player.pause_at_start());
  {
    INFO("a long clip is zoomed with the wheel and panned with the middle button");
    CHECK(player.state("visible frames") == "0-3599");
    const Rect track = player.where("track");
    player.desktop.move(on(player, "track", 900, kLong));
    for (int i = 0; i < 12; ++i) player.desktop.wheel(true);
    const auto [first, last] = visible(player);
    CHECK(first > 700);
    CHECK(last < 1200);
    CHECK(std::abs(first + (last - first) / 4 - 900) < 10);
    player.desktop.click(track.center());
    CHECK(std::abs(std::stoi(player.state("frame")) - (first + last) / 2) < 5);
    leave(player);
    REQUIRE(player.comes_to_rest());
    player.desktop.keep_screenshot("timeline-zoomed.png");

    drag(player, track.center(), track.center() + Vec2{track.size().x * 0.25F, 0.0F}, 2);
    const int panned = visible(player).first;
    CHECK(std::abs(first - panned - (last - first) / 4) < 10);
    player.desktop.hold_key("Shift_L");
    player.desktop.wheel(false);
    player.desktop.release_key("Shift_L");
    CHECK(visible(player).first > panned);
    CHECK(visible(player).second - visible(player).first == Approx(last - first).margin(1));

    const Rect scroll = player.where("timeline-scroll");
    player.desktop.click({scroll.max.x - 20.0F, scroll.center().y});
    CHECK(visible(player).second > 3500);
    drag(player, {scroll.max.x - 20.0F, scroll.center().y}, {scroll.min.x, scroll.center().y});
    CHECK(visible(player).first < 100);
    player.desktop.double_click(scroll.center());
    CHECK(player.state_becomes("visible frames", "0-3599"));
  }
  {
    INFO("a zoomed timeline follows the playhead and shows a range on a click on its chip");
    drag_with_shift(player, on(player, "ruler", 1000, kLong), on(player, "ruler", 1199, kLong));
    player.click("range");
    const auto [first, last] = visible(player);
    CHECK(first > 980);
    CHECK(last < 1220);
    CHECK(player.where("range-first").min.x > player.where("ruler").min.x);
    player.desktop.keep_screenshot("timeline-long-range.png");

    player.click("range-clear");
    player.desktop.key("End");
    CHECK(player.state("frame") == "3599");
    CHECK(visible(player).second == 3599);
    player.desktop.key("space");
    CHECK(eventually([&] { return visible(player).first < 500; }));
  }
}

TEST_CASE("a new clip of another length is shown whole", "[window][timeline]") {
  CharacterData data = two_bone_arm();
  data.clips.push_back(resting_clip("wait", 100, 3, 12));
  const fs::path path = output("window/lengths.pchr");
  write_file(path, write_v1(data));
  RunningPlayer player({path_text(path)});
  player.desktop.key("3");
  REQUIRE(player.state_becomes("clip", "wait"));
  player.desktop.move(player.where("track").center());
  for (int i = 0; i < 5; ++i) player.desktop.wheel(true);
  CHECK(visible(player).first > 0);
  player.desktop.key("2");
  CHECK(player.state_becomes("visible frames", "0-7"));
}

TEST_CASE("a clip of 65,535 frames is scrubbed without a delay", "[window][timeline]") {
  constexpr std::uint32_t kFrames = 65'535;
  RunningPlayer player({path_text(long_file(kFrames))});
  static_cast<void>(player.pause_at_start());
  player.desktop.key("b");
  player.desktop.key("Down", "Control_L");
  for (const std::uint32_t frame : {60'000U, 20'000U, 40'000U}) {
    player.desktop.click(on(player, "ruler", frame, kFrames));
    CHECK(std::abs(std::stoi(player.state("frame")) - static_cast<int>(frame)) < 80);
  }
  player.desktop.key("End");
  CHECK(player.state("frame") == "65534");
  leave(player);
  player.desktop.keep_screenshot("timeline-65535.png");
}

TEST_CASE("the frame and the time are typed", "[window][timeline]") {
  RunningPlayer player({path_text(long_file(kLong))});
  static_cast<void>(player.pause_at_start());
  const auto go_to = [&](const std::string& field, const std::string& text, const std::string& key) {
    player.click("##" + field);
    type(player, text);
    if (key == "Return") player.desktop.keep_screenshot("timeline-typing.png");
    player.desktop.key(key);
    return player.state("frame");
  };
  CHECK(go_to("frame", "1234", "Return") == "1234");
  CHECK(go_to("frame", "5", "Escape") == "1234");
  CHECK(go_to("frame", "99999", "Return") == "3599");
  CHECK(go_to("time", "1.5", "Return") == "18");
  CHECK(go_to("time", "0.083", "Return") == "1");
  CHECK(go_to("time", "5000", "Return") == "3599");
}

TEST_CASE("the timeline shows markers, with their names under the mouse", "[window][timeline]") {
  const Rect timeline = player::timeline_bar(kLayout);
  const auto at_start = [](const fs::path& file) {
    RunningPlayer player({path_text(file)});
    return player.pause_at_start();
  };
  const Screenshot bare = at_start(arm_file());
  RunningPlayer player({path_text(marked_file())});
  CHECK(difference(player.pause_at_start(), bare, timeline) > 20);
  const Screenshot before = player.capture();
  const Rect above{{timeline.min.x, timeline.min.y - 60.0F}, {timeline.max.x, timeline.min.y - 4.0F}};
  player.desktop.move(timeline_frame(3));
  CHECK(player.changes_from(before, above));
  REQUIRE(player.comes_to_rest());
  player.desktop.keep_screenshot("timeline-marker.png");
}

TEST_CASE("the selected bone's keys, visibility and zOrder are shown in labeled rows", "[window][timeline]") {
  RunningPlayer player({path_text(marked_file())});
  const Screenshot bare = player.pause_at_start();
  player.desktop.key("v");
  for (int i = 0; i < 5; ++i) player.desktop.key("Down", "Control_L");  // The badge, which changes in every frame.
  leave(player);
  REQUIRE(player.comes_to_rest());
  player.desktop.keep_screenshot("timeline-lanes.png");
  const Rect track = player.where("track");
  CHECK(difference(player.capture(), bare, {track.min, {track.min.x + 60.0F, track.max.y}}) > 50);
}

TEST_CASE("unreadable markers show their error", "[window][timeline]") {
  const fs::path path = output("window/unmarked.pchr");
  write_file(path, write_v1(two_bone_arm()));
  const std::string text = R"({"markers": [{"clip": "no such clip", "frame": 3, "name": "tap"}]})";
  write_file(output("window/unmarked.markers.json"), std::as_bytes(std::span(text)));
  RunningPlayer player({path_text(path)});
  const Screenshot with_error = player.pause_at_start();
  player.desktop.key("Escape");
  CHECK(player.changes_from(with_error));
}

}  // namespace pchr::test::timeline_test
