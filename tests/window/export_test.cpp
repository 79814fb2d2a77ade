// SPDX-License-Identifier: MIT
// The export dialog.
#include "running_player.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>

namespace pchr::test::export_test {
namespace {

const Rect kDialog = player::export_area({kWidth, kHeight}, 1.0F);
const Vec2 kExport = player::export_button(kDialog, 1.0F, true).center();
const Vec2 kBack = player::export_button(kDialog, 1.0F, false).center();
const Rect kWindow{{0, 0}, {kWidth, kHeight}};

fs::path fresh_arm(const std::string& name) {
  const fs::path folder = fresh_folder("window/export-" + name);
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
    REQUIRE(state_becomes("export", "open"));
    REQUIRE(comes_to_rest());
  }
  /// Replaces a field's text. A click selects the whole of a number field; `whole` selects that of a text field.
  void type(const std::string& field, const std::string& text, bool whole = false) {
    click(field);
    if (whole) desktop.key("a", "Control_L");
    for (const char c : text) desktop.key(c == ' ' ? "space" : std::string(1, c));
  }
  /// Chooses hundreds of large images, more than can be written before the next click.
  void choose_many() {
    click("format 3");
    click("plays 2");
    type("times", "99");
    type("percent", "900");
    desktop.key("Tab");
    REQUIRE(comes_to_rest());
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
    player.click("format 1");
    player.click("opaque 1");
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
  player.choose_many();
  const auto begin = [&] {
    player.click("export start");
    REQUIRE(eventually([&] { return file_count(folder) > 1; }));
  };
  begin();
  player.desktop.keep_screenshot("export-progress.png");
  player.click("export back");
  CHECK(eventually([&] { return file_count(folder) == 1; }));
  REQUIRE(player.state_becomes("export", "open"));
  begin();
  player.desktop.key("Escape");
  REQUIRE_FALSE(player.find("export start"));
  CHECK(player.state("export") == "running");
  CHECK(player.state("export progress").find(" of 792 frames") != std::string::npos);
  player.desktop.key("b");
  player.desktop.keep_screenshot("export-bubble.png");
  player.click("export progress");
  CHECK(player.find("export back"));
  player.desktop.key("Escape");
  player.click("cancel export");
  REQUIRE(player.state_becomes("export", "closed"));
  CHECK(eventually([&] { return file_count(folder) == 1; }));
}

TEST_CASE("closing the window during an export leaves no file", "[window][export]") {
  const fs::path file = fresh_arm("leave");
  Exporting player(file);
  player.choose_many();
  player.click("export start");
  REQUIRE(eventually([&] { return file_count(file.parent_path()) > 1; }));
  player.desktop.key("q");
  player.desktop.keep_screenshot("export-quit.png");
  player.click("stay");
  CHECK(player.state_becomes("asks to quit", "no"));
  REQUIRE(player.process.running());
  player.desktop.key("q");
  player.click("quit now");
  CHECK(player.process.wait() == 0);
  CHECK(file_count(file.parent_path()) == 1);
}

TEST_CASE("the folder is chosen in a browser that creates folders", "[window][export][long]") {
  const fs::path file = fresh_arm("folder");
  Exporting player(file);
  player.click("browse folder");
  REQUIRE(player.state_becomes("browser", path_text(file.parent_path())));
  player.click("new folder");
  REQUIRE(player.comes_to_rest());
  for (const char c : std::string("web")) player.desktop.key(std::string(1, c));
  player.desktop.keep_screenshot("export-folder.png");
  player.desktop.key("Return");
  REQUIRE(player.state_becomes("browser", path_text(file.parent_path() / "web")));
  CHECK(fs::is_directory(file.parent_path() / "web"));
  player.click("new folder");
  REQUIRE(player.comes_to_rest());
  player.desktop.key("x");
  player.click("create folder");
  REQUIRE(player.state_becomes("browser", path_text(file.parent_path() / "web" / "x")));
  player.desktop.key("BackSpace");
  REQUIRE(player.state_becomes("browser", path_text(file.parent_path() / "web")));
  player.click("entry 0");
  REQUIRE(player.state_becomes("browser", ""));
  player.click("export start");
  CHECK(eventually([&] { return fs::exists(file.parent_path() / "web" / "arm_bend.apng"); }));
}

TEST_CASE("a range is chosen when the dialog opens", "[window][export]") {
  const fs::path file = fresh_arm("range");
  RunningPlayer player({path_text(file)});
  static_cast<void>(player.pause_at_start());
  for (const char* key : {"Right", "Right", "i", "Right", "o"}) player.desktop.key(key);
  REQUIRE(player.state_becomes("range", "2-3"));
  player.desktop.key("e", "Control_L");
  REQUIRE(player.state_becomes("export", "open"));
  player.desktop.keep_screenshot("export-range.png");
  player.click("export start");
  const fs::path animation = file.parent_path() / "arm_bend_2-3.apng";
  REQUIRE(eventually([&] { return fs::exists(animation); }));
  const Bytes bytes = read_file(animation);
  CHECK(big_endian(bytes, chunk(bytes, "acTL")) == 2);
}

TEST_CASE("presets are saved under a name, chosen, deleted and remembered", "[window][export][long]") {
  const fs::path file = fresh_arm("presets");
  const std::string configuration = fresh_configuration();
  {
    Exporting player(file);
    player.type("percent", "50");
    player.click("format 2");
    player.click("new preset");
    REQUIRE(player.comes_to_rest());
    for (const char c : std::string("web")) player.desktop.key(std::string(1, c));
    player.desktop.keep_screenshot("export-preset.png");
    player.desktop.key("Return");
    REQUIRE(player.state_becomes("export presets", "1"));
    player.click("##preset");
    player.click("Default");
    player.click("##preset");
    player.desktop.keep_screenshot("export-presets.png");
    player.click("web");
    REQUIRE(player.comes_to_rest());
    player.desktop.key("q");
    CHECK(player.process.wait() == 0);
  }
  const std::string kept = read_text(fs::path(configuration) / "pchr/player.conf");
  CHECK_THAT(kept, contains("export-preset = web\t"));
  CHECK_THAT(kept, contains("export-format = webp\n"));
  CHECK_THAT(kept, contains("export-percent = 50\n"));
  RunningPlayer player({path_text(file)}, kWidth, kHeight, 96, configuration);
  static_cast<void>(player.pause_at_start());
  player.desktop.key("e", "Control_L");
  REQUIRE(player.state_becomes("export presets", "1"));
  player.click("delete preset");
  CHECK(player.state_becomes("export presets", "0"));
}

TEST_CASE("a video is written by the ffmpeg on PATH, or the dialog says that there is none", "[window][export]") {
  const fs::path file = fresh_arm("video");
  const fs::path programs = file.parent_path() / "programs";
  fs::create_directory(programs);
  std::ofstream(programs / "ffmpeg") << "#!/bin/sh\nfor last; do :; done\nexec /bin/cat >\"${last#file:}\"\n";
  const std::string before = std::getenv("PATH");
  setenv("PATH", programs.c_str(), 1);
  Exporting player(file);
  setenv("PATH", before.c_str(), 1);
  player.click("format 6");
  player.desktop.keep_screenshot("export-no-ffmpeg.png");
  player.click("export start");
  CHECK(eventually([&] { return player.state("export error").starts_with("ffmpeg was not found"); }));
  player.desktop.key("Escape");
  fs::permissions(programs / "ffmpeg", fs::perms::owner_all);
  player.desktop.key("e", "Control_L");
  REQUIRE(player.state_becomes("export", "open"));
  player.desktop.keep_screenshot("export-video.png");
  player.click("export start");
  REQUIRE(eventually([&] { return fs::exists(file.parent_path() / "arm_bend.mp4"); }));
  REQUIRE(player.state_becomes("notice kind", "success"));
  CHECK(player.find("Show in folder"));
  CHECK(file_count(file.parent_path()) == 3);
}

TEST_CASE("a mix is exported as it is shown", "[window][export]") {
  const fs::path file = fresh_arm("mix");
  RunningPlayer player({path_text(file)});
  static_cast<void>(player.pause_at_start());
  player.desktop.key("x");
  player.desktop.key("1", "Control_L");
  player.desktop.key("e", "Control_L");
  REQUIRE(player.state_becomes("export", "open"));
  REQUIRE(player.comes_to_rest());
  player.desktop.keep_screenshot("export-mix.png");
  player.click("export start");
  const fs::path animation = file.parent_path() / "arm_bind_to_bend.apng";
  REQUIRE(eventually([&] { return fs::exists(animation); }));
  const Bytes bytes = read_file(animation);
  CHECK(big_endian(bytes, chunk(bytes, "acTL")) == 18);
}

TEST_CASE("a sheet has the options of pchr sheet", "[window][export][long]") {
  const fs::path file = fresh_arm("sheet");
  Exporting player(file);
  player.click("clips 1");
  player.click("format 5");
  player.click("pages 1");
  player.click("trim 0");
  player.click("layout 1");
  player.type("page", "512");
  player.type("padding", "4");
  player.type("extrude", "1");
  player.desktop.key("Tab");
  player.desktop.keep_screenshot("export-sheet.png");
  player.click("export start");
  const fs::path json = file.parent_path() / "arm_sheet.json";
  REQUIRE(eventually([&] { return fs::exists(json); }));
  const std::string text = read_text(json);
  CHECK_THAT(text, contains("\"frames\": ["));
  CHECK_THAT(text, contains("\"trimmed\": false"));
  const Bytes page = read_file(file.parent_path() / "arm_sheet.png");
  const std::uint32_t width = big_endian(page, chunk(page, "IHDR"));
  CHECK((width & (width - 1)) == 0);
  CHECK(width <= 512);
}

TEST_CASE("a sheet is exported for an engine, which is remembered", "[window][export]") {
  const fs::path file = fresh_arm("engine");
  const std::string configuration = fresh_configuration();
  const fs::path folder = file.parent_path();
  {
    Exporting player(file);
    player.click("format 5");
    player.desktop.keep_screenshot("export-aseprite.png");
    CHECK(player.find("layout 1"));
    player.click("##engine");
    player.desktop.keep_screenshot("export-engines.png");
    player.click("Godot 4");
    REQUIRE(player.comes_to_rest());
    CHECK_FALSE(player.find("layout 1"));
    player.desktop.move(kCanvas.min + Vec2{10, 10});
    player.desktop.keep_screenshot("export-godot.png");
    player.click("export start");
    REQUIRE(player.state_becomes("notice kind", "success"));
    player.desktop.keep_screenshot("export-godot-notice.png");
    player.desktop.key("q");
    CHECK(player.process.wait() == 0);
  }
  CHECK(fs::exists(folder / "arm_bend_sheet.tres"));
  CHECK_FALSE(fs::exists(folder / "arm_bend_sheet.json"));
  CHECK_THAT(read_text(fs::path(configuration) / "pchr/player.conf"), contains("export-engine = godot\n"));
}

TEST_CASE("the export dialog scales on a high-DPI screen", "[window][export][long]") {
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
