// SPDX-License-Identifier: MIT
// A small game scene: Kiri walks, jumps and waves with crossfades, looks at the cursor, holds a leaf, and reports which
// bone is clicked.
//
//   scene ASSETS       Left and Right walk, Space jumps, W waves.
#include <pchr/animator.hpp>
#include <pchr/import/import.hpp>
#include <pchr/pose.hpp>
#include <pchr/queries.hpp>
#include <pchr/load.hpp>
#include <pchr/renderer.hpp>

#include <GLFW/glfw3.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

namespace {

using pchr::Vec2;

constexpr int kWindowWidth = 960, kWindowHeight = 540;

const pchr::Camera kCamera{{0, 20}, 0.65F, {kWindowWidth, kWindowHeight}};

struct Game {
  pchr::Character kiri;
  std::vector<pchr::AlphaMask> masks;
  pchr::Animator animator{kiri};
  pchr::PoseBuffers posed{};
  pchr::PlayId jumping = pchr::PlayId::none;
  pchr::BoneId head = kiri.find_bone("head"), hand = kiri.find_bone("near_hand");
  float x = 0, direction = 0, facing = 1;
  Vec2 cursor{0.0F};  // World pixels.

  pchr::ClipId feet() const { return kiri.find_clip(direction == 0 ? "idle" : "walk"); }
  Vec2 in_character(Vec2 world) const { return {(world.x - x) * facing, world.y}; }

  void go(float new_direction) {
    if (new_direction == direction) return;
    direction = new_direction;
    if (direction != 0) facing = direction;
    if (animator.find(jumping) == nullptr) animator.play(feet(), {.fade_seconds = 0.2});
  }
  void jump() { jumping = animator.play(kiri.find_clip("jump"), {.fade_seconds = 0.15}); }
  /// Waves on a layer that affects only the chest and what is attached to it, so the feet keep walking.
  void wave() {
    animator.play(kiri.find_clip("wave"), {.layer = 1, .fade_seconds = 0.15});
    animator.queue_stop(1, 0.25);
  }

  void click() const {
    const auto hit = pchr::hit_test(kiri, posed, masks, in_character(cursor));
    std::printf("hit %s\n", hit ? kiri.bones()[hit->bone].name.c_str() : "nothing");
    std::fflush(stdout);
  }

  void update(double seconds) {
    x = std::clamp(x + direction * 220 * static_cast<float>(seconds), -400.0F, 400.0F);
    bool landed = false;
    for (const pchr::AnimatorEvent& event : animator.advance(seconds)) {
      if (event.marker != nullptr) std::printf("%s\n", event.marker->name.c_str());
      landed |= event.kind == pchr::AnimatorEvent::Kind::finished && event.layer == 0;
    }
    std::fflush(stdout);
    if (landed) animator.play(feet(), {.fade_seconds = 0.25});
    animator.sample(posed.pose);
    const Vec2 at = pchr::position_of(pchr::bone_world(kiri.bones(), view(posed.pose), head));
    const Vec2 target{std::max(in_character(cursor).x, at.x + 150), in_character(cursor).y};
    // Her face looks along the head bone's +X.
    const float degrees = pchr::rotation_towards(kiri.bones(), view(posed.pose), head, target, {1, 0});
    const pchr::BoneOverride look{.bone = head, .rotation_degrees = degrees, .weight = 0.3F};
    pchr::override_bones({&look, 1}, posed.pose);
    pchr::update(kiri, posed);
  }
};

Game& game_of(GLFWwindow* window) { return *static_cast<Game*>(glfwGetWindowUserPointer(window)); }

void on_key(GLFWwindow* window, int key, int /*scancode*/, int action, int /*modifiers*/) {
  if (action == GLFW_PRESS && key == GLFW_KEY_SPACE) game_of(window).jump();
  if (action == GLFW_PRESS && key == GLFW_KEY_W) game_of(window).wave();
}

void on_move(GLFWwindow* window, double x, double y) {
  game_of(window).cursor = pchr::viewport_to_world(kCamera, {static_cast<float>(x), static_cast<float>(y)});
}

void on_mouse(GLFWwindow* window, int /*button*/, int action, int /*modifiers*/) {
  if (action == GLFW_PRESS) game_of(window).click();
}

void run(GLFWwindow* window, const std::filesystem::path& assets) {
  // A real game checks each error; value() throws here.
  const auto file = assets / "kiri.pchr";
  const pchr::Character kiri = pchr::load(file).value();
  Game game{kiri, pchr::alpha_masks(kiri).value()};
  game.animator.set_sampling(pchr::Sampling::smooth);
  game.animator.set_markers(
      std::make_shared<pchr::Markers>(pchr::load_rig(pchr::rig_path(file), kiri).value().markers));
  game.animator.set_layer(1, {.mask = pchr::mask_of_subtree(kiri, kiri.find_bone("chest"))});
  game.animator.play(game.feet());
  game.animator.pose(game.posed);
  pchr::Renderer renderer = pchr::Renderer::create(glfwGetProcAddress).value();
  const pchr::Model model = renderer.upload(kiri).value();
  const pchr::Model leaf = renderer.upload(pchr::load(assets / "quad.pchr").value()).value();
  glfwSetWindowUserPointer(window, &game);
  glfwSetKeyCallback(window, on_key);
  glfwSetCursorPosCallback(window, on_move);
  glfwSetMouseButtonCallback(window, on_mouse);

  for (double before = glfwGetTime(); glfwWindowShouldClose(window) == 0; glfwPollEvents()) {
    const double now = glfwGetTime();
    game.go(static_cast<float>(glfwGetKey(window, GLFW_KEY_RIGHT) - glfwGetKey(window, GLFW_KEY_LEFT)));
    game.update(now - before);
    before = now;

    glClearColor(0.95F, 0.93F, 0.9F, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    const pchr::Affine placement{game.facing, 0, 0, 1, game.x, 0};
    // Rotated across the hand, 25 pixels along its bone, scaled by 2.5.
    const pchr::Affine in_hand = pchr::concatenate(game.posed.world[index(game.hand)], {0, 2.5F, -2.5F, 0, -45, 25});
    const pchr::Instance held{pchr::ClipId::none, {}, {pchr::concatenate(placement, in_hand)}};
    renderer.draw(model, game.posed, kCamera, {.appearance = {placement}});
    renderer.draw(leaf, held, kCamera);
    glfwSwapBuffers(window);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 || glfwInit() == GLFW_FALSE) return 2;
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_RESIZABLE, GLFW_FALSE);
  GLFWwindow* window = glfwCreateWindow(kWindowWidth, kWindowHeight, "scene", nullptr, nullptr);
  if (window == nullptr) return 3;
  glfwMakeContextCurrent(window);
  glfwSwapInterval(1);
  run(window, argv[1]);
  glfwTerminate();
}
