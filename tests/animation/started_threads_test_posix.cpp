// SPDX-License-Identifier: MIT
// The library starts no threads of its own. Part of a program that replaces the system's function for that, to count.
#include "support/catch.hpp"
#include "support/load.hpp"
#include "support/files.hpp"

#include <pchr/image.hpp>
#include <pchr/queries.hpp>

#include <dlfcn.h>
#include <pthread.h>

#include <atomic>

using namespace pchr;
using namespace pchr::test;

namespace {

std::atomic<int> started_threads = 0;

/// Does everything that can use threads and returns how many were started.
int threads_started_by(const Executor& executor) {
  const int before = started_threads;
  for (const char* const file : {"kiri.pchr", "hotaru.px", "koi/koi.psk", "konpei/konpei.chp"}) {
    ImportOptions options;
    options.executor = executor;
    const Character character = load_character(asset(file), options).value();
    CHECK(decode_images(character, {}, executor));
    CHECK(alpha_masks(character, {}, executor));
    (void)compute_character_bounds(character, executor);
    for (const ClipId clip : character.clips().ids()) (void)compute_mesh_bounds(character, clip, MeshId{0}, executor);
  }
  return started_threads - before;
}

}  // namespace

extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*),
                              void* argument) noexcept {
  ++started_threads;
  using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static const auto create = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
  return create(thread, attributes, run, argument);
}

TEST_CASE("the library starts threads only if it gets an executor that does", "[threads]") {
  CHECK(threads_started_by({}) == 0);
  CHECK(threads_started_by(thread_executor(1)) == 0);
  CHECK(threads_started_by(thread_executor(3)) > 0);
}
