// SPDX-License-Identifier: MIT
// Fitting bones to a mesh whose vertices move one by one: a face of 200 vertices in 300 frames, within 0.5 px. `bones`
// and `max_error` are what comes out.
#include "support/face.hpp"

#include <benchmark/benchmark.h>

namespace {

void fit_face(benchmark::State& state) {
  const pchr::test::Sequence face = pchr::test::face(300);
  pchr::Fit fit;
  for (auto _ : state) {
    fit = face.fit(0.5, pchr::kMaxFittedBones, state.range(0) == 1 ? pchr::Executor{} : pchr::thread_executor());
  }
  state.counters["bones"] = fit.bones;
  state.counters["max_error"] = fit.max_error;
}
BENCHMARK(fit_face)->ArgName("threads")->Arg(1)->Arg(0)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
