// SPDX-License-Identifier: MIT
#include "crowd.hpp"

#include <pchr/image.hpp>
#include <pchr/load.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <random>
#include <utility>

namespace pchr::bench {
namespace {

constexpr float kHeight60 = 60, kHeight360 = 360;
constexpr Camera kCamera{{kWidth / 2.0F, kHeight / 2.0F}, 1, {kWidth, kHeight}};

template <typename T, typename Error>
T require(Expected<T, Error> expected) {
  if (expected) return *std::move(expected);
  std::fputs("gpu_bench: cannot load or draw the sample character\n", stderr);
  std::exit(1);
}

struct Stage {
  explicit Stage(Device& opened, const Effort& to_spend, const RendererOptions& options = {})
      : device(opened), effort(to_spend), renderer(require(Renderer::create(get_proc_address(), options))) {}

  [[nodiscard]] GetProcAddress get_proc_address() const { return device.context.get_proc_address(); }

  Device& device;
  const Effort& effort;
  Character kiri = require(load(PCHR_ASSETS_DIR "/kiri.pchr"));
  Rect bounds = compute_character_bounds(kiri);
  Renderer renderer;
  Model model = require(renderer.upload(kiri));
};

Sampling sampling_of(Motion motion) { return motion == Motion::baked ? Sampling::step : Sampling::smooth; }

/// Kiris of one height that play at their own times, all of them in view.
struct Walkers {
  Walkers(const Stage& stage, std::size_t count, float height)
      : walk(stage.kiri.find_clip("walk")), idle(stage.kiri.find_clip("idle")), seconds(count), instances(count) {
    std::mt19937 random(1);
    const auto between = [&](float low, float high) {
      return low + (high - low) * static_cast<float>(random() % 65536) / 65536;
    };
    const Vec2 size = stage.bounds.size();
    const float scale = height / size.y, left = scale * stage.bounds.min.x, bottom = scale * stage.bounds.min.y;
    for (std::size_t i = 0; i < count; ++i) {
      seconds[i] = between(0, 10);
      const Vec2 corner(between(0, std::max(0.0F, kWidth - scale * size.x)),
                        between(0, std::max(0.0F, kHeight - height)));
      instances[i].clip = walk;
      instances[i].appearance.placement = placement({corner.x - left, corner.y - bottom}, 0, scale);
    }
  }

  void advance(const Stage& stage, Motion motion) {
    const Sampling sampling = sampling_of(motion);
    for (std::size_t i = 0; i < instances.size(); ++i) {
      seconds[i] += 1.0 / 60;
      instances[i].position = clip_time(stage.kiri.clips()[walk], seconds[i], sampling);
      if (motion != Motion::crossfading) continue;
      instances[i].fade_clip = idle;
      instances[i].fade_position = clip_time(stage.kiri.clips()[idle], seconds[i], sampling);
      instances[i].fade_weight = 0.5F;
    }
  }

  ClipId walk, idle;
  std::vector<double> seconds;
  std::vector<Instance> instances;
};

void draw_posed(Stage& stage, const Walkers& walkers, PoseBuffers& posed) {
  for (const Instance& instance : walkers.instances) {
    pose_clip(stage.kiri, instance.clip, instance.position, posed);
    stage.renderer.draw(stage.model, posed, kCamera, {instance.appearance, nullptr, StateHandling::dirty});
  }
}

CrowdCost measure_crowd(Stage& stage, Motion motion, std::size_t count) {
  const Device& device = stage.device;
  Walkers walkers(stage, count, kHeight60);
  PoseBuffers posed;
  CrowdCost cost;
  cost.motion = motion;
  cost.count = count;
  stage.renderer.bake(stage.model, walkers.walk, sampling_of(motion));
  const auto draw = [&] {
    walkers.advance(stage, motion);
    if (motion == Motion::posed) return draw_posed(stage, walkers, posed);
    stage.renderer.draw(stage.model, walkers.instances, kCamera, StateHandling::dirty);
  };
  cost.times = measure(device, stage.effort.rounds, draw);
  cost.vertices_only = measure_vertices(device, stage.effort.rounds, draw);
  cost.pixels = count_pixels(device, draw);
  const DrawStatistics statistics = stage.renderer.statistics();
  // Those of a posed crowd are of its last character.
  const std::uint64_t draws = motion == Motion::posed ? count : 1;
  cost.triangles = statistics.triangles * draws;
  cost.uploaded_bytes = statistics.uploaded_bytes * draws;
  cost.draw_calls = static_cast<std::uint32_t>(statistics.draw_calls * draws);
  pose_clip(stage.kiri, walkers.walk, walkers.instances[0].position, posed);
  for (const DrawItem& item : posed.draw_list) cost.vertices += count * stage.kiri.meshes()[item.mesh].vertex_count;
  return cost;
}

std::uint64_t count_covered(const Bitmap& image) {
  std::uint64_t covered = 0;
  for (std::size_t i = 3; i < image.rgba.size(); i += 4) covered += image.rgba[i] != 0 ? 1 : 0;
  return covered;
}

PixelCost measure_pixels(Device& device, const Effort& effort, std::size_t count, float height) {
  PixelCost cost{.count = count, .height = height};
  const auto draws = [&](Stage& stage, Walkers& walkers) {
    return [&] { stage.renderer.draw(stage.model, walkers.instances, kCamera, StateHandling::dirty); };
  };
  {
    Stage stage(device, effort);
    Walkers walkers(stage, count, height);
    const auto draw = draws(stage, walkers);
    for (const auto& [filter, seconds] : {std::pair(Filter::trilinear, &cost.trilinear),
                                          {Filter::bilinear, &cost.bilinear},
                                          {Filter::nearest, &cost.nearest}}) {
      stage.model.set_filter(filter);
      *seconds = measure(device, effort.rounds, draw).gpu;
    }
    stage.model.set_filter(Filter::trilinear);
    cost.pixels = count_pixels(device, draw);
    device.target.begin();
    draw();
    cost.covered_pixels = count_covered(device.target.finish());
    device.target.begin();
  }
  for (const auto& [body, seconds] :
       {std::pair("return color;", &cost.hook), {"if (color.a == 0.0) discard; return color;", &cost.skipping}}) {
    Stage stage(device, effort, {.fragment_main = body});
    Walkers walkers(stage, count, height);
    const auto draw = draws(stage, walkers);
    *seconds = measure(device, effort.rounds, draw).gpu;
    cost.transparent_pixels = cost.pixels - std::min(cost.pixels, count_pixels(device, draw));
  }
  return cost;
}

double measure_upload(Device& device, const Effort& effort) {
  Stage stage(device, effort);
  const std::vector<Bitmap> images = require(decode_images(stage.kiri));
  const auto upload = [&] { stage.model = require(stage.renderer.upload(stage.kiri, images)); };
  const double seconds = measure(device, effort.rounds, upload).whole;
  return static_cast<double>(stage.model.gpu_bytes()) / seconds;
}

}  // namespace

std::string_view name_of(Motion motion) {
  constexpr std::string_view kNames[] = {"baked", "baked, smooth", "crossfading", "posed"};
  return kNames[std::to_underlying(motion)];
}

Limit find_limit(const CrowdCost& cost, const HardwareRates& rates) {
  Limit limit{.name = {},
              .cpu = cost.times.cpu,
              .vertices = cost.vertices_only.gpu,
              .triangles = static_cast<double>(cost.triangles) / rates.triangles,
              .pixels = static_cast<double>(cost.pixels) / rates.textured_pixels,
              .upload = static_cast<double>(cost.uploaded_bytes) / rates.buffer_bytes};
  const std::pair<std::string_view, double> parts[] = {{"CPU", limit.cpu},
                                                       {"vertices", limit.vertices},
                                                       {"triangles", limit.triangles},
                                                       {"fill", limit.pixels},
                                                       {"upload", limit.upload}};
  limit.name = std::ranges::max_element(parts, {}, &std::pair<std::string_view, double>::second)->first;
  return limit;
}

CrowdCosts measure_crowds(Device& device, const Effort& effort) {
  CrowdCosts costs;
  for (const Motion motion : {Motion::baked, Motion::baked_smooth, Motion::crossfading, Motion::posed}) {
    Stage stage(device, effort);
    for (const std::size_t count : effort.counts) costs.crowds.push_back(measure_crowd(stage, motion, count));
  }
  for (const float height : {kHeight60, kHeight360}) {
    costs.pixels.push_back(measure_pixels(device, effort, effort.counts.front(), height));
  }
  costs.upload_bytes = measure_upload(device, effort);
  return costs;
}

}  // namespace pchr::bench
