// SPDX-License-Identifier: MIT
// Parallel jobs with results in order.
#include "export/pipeline.hpp"

#include "support/catch.hpp"

#include <atomic>
#include <latch>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <vector>

using namespace pchr;
using exporting::Pipeline;

namespace {

ExportResult<void> nothing() { return {}; }

}  // namespace

TEST_CASE("jobs run in parallel and finish in the order they were added", "[export]") {
  std::vector<int> finished;
  std::latch both_run(2);
  {
    Pipeline pipeline(2);
    for (int i = 0; i < 100; ++i) {
      REQUIRE(pipeline.add([&, i]() -> ExportResult<Pipeline::Finish> {
        if (i < 2) both_run.arrive_and_wait();
        return [&, i] {
          finished.push_back(i);
          return nothing();
        };
      }));
    }
    REQUIRE(pipeline.wait());
    CHECK(finished.size() == 100);
    REQUIRE(pipeline.add([&]() -> ExportResult<Pipeline::Finish> { return [] { return nothing(); }; }));
    REQUIRE(pipeline.wait());
  }
  std::vector<int> expected(100);
  std::iota(expected.begin(), expected.end(), 0);
  CHECK(finished == expected);
}

TEST_CASE("the first failure of a job or its finish function stops the pipeline", "[export]") {
  for (const bool in_finish : {false, true}) {
    Pipeline pipeline(2);
    std::atomic<int> finished = 0;
    bool accepted = true;
    int added = 0;
    for (; accepted && added < 100'000; ++added) {
      accepted = pipeline.add([&, i = added]() -> ExportResult<Pipeline::Finish> {
        if (i == 5 && !in_finish) return Unexpected(ExportError{ExportError::Kind::failed, "five"});
        return [&, i]() -> ExportResult<void> {
          if (i == 5 && in_finish) return Unexpected(ExportError{ExportError::Kind::failed, "five"});
          ++finished;
          return {};
        };
      });
    }
    CHECK_FALSE(accepted);
    const auto result = pipeline.wait();
    REQUIRE_FALSE(result);
    CHECK(result.error().message == "five");
    CHECK(finished <= 5);
    CHECK_FALSE(pipeline.add([]() -> ExportResult<Pipeline::Finish> { return [] { return nothing(); }; }));
  }
}

TEST_CASE("an exception in a job is its failure", "[export]") {
  Pipeline pipeline(1);
  pipeline.add([]() -> ExportResult<Pipeline::Finish> { throw std::runtime_error("no memory"); });
  const auto result = pipeline.wait();
  REQUIRE_FALSE(result);
  CHECK(result.error().message == "no memory");
}

TEST_CASE("adding jobs blocks while too many are unfinished", "[export]") {
  std::atomic<int> alive = 0, most = 0;
  struct Counted {
    std::atomic<int>& alive;
    explicit Counted(std::atomic<int>& count) : alive(count) { ++alive; }
    ~Counted() { --alive; }
  };
  Pipeline pipeline(2);
  for (int i = 0; i < 1000; ++i) {
    pipeline.add([&, item = std::make_shared<Counted>(alive)]() -> ExportResult<Pipeline::Finish> {
      most = std::max(most.load(), alive.load());
      return [item] { return nothing(); };
    });
  }
  REQUIRE(pipeline.wait());
  // Two per thread, and the one waiting to be added.
  CHECK(most <= 5);
}

TEST_CASE("has_room() and idle() predict blocking", "[export]") {
  std::latch go_on(1);
  Pipeline pipeline(1);
  CHECK(pipeline.has_room());
  CHECK(pipeline.idle());
  const auto add = [&] {
    return pipeline.add([&]() -> ExportResult<Pipeline::Finish> {
      go_on.wait();
      return [] { return nothing(); };
    });
  };
  REQUIRE(add());
  CHECK(pipeline.has_room());
  REQUIRE(add());
  CHECK_FALSE(pipeline.has_room());
  CHECK_FALSE(pipeline.idle());
  go_on.count_down();
  REQUIRE(pipeline.wait());
  CHECK(pipeline.has_room());
  CHECK(pipeline.idle());
}
