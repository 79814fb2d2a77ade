// SPDX-License-Identifier: MIT
// Crowds: the CPU cost of baked characters without the driver, the cost of baking, and whole offscreen frames.
#include "animation/bake.hpp"
#include "bench/timing.hpp"
#include "idle_gl.hpp"
#include "render/gl.hpp"
#include "support/scenes.hpp"
#include "support/load.hpp"

#include "puppet.hpp"

#include <pchr/load.hpp>
#include <pchr/offscreen.hpp>
#include <pchr/renderer.hpp>

#include <benchmark/benchmark.h>
#include <glad/gl.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <string>

namespace {

using pchr::bench::kiri;
using namespace pchr;

/// A tree of bones with a quad on each, and a clip of 60 frames in which all of them rotate.
Character make_character(std::uint32_t bones) {
  CharacterData data;
  data.frames_per_second = 30;
  data.images.push_back(test::plain_image(4, 4, {255, 255, 255, 255}));
  for (std::uint32_t bone = 0; bone < bones; ++bone) {
    data.bones.push_back({"bone", BoneId(static_cast<std::int32_t>(bone) / 2 - (bone == 0))});
    test::add_quad(data, "quad", 0, {{-8, -8}, {8, 8}}, static_cast<std::uint16_t>(bone));
  }
  Clip clip = test::resting_clip("turn", 60, bones, 30);
  clip.looping = true;
  for (std::size_t i = 0; i < clip.samples.x.size(); ++i) {
    clip.samples.rotation_degrees[i] = static_cast<float>(i % 60) * 0.5F;
    clip.samples.y[i] = 4;
  }
  data.clips.push_back(std::move(clip));
  auto built = Character::build(std::move(data));
  if (!built) std::abort();
  return *built;
}

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

template <typename Work>
double seconds(const Work& work) {
  const double start = now();
  work();
  return now() - start;
}

struct Walker {
  ClipId clip;
  double seconds;
};

/// Characters that play at their own times, a tenth of them out of view.
struct Walkers {
  std::vector<Walker> walkers;
  std::vector<Instance> instances;

  Walkers(const Character& character, std::size_t count) : walkers(count), instances(count) {
    std::mt19937 random(1);
    for (std::size_t i = 0; i < count; ++i) {
      const auto clips = static_cast<std::uint32_t>(character.clips().size());
      walkers[i] = {clips > 1 ? character.find_clip("walk") : ClipId{}, static_cast<double>(random() % 10'000) / 1000};
      instances[i].appearance.placement = {
          0.05F, 0, 0, 0.05F, static_cast<float>(random() % 1100), static_cast<float>(random() % 1000)};
      instances[i].appearance.tint[i % 4] = static_cast<float>(random() % 256) / 255;
    }
  }

  void advance(const Character& character, double dt, Sampling sampling) {
    const std::span<const Clip> clips = character.clips();
    for (std::size_t i = 0; i < walkers.size(); ++i) {
      walkers[i].seconds += dt;
      instances[i].clip = walkers[i].clip;
      instances[i].position = clip_time(clips[index(walkers[i].clip)], walkers[i].seconds, sampling);
    }
  }
};

const Camera kCamera{{500, 500}, 1, {1000, 1000}};

template <typename T>
T value_of(Expected<T, RenderError> expected) {
  if (!expected) std::abort();
  return std::move(*expected);
}

/// Time, culling, order, records and commands, with a driver that does nothing. The floor copies the 24 bytes of each
/// instance's placement to the memory that the GPU reads.
void own_cpu(benchmark::State& state, const Character& character, std::size_t count, Sampling sampling) {
  auto renderer = value_of(Renderer::create(bench::idle_get_proc_address));
  const Model model =
      value_of(renderer.upload(character, std::vector(character.images().size(), Bitmap{1, 1, {0, 0, 0, 0}})));
  Walkers crowd(character, count);
  renderer.bake(model, crowd.walkers[0].clip, sampling);
  std::vector<std::array<float, 8>> copies(count);
  double best = 1e9, best_floor = 1e9;
  for (auto _ : state) {
    best_floor = std::min(best_floor, seconds([&] {
                            for (std::size_t i = 0; i < count; ++i) {
                              std::memcpy(copies[i].data(), &crowd.instances[i].appearance.placement, 24);
                            }
                            benchmark::DoNotOptimize(copies.data());
                            benchmark::ClobberMemory();
                          }));
    const double time = seconds([&] {
      crowd.advance(character, 1.0 / 60, sampling);
      renderer.draw(model, crowd.instances, kCamera);
    });
    best = std::min(best, time);
    state.SetIterationTime(time);
  }
  const DrawStatistics statistics = renderer.statistics();
  if (statistics.posed > 0) state.SkipWithError("not baked");
  const auto items = static_cast<double>(count);
  state.counters["ns_each"] = best * 1e9 / items;
  bench::report_cycles(state, best / items);
  state.counters["floor_ns"] = best_floor * 1e9 / items;
  state.counters["bytes_each"] = static_cast<double>(statistics.uploaded_bytes) / items;
  state.counters["draw_calls"] = statistics.draw_calls;
  state.counters["culled"] = statistics.culled;
}

enum class Playing : int { one_clip, mixed_clips, crossfades };

/// The same with the crowd in arrays. Crossfades are posed, one by one.
void own_cpu_arrays(benchmark::State& state, const Character& character, std::size_t count, Sampling sampling,
                    Playing playing) {
  auto renderer = value_of(Renderer::create(bench::idle_get_proc_address));
  const Model model =
      value_of(renderer.upload(character, std::vector(character.images().size(), Bitmap{1, 1, {0, 0, 0, 0}})));
  for (const ClipId clip : character.clips().ids()) renderer.bake(model, clip, sampling);
  const Walkers walkers(character, count);
  std::vector<Affine> placements;
  std::vector<std::array<float, 4>> tints;
  std::vector<ClipId> clips;
  std::vector<double> times;
  std::mt19937 random(2);
  for (std::size_t i = 0; i < count; ++i) {
    placements.push_back(walkers.instances[i].appearance.placement);
    tints.push_back(walkers.instances[i].appearance.tint);
    clips.push_back(playing == Playing::mixed_clips ? ClipId(random() % character.clips().size())
                                                    : walkers.walkers[i].clip);
    times.push_back(walkers.walkers[i].seconds);
  }
  Crowd crowd{placements, clips, times, sampling, tints};
  const std::vector<ClipId> fade_clips(count, character.find_clip("idle"));
  const std::vector<float> fade_weights(count, 0.3F);
  if (playing == Playing::crossfades) {
    crowd.fade_clips = fade_clips;
    crowd.fade_seconds = times;
    crowd.fade_weights = fade_weights;
  }
  double best = 1e9;
  for (auto _ : state) {
    const double time = seconds([&] {
      for (double& each : times) each += 1.0 / 60;
      renderer.draw(model, crowd, kCamera);
    });
    best = std::min(best, time);
    state.SetIterationTime(time);
  }
  const DrawStatistics statistics = renderer.statistics();
  if ((statistics.posed > 0) != (playing == Playing::crossfades)) state.SkipWithError("not baked");
  const auto items = static_cast<double>(count);
  state.counters["ns_each"] = best * 1e9 / items;
  bench::report_cycles(state, best / items,
                       sampling == Sampling::step && playing == Playing::one_clip && count >= 1000 ? 32 : 0);
  state.counters["bytes_each"] = static_cast<double>(statistics.uploaded_bytes) / items;
  state.counters["draw_calls"] = statistics.draw_calls;
  state.counters["culled"] = statistics.culled;
}

/// The first draw of an instance of each of many clips, with and without a limit on what a draw bakes, and how many
/// draws it takes until all are baked.
void first_draw(benchmark::State& state, std::uint64_t bake_bytes_per_draw) {
  constexpr std::uint32_t kClips = 1000;
  static const Character character = [] {
    CharacterData data = make_character(16).data();
    data.clips.resize(kClips, data.clips[0]);
    auto built = Character::build(std::move(data));
    if (!built) std::abort();
    return *built;
  }();
  std::vector<Instance> instances(kClips);
  for (std::uint32_t i = 0; i < kClips; ++i) instances[i].clip = ClipId{i};
  double best = 1e9, longest = 0;
  int draws = 0;
  for (auto _ : state) {
    auto renderer =
        value_of(Renderer::create(bench::idle_get_proc_address, {.palette_budget_bytes = std::uint64_t{1} << 30,
                                                                 .bake_bytes_per_draw = bake_bytes_per_draw}));
    const Model model =
        value_of(renderer.upload(character, std::vector(character.images().size(), Bitmap{1, 1, {0, 0, 0, 0}})));
    longest = 0;
    draws = 0;
    do {
      const double time = seconds([&] { renderer.draw(model, instances, kCamera); });
      longest = std::max(longest, time);
      ++draws;
    } while (renderer.statistics().posed > 0);
    best = std::min(best, longest);
    state.SetIterationTime(longest);
  }
  state.counters["longest_draw_ms"] = best * 1e3;
  state.counters["draws"] = draws;
}

/// Baking one clip, per bone and frame, compared with copying the result; its bounds, per vertex and frame; and the
/// draw orders of all clips, per frame. Uses wall-clock time, because baking uses several threads.
void bake_palettes(benchmark::State& state, const Character& character, ClipId clip) {
  const PaletteLayout layout = make_palette_layout(character);
  const std::uint32_t frames = baked_frames(character, clip);
  std::vector<BoneTexels> palettes(frames * layout.entries.size()), copy(palettes.size());
  std::vector<Rect> bounds(frames);
  double best = 1e9, best_palettes = 1e9, best_copy = 1e9, best_orders = 1e9;
  for (auto _ : state) {
    const double time = seconds([&] { bake_clip(character, layout, clip, {}, palettes, bounds); });
    best = std::min(best, time);
    best_palettes = std::min(best_palettes, seconds([&] { bake_clip(character, layout, clip, {}, palettes, {}); }));
    state.SetIterationTime(time);
    best_copy = std::min(best_copy, seconds([&] {
                           std::memcpy(copy.data(), palettes.data(), palettes.size() * sizeof(BoneTexels));
                           benchmark::DoNotOptimize(copy.data());
                           benchmark::ClobberMemory();
                         }));
    best_orders = std::min(best_orders, seconds([&] { benchmark::DoNotOptimize(find_draw_orders(character)); }));
  }
  std::size_t all_frames = 0;
  for (const Clip& each : character.clips()) all_frames += each.frame_count;
  const auto items = static_cast<double>(frames) * static_cast<double>(character.bones().size());
  const auto vertex_items = static_cast<double>(frames) * static_cast<double>(character.vertices().size());
  state.counters["ns_bone_frame"] = best_palettes * 1e9 / items;
  bench::report_cycles(state, best_palettes / items, character.bones().size() == 64 ? 10 : 0);
  state.counters["copy_ns"] = best_copy * 1e9 / items;
  state.counters["bounds_ns_vertex"] = std::max(best - best_palettes, 0.0) * 1e9 / vertex_items;
  state.counters["order_us_frame"] = best_orders * 1e6 / static_cast<double>(all_frames);
}

/// A context with a target of 512 x 512 pixels.
struct Stage {
  explicit Stage(GlApi api) : context(value_of(HeadlessContext::create({.api = api}))) {}

  HeadlessContext context;
  Renderer renderer = value_of(Renderer::create(context.get_proc_address()));
  OffscreenTarget target = value_of(OffscreenTarget::create(context.get_proc_address(), 512, 512));
  std::shared_ptr<const Gl> gl = value_of(load_gl(context.get_proc_address()));
};

enum class Path : int { baked, posed };
enum class Pixels : int { filled, discarded };

/// A whole frame of small characters until the GPU has finished, also without pixels, which leaves the vertices.
/// `gpu_us_each` is GPU time, if the GPU has a timer.
void whole_frame(benchmark::State& state, Path path, Pixels pixels, std::size_t count, GlApi api = GlApi::desktop) {
  Stage stage(api);
  const Gl& gl = *stage.gl;
  const Character& character = kiri();
  const Model model = value_of(stage.renderer.upload(character));
  Walkers crowd(character, count);
  const Camera camera{{550, 500}, 0.5F, {512, 512}};
  std::vector<PoseBuffers> posed(path == Path::posed ? count : 0);
  GLuint query = 0;
  if (!gl.is_es) gl.GenQueries(1, &query);
  double best = 1e9, submitting = 1e9, on_gpu = 1e9;
  stage.target.begin();
  if (pixels == Pixels::discarded) gl.Enable(GL_RASTERIZER_DISCARD);
  for (auto _ : state) {
    double submitted = 0;
    const double time = seconds([&] {
      submitted = seconds([&] {
        if (!gl.is_es) gl.BeginQuery(GL_TIME_ELAPSED, query);
        crowd.advance(character, 1.0 / 60, Sampling::step);
        if (path == Path::baked) stage.renderer.draw(model, crowd.instances, camera, StateHandling::dirty);
        for (std::size_t i = 0; i < posed.size(); ++i) {
          pose_clip(character, crowd.instances[i].clip, crowd.instances[i].position, posed[i]);
          stage.renderer.draw(model, posed[i], camera, {crowd.instances[i].appearance, nullptr, StateHandling::dirty});
        }
        if (!gl.is_es) gl.EndQuery(GL_TIME_ELAPSED);
      });
      gl.Finish();
    });
    GLuint64 nanoseconds = 0;
    if (!gl.is_es) gl.GetQueryObjectui64v(query, GL_QUERY_RESULT, &nanoseconds);
    best = std::min(best, time);
    submitting = std::min(submitting, submitted);
    on_gpu = std::min(on_gpu, static_cast<double>(nanoseconds) * 1e-9);
    state.SetIterationTime(time);
  }
  gl.Disable(GL_RASTERIZER_DISCARD);
  (void)stage.target.finish();
  if (!gl.is_es) gl.DeleteQueries(1, &query);
  state.SetLabel(stage.context.description());
  state.counters["us_each"] = best * 1e6 / static_cast<double>(count);
  state.counters["submit_us_each"] = submitting * 1e6 / static_cast<double>(count);
  if (!gl.is_es) state.counters["gpu_us_each"] = on_gpu * 1e6 / static_cast<double>(count);
}

void manual(benchmark::internal::Benchmark* benchmark) {
  benchmark->UseManualTime()->Unit(benchmark::kMicrosecond)->MinTime(0.2);
}

const bool kRegistered = [] {
  const auto add = [](const std::string& name, auto work) {
    benchmark::RegisterBenchmark(name.c_str(), work)->Apply(manual);
  };
  for (const std::size_t count : {1, 100, 1000, 10'000, 100'000}) {
    add("crowd_own_cpu/kiri/" + std::to_string(count),
        [=](benchmark::State& state) { own_cpu(state, kiri(), count, Sampling::step); });
  }
  add("crowd_own_cpu/kiri_smooth/10000",
      [](benchmark::State& state) { own_cpu(state, kiri(), 10'000, Sampling::smooth); });
  for (const std::size_t count : {1, 100, 1000, 10'000, 100'000}) {
    add("crowd_arrays/kiri/" + std::to_string(count),
        [=](benchmark::State& state) { own_cpu_arrays(state, kiri(), count, Sampling::step, Playing::one_clip); });
  }
  add("crowd_arrays/kiri_smooth/10000",
      [](benchmark::State& state) { own_cpu_arrays(state, kiri(), 10'000, Sampling::smooth, Playing::one_clip); });
  add("crowd_arrays/kiri_mixed_clips/10000",
      [](benchmark::State& state) { own_cpu_arrays(state, kiri(), 10'000, Sampling::step, Playing::mixed_clips); });
  add("crowd_arrays/kiri_crossfades/1000",
      [](benchmark::State& state) { own_cpu_arrays(state, kiri(), 1000, Sampling::smooth, Playing::crossfades); });
  add("first_draw/1000_clips",
      [](benchmark::State& state) { first_draw(state, RendererOptions{}.bake_bytes_per_draw); });
  add("first_draw/1000_clips_unlimited", [](benchmark::State& state) { first_draw(state, ~std::uint64_t{0}); });
  for (const std::uint32_t bones : {16, 64, 256, 1000}) {
    add("crowd_own_cpu/bones_" + std::to_string(bones) + "/10000",
        [=](benchmark::State& state) { own_cpu(state, make_character(bones), 10'000, Sampling::step); });
    add("bake/bones_" + std::to_string(bones),
        [=](benchmark::State& state) { bake_palettes(state, make_character(bones), ClipId{0}); });
  }
  add("bake/kiri_walk", [](benchmark::State& state) { bake_palettes(state, kiri(), kiri().find_clip("walk")); });
  for (const std::size_t count : {1, 100, 1000}) {
    add("whole_frame/baked/" + std::to_string(count),
        [=](benchmark::State& state) { whole_frame(state, Path::baked, Pixels::filled, count); });
    add("whole_frame/posed/" + std::to_string(count),
        [=](benchmark::State& state) { whole_frame(state, Path::posed, Pixels::filled, count); });
    add("vertices_only/baked/" + std::to_string(count),
        [=](benchmark::State& state) { whole_frame(state, Path::baked, Pixels::discarded, count); });
    add("vertices_only/posed/" + std::to_string(count),
        [=](benchmark::State& state) { whole_frame(state, Path::posed, Pixels::discarded, count); });
    add("vertices_only_es/baked/" + std::to_string(count),
        [=](benchmark::State& state) { whole_frame(state, Path::baked, Pixels::discarded, count, GlApi::es); });
    add("vertices_only_es/posed/" + std::to_string(count),
        [=](benchmark::State& state) { whole_frame(state, Path::posed, Pixels::discarded, count, GlApi::es); });
  }
  return true;
}();

}  // namespace
