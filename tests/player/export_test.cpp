// SPDX-License-Identifier: MIT
// The export dialog: plans, and files identical to the tool's.
#include "app/exporter.hpp"
#include "ui/export_dialog.hpp"
#include "view/scene.hpp"
#include "shown.hpp"
#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/scenes.hpp"
#include "support/load.hpp"

#include <pchr/image.hpp>
#include <pchr/load.hpp>
#include <pchr/offscreen.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <thread>

namespace pchr::player::export_test {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> files_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

/// A player without a window, showing a clip.
struct Exporting : Windowless {
  fs::path file;
  Exporter exporter{};

  Exporting(fs::path path, const ImportOptions& options, ClipId clip) : file(std::move(path)) {
    const Character character = load_character(file, options).value();
    show_model(app, file, renderer.upload(character).value(), clip);
    app.playback.clock.pause();
  }
  /// Shows the arm, saved in `folder`.
  explicit Exporting(const fs::path& folder, const CharacterData& data = test::two_bone_arm())
      : Exporting(written(folder / "arm.pchr", data), {}, ClipId{1}) {}
  static fs::path written(const fs::path& path, const CharacterData& data) {
    test::write_file(path, test::write_v1(data));
    return path;
  }
  bool update() { return exporter.update(app, renderer); }
  /// Works until there is nothing left to do.
  void settle() {
    do {
      update();
      std::this_thread::yield();
    } while (exporter.busy());
  }
  /// Exports like the button.
  void run(bool replace = false) {
    if (!app.exports.open) toggle_exports(app);
    start_export(app.exports, replace);
    settle();
  }
  [[nodiscard]] ExportOptions& options() { return app.exports.options; }
  [[nodiscard]] const Character& character() const { return app.document()->character(); }
  [[nodiscard]] ScenePlan plan() const { return plan_scene(character(), scene_request(app)).value(); }
};

}  // namespace

TEST_CASE("a clip is exported with all its frames at the size it needs", "[player][export]") {
  Exporting arm(test::fresh_folder("plan"));
  const ScenePlan plan = arm.plan();
  REQUIRE(plan.clips.size() == 1);
  CHECK(plan.clips[0].name == "bend");
  CHECK(plan.frames() == 8);
  CHECK(plan.clips[0].animation.info.plays == 0);
  CHECK(describe_export(plan).starts_with("8 frames; "));
  CHECK(describe_losses(plan).empty());
  arm.options().format = ExportFormat::gif;
  CHECK(describe_losses(arm.plan()).starts_with("bend: times are rounded"));
  arm.options().percent = 200;
  CHECK(arm.plan().clips[0].animation.info.width >= 2 * plan.clips[0].animation.info.width - 2);
  arm.options().sizing = ExportSizing::fit;
  arm.options().size = {64, 40};
  CHECK(arm.plan().clips[0].animation.info.width == 64);
  CHECK(arm.plan().clips[0].animation.info.height == 40);
  arm.options().percent = 100 * kMaxExportPercent;
  arm.options().sizing = ExportSizing::scale;
  arm.options().margin = kMaxExportMargin;
  const auto too_large = plan_scene(arm.character(), scene_request(arm.app));
  REQUIRE_FALSE(too_large);
  CHECK_THAT(too_large.error().message, test::contains("the limit is"));
}

TEST_CASE("an export has the chosen frames, rate, range and repeat count", "[player][export]") {
  Exporting arm(test::fresh_folder("times"));
  ExportOptions& options = arm.options();
  options.plays = ExportPlays::counted;
  options.times = 3;
  CHECK(arm.plan().clips[0].animation.info.plays == 3);
  CHECK(arm.plan().frames() == 8);
  options.format = ExportFormat::png;
  CHECK(arm.plan().frames() == 24);
  options.plays = ExportPlays::forever;
  CHECK(arm.plan().frames() == 8);
  options.resample = true;
  options.rate = 24;
  CHECK(arm.plan().frames() == 16);
  CHECK(arm.plan().clips[0].frames.times[1].factor == 0);
  arm.app.playback.settings.sampling = Sampling::smooth;
  CHECK(arm.plan().clips[0].frames.times[1].factor > 0);
  options.resample = false;
  set_range(arm.app.playback, arm.app.document()->character(), FrameRange{2, 4});
  CHECK(arm.plan().frames() == 8);
  options.clips = ExportClips::range;
  CHECK(arm.plan().frames() == 3);
  CHECK(arm.plan().clips[0].frames.first_frame == 2);
  set_range(arm.app.playback, arm.app.document()->character(), std::nullopt);
  CHECK(arm.plan().frames() == 8);
}

TEST_CASE("exporting all clips leaves out a bind pose and makes names unique", "[player][export]") {
  CharacterData data = test::two_bone_arm();
  data.clips.push_back(data.clips[1]);
  data.clips.back().name = "a/b";
  data.clips.push_back(data.clips[1]);
  data.clips.back().name = "a:b";
  Exporting arm(test::fresh_folder("names"), data);
  arm.options().clips = ExportClips::all;
  const ScenePlan plan = arm.plan();
  CHECK(export_paths(plan, "/x/arm") ==
        std::vector<std::string>{"/x/arm_bend.apng", "/x/arm_a_b.apng", "/x/arm_a_b_2.apng"});
  arm.options().format = ExportFormat::sheet;
  CHECK(export_paths(arm.plan(), "/x/arm") == std::vector<std::string>{"/x/arm.png", "/x/arm.json"});
  arm.options().sheet.format = SheetOptions::Format::godot;
  CHECK(export_paths(arm.plan(), "/x/arm") == std::vector<std::string>{"/x/arm.png", "/x/arm.tres"});
  arm.options().sheet.format = SheetOptions::Format::unity;
  CHECK(export_paths(arm.plan(), "/x/arm") == std::vector<std::string>{"/x/arm.png", "/x/arm.json", "/x/arm.png.meta"});
  arm.options().format = ExportFormat::png;
  arm.options().clips = ExportClips::one;
  const auto images = export_paths(arm.plan(), "/x/arm");
  CHECK(images.size() == 8);
  CHECK(images.back() == "/x/arm_0007.png");
}

TEST_CASE("the proposed name follows the options until the user edits it", "[player][export]") {
  const fs::path folder = test::fresh_folder("name");
  Exporting arm(folder);
  toggle_exports(arm.app);
  const ExportDialog& exports = arm.app.exports;
  CHECK(export_stem(exports) == folder / "arm_bend");
  arm.options().format = ExportFormat::sheet;
  propose_export_name(arm.app);
  CHECK(export_stem(exports) == folder / "arm_bend_sheet");
  arm.app.exports.name = {'m', 'e', '\0'};
  arm.options().clips = ExportClips::all;
  propose_export_name(arm.app);
  CHECK(export_stem(exports) == folder / "me");
  reload_model(arm.app, arm.renderer.upload(arm.character()).value(), ClipId{1});
  propose_export_name(arm.app);
  CHECK(export_stem(exports) == folder / "me");
  show_model(arm.app, folder / "sub" / "leg.pchr", arm.renderer.upload(arm.character()).value(), ClipId{1});
  propose_export_name(arm.app);
  CHECK(export_stem(exports) == folder / "sub" / "leg_sheet");
}

TEST_CASE("an existing range is chosen when the dialog opens", "[player][export]") {
  Exporting arm(test::fresh_folder("range"));
  arm.options().clips = ExportClips::all;
  toggle_exports(arm.app);
  CHECK(arm.options().clips == ExportClips::all);
  toggle_exports(arm.app);
  set_range(arm.app.playback, arm.character(), FrameRange{2, 4});
  toggle_exports(arm.app);
  CHECK(arm.options().clips == ExportClips::range);
  CHECK(arm.plan().frames() == 3);
  toggle_exports(arm.app);
  set_range(arm.app.playback, arm.character(), std::nullopt);
  toggle_exports(arm.app);
  CHECK(arm.options().clips == ExportClips::one);
}

TEST_CASE("presets are saved, replaced and recognized", "[player][export]") {
  ExportDialog exports;
  save_preset(exports, " \t");
  CHECK(exports.presets.empty());
  exports.options.percent = 50;
  save_preset(exports, " half\n ");
  REQUIRE(exports.presets.size() == 1);
  CHECK(exports.presets[0].name == "half");
  CHECK(current_preset(exports) == 0);
  exports.options.format = ExportFormat::gif;
  CHECK_FALSE(current_preset(exports));
  save_preset(exports, "half");
  CHECK(exports.presets.size() == 1);
  CHECK(exports.presets[0].options.format == ExportFormat::gif);
  for (std::size_t i = 0; i < 2 * kMaxPresets; ++i) save_preset(exports, std::string(200, 'x') + std::to_string(i));
  CHECK(exports.presets.size() == 2);
  CHECK(exports.presets[1].name.size() == kMaxPresetName);
}

TEST_CASE("the progress of an export estimates size and time", "[player][export]") {
  CHECK(describe_progress({}) == "Preparing...");
  CHECK(describe_progress({.frames = 1, .total = 8, .seconds = 0.1}) == "1 of 8 frames");
  CHECK(describe_progress({.frames = 2, .total = 8, .bytes = 1'000'000, .seconds = 5}) ==
        "2 of 8 frames; 1.0 MB of about 4.0 MB; 15 s left");
  CHECK(describe_progress({.frames = 2, .total = 8, .seconds = 100}) == "2 of 8 frames; 5 min left");
  CHECK(describe_progress({.frames = 8, .total = 8, .bytes = 2500, .seconds = 9}) == "8 of 8 frames; 3 kB; writing...");
}

TEST_CASE("Escape goes back one step at a time", "[player][export]") {
  Exporting arm(test::fresh_folder("back"));
  ExportDialog& exports = arm.app.exports;
  leave_export(arm.app.exports);
  CHECK_FALSE(exports.open);
  toggle_exports(arm.app);
  arm.settle();
  exports.existing_files = 2;
  leave_export(arm.app.exports);
  CHECK(exports.existing_files == 0);
  CHECK(exports.open);
  exports.naming_preset = true;
  leave_export(arm.app.exports);
  CHECK_FALSE(exports.naming_preset);
  CHECK(exports.open);
  exports.running = true;
  leave_export(arm.app.exports);
  CHECK_FALSE(exports.open);
  CHECK_FALSE(exports.cancel);
  toggle_exports(arm.app);
  CHECK(exports.open);
  App empty;
  toggle_exports(empty);
  CHECK_FALSE(empty.exports.open);
}

TEST_CASE("existing files are replaced after a question, the character's own never", "[player][export]") {
  const fs::path folder = test::fresh_folder("replace");
  Exporting arm(folder);
  test::write_file(folder / "arm_bend.apng", test::Bytes(3));
  arm.run();
  const ExportDialog& exports = arm.app.exports;
  CHECK(exports.open);
  CHECK(exports.existing_files == 1);
  CHECK(exports.first_existing_file == (folder / "arm_bend.apng").string());
  CHECK(fs::file_size(folder / "arm_bend.apng") == 3);
  arm.run(true);
  CHECK_FALSE(exports.open);
  CHECK(fs::file_size(folder / "arm_bend.apng") > 100);
  CHECK(files_in(folder) == std::vector<std::string>{"arm.pchr", "arm_bend.apng"});
  CHECK_THAT(arm.app.notice.text, test::contains("arm_bend.apng"));

  fs::create_symlink(arm.file, folder / "own.apng");
  arm.app.exports.name = {'o', 'w', 'n', '\0'};
  arm.run(true);
  CHECK_THAT(exports.error, test::contains("belongs to an open file"));
  CHECK(load_character(arm.file));
}

TEST_CASE("an export never replaces markers, the background image or images in use", "[player][export]") {
  const fs::path folder = test::fresh_folder("inputs");
  Exporting arm(folder);
  const ExportDialog& exports = arm.app.exports;
  const auto refused = [&](const char* name, ExportFormat format) {
    toggle_exports(arm.app);
    arm.options().format = format;
    arm.app.exports.name = {};
    std::ranges::copy(std::string_view(name), arm.app.exports.name.begin());
    arm.run(true);
    arm.app.exports.open = false;
    return !exports.error.empty();
  };
  arm.app.view.image = folder / "behind.png";
  for (const char* name : {"behind.png", "arm.markers.json"}) test::write_file(folder / name, test::Bytes(3));
  CHECK(refused("behind", ExportFormat::sheet));
  CHECK(refused("arm.markers", ExportFormat::sheet));
  CHECK(files_in(folder) == std::vector<std::string>{"arm.markers.json", "arm.pchr", "behind.png"});
  CHECK(fs::file_size(folder / "behind.png") == 3);
  CHECK(fs::file_size(folder / "arm.markers.json") == 3);
  CHECK_FALSE(refused("other", ExportFormat::sheet));
}

TEST_CASE("a failed export names the file and the reason and leaves no files", "[player][export]") {
  const fs::path folder = test::fresh_folder("fails");
  Exporting arm(folder);
  toggle_exports(arm.app);
  const std::string none = (folder / "none").string();
  std::ranges::copy(none + '\0', arm.app.exports.folder.begin());
  arm.run();
  CHECK(arm.app.exports.open);
  CHECK_THAT(arm.app.exports.error, test::contains(none) && test::contains("No such file"));
  arm.app.exports.name[0] = '\0';
  arm.run();
  CHECK_THAT(arm.app.exports.error, test::contains("Enter a file name"));
  CHECK(files_in(folder) == std::vector<std::string>{"arm.pchr"});
}

TEST_CASE("all files of a sheet are named, and none is replaced without a question", "[player][export]") {
  const fs::path folder = test::fresh_folder("pages");
  Exporting arm(folder);
  arm.options().format = ExportFormat::sheet;
  arm.options().sheet.max_side = 150;
  arm.options().sheet.format = SheetOptions::Format::unity;
  const ExportDialog& exports = arm.app.exports;
  test::write_file(folder / "arm_bend_sheet-1.png", test::Bytes(3));
  arm.run();
  CHECK(exports.open);
  CHECK(exports.error.empty());
  CHECK(exports.existing_files == 1);
  CHECK(exports.first_existing_file == (folder / "arm_bend_sheet-1.png").string());
  CHECK(files_in(folder) == std::vector<std::string>{"arm.pchr", "arm_bend_sheet-1.png"});
  arm.run(true);
  CHECK_FALSE(exports.open);
  CHECK(fs::file_size(folder / "arm_bend_sheet-1.png") > 100);
  CHECK(arm.app.notice.text == "Exported " + (folder / "arm_bend_sheet.png").string() +
                                   ", arm_bend_sheet-1.png, arm_bend_sheet.json, arm_bend_sheet.png.meta, "
                                   "arm_bend_sheet-1.png.meta");
  CHECK(files_in(folder).size() == 6);
}

TEST_CASE("a sheet whose last file cannot be written leaves no files", "[player][export]") {
  const fs::path folder = test::fresh_folder("last");
  Exporting arm(folder);
  arm.options().format = ExportFormat::sheet;
  arm.options().sheet.format = SheetOptions::Format::godot;
  fs::create_directory(folder / "arm_bend_sheet.tres");
  arm.run(true);
  CHECK(arm.app.exports.open);
  CHECK_THAT(arm.app.exports.error, test::contains((folder / "arm_bend_sheet.tres").string()));
  CHECK(files_in(folder) == std::vector<std::string>{"arm.pchr", "arm_bend_sheet.tres"});
}

TEST_CASE("an export that is canceled or whose window is closed leaves no file", "[player][export]") {
  const fs::path folder = test::fresh_folder("cancel");
  for (const bool canceled : {true, false}) {
    Exporting arm(folder);
    arm.options().percent = 400;
    arm.options().format = ExportFormat::png;
    arm.options().plays = ExportPlays::counted;
    arm.options().times = kMaxExportTimes;
    toggle_exports(arm.app);
    start_export(arm.app.exports, false);
    while (files_in(folder).size() == 1) arm.update();
    REQUIRE(arm.app.exports.running);
    if (!canceled) continue;
    arm.app.exports.cancel = true;
    arm.settle();
    CHECK_FALSE(arm.app.exports.running);
    CHECK(arm.app.exports.open);
    CHECK(files_in(folder) == std::vector<std::string>{"arm.pchr"});
  }
  CHECK(files_in(folder) == std::vector<std::string>{"arm.pchr"});
}

TEST_CASE("hidden meshes are not exported, and opening another file does not matter", "[player][export]") {
  const fs::path folder = test::fresh_folder("hidden");
  Exporting arm(folder);
  arm.options().format = ExportFormat::png;
  arm.run();
  const test::Bytes whole = test::read_file(folder / "arm_bend_0000.png");
  const test::Bytes odd = test::read_file(folder / "arm_bend_0001.png");
  set_hidden(arm.app.document()->selection, arm.character(), MeshId{1}, true);
  toggle_exports(arm.app);
  start_export(arm.app.exports, true);
  while (!arm.app.exports.running) arm.update();
  const Character other = Character::build(test::sliding_quad()).value();
  show_model(arm.app, folder / "other.pchr", arm.renderer.upload(other).value(), ClipId{1});
  arm.settle();
  CHECK(arm.app.exports.error.empty());
  CHECK(files_in(folder).size() == 9);
  CHECK(test::read_file(folder / "arm_bend_0000.png") != whole);
  // The hidden badge is visible in even frames only.
  CHECK(test::read_file(folder / "arm_bend_0001.png") == odd);
}

TEST_CASE("an Unreal mesh is exported as it is rotated, with nothing cropped", "[player][export]") {
  const fs::path folder = test::fresh_folder("rotated");
  Exporting koi(test::asset("koi/koi.psk"), {}, ClipId{0});
  koi.options().percent = 300;
  koi.options().margin = 0;
  koi.options().format = ExportFormat::png;
  const auto size_from = [&](Side side) {
    koi.app.view.turntable = viewed_from({}, side);
    const AnimationInfo info = koi.plan().clips[0].animation.info;
    return FrameSize{info.width, info.height};
  };
  const FrameSize front = size_from(Side::front), right = size_from(Side::right), top = size_from(Side::top);
  CHECK(right.width > front.width * 2);  // It is long and narrow.
  CHECK(right.width == top.height);
  CHECK(front.width == top.width);
  CHECK(front.height == right.height);
  const float reach = koi.plan().clips[0].reach;
  koi.options().format = ExportFormat::sheet;
  CHECK(koi.plan().clips[0].reach == reach);
  koi.options().format = ExportFormat::png;

  koi.app.view.turntable = {.yaw_degrees = 40, .pitch_degrees = 25};
  toggle_exports(koi.app);
  std::ranges::copy(folder.string() + '\0', koi.app.exports.folder.begin());
  std::ranges::copy(std::string("koi") + '\0', koi.app.exports.name.begin());
  koi.run();
  REQUIRE(koi.app.exports.error.empty());
  const AnimationInfo info = koi.plan().clips[0].animation.info;
  Rect reached;
  for (const std::string& name : files_in(folder)) {
    const auto image = decode({name, info.width, info.height, ImageEncoding::png, test::read_file(folder / name)});
    REQUIRE(image);
    for (std::uint32_t pixel = 0; pixel < info.width * info.height; ++pixel) {
      if (image->rgba[pixel * 4 + 3] < 64) continue;
      reached.include(Vec2{pixel % info.width, pixel / info.width});
    }
  }
  CHECK(reached.min.x <= 3);
  CHECK(reached.min.y <= 3);
  CHECK(reached.max.x >= static_cast<float>(info.width) - 4);
  CHECK(reached.max.y >= static_cast<float>(info.height) - 4);
}

TEST_CASE("a mix is exported from its start until its second clip has ended", "[player][export]") {
  const fs::path folder = test::fresh_folder("mix");
  Exporting arm(folder);
  set_mode(arm.app, PlaybackMode::mix);
  set_from(*arm.app.playback.mix(), ClipId{0});
  fade_to(*arm.app.playback.mix(), ClipId{1});
  arm.options().format = ExportFormat::png;
  const ScenePlan plan = arm.plan();
  REQUIRE(plan.clips.size() == 1);
  CHECK(plan.clips[0].name == "bind_to_bend");
  const double seconds = Mix::kLeadSeconds + arm.character().clips()[ClipId{1}].duration_seconds();
  CHECK(plan.frames() == static_cast<std::uint64_t>(std::lround(seconds * 12)));
  arm.run();
  REQUIRE(arm.app.exports.error.empty());
  const auto frame = [&](int number) {
    return test::read_file(folder / fmt::format("arm_bind_to_bend_{:04}.png", number));
  };
  CHECK(frame(0) == frame(8));
  CHECK(frame(0) != frame(11));
  arm.options().format = ExportFormat::gif;  // In two passes.
  arm.run();
  CHECK(arm.app.exports.error.empty());
  arm.options().format = ExportFormat::sheet;
  arm.run();
  CHECK_THAT(test::read_text(folder / "arm_bind_to_bend_sheet.json"), test::contains("bind_to_bend"));
  add_layer(*arm.app.playback.mix(), ClipId{1});
  CHECK(scene_request(arm.app).scene.mix->layers.size() == 1);
}

TEST_CASE("the rig is exported unless it is left out", "[player][export]") {
  const fs::path folder = test::fresh_folder("rig");
  Exporting arm(folder);
  arm.options().format = ExportFormat::png;
  const auto exported = [&] {
    arm.run(true);
    CHECK(arm.app.exports.error.empty());
    std::vector<test::Bytes> frames;
    for (int i = 0; i < 8; ++i) frames.push_back(test::read_file(folder / fmt::format("arm_bend_000{}.png", i)));
    return frames;
  };
  const auto plain = exported();
  add(arm.app.document()->rig, ConstraintKind::spring, arm.character(), BoneId{0});
  REQUIRE(moves_with_rig(arm.app));
  CHECK(exported() != plain);
  arm.options().rig = false;
  CHECK(exported() == plain);
}

TEST_CASE("each clip of an export starts over with its rig", "[player][export]") {
  const Character arm = build(test::two_bone_arm());
  const Rig rig{.springs = {{.name = "lower", .bones = {BoneId{1}}, .tip = {0, 40}, .frequency = 1, .damping = 0.1F}}};
  const ExportScene scene{.rig = rig, .markers = std::make_shared<const Markers>()};
  const auto first = [&](ScenePoser& poser, const FramePlan& plan) {
    PoseBuffers posed;
    poser.pose(plan, 0, posed);
    return posed.pose.rotation_degrees[1];
  };
  const FramePlan swinging = plan_animation(arm, ClipId{1}, {}, 1).value(), still = plan_still(ClipId{1}, {});
  ScenePoser poser(arm, scene, kIdentity3, {}), other(arm, scene, kIdentity3, {});
  const float at_rest = first(other, still);
  CHECK(first(poser, swinging) != at_rest);
  CHECK(first(poser, still) == at_rest);
}

TEST_CASE("a lineup is exported with all its characters", "[player][export]") {
  const fs::path folder = test::fresh_folder("lineup");
  Exporting arm(folder);
  arm.options().format = ExportFormat::png;
  const FrameSize alone{arm.plan().clips[0].animation.info.width, arm.plan().clips[0].animation.info.height};
  Document other{.path = folder / "other.pchr", .model = arm.renderer.upload(arm.character()).value()};
  add_to_lineup(arm.app, std::move(other), ClipId{1});
  const AnimationInfo info = arm.plan().clips[0].animation.info;
  CHECK(info.width > alone.width * 3 / 2);
  arm.run();
  REQUIRE(arm.app.exports.error.empty());
  const auto image =
      decode({"first", info.width, info.height, ImageEncoding::png, test::read_file(folder / "arm_bend_0000.png")});
  REQUIRE(image);
  std::array<std::size_t, 2> pixels{};
  for (std::uint32_t i = 0; i < info.width * info.height; ++i) {
    if (image->rgba[i * 4 + 3] == 255) ++pixels[i % info.width < info.width / 2 ? 0 : 1];
  }
  CHECK(pixels[0] > 1000);
  CHECK(pixels[1] > pixels[0] * 9 / 10);
  CHECK(pixels[0] > pixels[1] * 9 / 10);
  // Whatever happens to the lineup, a running export keeps its characters.
  toggle_exports(arm.app);
  arm.options().format = ExportFormat::gif;
  start_export(arm.app.exports, true);
  while (!arm.app.exports.running) arm.update();
  clear_lineup(arm.app);
  arm.settle();
  CHECK(arm.app.exports.error.empty());
  CHECK(fs::exists(folder / "arm_bend.gif"));
}

TEST_CASE("videos are written by the ffmpeg that is found", "[player][export]") {
  const fs::path folder = test::fresh_folder("video");
  Exporting arm(folder);
  arm.options().format = ExportFormat::mp4;
  arm.options().plays = ExportPlays::counted;
  arm.options().times = 2;
  const std::string before = std::getenv("PATH");
  setenv("PATH", "/nowhere", 1);
  arm.run();
  CHECK(arm.app.exports.error == kNoFfmpeg);
  arm.app.exports.open = false;
  const fs::path programs = folder / "programs";
  fs::create_directory(programs);
  std::ofstream(programs / "ffmpeg") << "#!/bin/sh\nfor last; do :; done\nexec /bin/cat >\"${last#file:}\"\n";
  fs::permissions(programs / "ffmpeg", fs::perms::owner_all);
  setenv("PATH", programs.c_str(), 1);
  arm.run();
  REQUIRE(arm.app.exports.error.empty());
  const AnimationInfo info = arm.plan().clips[0].animation.info;
  CHECK(info.width % 2 == 0);
  CHECK(info.height % 2 == 0);
  CHECK(fs::file_size(folder / "arm_bend.mp4") == std::uintmax_t{16} * info.width * info.height * 4);
  CHECK(test::read_file(folder / "arm_bend.mp4")[3] == std::byte{255});
  arm.options().format = ExportFormat::webm;
  arm.run();
  CHECK(test::read_file(folder / "arm_bend.webm")[3] == std::byte{0});
  std::ofstream(programs / "ffmpeg") << "#!/bin/sh\nexec /bin/sleep 1000\n";
  toggle_exports(arm.app);
  arm.options().percent = 1000;
  start_export(arm.app.exports, true);
  while (files_in(folder).size() < 5) arm.update();
  arm.app.exports.cancel = true;
  arm.settle();
  CHECK(files_in(folder) == std::vector<std::string>{"arm.pchr", "arm_bend.mp4", "arm_bend.webm", "programs"});
  setenv("PATH", before.c_str(), 1);
}

#ifdef PCHR_TOOL
namespace {

/// Runs the tool on `file` and returns the content of `read`. `arguments` end with -o, and `to` is the output.
test::Bytes tool_writes(const fs::path& file, const std::string& arguments, const fs::path& to, const fs::path& read) {
  const std::string command = std::string("'") + PCHR_TOOL + "' " + arguments + " '" + to.string() + "' '" +
                              file.string() + "' >'" + test::output("player/export-log").string() + "' 2>&1";
  INFO(command);
  REQUIRE(std::system(command.c_str()) == 0);
  return test::read_file(read);
}

/// Options for a sheet as the tool makes it, with some changed.
ExportOptions sheet_with(void (*change)(SheetOptions& sheet)) {
  ExportOptions options{.clips = ExportClips::all, .format = ExportFormat::sheet, .margin = 0};
  change(options.sheet);
  return options;
}

template <SheetOptions::Format format>
void for_engine(SheetOptions& sheet) {
  sheet.format = format;
  // Only Aseprite's layout has a choice between hash and array.
  sheet.layout = SheetOptions::Layout::array;
}

}  // namespace

TEST_CASE("exports are the files that pchr render and pchr sheet write", "[player][export]") {
  struct Case {
    ExportOptions options;
    bool smooth;
    const char* output;
    const char* arguments;
  };
  const Case cases[] = {
      {{}, false, "arm_bend.apng", "render --scale 1 --clip bend -o"},
      {{.format = ExportFormat::gif, .percent = 150, .opaque = true},
       false,
       "arm_bend.gif",
       "render --scale 1.5 --clip bend --background '#408020' -o"},
      {{.format = ExportFormat::gif, .margin = 0}, false, "arm_bend.gif", "render --scale 1 --margin 0 --clip bend -o"},
      {{.format = ExportFormat::webp, .resample = true, .rate = 50},
       true,
       "arm_bend.webp",
       "render --scale 1 --clip bend --fps 50 --smooth -o"},
      {{.format = ExportFormat::webp, .lossy = true, .quality = 40},
       false,
       "arm_bend.webp",
       "render --scale 1 --quality 40 --clip bend -o"},
      {{.format = ExportFormat::png, .sizing = ExportSizing::fit, .size = {90, 70}},
       false,
       "arm_bend_0003.png",
       "render --size 90x70 --clip bend -o"},
      {{.format = ExportFormat::y4m, .plays = ExportPlays::counted, .times = 2},
       false,
       "arm_bend.y4m",
       "render --scale 1 --loops 2 --clip bend -o"},
      {sheet_with([](SheetOptions&) {}), false, "arm_sheet.png", "sheet -o"},
      {sheet_with([](SheetOptions&) {}), false, "arm_sheet.json", "sheet -o"},
      {sheet_with([](SheetOptions& sheet) {
         sheet.max_side = 300;
         sheet.power_of_two = true;
         sheet.padding = 5;
         sheet.extrude = 2;
       }),
       false, "arm_sheet.png", "sheet --max-size 300 --padding 5 --extrude 2 --power-of-two -o"},
      {sheet_with([](SheetOptions& sheet) {
         sheet.trim = sheet.share = false;
         sheet.layout = SheetOptions::Layout::array;
       }),
       false, "arm_sheet.json", "sheet --no-trim --no-share --layout array -o"},
      {sheet_with(for_engine<SheetOptions::Format::phaser>), false, "arm_sheet.json", "sheet --format phaser -o"},
      {sheet_with(for_engine<SheetOptions::Format::pixi>), false, "arm_sheet.json", "sheet --format pixi -o"},
      {sheet_with(for_engine<SheetOptions::Format::godot>), false, "arm_sheet.tres", "sheet --format godot -o"},
      {sheet_with(for_engine<SheetOptions::Format::unity>), false, "arm_sheet.png.meta", "sheet --format unity -o"},
  };
  for (const Case& each : cases) {
    const fs::path folder = test::fresh_folder("tool");
    INFO(each.output << ": " << each.arguments);
    Exporting arm(folder);
    arm.options() = each.options;
    arm.app.view.color = {0x40 / 255.0F, 0x80 / 255.0F, 0x20 / 255.0F};
    if (each.smooth) arm.app.playback.settings.sampling = Sampling::smooth;
    arm.run();
    REQUIRE(arm.app.exports.error.empty());
    fs::create_directory(folder / "tool");
    const bool sheet = each.options.format == ExportFormat::sheet;
    const bool sequence = each.options.format == ExportFormat::png;
    const std::string name = sheet ? "arm_sheet.png" : sequence ? "arm_bend_{frame:04}.png" : each.output;
    CHECK(test::read_file(folder / each.output) ==
          tool_writes(arm.file, each.arguments, folder / "tool" / name, folder / "tool" / each.output));
  }
}

TEST_CASE("the rig is exported as pchr render and pchr sheet apply it", "[player][export]") {
  struct Case {
    ExportOptions options;
    const char* output;
    const char* arguments;
  };
  const Case cases[] = {
      {{}, "arm_bend.apng", "render --scale 1 --clip bend -o"},
      {{.format = ExportFormat::gif}, "arm_bend.gif", "render --scale 1 --clip bend -o"},
      {sheet_with([](SheetOptions&) {}), "arm_sheet.png", "sheet -o"},
      {{.rig = false}, "arm_bend.apng", "render --scale 1 --no-rig --clip bend -o"},
  };
  for (const Case& each : cases) {
    const fs::path folder = test::fresh_folder("tool");
    INFO(each.output << ": " << each.arguments);
    Exporting arm(folder);
    add(arm.app.document()->rig, ConstraintKind::spring, arm.character(), BoneId{0});
    REQUIRE(save_rig(*arm.app.document()).empty());
    arm.options() = each.options;
    arm.run();
    REQUIRE(arm.app.exports.error.empty());
    fs::create_directory(folder / "tool");
    const fs::path other = folder / "tool" / each.output;
    CHECK(test::read_file(folder / each.output) == tool_writes(arm.file, each.arguments, other, other));
  }
}

TEST_CASE("a Pomyu character's skin and an artwork's layers are exported", "[player][export]") {
  const fs::path folder = test::fresh_folder("forms");
  struct Case {
    const char* file;
    ImportOptions options;
    ClipId clip;
    const char* arguments;
  };
  const Case cases[] = {
      {"konpei/konpei.chp",
       {.second_player = true},
       ClipId{0},
       "render --second-player --scale 2 --clip 01_neutral -o"},
      {"hotaru.px",
       {.layers = {.which = LayerChoice::Which::named, .names = {"body"}}},
       ClipId{1},
       "render --layers body --scale 2 --clip hop -o"},
  };
  for (const Case& each : cases) {
    INFO(each.file);
    Exporting open(fs::path(PCHR_ASSETS_DIR) / each.file, each.options, each.clip);
    toggle_exports(open.app);
    open.options().percent = 200;
    std::ranges::copy(folder.string() + '\0', open.app.exports.folder.begin());
    std::ranges::copy(std::string("animation") + '\0', open.app.exports.name.begin());
    open.run(true);
    REQUIRE(open.app.exports.error.empty());
    CHECK(test::read_file(folder / "animation.apng") ==
          tool_writes(open.file, each.arguments, folder / "tool.apng", folder / "tool.apng"));
  }
}
#endif

TEST_CASE("the size of an export is estimated before it starts", "[player][export]") {
  const fs::path folder = test::fresh_folder("estimate");
  Exporting kiri(test::asset("kiri.pchr"), {}, ClipId{2});
  kiri.options().percent = 40;
  kiri.app.exports.ffmpeg.clear();
  for (const ExportFormat format : {ExportFormat::apng, ExportFormat::gif, ExportFormat::webp, ExportFormat::png,
                                    ExportFormat::y4m, ExportFormat::sheet}) {
    kiri.options().format = format;
    kiri.app.exports.open = false;
    toggle_exports(kiri.app);
    set_export_folder(kiri.app.exports, folder);
    kiri.settle();
    REQUIRE(kiri.app.exports.estimated_bytes);
    const double estimated = *kiri.app.exports.estimated_bytes;
    CHECK_THAT(describe_sizes(*kiri.app.exports.plan, estimated), test::contains("of about"));
    for (const std::string& name : files_in(folder)) fs::remove(folder / name);
    kiri.run(true);
    double written = 0;
    for (const std::string& name : files_in(folder)) {
      if (!name.ends_with(".json")) written += static_cast<double>(fs::file_size(folder / name));
    }
    INFO(export_extension(format) << ": estimated " << estimated << ", written " << written);
    CHECK(estimated > written * 0.6);
    CHECK(estimated < written * 1.7);
  }
  kiri.options().format = ExportFormat::mp4;
  kiri.app.exports.open = false;
  toggle_exports(kiri.app);
  kiri.settle();
  CHECK_FALSE(kiri.app.exports.estimated_bytes);
}

}  // namespace pchr::player::export_test
