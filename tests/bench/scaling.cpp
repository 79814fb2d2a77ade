// SPDX-License-Identifier: MIT
// Measures how the cost of work grows with bones, meshes, clips and characters, over three decades of each. Prints a
// CSV for plot_scaling.py: the dimension, the work, the size and the processor cycles.
#include "support/scenes.hpp"

#include "idle_gl.hpp"
#include "timing.hpp"

#include <pchr/load.hpp>
#include <pchr/pose.hpp>
#include <pchr/queries.hpp>
#include <pchr/renderer.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>

using namespace pchr;

namespace {

constexpr std::uint32_t kSizes[] = {10, 30, 100, 300, 1000, 3000, 10'000};
constexpr Camera kCamera{{0, 0}, 1, {1000, 1000}};

template <typename T, typename Error>
T checked(Expected<T, Error> result) {
  if (!result) std::abort();
  return *std::move(result);
}

/// Returns a character of quads, each on one bone, whose parent is half as far from the root.
CharacterData make_data(std::uint32_t bones, std::uint32_t meshes, std::uint32_t clips) {
  CharacterData data;
  data.images.push_back(test::plain_image(1, 1, {255, 255, 255, 255}));
  for (std::uint32_t i = 0; i < bones; ++i) {
    data.bones.push_back({"bone", i == 0 ? BoneId::none : BoneId{i / 2}});
  }
  for (std::uint32_t i = 0; i < meshes; ++i) {
    const auto bone = static_cast<std::uint16_t>(std::uint64_t{i} * bones / meshes);
    test::add_quad(data, "quad", 0, {{-8, -8}, {8, 8}}, bone);
  }
  for (std::uint32_t i = 0; i < clips; ++i) {
    Clip clip = test::resting_clip("clip " + std::to_string(i), 2, bones);
    for (std::size_t sample = 0; sample < clip.samples.x.size(); ++sample) {
      clip.samples.x[sample] = static_cast<float>(sample % 16);
      clip.samples.rotation_degrees[sample] = static_cast<float>(sample % 360);
    }
    data.clips.push_back(std::move(clip));
  }
  return data;
}

class Sweep {
 public:
  explicit Sweep(const char* dimension) : dimension_(dimension) {}

  /// Prints the fastest of some rounds, which are so long that reading the clock is negligible.
  template <typename Work>
  void measure(const char* name, std::uint32_t size, const Work& work) const {
    constexpr double kRound = 1e-4, kAll = 0.03;
    work();
    int times = 1;
    const auto round = [&] {
      return bench::seconds([&] {
        for (int i = 0; i < times; ++i) work();
      });
    };
    while (round() < kRound) times *= 2;
    double best = 1e9;
    const double start = bench::thread_seconds();
    for (int number = 0; number < 5 || bench::thread_seconds() - start < kAll; ++number) {
      best = std::min(best, round() / times);
    }
    std::printf("%s,%s,%u,%.0f\n", dimension_, name, size, best / bench::cycle_seconds());
    std::fflush(stdout);
  }

  void measure_character(std::uint32_t size, const CharacterData& data) const {
    const Character character = checked(Character::build(data));
    PoseBuffers posed;
    measure("pose", size, [&] { pose_clip(character, ClipId{0}, {0, 1, 0.5F}, posed); });
    DrawStream stream;
    measure("draw stream", size, [&] {
      stream.clear();
      append_draw_stream(character, posed, {}, stream);
    });
    std::vector<Hit> hits;
    measure("hit test", size, [&] { hit_test_all(character, posed, {}, {0, 0}, hits); });
    measure("mesh bounds", size, [&] {
      for (const MeshId mesh : character.meshes().ids()) {
        benchmark::DoNotOptimize(mesh_bounds(character, posed, mesh));
      }
    });
  }

  void measure_files(std::uint32_t size, Renderer& renderer, const CharacterData& data) const {
    const test::Bytes file = test::write_v1(data);
    measure("load", size, [&] { (void)checked(load(file)); });
    const Character character = checked(load(file));
    const std::vector bitmaps(1, Bitmap{1, 1, {0, 0, 0, 0}});
    measure("upload", size, [&] { (void)checked(renderer.upload(character, bitmaps)); });
  }

 private:
  const char* dimension_;
};

void measure_crowd(const Sweep& sweep, std::uint32_t size, Renderer& renderer, const Model& model,
                   std::uint32_t characters) {
  const std::uint32_t clips = static_cast<std::uint32_t>(model.character().clips().size());
  std::vector<Instance> crowd;
  for (std::uint32_t i = 0; i < characters; ++i) {
    crowd.push_back({.clip = ClipId{i % clips}});
    crowd.back().appearance.placement = placement({static_cast<float>(i % 900) - 450, 0});
  }
  for (std::uint32_t clip = 0; clip < clips; ++clip) renderer.bake(model, ClipId{clip}, Sampling::step);
  sweep.measure("crowd", size, [&] { renderer.draw(model, crowd, kCamera); });
}

}  // namespace

int main() {
  auto renderer = checked(Renderer::create(bench::idle_get_proc_address));
  std::puts("dimension,work,size,cycles");
  for (const std::uint32_t size : kSizes) {
    const Sweep bones("bones"), meshes("meshes"), clips("clips"), characters("characters");
    bones.measure_character(size, make_data(size, 16, 1));
    bones.measure_files(size, renderer, make_data(size, 16, 1));
    meshes.measure_character(size, make_data(16, size, 1));
    meshes.measure_files(size, renderer, make_data(16, size, 1));
    const CharacterData many_clips = make_data(16, 16, size);
    clips.measure_files(size, renderer, many_clips);
    const std::vector bitmaps(1, Bitmap{1, 1, {0, 0, 0, 0}});
    const Model busy = checked(renderer.upload(checked(Character::build(many_clips)), bitmaps));
    measure_crowd(clips, size, renderer, busy, kSizes[std::size(kSizes) - 1]);
    const Model simple = checked(renderer.upload(checked(Character::build(make_data(16, 16, 4))), bitmaps));
    measure_crowd(characters, size, renderer, simple, size);
    PoseBuffers posed;
    DrawStream stream;
    pose_clip(simple.character(), ClipId{0}, ClipTime{}, posed);
    characters.measure("draw stream", size, [&] {
      stream.clear();
      for (std::uint32_t i = 0; i < size; ++i) append_draw_stream(simple.character(), posed, {}, stream);
    });
  }
}
