// SPDX-License-Identifier: MIT
// Draws, encodes and writes animations in parallel.
#include "export/job.hpp"

#include "export/encoder.hpp"
#include "export/fail.hpp"

#include <pchr/offscreen.hpp>

#include <algorithm>

namespace pchr {
namespace {

class AnimationConsumer : public exporting::FrameConsumer {
 public:
  AnimationConsumer(std::vector<ExportedAnimation> animations, EncoderOptions options, exporting::JobOutput& output)
      : animations_(std::move(animations)), options_(options), output_(output) {}

  ExportResult<void> begin(std::size_t number) override {
    const ExportedAnimation& animation = animations_[number];
    exporting::RewriteStart rewrite_start;
    if (!output_.receive && output_.files.can_rewrite(animation.paths[0])) {
      rewrite_start = [this](std::span<const std::byte> bytes) { return output_.files.rewrite_start(bytes); };
    }
    auto writer = exporting::AnimationWriter::create(
        output_.pipeline, animation.info, options_,
        [this, &animation](std::uint32_t frame, auto bytes) {
          const bool is_sequence = animation.paths.size() > 1;
          const bool last = is_sequence || frame + 1 == animation.frames.size();
          return output_.write(animation.paths[is_sequence ? frame : 0], bytes, last);
        },
        std::move(rewrite_start));
    if (!writer) return Unexpected(writer.error());
    writer_ = *std::move(writer);
    return {};
  }
  bool has_room() const override { return writer_->has_room(); }
  bool add(std::size_t /*animation*/, std::uint32_t /*frame*/, Bitmap premultiplied) override {
    return writer_->add(std::move(premultiplied));
  }

 private:
  const std::vector<ExportedAnimation> animations_;
  const EncoderOptions options_;
  exporting::JobOutput& output_;
  std::optional<exporting::AnimationWriter> writer_;
};

}  // namespace

struct ExportJob::State {
  Renderer& renderer;
  const Model& model;
  GetProcAddress get_proc_address;
  std::vector<ExportedAnimation> animations;
  ExportJobOptions options;
  unsigned passes;
  std::unique_ptr<exporting::JobOutput> output;

  std::optional<OffscreenTarget> target{};
  std::vector<Bitmap> kept{};  ///< Frames of the animation for its next pass.
  FrameSize size{0, 0};
  PoseBuffers posed{};
  std::size_t animation = 0;
  unsigned pass = 0;
  std::uint32_t next = 0;  ///< Next frame to draw.
  std::uint64_t done = 0;
  bool all_taken = false;  ///< Whether the encoders have all frames.
  bool complete = false;   ///< Whether all files are complete.
  bool stopped = false;

  ExportResult<void> begin_animation() {
    constexpr std::uint32_t kSamples = 4;
    const AnimationInfo& info = animations[animation].info;
    if (const FrameSize needed{info.width, info.height}; size != needed) {
      auto created = OffscreenTarget::create(renderer, info.width, info.height, kSamples);
      if (!created) return exporting::fail(created.error().message);
      target = *std::move(created);
      size = needed;
    }
    return output->consumer->begin(animation);
  }

  void send() {
    const std::uint32_t number = next++;
    const ExportFrame& frame = animations[animation].frames[number];
    target->begin(options.checker ? std::array<float, 4>{} : options.background);
    if (options.draw) {
      options.draw(animation, number);
    } else if (options.adjust) {
      frame.clip != ClipId::none ? pose_clip(model.character(), frame.clip, frame.time, posed)
                                 : pose_bind(model.character(), posed);
      options.adjust(posed);
      frame.scene ? renderer.draw_scene(model, posed, *frame.scene) : renderer.draw(model, posed, frame.camera);
    } else {
      draw_frame(renderer, model, frame, posed);
    }
    target->send();
  }

  // ExportJobOptions::draw is called in each pass.
  [[nodiscard]] bool keeps_frames() const {
    constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 26;
    const std::uint64_t frame_bytes = std::uint64_t{4} * size.width * size.height;
    return pass + 1 < passes && !options.draw && animations[animation].frames.size() <= kMaxBytes / frame_bytes;
  }

  /// Adds a frame that was kept in the pass before. Returns false if the pipeline has failed.
  bool add_kept() {
    const std::uint32_t frame = next++;
    ++done;
    return output->consumer->add(animation, frame, std::move(kept[frame]));
  }

  /// Reads back the oldest frame in flight. Returns false if the pipeline has failed.
  bool take() {
    const auto frame = static_cast<std::uint32_t>(next - target->in_flight());
    Bitmap bitmap;
    target->receive(bitmap);
    if (options.checker) put_on_checker(bitmap);
    if (keeps_frames()) kept.push_back(bitmap);
    ++done;
    return output->consumer->add(animation, frame, std::move(bitmap));
  }

  /// Runs one step. Without `may_block`, returns `wait` instead of waiting for the encoders.
  ExportResult<Step> step(bool may_block) {
    constexpr std::size_t kInFlight = 3;  // One being drawn, one being copied, one being read.
    if (stopped) return exporting::fail("", ExportError::Kind::stopped);
    if (complete) {
      auto published = output->files.publish(options.existing);
      if (!published) return Unexpected(published.error());
      return Step::finished;
    }
    if (all_taken) {
      if (!may_block && !output->pipeline.idle()) return Step::wait;
      if (auto encoded = output->pipeline.wait(); !encoded) return Unexpected(encoded.error());
      complete = true;
      return Step::more;
    }
    if (pass == 0 && next == 0) {
      if (const auto begun = begin_animation(); !begun) return Unexpected(begun.error());
    }
    const std::size_t count = animations[animation].frames.size();
    const bool draws = pass == 0 || kept.empty();
    if (draws && next < count && target->in_flight() < kInFlight) {
      send();
      return Step::more;
    }
    if (!may_block && !output->consumer->has_room()) return Step::wait;
    if (!(draws ? take() : add_kept())) return Unexpected(output->pipeline.wait().error());
    if (next < count || target->in_flight() > 0) return Step::more;
    next = 0;
    if (++pass < passes) return Step::more;
    pass = 0;
    kept.clear();
    if (++animation < animations.size()) return Step::more;
    all_taken = true;
    const bool added = output->pipeline.add([consumer = output->consumer.get()] {
      return ExportResult<exporting::Pipeline::Finish>([consumer] { return consumer->finish(); });
    });
    if (!added) return Unexpected(output->pipeline.wait().error());
    return Step::more;
  }
};

ExportJob ExportJobFactory::make(Renderer& renderer, const Model& model, GetProcAddress get_proc_address,
                                 std::vector<ExportedAnimation> animations, ExportJobOptions options, unsigned passes,
                                 std::unique_ptr<exporting::JobOutput> output) {
  return ExportJob(std::make_unique<ExportJob::State>(renderer, model, get_proc_address, std::move(animations),
                                                      std::move(options), passes, std::move(output)));
}

ExportJob::ExportJob(std::unique_ptr<State> state) noexcept
    : state_(state.release(), [](State* owned) { delete owned; }) {}

ExportResult<ExportJob> ExportJob::create(Renderer& renderer, const Model& model, GetProcAddress get_proc_address,
                                          std::vector<ExportedAnimation> animations, ExportJobOptions options) {
  return exporting::or_out_of_memory([&]() -> ExportResult<ExportJob> {
    for (const ExportedAnimation& animation : animations) {
      if (auto checked = check_format(animation.info, options.encoder); !checked) return Unexpected(checked.error());
    }
    auto output = std::make_unique<exporting::JobOutput>(options);
    output->consumer = std::make_unique<AnimationConsumer>(animations, options.encoder, *output);
    const unsigned passes = options.encoder.format == AnimationFormat::gif ? 2 : 1;
    return ExportJobFactory::make(renderer, model, get_proc_address, std::move(animations), std::move(options), passes,
                                  std::move(output));
  });
}

ExportResult<ExportJob::Step> ExportJob::step() {
  return exporting::or_out_of_memory([&] { return state_->step(false); });
}

ExportResult<void> ExportJob::run(const Callback<bool()>& keep_going) {
  for (;;) {
    if (keep_going && !keep_going()) return exporting::fail("", ExportError::Kind::stopped);
    const auto stepped = exporting::or_out_of_memory([&] { return state_->step(true); });
    if (!stepped) return Unexpected(stepped.error());
    if (*stepped == Step::finished) return {};
  }
}

std::uint64_t ExportJob::done() const noexcept { return state_->done; }
std::uint64_t ExportJob::total() const noexcept {
  std::uint64_t frames = 0;
  for (const ExportedAnimation& animation : state_->animations) frames += animation.frames.size();
  return frames * state_->passes;
}

std::uint64_t ExportJob::bytes() const noexcept { return state_->output->files.bytes(); }

void ExportJob::stop() {
  state_->stopped = true;
  state_->target.reset();
  state_->output->pipeline.stop();
}

bool ExportJob::is_stopped() const { return state_->output->pipeline.is_stopped(); }

void draw_frame(Renderer& renderer, const Model& model, const ExportFrame& frame, PoseBuffers& posed) {
  const Instance instance{frame.clip, frame.time, {}};
  // Baked clips only approximate interpolated poses; exports must be exact.
  const bool is_posed = frame.clip != ClipId::none && frame.time.factor > 0;
  if (is_posed) pose_clip(model.character(), frame.clip, frame.time, posed);
  if (frame.scene) {
    is_posed ? renderer.draw_scene(model, posed, *frame.scene)
             : renderer.draw_scene(model, {&instance, 1}, *frame.scene);
  } else {
    is_posed ? renderer.draw(model, posed, frame.camera) : renderer.draw(model, instance, frame.camera);
  }
}

void put_on_checker(Bitmap& bitmap) {
  constexpr std::uint32_t kSquare = 8;
  constexpr std::array<unsigned, 2> kGrays{255, 204};
  std::uint8_t* pixel = bitmap.rgba.data();
  for (std::uint32_t y = 0; y < bitmap.height; ++y) {
    for (std::uint32_t x = 0; x < bitmap.width; ++x, pixel += 4) {
      const unsigned gray = kGrays[(x / kSquare + y / kSquare) % 2];
      const unsigned behind = (gray * (255U - pixel[3]) + 127) / 255;
      for (std::size_t i = 0; i < 3; ++i) pixel[i] = static_cast<std::uint8_t>(std::min(pixel[i] + behind, 255U));
      pixel[3] = 255;
    }
  }
}

}  // namespace pchr
