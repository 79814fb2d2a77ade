// SPDX-License-Identifier: MIT
// Loading JSON, compared with the parser's own walk over the same text, which reads every value and keeps none.
// `of_walk` is the ratio of the best times in one run, `cycles_each` are cycles per byte. `peak_of_file` is the peak
// memory while loading, including the text, as a multiple of the text.
#include "support/load.hpp"

#include "bench/puppet.hpp"
#include "bench/timing.hpp"

#include <pchr/load.hpp>
#include <pchr/import/save.hpp>

#include <benchmark/benchmark.h>
#include <simdjson.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

namespace {

namespace ondemand = simdjson::ondemand;
using pchr::JsonDialect;
using pchr::bench::Pages;
using pchr::bench::report_cycles;
using pchr::bench::seconds;
using pchr::bench::use_pages;

/// Sums all numbers and the lengths of all strings.
double walk(ondemand::value value) {
  double sum = 0;
  switch (value.type()) {
    case ondemand::json_type::array:
      for (auto element : value.get_array()) sum += walk(element.value());
      break;
    case ondemand::json_type::object:
      for (auto field : value.get_object()) {
        const std::string_view key = field.unescaped_key();
        sum += static_cast<double>(key.size()) + walk(field.value());
      }
      break;
    case ondemand::json_type::number:
      sum = value.get_double();
      break;
    case ondemand::json_type::string:
      sum = static_cast<double>(value.get_string().value().size());
      break;
    case ondemand::json_type::boolean:
      sum = value.get_bool() ? 1 : 0;
      break;
    case ondemand::json_type::null:
      break;
  }
  return sum;
}

/// Returns the older binary format (a header, the JSON, a PNG), which contains its image and can load from memory.
std::vector<std::byte> packed(const pchr::Character& character, JsonDialect dialect) {
  pchr::SaveOptions options;
  options.json_dialect = dialect;
  auto saved = pchr::save(character, pchr::Format::packed, "puppet", options);
  if (!saved) std::abort();
  return std::move(saved->file.bytes);
}

std::string_view json_of(const std::vector<std::byte>& file) {
  std::uint32_t length = 0;
  std::memcpy(&length, &file[8], sizeof(length));
  return {reinterpret_cast<const char*>(file.data()) + 16, length};
}

void load_or_abort(const std::vector<std::byte>& file) {
  const auto character = pchr::load_character(file);
  if (!character) std::abort();
  benchmark::DoNotOptimize(character->vertices().data());
}

void load_json(benchmark::State& state, std::uint32_t frames, JsonDialect dialect) {
  const std::vector<std::byte> file = packed(pchr::bench::puppet(frames), dialect);
  const simdjson::padded_string text(json_of(file));
  use_pages(Pages::fresh);
  const auto peak = pchr::bench::peak_bytes([&] { load_or_abort(file); });
  double best_walk = 1e9, best_load = 1e9;
  for (auto _ : state) {
    best_walk = std::min(best_walk, seconds([&] {
                           ondemand::parser parser;
                           auto document = parser.iterate(text);
                           double sum = 0;
                           for (auto field : document.get_object()) sum += walk(field.value());
                           benchmark::DoNotOptimize(sum);
                         }));
    const double took = seconds([&] { load_or_abort(file); });
    best_load = std::min(best_load, took);
    state.SetIterationTime(took);
  }
  const auto size = static_cast<double>(file.size());
  state.counters["file_kB"] = size / 1000;
  state.counters["best_us"] = best_load * 1e6;
  report_cycles(state, best_load / size);
  state.counters["MB_per_s"] = size / best_load * 1e-6;
  state.counters["walk_us"] = best_walk * 1e6;
  state.counters["of_walk"] = best_walk / best_load;
  if (peak) state.counters["peak_of_file"] = (size + static_cast<double>(*peak)) / size;
}

void small(benchmark::internal::Benchmark* benchmark) {
  benchmark->UseManualTime()->Unit(benchmark::kMicrosecond)->Iterations(30);
}
void large(benchmark::internal::Benchmark* benchmark) {
  benchmark->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(3);
}
BENCHMARK_CAPTURE(load_json, 1_MB_v1_dialect, 167, JsonDialect::v1)->Apply(small);
BENCHMARK_CAPTURE(load_json, 1_MB_pachario_dialect, 167, JsonDialect::pachario)->Apply(small);
BENCHMARK_CAPTURE(load_json, 100_MB_v1_dialect, 16'700, JsonDialect::v1)->Apply(large);
BENCHMARK_CAPTURE(load_json, 100_MB_pachario_dialect, 16'700, JsonDialect::pachario)->Apply(large);

}  // namespace
