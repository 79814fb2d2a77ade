// SPDX-License-Identifier: MIT
// Attaching .psa files to an Unreal mesh.
#include "ui/app.hpp"

#include "app/opening.hpp"
#include "shown.hpp"
#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/psk.hpp"

#include <pchr/image.hpp>
#include <pchr/offscreen.hpp>

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>

namespace pchr::player::animations_test {
namespace {

namespace fs = std::filesystem;

struct Driver : Windowless {
  Opening opening{[] {}};

  void open(std::vector<fs::path> paths) {
    open_with_animations(app, std::move(paths));
    do {
      opening.update(app, renderer, 0);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    } while (opening.busy());
    advance(app, 0);
  }
  [[nodiscard]] std::size_t clips() const { return app.document()->character().clips().size(); }
  [[nodiscard]] std::string clip() const {
    const Clip* shown = app.current_clip();
    return shown != nullptr ? shown->name : std::string();
  }
};

/// A folder with a mesh, and one with an animation that is not found automatically.
struct Project {
  fs::path folder = test::output("player/animations/x").parent_path();
  fs::path mesh = folder / "mesh" / "hero.psk";
  fs::path turn = folder / "animations" / "turn.psa";

  Project() {
    fs::remove_all(folder);
    fs::create_directories(mesh.parent_path());
    fs::create_directories(turn.parent_path());
    test::write_file(mesh, test::bytes_of(test::boxes_psk({{"body", {0, 0, 0}, {1, 1, 2}, 1}})));
    write_animation(turn, "turn");
  }

  static void write_animation(const fs::path& path, const std::string& sequence) {
    test::PskFile file = test::small_psa();
    std::array<char, 64> name{};
    sequence.copy(name.data(), name.size());
    test::put(test::chunk_of(file, "ANIMINFO"), 0, 0, name);
    test::write_file(path, test::bytes_of(file));
  }
};

}  // namespace

TEST_CASE("an animation is attached to the open mesh without changing the view", "[player][animations]") {
  const Project project;
  Driver driver;
  driver.open({project.mesh});
  App& app = driver.app;
  REQUIRE(driver.clips() == 0);
  CHECK(attached_animations(*app.document()).empty());
  app.view.turntable = {.yaw_degrees = 40};
  app.view.fit.reset();
  app.view.camera.zoom = 33;
  select_mesh(app.document()->selection, app.document()->character(), MeshId{0});
  driver.open({project.turn});
  CHECK(driver.clip() == "turn");
  CHECK(app.playback.playing());
  CHECK(app.view.turntable.yaw_degrees == 40);
  CHECK(app.view.camera.zoom == 33);
  CHECK_FALSE(app.view.fit);
  CHECK(app.document()->selection.mesh == MeshId{0});
  CHECK(app.notice.text == "Attached turn.psa: 1 new clip");
  CHECK(attached_animations(*app.document()) == std::vector{project.turn});
  CHECK(app.document()->path == project.mesh);
}

TEST_CASE("animations are added to the attached ones, without duplicates", "[player][animations]") {
  const Project project;
  // Found automatically because it has the mesh's bones.
  const fs::path own = project.mesh.parent_path() / "idle.psa";
  Project::write_animation(own, "idle");
  Driver driver;
  driver.open({project.mesh});
  REQUIRE(driver.clips() == 1);
  CHECK(attached_animations(*driver.app.document()) == std::vector{own});
  driver.open({project.turn});
  CHECK(driver.clips() == 2);
  CHECK(driver.clip() == "turn");
  CHECK(attached_animations(*driver.app.document()) == std::vector{own, project.turn});
  driver.open({project.turn.parent_path() / ".." / "animations" / "turn.psa"});
  CHECK(driver.app.notice.text == "turn.psa is already attached");
  CHECK(driver.clips() == 2);
  reload(driver.app);
  driver.open({});
  CHECK(driver.clips() == 2);
  CHECK(driver.clip() == "turn");
}

TEST_CASE("an animation found by name and requested explicitly is attached once", "[player][animations]") {
  const Project project;
  const fs::path own = project.mesh.parent_path() / "hero_run.psa";
  Project::write_animation(own, "run");
  Driver driver;
  driver.open({project.mesh, own});
  CHECK(driver.clips() == 1);
}

TEST_CASE("a candidate next to the mesh is listed and can be attached", "[player][animations]") {
  const Project project;
  const fs::path folder = project.mesh.parent_path();
  Project::write_animation(folder / "hero.psa", "idle");
  Project::write_animation(folder / "hero_boss.psa", "roar");
  Driver driver;
  driver.open({project.mesh});
  const auto candidates = [&] {
    std::vector<std::string> paths;
    for (const AnimationFile& file : driver.app.document()->imported.animation_files) {
      if (!file.attached) paths.push_back(file.path);
    }
    return paths;
  };
  CHECK(driver.clips() == 1);
  REQUIRE(candidates() == std::vector{(folder / "hero_boss.psa").string()});
  driver.open({candidates().front()});
  CHECK(driver.clip() == "roar");
  CHECK(driver.clips() == 2);
  CHECK(candidates().empty());
  CHECK(attached_animations(*driver.app.document()) == std::vector{folder / "hero.psa", folder / "hero_boss.psa"});
}

TEST_CASE("a texture folder dropped on a mesh is applied and remembered", "[player][animations]") {
  const Project project;
  // The search around the mesh stops before this folder.
  const fs::path textures = test::output("player/textures of animations");
  test::write_file(project.folder / "end.doc", {});
  fs::remove_all(textures);
  fs::create_directories(textures / "body");
  const auto texture = [](const Driver& driver) { return driver.app.document()->character().images()[0].name; };
  Driver driver;
  driver.open({project.mesh});
  CHECK(texture(driver) == "body");
  // Still empty: it is opened as a folder without characters.
  driver.open({textures});
  CHECK_FALSE(driver.app.error.empty());
  test::write_file(textures / "body" / "Body.png", encode_png(Bitmap{2, 2, std::vector<std::uint8_t>(16, 255)}));
  driver.open({textures});
  CHECK(texture(driver) == "Body.png");
  CHECK(driver.app.document()->path == project.mesh);
  REQUIRE(driver.app.requests.texture_folders.size() == 1);
  CHECK(driver.app.requests.texture_folders[0] == TextureFolder{project.mesh.parent_path(), textures});

  Driver later;
  later.app.requests.texture_folders = driver.app.requests.texture_folders;
  later.open({project.mesh});
  CHECK(texture(later) == "Body.png");
}

TEST_CASE("a mesh and its animation open together", "[player][animations]") {
  const Project project;
  Driver driver;
  driver.open({project.turn, project.mesh});
  CHECK(driver.clip() == "turn");
  CHECK(driver.app.cast.sources == std::vector{project.mesh});
  // Other files must not inherit the animation.
  CHECK(driver.app.requests.options.animations.empty());
}

TEST_CASE("a broken animation points to the problems, and one without a mesh asks for it", "[player][animations]") {
  const Project project;
  Driver driver;
  driver.open({project.turn});
  CHECK_THAT(driver.app.error, test::contains("turn.psa is an Unreal animation: open its .psk mesh first"));
  CHECK_FALSE(driver.app.document());
  const fs::path broken = project.folder / "broken.psa";
  test::write_file(broken, test::Bytes(100));
  driver.open({project.mesh});
  CHECK(driver.app.error.empty());
  driver.open({broken});
  CHECK(driver.app.notice.text == "broken.psa added no clips; see Problems (P)");
  CHECK(std::ranges::any_of(driver.app.document()->problems,
                            [](const Problem& problem) { return problem.detail.starts_with("\"broken.psa\""); }));
}

}  // namespace pchr::player::animations_test
