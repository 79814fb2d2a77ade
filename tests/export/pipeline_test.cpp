// SPDX-License-Identifier: MIT
// Parallel jobs with results in order.
#include "export/pipeline.hpp"

#include "support/catch.hpp"
#include "support/latch.hpp"

#include <atomic>
#include <functional>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

namespace pipeline_test {
using namespace pchr;
using exporting::Pipeline;

namespace {

ExportResult<void> nothing() { return {}; }

}  // namespace

TEST_CASE("jobs run in parallel and finish in the order they were added", "[export]") {
  std::vector<int> finished;
  test::Latch both_run(2);
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

TEST_CASE("a finish function can add jobs, which finish in order before the pipeline is idle", "[export]") {
  for (const unsigned threads : {0U, 1U, 3U}) {
    std::vector<int> finished;
    Pipeline pipeline(threads);
    int next = 0;
    const std::function<void()> add_next = [&] {
      if (next == 50) return;
      pipeline.add([&, number = next++]() -> ExportResult<Pipeline::Finish> {
        return [&, number] {
          finished.push_back(number);
          add_next();
          return nothing();
        };
      });
    };
    REQUIRE(pipeline.add([&]() -> ExportResult<Pipeline::Finish> {
      return [&] {
        for (int i = 0; i < 10; ++i) add_next();
        return nothing();
      };
    }));
    REQUIRE(pipeline.wait());
    std::vector<int> expected(50);
    std::iota(expected.begin(), expected.end(), 0);
    CHECK(finished == expected);
  }
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

TEST_CASE("results can wait for an earlier job that takes longer", "[export]") {
  test::Latch go_on(1);
  std::vector<int> finished;
  Pipeline pipeline(2);
  const auto add = [&](int number) {
    return pipeline.add(
        [&, number]() -> ExportResult<Pipeline::Finish> {
          if (number == 0) go_on.wait();
          return [&, number] {
            finished.push_back(number);
            return nothing();
          };
        },
        10);
  };
  // Blocks forever if the first job has to finish.
  for (int i = 0; i < 14; ++i) REQUIRE(add(i));
  CHECK_FALSE(pipeline.has_room(10));
  go_on.count_down();
  REQUIRE(pipeline.wait());
  std::vector<int> expected(14);
  std::iota(expected.begin(), expected.end(), 0);
  CHECK(finished == expected);
}

TEST_CASE("has_room() and idle() predict blocking", "[export]") {
  test::Latch go_on(1);
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

TEST_CASE("without threads, jobs run on the thread that adds them", "[export]") {
  Pipeline pipeline(0);
  std::vector<int> finished;
  const auto here = std::this_thread::get_id();
  for (int i = 0; i < 5; ++i) {
    CHECK(pipeline.has_room());
    REQUIRE(pipeline.add([&, i]() -> ExportResult<Pipeline::Finish> {
      CHECK(std::this_thread::get_id() == here);
      return [&, i] {
        CHECK(std::this_thread::get_id() == here);
        finished.push_back(i);
        return nothing();
      };
    }));
    CHECK(pipeline.idle());
  }
  CHECK(finished == std::vector<int>{0, 1, 2, 3, 4});
  CHECK(pipeline.wait());
  CHECK_FALSE(pipeline.add([]() -> ExportResult<Pipeline::Finish> { throw std::runtime_error("no memory"); }));
  CHECK(pipeline.wait().error().message == "no memory");
}

TEST_CASE("stopping drops jobs that have not started and does not wait for those that run", "[export]") {
  test::Latch running(1), go_on(1);
  std::atomic<int> ran = 0;
  Pipeline pipeline(1);
  const auto job = [&]() -> ExportResult<Pipeline::Finish> {
    if (ran++ == 0) running.count_down();
    go_on.wait();
    return [] { return nothing(); };
  };
  REQUIRE(pipeline.add(job));
  REQUIRE(pipeline.add(job));
  running.wait();
  pipeline.stop();
  CHECK_FALSE(pipeline.is_stopped());
  CHECK_FALSE(pipeline.add(job));
  CHECK(pipeline.wait().error().kind == ExportError::Kind::stopped);
  go_on.count_down();
  while (!pipeline.is_stopped()) std::this_thread::yield();
  CHECK(ran == 1);
}

}  // namespace pipeline_test
