// SPDX-License-Identifier: MIT
// Searching clips, crossfades and layers.
#include "drag_and_drop.hpp"
#include "running_player.hpp"

#include <optional>

namespace pchr::test::mix_test {
namespace {

/// Clips "still" (the arm straight), "crooked" (bent) and "empty", with two equal frames each so that nothing moves.
fs::path still_file(std::optional<Rgba> color = {}, const std::string& name = "still") {
  CharacterData data = two_bone_arm();
  for (Image& image : data.images) {
    if (color) image = plain_image(image.width, image.height, *color, image.name);
  }
  Clip straight = resting_clip("still", 2, data.bones.size());
  Clip bent = resting_clip("crooked", 2, data.bones.size());
  const std::size_t bones = data.bones.size();
  for (std::size_t frame = 0; frame < 2; ++frame) {
    for (std::size_t bone = 0; bone < bones; ++bone) {
      const std::size_t from = bone;  // The bind pose.
      for (Clip* clip : {&straight, &bent}) {
        clip->samples.x[frame * bones + bone] = data.clips[0].samples.x[from];
        clip->samples.y[frame * bones + bone] = data.clips[0].samples.y[from];
      }
      bent.samples.rotation_degrees[frame * bones + bone] = bone == 1 ? 80.0F : 0.0F;
    }
  }
  data.clips = {straight, bent, resting_clip("empty", 0, bones)};
  for (Clip& clip : data.clips) clip.looping = true;
  const fs::path path = output("window/" + name + ".pchr");
  write_file(path, write_v1(data));
  return path;
}

}  // namespace

TEST_CASE("the clip filter receives keys, Enter selects the first match, Escape cancels", "[window][mix]") {
  RunningPlayer player({path_text(still_file())});
  REQUIRE(player.shows_title("still"));
  static_cast<void>(player.pause_at_start());
  REQUIRE(player.comes_to_rest());
  const Rect list{player.where("clip 0").min, kLayout.clips.max};
  const Screenshot all = player.capture();
  player.desktop.key("slash");
  REQUIRE(player.changes_from(all, kLayout.clips));  // The caret.
  for (const std::string key : {"O", "o", "k"}) player.desktop.key(key);
  CHECK(player.changes_from(all, list));
  player.desktop.keep_screenshot("filter.png");
  player.desktop.key("Return");
  CHECK(player.shows_title("crooked"));
  player.desktop.key("space");
  REQUIRE(player.comes_to_rest());
  const Screenshot found = player.capture();
  player.desktop.key("Escape");
  REQUIRE(player.changes_from(found, list));
  player.desktop.key("1");
  CHECK(player.becomes(all, kLayout.clips));
  player.desktop.key("f", "Control_L");
  REQUIRE(player.changes_from(all, kLayout.clips));
  player.desktop.key("x");
  CHECK(player.changes_from(all, list));
  player.desktop.key("Escape");
  CHECK(player.becomes(all, kLayout.clips));
}

TEST_CASE("a mix fades between two clips, and Enter replays it", "[window][mix][long]") {
  RunningPlayer player({path_text(still_file())});
  REQUIRE(player.shows_title("still"));
  const Screenshot straight = player.pause_at_start();
  player.desktop.key("x");
  CHECK(player.becomes(straight));
  // Twenty frames are longer than the lead and the fade.
  for (int i = 0; i < 2; ++i) player.desktop.key("Right", "Shift_L");
  REQUIRE(player.comes_to_rest());
  const Screenshot bent = player.capture();
  REQUIRE(difference(bent, straight, kCanvas) > 1000);
  player.desktop.key("Return");
  CHECK(player.becomes(straight));
  player.desktop.key("space");
  CHECK(player.becomes(bent));
  player.desktop.keep_screenshot("mix.png");
  // Slow playback, so that the first clip is visible even on a busy machine.
  for (int i = 0; i < 10; ++i) player.desktop.key("comma");
  player.desktop.key("Return");
  CHECK(player.becomes(straight));
  player.desktop.key("BackSpace");
  CHECK(player.becomes(bent));
  player.desktop.key("1");
  CHECK(player.becomes(straight));
  player.desktop.key("n");
  player.desktop.key("x");
  CHECK(player.becomes(straight));
}

TEST_CASE("a layer changes the crossfade until it is removed", "[window][mix]") {
  RunningPlayer player({path_text(still_file())});
  REQUIRE(player.shows_title("still"));
  const Screenshot straight = player.pause_at_start();
  player.desktop.key("x");
  player.desktop.key("n");  // It plays the clip that is faded to.
  CHECK(player.changes_from(straight));
  player.desktop.keep_screenshot("layer.png");
  REQUIRE(player.comes_to_rest());
  const Screenshot full = player.capture();
  player.desktop.key("Next");  // Less weight.
  CHECK(player.changes_from(full));
  player.desktop.key("Prior");
  CHECK(player.becomes(full));
  player.desktop.key("n", "Shift_L");
  CHECK(player.becomes(straight));
}

TEST_CASE("a layer moves all bones, those of a mask in the rig, or a subtree", "[window][mix][long]") {
  const fs::path file = still_file({}, "masked");
  const fs::path rig = output("window/masked.rig.json");
  const std::string text = R"({"masks": [{"name": "shoulder", "bones": ["upper"]},
                                        {"name": "forearm", "bones": ["lower", "badge"]}]})";
  write_file(rig, std::as_bytes(std::span(text)));
  RunningPlayer player({path_text(file)});
  REQUIRE(player.shows_title("still"));
  const Screenshot straight = player.pause_at_start();
  player.desktop.key("x");
  player.desktop.key("n");  // It bends the arm.
  REQUIRE(player.changes_from(straight));
  REQUIRE(player.comes_to_rest());
  const Screenshot bent = player.capture();
  const auto choose = [&](const std::string& bones) {
    player.click("##bones");
    player.click(bones);
    player.desktop.move(kCanvas.center());
  };
  choose("shoulder (mask)");
  CHECK(player.becomes(straight));
  choose("forearm (mask)");
  CHECK(player.becomes(bent));
  player.desktop.keep_screenshot("layer-mask.png");

  // Another program changes the bones of the mask.
  const std::string changed = R"({"masks": [{"name": "forearm", "bones": ["badge"]}]})";
  write_file(rig, std::as_bytes(std::span(changed)));
  CHECK(player.becomes(straight));
  choose("lower");
  CHECK(player.becomes(bent));
  choose("forearm (mask)");
  CHECK(player.becomes(straight));
  choose("All bones");
  CHECK(player.becomes(bent));
}

TEST_CASE("a mix and its layers survive a reload", "[window][mix][long]") {
  const fs::path file = still_file();
  RunningPlayer player({path_text(file)});
  REQUIRE(player.shows_title("still"));
  const Screenshot straight = player.pause_at_start();
  player.desktop.key("x");
  player.desktop.key("n");
  REQUIRE(player.changes_from(straight));
  REQUIRE(player.comes_to_rest());
  const Screenshot layered = player.capture();
  // The second color shows that the file was reloaded, and the first one that the mix is unchanged.
  static_cast<void>(still_file(Rgba{60, 60, 200, 255}));
  REQUIRE(player.changes_from(layered));
  static_cast<void>(still_file());
  CHECK(player.becomes(layered));
  CHECK(player.becomes(layered, kLayout.clips));
}

TEST_CASE("opening another file starts a new mix", "[window][mix]") {
  RunningPlayer player({path_text(still_file())});
  REQUIRE(player.shows_title("still"));
  player.desktop.key("x");
  player.desktop.key("n");
  REQUIRE(drop_file(player.desktop, player.window, kCanvas.center(), arm_file()));
  CHECK(player.shows_title("arm.pchr"));
  CHECK(player.changes_from(player.capture()));
  player.desktop.key("End");
  CHECK(player.process.running());
}

TEST_CASE("a sample character's mix is shown", "[window][mix]") {
  RunningPlayer player({path_text(asset("kiri.pchr"))});
  REQUIRE(player.shows_title("idle"));
  player.desktop.key("x");
  player.desktop.key("n");
  player.desktop.key("3");
  player.desktop.keep_screenshot("mix-kiri.png");
  CHECK(player.process.running());
  player.desktop.resize(player.window, 760, 500);
  player.shows_frame();
  player.desktop.keep_screenshot("mix-small.png");
  CHECK(player.process.running());
}

}  // namespace pchr::test::mix_test
