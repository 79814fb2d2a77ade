// SPDX-License-Identifier: MIT
// Exporting animations: the cost of drawing, encoding and writing, separately and together.
#include "export/job.hpp"
#include "support/load.hpp"
#include "timing.hpp"

#include <pchr/executor.hpp>
#include <pchr/load.hpp>
#include <pchr/offscreen.hpp>
#include <pchr/renderer.hpp>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using namespace pchr;
using bench::wall_seconds;

template <typename T, typename Error>
T value_of(Expected<T, Error> expected) {
  if (!expected) std::abort();
  return std::move(*expected);
}

/// Kiri walking, on a target of a given size.
class Walk {
 public:
  Walk(std::uint32_t width, std::uint32_t height, std::uint32_t frames)
      : target_(value_of(OffscreenTarget::create(context_.get_proc_address(), width, height, 4))), frames_(frames) {
    camera_ = fit({{}, 1, {width, height}}, compute_clip_bounds(character_, clip_));
    animation = {width, height, {}, 0};
    for (std::uint32_t frame = 1; frame <= frames; ++frame) animation.frame_ends.push_back(frame / 30.0);
    renderer_.bake(model_, clip_, Sampling::step);
  }

  /// Draws all frames and passes each to `take`, which returns whether to continue.
  template <typename Take>
  void draw(const Take& take) {
    constexpr std::size_t kInFlight = 3;
    const auto receive = [&] {
      Bitmap image;
      target_.receive(image);
      if (!take(std::move(image))) std::abort();
    };
    for (std::uint32_t frame = 0; frame < frames_; ++frame) {
      target_.begin();
      const std::uint32_t shown = frame % character_.clips()[clip_].frame_count;
      const Instance instance{clip_, {shown, shown, 0}, {}};
      renderer_.draw(model_, instance, camera_);
      target_.send();
      if (target_.in_flight() == kInFlight) receive();
    }
    while (target_.in_flight() > 0) receive();
  }

  [[nodiscard]] std::string description() const { return context_.description(); }

  AnimationInfo animation;

 private:
  Character character_ = value_of(load_character(std::filesystem::path(PCHR_ASSETS_DIR "/kiri.pchr")));
  ClipId clip_ = character_.find_clip("walk");
  HeadlessContext context_ = value_of(HeadlessContext::create());
  Renderer renderer_ = value_of(Renderer::create(context_.get_proc_address()));
  Model model_ = value_of(renderer_.upload(character_));
  OffscreenTarget target_;
  Camera camera_;
  std::uint32_t frames_;
};

/// Writes an animation of the frames from `give` and discards the bytes.
template <typename Give>
double write_seconds(const AnimationInfo& animation, AnimationFormat format, const Give& give) {
  return wall_seconds([&] {
    exporting::Pipeline pipeline(thread_executor().threads);
    auto writer = value_of(
        exporting::AnimationWriter::create(pipeline, animation, {format, {}, {}},
                                           [](std::uint32_t, std::span<const std::byte> bytes) -> ExportResult<void> {
                                             benchmark::DoNotOptimize(bytes.data());
                                             return {};
                                           }));
    give([&](Bitmap image) { return writer->add(std::move(image)); });
    if (!pipeline.wait()) std::abort();
  });
}

/// Frames per second of the whole animation and of its stages. `of_slowest` compares the whole with its slowest stage,
/// `of_sum` with both stages in sequence, which is the limit if drawing also uses all processors.
void export_frames(benchmark::State& state, std::uint32_t width, std::uint32_t height, AnimationFormat format,
                   std::uint32_t frames) {
  Walk walk(width, height, frames);
  std::vector<Bitmap> images;
  walk.draw([&](Bitmap image) {
    images.push_back(std::move(image));
    return true;
  });
  double whole = 1e9, drawing = 1e9, encoding = 1e9;
  for (auto _ : state) {
    drawing = std::min(drawing, wall_seconds([&] { walk.draw([](const Bitmap&) { return true; }); }));
    encoding = std::min(encoding, write_seconds(walk.animation, format, [&](const auto& add) {
                          for (const Bitmap& image : images) add(image);
                        }));
    const double time = write_seconds(walk.animation, format, [&](const auto& add) { walk.draw(add); });
    whole = std::min(whole, time);
    state.SetIterationTime(time);
  }
  state.SetLabel(walk.description());
  state.counters["fps"] = frames / whole;
  state.counters["fps_drawing"] = frames / drawing;
  state.counters["fps_encoding"] = frames / encoding;
  state.counters["of_slowest"] = whole / std::max(drawing, encoding);
  state.counters["of_sum"] = whole / (drawing + encoding);
  state.counters["threads"] = std::thread::hardware_concurrency();
}

const bool kRegistered = [] {
  using enum AnimationFormat;
  const std::pair<const char*, AnimationFormat> formats[]{{"png", png}, {"webp", webp}, {"rgba", rgba}};
  for (const auto& [name, format] : formats) {
    const auto add = [&](const char* size, std::uint32_t width, std::uint32_t height, std::uint32_t frames) {
      const std::string title = std::string("export/") + name + "/" + size;
      benchmark::RegisterBenchmark(
          title.c_str(), [=](benchmark::State& state) { export_frames(state, width, height, format, frames); })
          ->UseManualTime()
          ->Unit(benchmark::kMillisecond)
          ->Iterations(3);
    };
    add("512x512", 512, 512, 30);
    add("1920x1080", 1920, 1080, 16);
  }
  return true;
}();

}  // namespace
