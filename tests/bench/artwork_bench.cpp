// SPDX-License-Identifier: MIT
// Opening artworks, compared with the lower bound: inflating the pixels of their layers on as many threads. Pixquare
// stores every layer as large as the canvas, Aseprite only the part that is drawn.
#include "bench/timing.hpp"
#include "support/aseprite.hpp"
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
using pchr::test::AseArtwork;
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

/// A layer's image in one frame. Four static ones cover the canvas; the others are discs of up to a third of its width
/// that move in each frame.
struct Disc {
  std::int32_t center_x = kSide / 2, center_y = kSide / 2, radius = kSide;
};
constexpr bool is_still(std::size_t layer) { return layer < kStill; }
Disc disc_of(std::size_t layer, std::size_t frame) {
  if (is_still(layer)) return {};
  const auto step = static_cast<std::int32_t>(layer * 37 + frame * 5);
  return {80 + step % 347, 80 + step * 7 % 331, 30 + static_cast<std::int32_t>(layer) * 3};
}
PxPixels draw(std::size_t layer, std::size_t frame) {
  PxPixels pixels(std::size_t{kSide} * kSide);
  const Disc disc = disc_of(layer, frame);
  draw_disc(pixels, disc.center_x, disc.center_y, disc.radius, static_cast<unsigned>(layer + 1));
  return pixels;
}

/// 20 layers, some in groups. One in five uses multiply, screen or overlay.
PxArtwork make_artwork() {
  PxArtwork artwork{.width = kSide, .height = kSide};
  for (std::size_t number = 0; number < kLayers; ++number) {
    std::vector<PxPixels> images;
    for (std::size_t frame = 0; frame < (is_still(number) ? 1 : kFrames); ++frame) {
      images.push_back(draw(number, frame));
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

/// The same layers with their parts that are drawn, without groups.
AseArtwork make_aseprite() {
  AseArtwork artwork{.width = kSide, .height = kSide};
  for (std::size_t number = 0; number < kLayers; ++number) {
    const auto blend = number % 5 == 4 ? static_cast<int>(1 + number / 5 % 3) : 0;
    artwork.add(pchr::test::ase_layer({.name = "layer", .blend = blend}));
  }
  for (std::size_t frame = 0; frame < kFrames; ++frame) {
    if (frame > 0) artwork.frames.emplace_back();
    for (std::size_t number = 0; number < kLayers; ++number) {
      const auto layer = static_cast<int>(number);
      if (is_still(number) && frame > 0) {
        artwork.add(pchr::test::ase_link({.layer = layer}, 0));
        continue;
      }
      const PxPixels pixels = draw(number, frame);
      const Disc disc = disc_of(number, frame);
      const std::int32_t left = std::max(disc.center_x - disc.radius, 0),
                         top = std::max(disc.center_y - disc.radius, 0);
      const std::int32_t right = std::min(disc.center_x + disc.radius, kSide);
      const std::int32_t bottom = std::min(disc.center_y + disc.radius, kSide);
      PxPixels part;
      for (std::int32_t y = top; y < bottom; ++y) {
        part.insert(part.end(), pixels.begin() + y * kSide + left, pixels.begin() + y * kSide + right);
      }
      artwork.add(pchr::test::ase_cel({.layer = layer, .left = left, .top = top}, right - left, bottom - top, part));
    }
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

/// Opens an artwork on all processors.
void open(benchmark::State& state, const Bytes& file) {
  double fastest = 1e9, min_work = 1e9;
  for (auto _ : state) {
    const std::clock_t before = std::clock();
    const double time = wall_seconds([&] {
      const auto character = pchr::load_character(file, {.executor = pchr::thread_executor()});
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
}

void open_artwork(benchmark::State& state) {
  const PxArtwork artwork = make_artwork();
  open(state, pchr::test::write_px(artwork));
  double fastest = 1e9;
  for (int i = 0; i < 10; ++i) fastest = std::min(fastest, wall_seconds([&] { inflate_all(artwork); }));
  state.counters["inflate_ms"] = fastest * 1e3;
  state.counters["of_inflate"] = fastest * 1e3 / state.counters["open_ms"];
}
BENCHMARK(open_artwork)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(10);

void open_aseprite(benchmark::State& state) { open(state, pchr::test::write_aseprite(make_aseprite())); }
BENCHMARK(open_aseprite)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(10);

}  // namespace
