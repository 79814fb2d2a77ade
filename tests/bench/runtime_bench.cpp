// SPDX-License-Identifier: MIT
// Loading and decoding the sample, with a lower bound for loading. Compare within one run.
#include "support/load.hpp"

#include "puppet.hpp"

#include <pchr/image.hpp>
#include <pchr/load.hpp>

#include <benchmark/benchmark.h>

#include <cstdlib>
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

void load_floor_copy(benchmark::State& state) {
  for (auto _ : state) {
    std::vector<std::byte> copy(sample_bytes());
    benchmark::DoNotOptimize(copy.data());
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(sample_bytes().size()));
}
BENCHMARK(load_floor_copy);

void load_without_decoding(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(pchr::load_character(sample_bytes()));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(sample_bytes().size()));
}
BENCHMARK(load_without_decoding);

void decode_images(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(pchr::decode_images(pchr::bench::kiri()));
}
BENCHMARK(decode_images)->Unit(benchmark::kMillisecond);

}  // namespace
