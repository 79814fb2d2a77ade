// SPDX-License-Identifier: MIT
// Opening artworks, compared with the lower bound: inflating the pixels of their layers on as many threads.
#include "bench/timing.hpp"
#include "support/px.hpp"
#include "support/load.hpp"

#include <pchr/load.hpp>

#include <benchmark/benchmark.h>
#include <libdeflate.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace {

using pchr::bench::wall_seconds;
using pchr::test::Bytes;
using pchr::test::PxArtwork;
using pchr::test::PxColor;
using pchr::test::PxPixels;
using pchr::test::PxType;

constexpr std::int32_t kSide = 512;
constexpr std::size_t kLayers = 20, kStill = 4, kFrames = 100;

/// Clusters of four colors, typical of pixel art, within a disc with a translucent edge.
void draw_disc(PxPixels& pixels, std::int32_t center_x, std::int32_t center_y, std::int32_t radius, unsigned seed) {
  std::minstd_rand random(seed);
  std::vector<std::uint8_t> clusters(64 * 64);
  for (std::uint8_t& cluster : clusters) cluster = static_cast<std::uint8_t>(random() % 4);
  for (std::int32_t y = std::max(center_y - radius, 0); y < std::min(center_y + radius, kSide); ++y) {
    for (std::int32_t x = std::max(center_x - radius, 0); x < std::min(center_x + radius, kSide); ++x) {
      const std::int32_t across = x - center_x, down = y - center_y, square = across * across + down * down;
      if (square >= radius * radius) continue;
      const auto shade =
          static_cast<std::uint8_t>(clusters[static_cast<std::size_t>(y / 8 * 64 + x / 8)] * 30 + seed % 40);
      const bool is_edge = square > (radius - 4) * (radius - 4);
      const auto alpha = static_cast<std::uint8_t>(is_edge ? 128 : 255);
      pixels[static_cast<std::size_t>(y * kSide + x)] = {std::min(shade, alpha), static_cast<std::uint8_t>(shade / 2),
                                                         static_cast<std::uint8_t>(alpha / 2), alpha};
    }
  }
}

/// 20 layers, some in groups: four static ones that cover the canvas, and discs of up to a third of its width that move
/// in each frame. One in five uses multiply, screen or overlay.
PxArtwork make_artwork() {
  PxArtwork artwork{.width = kSide, .height = kSide};
  for (std::size_t number = 0; number < kLayers; ++number) {
    const bool is_still = number < kStill;
    std::vector<PxPixels> images;
    for (std::size_t frame = 0; frame < (is_still ? 1 : kFrames); ++frame) {
      PxPixels pixels(std::size_t{kSide} * kSide);
      const auto step = static_cast<std::int32_t>(number * 37 + frame * 5);
      draw_disc(pixels, is_still ? kSide / 2 : 80 + step % 347, is_still ? kSide / 2 : 80 + step * 7 % 331,
                is_still ? kSide : 30 + static_cast<std::int32_t>(number) * 3, static_cast<unsigned>(number + 1));
      images.push_back(std::move(pixels));
    }
    auto& layer = artwork.add_layer("layer " + std::to_string(number), images);
    layer.frames.resize(kFrames, layer.frames.front());
    if (number % 5 == 4) layer.blend = static_cast<std::uint16_t>(1 + number / 5 % 3);
  }
  for (std::size_t group = 0; group < 2; ++group) {
    const std::string id = "group " + std::to_string(group);
    artwork.groups.push_back({.id = id, .name = id, .opacity = 0.75F});
    artwork.groups.back().children.assign(artwork.entries.end() - 4, artwork.entries.end());
    artwork.entries.resize(artwork.entries.size() - 4);
    artwork.entries.insert(artwork.entries.begin() + 5, {PxType::group, id});
  }
  return artwork;
}

void inflate(const Bytes& deflated, std::vector<std::uint8_t>& out) {
  constexpr std::size_t kHeaderBytes = 2;
  libdeflate_decompressor* const decompressor = libdeflate_alloc_decompressor();
  if (libdeflate_deflate_decompress(decompressor, deflated.data() + kHeaderBytes, deflated.size() - kHeaderBytes,
                                    out.data(), out.size(), nullptr) != LIBDEFLATE_SUCCESS) {
    std::abort();
  }
  libdeflate_free_decompressor(decompressor);
}

void inflate_all(const PxArtwork& artwork) {
  std::vector<std::jthread> threads;
  const std::size_t count = std::max(1U, std::thread::hardware_concurrency());
  for (std::size_t part = 0; part < count; ++part) {
    threads.emplace_back([&, part] {
      std::vector<std::uint8_t> pixels(std::size_t{kSide} * kSide * 4);
      for (std::size_t i = part; i < artwork.contents.size(); i += count) {
        inflate(artwork.contents[i].deflated, pixels);
        benchmark::DoNotOptimize(pixels.data());
      }
    });
  }
}

void open_artwork(benchmark::State& state) {
  const PxArtwork artwork = make_artwork();
  const Bytes file = pchr::test::write_px(artwork);
  double fastest = 1e9, fastest_inflate = 1e9, min_work = 1e9;
  for (auto _ : state) {
    fastest_inflate = std::min(fastest_inflate, wall_seconds([&] { inflate_all(artwork); }));
    const std::clock_t before = std::clock();
    const double time = wall_seconds([&] {
      const auto character = pchr::load_character(file);
      if (!character || character->meshes().size() != kFrames) std::abort();
      benchmark::DoNotOptimize(character->vertices().data());
    });
    min_work = std::min(min_work, static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC);
    fastest = std::min(fastest, time);
    state.SetIterationTime(time);
  }
  state.counters["file_MB"] = static_cast<double>(file.size()) / 1e6;
  state.counters["open_ms"] = fastest * 1e3;
  state.counters["all_threads_ms"] = min_work * 1e3;
  state.counters["inflate_ms"] = fastest_inflate * 1e3;
  state.counters["of_inflate"] = fastest_inflate / fastest;
}
BENCHMARK(open_artwork)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(10);

}  // namespace
