// SPDX-License-Identifier: MIT
// Appending posed characters to a draw stream that is large enough and in the cache, and skinning alone.
#include "puppet.hpp"
#include "timing.hpp"

#include <pchr/load.hpp>
#include <pchr/pose.hpp>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace {

using pchr::Character;

Character load_kiri() {
  auto loaded = pchr::load(PCHR_ASSETS_DIR "/kiri.pchr");
  if (!loaded) std::abort();
  return *loaded;
}

/// Runs `work` in rounds that are too short to be interrupted often, and reports the fastest.
template <typename Work>
void measure(benchmark::State& state, double goal, const Work& work) {
  constexpr int kTimes = 20;
  double best = 1;
  for (auto _ : state) {
    const double taken = pchr::bench::seconds([&] {
      for (int i = 0; i < kTimes; ++i) work();
    });
    best = std::min(best, taken / kTimes);
    state.SetIterationTime(taken / kTimes);
  }
  pchr::bench::report_cycles(state, best, goal);
}

void append(benchmark::State& state, const Character& character, double goal) {
  pchr::PoseBuffers posed;
  pchr::pose_clip(character, pchr::ClipId{0}, {}, posed);
  pchr::DrawStream stream;
  measure(state, goal, [&] {
    stream.clear();
    append_draw_stream(character, posed, {}, stream);
    benchmark::DoNotOptimize(stream.vertices.data());
  });
  state.counters["vertices"] = static_cast<double>(stream.vertices.size());
  state.counters["meshes"] = static_cast<double>(posed.draw_list.size());
}

void stream_puppet(benchmark::State& state) { append(state, pchr::bench::small_puppet(), 2500); }
void stream_kiri(benchmark::State& state) { append(state, load_kiri(), 0); }

/// All meshes, one by one.
void deform_puppet(benchmark::State& state) {
  const Character character = pchr::bench::small_puppet();
  pchr::PoseBuffers posed;
  pchr::pose_clip(character, pchr::ClipId{0}, {}, posed);
  std::vector<pchr::Vec2> points(character.vertices().size());
  measure(state, 0, [&] {
    for (const pchr::MeshId mesh : character.meshes().ids()) {
      deform_mesh(character, posed, mesh, std::span(points).first(character.meshes()[mesh].vertex_count));
    }
    benchmark::DoNotOptimize(points.data());
  });
}

BENCHMARK(stream_puppet)->Name("stream/puppet")->UseManualTime()->Iterations(2000)->Unit(benchmark::kNanosecond);
BENCHMARK(stream_kiri)->Name("stream/kiri")->UseManualTime()->Iterations(500)->Unit(benchmark::kNanosecond);
BENCHMARK(deform_puppet)->Name("stream/deform")->UseManualTime()->Iterations(2000)->Unit(benchmark::kNanosecond);

}  // namespace
