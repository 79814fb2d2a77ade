// SPDX-License-Identifier: MIT
// Opening a binary Spine skeleton of one megabyte, a key per bone and frame, without images. `decode_us` is the part
// that turns bytes into the tree of the JSON; `words_us`, its lower bound, reads the file as big-endian floats.
#include "bench/timing.hpp"
#include "import/spine/spine.hpp"

#include <pchr/import/import.hpp>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace {

using pchr::bench::Pages;
using pchr::bench::report_cycles;
using pchr::bench::seconds;
using pchr::bench::use_pages;

using Bytes = std::vector<std::byte>;

void add_number(Bytes& bytes, std::uint32_t number) {
  for (; number > 127; number >>= 7) bytes.push_back(static_cast<std::byte>(number | 128));
  bytes.push_back(static_cast<std::byte>(number));
}

void add_text(Bytes& bytes, std::string_view text) {
  add_number(bytes, static_cast<std::uint32_t>(text.size() + 1));
  for (const char each : text) bytes.push_back(static_cast<std::byte>(each));
}

void add_float(Bytes& bytes, double number) {
  const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(number));
  for (const unsigned shift : {24U, 16U, 8U, 0U}) bytes.push_back(static_cast<std::byte>(bits >> shift));
}

/// 50 bones that turn in 10 animations of 222 frames.
Bytes skeleton() {
  constexpr std::uint32_t kBones = 50, kAnimations = 10, kFrames = 222;
  Bytes bytes(8);
  add_text(bytes, "4.2.22");
  for (int i = 0; i < 5; ++i) add_float(bytes, 0);
  bytes.push_back({});   // nothing that only the editor needs
  add_number(bytes, 0);  // texts
  add_number(bytes, kBones);
  for (std::uint32_t bone = 0; bone < kBones; ++bone) {
    add_text(bytes, "bone " + std::to_string(bone));
    if (bone > 0) add_number(bytes, (bone - 1) / 2);
    for (const double value : {0, 10, 0, 1, 1, 0, 0, 10}) add_float(bytes, value);
    add_number(bytes, 0);
    add_number(bytes, 0);
  }
  for (int i = 0; i < 8; ++i) add_number(bytes, 0);  // slots, four kinds of constraints, skins, events
  add_number(bytes, kAnimations);
  for (std::uint32_t animation = 0; animation < kAnimations; ++animation) {
    add_text(bytes, "animation " + std::to_string(animation));
    add_number(bytes, kBones);
    add_number(bytes, 0);  // slots
    add_number(bytes, kBones);
    for (std::uint32_t bone = 0; bone < kBones; ++bone) {
      for (const std::uint32_t number : {bone, 1U, 0U, kFrames, 0U}) add_number(bytes, number);
      for (std::uint32_t frame = 0; frame < kFrames; ++frame) {
        add_float(bytes, frame / 30.0);
        add_float(bytes, 20 * std::sin(0.1 * (frame + bone * animation)));
        if (frame > 0) bytes.push_back({});  // a linear curve
      }
    }
    for (int i = 0; i < 7; ++i) add_number(bytes, 0);  // constraints, attachments, draw order, events
  }
  return bytes;
}

void open_spine(benchmark::State& state, Pages pages) {
  const Bytes file = skeleton();
  const std::string_view atlas = "white.png\nsize:4,4\n";
  const auto read_file = [&](const std::string& path) -> pchr::Expected<Bytes, std::string> {
    const auto text = std::as_bytes(std::span(atlas));
    if (path == "hero.skel") return file;
    if (path == "hero.atlas") return Bytes(text.begin(), text.end());
    return pchr::Unexpected(std::string("there is no such file"));
  };
  pchr::ImportOptions options;
  options.read_file = read_file;
  use_pages(pages);
  double best_words = 1e9, best_decode = 1e9, best_open = 1e9;
  for (auto _ : state) {
    best_words = std::min(best_words, seconds([&] {
                            float sum = 0;
                            for (std::size_t at = 0; at + 4 <= file.size(); at += 4) {
                              std::uint32_t bits = 0;
                              for (std::size_t i = 0; i < 4; ++i) {
                                bits = bits << 8 | std::to_integer<std::uint32_t>(file[at + i]);
                              }
                              sum += std::bit_cast<float>(bits);
                            }
                            benchmark::DoNotOptimize(sum);
                          }));
    best_decode = std::min(best_decode, seconds([&] {
                             const auto tree = pchr::spine::read_binary(file);
                             if (!tree) std::abort();
                             benchmark::DoNotOptimize(&tree->root());
                           }));
    const double took = seconds([&] {
      const auto imported = pchr::import_character("hero.skel", options);
      if (!imported) std::abort();
      benchmark::DoNotOptimize(imported->character.bones().data());
    });
    best_open = std::min(best_open, took);
    state.SetIterationTime(took);
  }
  const auto size = static_cast<double>(file.size());
  state.counters["file_kB"] = size / 1000;
  state.counters["best_us"] = best_open * 1e6;
  state.counters["decode_us"] = best_decode * 1e6;
  state.counters["words_us"] = best_words * 1e6;
  state.counters["of_words"] = best_words / best_decode;
  report_cycles(state, best_decode / size);
}
void small(benchmark::internal::Benchmark* benchmark) {
  benchmark->UseManualTime()->Unit(benchmark::kMicrosecond)->Iterations(30);
}
BENCHMARK_CAPTURE(open_spine, 1_MB_skel_warm, Pages::warm)->Apply(small);
BENCHMARK_CAPTURE(open_spine, 1_MB_skel_fresh, Pages::fresh)->Apply(small);

}  // namespace
