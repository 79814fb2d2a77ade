// SPDX-License-Identifier: MIT
// A minimal viewer: your window and loop, one character, one clip at a time.
//
//   viewer FILE        Left and Right choose the clip.
#include <pchr/clock.hpp>
#include <pchr/image.hpp>
#include <pchr/import/import.hpp>
#include <pchr/renderer.hpp>

#include <GLFW/glfw3.h>

#include <cstdio>
#include <string>

namespace {

struct Viewer {
  pchr::Character character;
  pchr::Model model;
  pchr::ClipId clip{};
  pchr::Clock clock{};

  void show(GLFWwindow* window, std::size_t next) {
    const auto clips = character.clips();
    if (clips.empty()) return;
    clip = pchr::ClipId(next % clips.size());
    clock = pchr::Clock(clips[clip], pchr::LoopMode::loop);
    glfwSetWindowTitle(window, clips[clip].name.c_str());
  }
};

void on_key(GLFWwindow* window, int key, int /*scancode*/, int action, int /*modifiers*/) {
  auto& viewer = *static_cast<Viewer*>(glfwGetWindowUserPointer(window));
  if (action == GLFW_RELEASE) return;
  const std::size_t count = viewer.character.clips().size();
  if (key == GLFW_KEY_RIGHT) viewer.show(window, index(viewer.clip) + 1);
  if (key == GLFW_KEY_LEFT) viewer.show(window, index(viewer.clip) + count - 1);
  if (key == GLFW_KEY_ESCAPE) glfwSetWindowShouldClose(window, GLFW_TRUE);
}

int run(GLFWwindow* window, const char* file) {
  const auto imported = pchr::import_character(file);
  if (!imported) {
    std::fprintf(stderr, "%s\n", pchr::describe(imported.error(), file).c_str());
    return 1;
  }
  const pchr::Character& character = imported->character;
  auto renderer = pchr::Renderer::create(glfwGetProcAddress);
  if (!renderer) {
    std::fprintf(stderr, "%s\n", renderer.error().message.c_str());
    return 3;
  }
  auto model = renderer->upload(character);
  if (!model) {
    std::fprintf(stderr, "%s\n", model.error().message.c_str());
    return 1;
  }
  Viewer viewer{character, std::move(*model)};
  viewer.show(window, 0);
  glfwSetWindowUserPointer(window, &viewer);
  glfwSetKeyCallback(window, on_key);
  const pchr::Rect bounds = pchr::compute_character_bounds(character);

  for (double before = glfwGetTime(); glfwWindowShouldClose(window) == 0; glfwPollEvents()) {
    const double now = glfwGetTime();
    viewer.clock.advance(now - before);
    before = now;

    int width = 0, height = 0;
    glfwGetFramebufferSize(window, &width, &height);
    glViewport(0, 0, width, height);
    glClearColor(0.95F, 0.93F, 0.9F, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    pchr::Camera camera;
    camera.viewport = {static_cast<float>(width), static_cast<float>(height)};
    const pchr::Instance instance{viewer.clip, viewer.clock.position(pchr::Sampling::smooth), {}};
    renderer->draw(viewer.model, instance, pchr::fit(camera, bounds));
    glfwSwapBuffers(window);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "Usage: %s FILE\n", argv[0]);
    return 2;
  }
  if (glfwInit() == GLFW_FALSE) return 3;
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  GLFWwindow* window = glfwCreateWindow(640, 640, "viewer", nullptr, nullptr);
  int exit_code = 3;
  if (window != nullptr) {
    glfwMakeContextCurrent(window);
    glfwSwapInterval(1);
    exit_code = run(window, argv[1]);
  }
  glfwTerminate();
  return exit_code;
}
