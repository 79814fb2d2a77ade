// SPDX-License-Identifier: MIT
#include "support/catch.hpp"

#include "compiler/once.hpp"

#include <thread>
#include <vector>

namespace once_test {

TEST_CASE("work runs once, however many threads call", "[once]") {
  pchr::Once once;
  int calls = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) threads.emplace_back([&] { once.call([&] { ++calls; }); });
  }
  CHECK(calls == 1);
}

TEST_CASE("work that throws is tried again by the next caller", "[once]") {
  pchr::Once once;
  CHECK_THROWS_AS(once.call([] { throw 1; }), int);
  int calls = 0;
  once.call([&] { ++calls; });
  once.call([&] { ++calls; });
  CHECK(calls == 1);
}

}  // namespace once_test
