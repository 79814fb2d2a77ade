// SPDX-License-Identifier: MIT
// Saving a character in every format, compared with the lower bound: copying as many bytes for v1, writing the floats'
// digits for the two text formats, and deflating filtered rows at the default level for PNG. `of_floor` is the ratio of
// the best times in one run; it is above 1 for the fast PNG compression, which deflates at another level.
// `cycles_each` are the cycles per byte of the file or, for PNG, of the pixels.
#include "support/load.hpp"

#include "bench/puppet.hpp"
#include "bench/timing.hpp"

#include "image/image.hpp"

#include <pchr/image.hpp>
#include <pchr/load.hpp>
#include <pchr/import/save.hpp>

#include <benchmark/benchmark.h>
#include <libdeflate.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace {

using pchr::Format;
using pchr::bench::Pages;
using pchr::bench::seconds;
using pchr::bench::use_pages;

std::vector<std::byte> save_or_abort(const pchr::Character& character, Format form) {
  auto saved = pchr::save(character, form, "puppet");
  if (!saved) std::abort();
  benchmark::DoNotOptimize(saved->file.bytes.data());
  return std::move(saved->file.bytes);
}

void copy(std::span<const std::byte> bytes) {
  const std::unique_ptr<void, decltype(&std::free)> target(std::malloc(bytes.size()), std::free);
  std::memcpy(target.get(), bytes.data(), bytes.size());
  benchmark::DoNotOptimize(target.get());
  benchmark::ClobberMemory();
}

/// Writes the digits of every float, without the surrounding text.
void write_digits(const pchr::Character& character, std::size_t size) {
  const std::unique_ptr<char[]> text(new char[size]);
  char* at = text.get();
  const auto write = [&](std::span<const float> values) {
    for (const float value : values) at = std::to_chars(at, text.get() + size, value).ptr;
  };
  for (const pchr::Vertex& vertex : character.vertices()) {
    write(std::span(&vertex.x, 4));
    write(vertex.weights);
  }
  for (const pchr::Clip& clip : character.clips()) {
    const pchr::BoneSamples& samples = clip.samples;
    for (const auto* values : {&samples.x, &samples.y, &samples.rotation_degrees, &samples.scale_x, &samples.scale_y}) {
      write(*values);
    }
  }
  benchmark::DoNotOptimize(at);
}

void report(benchmark::State& state, std::size_t bytes, double best, double best_floor) {
  state.counters["file_kB"] = static_cast<double>(bytes) / 1000;
  state.counters["MB_per_s"] = static_cast<double>(bytes) / best * 1e-6;
  pchr::bench::report_cycles(state, best / static_cast<double>(bytes));
  state.counters["of_floor"] = best_floor / best;
}

void save(benchmark::State& state, Format form, std::uint32_t frames) {
  const pchr::Character character = pchr::bench::puppet(frames);
  const std::vector<std::byte> bytes = save_or_abort(character, form);
  use_pages(Pages::fresh);
  double best = 1e9, best_floor = 1e9;
  for (auto _ : state) {
    best_floor = std::min(best_floor,
                          seconds([&] { form == Format::v1 ? copy(bytes) : write_digits(character, bytes.size()); }));
    const double took = seconds([&] { save_or_abort(character, form); });
    best = std::min(best, took);
    state.SetIterationTime(took);
  }
  report(state, bytes.size(), best, best_floor);
}
BENCHMARK_CAPTURE(save, 50_MB_v1, Format::v1, 45'000)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(20);
BENCHMARK_CAPTURE(save, 18_MB_json, Format::json, 3000)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(5);
BENCHMARK_CAPTURE(save, 18_MB_packed, Format::packed, 3000)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->Iterations(5);

/// Returns the filtered rows of a PNG that write_png() wrote.
std::vector<std::uint8_t> filtered_rows(const std::vector<std::byte>& png, std::size_t size) {
  std::vector<std::uint8_t> rows(size);
  // One chunk of image data, then an empty chunk.
  constexpr std::size_t kBefore = 33 + 8, kAfter = 4 + 12;
  libdeflate_decompressor* const decompressor = libdeflate_alloc_decompressor();
  if (libdeflate_zlib_decompress(decompressor, png.data() + kBefore, png.size() - kBefore - kAfter, rows.data(),
                                 rows.size(), nullptr) != LIBDEFLATE_SUCCESS) {
    std::abort();
  }
  libdeflate_free_decompressor(decompressor);
  return rows;
}

void encode_png(benchmark::State& state, pchr::PngCompression compression) {
  const auto kiri = pchr::load_character(std::filesystem::path(PCHR_ASSETS_DIR "/kiri.pchr"));
  if (!kiri) std::abort();
  const auto bitmap = pchr::decode(kiri->images()[0]);
  if (!bitmap) std::abort();
  const auto pixels = std::as_bytes(std::span(bitmap->rgba));
  const std::vector<std::byte> png = pchr::write_png(bitmap->width, bitmap->height, pixels);
  std::vector<std::uint8_t> rows = filtered_rows(png, pixels.size() + bitmap->height);
  use_pages(Pages::fresh);
  double best = 1e9, best_floor = 1e9;
  for (auto _ : state) {
    best_floor =
        std::min(best_floor, seconds([&] {
                   libdeflate_compressor* const compressor = libdeflate_alloc_compressor(6);
                   std::vector<std::uint8_t> deflated(libdeflate_zlib_compress_bound(compressor, rows.size()));
                   libdeflate_zlib_compress(compressor, rows.data(), rows.size(), deflated.data(), deflated.size());
                   libdeflate_free_compressor(compressor);
                   benchmark::DoNotOptimize(deflated.data());
                 }));
    const double took = seconds([&] {
      const auto written = pchr::write_png(bitmap->width, bitmap->height, pixels, compression);
      state.counters["png_kB"] = static_cast<double>(written.size()) / 1000;
    });
    best = std::min(best, took);
    state.SetIterationTime(took);
  }
  report(state, pixels.size(), best, best_floor);
}
BENCHMARK_CAPTURE(encode_png, fast, pchr::PngCompression::fast)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->Iterations(5);
BENCHMARK_CAPTURE(encode_png, default, pchr::PngCompression::normal)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->Iterations(5);
BENCHMARK_CAPTURE(encode_png, best, pchr::PngCompression::best)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);

}  // namespace
