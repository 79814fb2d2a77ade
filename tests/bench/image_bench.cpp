// SPDX-License-Identifier: MIT
// Decoding images, compared with the lower bound: the PNG decoder alone for one image, copying the pixels for raw
// images, and decoding sequentially for the images of a character. `cycles_each` is per byte of the pixels.
#include "bench/timing.hpp"

#include <pchr/image.hpp>

#include "image/image.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

// The decoder that the library contains, with its default allocator and no budget.
#define STBI_ONLY_PNG
#define STBI_NO_STDIO
#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#include <stb_image.h>

namespace {

using pchr::bench::Pages;
using pchr::bench::seconds;
using pchr::bench::use_pages;
using pchr::bench::wall_seconds;

constexpr std::uint32_t kSide = 1024;

/// Shapes with soft edges on a transparent background, plus grain. Compresses to about a quarter, like painted atlases.
pchr::Image painted(std::uint32_t side, unsigned seed) {
  std::minstd_rand random(seed);
  pchr::Image image{"painted", side, side, pchr::ImageEncoding::rgba8888, {}};
  image.bytes.reserve(std::size_t{4} * side * side);
  for (std::uint32_t y = 0; y < side; ++y) {
    for (std::uint32_t x = 0; x < side; ++x) {
      const std::uint32_t cell = side / 4, u = x % cell, v = y % cell;
      const std::uint32_t edge = std::min({u, v, cell - 1 - u, cell - 1 - v});
      const std::uint32_t alpha = std::min<std::uint32_t>(255, edge * 24);
      const auto grain = static_cast<std::uint32_t>(random() % 6);
      for (const std::uint32_t value : {u / 2 + grain, v / 2 + grain, 90 + grain, alpha}) {
        image.bytes.push_back(static_cast<std::byte>(alpha == 0 ? 0 : std::min<std::uint32_t>(value, 255)));
      }
    }
  }
  return image;
}

pchr::Image as_png(pchr::Image image) {
  image.bytes = pchr::write_png(image.width, image.height, image.bytes);
  image.encoding = pchr::ImageEncoding::png;
  return image;
}

void decode_or_abort(const pchr::Image& image) {
  const auto bitmap = pchr::decode(image);
  if (!bitmap) std::abort();
  benchmark::DoNotOptimize(bitmap->rgba.data());
}

void decode_png(benchmark::State& state) {
  const pchr::Image image = as_png(painted(kSide, 1));
  use_pages(Pages::fresh);
  double best_decode = 1e9, best_floor = 1e9;
  for (auto _ : state) {
    best_floor = std::min(best_floor, seconds([&] {
                            int width = 0, height = 0, channels = 0;
                            stbi_uc* pixels = stbi_load_from_memory(
                                reinterpret_cast<const stbi_uc*>(image.bytes.data()),
                                static_cast<int>(image.bytes.size()), &width, &height, &channels, 4);
                            benchmark::DoNotOptimize(pixels);
                            stbi_image_free(pixels);
                          }));
    const double took = seconds([&] { decode_or_abort(image); });
    best_decode = std::min(best_decode, took);
    state.SetIterationTime(took);
  }
  state.counters["file_kB"] = static_cast<double>(image.bytes.size()) / 1000;
  pchr::bench::report_cycles(state, best_decode / (4.0 * kSide * kSide));
  state.counters["of_stb"] = best_floor / best_decode;
}
BENCHMARK(decode_png)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(20);

void decode_raw(benchmark::State& state, Pages pages) {
  const pchr::Image image = painted(kSide, 1);
  use_pages(pages);
  double best_decode = 1e9, best_copy = 1e9;
  for (auto _ : state) {
    best_copy =
        std::min(best_copy, seconds([&] {
                   const std::unique_ptr<void, decltype(&std::free)> copy(std::malloc(image.bytes.size()), std::free);
                   std::memcpy(copy.get(), image.bytes.data(), image.bytes.size());
                   benchmark::DoNotOptimize(copy.get());
                   benchmark::ClobberMemory();
                 }));
    const double took = seconds([&] { decode_or_abort(image); });
    best_decode = std::min(best_decode, took);
    state.SetIterationTime(took);
  }
  pchr::bench::report_cycles(state, best_decode / (4.0 * kSide * kSide));
  state.counters["of_memcpy"] = best_copy / best_decode;
}
BENCHMARK_CAPTURE(decode_raw, warm, Pages::warm)->UseManualTime()->Unit(benchmark::kMicrosecond)->Iterations(100);
BENCHMARK_CAPTURE(decode_raw, fresh, Pages::fresh)->UseManualTime()->Unit(benchmark::kMicrosecond)->Iterations(100);

/// Eight images. On an idle machine, `speedup` approaches the number of `threads`.
void decode_eight(benchmark::State& state) {
  pchr::CharacterData data;
  for (unsigned i = 0; i < 8; ++i) data.images.push_back(as_png(painted(kSide / 2, i + 1)));
  const auto character = pchr::Character::build(std::move(data));
  if (!character) std::abort();
  use_pages(Pages::fresh);
  double best_all = 1e9, best_one_by_one = 1e9;
  for (auto _ : state) {
    best_one_by_one = std::min(best_one_by_one, wall_seconds([&] {
                                 for (const pchr::Image& image : character->images()) decode_or_abort(image);
                               }));
    const double took = wall_seconds([&] {
      const auto bitmaps = pchr::decode_images(*character);
      if (!bitmaps) std::abort();
      benchmark::DoNotOptimize(bitmaps->data());
    });
    best_all = std::min(best_all, took);
    state.SetIterationTime(took);
  }
  state.counters["best_us"] = best_all * 1e6;
  state.counters["one_by_one_us"] = best_one_by_one * 1e6;
  state.counters["threads"] = std::thread::hardware_concurrency();
  state.counters["speedup"] = best_one_by_one / best_all;
}
BENCHMARK(decode_eight)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(15);

}  // namespace
