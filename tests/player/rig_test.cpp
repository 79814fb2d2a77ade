// SPDX-License-Identifier: MIT
// Editing, playing and saving a rig, without a window.
#include "app/preferences.hpp"
#include "ui/commands.hpp"
#include "ui/app.hpp"
#include "shown.hpp"
#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/scenes.hpp"

#include <pchr/offscreen.hpp>

#include <cmath>
#include <string>

namespace pchr::player::rig_test {
namespace {

namespace fs = std::filesystem;

constexpr BoneId kUpper{0}, kLower{1}, kHand{3};

/// An arm whose bones are "upper", "lower", "badge" and "hand". Clip 1 bends it, in a loop.
CharacterData arm_data() {
  CharacterData data = test::two_bone_arm();
  data.bones.push_back({"hand", kLower});
  for (Clip& clip : data.clips) {
    const BoneSamples old = std::exchange(clip.samples, {});
    clip.samples.resize(4 * std::size_t{clip.frame_count});
    for (std::size_t i = 0; i < old.x.size(); ++i) {
      const std::size_t to = i / 3 * 4 + i % 3;
      clip.samples.x[to] = old.x[i];
      clip.samples.y[to] = old.y[i];
      clip.samples.rotation_degrees[to] = old.rotation_degrees[i];
    }
    for (std::size_t frame = 0; frame < clip.frame_count; ++frame) clip.samples.y[frame * 4 + 3] = 30;
  }
  return data;
}

Character arm() { return Character::build(arm_data()).value(); }

void write_text(const fs::path& file, const std::string& text) {
  test::write_file(file, std::as_bytes(std::span(text)));
}

/// Sets where preferences are kept; "" restores the system's folder.
void set_configuration_folder(const std::string& folder) {
#ifdef _WIN32
  _putenv_s("XDG_CONFIG_HOME", folder.c_str());
#else
  setenv("XDG_CONFIG_HOME", folder.c_str(), 1);
#endif
}

struct Shown : Windowless {
  fs::path folder;

  explicit Shown(const std::string& name, const std::string& rig = {}, const std::string& markers = {})
      : folder(test::fresh_folder("player/rig-" + name)) {
    if (!rig.empty()) write_text(folder / "arm.rig.json", rig);
    if (!markers.empty()) write_text(folder / "arm.markers.json", markers);
    show_model(app, folder / "arm.pchr", renderer.upload(arm()).value(), ClipId{1});
  }

  void reload(CharacterData data = arm_data()) {
    reload_model(app, renderer.upload(Character::build(std::move(data)).value()).value(), ClipId{1});
  }
  [[nodiscard]] RigEditor& editor() { return app.document()->rig; }
  [[nodiscard]] std::string file() const { return test::read_text(folder / "arm.rig.json"); }
  float lower_degrees() { return posed(app).pose.rotation_degrees[index(kLower)]; }
};

const std::string kSpring = R"({"springs": [{"name": "arm", "bones": ["upper", "lower"], "frequency": 3}]})";

}  // namespace

TEST_CASE("undo returns to the rig before each change, and redo repeats it", "[player][rig]") {
  RigEditor editor = edit_rig({});
  add(editor, ConstraintKind::spring, arm(), kUpper);
  commit(editor);
  const Rig added = editor.rig;
  // A drag changes the value many times before it is complete.
  for (const float frequency : {3.0F, 4.0F, 5.0F}) editor.rig.springs[0].frequency = frequency;
  commit(editor);
  commit(editor);
  const Rig tuned = editor.rig;
  undo(editor);
  CHECK(editor.rig == added);
  CHECK(editor.selected);
  undo(editor);
  CHECK(editor.rig.empty());
  CHECK_FALSE(editor.selected);
  undo(editor);
  CHECK(editor.rig.empty());
  redo(editor);
  redo(editor);
  CHECK(editor.rig == tuned);
  redo(editor);
  CHECK(editor.rig == tuned);
  CHECK(has_unsaved_changes(editor));
  undo(editor);
  editor.rig.gusts = 1;
  commit(editor);
  redo(editor);
  CHECK(editor.rig.gusts == 1);  // A new change replaces what could be redone.
}

TEST_CASE("constraints are added at a bone, and removed with what depends on them", "[player][rig]") {
  const Character character = arm();
  RigEditor editor = edit_rig({});
  add(editor, ConstraintKind::spring, character, kUpper);
  CHECK(editor.rig.springs.at(0).bones == std::vector{kUpper, kLower, kHand});
  add(editor, ConstraintKind::aim, character, kLower);
  CHECK(editor.rig.aims.at(0).bone == kLower);
  for (const auto kind : {ConstraintKind::limb, ConstraintKind::foot}) {
    CHECK_FALSE(can_add(editor.rig, kind, character, kUpper));
    CHECK_FALSE(can_add(editor.rig, kind, character, kLower));
    CHECK_FALSE(can_add(editor.rig, kind, character, BoneId::none));
    CHECK(can_add(editor.rig, kind, character, kHand));
  }
  add(editor, ConstraintKind::foot, character, kHand);
  REQUIRE(editor.rig.ik.size() == 1);
  CHECK(editor.rig.ik[0].upper == kUpper);
  CHECK(editor.rig.ik[0].lower == kLower);
  CHECK(editor.rig.ik[0].end == kHand);
  add(editor, ConstraintKind::limb, character, kHand);
  CHECK(editor.rig.ik.at(1).name != editor.rig.ik[0].name);
  add(editor, ConstraintKind::foot, character, kHand);
  CHECK(editor.rig.ik.size() == 2);
  editor.rig.feet[1].ik = 1;
  CHECK_FALSE(find_rig_error(editor.rig, character));
  CHECK(constraints_of(editor.rig).size() == 6);

  editor.selected = {ConstraintKind::limb, 0};
  remove_selected(editor);
  REQUIRE(editor.rig.feet.size() == 1);
  CHECK(editor.rig.feet[0].ik == 0);
  for (int i = 0; i < 3; ++i) {
    editor.selected = constraints_of(editor.rig).front();
    remove_selected(editor);
  }
  CHECK(constraints_of(editor.rig).empty());
  CHECK_FALSE(editor.selected);
  remove_selected(editor);
}

TEST_CASE("a bone swings in one spring chain only", "[player][rig]") {
  const Character character = arm();
  RigEditor editor = edit_rig({});
  add(editor, ConstraintKind::spring, character, kLower);
  REQUIRE(editor.rig.springs.size() == 1);
  CHECK_FALSE(can_add(editor.rig, ConstraintKind::spring, character, kLower));
  CHECK_FALSE(can_add(editor.rig, ConstraintKind::spring, character, kHand));
  add(editor, ConstraintKind::spring, character, kHand);
  CHECK(editor.rig.springs.size() == 1);
  // A chain from above ends where the next one begins.
  add(editor, ConstraintKind::spring, character, kUpper);
  REQUIRE(editor.rig.springs.size() == 2);
  CHECK(editor.rig.springs[1].bones == std::vector{kUpper});
  CHECK_FALSE(find_shared_bone(editor.rig));
}

TEST_CASE("two spring chains in a file that share a bone are listed as a problem", "[player][rig]") {
  Shown shown("shared", R"({"springs": [{"name": "arm", "bones": ["upper", "lower"]}, {"bones": ["lower", "hand"]}]})");
  App& app = shown.app;
  REQUIRE(app.error.empty());
  REQUIRE(count_problems(app.document()->problems) == 1);
  const Problem& problem = app.document()->problems.front();
  CHECK(problem.kind == ProblemKind::warning);
  CHECK(problem.place == ProblemPlace{.bone = kLower});
  CHECK_THAT(problem.text, test::contains("arm.rig.json: warning: the spring chains \"arm\" and \"\" share the bone"));
  shown.editor().selected = {ConstraintKind::spring, 1};
  remove_selected(shown.editor());
  save_rig(app);
  CHECK(count_problems(app.document()->problems) == 0);
}

TEST_CASE("changes that were not saved are kept for a file with any name", "[player][rig][posix]") {
  const fs::path configuration = test::fresh_folder("player/rig-autosave-names");
  set_configuration_folder(configuration.string());
  Shown shown("autosave-names", kSpring);
  App& app = shown.app;
  for (const std::string name : {"two\nlines.pchr", "100%0A%25.pchr", "\n.pchr", "tab\t.pchr", "\xff.pchr"}) {
    INFO(name);
    const fs::path path = shown.folder / name;
    test::write_file(path, test::Bytes(1));
    show_model(app, path, shown.renderer.upload(arm()).value(), ClipId{1});
    add(shown.editor(), ConstraintKind::spring, app.document()->character(), BoneId{1});
    const Rig edited = shown.editor().rig;
    keep_unsaved_rig(*app.document());
    CHECK(find_unsaved_rig() == absolute_path(path));
    App next;
    std::swap(app.actors, next.actors);  // As if the player had been killed.
    show_model(app, path, shown.renderer.upload(arm()).value(), ClipId{1});
    run_command(app, "rig-restore");
    CHECK(shown.editor().rig.springs.size() == edited.springs.size());
    CHECK(has_unsaved_changes(shown.editor()));
    forget_unsaved_rig(*app.document());
    CHECK(find_unsaved_rig().empty());
  }
  set_configuration_folder("");
}

TEST_CASE("changes that were not saved are kept and offered when the file is opened again", "[player][rig]") {
  const fs::path configuration = test::fresh_folder("player/rig-autosave-configuration");
  set_configuration_folder(configuration.string());
  const auto count_autosaves = [&] {
    std::error_code ignored;
    return std::distance(fs::directory_iterator(configuration / "pchr/unsaved", ignored), fs::directory_iterator());
  };
  Shown shown("autosave", kSpring);
  App& app = shown.app;
  test::write_file(shown.folder / "arm.pchr", test::Bytes(1));
  const auto open_again = [&] {
    App next;
    std::swap(app.actors, next.actors);  // As if the player had been killed.
    app.notice = {};
    show_model(app, shown.folder / "arm.pchr", shown.renderer.upload(arm()).value(), ClipId{1});
  };
  keep_unsaved_rig(*app.document());
  CHECK(count_autosaves() == 0);
  shown.editor().rig.springs[0].frequency = 9;
  keep_unsaved_rig(*app.document());
  CHECK(count_autosaves() == 1);
  CHECK(find_unsaved_rig() == absolute_path(shown.folder / "arm.pchr"));

  open_again();
  CHECK(shown.editor().rig.springs[0].frequency == 3);
  CHECK_THAT(app.notice.text, test::contains("arm.pchr has changes to its rig that were not saved"));
  // Nothing changes the offer until it is answered.
  keep_unsaved_rig(*app.document());
  CHECK(count_autosaves() == 1);
  run_command(app, "rig-restore");
  CHECK(shown.editor().rig.springs[0].frequency == 9);
  CHECK(has_unsaved_changes(shown.editor()));
  run_command(app, "rig-undo");
  CHECK(shown.editor().rig.springs[0].frequency == 3);
  run_command(app, "rig-redo");
  save_rig(app);
  CHECK(count_autosaves() == 0);

  shown.editor().rig.springs[0].frequency = 5;
  keep_unsaved_rig(*app.document());
  open_again();
  run_command(app, "rig-discard");
  CHECK(count_autosaves() == 0);
  CHECK(shown.editor().rig.springs[0].frequency == 9);

  // Another start, which restores before the file is open.
  shown.editor().rig.springs[0].frequency = 5;
  keep_unsaved_rig(*app.document());
  app.unsaved_rig = find_unsaved_rig();
  run_command(app, "rig-restore");
  REQUIRE(app.requests.pending);
  CHECK(app.requests.pending->paths.front() == app.unsaved_rig);
  open_again();
  CHECK(shown.editor().rig.springs[0].frequency == 5);

  // What cannot be read is reported and kept, but not offered again.
  keep_unsaved_rig(*app.document());
  const fs::path kept = fs::directory_iterator(configuration / "pchr/unsaved")->path();
  write_text(kept, test::read_text(kept) + "}");
  open_again();
  CHECK_THAT(app.error, test::contains("The unsaved changes to the rig of arm.pchr cannot be read, and stay in "));
  CHECK_FALSE(shown.editor().rig.springs[0].frequency == 5);
  CHECK(count_autosaves() == 1);
  CHECK(find_unsaved_rig().empty());
  fs::remove(fs::path(kept).replace_extension(".unreadable"));
  CHECK(count_autosaves() == 0);

  // What cannot be written is said once, and tried again until it is.
  const fs::path unsaved = configuration / "pchr/unsaved";
  fs::remove(unsaved);
  test::write_file(unsaved, test::Bytes(1));
  shown.editor().rig.springs[0].frequency = 6;
  {
    PreferencesSaver saver(app);
    app.notice = {};
    saver.update(app, saver.place(), 7);
    CHECK_THAT(app.notice.text, test::contains("A crash would lose the unsaved changes to the rig: cannot write"));
    CHECK(saver.due() > 7);
    app.notice = {};
    saver.update(app, saver.place(), saver.due());
    CHECK(app.notice.text.empty());
    CHECK(std::isfinite(saver.due()));
    fs::remove(unsaved);
    saver.update(app, saver.place(), saver.due());
    CHECK(std::isinf(saver.due()));
  }
  CHECK(shown.editor().autosave_error.empty());
  open_again();
  run_command(app, "rig-restore");
  CHECK(shown.editor().rig.springs[0].frequency == 6);
  run_command(app, "rig-undo");
  keep_unsaved_rig(*app.document());
  CHECK(count_autosaves() == 0);

  // Leaving without saving drops them.
  shown.editor().rig.springs[0].frequency = 5;
  keep_unsaved_rig(*app.document());
  show_model(app, shown.folder / "other.pchr", shown.renderer.upload(arm()).value(), ClipId{1});
  CHECK(count_autosaves() == 0);
  set_configuration_folder("");
}

TEST_CASE("a foot stands from its marker until it lifts, also over the end of a loop", "[player][rig]") {
  const FootPlant foot{.name = "foot", .plant = "down", .lift = "up"};
  const std::vector<Marker> markers{{ClipId{0}, 2, "up"}, {ClipId{0}, 4, "step"}, {ClipId{0}, 6, "down"}};
  const auto planted = [&](std::uint32_t frame, bool looping) { return is_planted(foot, markers, frame, looping); };
  CHECK(planted(0, true));
  CHECK_FALSE(planted(0, false));
  CHECK_FALSE(planted(2, true));
  CHECK_FALSE(planted(5, true));
  CHECK(planted(6, false));
  CHECK_FALSE(is_planted(foot, {}, 6, true));
}

TEST_CASE("springs move while the clip plays, and rest after a seek", "[player][rig]") {
  Shown shown("springs", kSpring);
  App& app = shown.app;
  REQUIRE(app.error.empty());
  REQUIRE(shown.editor().rig.springs.size() == 1);
  const auto plain_degrees = [&] {
    PoseBuffers plain;
    pose_clip(app.document()->character(), ClipId{1}, shown_time(app.playback), plain);
    return plain.pose.rotation_degrees[index(kLower)];
  };
  seek_frame(app.playback, 0);
  const float rest = shown.lower_degrees();
  CHECK(rest == Approx(plain_degrees()).margin(0.01));
  app.playback.clock.play();
  float farthest = 0;
  for (int i = 0; i < 120; ++i) {
    advance(app, 1.0 / 60);
    farthest = std::max(farthest, std::abs(shown.lower_degrees() - plain_degrees()));
  }
  CHECK(farthest > 1);
  // A pose that is looked at twice does not move.
  const float shown_once = shown.lower_degrees();
  CHECK(shown.lower_degrees() == shown_once);
  seek_frame(app.playback, 4);
  const float bent = shown.lower_degrees();
  CHECK(bent == Approx(plain_degrees()).margin(0.01));
  // While paused, time does not pass.
  CHECK_FALSE(advance(app, 1));
  CHECK(shown.lower_degrees() == bent);
  seek_frame(app.playback, 0);
  CHECK(shown.lower_degrees() == rest);

  app.playback.clock.play();
  for (int i = 0; i < 10; ++i) advance(app, 1.0 / 60);
  run_command(app, "rig-play");
  CHECK(shown.lower_degrees() == plain_degrees());
  run_command(app, "rig-play");
  // Nor is a comparison of clips changed.
  set_compare_mode(app, CompareMode::wipe);
  CHECK(shown.lower_degrees() == plain_degrees());
}

TEST_CASE("springs of a clip that plays step by step move once per frame", "[player][rig]") {
  Shown shown("steps", kSpring);
  App& app = shown.app;
  select_clip(app.playback, app.document()->character(), ClipId{1});
  app.playback.clock.play();
  const auto count = [&](Sampling sampling) {
    set_settings(app.playback, {.mode = LoopMode::loop, .sampling = sampling});
    advance(app, 0);
    std::pair<int, int> poses_and_frames;
    for (int i = 0; i < 240; ++i) {
      const ClipTime before = shown_time(app.playback);
      if (advance(app, 1.0 / 120)) ++poses_and_frames.first;
      if (shown_time(app.playback).frame != before.frame) ++poses_and_frames.second;
    }
    return poses_and_frames;
  };
  const auto [poses, frames] = count(Sampling::step);
  CHECK(frames > 10);
  CHECK(poses == frames);
  CHECK(count(Sampling::smooth).first == 240);
}

TEST_CASE("traveling swings the springs although the clip stands still", "[player][rig]") {
  Shown shown("travel", kSpring);
  App& app = shown.app;
  select_clip(app.playback, app.document()->character(), ClipId{0});
  app.find(Role::open)->motion.travel = 400;
  app.playback.clock.play();
  set_settings(app.playback, {.mode = LoopMode::loop});
  float farthest = 0;
  for (int i = 0; i < 30; ++i) {
    advance(app, 1.0 / 60);
    farthest = std::max(farthest, std::abs(shown.lower_degrees()));
  }
  CHECK(farthest > 1);
}

TEST_CASE("an aim reaches for the mouse if asked to", "[player][rig]") {
  Shown shown("aim", R"({"aim": [{"bone": "lower"}]})");
  App& app = shown.app;
  seek_frame(app.playback, 0);
  app.cursor = Vec2{100, 40};
  const float before = shown.lower_degrees();
  app.view.rig_follows_mouse = true;
  CHECK(shown.lower_degrees() == Approx(-90).margin(0.1));
  app.cursor = Vec2{-100, 40};
  CHECK(shown.lower_degrees() == Approx(90).margin(0.1));
  app.cursor.reset();
  CHECK(shown.lower_degrees() == before);
}

TEST_CASE("saving writes the rig next to the character and keeps its markers", "[player][rig]") {
  Shown shown("save", {}, R"({"markers": [{"clip": "bend", "frame": 2, "name": "step"}]})");
  App& app = shown.app;
  REQUIRE(app.document()->markers->all().size() == 1);
  CHECK(title(app).find('*') == std::string::npos);
  app.document()->selection.bone = kHand;
  handle_key(app, {.key = '4', .modifiers = 1});  // Shift+4 adds a foot.
  handle_key(app, {.key = '1', .modifiers = 1});
  CHECK(title(app).find("arm.pchr*") == 0);
  CHECK_FALSE(fs::exists(shown.folder / "arm.rig.json"));
  shown.editor().rig.springs.at(0).frequency = 7.5F;
  run_command(app, "rig-save");
  CHECK(app.error.empty());
  CHECK(title(app).find('*') == std::string::npos);
  CHECK(shown.file().find("7.5") != std::string::npos);
  CHECK(shown.file().find("step") != std::string::npos);
  CHECK(fs::exists(shown.folder / "arm.markers.json"));
  const Rig saved = shown.editor().rig;

  shown.reload();
  CHECK(shown.editor().rig == saved);
  CHECK_FALSE(has_unsaved_changes(shown.editor()));
  CHECK(app.document()->markers->all().size() == 1);
  show_model(app, shown.folder / "arm.pchr", shown.renderer.upload(arm()).value(), ClipId{1});
  CHECK(shown.editor().rig == saved);
}

TEST_CASE("saving and reloading keep the masks of the file", "[player][rig]") {
  const std::string masks = R"("masks": [{"name": "forearm", "bones": ["lower", "hand"]}])";
  Shown shown("masks", "{" + masks + ", " + kSpring.substr(1));
  App& app = shown.app;
  const std::vector<NamedMask> read{{"forearm", {kLower, kHand}}};
  CHECK(app.document()->masks == read);
  set_mode(app, PlaybackMode::mix);
  REQUIRE(app.playback.mix() != nullptr);
  add_layer(*app.playback.mix(), ClipId{1});
  app.playback.mix()->layers[0].mask = read[0];

  shown.editor().rig.springs.at(0).frequency = 9;
  run_command(app, "rig-save");
  CHECK(shown.file().find("\"frequency\": 9") != std::string::npos);
  CHECK(shown.file().find(R"({"name": "forearm", "bones": ["lower", "hand"]})") != std::string::npos);
  run_command(app, "rig-undo");
  CHECK(shown.editor().rig.springs.at(0).frequency == 3);
  CHECK(app.document()->masks == read);

  // Bones are found by name.
  CharacterData renamed = arm_data();
  std::swap(renamed.bones[2].name, renamed.bones[3].name);
  shown.reload(renamed);
  CHECK(app.document()->masks == std::vector<NamedMask>{{"forearm", {kLower, BoneId{2}}}});
  CHECK(app.playback.mix()->layers.at(0).mask == app.document()->masks[0]);
  write_text(shown.folder / "arm.rig.json", "{}");
  shown.reload(renamed);
  CHECK_FALSE(app.playback.mix()->layers.at(0).mask);
}

TEST_CASE("edits survive a reload of the character, and an undo if the rig's file changed too", "[player][rig]") {
  Shown shown("reload", kSpring);
  RigEditor& first = shown.editor();
  first.rig.springs[0].frequency = 9;
  commit(first);
  // Bones are found by name.
  CharacterData renamed = arm_data();
  std::swap(renamed.bones[2].name, renamed.bones[3].name);
  renamed.bones.push_back({"more", BoneId{0}});
  for (Clip& clip : renamed.clips) clip.samples.resize(5 * std::size_t{clip.frame_count});
  shown.reload(renamed);
  CHECK(shown.editor().rig.springs.at(0).frequency == 9);
  CHECK(has_unsaved_changes(shown.editor()));
  undo(shown.editor());
  CHECK(shown.editor().rig.springs.at(0).frequency == 3);
  redo(shown.editor());

  write_text(shown.folder / "arm.rig.json", R"({"springs": [{"bones": ["lower"], "frequency": 5}]})");
  shown.reload(renamed);
  CHECK(shown.editor().rig.springs.at(0).frequency == 5);
  CHECK_FALSE(has_unsaved_changes(shown.editor()));
  undo(shown.editor());
  CHECK(shown.editor().rig.springs.at(0).frequency == 9);
  CHECK(has_unsaved_changes(shown.editor()));
}

TEST_CASE("a rig file with an error is reported and never replaced", "[player][rig]") {
  const std::string broken = R"({"springs": [{"bones": ["nobody"]}]})";
  Shown shown("broken", broken);
  CHECK(shown.app.error.find("nobody") != std::string::npos);
  shown.app.error.clear();
  add(shown.editor(), ConstraintKind::spring, arm(), kUpper);
  run_command(shown.app, "rig-save");
  CHECK(shown.app.error.find("arm.rig.json") != std::string::npos);
  CHECK(shown.file() == broken);
}

TEST_CASE("unsaved changes are left only when asked twice", "[player][rig]") {
  Shown shown("leave", kSpring);
  App& app = shown.app;
  CHECK(may_leave(app));
  shown.editor().rig.gusts = 0.5F;
  CHECK_FALSE(may_leave(app));
  CHECK_FALSE(app.notice.text.empty());
  CHECK(may_leave(app));
  CHECK_FALSE(may_leave(app));
  run_command(app, "rig-save");
  CHECK(may_leave(app));
}

}  // namespace pchr::player::rig_test
