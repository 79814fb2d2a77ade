// SPDX-License-Identifier: MIT
// The table of commands.
#include "app/commands.hpp"

#include "shown.hpp"
#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/scenes.hpp"

#include <pchr/offscreen.hpp>

#include <GLFW/glfw3.h>

#include <set>
#include <string>

namespace pchr::player {

TEST_CASE("docs/player.md has the commands as they are", "[player][commands]") {
  const test::Bytes bytes = test::read_file(std::filesystem::path(PCHR_DOCS_DIR) / "player.md");
  const std::string document(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  INFO("replace the tables by what pchr-player --print-commands prints");
  CHECK(document.find(describe_commands()) != std::string::npos);
}

TEST_CASE("commands have ids of their own, keys and something to do", "[player][commands]") {
  std::set<std::string> ids;
  for (const Command& each : commands()) {
    INFO(each.id);
    CHECK(ids.insert(each.id).second);
    CHECK_FALSE(keys_of(each).empty());
    CHECK(each.run != nullptr);
  }
  CHECK(keys_of(command("previous-frame")) == "Left, Shift+Left");
  CHECK(keys_of(command("mix-from")) == "Ctrl+1 \u2013 9");
  CHECK(tooltip_of("play") == "Play or pause (Space)");
}

TEST_CASE("no key does harm while nothing is open", "[player][commands]") {
  App app;
  for (const Command& each : commands()) {
    for (const Chord& chord : each.chords) {
      for (int number = 0; chord.key != 0 && number < chord.count; ++number) {
        handle_key(app, {.key = chord.key + number, .modifiers = chord.modifiers});
        app.browser.open = false;
      }
    }
  }
  CHECK(app.quit);
  CHECK_FALSE(app.document);
}

TEST_CASE("a key means what the mode that plays has for it", "[player][commands]") {
  const HeadlessContext context = HeadlessContext::create().value();
  Renderer renderer = Renderer::create(context.get_proc_address()).value();
  App app;
  show_model(app, "arm.pchr", renderer.upload(Character::build(test::two_bone_arm()).value()).value(), ClipId{1});
  handle_key(app, {.key = GLFW_KEY_N});
  CHECK(app.playback.shows_clip());
  handle_key(app, {.key = GLFW_KEY_X});
  REQUIRE(app.playback.mix() != nullptr);
  handle_key(app, {.key = GLFW_KEY_N});
  CHECK(app.playback.mix()->layers.size() == 1);
  handle_key(app, {.key = GLFW_KEY_PAGE_DOWN});
  CHECK(app.playback.mix()->layers[0].weight == Approx(0.9));
  handle_key(app, {.key = GLFW_KEY_PAGE_DOWN, .repeated = true});
  CHECK(app.playback.mix()->layers[0].weight == Approx(0.9));
  handle_key(app, {.key = GLFW_KEY_RIGHT, .modifiers = GLFW_MOD_SHIFT | GLFW_MOD_ALT});
  CHECK(app.playback.playing());
  handle_key(app, {.key = GLFW_KEY_X});
  CHECK(app.playback.shows_clip());
  handle_key(app, {.key = GLFW_KEY_X});
  CHECK(app.playback.mix()->layers.size() == 1);
}

}  // namespace pchr::player
