// SPDX-License-Identifier: MIT
// Runs the snippets of documents and headers.
//
//   run_snippets ASSETS FOLDER     FOLDER is emptied and becomes the current folder.
#include "snippets.hpp"

#include <cstdlib>
#include <exception>
#include <utility>

namespace {

namespace fs = std::filesystem;

pchr::GetProcAddress get_proc_address = nullptr;

/// Copies the samples under the names that snippets use.
void prepare_folder(const fs::path& assets, const fs::path& folder) {
  fs::remove_all(folder);
  fs::create_directories(folder);
  fs::copy(assets, folder / "assets", fs::copy_options::recursive);
  fs::copy(assets / "konpei", folder);
  fs::copy(assets / "kiri.pchr", folder / "hero.pchr");
  fs::copy(assets / "kiri.rig.json", folder / "hero.rig.json");
  fs::copy(assets / "quad.pchr", folder / "sword.pchr");
  fs::copy(assets / "hotaru.px", folder / "hero.px");
  fs::copy(assets / "hotaru.px", folder / "assets" / "hero.px");
  fs::current_path(folder);
}

Stage make_stage(const fs::path& file) {
  pchr::Character hero = pchr::import_character(file).value().character;
  pchr::Renderer renderer = pchr::Renderer::create(get_proc_address).value();
  pchr::Model model = renderer.upload(hero).value();
  return {std::move(hero), std::move(renderer), std::move(model)};
}

pchr::ClipId clip_or_first(const pchr::Character& character, const char* name) {
  const pchr::ClipId clip = character.find_clip(name);
  return clip == pchr::ClipId::none ? pchr::ClipId{0} : clip;
}

pchr::BoneId bone_or_first(const pchr::Character& character, const char* name) {
  const pchr::BoneId bone = character.find_bone(name);
  return bone == pchr::BoneId::none ? pchr::BoneId{0} : bone;
}

}  // namespace

extern "C" void (*glfwGetProcAddress(const char* name))() { return get_proc_address(name); }

Environment::Environment(Stage& stage)
    : hero(stage.hero),
      renderer(stage.renderer),
      model(stage.model),
      idle(clip_or_first(hero, "idle")),
      walk(clip_or_first(hero, "walk")),
      jump(clip_or_first(hero, "jump")),
      wave(clip_or_first(hero, "wave")),
      breathe(idle),
      hand(bone_or_first(hero, "near_hand")),
      camera(pchr::fit({{}, 1, {64, 64}}, pchr::compute_character_bounds(hero))),
      animator(hero),
      animators(4, pchr::Animator(hero)),
      poses(4),
      crowd(3, {walk, {}, {}}) {
  pchr::pose_clip(hero, walk, seconds, pchr::Sampling::step, posed);
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  try {
    prepare_folder(argv[1], argv[2]);
    const auto context = pchr::HeadlessContext::create().value();
    get_proc_address = context.get_proc_address();
    const auto get_error = reinterpret_cast<unsigned (*)()>(get_proc_address("glGetError"));
    Stage kiri = make_stage("assets/kiri.pchr");
    Stage koi = make_stage("assets/koi/koi.psk");
    pchr::OffscreenTarget target = pchr::OffscreenTarget::create(get_proc_address, 64, 64).value();
    for (const Snippet& snippet : snippets) {
      std::printf("%s\n", snippet.place);
      std::fflush(stdout);
      target.begin();
      snippet.run(snippet.is_3d ? koi : kiri);
      (void)target.finish();
      if (const unsigned error = get_error(); error != 0) {
        std::printf("%s left the OpenGL error 0x%x\n", snippet.place, error);
        return 1;
      }
    }
  } catch (const std::exception& error) {
    std::puts(error.what());
    return 1;
  }
}
