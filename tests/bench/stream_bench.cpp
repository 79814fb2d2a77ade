// SPDX-License-Identifier: MIT
// Appending posed characters to a draw stream that is large enough and in the cache, and skinning alone.
#include "support/scenes.hpp"

#include "puppet.hpp"
#include "timing.hpp"

#include <pchr/load.hpp>
#include <pchr/pose.hpp>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdlib>
#include <span>
#include <utility>
#include <vector>

namespace {

using pchr::Character;

/// Runs `work` in rounds that are too short to be interrupted often, and reports the cycles per item of the fastest.
template <typename Work>
void measure(benchmark::State& state, double items, double goal, const Work& work) {
  constexpr int kTimes = 20;
  double best = 1;
  for (auto _ : state) {
    const double taken = pchr::bench::seconds([&] {
      for (int i = 0; i < kTimes; ++i) work();
    });
    best = std::min(best, taken / kTimes);
    state.SetIterationTime(taken / kTimes);
  }
  pchr::bench::report_cycles(state, best / items, goal);
}

void append(benchmark::State& state, const Character& character, double goal) {
  pchr::PoseBuffers posed;
  pchr::pose_clip(character, pchr::ClipId{0}, {}, posed);
  pchr::DrawStream stream;
  measure(state, 1, goal, [&] {
    stream.clear();
    append_draw_stream(character, posed, {}, stream);
    benchmark::DoNotOptimize(stream.vertices.data());
  });
  state.counters["vertices"] = static_cast<double>(stream.vertices.size());
  state.counters["meshes"] = static_cast<double>(posed.draw_list.size());
}

void stream_puppet(benchmark::State& state) { append(state, pchr::bench::small_puppet(), 2500); }
void stream_kiri(benchmark::State& state) { append(state, pchr::bench::kiri(), 0); }

/// All meshes, one by one.
void deform_puppet(benchmark::State& state) {
  const Character character = pchr::bench::small_puppet();
  pchr::PoseBuffers posed;
  pchr::pose_clip(character, pchr::ClipId{0}, {}, posed);
  std::vector<pchr::Vec2> points(character.vertices().size());
  measure(state, 1, 0, [&] {
    for (const pchr::MeshId mesh : character.meshes().ids()) {
      deform_mesh(character, posed, mesh, std::span(points).first(character.meshes()[mesh].vertex_count));
    }
    benchmark::DoNotOptimize(points.data());
  });
}

/// A mesh with four influences per vertex, as part of a character or as plain vertices, whose bone numbers are checked.
void skin(benchmark::State& state, bool in_character) {
  constexpr std::uint32_t kBones = 64, kVertices = 1000;
  pchr::CharacterData data;
  data.images.push_back(pchr::test::plain_image(1, 1, {255, 255, 255, 255}));
  data.bones.resize(kBones);
  data.meshes.push_back({"mesh", pchr::ImageId{0}, 0, kVertices, 0, 0});
  for (std::uint32_t i = 0; i < kVertices; ++i) {
    pchr::Vertex vertex{static_cast<float>(i), 1, 0, 0, {}, {0.25F, 0.25F, 0.25F, 0.25F}};
    for (std::uint32_t slot = 0; slot < 4; ++slot) {
      vertex.bones[slot] = static_cast<std::uint16_t>((i * kBones / kVertices + slot) % kBones);
    }
    data.vertices.push_back(vertex);
  }
  const auto character = Character::build(std::move(data));
  if (!character) std::abort();
  pchr::PoseBuffers posed;
  pchr::pose_bind(*character, posed);
  std::vector<pchr::Vec2> points(kVertices);
  measure(state, kVertices, 7, [&] {
    if (in_character) {
      deform_mesh(*character, posed, pchr::MeshId{0}, points);
    } else {
      pchr::deform(character->vertices(), posed.palette, points);
    }
    benchmark::DoNotOptimize(points.data());
  });
}
void skin_mesh(benchmark::State& state) { skin(state, true); }
void skin_vertices(benchmark::State& state) { skin(state, false); }

BENCHMARK(stream_puppet)->Name("stream/puppet")->UseManualTime()->Iterations(2000)->Unit(benchmark::kNanosecond);
BENCHMARK(stream_kiri)->Name("stream/kiri")->UseManualTime()->Iterations(500)->Unit(benchmark::kNanosecond);
BENCHMARK(skin_mesh)->Name("stream/skin_mesh")->UseManualTime()->Iterations(2000)->Unit(benchmark::kNanosecond);
BENCHMARK(skin_vertices)->Name("stream/skin_vertices")->UseManualTime()->Iterations(2000)->Unit(benchmark::kNanosecond);
BENCHMARK(deform_puppet)->Name("stream/deform")->UseManualTime()->Iterations(2000)->Unit(benchmark::kNanosecond);

}  // namespace
