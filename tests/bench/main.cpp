// SPDX-License-Identifier: MIT
// Runs the benchmarks. Prints a table, or with --benchmark_format=csv one figure per line. --benchmark_out=FILE writes
// such a CSV file as well.
#include <benchmark/benchmark.h>

#include <ostream>
#include <span>
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
  bool prints_figures = false, writes_figures = false;
  for (const std::string_view argument : std::span(argv, argc).subspan(1)) {
    if (argument.starts_with("--benchmark_format=")) prints_figures = argument.ends_with("=csv");
    writes_figures = writes_figures || argument.starts_with("--benchmark_out=");
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  FigureReporter printed, written;
  benchmark::RunSpecifiedBenchmarks(prints_figures ? &printed : nullptr, writes_figures ? &written : nullptr);
  benchmark::Shutdown();
}
