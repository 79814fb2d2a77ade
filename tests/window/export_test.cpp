// SPDX-License-Identifier: MIT
// The dialog that exports films.
#include "running_player.hpp"

#include <algorithm>
#include <cstring>

namespace pchr::test {
namespace {

const Rect kDialog = player::export_area({kWidth, kHeight}, 1.0F);
const Vec2 kExport = player::export_button(kDialog, 1.0F, true).center();
const Vec2 kBack = player::export_button(kDialog, 1.0F, false).center();
const Rect kWindow{{0, 0}, {kWidth, kHeight}};

/// Choice `number` of `count` in a row of the dialog, of which they take a part.
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

/// The dialog over the first frame of the arm, which rests.
struct Exporting : RunningPlayer {
  Picture before;
  explicit Exporting(const fs::path& file) : RunningPlayer({path_text(file)}) {
    REQUIRE(shows_title("bend"));
    before = pause_at_start();
    desktop.key("e", "Control_L");
    REQUIRE(changes_from(before));
    REQUIRE(comes_to_rest());
  }
  /// Clicks into a field, in which then something blinks.
  void choose_field(Vec2 at) {
    const Rect row{{kDialog.min.x, at.y - 10}, {kDialog.max.x, at.y + 10}};
    desktop.move(at);
    const Picture shown = capture();
    desktop.click(at);
    REQUIRE(changes_from(shown, row));
  }
  /// Clicks, and waits for what that changes in the dialog beyond what the pointer over it does.
  void choose(Vec2 at) {
    desktop.move(at);
    REQUIRE(comes_to_rest());
    const Picture shown = capture();
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

/// Where the content of a PNG's first chunk of that name begins.
std::size_t chunk(const Bytes& png, const char* name) {
  for (std::size_t at = 8; at + 12 <= png.size(); at += big_endian(png, at) + 12) {
    if (std::memcmp(&png[at + 4], name, 4) == 0) return at + 8;
  }
  FAIL("there is no chunk " << name);
  return 0;
}

#ifdef PCHR_TOOL
/// What pchr render writes for the same choices, drawn on the processor as the player's is.
Bytes rendered(const fs::path& file, const fs::path& to, const std::vector<std::string>& options) {
  std::vector<std::string> command{PCHR_TOOL, "render", path_text(file), "--clip", "bend", "-o", path_text(to)};
  command.insert(command.end(), options.begin(), options.end());
  ChildProcess tool(command, {{"LIBGL_ALWAYS_SOFTWARE", "1"}}, output("window/export-tool.log"));
  REQUIRE(tool.wait() == 0);
  return read_file(to);
}
#endif

}  // namespace

TEST_CASE("Ctrl+E and a click export the clip as an animated PNG beside the file", "[window][export]") {
  const fs::path file = fresh_arm("apng");
  Exporting player(file);
  player.desktop.keep_picture("export.png");
  player.desktop.click(kExport);
  const fs::path film = file.parent_path() / "arm_bend.apng";
  REQUIRE(eventually([&] { return fs::exists(film); }));
  REQUIRE(player.comes_to_rest());
  player.desktop.keep_picture("export-notice.png");
  const Bytes bytes = read_file(film);
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

TEST_CASE("a GIF on the plain color, and the choices are there the next time", "[window][export]") {
  const fs::path file = fresh_arm("gif");
  const std::string configuration = fresh_configuration();
  const fs::path film = file.parent_path() / "arm_bend.gif";
  {
    Exporting player(file);
    player.choose(choice(1, 1, 6));
    player.choose(choice(6, 1, 2, 0.9F));
    player.desktop.key("Return");
    REQUIRE(eventually([&] { return fs::exists(film); }));
    player.desktop.key("q");
    CHECK(player.process.wait() == 0);
  }
  const Bytes bytes = read_file(film);
  CHECK(std::memcmp(bytes.data(), "GIF89a", 6) == 0);
#ifdef PCHR_TOOL
  const std::string color = "#5c616b";
  CHECK(rendered(file, file.parent_path() / "tool.gif", {"--scale", "1", "--background", color}) == bytes);
#endif
  const std::string kept = read_text(fs::path(configuration) / "pchr/player.conf");
  CHECK_THAT(kept, contains("export-format = gif\n"));
  CHECK_THAT(kept, contains("export-background = plain\n"));
}

TEST_CASE("a film that is there is replaced only after a question", "[window][export]") {
  const fs::path file = fresh_arm("replace");
  const fs::path film = file.parent_path() / "arm_bend.apng";
  write_file(film, Bytes(3));
  Exporting player(file);
  player.choose(kExport);
  player.desktop.move(kCanvas.min + Vec2{10, 10});
  REQUIRE(player.comes_to_rest());
  player.desktop.keep_picture("export-replace.png");
  const Picture question = player.capture();
  player.choose(kBack);
  player.desktop.move(kCanvas.min + Vec2{10, 10});
  REQUIRE(player.changes_from(question, kDialog));
  CHECK(fs::file_size(film) == 3);
  player.choose(kExport);
  player.desktop.move(kCanvas.min + Vec2{10, 10});
  REQUIRE(player.becomes(question, kWindow));
  player.desktop.click(kExport);
  CHECK(eventually([&] { return fs::file_size(film) > 100; }));
  CHECK(file_count(file.parent_path()) == 2);
}

TEST_CASE("Cancel leaves no file, and neither does closing the window", "[window][export]") {
  const fs::path file = fresh_arm("cancel");
  const fs::path folder = file.parent_path();
  Exporting player(file);
  // More than is done before Cancel is clicked: hundreds of large pictures.
  player.choose(choice(1, 3, 6));
  player.choose(choice(7, 2, 3, 0.75F));
  // A click selects all of a number.
  const auto type_into = [&](Vec2 at, const std::string& digits) {
    player.choose_field(at);
    const Picture shown = player.capture();
    for (const char digit : digits) player.desktop.key(std::string(1, digit));
    // What will come out says so.
    REQUIRE(player.changes_from(shown, {{kDialog.min.x, kBack.y - 110}, {kDialog.max.x, kBack.y - 20}}));
  };
  type_into(choice(7, 7, 8), "99");
  type_into(choice(3, 3, 4), "900");
  const auto begin = [&] {
    player.desktop.click(kExport);
    REQUIRE(eventually([&] { return file_count(folder) > 1; }));
  };
  begin();
  player.desktop.keep_picture("export-progress.png");
  player.desktop.click(kBack);
  CHECK(eventually([&] { return file_count(folder) == 1; }));
  begin();
  player.desktop.key("q");
  CHECK(player.process.wait() == 0);
  CHECK(file_count(folder) == 1);
}

TEST_CASE("the dialog on a screen of twice the dots", "[window][export]") {
  RunningPlayer player({path_text(fresh_arm("large"))}, 2 * kWidth, 2 * kHeight, 192);
  REQUIRE(player.shows_title("bend"));
  static_cast<void>(player.pause_at_start());
  const Picture before = player.capture();
  player.desktop.key("e", "Control_L");
  REQUIRE(player.changes_from(before));
  REQUIRE(player.comes_to_rest());
  player.desktop.keep_picture("export-2x.png");
  player.desktop.key("Escape");
  CHECK(player.becomes(before));
}

}  // namespace pchr::test
