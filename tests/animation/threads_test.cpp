// SPDX-License-Identifier: MIT
// One character on many threads. A program of its own, so it can be built separately with ThreadSanitizer.
#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/latch.hpp"
#include "support/load.hpp"

#include <pchr/animator.hpp>
#include <pchr/executor.hpp>
#include <pchr/import/import.hpp>
#include <pchr/pose.hpp>
#include <pchr/queries.hpp>
#include <pchr/states.hpp>
#include <pchr/image.hpp>
#include <pchr/load.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

using namespace pchr;
using namespace pchr::test;

namespace {

constexpr std::size_t kThreads = 64;

/// Calls work(0) to work(kThreads - 1) concurrently, each on its own thread.
template <typename Work>
void on_all_threads(const Work& work) {
  Latch start(kThreads);
  std::vector<std::jthread> threads;
  for (std::size_t thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      start.arrive_and_wait();
      work(thread);
    });
  }
}

/// The bits of results, for comparison.
class Digest {
 public:
  template <typename T>
  void add(std::span<const T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    for (const std::byte byte : std::as_bytes(values)) hash_ = (hash_ ^ static_cast<unsigned>(byte)) * 1099511628211ULL;
  }
  template <typename T>
  void add_value(const T& value) {
    add(std::span<const T>(&value, 1));
  }
  void add_posed(const PoseBuffers& posed) {
    add(std::span<const Affine>(posed.world));
    add(std::span<const Affine>(posed.palette));
    add(std::span<const float>(posed.pose.opacity));
    add(std::span<const DrawItem>(posed.draw_list));
  }
  void add_hit(const std::optional<Hit>& hit) {
    add_value(hit ? hit->mesh : MeshId::none);
    if (hit) add_value(hit->triangle), add_value(hit->bone), add_value(hit->barycentrics), add_value(hit->uv);
  }
  bool operator==(const Digest&) const = default;

 private:
  std::uint64_t hash_ = 14695981039346656037ULL;
};

Character load_sample() { return load_asset("kiri.pchr"); }

/// Runs every query on some moments of a clip.
Digest ask_about_clip(const Character& character, std::span<const AlphaMask> masks, ClipId clip) {
  Digest digest;
  PoseBuffers posed;
  std::vector<Hit> hits;
  const std::uint32_t frames = character.clips()[clip].frame_count;
  for (std::uint32_t frame = 0; frame < frames; frame += 11) {
    digest.add_value(compute_frame_bounds(character, clip, frame));
    const ClipTime position{frame, (frame + 1) % frames, 0.25F};
    pose_clip(character, clip, position, posed);
    digest.add_posed(posed);
    const Rect area = bounds(character, posed);
    digest.add_value(area);
    digest.add_value(bone_world(character, clip, position, BoneId(posed.world.size() - 1)));
    digest.add_hit(hit_test(character, posed, masks, area.center()));
    hit_test_all(character, posed, masks, area.min * 0.25F + area.max * 0.75F, hits);
    for (const Hit& hit : hits) digest.add_hit(hit);
  }
  for (const MeshId mesh : character.meshes().ids()) {
    digest.add_value(compute_mesh_bounds(character, clip, mesh));
  }
  digest.add_value(compute_clip_bounds(character, clip));
  return digest;
}

/// Queries every clip, starting with `first`, so threads collide on different data.
std::vector<Digest> ask_about_all(const Character& character, std::span<const AlphaMask> masks, std::size_t first) {
  const std::size_t clips = character.clips().size();
  std::vector<Digest> digests(clips);
  for (std::size_t i = 0; i < clips; ++i) {
    const std::size_t clip = (first + i) % clips;
    digests[clip] = ask_about_clip(character, masks, ClipId(static_cast<std::uint32_t>(clip)));
  }
  Digest& whole = digests.emplace_back();
  whole.add_value(compute_character_bounds(character));
  return digests;
}

/// Starts a play on an animator, different for each number.
void begin(Animator& animator, std::size_t number) {
  const auto clips = static_cast<std::uint32_t>(animator.character().clips().size());
  const auto clip = [&](std::size_t i) { return static_cast<std::uint32_t>((number + i) % clips); };
  animator.set_sampling(Sampling::smooth);
  animator.set_speed(number % 5 == 4 ? -1.0 : 0.5 + 0.125 * static_cast<double>(number % 8));
  animator.play(ClipId{clip(0)});
  animator.play(ClipId{clip(1)}, {.fade_seconds = 0.3, .loop = LoopMode::loop});
  animator.queue(ClipId{clip(2)}, {.fade_seconds = 0.2});
  animator.set_layer(1,
                     {.weight = 0.5F,
                      .mode = number % 2 == 0 ? LayerMode::additive : LayerMode::override_below,
                      .mask = mask_of_subtree(animator.character(), BoneId(static_cast<std::uint32_t>(number % 20)))});
  animator.play(ClipId{clip(3)}, {.layer = 1, .fade_seconds = 0.1});
  animator.overrides.push_back({.bone = BoneId{2}, .rotation_degrees = static_cast<float>(number), .relative = true});
  animator.set_root_motion(RootMotion{});
}

Animator make_animator(const Character& character, const std::shared_ptr<const Markers>& markers, std::size_t number) {
  Animator animator(character);
  animator.set_markers(markers);
  begin(animator, number);
  return animator;
}

/// The events and pose of an animator in one step.
void add_step(Animator& animator, const PoseBuffers& posed, Digest& digest) {
  for (const AnimatorEvent& event : animator.events()) {
    digest.add_value(event.kind);
    digest.add_value(event.count);
    digest.add_value(event.seconds);
    digest.add_value(event.weight);
  }
  digest.add_value(animator.take_root_motion());
  digest.add_posed(posed);
}

constexpr int kSteps = 40;
constexpr double kStepSeconds = 0.037;

Digest play_alone(const Character& character, const std::shared_ptr<const Markers>& markers, std::size_t number) {
  Animator animator = make_animator(character, markers, number);
  PoseBuffers posed;
  Digest digest;
  for (int step = 0; step < kSteps; ++step) {
    if (step == kSteps / 2) animator.play(ClipId{0}, {.fade_seconds = 0.2});
    animator.advance(kStepSeconds);
    animator.pose(posed);
    add_step(animator, posed, digest);
  }
  return digest;
}

}  // namespace

// Runs first, so threads also collide on lazy initialization in the library.
TEST_CASE("64 threads that load and decode one file get the same result as one thread", "[threads]") {
  const Bytes bytes = read_file(asset("kiri.pchr"));
  std::vector<std::optional<Character>> characters(kThreads);
  std::vector<Digest> pixels(kThreads);
  const auto load_all = [&](std::size_t thread) {
    auto character = load_character(std::span<const std::byte>(bytes));
    if (!character) return;
    if (thread % 8 == 0) {
      if (const auto images = decode_images(*character)) {
        for (const Bitmap& image : *images) pixels[thread].add(std::span<const std::uint8_t>(image.rgba));
      }
    }
    characters[thread] = std::move(*character);
  };
  on_all_threads(load_all);
  const Character alone = load_sample();
  Digest expected;
  const auto images = decode_images(alone).value();
  for (const Bitmap& image : images) expected.add(std::span<const std::uint8_t>(image.rgba));
  for (std::size_t thread = 0; thread < kThreads; ++thread) {
    REQUIRE(characters[thread]);
    CHECK(characters[thread]->data() == alone.data());
    CHECK((thread % 8 != 0 || pixels[thread] == expected));
  }
}

TEST_CASE("64 threads that pose and query one character get the bits of one thread", "[threads]") {
  const auto masks = alpha_masks(load_sample()).value();
  const std::vector<Digest> expected = ask_about_all(load_sample(), masks, 0);
  // Each round starts with a character that has not been queried yet.
  for (int round = 0; round < 2; ++round) {
    std::optional<Character> shared = load_sample();
    std::vector<std::vector<Digest>> digests(kThreads);
    on_all_threads([&](std::size_t thread) {
      const Character copy = *shared;
      digests[thread] = ask_about_all(copy, masks, thread);
    });
    CHECK(std::ranges::count(digests, expected) == kThreads);
  }
}

TEST_CASE("64 threads with their own animators on one character get the bits of one thread", "[threads]") {
  const Character character = load_sample();
  const auto markers =
      std::make_shared<const Markers>(load_rig(utf8_of(asset("kiri.rig.json")), character).value().markers);
  std::vector<Digest> together(kThreads);
  on_all_threads([&](std::size_t thread) { together[thread] = play_alone(character, markers, thread); });
  int different = 0;
  for (std::size_t thread = 0; thread < kThreads; ++thread) {
    different += together[thread] != play_alone(character, markers, thread);
  }
  CHECK(different == 0);
  CHECK(together[0] != together[1]);
}

TEST_CASE("spans of animators split over threads get the same bits as whole spans", "[threads]") {
  const Character character = load_sample();
  const auto markers = std::make_shared<const Markers>();
  constexpr std::size_t kAnimators = 2 * kThreads + 5;
  struct Crowd {
    std::vector<Animator> animators;
    std::vector<PoseBuffers> posed = std::vector<PoseBuffers>(kAnimators);
  };
  Crowd whole, split;
  for (std::size_t i = 0; i < kAnimators; ++i) {
    whole.animators.push_back(make_animator(character, markers, i));
    split.animators.push_back(make_animator(character, markers, i));
  }
  for (int step = 0; step < 3; ++step) {
    advance_many(whole.animators, 0.21);
    pose_many(whole.animators, whole.posed);
    on_all_threads([&](std::size_t thread) {
      const std::size_t first = kAnimators * thread / kThreads, last = kAnimators * (thread + 1) / kThreads;
      const auto part = std::span(split.animators).subspan(first, last - first);
      advance_many(part, 0.21);
      pose_many(part, std::span(split.posed).subspan(first, last - first));
    });
    int different = 0;
    for (std::size_t i = 0; i < kAnimators; ++i) {
      Digest a, b;
      add_step(whole.animators[i], whole.posed[i], a);
      add_step(split.animators[i], split.posed[i], b);
      different += a != b;
    }
    CHECK(different == 0);
  }
}

namespace {

/// Everything that can run in parallel, for one character of each kind.
struct ParallelResults {
  std::vector<Digest> digests;
  bool operator==(const ParallelResults&) const = default;

  explicit ParallelResults(const Executor& executor) {
    for (const char* const file : {"kiri.pchr", "hotaru.px", "koi/koi.psk", "corners.pchr"}) {
      ImportOptions options;
      options.executor = executor;
      const Character character = load_character(asset(file), options).value();
      Digest& digest = digests.emplace_back();
      for (const Image& image : character.images()) digest.add(std::span<const std::byte>(image.bytes));
      const auto bitmaps = decode_images(character, {}, executor).value();
      for (const Bitmap& bitmap : bitmaps) digest.add(std::span<const std::uint8_t>(bitmap.rgba));
      const auto masks = alpha_masks(character, {}, executor).value();
      for (const AlphaMask& mask : masks) digest.add(std::span<const std::uint8_t>(mask.alpha));
      for (const ClipId clip : character.clips().ids()) {
        digest.add_value(compute_frame_bounds(character, clip, 0, executor));
        digest.add_value(compute_mesh_bounds(character, clip, MeshId{0}, executor));
      }
      digest.add_value(compute_character_bounds(character, executor));
    }
  }
};

}  // namespace

TEST_CASE("an executor's threads give the bits of one thread", "[threads]") {
  const ParallelResults alone{Executor()};
  CHECK(ParallelResults(thread_executor()) == alone);
  CHECK(ParallelResults(thread_executor(7)) == alone);
}

TEST_CASE("an executor that makes too few calls, or too many, changes no result", "[threads]") {
  const ParallelResults alone{Executor()};
  const auto never = [](void*, std::size_t, Executor::Task, void*) {};
  CHECK(ParallelResults({never, nullptr, 4}) == alone);
  const auto last_only = [](void*, std::size_t count, Executor::Task task, void* context) { task(context, count - 1); };
  CHECK(ParallelResults({last_only, nullptr, 4}) == alone);
  const auto twice = [](void*, std::size_t count, Executor::Task task, void* context) {
    for (std::size_t i = 0; i < 2 * count; ++i) task(context, i);
  };
  CHECK(ParallelResults({twice, nullptr, 4}) == alone);
  // Without a function, the number of threads means nothing.
  CHECK(ParallelResults({nullptr, nullptr, 4}) == alone);
}

TEST_CASE("an executor gets its own pointer, and work in as many parts as it has threads", "[threads]") {
  struct Seen {
    std::size_t calls = 0, most = 0;
  } seen;
  const auto count_parts = [](void* user, std::size_t count, Executor::Task task, void* context) {
    auto& all = *static_cast<Seen*>(user);
    ++all.calls;
    all.most = std::max(all.most, count);
    for (std::size_t i = 0; i < count; ++i) task(context, i);
  };
  const ParallelResults results{{count_parts, &seen, 2}};
  CHECK(seen.calls > 0);
  CHECK(seen.most == 2);
}

TEST_CASE("thread_executor runs every task once, on at most the given number of threads", "[threads]") {
  struct Run {
    std::array<std::atomic<int>, 100> runs{};
    std::mutex mutex{};
    std::set<std::thread::id> threads{};
  };
  for (const unsigned threads : {1U, 4U}) {
    Run run;
    const Executor executor = thread_executor(threads);
    CHECK(executor.threads == threads);
    const auto task = [](void* context, std::size_t i) {
      auto& all = *static_cast<Run*>(context);
      ++all.runs[i];
      const std::scoped_lock lock(all.mutex);
      all.threads.insert(std::this_thread::get_id());
    };
    executor.parallel_for(executor.user, run.runs.size(), task, &run);
    CHECK(std::ranges::all_of(run.runs, [](const auto& runs) { return runs == 1; }));
    CHECK(run.threads.size() <= threads);
    executor.parallel_for(executor.user, 0, task, &run);
  }
  CHECK(thread_executor().threads >= 1);
}

TEST_CASE("machines that share a graph run on many threads", "[threads]") {
  const Character character = load_asset("kiri.pchr");
  const Sidecar sidecar = load_rig(utf8_of(asset("kiri.rig.json")), character).value();
  const auto graph = make_state_graph(sidecar.states, character, sidecar.masks, Markers(sidecar.markers)).value();
  std::array<std::string, kThreads> saved;
  std::array<Digest, kThreads> poses;
  on_all_threads([&](std::size_t thread) {
    Animator animator(character);
    StateMachine machine(graph);
    PoseBuffers posed;
    for (int i = 0; i < 200; ++i) {
      machine.set("speed", static_cast<float>(i % 50) / 25);
      if (i % 60 == 0) machine.fire("jump");
      if (i % 45 == 0) machine.fire("wave");
      machine.advance(animator, 0.03);
      animator.pose(posed);
    }
    poses[thread].add_posed(posed);
    saved[thread] = machine.save(animator);
  });
  CHECK(std::ranges::count(saved, saved[0]) == static_cast<std::ptrdiff_t>(kThreads));
  CHECK(std::ranges::count(poses, poses[0]) == static_cast<std::ptrdiff_t>(kThreads));
}
