// SPDX-License-Identifier: MIT
// The cost of queries on the sample character, each measured alternately with its lower bound. For one bone there is
// none: `of_pose` is its share of posing the character. For the first query of bounds it is posing and skinning every
// frame on one thread; for a hit test, skinning everything visible. `of_floor` is the lower bound divided by the query.
// 1 is equally fast.
#include "support/load.hpp"

#include "puppet.hpp"
#include "timing.hpp"

#include <pchr/pose.hpp>
#include <pchr/queries.hpp>
#include <pchr/load.hpp>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <span>
#include <vector>

namespace {

using pchr::bench::kiri;
pchr::Character load_kiri() {
  auto loaded = pchr::load_character(PCHR_ASSETS_DIR "/kiri.pchr");
  if (!loaded) std::abort();
  return *loaded;
}

/// Lowers `best` to the fastest of `times` calls of `work`.
template <typename Work>
void take(double& best, int times, const Work& work) {
  best = std::min(best, pchr::bench::seconds([&] {
                          for (int i = 0; i < times; ++i) work(i);
                        }) / times);
}

void skin_visible(const pchr::Character& character, const pchr::PoseBuffers& posed, std::vector<pchr::Vec2>& points) {
  for (const pchr::DrawItem& item : posed.draw_list) {
    const auto vertices = character.vertices(character.meshes()[item.mesh]);
    pchr::deform(vertices, posed.palette, std::span(points).first(vertices.size()));
  }
  benchmark::DoNotOptimize(points.data());
}

void one_bone(benchmark::State& state) {
  const pchr::ClipId walk = kiri().find_clip("walk");
  const auto last = static_cast<pchr::BoneId>(kiri().bones().size() - 1);
  pchr::PoseBuffers posed;
  double bone = 1, pose = 1;
  for (auto _ : state) {
    const auto place = [](int i) { return pchr::ClipTime{static_cast<std::uint32_t>(i % 29), 29, 0.5F}; };
    take(bone, 200, [&](int i) { benchmark::DoNotOptimize(pchr::bone_world(kiri(), walk, place(i), last)); });
    take(pose, 200, [&](int i) { pchr::pose_clip(kiri(), walk, place(i), posed); });
    state.SetIterationTime(bone);
  }
  pchr::bench::report_cycles(state, bone);
  state.counters["of_pose"] = bone / pose;
}

void all_bounds(benchmark::State& state) {
  double first = 1, again = 1, floor = 1, load = 1;
  std::vector<pchr::Vec2> points(kiri().vertices().size());
  pchr::PoseBuffers posed;
  for (auto _ : state) {
    // A character that has not been queried yet.
    std::optional<pchr::Character> fresh;
    take(load, 1, [&](int) { fresh = load_kiri(); });
    first =
        std::min(first, pchr::bench::wall_seconds([&] { benchmark::DoNotOptimize(compute_character_bounds(*fresh)); }));
    take(again, 200, [&](int) { benchmark::DoNotOptimize(compute_character_bounds(*fresh)); });
    take(floor, 1, [&](int) {
      for (const pchr::ClipId clip : kiri().clips().ids()) {
        for (std::uint32_t frame = 0; frame < kiri().clips()[clip].frame_count; ++frame) {
          pchr::pose_clip(kiri(), clip, {frame, frame, 0}, posed);
          skin_visible(kiri(), posed, points);
        }
      }
    });
    state.SetIterationTime(first);
  }
  pchr::bench::report_cycles(state, first);
  state.counters["of_floor"] = floor / first;
  state.counters["of_load"] = first / load;
  state.counters["again_cycles"] = again / pchr::bench::cycle_seconds();
}

void hit(benchmark::State& state) {
  const auto masks = pchr::alpha_masks(kiri());
  if (!masks) std::abort();
  pchr::PoseBuffers posed;
  pchr::pose_clip(kiri(), kiri().find_clip("walk"), {7, 7, 0}, posed);
  const pchr::Rect area = bounds(kiri(), posed);
  std::vector<pchr::Vec2> points(kiri().vertices().size());
  std::vector<pchr::Hit> hits;
  double topmost = 1, all = 1, floor = 1;
  const auto point = [&](int i) {
    return area.min + area.size() * pchr::Vec2{static_cast<float>(i % 20) / 20, static_cast<float>(i / 20) / 20};
  };
  for (auto _ : state) {
    take(topmost, 400, [&](int i) { benchmark::DoNotOptimize(hit_test(kiri(), posed, *masks, point(i))); });
    take(all, 400, [&](int i) { hit_test_all(kiri(), posed, *masks, point(i), hits); });
    take(floor, 400, [&](int) { skin_visible(kiri(), posed, points); });
    state.SetIterationTime(topmost);
  }
  pchr::bench::report_cycles(state, topmost);
  state.counters["all_cycles"] = all / pchr::bench::cycle_seconds();
  state.counters["of_floor"] = floor / all;
}

BENCHMARK(one_bone)->Name("query/one_bone")->UseManualTime()->Iterations(300)->Unit(benchmark::kNanosecond);
BENCHMARK(all_bounds)->Name("query/bounds")->UseManualTime()->Iterations(100)->Unit(benchmark::kMicrosecond);
BENCHMARK(hit)->Name("query/hit_test")->UseManualTime()->Iterations(300)->Unit(benchmark::kNanosecond);

}  // namespace
