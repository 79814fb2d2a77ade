// SPDX-License-Identifier: MIT
// Loading, posing and skinning, each with its floor measured beside it: read the ratios of one run.
#include <pchr/image.hpp>
#include <pchr/load.hpp>
#include <pchr/pose.hpp>

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <vector>

namespace {

const std::vector<std::byte>& sample_bytes() {
  static const std::vector<std::byte> bytes = [] {
    std::ifstream file(PCHR_ASSETS_DIR "/kiri.pchr", std::ios::binary);
    const std::vector<char> text(std::istreambuf_iterator<char>(file), {});
    const auto* first = reinterpret_cast<const std::byte*>(text.data());
    return std::vector<std::byte>(first, first + text.size());
  }();
  return bytes;
}

const pchr::Character& sample() {
  static const pchr::Character character = [] {
    auto loaded = pchr::load(sample_bytes());
    if (!loaded) std::abort();
    return *loaded;
  }();
  return character;
}

pchr::FramePosition between_frames(std::uint32_t clip, std::uint32_t step) {
  const std::uint32_t count = sample().clips()[clip].frame_count;
  return {step % count, (step + 1) % count, 0.5F};
}

void per_item(benchmark::State& state, std::size_t items) {
  state.counters["ns_per_item"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * static_cast<double>(items) * 1e-9,
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void load_floor_copy(benchmark::State& state) {
  for (auto _ : state) {
    std::vector<std::byte> copy(sample_bytes());
    benchmark::DoNotOptimize(copy.data());
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(sample_bytes().size()));
}
BENCHMARK(load_floor_copy);

void load_without_decoding(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(pchr::load(sample_bytes()));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(sample_bytes().size()));
}
BENCHMARK(load_without_decoding);

void decode_images(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(pchr::decode_images(sample()));
}
BENCHMARK(decode_images)->Unit(benchmark::kMillisecond);

void pose_floor_copy(benchmark::State& state) {
  const std::size_t bones = sample().bones().size();
  std::vector<pchr::Affine> from(bones), to(bones);
  for (auto _ : state) {
    std::memcpy(static_cast<void*>(to.data()), from.data(), bones * sizeof(pchr::Affine));
    benchmark::DoNotOptimize(to.data());
  }
  per_item(state, bones);
}
BENCHMARK(pose_floor_copy);

void sample_smooth(benchmark::State& state) {
  pchr::Pose pose;
  const std::uint32_t clip = *sample().find_clip("walk");
  std::uint32_t step = 0;
  for (auto _ : state) pchr::sample(sample(), clip, between_frames(clip, step++), pose);
  per_item(state, sample().bones().size());
}
BENCHMARK(sample_smooth);

void pose_whole_character(benchmark::State& state) {
  pchr::PosedCharacter posed;
  const std::uint32_t clip = *sample().find_clip("walk");
  std::uint32_t step = 0;
  for (auto _ : state) pchr::pose_clip(sample(), clip, between_frames(clip, step++), posed);
  per_item(state, sample().bones().size());
}
BENCHMARK(pose_whole_character);

void skin_floor_copy(benchmark::State& state) {
  const auto vertices = sample().vertices();
  std::vector<pchr::Vertex> to(vertices.size());
  for (auto _ : state) {
    std::memcpy(to.data(), vertices.data(), vertices.size_bytes());
    benchmark::DoNotOptimize(to.data());
  }
  per_item(state, vertices.size());
}
BENCHMARK(skin_floor_copy);

void skin_on_cpu(benchmark::State& state) {
  pchr::PosedCharacter posed;
  pchr::pose_bind(sample(), posed);
  std::vector<pchr::Vec2> points(sample().vertices().size());
  for (auto _ : state) {
    pchr::skin(sample().vertices(), posed.palette, points);
    benchmark::DoNotOptimize(points.data());
  }
  per_item(state, points.size());
}
BENCHMARK(skin_on_cpu);

}  // namespace

BENCHMARK_MAIN();
