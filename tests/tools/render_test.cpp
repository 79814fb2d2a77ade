// SPDX-License-Identifier: MIT
// `pchr render`.
#include "tool.hpp"

#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/scenes.hpp"

#include <pchr/image.hpp>
#include <pchr/import/import.hpp>
#include <pchr/load.hpp>
#include <pchr/pose.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <string>

namespace render_test {
namespace {

using namespace pchr::test;
namespace fs = std::filesystem;

std::uint32_t big_endian(const Bytes& bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = value << 8U | std::to_integer<std::uint32_t>(bytes.at(at + i));
  return value;
}

pchr::Bitmap decode_png(Bytes bytes) {
  pchr::Image image{"image", big_endian(bytes, 16), big_endian(bytes, 20), pchr::ImageEncoding::png, {}};
  image.bytes = std::move(bytes);
  return pchr::decode(image).value();
}

pchr::Bitmap rendered(const std::string& file, std::vector<std::string> options) {
  const std::string png = output("tools/rendered.png").string();
  std::filesystem::remove(png);
  options.insert(options.begin(), {"render", file, "-o", png});
  const Outcome outcome = run_pchr(options);
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  CHECK(outcome.out.empty());
  return decode_png(read_file(png));
}

Rgba pixel(const pchr::Bitmap& bitmap, std::uint32_t x, std::uint32_t y) {
  const std::uint8_t* at = &bitmap.rgba.at((std::size_t{y} * bitmap.width + x) * 4);
  return {at[0], at[1], at[2], at[3]};
}

// The second one is for Wine, which needs a display.
const std::vector<std::string> kNoOpenGl{"__EGL_VENDOR_LIBRARY_FILENAMES=/nonexistent",
                                         "DISPLAY=", "WINEDLLOVERRIDES=mscoree,mshtml=;winedbg.exe=d;opengl32="};

constexpr Rgba kWhite{255, 255, 255, 255};
constexpr Rgba kClear{0, 0, 0, 0};

TEST_CASE("render writes a transparent PNG of the requested size", "[tools][render]") {
  const std::string file = character_file("render_quad.pchr", sliding_quad());
  const pchr::Bitmap bitmap = rendered(file, {"--clip", "bind", "--size", "90x60"});
  CHECK(bitmap.width == 90);
  CHECK(bitmap.height == 60);
  CHECK(pixel(bitmap, 0, 0) == kClear);
  CHECK(pixel(bitmap, 45, 30) == kWhite);
  CHECK(pixel(bitmap, 10, 30) == kClear);
}

TEST_CASE("rendered frames of one clip line up", "[tools][render]") {
  const std::string file = character_file("render_lines_up.pchr", sliding_quad());
  // The clip spans x -8..20 and y -8..8: with no margin, 280 pixels are 10 per world pixel.
  for (const int frame : {0, 1, 2, 3}) {
    const pchr::Bitmap bitmap =
        rendered(file, {"--clip", "slide", "--frame", std::to_string(frame), "--size", "280x160", "--margin", "0"});
    const auto left = static_cast<std::uint32_t>(40 * frame);
    CHECK(pixel(bitmap, left + 2, 80) == kWhite);
    CHECK(pixel(bitmap, left + 157, 80) == kWhite);
    if (frame > 0) CHECK(pixel(bitmap, left - 3, 80) == kClear);
    if (frame < 3) CHECK(pixel(bitmap, left + 163, 80) == kClear);
  }
}

TEST_CASE("option --smooth interpolates a time between frames", "[tools][render]") {
  const std::string file = character_file("render_smooth.pchr", sliding_quad());
  const std::vector<std::string> options{"--clip", "slide", "--time", "0.0625", "--size", "280x160", "--margin", "0"};
  CHECK(pixel(rendered(file, options), 50, 80) == kWhite);
  std::vector<std::string> smooth = options;
  smooth.emplace_back("--smooth");
  CHECK(pixel(rendered(file, smooth), 50, 80) == kClear);
  CHECK(pixel(rendered(file, smooth), 70, 80) == kWhite);
}

TEST_CASE("options --zoom, --center and --flip-y place the camera", "[tools][render]") {
  pchr::CharacterData data = sliding_quad();
  add_quad(data, "above", 0, {{-8, 40}, {8, 56}}, 0);
  const std::string file = character_file("render_camera.pchr", data);
  const std::vector<std::string> options{"--size", "100x100", "--zoom", "2", "--center", "0,24"};
  const pchr::Bitmap up = rendered(file, options);
  CHECK(pixel(up, 50, 2) == kWhite);
  CHECK(pixel(up, 50, 50) == kClear);
  CHECK(pixel(up, 50, 97) == kWhite);
  CHECK(pixel(up, 33, 97) == kClear);

  std::vector<std::string> flipped = options;
  flipped[5] = "0,-8";
  flipped.emplace_back("--flip-y");
  const pchr::Bitmap down = rendered(file, flipped);
  CHECK(pixel(down, 50, 20) == kClear);
  CHECK(pixel(down, 50, 60) == kWhite);
}

TEST_CASE("a background makes the image opaque", "[tools][render]") {
  const std::string file = character_file("render_background.pchr", sliding_quad());
  for (const char* color : {"#204060", "204060"}) {
    CHECK(pixel(rendered(file, {"--size", "40x40", "--background", color}), 0, 0) == Rgba{0x20, 0x40, 0x60, 255});
  }
}

TEST_CASE("translucent pixels are written with straight alpha", "[tools][render]") {
  pchr::CharacterData data = sliding_quad();
  data.images[0] = plain_image(4, 4, {200, 100, 50, 128});
  const std::string png = output("tools/straight.png").string();
  REQUIRE(run_pchr({"render", character_file("render_straight.pchr", data), "--size", "32x32", "-o", png}).exit_code ==
          0);
  // decode() premultiplies both images the same way.
  const Rgba center = pixel(decode_png(read_file(png)), 16, 16);
  const Rgba expected = pixel(pchr::decode(data.images[0]).value(), 0, 0);
  for (std::size_t channel = 0; channel < 4; ++channel) CHECK(std::abs(center[channel] - expected[channel]) <= 1);
}

TEST_CASE("a character without clips is rendered in its bind pose", "[tools][render]") {
  pchr::CharacterData data = sliding_quad();
  data.clips.clear();
  const std::string file = character_file("render_no_clips.pchr", data);
  CHECK(pixel(rendered(file, {"--size", "32x32"}), 16, 16) == kWhite);
  CHECK(pixel(rendered(file, {"--size", "32x32", "--contact-sheet", "4"}), 16, 16) == kWhite);
  const Outcome outcome = run_pchr({"render", file, "--frame", "0", "-o", "-"});
  CHECK(outcome.exit_code == 2);
  CHECK_THAT(outcome.err, contains("has no clips"));
}

TEST_CASE("a sheet of a character without clips is an error with an id", "[tools][sheet]") {
  pchr::CharacterData data = sliding_quad();
  const std::string sheet = output("tools/no_clips.png").string();
  data.clips.resize(1);
  CHECK(run_pchr({"sheet", character_file("sheet_bind_only.pchr", data), "-o", sheet}).exit_code == 0);
  data.clips.clear();
  const std::string still = character_file("sheet_no_clips.pchr", data);
  const Outcome none = run_pchr({"sheet", still, "-o", sheet});
  CHECK(none.exit_code == 1);
  CHECK(none.err == still + ": error E135: the character has no clips\n  hint: " +
                        std::string(pchr::hint(pchr::DiagnosticId::no_clips)) + "\n");
}

TEST_CASE("a clip without frames is rendered as the bind pose", "[tools][render]") {
  pchr::CharacterData data = sliding_quad();
  data.clips.push_back(resting_clip("empty", 0, 1));
  const std::string file = character_file("render_no_frames.pchr", data);
  CHECK(pixel(rendered(file, {"--size", "32x32", "--clip", "empty"}), 16, 16) == kWhite);
}

TEST_CASE("a character with nothing visible renders as an empty image", "[tools][render]") {
  const pchr::Bitmap bitmap = rendered(character_file("render_empty.pchr", {}), {"--size", "8x8"});
  CHECK(bitmap.width == 8);
  for (const std::uint8_t value : bitmap.rgba) CHECK(value == 0);
}

TEST_CASE("a contact sheet has a row per clip and a column per frame", "[tools][render]") {
  pchr::CharacterData data = sliding_quad();
  data.clips.push_back(resting_clip("still", 1, 1));
  const std::string file = character_file("render_sheet.pchr", data);
  const std::vector<std::string> options{"--size", "28x16", "--margin", "0"};
  const auto sheet = [&](const Strings& more) { return rendered(file, joined(options, more)); };
  const pchr::Bitmap both = sheet({"--contact-sheet", "3"});
  CHECK(both.width == 3 * 28);
  CHECK(both.height == 2 * 16);  // "slide" and "still", without the bind pose
  CHECK(pixel(both, 14, 16 + 8) == kWhite);
  CHECK(pixel(both, 28 + 14, 16 + 8) == kClear);
  const pchr::Bitmap colored = sheet({"--contact-sheet", "3", "--background", "#204060"});
  CHECK(pixel(colored, 28 + 14, 16 + 8) == Rgba{0x20, 0x40, 0x60, 255});

  const pchr::Bitmap one = sheet({"--contact-sheet", "2", "--clip", "slide"});
  CHECK(one.width == 2 * 28);
  CHECK(one.height == 16);
  CHECK(pixel(one, 2, 8) == kWhite);
  CHECK(pixel(one, 28 + 2, 8) == kClear);
  CHECK(pixel(one, 28 + 25, 8) == kWhite);

  CHECK(sheet({"--contact-sheet", "9", "--clip", "slide"}).width == 4 * 28);
}

TEST_CASE("only a clip that is named as a bind pose is left out of all clips, which is said", "[tools][render]") {
  const fs::path folder = fresh_folder("render_all");
  for (const bool named : {true, false}) {
    pchr::CharacterData data = sliding_quad();
    data.clips[0].name = named ? "bind" : "stand";
    const std::string file = character_file("render_all.pchr", data);
    const std::string note = "pchr: note: " + file + ": the clip bind is left out, because it holds the bind pose\n";
    for (const Strings& arguments :
         {Strings{"render", file, "--all-clips", "--size", "8x8", "-o", (folder / "{clip}.webp").string()},
          Strings{"render", file, "--contact-sheet", "1", "--size", "8x8", "-o", (folder / "contact.png").string()},
          Strings{"sheet", file, "-o", (folder / "sheet.png").string()}}) {
      const Outcome outcome = run_pchr(arguments);
      CHECK(outcome.exit_code == 0);
      CHECK(outcome.err == (named ? note : ""));
      CHECK(run_pchr(joined(arguments, {"--quiet"})).err.empty());
    }
    CHECK(fs::exists(folder / "stand.webp") == !named);
    CHECK_FALSE(fs::exists(folder / "bind.webp"));
    const pchr::Bitmap contact = decode_png(read_file(folder / "contact.png"));
    CHECK(contact.height == (named ? 8 : 16));
    CHECK(read_text(folder / "sheet.json").contains(R"({"name": "stand", "from": 0, "to": 0)") == !named);
    // An animation is one that moves.
    CHECK(run_pchr({"render", file, "--size", "8x8", "-o", (folder / "moves.rgba").string()}).exit_code == 0);
    CHECK(fs::file_size(folder / "moves.rgba") == 4 * 8 * 8 * 4);
  }
}

TEST_CASE("the rig next to a character moves what is rendered", "[tools][render]") {
  const std::string file = character_file("render_rigged.pchr", two_bone_arm());
  const std::string rig = pchr::rig_path(file);
  fs::remove(rig);
  const Strings bend{"--clip", "bend", "--size", "120x120"};
  const auto at = [&](const std::string& frame, const Strings& more = {}) {
    return rendered(file, joined(joined(bend, {"--frame", frame}), more)).rgba;
  };
  const auto plain = at("3");
  const std::string_view text = R"({"springs": [{"name": "arm", "bones": ["upper", "lower"], "frequency": 2}]})";
  write_file(rig, std::as_bytes(std::span(text)));
  CHECK(at("3") != plain);
  CHECK(at("3", {"--no-rig"}) == plain);

  const fs::path folder = fresh_folder("tools/rigged");
  const auto frames = [&](const std::string& name, const Strings& more) {
    const Outcome outcome =
        run_pchr(joined(joined({"render", file, "-o", (folder / (name + "_{frame}.png")).string()}, bend), more));
    INFO(outcome.err);
    REQUIRE(outcome.exit_code == 0);
  };
  frames("all", {});
  const auto frame = [&](const std::string& name) { return decode_png(read_file(folder / name)).rgba; };
  for (const char* number : {"0", "3", "7"}) CHECK(frame("all_" + std::string(number) + ".png") == at(number));
  for (const char* shard : {"1/3", "2/3", "3/3"}) frames("shard", {"--shard", shard});
  for (int i = 0; i < 8; ++i) {
    CHECK(frame("all_" + std::to_string(i) + ".png") == frame("shard_" + std::to_string(i) + ".png"));
  }
  CHECK(run_pchr(joined(joined({"render", file}, bend),
                        {"--frame", "3", "--reference", (folder / "all_3.png").string(), "--threshold", "0"}))
            .exit_code == 0);
  // A time that is not between two frames shows a frame.
  CHECK(rendered(file, joined(bend, {"--time", "0.3"})).rgba == at("3"));
  CHECK(rendered(file, joined(bend, {"--time", "0.3", "--smooth"})).rgba != at("3"));
  // The last tile of a contact sheet.
  const pchr::Bitmap sheet = rendered(file, joined(bend, {"--contact-sheet", "8"}));
  const std::vector<std::uint8_t> last = frame("all_7.png");
  REQUIRE(sheet.width == 8 * 120);
  for (std::size_t y = 0; y < 120; ++y) {
    CHECK(std::ranges::equal(std::span(sheet.rgba).subspan((y * sheet.width + 7 * 120) * 4, 120 * 4),
                             std::span(last).subspan(y * 120 * 4, 120 * 4)));
  }

  const std::string_view wrong = R"({"springs": [{"bones": ["tail"]}]})";
  write_file(rig, std::as_bytes(std::span(wrong)));
  const Outcome refused = run_pchr({"render", file, "-o", (folder / "wrong.png").string()});
  CHECK(refused.exit_code == 1);
  CHECK_THAT(refused.err, contains("render_rigged.rig.json: error E") && contains("tail"));
  CHECK_FALSE(fs::exists(folder / "wrong.png"));
  CHECK(at("3", {"--no-rig"}) == plain);
  write_file(folder / "other.json", std::as_bytes(std::span(text)));
  CHECK(at("3", {"--rig", (folder / "other.json").string()}) == frame("all_3.png"));
}

TEST_CASE("the camera fits what springs swing out of the clip", "[tools][render]") {
  const std::string file = character_file("render_swing.pchr", two_bone_arm());
  const std::string_view text =
      R"({"springs": [{"bones": ["lower"], "tip": [0, 40], "frequency": 1, "damping": 0.1, "limit": 180}]})";
  write_file(pchr::rig_path(file), std::as_bytes(std::span(text)));
  for (const Strings& more : {Strings{}, {"--fps", "30", "--smooth"}, {"--frames", "2..5"}, {"--speed", "2"}}) {
    const fs::path folder = fresh_folder("tools/swing");
    const Outcome outcome = run_pchr(
        joined({"render", file, "--clip", "bend", "--scale", "1", "-o", (folder / "{frame}.png").string()}, more));
    REQUIRE(outcome.exit_code == 0);
    for (const std::string& name : names_in(folder)) {
      INFO(name);
      const pchr::Bitmap image = decode_png(read_file(folder / name));
      std::size_t seen = 0;
      for (std::uint32_t y = 0; y < image.height; ++y) {
        for (std::uint32_t x = 0; x < image.width; ++x) {
          const bool is_edge = x == 0 || y == 0 || x + 1 == image.width || y + 1 == image.height;
          const std::uint8_t alpha = pixel(image, x, y)[3];
          if (is_edge) REQUIRE(alpha == 0);
          seen += alpha > 0 ? 1 : 0;
        }
      }
      CHECK(seen > 1000);
    }
  }
}

TEST_CASE("the rig next to a character moves the frames of a sheet", "[tools][sheet]") {
  const fs::path folder = fresh_folder("tools/rigged_sheet");
  const std::string file = character_file("sheet_rigged.pchr", two_bone_arm());
  fs::remove(pchr::rig_path(file));
  const auto sheet = [&](const Strings& more) {
    const Outcome outcome = run_pchr(joined({"sheet", file, "-o", (folder / "a.png").string()}, more));
    INFO(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    return read_file(folder / "a.png");
  };
  const Bytes plain = sheet({});
  const std::string_view text = R"({"springs": [{"name": "arm", "bones": ["upper", "lower"], "frequency": 2}]})";
  write_file(pchr::rig_path(file), std::as_bytes(std::span(text)));
  CHECK(sheet({}) != plain);
  CHECK(sheet({"--no-rig"}) == plain);
  // Next to another character, each with its own.
  const std::string other = character_file("sheet_plain.pchr", two_bone_arm());
  fs::remove(pchr::rig_path(other));
  CHECK(sheet({other}) != sheet({other, "--no-rig"}));
}

TEST_CASE("every compression writes the same pixels, and the best one the smallest file", "[tools][render]") {
  const auto png = output("tools/compressed.png");
  const auto render = [&](const char* compression) {
    REQUIRE(run_pchr({"render", asset("kiri.pchr").string(), "--size", "160x120", "--effort", compression, "-o",
                      png.string()})
                .exit_code == 0);
    return read_file(png);
  };
  const Bytes fast = render("fast"), normal = render("default"), best = render("best");
  CHECK(best.size() < fast.size());
  CHECK(best.size() <= normal.size());
  CHECK(decode_png(fast).rgba == decode_png(best).rgba);
  CHECK(decode_png(normal).rgba == decode_png(best).rgba);
}

TEST_CASE("the fast compression is at most a tenth larger, and the best one halves pixel art", "[tools][render]") {
  const auto png = output("tools/compared.png");
  const auto size = [&](const char* character, const char* compression) {
    REQUIRE(run_pchr({"render", asset(character).string(), "--scale", "1", "--effort", compression, "-o", png.string()})
                .exit_code == 0);
    return static_cast<double>(read_file(png).size());
  };
  const char* const drawing = "kiri.pchr";
  const double drawn = size(drawing, "default");
  CHECK(size(drawing, "fast") <= 1.1 * drawn);
  CHECK(size(drawing, "best") >= 0.9 * drawn);
  const char* const pixel_art = "konpei/konpei.chp";
  const double pixels = size(pixel_art, "default");
  CHECK(size(pixel_art, "fast") <= 1.1 * pixels);
  CHECK(size(pixel_art, "best") <= 0.5 * pixels);
}

TEST_CASE("an image can go to standard output", "[tools][render]") {
  const std::string file = character_file("render_stdout.pchr", sliding_quad());
  const auto png = output("tools/stdout.png");
  REQUIRE(run_pchr({"render", file, "--size", "20x10", "-o", "-"}, {}, png).exit_code == 0);
  CHECK(decode_png(read_file(png)).width == 20);
}

TEST_CASE("the missing folders of outputs are created", "[tools][render]") {
  const std::string file = character_file("render_quad.pchr", sliding_quad());
  const std::filesystem::path folder = fresh_folder("tools/new_folders");
  const std::string name = (folder / "{file}" / "{clip}" / "{frame:02}.png").string();
  CHECK(run_pchr({"render", file, "--clip", "slide", "--frames", "0..1", "--size", "8x8", "-o", name}).exit_code == 0);
  CHECK(std::filesystem::exists(folder / "render_quad" / "slide" / "01.png"));
  CHECK(run_pchr({"sheet", file, "-o", (folder / "sheets" / "{file}.png").string()}).exit_code == 0);
  CHECK(std::filesystem::exists(folder / "sheets" / "render_quad.png"));
}

TEST_CASE("a failed write leaves the old file and nothing else", "[tools][render]") {
  const std::string file = character_file("render_failed.pchr", sliding_quad());
  const auto folder = output("tools/failed/old.png").parent_path();
  const std::string old = (folder / "old.png").string();
  write_file(old, std::as_bytes(std::span("precious", 8)));

  const Outcome outcome = run_pchr({"render", file, "-o", old}, kNoOpenGl);
  CHECK(outcome.exit_code == 3);
  CHECK(run_pchr({"render", file, "-o", old, "--clip", "dance"}).exit_code == 2);
  CHECK(run_pchr({"render", file, "-o", old + "/inside.png"}).exit_code == 3);
  CHECK(run_pchr({"render", file, "-o", folder.string()}).exit_code == 3);
  CHECK(read_text(old) == "precious");
  CHECK(std::distance(std::filesystem::directory_iterator(folder), {}) == 1);
}

TEST_CASE("an image replaces the target of a link, but not a device", "[tools][render][posix]") {
  const std::string file = character_file("render_link.pchr", sliding_quad());
  const auto target = output("tools/linked/target.png");
  const auto link = target.parent_path() / "link.png";
  std::filesystem::remove(target);
  std::filesystem::remove(link);
  write_file(target, std::as_bytes(std::span("old", 3)));
  std::filesystem::create_symlink(target, link);
  REQUIRE(run_pchr({"render", file, "--size", "20x10", "-o", link.string()}).exit_code == 0);
  CHECK(std::filesystem::is_symlink(link));
  CHECK(decode_png(read_file(target)).width == 20);

  CHECK(run_pchr({"render", file, "--size", "20x10", "-o", "/dev/null"}).exit_code == 0);
  CHECK(std::filesystem::is_character_file("/dev/null"));
  if (!std::filesystem::exists("/dev/full")) return;
  const Outcome full = run_pchr({"render", file, "--size", "20x10", "-o", "/dev/full"});
  CHECK(full.exit_code == 3);
  CHECK_THAT(full.err, contains("cannot write /dev/full: No space left on device"));
}

TEST_CASE("render without OpenGL exits 3 with an error", "[tools][render]") {
  const std::string file = character_file("render_no_gl.pchr", sliding_quad());
  const Outcome outcome = run_pchr({"render", file, "-o", "-"}, kNoOpenGl);
  CHECK(outcome.exit_code == 3);
  CHECK(outcome.out.empty());
  CHECK_THAT(outcome.err, contains("pchr: "));
}

TEST_CASE("an unknown clip is an error before OpenGL starts", "[tools][render]") {
  const std::string file = character_file("render_no_clip.pchr", sliding_quad());
  for (const char* subcommand : {"render", "sheet"}) {
    const Outcome outcome = run_pchr({subcommand, file, "--clip", "dance", "-o", "none.png"}, kNoOpenGl);
    CHECK(outcome.exit_code == 2);
    CHECK_THAT(outcome.err, contains("pchr: there is no clip named \"dance\""));
  }
}

TEST_CASE("render --no-images draws plain white", "[tools][render]") {
  pchr::CharacterData data = sliding_quad();
  data.images[0] = plain_image(4, 4, {255, 0, 0, 255});
  const std::string file = character_file("render_white.pchr", data);
  CHECK(pixel(rendered(file, {"--size", "32x32"}), 16, 16) == Rgba{255, 0, 0, 255});
  CHECK(pixel(rendered(file, {"--size", "32x32", "--no-images"}), 16, 16) == kWhite);
}

// The cache of compiled programs, whose state never shows in images.

/// Renders with a cache folder of its own, and returns the image.
Bytes render_with(const fs::path& folder, const std::vector<std::string>& variables) {
  const fs::path image = folder / "image.png";
  const Outcome outcome =
      run_pchr({"render", asset("quad.pchr").string(), "--size", "16x16", "-o", image.string()}, variables);
  CHECK(outcome.err.empty());
  CHECK(outcome.exit_code == 0);
  return read_file(image);
}

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

TEST_CASE("programs are cached, and compiled again if the cache is damaged", "[tools][posix]") {
  const fs::path folder = fresh_folder("program_cache"), cache = folder / "cache" / "pchr" / "programs";
  const std::vector<std::string> variables{"XDG_CACHE_HOME=" + (folder / "cache").string()};
  const Bytes image = render_with(folder, variables);
  const auto files = files_in(cache);
  // The driver decides whether there are any.
  std::vector<Bytes> programs;
  for (const fs::path& file : files) programs.push_back(read_file(file));
  CHECK(render_with(folder, variables) == image);
  for (std::size_t i = 0; i < files.size(); ++i) {
    Bytes damaged = programs[i];
    damaged[damaged.size() / 2] ^= std::byte{1};
    write_file(files[i], damaged);
    CHECK(render_with(folder, variables) == image);
    CHECK(read_file(files[i]) == programs[i]);
    write_file(files[i], {});
    CHECK(render_with(folder, variables) == image);
    CHECK(read_file(files[i]) == programs[i]);
  }
  CHECK(files_in(cache) == files);
}

TEST_CASE("no folder for cached files is needed", "[tools][posix]") {
  const fs::path folder = fresh_folder("program_cache");
  write_file(folder / "file", {});
  // Mesa has a folder of its own for the same purpose, without which it offers no binaries.
  const std::string mesa = "MESA_SHADER_CACHE_DIR=" + (folder / "mesa").string();
  const Bytes image = render_with(folder, {mesa, "XDG_CACHE_HOME=", "HOME="});
  for (const std::string& home : {std::string("relative"), (folder / "file").string(), (folder / "none").string()}) {
    CHECK(render_with(folder, {mesa, "XDG_CACHE_HOME=", "HOME=" + home}) == image);
  }
  CHECK(read_file(folder / "file").empty());
}

}  // namespace
}  // namespace render_test
