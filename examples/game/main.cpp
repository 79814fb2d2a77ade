// SPDX-License-Identifier: MIT
// A town square of 2,000 Kiris on SDL 2 and its OpenGL context. Villagers stroll in one draw call, in skins of their
// own; a click makes one flash and jump. The hero in front holds a leaf between her hand and her body, swings her tail,
// and reports footsteps; the state machine in her rig file lets her walk, run, jump and wave. All of them change when
// kiri.pchr does.
//
//   game FOLDER        Left and Right walk, with Shift run, Space jumps, W waves, Escape quits. FOLDER has kiri.pchr,
//                      kiri.rig.json and quad.pchr.
#include <pchr/import/import.hpp>
#include <pchr/queries.hpp>
#include <pchr/renderer.hpp>
#include <pchr/states.hpp>

#include <SDL.h>
#include <SDL_opengl.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using pchr::Vec2;

namespace {

constexpr int kWidth = 1280, kHeight = 720;
constexpr std::size_t kVillagers = 2000, kPerRow = 50, kSkins = 5;

void say(const std::string& text) { std::puts(text.c_str()); }

/// Returns a skin with a scarf of its own color and, if `number` is odd, without the hood.
pchr::SkinData make_skin(const pchr::Character& kiri, std::size_t number) {
  pchr::SkinData skin{"skin " + std::to_string(number), {}, {}};
  const float warmth = static_cast<float>(number) / (kSkins - 1);
  for (const char* mesh : {"scarf", "scarf_wrap"}) {
    pchr::part_of(skin, kiri.find_mesh(mesh)).tint = {warmth, 0.8F, 1 - warmth, 1};
  }
  for (const char* mesh : {"hood", "near_ear", "far_ear"}) {
    pchr::part_of(skin, kiri.find_mesh(mesh)).visible = number % 2 == 0;
  }
  return skin;
}

struct Actor {
  pchr::Animator animator;
  Vec2 position{0.0F};
  float scale = 1, facing = 1, flash = 0;
  std::size_t skin = 0;
  std::optional<pchr::Animator::Alone> alone{};  ///< What it shows, unless that is `posed`.
  pchr::PoseBuffers posed{};

  [[nodiscard]] pchr::Appearance appearance() const {
    return {.placement = {facing * scale, 0, 0, scale, position.x, position.y}, .additive = {flash, flash, flash}};
  }
  /// Shows what the animator plays.
  void show(double seconds) {
    flash = std::max(flash - 3 * static_cast<float>(seconds), 0.0F);
    alone = animator.plays_alone();
    if (!alone) animator.pose(posed);
  }
};

class Game {
 public:
  Game(pchr::Renderer& renderer, const std::string& folder)
      : renderer_(renderer),
        file_(folder + "/kiri.pchr"),
        written_(std::filesystem::last_write_time(file_)),
        kiri_(pchr::load(file_).value()),  // Prints the error and aborts.
        leaf_(renderer.upload(pchr::load(folder + "/quad.pchr").value()).value()) {
    pose_bind(leaf_.character(), leaf_posed_);
    for (std::size_t i = 0; i < kVillagers; ++i) {
      Actor& villager = villagers_.emplace_back(Actor{.animator = pchr::Animator(kiri_)});
      // Nearer rows are larger and farther apart.
      const float depth = static_cast<float>(i / kPerRow) / (kVillagers / kPerRow);
      const float column = static_cast<float>(i % kPerRow) + (i / kPerRow % 2 == 0 ? 0.0F : 0.5F) - kPerRow / 2.0F;
      villager.position = {column * (34 + 40 * depth), 460 - 300 * depth - 500 * depth * depth};
      villager.scale = 0.07F + 0.13F * depth;
      villager.facing = i % 3 == 0 ? -1.0F : 1.0F;
      villager.skin = i * 7 % kSkins;
      villager.animator.play(clip(i % 2 == 0 ? "walk" : "idle"), {.start_seconds = static_cast<double>(i % 37) / 37});
    }
    hero_.animator.set_sampling(pchr::Sampling::smooth);
    use(kiri_);
  }

  /// Moves the hero: -1 to 1 walks, -2 to 2 runs.
  void walk(float speed) {
    speed_ = speed;
    if (speed != 0) hero_.facing = speed < 0 ? -1.0F : 1.0F;
    if (machine_) machine_->set("speed", std::abs(speed));
  }

  void press(SDL_Keycode key) {
    if (machine_ && key == SDLK_SPACE) machine_->fire("jump");
    if (machine_ && key == SDLK_w) machine_->fire("wave");
  }

  /// Makes the villager at a window position jump.
  void click(Vec2 pixel) {
    std::vector<pchr::HitInstance> targets;
    for (const Actor& villager : villagers_) {
      const auto shown = villager.alone.value_or(pchr::Animator::Alone{});
      targets.push_back({shown.clip, shown.position, villager.appearance(), &skins_[villager.skin],
                         villager.alone ? nullptr : &villager.posed});
    }
    const auto hit = pchr::hit_test(kiri_, targets, masks_, pchr::viewport_to_world(camera_, pixel), scratch_);
    if (!hit) return say("hit nothing");
    Actor& villager = villagers_[hit->instance];
    villager.flash = 1;
    villager.animator.play(clip("jump"), {.fade_seconds = 0.1});
    villager.animator.queue(clip("idle"), {.fade_seconds = 0.3});
    say("hit the " + kiri_.bones()[hit->hit.bone].name + " of a villager");
  }

  void advance(double seconds) {
    for (Actor& villager : villagers_) {
      villager.animator.advance(seconds);
      villager.show(seconds);
    }
    hero_.position.x += speed_ * 220 * static_cast<float>(seconds);
    hero_.animator.set_rig_placement(hero_.appearance().placement);
    if (machine_) machine_->advance(hero_.animator, seconds);
    hero_.animator.pose(hero_.posed);
    for (const pchr::AnimatorEvent& event : hero_.animator.events()) {
      if (event.marker != nullptr && event.weight > 0.3F) say(event.marker->name);
    }
  }

  /// Draws villagers back to front: those that show one clip in as few calls as possible, blended ones alone.
  void draw() {
    crowd_.clear();
    for (const Actor& villager : villagers_) {
      const pchr::Skin* const skin = &uploaded_skins_[villager.skin];
      if (villager.alone) {
        crowd_.push_back({villager.alone->clip, villager.alone->position, villager.appearance(), skin});
        continue;
      }
      renderer_.draw(*model_, crowd_, camera_);
      crowd_.clear();
      renderer_.draw(*model_, villager.posed, camera_, {.appearance = villager.appearance(), .skin = skin});
    }
    renderer_.draw(*model_, crowd_, camera_);
    // Rotated across the hand, 25 pixels along its bone, scaled by 2.5.
    const pchr::Attachment held{.bone = kiri_.find_bone("near_hand"),
                                .place = {kiri_.find_mesh("near_arm"), true},
                                .appearance = {{0, 2.5F, -2.5F, 0, -45, 25}},
                                .model = &leaf_,
                                .posed = &leaf_posed_};
    renderer_.draw(*model_, hero_.posed, camera_, {.appearance = hero_.appearance()}, std::span(&held, 1));
  }

  /// Continues with a new version of the file, if there is one that loads.
  void reload() {
    std::error_code error;
    const auto written = std::filesystem::last_write_time(file_, error);
    if (error || std::exchange(written_, written) == written) return;
    const auto loaded = pchr::load(file_);
    if (!loaded) return say(pchr::describe(loaded.error(), file_));
    for (const char* name : {"idle", "walk", "jump"}) {
      if (loaded->find_clip(name) == pchr::ClipId::none) return say(file_ + " has no clip " + name);
    }
    use(*loaded);
  }

 private:
  void use(const pchr::Character& kiri) {
    kiri_ = kiri;
    model_ = renderer_.upload(kiri).value();
    masks_ = pchr::alpha_masks(kiri).value();
    skins_.clear();
    uploaded_skins_.clear();
    for (std::size_t i = 0; i < kSkins; ++i) {
      skins_.push_back(make_skin(kiri, i));
      uploaded_skins_.push_back(renderer_.upload_skin(*model_, skins_.back()).value());
    }
    for (Actor& villager : villagers_) villager.animator.rebind(kiri);
    hero_.animator.rebind(kiri);
    const auto sidecar = pchr::load_rig(pchr::rig_path(file_), kiri);
    if (!sidecar) return say(pchr::describe(sidecar.error(), pchr::rig_path(file_)));
    hero_.animator.set_markers(std::make_shared<pchr::Markers>(sidecar->markers));
    hero_.animator.set_rig(std::make_shared<pchr::Rig>(sidecar->rig));
    const auto graph = make_state_graph(sidecar->states, kiri, sidecar->masks, sidecar->markers);
    if (!graph) return say(pchr::describe(graph.error(), pchr::rig_path(file_)));
    machine_ ? machine_->rebind(hero_.animator, *graph) : (void)machine_.emplace(*graph);
    say("loaded " + file_);
  }

  [[nodiscard]] pchr::ClipId clip(const char* name) const { return kiri_.find_clip(name); }

  pchr::Renderer& renderer_;
  std::string file_;
  std::filesystem::file_time_type written_;
  pchr::Character kiri_;
  std::optional<pchr::Model> model_{};
  std::vector<pchr::AlphaMask> masks_{};
  std::vector<pchr::SkinData> skins_{};
  std::vector<pchr::Skin> uploaded_skins_{};
  pchr::Model leaf_;
  Actor hero_{.animator = pchr::Animator(kiri_), .position = {0, -330}, .scale = 0.8F};
  std::vector<Actor> villagers_{};
  std::vector<pchr::Instance> crowd_{};
  pchr::PoseBuffers leaf_posed_{}, scratch_{};
  std::optional<pchr::StateMachine> machine_{};  ///< Plays the hero.
  float speed_ = 0;
  pchr::Camera camera_{{0, -130}, 0.55F, {kWidth, kHeight}};
};

void run(SDL_Window* window, const std::string& folder) {
  pchr::Renderer renderer = pchr::Renderer::create(SDL_GL_GetProcAddress).value();
  Game game(renderer, folder);
  Uint64 before = SDL_GetTicks64();
  for (SDL_Event event;;) {
    while (SDL_PollEvent(&event) != 0) {
      if (event.type == SDL_QUIT) return;
      if (event.type == SDL_MOUSEBUTTONDOWN) game.click(Vec2(event.button.x, event.button.y));
      if (event.type == SDL_KEYDOWN && event.key.keysym.sym == SDLK_ESCAPE) return;
      if (event.type == SDL_KEYDOWN && event.key.repeat == 0) game.press(event.key.keysym.sym);
    }
    const Uint8* const keys = SDL_GetKeyboardState(nullptr);
    const bool runs = keys[SDL_SCANCODE_LSHIFT] != 0 || keys[SDL_SCANCODE_RSHIFT] != 0;
    game.walk(static_cast<float>((keys[SDL_SCANCODE_RIGHT] - keys[SDL_SCANCODE_LEFT]) * (runs ? 2 : 1)));
    const Uint64 now = SDL_GetTicks64();
    game.advance(static_cast<double>(now - before) / 1000);
    if (now / 256 != before / 256) game.reload();  // A few times per second.
    before = now;
    glClearColor(0.82F, 0.88F, 0.84F, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    game.draw();
    SDL_GL_SwapWindow(window);
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
  if (argc != 2 || SDL_Init(SDL_INIT_VIDEO) != 0) return 2;
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 3);
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_CORE);
  SDL_Window* window =
      SDL_CreateWindow("game", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, kWidth, kHeight, SDL_WINDOW_OPENGL);
  SDL_GLContext context = window != nullptr ? SDL_GL_CreateContext(window) : nullptr;
  if (context == nullptr) return std::puts(SDL_GetError()), 3;
  SDL_GL_SetSwapInterval(1);
  run(window, argv[1]);  // Destroys the renderer while its context exists.
  SDL_GL_DeleteContext(context);
  SDL_Quit();
}
