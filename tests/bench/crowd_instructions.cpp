// SPDX-License-Identifier: MIT
// Draws a fixed crowd of the sample character on an OpenGL that does nothing, to count instructions without a quiet
// machine:
//   valgrind --tool=callgrind --toggle-collect='run_counted*' crowd_instructions step
// Instructions per instance are the instructions that callgrind collects, divided by the instances printed.
#include "idle_gl.hpp"

#include <pchr/load.hpp>
#include <pchr/renderer.hpp>

#include <cstdio>
#include <cstdlib>
#include <string_view>

using namespace pchr;

namespace {

constexpr std::uint32_t kInstances = 10'000;
constexpr Camera kCamera{{500, 500}, 1, {1000, 1000}};

}  // namespace

[[gnu::noinline]] void run_counted(Renderer& renderer, const Model& model, std::span<Instance> crowd,
                                   Sampling sampling) {
  const Clip& clip = model.character().clips()[crowd[0].clip];
  for (std::uint32_t i = 0; i < crowd.size(); ++i) {
    crowd[i].position = clip_time(clip, i * 0.0137, sampling);
  }
  renderer.draw(model, crowd, kCamera);
}

[[gnu::noinline]] void run_counted_arrays(Renderer& renderer, const Model& model, const Crowd& crowd,
                                          std::span<double> seconds) {
  for (std::uint32_t i = 0; i < seconds.size(); ++i) seconds[i] = i * 0.0137;
  renderer.draw(model, crowd, kCamera);
}

int main(int argument_count, char** arguments) {
  const std::string_view how = argument_count > 1 ? arguments[1] : "";
  if (how != "step" && how != "smooth" && how != "skins" && how != "arrays_step" && how != "arrays_smooth" &&
      how != "crossfades") {
    std::fputs("usage: crowd_instructions (step|smooth|skins|arrays_step|arrays_smooth|crossfades)\n", stderr);
    return 2;
  }
  const Sampling sampling = how.ends_with("smooth") || how == "crossfades" ? Sampling::smooth : Sampling::step;
  const auto kiri = pchr::load(PCHR_ASSETS_DIR "/kiri.pchr");
  auto renderer = Renderer::create(bench::idle_get_proc_address);
  if (!kiri || !renderer) std::abort();
  auto model = renderer->upload(*kiri, std::vector(1, Bitmap{1, 1, {0, 0, 0, 0}}));
  if (!model) std::abort();
  // Three pieces: before the hood, which is hidden, the scarf, and everything between them.
  SkinData data;
  part_of(data, kiri->find_mesh("hood")).visible = false;
  part_of(data, kiri->find_mesh("scarf")).tint = {1, 0.5F, 0.5F, 1};
  auto skin = renderer->upload_skin(*model, data);
  if (!skin) std::abort();
  const ClipId walk = kiri->find_clip("walk"), idle = kiri->find_clip("idle");
  std::vector<Affine> placements;
  for (std::uint32_t i = 0; i < kInstances; ++i) {
    placements.push_back({0.05F, 0, 0, 0.05F, static_cast<float>(i * 7 % 1100), static_cast<float>(i % 1000)});
  }
  const std::vector<std::array<float, 4>> tints(kInstances, {1, 1, 1, 1});
  std::vector<double> seconds(kInstances);
  renderer->bake(*model, walk, sampling);
  if (how.starts_with("arrays") || how == "crossfades") {
    Crowd crowd{
        .placements = placements, .clips = {&walk, 1}, .seconds = seconds, .sampling = sampling, .tints = tints};
    const std::vector<ClipId> fade_clips(kInstances, idle);
    const std::vector<float> fade_weights(kInstances, 0.3F);
    if (how == "crossfades") {
      crowd.fade_clips = fade_clips;
      crowd.fade_seconds = seconds;
      crowd.fade_weights = fade_weights;
    }
    renderer->draw(*model, crowd, {});  // Lets the streams grow to their final size.
    run_counted_arrays(*renderer, *model, crowd, seconds);
  } else {
    std::vector<Instance> crowd(kInstances);
    for (std::uint32_t i = 0; i < kInstances; ++i) {
      crowd[i].clip = walk;
      if (how == "skins" && i % 3 == 0) crowd[i].skin = &*skin;
      crowd[i].appearance.placement = placements[i];
    }
    renderer->draw(*model, crowd, {});
    run_counted(*renderer, *model, crowd, sampling);
  }
  if ((renderer->statistics().posed > 0) != (how == "crossfades")) std::abort();
  std::printf("%u instances, %u of them culled\n", kInstances, renderer->statistics().culled);
}
