// SPDX-License-Identifier: MIT
// Runs the benchmarks. Prints a table and, with --benchmark_out=FILE, writes a CSV file with one figure per line.
#include <benchmark/benchmark.h>

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace {

/// Needed because the library's own CSV requires the same figures for every benchmark.
class FigureReporter : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context& /*context*/) override {
    GetOutputStream() << "benchmark,figure,value\n";
    return true;
  }

  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.iterations == 0) continue;  // The benchmark failed.
      write(run, "time_ns", run.real_accumulated_time * 1e9 / static_cast<double>(run.iterations));
      for (const auto& [name, counter] : run.counters) write(run, name, counter.value);
    }
  }

 private:
  void write(const Run& run, const std::string& figure, double value) {
    GetOutputStream() << run.run_name.function_name << ',' << figure << ',' << value << '\n';
  }
};

}  // namespace

int main(int argc, char** argv) {
  bool to_file = false;
  for (int i = 1; i < argc; ++i) to_file = to_file || std::string_view(argv[i]).starts_with("--benchmark_out=");
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  FigureReporter figures;
  if (to_file) {
    benchmark::RunSpecifiedBenchmarks(nullptr, &figures);
  } else {
    benchmark::RunSpecifiedBenchmarks();
  }
  benchmark::Shutdown();
}
