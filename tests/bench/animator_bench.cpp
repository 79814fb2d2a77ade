// SPDX-License-Identifier: MIT
// The cost of an animator on the sample character: one step of time, and the pose with it. `of_pose` is the time of
// pose_clip() on the same character, which does not mix, divided by the animator's, measured alternately. 1 is equally
// fast.
#include "support/load.hpp"

#include "puppet.hpp"
#include "timing.hpp"

#include <pchr/animator.hpp>
#include <pchr/load.hpp>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <memory>
#include <vector>

namespace {

using pchr::Animator;
using pchr::bench::kiri;

constexpr double kStep = 1.0 / 60;
constexpr int kTimes = 200;

pchr::ClipId clip(const char* name) { return kiri().find_clip(name); }

struct Scene {
  const char* name;
  std::function<void(Animator&)> begin;
};

/// Fades that last longer than the benchmark, each at `weight`.
void fade_to(Animator& animator, const char* name, double weight) {
  animator.find(animator.play(clip(name), {.fade_seconds = 1e9}))->faded_seconds = weight * 1e9;
}

const Scene kScenes[] = {{"one_clip", [](Animator& animator) { animator.play(clip("walk")); }},
                         {"crossfade",
                          [](Animator& animator) {
                            animator.play(clip("walk"));
                            fade_to(animator, "idle", 0.4);
                          }},
                         {"three_layers", [](Animator& animator) {
                            animator.play(clip("walk"));
                            animator.play(clip("wave"), {.layer = 1, .loop = pchr::LoopMode::loop});
                            animator.play(clip("idle"), {.layer = 2});
                            animator.set_layer(1, {.mask = pchr::mask_of_subtree(kiri(), kiri().find_bone("chest"))});
                            animator.set_layer(2, {.weight = 0.5F, .mode = pchr::LayerMode::additive});
                          }}};

void measure(benchmark::State& state, const Scene& scene) {
  Animator animator(kiri());
  animator.set_sampling(pchr::Sampling::smooth);
  scene.begin(animator);
  pchr::PoseBuffers posed, floor_posed;
  double advance = 1, pose = 1, floor = 1;
  const auto take = [](double& best, const auto& work) {
    best = std::min(best, pchr::bench::seconds([&] {
                            for (int i = 0; i < kTimes; ++i) work(i);
                          }) / kTimes);
  };
  for (auto _ : state) {
    take(advance, [&](int) { benchmark::DoNotOptimize(animator.advance(kStep)); });
    take(pose, [&](int) {
      animator.advance(kStep);
      animator.pose(posed);
    });
    take(floor, [&](int i) {
      const auto frame = static_cast<std::uint32_t>(i % 29);
      pchr::pose_clip(kiri(), clip("walk"), {frame, frame + 1, 0.5F}, floor_posed);
    });
    state.SetIterationTime(pose);
  }
  pchr::bench::report_cycles(state, pose);
  state.counters["advance_cycles"] = advance / pchr::bench::cycle_seconds();
  state.counters["of_pose"] = floor / pose;
}

const bool registered = [] {
  for (const Scene& scene : kScenes) {
    benchmark::RegisterBenchmark((std::string("animator/") + scene.name).c_str(),
                                 [&scene](benchmark::State& state) { measure(state, scene); })
        ->UseManualTime()
        ->Iterations(500)
        ->Unit(benchmark::kNanosecond);
  }
  return true;
}();

}  // namespace
