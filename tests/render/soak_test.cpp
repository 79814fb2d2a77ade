// SPDX-License-Identifier: MIT
// Creates and destroys models, clips and instances for a long time. A program of its own, because it replaces operator
// new to count allocations. PCHR_SOAK_FRAMES sets the duration.
#include "hooks.hpp"
#include "session.hpp"

#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/load.hpp"
#include "support/scenes.hpp"

#include <pchr/load.hpp>

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <malloc.h>
#include <new>
#include <random>

using namespace pchr;
using namespace pchr::test;

#ifdef PCHR_ADDRESS_SANITIZER

// The sanitizer also counts the driver's memory, and its operator new cannot be replaced.
extern "C" std::size_t __sanitizer_get_current_allocated_bytes();  // From the sanitizer's library.
constexpr bool kCountsAllocations = false;

namespace {

std::size_t bytes_in_use() { return __sanitizer_get_current_allocated_bytes(); }
constexpr std::size_t allocations = 0;

}  // namespace

#else

constexpr bool kCountsAllocations = true;

namespace {

std::atomic<std::size_t> bytes_allocated = 0;
thread_local std::size_t allocations = 0;

std::size_t bytes_in_use() { return bytes_allocated; }

}  // namespace

[[gnu::noinline]] void* operator new(std::size_t size) {
  void* memory = std::malloc(size);
  if (memory == nullptr) throw std::bad_alloc();
  bytes_allocated += malloc_usable_size(memory);
  ++allocations;
  return memory;
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  bytes_allocated -= malloc_usable_size(memory);
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept { operator delete(memory); }

#endif

namespace {

Renderer make_renderer(const Session& session, bool old, const RendererOptions& options) {
  std::map<std::string, Hooks::Function> functions;
  if (old) functions["glGetString"] = claim_3_3(*session.gl);
  const Hooks hooks(session.get_proc_address(), functions);
  return require_value(Renderer::create(hooked_get_proc_address, options));
}

std::vector<Character> make_cast() {
  std::vector<Character> cast;
  for (const char* name : {"kiri.pchr", "quad.pchr", "corners.pchr"}) {
    auto character = load_character(asset(name));
    REQUIRE(character);
    cast.push_back(*character);
  }
  cast.push_back(*Character::build(two_bone_arm()));
  return cast;
}

std::vector<Bitmap> tiny_bitmaps(const Character& character) {
  return std::vector(character.images().size(), Bitmap{1, 1, {9, 9, 9, 9}});
}

struct Chance {
  std::mt19937 random{7};
  std::uint32_t below(std::size_t count) { return static_cast<std::uint32_t>(random() % count); }
  float between(float low, float high) { return low + (high - low) * static_cast<float>(below(4096)) / 4095.0F; }
};

void fill_crowd(Chance& chance, const Character& character, std::vector<Instance>& crowd) {
  crowd.resize(1 + chance.below(40));
  for (Instance& instance : crowd) {
    instance = {};
    const auto clips = static_cast<std::uint32_t>(character.clips().size());
    instance.clip = ClipId{chance.below(clips + 1)};
    if (character.clips().contains(instance.clip)) {
      const auto sampling = chance.below(4) == 0 ? Sampling::smooth : Sampling::step;
      instance.position =
          clip_time(character.clips()[instance.clip], static_cast<double>(chance.between(0, 9)), sampling);
    }
    instance.appearance.placement = {0.05F, 0, 0, 0.05F, chance.between(-40, 40), chance.between(-40, 40)};
  }
}

}  // namespace

TEST_CASE("drawing allocates nothing once warm", "[soak]") {
  if (!kCountsAllocations) {
    WARN("skipped: sanitizers allocate");
    return;
  }
  const Session session;
  auto target = require_value(OffscreenTarget::create(session.get_proc_address(), 32, 32));
  const auto cast = make_cast();
  for (const bool old : {false, true}) {
    auto renderer = make_renderer(session, old, {});
    for (const Character& character : cast) {
      const Model model = require_value(renderer.upload(character, tiny_bitmaps(character)));
      const Camera camera{{}, 1, {32, 32}};
      Chance chance;
      std::vector<Instance> crowd;
      crowd.reserve(64);
      PoseBuffers posed;
      std::size_t counted = 0;
      for (int frame = 0; frame < 400; ++frame) {
        fill_crowd(chance, character, crowd);
        pose_clip(character, ClipId{0}, {}, posed);
        target.begin();
        const std::size_t before = allocations;
        renderer.draw(model, crowd, camera);
        renderer.draw(model, posed, camera);
        // By now every clip has been baked, including smooth.
        if (frame >= 300) counted += allocations - before;
        (void)target.finish();
      }
      CHECK(counted == 0);
    }
  }
}

TEST_CASE("instances, clips, evictions, uploads and destroyed models leak nothing, and memory stays flat", "[soak]") {
  const char* wanted = std::getenv("PCHR_SOAK_FRAMES");
  const int frames = wanted != nullptr ? std::atoi(wanted) : 1000;
  REQUIRE(frames > 0);
  const Session session;
  const auto cast = make_cast();
  auto target = require_value(OffscreenTarget::create(session.get_proc_address(), 16, 16));
  const Camera camera{{}, 1, {16, 16}};
  // The driver keeps what it compiles in the first round. The second round draws the same and must keep nothing.
  std::size_t before = 0;
  for (int round = 0; round < 2; ++round) {
    before = bytes_in_use();
    // Too little for all clips, so they evict each other.
    std::optional<Renderer> renderers[2] = {make_renderer(session, false, {2'000'000}),
                                            make_renderer(session, true, {2'000'000})};
    std::vector<std::optional<Model>> models(8);
    std::vector<Instance> crowd;
    Chance chance;
    std::size_t max_late = 0, max_early = 0;
    std::uint64_t max_gpu_bytes = 0, posed = 0, drawn = 0;
    for (int frame = 0; frame < frames; ++frame) {
      if (chance.below(500) == 0) {
        const std::uint32_t number = chance.below(2);
        renderers[number].reset();
        renderers[number] = make_renderer(session, number == 1, {chance.below(2) * 1'900'000U + 100'000U});
      }
      auto& model = models[chance.below(models.size())];
      Renderer& renderer = *renderers[chance.below(2)];
      if (!model || chance.below(20) == 0) {
        const Character& character = cast[chance.below(cast.size())];
        model = require_value(renderer.upload(character, tiny_bitmaps(character)));
      }
      fill_crowd(chance, model->character(), crowd);
      target.begin();
      renderer.draw(*model, crowd, camera);
      (void)target.finish();
      drawn += renderer.statistics().instances;
      posed += renderer.statistics().posed;
      max_gpu_bytes = std::max(max_gpu_bytes, renderer.gpu_bytes());
      (frame < frames / 4 ? max_early : max_late) =
          std::max<std::size_t>(frame < frames / 4 ? max_early : max_late, bytes_in_use());
    }
    CHECK(drawn > 0);
    CHECK(posed > 0);
    CHECK(posed < drawn);
    // Four streams of four parts: records, looks for characters with several images, commands and palettes.
    CHECK(max_gpu_bytes <= 2'000'000 + 4 * 4 * (256 << 10));
    CHECK(max_late <= max_early + max_early / 4 + 1'000'000);
    if (wanted != nullptr) {
      WARN("frames " << frames << ", instances drawn " << drawn << ", posed " << posed << ", peak memory " << max_early
                     << " bytes in the first quarter, " << max_late << " after it");
    }
  }
  if (kCountsAllocations) CHECK(bytes_in_use() <= before + 50'000);
}
