// SPDX-License-Identifier: MIT
// Eight hours of work, on a clock that runs ahead: what the player uses stays the same. Run it with
// player_tests "[.long_run]". tests/window/soak_test.cpp does the same with a window, in real time.
#include "app/exporter.hpp"
#include "app/opening.hpp"
#include "app/preferences.hpp"
#include "ui/commands.hpp"
#include "ui/panels.hpp"
#include "view/canvas.hpp"

#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/scenes.hpp"

#include <pchr/offscreen.hpp>

#include <GLFW/glfw3.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iostream>
#include <malloc.h>
#include <thread>

namespace pchr::player::long_run {
namespace {

namespace fs = std::filesystem;

constexpr int kRounds = 480;  ///< Minutes.
/// Rounds between which nothing may grow. All formats and clips occur in them.
constexpr int kPeriod = 40;
constexpr int kWarm = 3 * kPeriod;
/// Drivers keep a little now and then. Less than 200 bytes per round are found.
constexpr std::size_t kNoise = std::size_t{64} << 10;
constexpr std::array kFormats{ExportFormat::apng, ExportFormat::gif, ExportFormat::webp, ExportFormat::png,
                              ExportFormat::sheet};
constexpr Canvas kCanvas{.area = {{0, 0}, {160, 120}}};

struct Used {
  std::size_t bytes = 0;
  std::size_t objects = 0;
  std::size_t descriptors = 0;
  std::size_t threads = 0;
};

std::size_t count(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

/// Drivers use the lowest free name for a new object.
std::size_t count_objects() {
  constexpr GLuint kNames = 2000;
  std::size_t objects = 0;
  for (GLuint name = 1; name < kNames; ++name) {
    for (const auto is : {gl().IsBuffer, gl().IsFramebuffer, gl().IsProgram, gl().IsQuery, gl().IsRenderbuffer,
                          gl().IsSampler, gl().IsShader, gl().IsTexture, gl().IsVertexArray}) {
      objects += is(name) == GL_TRUE ? 1 : 0;
    }
  }
  return objects;
}

Used measure() {
  const struct mallinfo2 info = mallinfo2();
  return {info.uordblks + info.hblkhd, count_objects(), count("/proc/self/fd"), count("/proc/self/task")};
}

/// The player as in main(), but with a clock of its own and without a window.
struct Player {
  HeadlessContext context = HeadlessContext::create().value();
  Graphics graphics = set_up(context);
  App app{};
  PreferencesSaver preferences{app};
  Opening opening{[] {}};
  Exporter exporter{};
  CastThumbnails thumbnails{};
  double now = 0;

  static Graphics set_up(const HeadlessContext& context) {
    REQUIRE(load_gl(context.get_proc_address()));
    return {Renderer::create(context.get_proc_address()).value(), BackgroundPainter::create().value(),
            OffscreenLayer::create().value()};
  }

  [[nodiscard]] RigEditor& editor() { return app.document()->rig; }

  /// Works until nothing is left to do in the background.
  void settle() {
    do {
      opening.update(app, graphics.renderer, now);
      exporter.update(app, graphics.renderer);
      update(app.cast);
      thumbnails.update(app.cast);
      std::this_thread::yield();
    } while (opening.busy() || exporter.busy() || thumbnails.busy() || app.cast.reading.valid());
    CHECK(app.error.empty());
  }
  void play(double seconds) {
    constexpr double kStep = 1.0 / 30.0;
    for (double played = 0; played < seconds; played += kStep) {
      advance(app, kStep);
      pass(app.notice, kStep);
      now += kStep;
    }
  }
  void draw() { REQUIRE(render_canvas(app, kCanvas, 1.0F, true, context.get_proc_address(), graphics)); }
  void press(int key) {
    handle_key(app, {.key = key});
    play(1);
    release_key(app, key);
    play(2);
  }
  /// Makes a change, and saves it in case the player ends unexpectedly.
  void edit() {
    States& states = editor().rig.states;
    add_state(states, 0, {.name = "another", .kind = State::Kind::clip, .clip = "idle"});
    commit(editor());
    add(editor(), ConstraintKind::aim, app.document()->character(), BoneId{1});
    commit(editor());
    play(1);
    preferences.update(app, preferences.place(), 0);
    for (int i = 0; i < 2; ++i) undo(editor());
    redo(editor());
    undo(editor());
    REQUIRE_FALSE(has_unsaved_changes(editor()));
    preferences.update(app, preferences.place(), 0);
  }
  void export_as(ExportFormat format) {
    toggle_exports(app);
    ExportOptions& options = app.exports.options;
    options.format = format;
    options.sizing = ExportSizing::fit;
    options.size = {32, 32};
    start_export(app.exports, true);
    settle();
    CHECK(app.exports.error.empty());
    CHECK_FALSE(app.exports.open);
  }
};

/// A minute in which everything happens that can go on for hours.
void work(Player& player, int round) {
  App& app = player.app;
  // The other file of the cast and back.
  for (int i = 0; i < 2; ++i) {
    step(app.cast, app.requests, 1);
    player.settle();
    player.play(1);
    player.draw();
  }
  run_command(app, "reload");
  player.thumbnails.recheck();
  refresh(app.cast);
  player.settle();
  run_command(app, "next-clip");
  player.edit();
  player.draw();
  set_mode(app, PlaybackMode::states);
  for (const int key : {GLFW_KEY_RIGHT, GLFW_KEY_SPACE, GLFW_KEY_W}) player.press(key);
  player.draw();
  set_mode(app, PlaybackMode::clip);
  player.export_as(kFormats[static_cast<std::size_t>(round) % kFormats.size()]);
  player.play(60.0 * (round + 1) - player.now);
}

}  // namespace

TEST_CASE("memory and objects stay the same over eight hours of reloads, edits, machines and exports", "[.long_run]") {
  const fs::path folder = test::fresh_folder("player/long_run");
  setenv("XDG_CONFIG_HOME", (folder / "config").c_str(), 1);
  setenv("XDG_CACHE_HOME", (folder / "cache").c_str(), 1);
  for (const char* name : {"kiri.pchr", "kiri.rig.json"}) fs::copy_file(test::asset(name), folder / name);
  test::write_file(folder / "arm.pchr", test::write_v1(test::two_bone_arm()));
  Player player;
  open_files(player.app.requests, {folder / "kiri.pchr", folder / "arm.pchr"});
  player.settle();
  REQUIRE(player.app.document());
  player.app.cast.shown = {folder / "kiri.pchr", folder / "arm.pchr"};
  std::vector<Used> used;
  for (int round = 0; round < kRounds; ++round) {
    work(player, round);
    CHECK(player.app.document()->name() == "kiri.pchr");
    used.push_back(measure());
    if (round % 60 == 0) {
      std::cout << round << " min: " << used.back().bytes / 1024 << " KiB, " << used.back().objects << " objects, "
                << used.back().descriptors << " descriptors, " << used.back().threads << " threads" << std::endl;
    }
  }
  // The least of several rounds, because threads may still hold some of what they used.
  const auto least = [&](int end, std::size_t Used::* what) {
    const auto last = used.begin() + end;
    return std::ranges::min(std::ranges::subrange(last - kPeriod, last), {}, what).*what;
  };
  CHECK(least(kRounds, &Used::bytes) < least(kWarm, &Used::bytes) + kNoise);
  for (const auto what : {&Used::objects, &Used::descriptors, &Used::threads}) {
    CHECK(least(kRounds, what) <= least(kWarm, what));
  }
}

}  // namespace pchr::player::long_run
