// SPDX-License-Identifier: MIT
// Posing, for each set of kernels that this processor supports, on the sample character and on generated ones. Each
// line gives the best of many short runs, and the best of floors that ran in between. `of_copy` compares with memcpy of
// the same bytes, `of_compose` with unrolled composing of the same bones from precomputed local transforms. 1 is as
// fast as the floor.
#include "support/scenes.hpp"
#include "support/load.hpp"
#include "puppet.hpp"
#include "timing.hpp"

#include "character/kernels.hpp"

#include <pchr/gpu.hpp>
#include <pchr/load.hpp>
#include <pchr/pose.hpp>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <string>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace {

using pchr::Affine;
using pchr::Character;
using pchr::PoseKernels;
using pchr::bench::kiri;

constexpr std::uint32_t kFrames = 8;

/// Deterministic random numbers from 0 to below 1.
class Numbers {
 public:
  float next() {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<float>(state_ >> 40) / static_cast<float>(1 << 24);
  }
  float between(float low, float high) { return low + (high - low) * next(); }

 private:
  std::uint64_t state_ = 1;
};

/// Bones in short chains, like a body, with two clips that rotate and move all of them, and vertices with four
/// influences from neighboring bones.
Character make_character(std::uint32_t bones, std::uint32_t vertices) {
  Numbers numbers;
  pchr::CharacterData data;
  data.images.push_back(pchr::test::plain_image(4, 4, {255, 255, 255, 255}));
  for (std::uint32_t i = 0; i < bones; ++i) {
    const auto back = static_cast<std::int32_t>(1 + static_cast<std::uint32_t>(numbers.next() * 6));
    data.bones.push_back({"bone", pchr::BoneId(i == 0 ? -1 : std::max(static_cast<std::int32_t>(i) - back, 0))});
  }
  for (const char* name : {"walk", "run"}) {
    pchr::Clip clip = pchr::test::resting_clip(name, kFrames, bones);
    for (std::size_t i = 0; i < clip.samples.x.size(); ++i) {
      clip.samples.x[i] = numbers.between(-20, 20);
      clip.samples.y[i] = numbers.between(-20, 20);
      clip.samples.rotation_degrees[i] = numbers.between(-180, 180);
      clip.samples.scale_x[i] = numbers.between(0.9F, 1.1F);
      clip.samples.scale_y[i] = numbers.between(0.9F, 1.1F);
    }
    data.clips.push_back(std::move(clip));
  }
  for (std::uint32_t i = 0; i < vertices; ++i) {
    pchr::Vertex vertex{numbers.between(-100, 100), numbers.between(-100, 100), 0, 0, {}, {}};
    const float at = static_cast<float>(i) / static_cast<float>(vertices) * static_cast<float>(bones);
    for (int slot = 0; slot < 4; ++slot) {
      vertex.bones[slot] = static_cast<std::uint16_t>((static_cast<std::uint32_t>(at) + slot) % bones);
      vertex.weights[slot] = 0.25F;
    }
    data.vertices.push_back(vertex);
  }
  return build(std::move(data));
}

/// Meshes of one quad each, every one governed by its own bone, half of them out of file order.
Character make_meshes(std::uint32_t meshes) {
  pchr::CharacterData data;
  data.images.push_back(pchr::test::plain_image(4, 4, {255, 255, 255, 255}));
  pchr::Clip clip = pchr::test::resting_clip("bind", 2, meshes);
  for (std::uint32_t i = 0; i < meshes; ++i) {
    data.bones.push_back({"bone", pchr::BoneId::none});
    pchr::test::add_quad(data, "quad", 0, {{0, 0}, {1, 1}}, static_cast<std::uint16_t>(i));
    clip.samples.z_order[i] = static_cast<std::int32_t>(i * 7 % meshes);
    clip.samples.z_order[meshes + i] = static_cast<std::int32_t>(i * 11 % meshes);
  }
  data.clips.push_back(std::move(clip));
  return build(std::move(data));
}

/// Composes bones from precomputed local transforms in padded, aligned rows, four bones per iteration. One vector per
/// transform with AVX2, otherwise two.
struct ComposeFloor {
  struct alignas(32) Row {
    float values[8] = {};
  };

  explicit ComposeFloor(const Character& character) : parents(character.bones().size()) {
    const std::size_t bones = parents.size();
    // Rounded up, so the last iteration is like the others.
    parents.resize((bones + 3) / 4 * 4, 0);
    local.resize(parents.size());
    world.resize(parents.size() + 1);
    for (std::size_t i = 0; i < bones; ++i) {
      // The row before the first is the parent of roots.
      parents[i] = static_cast<std::int32_t>(character.bones()[i].parent) + 1;
      const float degrees = static_cast<float>(i) * 37;
      const float row[8] = {std::cos(degrees), std::sin(degrees), -std::sin(degrees), std::cos(degrees), 3, 4, 0, 0};
      std::memcpy(local[i].values, row, sizeof row);
    }
    world[0] = {{1, 0, 0, 1, 0, 0, 0, 0}};
  }

#if defined(__x86_64__)
  __attribute__((target("avx2"))) void run_avx2() {
    for (std::size_t first = 0; first < local.size(); first += 4) {
      for (std::size_t i = first; i < first + 4; ++i) {
        const float* parent = world[parents[i]].values;
        const __m256 ab = _mm256_castpd_ps(_mm256_broadcast_sd(reinterpret_cast<const double*>(parent)));
        const __m256 cd = _mm256_castpd_ps(_mm256_broadcast_sd(reinterpret_cast<const double*>(parent + 2)));
        const __m256 translation = _mm256_blend_ps(_mm256_set1_ps(-0.0F), _mm256_load_ps(parent), 0b0011'0000);
        const __m256 row = _mm256_load_ps(local[i].values);
        _mm256_store_ps(world[i + 1].values, ab * _mm256_moveldup_ps(row) + cd * _mm256_movehdup_ps(row) + translation);
      }
    }
  }
  void run_sse2() {
    for (std::size_t first = 0; first < local.size(); first += 4) {
      for (std::size_t i = first; i < first + 4; ++i) {
        const float* parent = world[parents[i]].values;
        const __m128 linear = _mm_load_ps(parent);
        const __m128 ab = _mm_movelh_ps(linear, linear);
        const __m128 cd = _mm_movehl_ps(linear, linear);
        const __m128 row = _mm_load_ps(local[i].values);
        const __m128 moved = _mm_load_ps(local[i].values + 4);
        _mm_store_ps(world[i + 1].values, ab * _mm_shuffle_ps(row, row, _MM_SHUFFLE(2, 2, 0, 0)) +
                                              cd * _mm_shuffle_ps(row, row, _MM_SHUFFLE(3, 3, 1, 1)));
        _mm_store_ps(world[i + 1].values + 4, ab * _mm_shuffle_ps(moved, moved, _MM_SHUFFLE(0, 0, 0, 0)) +
                                                  cd * _mm_shuffle_ps(moved, moved, _MM_SHUFFLE(1, 1, 1, 1)) +
                                                  _mm_load_ps(parent + 4));
      }
    }
  }
#endif
  void run_scalar() {
    for (std::size_t i = 0; i < local.size(); ++i) {
      const Affine outer = affine_of(world[parents[i]]);
      const Affine product = pchr::concatenate(outer, affine_of(local[i]));
      std::memcpy(world[i + 1].values, &product, sizeof product);
    }
  }
  void run(const PoseKernels& kernels) {
#if defined(__x86_64__)
    if (&kernels == &pchr::kEightLaneKernels) return run_avx2();
    if (&kernels == &pchr::kFourLaneKernels) return run_sse2();
#endif
    run_scalar();
  }

  static Affine affine_of(const Row& row) {
    Affine affine;
    std::memcpy(static_cast<void*>(&affine), row.values, sizeof affine);
    return affine;
  }

  std::vector<int> parents;
  std::vector<Row> local, world;
};

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// Runs of about 20 microseconds, so the cost of reading the clock is negligible.
class Timed {
 public:
  explicit Timed(std::function<void(int)> work) : work_(std::move(work)) {
    // The best of several runs, because the first ones wait for memory and others are interrupted.
    for (;;) {
      for (int i = 0; i < 20; ++i) run();
      if (best_ * times_ >= 20e-6) return;
      times_ *= 2;
    }
  }
  /// Seconds per run.
  double run() {
    const double start = now();
    work_(times_);
    const double each = (now() - start) / times_;
    best_ = std::min(best_, each);
    return each;
  }
  [[nodiscard]] double best() const { return best_; }

 private:
  std::function<void(int)> work_;
  int times_ = 1;
  double best_ = 1e9;
};

template <typename Work>
std::function<void(int)> repeated(Work work) {
  return [work](int times) mutable {
    for (int i = 0; i < times; ++i) {
      work();
      benchmark::ClobberMemory();
    }
  };
}

struct Floor {
  const char* name;
  std::function<void(int)> work;
};

/// Copies half as many bytes as the work reads and writes, because memcpy both reads and writes each byte.
Floor copy_floor(std::size_t bytes_moved) {
  struct Memory {
    std::vector<char> from, to;
  };
  auto memory = std::make_shared<Memory>();
  memory->from.resize(bytes_moved / 2);
  memory->to.resize(bytes_moved / 2);
  return {"copy", repeated([memory] { std::memcpy(memory->to.data(), memory->from.data(), memory->to.size()); })};
}

Floor compose_floor(const Character& character, const PoseKernels& kernels) {
  auto floor = std::make_shared<ComposeFloor>(character);
  return {"compose", repeated([floor, &kernels] { floor->run(kernels); })};
}

void measure(benchmark::State& state, const PoseKernels& kernels, std::size_t items, const std::vector<Floor>& floors,
             std::function<void(int)> work) {
  pchr::use_kernels(kernels);
  std::vector<Timed> timed_floors;
  for (const Floor& floor : floors) timed_floors.emplace_back(floor.work);
  Timed timed_work(std::move(work));
  for (auto _ : state) {
    for (Timed& floor : timed_floors) floor.run();
    state.SetIterationTime(timed_work.run());
  }
  const double each = static_cast<double>(items) * 1e-9;
  state.counters["ns_per_item"] = timed_work.best() / each;
  pchr::bench::report_cycles(state, timed_work.best() / static_cast<double>(items));
  for (std::size_t i = 0; i < floors.size(); ++i) {
    state.counters[std::string(floors[i].name) + "_ns"] = timed_floors[i].best() / each;
    state.counters[std::string("of_") + floors[i].name] = timed_floors[i].best() / timed_work.best();
  }
  pchr::use_kernels(*pchr::available_kernels().back());
}

// Bytes that each stage reads and writes per bone: a sample of seven values and a flag, a matrix of six floats.
constexpr std::size_t kSample = 29;
constexpr std::size_t kMatrix = sizeof(Affine);

using Stage = std::function<void(benchmark::State&, const Character&, const PoseKernels&)>;

pchr::ClipTime between_frames(std::uint32_t step) { return {step % kFrames, (step + 1) % kFrames, 0.5F}; }
pchr::ClipTime at_frame(std::uint32_t step) { return {step % kFrames, step % kFrames, 0}; }

template <typename Position>
void sample_stage(benchmark::State& state, const Character& character, const PoseKernels& kernels, Position position,
                  std::size_t frames) {
  const std::size_t bones = character.bones().size();
  auto pose = std::make_shared<pchr::Pose>();
  measure(state, kernels, bones, {copy_floor(bones * kSample * (frames + 1))},
          repeated([&character, pose, position, step = 0U]() mutable {
            pchr::sample(character, pchr::ClipId{0}, position(step++), *pose);
          }));
}

void blend_stage(benchmark::State& state, const Character& character, const PoseKernels& kernels) {
  const std::size_t bones = character.bones().size();
  auto pose = std::make_shared<pchr::Pose>();
  pchr::sample(character, pchr::ClipId{0}, {}, *pose);
  // Alternates direction. Blending toward one pose repeatedly ends in denormal differences, which are slow.
  const pchr::PoseView to = character.clips()[1].samples.frame(0, bones);
  const pchr::PoseView back = character.clips()[0].samples.frame(0, bones);
  measure(state, kernels, bones, {copy_floor(bones * kSample * 3)},
          repeated([pose, to, back, step = 0U]() mutable { pchr::blend(step++ % 2 == 0 ? to : back, 0.25F, *pose); }));
}

void compose_stage(benchmark::State& state, const Character& character, const PoseKernels& kernels) {
  const std::size_t bones = character.bones().size();
  const pchr::PoseView pose = character.clips()[0].samples.frame(1, bones);
  auto world = std::make_shared<std::vector<Affine>>(bones);
  measure(state, kernels, bones, {copy_floor(bones * (20 + kMatrix)), compose_floor(character, kernels)},
          repeated([&character, pose, world] { pchr::compose(character.bones(), pose, *world); }));
}

void palette_stage(benchmark::State& state, const Character& character, const PoseKernels& kernels) {
  const std::size_t bones = character.bones().size();
  const std::vector<Affine> world(bones, pchr::kIdentity);
  auto palette = std::make_shared<std::vector<Affine>>(bones);
  measure(state, kernels, bones, {copy_floor(bones * kMatrix * 3)},
          repeated([&character, world, palette] { pchr::build_palette(world, character.inverse_bind(), *palette); }));
}

/// Sampling, composing and palette, without meshes and therefore without a draw list.
void pose_stage(benchmark::State& state, const Character& character, const PoseKernels& kernels,
                const std::function<pchr::PoseRequest(std::uint32_t)>& request_at) {
  const std::size_t bones = character.bones().size();
  std::vector<pchr::PoseRequest> requests;
  for (std::uint32_t step = 0; step < kFrames; ++step) requests.push_back(request_at(step));
  auto posed = std::make_shared<std::vector<pchr::PoseBuffers>>(1);
  measure(state, kernels, bones, {copy_floor(bones * (2 * kSample + 3 * kMatrix)), compose_floor(character, kernels)},
          repeated([&character, requests, posed, step = 0U]() mutable {
            pchr::pose_many(character, std::span(&requests[step++ % kFrames], 1), *posed);
          }));
}

/// Eight poses at once, as rows of palettes that use every bone.
void rows_stage(benchmark::State& state, const Character& character, const PoseKernels& kernels,
                const std::function<pchr::PoseRequest(std::uint32_t)>& request_at) {
  const std::size_t bones = character.bones().size();
  pchr::PaletteLayout layout;
  for (const pchr::BoneId bone : character.bones().ids()) layout.entries.push_back({bone, bone});
  std::vector<pchr::PoseRequest> requests;
  for (std::uint32_t step = 0; step < kFrames; ++step) requests.push_back(request_at(step));
  struct Memory {
    pchr::PoseBuffers scratch;
    std::vector<pchr::BoneTexels> rows;
  };
  auto memory = std::make_shared<Memory>();
  memory->rows.resize(requests.size() * bones);
  measure(state, kernels, requests.size() * bones,
          {copy_floor(requests.size() * bones * (kSample + sizeof(pchr::BoneTexels)))},
          repeated([&character, layout, requests, memory] {
            pchr::write_palette_rows(character, layout, requests, memory->scratch, memory->rows);
          }));
}

void skin_stage(benchmark::State& state, const Character& character, const PoseKernels& kernels) {
  const auto vertices = character.vertices();
  pchr::PoseBuffers posed;
  pchr::pose_clip(character, pchr::ClipId{0}, {}, posed);
  auto points = std::make_shared<std::vector<pchr::Vec2>>(vertices.size());
  measure(state, kernels, vertices.size(), {copy_floor(vertices.size() * (sizeof(pchr::Vertex) + sizeof(pchr::Vec2)))},
          repeated([vertices, palette = posed.palette, points] { pchr::deform(vertices, palette, *points); }));
}

void draw_list_stage(benchmark::State& state, const Character& character, const PoseKernels& kernels, bool changing) {
  const std::size_t bones = character.bones().size();
  const auto& samples = character.clips()[0].samples;
  const pchr::PoseView frames[] = {samples.frame(0, bones), samples.frame(changing ? 1 : 0, bones)};
  auto list = std::make_shared<pchr::DrawList>();
  const std::size_t meshes = character.meshes().size();
  measure(state, kernels, meshes, {copy_floor(meshes * (4 + 9 + sizeof(pchr::DrawItem)))},
          repeated([&character, frame_0 = frames[0], frame_1 = frames[1], list, step = 0U]() mutable {
            pchr::build_draw_list(character, step++ % 2 == 0 ? frame_0 : frame_1, *list);
          }));
}

/// Cycles per item that were aimed for.
const std::map<std::string, double> kGoals{
    {"pose_step/bones_64/AVX2", 14},        {"pose_step/bones_256/AVX2", 12}, {"pose_step/bones_64/SSE2", 20},
    {"crossfade_smooth/bones_64/AVX2", 20}, {"rows_step/bones_64/AVX2", 6},
};

void add(const std::string& name, const std::string& scene, const PoseKernels& kernels,
         const std::function<Character()>& make, const Stage& stage) {
  const std::string full = name + "/" + scene + "/" + kernels.name;
  benchmark::RegisterBenchmark(full.c_str(),
                               [make, stage, full, &kernels](benchmark::State& state) {
                                 const Character character = make();
                                 stage(state, character, kernels);
                                 const auto goal = kGoals.find(full);
                                 if (goal != kGoals.end()) state.counters["goal"] = goal->second;
                               })
      ->UseManualTime()
      ->Iterations(2000)
      ->Unit(benchmark::kNanosecond);
}

void add_bone_stages(const std::string& scene, const PoseKernels& kernels, const std::function<Character()>& make) {
  add("sample_step", scene, kernels, make,
      [](auto& state, auto& character, auto& set) { sample_stage(state, character, set, at_frame, 1); });
  add("sample_smooth", scene, kernels, make,
      [](auto& state, auto& character, auto& set) { sample_stage(state, character, set, between_frames, 2); });
  add("blend", scene, kernels, make, blend_stage);
  add("compose", scene, kernels, make, compose_stage);
  add("palette", scene, kernels, make, palette_stage);
  using RequestAt = std::function<pchr::PoseRequest(std::uint32_t)>;
  const auto add_pose = [&](const std::string& name, const RequestAt& request_at) {
    add(name, scene, kernels, make,
        [request_at](auto& state, auto& character, auto& set) { pose_stage(state, character, set, request_at); });
  };
  const auto add_rows = [&](const std::string& name, const RequestAt& request_at) {
    add(name, scene, kernels, make,
        [request_at](auto& state, auto& character, auto& set) { rows_stage(state, character, set, request_at); });
  };
  const RequestAt step_at = [](std::uint32_t step) {
    return pchr::PoseRequest{pchr::ClipId{0}, at_frame(step), pchr::ClipId{0}, {}, 0};
  };
  const RequestAt smooth_at = [](std::uint32_t step) {
    return pchr::PoseRequest{pchr::ClipId{0}, between_frames(step), pchr::ClipId{0}, {}, 0};
  };
  const RequestAt crossfade_smooth_at = [](std::uint32_t step) {
    return pchr::PoseRequest{pchr::ClipId{0}, between_frames(step), pchr::ClipId{1}, between_frames(step + 3), 0.25F};
  };
  add_pose("pose_step", step_at);
  add_pose("pose_smooth", smooth_at);
  add_pose("crossfade_step", [](std::uint32_t step) {
    return pchr::PoseRequest{pchr::ClipId{0}, at_frame(step), pchr::ClipId{1}, at_frame(step + 3), 0.25F};
  });
  add_pose("crossfade_smooth", crossfade_smooth_at);
  add_rows("rows_step", step_at);
  add_rows("rows_smooth", smooth_at);
  add_rows("rows_crossfade", crossfade_smooth_at);
}

/// Kiri's bones and two of its clips, without meshes.
Character kiri_bones() {
  pchr::CharacterData data = kiri().data();
  data.meshes.clear();
  data.vertices.clear();
  data.indices.clear();
  std::swap(data.clips[0], data.clips[index(kiri().find_clip("walk"))]);
  return build(std::move(data));
}

const bool registered = [] {
  for (const PoseKernels* kernels : pchr::available_kernels()) {
    add_bone_stages("kiri", *kernels, kiri_bones);
    for (const std::uint32_t bones : {16U, 64U, 256U, 1000U}) {
      add_bone_stages("bones_" + std::to_string(bones), *kernels, [bones] { return make_character(bones, 0); });
    }
    add("skin", "kiri", *kernels, kiri, skin_stage);
    for (const std::uint32_t vertices : {100U, 1000U, 10'000U, 100'000U}) {
      add(
          "skin", "vertices_" + std::to_string(vertices), *kernels, [vertices] { return make_character(64, vertices); },
          skin_stage);
    }
  }
  const PoseKernels& best = *pchr::available_kernels().back();
  const auto steady = [](auto& state, auto& character, auto& set) { draw_list_stage(state, character, set, false); };
  const auto changing = [](auto& state, auto& character, auto& set) { draw_list_stage(state, character, set, true); };
  add("draw_list", "kiri", best, kiri, steady);
  for (const std::uint32_t meshes : {16U, 64U, 256U, 1000U}) {
    add("draw_list", "meshes_" + std::to_string(meshes), best, [meshes] { return make_meshes(meshes); }, steady);
    add(
        "draw_list_changing", "meshes_" + std::to_string(meshes), best, [meshes] { return make_meshes(meshes); },
        changing);
  }
  return true;
}();

}  // namespace
