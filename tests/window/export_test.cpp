// SPDX-License-Identifier: MIT
// The export dialog.
#include "running_player.hpp"

#include <algorithm>
#include <cstring>

namespace pchr::test::export_test {
namespace {

const Rect kDialog = player::export_area({kWidth, kHeight}, 1.0F);
const Vec2 kExport = player::export_button(kDialog, 1.0F, true).center();
const Vec2 kBack = player::export_button(kDialog, 1.0F, false).center();
const Rect kWindow{{0, 0}, {kWidth, kHeight}};

/// Returns the position of choice `number` of `count` in a row of the dialog; the choices cover `part` of the row.
Vec2 choice(std::uint32_t row, int number, int count, float part = 1.0F) {
  const Rect area = player::export_row(kDialog, 1.0F, row);
  const float width = area.size().x * part / static_cast<float>(count);
  return {area.min.x + width * (static_cast<float>(number) + 0.5F), area.center().y};
}

fs::path fresh_arm(const std::string& name) {
  const fs::path folder = output("window/export-" + name + "/x").parent_path();
  fs::remove_all(folder);
  fs::create_directories(folder);
  write_file(folder / "arm.pchr", write_v1(two_bone_arm()));
  return folder / "arm.pchr";
}

std::size_t file_count(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

/// The dialog over the first frame of the arm, paused.
struct Exporting : RunningPlayer {
  Screenshot before;
  explicit Exporting(const fs::path& file) : RunningPlayer({path_text(file)}) {
    REQUIRE(shows_title("bend"));
    before = pause_at_start();
    desktop.key("e", "Control_L");
    REQUIRE(changes_from(before));
    REQUIRE(comes_to_rest());
  }
  /// Clicks into a text field and waits for the caret.
  void choose_field(Vec2 at) {
    const Rect row{{kDialog.min.x, at.y - 10}, {kDialog.max.x, at.y + 10}};
    desktop.move(at);
    const Screenshot shown = capture();
    desktop.click(at);
    REQUIRE(changes_from(shown, row));
  }
  /// Clicks, and waits for a change in the dialog other than the hover effect.
  void choose(Vec2 at) {
    desktop.move(at);
    REQUIRE(comes_to_rest());
    const Screenshot shown = capture();
    desktop.click(at);
    REQUIRE(changes_from(shown, kDialog));
    REQUIRE(comes_to_rest());
  }
};

std::uint32_t big_endian(const Bytes& bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<std::uint32_t>(bytes[at + i]);
  return value;
}

/// Returns the offset of the data of a PNG's first chunk `name`.
std::size_t chunk(const Bytes& png, const char* name) {
  for (std::size_t at = 8; at + 12 <= png.size(); at += big_endian(png, at) + 12) {
    if (std::memcmp(&png[at + 4], name, 4) == 0) return at + 8;
  }
  FAIL("there is no chunk " << name);
  return 0;
}

#ifdef PCHR_TOOL
/// Returns what pchr render writes for the same options, using software rendering like the player.
Bytes rendered(const fs::path& file, const fs::path& to, const std::vector<std::string>& options) {
  std::vector<std::string> command{PCHR_TOOL, "render", file.string(), "--clip", "bend", "-o", to.string()};
  command.insert(command.end(), options.begin(), options.end());
  ChildProcess tool(command, {{"LIBGL_ALWAYS_SOFTWARE", "1"}}, output("window/export-tool.log"));
  REQUIRE(tool.wait() == 0);
  return read_file(to);
}
#endif

}  // namespace

TEST_CASE("Ctrl+E and a click export the clip as an APNG next to the file", "[window][export]") {
  const fs::path file = fresh_arm("apng");
  Exporting player(file);
  player.desktop.keep_screenshot("export.png");
  player.desktop.click(kExport);
  const fs::path animation = file.parent_path() / "arm_bend.apng";
  REQUIRE(eventually([&] { return fs::exists(animation); }));
  REQUIRE(player.comes_to_rest());
  player.desktop.keep_screenshot("export-notice.png");
  const Bytes bytes = read_file(animation);
  CHECK(big_endian(bytes, chunk(bytes, "acTL")) == kBendFrames);
  const std::uint32_t width = big_endian(bytes, chunk(bytes, "IHDR"));
  const std::uint32_t height = big_endian(bytes, chunk(bytes, "IHDR") + 4);
  const auto first = decode({"first", width, height, ImageEncoding::png, bytes});
  REQUIRE(first);
  CHECK(std::ranges::any_of(first->rgba, [](std::uint8_t value) { return value == 255; }));
  CHECK(first->rgba[3] == 0);
#ifdef PCHR_TOOL
  CHECK(rendered(file, file.parent_path() / "tool.apng", {"--scale", "1"}) == bytes);
#endif
  player.desktop.key("Escape");
  CHECK(player.becomes(player.before));
}

TEST_CASE("a GIF is exported on the plain color, and the options are remembered", "[window][export][windows]") {
  const fs::path file = fresh_arm("gif");
  const std::string configuration = fresh_configuration();
  const fs::path animation = file.parent_path() / "arm_bend.gif";
  {
    Exporting player(file);
    player.choose(choice(1, 1, 6));
    player.choose(choice(6, 1, 2, 0.9F));
    player.desktop.key("Return");
    REQUIRE(eventually([&] { return fs::exists(animation); }));
    player.desktop.key("q");
    CHECK(player.process.wait() == 0);
  }
  const Bytes bytes = read_file(animation);
  CHECK(std::memcmp(bytes.data(), "GIF89a", 6) == 0);
#ifdef PCHR_TOOL
  const std::string color = "#5c616b";
  CHECK(rendered(file, file.parent_path() / "tool.gif", {"--scale", "1", "--background", color}) == bytes);
#endif
  const std::string kept = read_text(fs::path(configuration) / "pchr/player.conf");
  CHECK_THAT(kept, contains("export-format = gif\n"));
  CHECK_THAT(kept, contains("export-background = plain\n"));
}

TEST_CASE("an existing file is replaced only after a question", "[window][export]") {
  const fs::path file = fresh_arm("replace");
  const fs::path animation = file.parent_path() / "arm_bend.apng";
  write_file(animation, Bytes(3));
  Exporting player(file);
  player.choose(kExport);
  player.desktop.move(kCanvas.min + Vec2{10, 10});
  REQUIRE(player.comes_to_rest());
  player.desktop.keep_screenshot("export-replace.png");
  const Screenshot question = player.capture();
  player.choose(kBack);
  player.desktop.move(kCanvas.min + Vec2{10, 10});
  REQUIRE(player.changes_from(question, kDialog));
  CHECK(fs::file_size(animation) == 3);
  player.choose(kExport);
  player.desktop.move(kCanvas.min + Vec2{10, 10});
  REQUIRE(player.becomes(question, kWindow));
  player.desktop.click(kExport);
  CHECK(eventually([&] { return fs::file_size(animation) > 100; }));
  CHECK(file_count(file.parent_path()) == 2);
}

TEST_CASE("canceling or closing the window leaves no file", "[window][export]") {
  const fs::path file = fresh_arm("cancel");
  const fs::path folder = file.parent_path();
  Exporting player(file);
  // Hundreds of large images, more than can be written before Cancel is clicked.
  player.choose(choice(1, 3, 6));
  player.choose(choice(7, 2, 3, 0.75F));
  // A click selects the whole number.
  const auto type_into = [&](Vec2 at, const std::string& digits) {
    player.choose_field(at);
    const Screenshot shown = player.capture();
    for (const char digit : digits) player.desktop.key(std::string(1, digit));
    // The description of the output shows the number.
    REQUIRE(player.changes_from(shown, {{kDialog.min.x, kBack.y - 110}, {kDialog.max.x, kBack.y - 20}}));
  };
  type_into(choice(7, 7, 8), "99");
  type_into(choice(3, 3, 4), "900");
  const auto begin = [&] {
    player.desktop.click(kExport);
    REQUIRE(eventually([&] { return file_count(folder) > 1; }));
  };
  begin();
  player.desktop.keep_screenshot("export-progress.png");
  player.desktop.click(kBack);
  CHECK(eventually([&] { return file_count(folder) == 1; }));
  begin();
  player.desktop.key("q");
  player.desktop.keep_screenshot("export-quit.png");
  player.click("stay");
  CHECK(player.state_becomes("asks to quit", "no"));
  REQUIRE(player.process.running());
  player.desktop.key("q");
  player.click("quit now");
  CHECK(player.process.wait() == 0);
  CHECK(file_count(folder) == 1);
}

TEST_CASE("the export dialog scales on a high-DPI screen", "[window][export]") {
  RunningPlayer player({path_text(fresh_arm("large"))}, 2 * kWidth, 2 * kHeight, 192);
  REQUIRE(player.shows_title("bend"));
  static_cast<void>(player.pause_at_start());
  const Screenshot before = player.capture();
  player.desktop.key("e", "Control_L");
  REQUIRE(player.changes_from(before));
  REQUIRE(player.comes_to_rest());
  player.desktop.keep_screenshot("export-2x.png");
  player.desktop.key("Escape");
  CHECK(player.becomes(before));
}

}  // namespace pchr::test::export_test
