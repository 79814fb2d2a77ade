// SPDX-License-Identifier: MIT
// Loading v1 files of two sizes and two kinds, compared with copying their bytes in the same state of memory: fresh
// pages, which the system provides on first touch, or warm ones, which the allocator kept. `of_memcpy` is the ratio of
// the lower quartiles in one run. 1 is as fast as memcpy into a block from malloc.
// `cycles_each` is per byte of the file.
#include "bench/timing.hpp"
#include "support/scenes.hpp"
#include "support/load.hpp"

#include <pchr/load.hpp>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace {

using pchr::bench::Pages;
using pchr::bench::seconds;
using pchr::bench::use_pages;
using pchr::test::Bytes;

constexpr int kSmall = 200'000;
constexpr int kLarge = 50'000'000;

enum class Kind : int { frames, vertices };

struct Shape {
  std::uint32_t bones, meshes, vertices_per_mesh, frames;
};

/// Returns about `bytes` of one kind, in the proportions of a real character. A transform has 23 bytes, a vertex 40
/// plus three indices.
Shape shape_of(Kind kind, int bytes) {
  const auto size = static_cast<std::uint32_t>(bytes);
  if (kind == Kind::frames) {
    const std::uint32_t bones = bytes == kSmall ? 60 : 300;
    return {bones, 10, 20, size / (bones * 23)};
  }
  const std::uint32_t meshes = bytes == kSmall ? 20 : 200;
  return {60, meshes, size / (meshes * 46), 1};
}

Bytes make_file(Kind kind, int bytes) {
  const Shape shape = shape_of(kind, bytes);
  pchr::CharacterData data;
  data.frames_per_second = 30;
  data.images.push_back(pchr::test::plain_image(4, 4, {255, 255, 255, 255}));
  for (std::uint32_t bone = 0; bone < shape.bones; ++bone) {
    data.bones.push_back(
        {"bone " + std::to_string(bone), pchr::BoneId(static_cast<std::int32_t>(bone) / 2 - (bone == 0))});
  }
  for (std::uint32_t number = 0; number < shape.meshes; ++number) {
    pchr::Mesh mesh{"mesh " + std::to_string(number),
                    pchr::ImageId{0},
                    static_cast<std::uint32_t>(data.vertices.size()),
                    shape.vertices_per_mesh,
                    static_cast<std::uint32_t>(data.indices.size()),
                    shape.vertices_per_mesh * 3};
    for (std::uint32_t i = 0; i < shape.vertices_per_mesh; ++i) {
      const auto bone = static_cast<std::uint16_t>((number + i / 64) % shape.bones);
      const auto other = static_cast<std::uint16_t>((bone + 1) % shape.bones);
      const auto along = static_cast<float>(i);
      data.vertices.push_back({along, -along, 0.25F, 0.5F, {bone, other, 0, 0}, {0.75F, 0.25F, 0, 0}});
      for (std::uint32_t corner = 0; corner < 3; ++corner) {
        data.indices.push_back(static_cast<std::uint16_t>((i + corner) % shape.vertices_per_mesh));
      }
    }
    data.meshes.push_back(std::move(mesh));
  }
  // At most 500 frames per clip, which is realistic.
  for (std::uint32_t left = shape.frames; left > 0;) {
    const std::uint32_t frames = std::min(left, 500U);
    pchr::Clip clip = pchr::test::resting_clip(data.clips.empty() ? "bind" : "clip", frames, shape.bones, 30);
    for (std::size_t i = 0; i < clip.samples.x.size(); ++i) clip.samples.x[i] = static_cast<float>(i % 100);
    data.clips.push_back(std::move(clip));
    left -= frames;
  }
  return pchr::test::write_v1(data);
}

template <typename Work>
double seconds(Pages pages, const Work& work) {
  // Free blocks between others are only returned on request.
  if (pages == Pages::fresh) malloc_trim(0);
  return pchr::bench::seconds(work);
}

double lower_quartile(std::vector<double>& times) {
  const auto quarter = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 4);
  std::nth_element(times.begin(), quarter, times.end());
  return *quarter;
}

double seconds_of_copy(const Bytes& file, Pages pages) {
  return seconds(pages, [&] {
    const std::unique_ptr<void, decltype(&std::free)> copy(std::malloc(file.size()), std::free);
    std::memcpy(copy.get(), file.data(), file.size());
    benchmark::DoNotOptimize(copy.get());
    benchmark::ClobberMemory();
  });
}

void load_v1(benchmark::State& state, Kind kind, int bytes, Pages pages) {
  const Bytes file = make_file(kind, bytes);
  use_pages(pages);
  std::vector<double> copies, loads;
  for (auto _ : state) {
    copies.push_back(seconds_of_copy(file, pages));
    loads.push_back(seconds(pages, [&] {
      const auto character = pchr::load_character(file);
      if (!character) std::abort();
      benchmark::DoNotOptimize(character->vertices().data());
    }));
    state.SetIterationTime(loads.back());
  }
  const double copy = lower_quartile(copies), load = lower_quartile(loads);
  state.counters["file_kB"] = static_cast<double>(file.size()) / 1000;
  pchr::bench::report_cycles(state, load / static_cast<double>(file.size()));
  state.counters["of_memcpy"] = copy / load;
}

void small(benchmark::internal::Benchmark* benchmark) {
  benchmark->UseManualTime()->Unit(benchmark::kMicrosecond)->MinTime(0.3);
}
void large(benchmark::internal::Benchmark* benchmark) {
  benchmark->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(30);
}
BENCHMARK_CAPTURE(load_v1, 200_kB_frames_warm, Kind::frames, kSmall, Pages::warm)->Apply(small);
BENCHMARK_CAPTURE(load_v1, 200_kB_vertices_warm, Kind::vertices, kSmall, Pages::warm)->Apply(small);
BENCHMARK_CAPTURE(load_v1, 200_kB_frames_fresh, Kind::frames, kSmall, Pages::fresh)->Apply(small);
BENCHMARK_CAPTURE(load_v1, 200_kB_vertices_fresh, Kind::vertices, kSmall, Pages::fresh)->Apply(small);
BENCHMARK_CAPTURE(load_v1, 50_MB_frames_fresh, Kind::frames, kLarge, Pages::fresh)->Apply(large);
BENCHMARK_CAPTURE(load_v1, 50_MB_vertices_fresh, Kind::vertices, kLarge, Pages::fresh)->Apply(large);
BENCHMARK_CAPTURE(load_v1, 50_MB_frames_warm, Kind::frames, kLarge, Pages::warm)->Apply(large);
BENCHMARK_CAPTURE(load_v1, 50_MB_vertices_warm, Kind::vertices, kLarge, Pages::warm)->Apply(large);

}  // namespace
