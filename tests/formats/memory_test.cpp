// SPDX-License-Identifier: MIT
// A load that fails takes little memory: a program of its own, because it replaces operator new to count.
#include "support/catch.hpp"
#include "support/scenes.hpp"

#include <pchr/load.hpp>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <malloc.h>
#include <new>

using namespace pchr;
using test::Bytes;

namespace {

std::size_t now_used = 0, most_used = 0;

}  // namespace

void* operator new(std::size_t size) {
  void* memory = std::malloc(size);
  if (memory == nullptr) throw std::bad_alloc();
  now_used += malloc_usable_size(memory);
  most_used = std::max(most_used, now_used);
  return memory;
}
void operator delete(void* memory) noexcept {
  now_used -= malloc_usable_size(memory);
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept { operator delete(memory); }

namespace {

/// The most memory that loading `bytes`, which fails, takes beside them.
std::size_t peak_of_failing_load(const Bytes& bytes) {
  const std::size_t before = now_used;
  most_used = now_used;
  const auto character = load(bytes);
  REQUIRE_FALSE(character);
  return most_used - before;
}

std::size_t allowed(const Bytes& bytes) { return 4 * bytes.size() + (std::size_t{1} << 20); }

/// Mostly frames and vertices, about a megabyte.
CharacterData large_character() {
  CharacterData data = test::two_bone_arm();
  data.clips.push_back(test::resting_clip("long", 5000, data.bones.size()));
  for (int i = 0; i < 2000; ++i) test::add_quad(data, "quad", 0, {{0, 0}, {1, 1}}, 0);
  return data;
}

}  // namespace

TEST_CASE("a file cut anywhere takes at most four times its size and a megabyte", "[memory]") {
  const Bytes whole = test::write_v1(large_character());
  for (std::size_t size = 1; size < whole.size(); size += whole.size() / 50) {
    const Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    INFO(size);
    CHECK(peak_of_failing_load(cut) <= allowed(cut));
  }
}

TEST_CASE("a wrong value at the end takes at most four times the file and a megabyte", "[memory]") {
  CharacterData data = large_character();
  data.clips.back().samples.scale_y.back() = std::numeric_limits<float>::infinity();
  const Bytes bytes = test::write_v1(data);
  CHECK(peak_of_failing_load(bytes) <= allowed(bytes));
}

TEST_CASE("claims of the largest counts take no memory", "[memory]") {
  Bytes bytes = test::write_v1(test::sliding_quad());
  for (std::size_t at = 8; at + 4 <= bytes.size(); ++at) {
    Bytes claim = bytes;
    std::memset(&claim[at], 0xFF, 4);
    if (load(claim)) continue;
    INFO(at);
    CHECK(peak_of_failing_load(claim) <= allowed(claim));
  }
}
