// SPDX-License-Identifier: MIT
// A town square of 2,000 Kiris on SDL 2 and its OpenGL context. Villagers stroll in skins of their own; a click makes
// one jump. The hero in front carries a leaf, walks with crossfades, waves on a layer and reports footsteps. Everybody
// changes when the character's file does.
//
//   game FOLDER        Left and Right walk, Space jumps, W waves, Escape quits. FOLDER has kiri.pchr and quad.pchr.
#include <pchr/animator.hpp>
#include <pchr/import/import.hpp>
#include <pchr/queries.hpp>
#include <pchr/renderer.hpp>

#include <SDL.h>
#include <SDL_opengl.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace {

using pchr::Vec2;

constexpr int kWidth = 1280, kHeight = 720;
constexpr std::size_t kVillagers = 2000, kPerRow = 50, kSkins = 5;
constexpr float kWalkingSpeed = 220;  // World pixels per second.

/// Ends the program with a message if there is no value.
template <typename T, typename Error>
T need(pchr::Expected<T, Error> result, const std::string& file) {
  if (result) return std::move(*result);
  if constexpr (std::is_same_v<Error, pchr::RenderError>) {
    std::fprintf(stderr, "game: %s: %s\n", file.c_str(), result.error().message.c_str());
  } else {
    std::fprintf(stderr, "game: %s\n", pchr::describe(result.error(), file).c_str());
  }
  std::exit(1);
}

pchr::SkinData make_skin(const pchr::Character& kiri, std::size_t number) {
  pchr::SkinData skin{"skin " + std::to_string(number), {}, {}};
  const float warmth = static_cast<float>(number) / (kSkins - 1);
  pchr::part_of(skin, kiri.find_mesh("scarf")).tint = {warmth, 0.8F, 1 - warmth, 1};
  pchr::part_of(skin, kiri.find_mesh("hood")).visible = number % 2 == 0;
  return skin;
}

/// The character with everything made from it. Replaced as a whole when its file changes.
struct Kiri {
  pchr::Character character;
  pchr::Model model;
  std::vector<pchr::AlphaMask> masks;
  std::shared_ptr<const pchr::Markers> markers;
  std::vector<pchr::Skin> skins{};

  Kiri(pchr::Renderer& renderer, const std::string& file, pchr::Character loaded)
      : character(std::move(loaded)),
        model(need(renderer.upload(character), file)),
        masks(need(pchr::alpha_masks(character), file)),
        markers(std::make_shared<pchr::Markers>(
            need(pchr::load_rig(pchr::rig_path(file), character), pchr::rig_path(file)).markers)) {
    for (std::size_t i = 0; i < kSkins; ++i) {
      skins.push_back(need(renderer.upload_skin(model, make_skin(character, i)), file));
    }
  }

  [[nodiscard]] pchr::ClipId clip(const char* name) const { return character.find_clip(name); }
};

struct Actor {
  pchr::Animator animator;
  Vec2 position{0.0F};
  float scale = 1;
  float facing = 1;
  std::size_t skin = 0;
  pchr::PlayId jump = pchr::PlayId::none;

  [[nodiscard]] pchr::Affine placement() const { return {facing * scale, 0, 0, scale, position.x, position.y}; }
};

class Game {
 public:
  Game(pchr::Renderer& renderer, const std::string& folder)
      : renderer_(renderer),
        file_(folder + "/kiri.pchr"),
        kiri_(std::in_place, renderer, file_, need(pchr::load(file_), file_)),
        leaf_(need(renderer.upload(need(pchr::load(folder + "/quad.pchr"), folder)), folder)),
        hero_{pchr::Animator(kiri_->character), {0, -330}, 0.8F} {
    for (std::size_t i = 0; i < kVillagers; ++i) {
      Actor& villager = villagers_.emplace_back(Actor{pchr::Animator(kiri_->character)});
      // Nearer rows are larger and farther apart.
      const float depth = static_cast<float>(i / kPerRow) / (kVillagers / kPerRow);
      const float column = static_cast<float>(i % kPerRow) + (i / kPerRow % 2 == 0 ? 0.0F : 0.5F) - kPerRow / 2.0F;
      villager.position = {column * (34 + 40 * depth), 460 - 300 * depth - 500 * depth * depth};
      villager.scale = 0.07F + 0.13F * depth;
      villager.facing = i % 3 == 0 ? -1.0F : 1.0F;
      villager.skin = i * 7 % kSkins;
      const double start = static_cast<double>(i * 37 % 100) / 100;
      villager.animator.play(kiri_->clip(i % 2 == 0 ? "walk" : "idle"), {.start_seconds = start});
    }
    hero_.animator.set_sampling(pchr::Sampling::smooth);
    hero_.animator.set_markers(kiri_->markers);
    hero_.animator.set_layer(1, {.mask = subtree("chest")});
    hero_.animator.play(kiri_->clip("idle"));
    written_ = std::filesystem::last_write_time(file_);
  }

  void walk(float direction) {
    if (direction == direction_) return;
    direction_ = direction;
    if (direction != 0) hero_.facing = direction;
    if (hero_.animator.find(hero_.jump) == nullptr) hero_.animator.play(hero_clip(), {.fade_seconds = 0.2});
  }

  void jump() {
    hero_.jump = hero_.animator.play(kiri_->clip("jump"), {.fade_seconds = 0.15});
    hero_.animator.queue(hero_clip(), {.fade_seconds = 0.25});
  }

  void wave() { hero_.animator.play(kiri_->clip("wave"), {.layer = 1, .fade_seconds = 0.15}); }

  /// Makes the villager at a place in the window jump. The nearest ones are last, so it looks from the back.
  void click(Vec2 pixel) {
    const Vec2 point = pchr::viewport_to_world(camera_, pixel);
    for (std::size_t i = villagers_.size(); i-- > 0;) {
      Actor& villager = villagers_[i];
      const auto to_character = pchr::inverse(villager.placement());
      if (!to_character) continue;
      villager.animator.pose(posed_);
      const auto hit = pchr::hit_test(kiri_->character, posed_, kiri_->masks, pchr::apply(*to_character, point));
      if (!hit) continue;
      villager.jump = villager.animator.play(kiri_->clip("jump"), {.fade_seconds = 0.1});
      villager.animator.queue(kiri_->clip("idle"), {.fade_seconds = 0.3});
      return say("hit the " + kiri_->character.bones()[hit->bone].name + " of villager " + std::to_string(i));
    }
    say("hit nothing");
  }

  void advance(double seconds) {
    for (Actor& villager : villagers_) villager.animator.advance(seconds);
    hero_.position.x =
        std::clamp(hero_.position.x + direction_ * kWalkingSpeed * static_cast<float>(seconds), -700.0F, 700.0F);
    for (const pchr::AnimatorEvent& event : hero_.animator.advance(seconds)) {
      if (event.marker != nullptr && event.weight > 0.3F) say(event.marker->name);
      if (event.kind == pchr::AnimatorEvent::Kind::finished && event.layer == 1) hero_.animator.stop(1, 0.25);
    }
  }

  /// Draws villagers back to front: those that play one clip in as few calls as possible, blended ones alone.
  void draw() {
    crowd_.clear();
    for (Actor& villager : villagers_) {
      const pchr::Appearance appearance{villager.placement()};
      const pchr::Skin* skin = &kiri_->skins[villager.skin];
      if (const auto alone = villager.animator.plays_alone()) {
        crowd_.push_back({alone->clip, alone->position, appearance, skin});
        continue;
      }
      renderer_.draw(kiri_->model, crowd_, camera_);
      crowd_.clear();
      villager.animator.pose(posed_);
      renderer_.draw(kiri_->model, posed_, camera_, {.appearance = appearance, .skin = skin});
    }
    renderer_.draw(kiri_->model, crowd_, camera_);
    hero_.animator.pose(posed_);
    const pchr::BoneId hand = kiri_->character.find_bone("near_hand");
    renderer_.draw(kiri_->model, posed_, camera_, {.appearance = {hero_.placement()}});
    const pchr::Affine in_hand = pchr::concatenate(posed_.world[index(hand)], {0, 2.5F, -2.5F, 0, -45, 25});
    const pchr::Instance held{pchr::ClipId::none, {}, {pchr::concatenate(hero_.placement(), in_hand)}};
    renderer_.draw(leaf_, held, camera_);
  }

  /// Continues with a new version of the file, if there is one that loads.
  void reload() {
    std::error_code error;
    const auto written = std::filesystem::last_write_time(file_, error);
    if (error || written == written_) return;
    written_ = written;
    auto loaded = pchr::load(file_);
    if (!loaded) return say(pchr::describe(loaded.error(), file_));
    kiri_.emplace(renderer_, file_, std::move(*loaded));
    for (Actor& villager : villagers_) villager.animator.rebind(kiri_->character);
    hero_.animator.rebind(kiri_->character);
    hero_.animator.set_markers(kiri_->markers);
    say("reloaded");
  }

 private:
  static void say(const std::string& text) {
    std::puts(text.c_str());
    std::fflush(stdout);
  }

  [[nodiscard]] pchr::ClipId hero_clip() const { return kiri_->clip(direction_ == 0 ? "idle" : "walk"); }
  [[nodiscard]] pchr::BoneMask subtree(const char* bone) const {
    return pchr::mask_of_subtree(kiri_->character, kiri_->character.find_bone(bone));
  }

  pchr::Renderer& renderer_;
  std::string file_;
  std::filesystem::file_time_type written_;
  std::optional<Kiri> kiri_;
  pchr::Model leaf_;
  Actor hero_;
  std::vector<Actor> villagers_;
  float direction_ = 0;
  pchr::Camera camera_{{0, -130}, 0.55F, {kWidth, kHeight}};
  std::vector<pchr::Instance> crowd_;
  pchr::PoseBuffers posed_;
};

void run(SDL_Window* window, const std::string& folder) {
  pchr::Renderer renderer = need(pchr::Renderer::create(SDL_GL_GetProcAddress), "OpenGL");
  Game game(renderer, folder);
  Uint64 before = SDL_GetTicks64(), looked = before;
  for (SDL_Event event;;) {
    while (SDL_PollEvent(&event) != 0) {
      if (event.type == SDL_QUIT) return;
      if (event.type == SDL_MOUSEBUTTONDOWN) {
        game.click({static_cast<float>(event.button.x), static_cast<float>(event.button.y)});
      }
      if (event.type != SDL_KEYDOWN || event.key.repeat != 0) continue;
      if (event.key.keysym.sym == SDLK_ESCAPE) return;
      if (event.key.keysym.sym == SDLK_SPACE) game.jump();
      if (event.key.keysym.sym == SDLK_w) game.wave();
    }
    const Uint8* const keys = SDL_GetKeyboardState(nullptr);
    game.walk(static_cast<float>(keys[SDL_SCANCODE_RIGHT] - keys[SDL_SCANCODE_LEFT]));
    const Uint64 now = SDL_GetTicks64();
    game.advance(static_cast<double>(now - before) / 1000);
    before = now;
    if (now - looked > 250) {
      looked = now;
      game.reload();
    }
    glClearColor(0.82F, 0.88F, 0.84F, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    game.draw();
    SDL_GL_SwapWindow(window);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 || SDL_Init(SDL_INIT_VIDEO) != 0) return 2;
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 3);
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_CORE);
  SDL_Window* window =
      SDL_CreateWindow("game", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, kWidth, kHeight, SDL_WINDOW_OPENGL);
  SDL_GLContext context = window != nullptr ? SDL_GL_CreateContext(window) : nullptr;
  if (context == nullptr) return std::fprintf(stderr, "game: %s\n", SDL_GetError()), 3;
  SDL_GL_SetSwapInterval(1);
  run(window, argv[1]);  // Destroys the renderer while its context exists.
  SDL_GL_DeleteContext(context);
  SDL_DestroyWindow(window);
  SDL_Quit();
}
