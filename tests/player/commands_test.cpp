// SPDX-License-Identifier: MIT
// The command table.
#include "ui/commands.hpp"
#include "app/command_line.hpp"

#include "shown.hpp"
#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/scenes.hpp"

#include <pchr/offscreen.hpp>

#include <GLFW/glfw3.h>

#include <set>
#include <string>

namespace pchr::player::commands_test {

TEST_CASE("docs/player.md lists the current commands", "[player][commands]") {
  const test::Bytes bytes = test::read_file(std::filesystem::path(PCHR_DOCS_DIR) / "player.md");
  const std::string document(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  INFO("replace the tables with the output of pchr-player --print-commands");
  CHECK(document.find(describe_commands()) != std::string::npos);
}

TEST_CASE("every command has a unique id, an action, and a key or a place in a menu", "[player][commands]") {
  std::set<std::string> ids;
  for (const Command& each : commands()) {
    INFO(each.id);
    CHECK(ids.insert(each.id).second);
    CHECK_FALSE((keys_of(each).empty() && menu_path_of(each).empty()));
    CHECK(each.run != nullptr);
  }
  CHECK(keys_of(command("no-range")) == "Shift+I, Shift+O");
  CHECK(first_key_of(command("no-range")) == "Shift+I");
  CHECK(keys_of(command("states-up")) == "Alt+Up");
  CHECK(keys_of(command("select-none")).empty());
  CHECK(keys_of(command("mix-from")) == "Ctrl+1 \u2013 9");
  CHECK(tooltip_of("play") == "Play or pause (Space, Shift+Space)");
  CHECK(tooltip_of("select-none") == "Select no mesh and no bone");
  CHECK(menu_path_of(command("layer-add")) == "Playback > Mixing > Add layer");
  CHECK(menu_path_of(command("clip")).empty());
}

TEST_CASE("options are parsed, and unknown or incomplete ones are rejected", "[player][commands]") {
  const auto parsed = [](const std::vector<std::string>& arguments) { return parse_command_line(arguments); };
  const auto line = parsed({"a.pchr", "--encoding", "shift-jis", "-", "--second-player", "--", "--help"}).value();
  CHECK(line.files == std::vector<std::filesystem::path>{"a.pchr", "-", "--help"});
  CHECK(line.options.text_encoding == "shift-jis");
  CHECK(line.options.second_player);
  CHECK_FALSE(line.options.black_color_key);
  CHECK(line.printed.empty());
  CHECK(line.options.bind_pose == BindPose());
  CHECK(parsed({"--bind", "idle:12"})->options.bind_pose == BindPose(ClipBindPose{"idle", 12}));
  CHECK(parsed({"--bind", "identity"})->options.bind_pose == BindPose(IdentityBindPose{}));
  CHECK_THAT(parsed({"--no-such-option"}).error(), test::contains("unknown option --no-such-option"));
  CHECK_THAT(parsed({"a.pchr", "--encoding"}).error(), test::contains("--encoding needs a value"));
  CHECK_THAT(parsed({"--print-completion", "basic"}).error(), test::contains("does not accept basic"));
}

TEST_CASE("help, man page and completions list the options, and docs/player.md too", "[player][commands]") {
  const auto printed = [](const std::vector<std::string>& arguments) {
    return parse_command_line(arguments).value().printed;
  };
  const test::Bytes bytes = test::read_file(std::filesystem::path(PCHR_DOCS_DIR) / "player.md");
  const std::string document(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  for (const std::string option : {"--bind", "--second-player", "--black-key", "--encoding", "--help", "--version"}) {
    INFO(option);
    CHECK_THAT(printed({"--help"}), test::contains(option));
    CHECK_THAT(document, test::contains("`" + option));
    CHECK_THAT(printed({"--print-completion", "bash"}), test::contains(option));
    CHECK_THAT(printed({"--print-completion", "zsh"}), test::contains(option));
    CHECK_THAT(printed({"--print-completion", "fish"}), test::contains(option.substr(2)));
  }
  CHECK_THAT(printed({"--print-man-page"}), test::contains(".TH"));
}

TEST_CASE("no key crashes the player without an open file", "[player][commands]") {
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
  CHECK_FALSE(app.document());
}

TEST_CASE("a key runs the command of the current mode", "[player][commands]") {
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

}  // namespace pchr::player::commands_test
