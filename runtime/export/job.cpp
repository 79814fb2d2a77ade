// SPDX-License-Identifier: MIT
#include "export/job.hpp"

#include "export/fail.hpp"

#include <algorithm>

namespace pchr {
namespace exporting {
namespace {

template <class Work>
auto guarded(Work& work) -> decltype(work()) {
  try {
    return or_out_of_memory([&] { return work(); });
  } catch (const std::exception& error) {
    return Unexpected(ExportError{ExportError::Kind::failed, error.what()});
  }
}

}  // namespace

Pipeline::Pipeline(unsigned threads) {
  threads_.reserve(threads);
  try {
    for (unsigned i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
  } catch (const std::exception&) {
    // No more threads or memory: fewer threads are fine.
  }
}

Pipeline::~Pipeline() {
  stop();
  for (std::thread& thread : threads_) thread.join();
}

void Pipeline::stop() {
  const std::lock_guard lock(mutex_);
  stopping_ = true;
  fail({ExportError::Kind::stopped, ""});
  changed_.notify_all();
}

bool Pipeline::is_stopped() {
  const std::lock_guard lock(mutex_);
  return stopping_ && running_ == 0;
}

void Pipeline::fail(ExportError error) {
  if (!error_) error_ = std::move(error);
  waiting_.clear();
}

bool Pipeline::may_add(std::size_t ahead) const {
  // Queue one extra task per thread so that no thread waits for the caller.
  const std::size_t max = 2 * std::max<std::size_t>(threads_.size(), 1);
  const bool has_room = waiting_.size() + running_ < max && added_ - finished_ < max + ahead;
  return error_ || has_room || finisher_ == std::this_thread::get_id();
}

bool Pipeline::add(Task task, std::size_t ahead) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return may_add(ahead); });
  if (error_) return false;
  if (threads_.empty()) {
    run(lock, added_++, std::move(task));
    return !error_;
  }
  waiting_.emplace_back(added_++, std::move(task));
  changed_.notify_all();
  return true;
}

bool Pipeline::has_room(std::size_t ahead) {
  const std::lock_guard lock(mutex_);
  return may_add(ahead);
}

bool Pipeline::idle() {
  const std::lock_guard lock(mutex_);
  return is_idle();
}

ExportResult<void> Pipeline::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return is_idle(); });
  if (error_) return Unexpected(*error_);
  return {};
}

void Pipeline::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return stopping_ || !waiting_.empty(); });
    if (stopping_) return;
    auto [number, task] = std::move(waiting_.front());
    waiting_.pop_front();
    run(lock, number, std::move(task));
  }
}

void Pipeline::run(std::unique_lock<std::mutex>& lock, std::uint64_t number, Task task) {
  ++running_;
  lock.unlock();
  ExportResult<Finish> result = guarded(task);
  task = nullptr;
  lock.lock();
  if (!result) {
    fail(std::move(result.error()));
  } else {
    done_.emplace(number, *std::move(result));
    // The thread that completes the next task in order also finishes all later ones that are ready.
    const bool finishes = !std::exchange(finishing_, true);
    while (finishes && !error_ && !stopping_ && !done_.empty() && done_.begin()->first == finished_) {
      Finish finish = std::move(done_.extract(done_.begin()).mapped());
      finisher_ = std::this_thread::get_id();
      lock.unlock();
      ExportResult<void> finished = guarded(finish);
      finish = nullptr;
      lock.lock();
      finisher_ = {};
      ++finished_;
      if (!finished) fail(std::move(finished.error()));
      changed_.notify_all();
    }
    if (finishes) finishing_ = false;
  }
  --running_;
  changed_.notify_all();
}

AnimationWriter::AnimationWriter(Pipeline& pipeline, std::unique_ptr<Encoder> encoder, std::uint32_t frame_count,
                                 Sink sink, RewriteStart rewrite_start)
    : pipeline_(pipeline),
      encoder_(std::move(encoder)),
      frame_count_(frame_count),
      sink_(std::move(sink)),
      rewrite_start_(std::move(rewrite_start)),
      scanning_(encoder_->scans()) {}

ExportResult<std::shared_ptr<AnimationWriter>> AnimationWriter::create(Pipeline& pipeline, const AnimationInfo& info,
                                                                       const EncoderOptions& options, Sink sink,
                                                                       RewriteStart rewrite_start) {
  auto encoder = make_encoder(info, options);
  if (!encoder) return Unexpected(encoder.error());
  return std::shared_ptr<AnimationWriter>(new AnimationWriter(pipeline, *std::move(encoder),
                                                              static_cast<std::uint32_t>(info.frame_ends.size()),
                                                              std::move(sink), std::move(rewrite_start)));
}

bool AnimationWriter::has_room() const { return is_scanned() ? pipeline_.idle() : pipeline_.has_room(); }

bool AnimationWriter::add(Bitmap premultiplied) {
  if (is_scanned()) {
    // Encoding needs all frames scanned.
    if (!pipeline_.wait()) return false;
    scanning_ = false;
    next_frame_ = 0;
    previous_ = nullptr;
  }
  Frame frame{next_frame_++, std::make_shared<const Bitmap>(std::move(premultiplied)), previous_};
  previous_ = frame.pixels;
  return pipeline_.add([self = shared_from_this(), scanning = scanning_,
                        frame = std::move(frame)]() mutable -> ExportResult<Pipeline::Finish> {
    if (scanning) {
      self->encoder_->scan(frame);
      return [] { return ExportResult<void>(); };
    }
    ExportResult<Bytes> encoded = self->encoder_->encode(frame);
    const std::uint32_t index = frame.index;
    frame = {};
    if (!encoded) return Unexpected(encoded.error());
    return [self, index, bytes = *std::move(encoded)]() mutable { return self->write(index, std::move(bytes)); };
  });
}

ExportResult<void> AnimationWriter::write(std::uint32_t index, Bytes encoded) {
  const ExportResult<Bytes> joined = encoder_->join(index, std::move(encoded));
  if (!joined) return Unexpected(joined.error());
  const Bytes start = encoder_->complete_start();
  if (start.empty()) return sink_(index, *joined);
  const bool last = index + 1 == frame_count_;
  if (rewrite_start_) {
    if (last) {
      if (auto rewritten = rewrite_start_(start); !rewritten) return rewritten;
    }
    return sink_(index, *joined);
  }
  append(kept_, *joined);
  if (!last) return sink_(index, {});
  std::ranges::copy(start, kept_.begin());
  return sink_(index, kept_);
}

ExportResult<void> Job::check_paths() const {
  if (options.write) return {};
  for (const ExportedAnimation& each : animations) {
    for (const std::string& path : each.paths) {
      if (auto checked = files.check(path); !checked) return checked;
    }
  }
  return {};
}

ExportResult<void> Job::write(const std::string& path, std::span<const std::byte> bytes, bool last) {
  return options.write ? options.write(path, bytes, last) : files.write(path, bytes, last);
}

ExportResult<ExportJob::Step> Job::step(bool may_block) {
  using Step = ExportJob::Step;
  constexpr std::size_t kInFlight = 3;  // One being drawn, one being copied, one being read.
  if (stopped) return fail("", ExportError::Kind::stopped);
  if (complete) {
    if (auto published = files.publish(options.existing); !published) return Unexpected(published.error());
    return Step::finished;
  }
  if (all_taken) {
    if (!may_block && !pipeline.idle()) return Step::wait;
    if (auto encoded = pipeline.wait(); !encoded) return Unexpected(encoded.error());
    complete = true;
    return Step::more;
  }

  const ExportedAnimation& current = animations[animation];
  const AnimationInfo& info = current.info;
  if (pass == 0 && next == 0) {
    if (size != FrameSize{info.width, info.height}) {
      constexpr std::uint32_t kSamples = 4;
      auto created = OffscreenTarget::create(renderer, info.width, info.height, kSamples);
      if (!created) return fail(created.error().message);
      target = *std::move(created);
      size = {info.width, info.height};
    }
    if (sheet && animation == 0) sheet->begin();
    if (!sheet) {
      RewriteStart rewrite_start;
      if (!options.write && files.can_rewrite(current.paths[0])) {
        rewrite_start = [this](std::span<const std::byte> bytes) { return files.rewrite_start(bytes); };
      }
      const auto sink = [this, &current](std::uint32_t frame, std::span<const std::byte> bytes) {
        const bool is_sequence = current.paths.size() > 1;
        const bool last = is_sequence || frame + 1 == current.frames.size();
        return write(current.paths[is_sequence ? frame : 0], bytes, last);
      };
      auto created = AnimationWriter::create(pipeline, info, options.encoder, sink, std::move(rewrite_start));
      if (!created) return Unexpected(created.error());
      writer = *std::move(created);
    }
  }

  // Frames are drawn, copied and read back at the same time.
  const std::size_t count = current.frames.size();
  const bool draws = pass == 0 || kept.empty();
  if (draws && next < count && target->in_flight() < kInFlight) {
    const ExportFrame& frame = current.frames[next];
    target->begin(options.checker ? std::array<float, 4>{} : options.background);
    if (options.draw) {
      options.draw(animation, next);
    } else if (options.pose || options.adjust) {
      if (options.pose) {
        options.pose(animation, next, posed);
      } else if (frame.clip != ClipId::none) {
        pose_clip(model.character(), frame.clip, frame.time, posed);
      } else {
        pose_bind(model.character(), posed);
      }
      if (options.adjust) options.adjust(posed);
      frame.scene ? renderer.draw_scene(model, posed, *frame.scene) : renderer.draw(model, posed, frame.camera);
    } else {
      draw_frame(renderer, model, frame, posed);
    }
    target->send();
    ++next;
    return Step::more;
  }
  if (!may_block && !(sheet ? sheet->has_room() : writer->has_room())) return Step::wait;

  // ExportJobOptions::draw is called in each pass.
  constexpr std::uint64_t kMaxKeptBytes = std::uint64_t{1} << 26;
  const bool keeps_frames =
      pass + 1 < passes && !options.draw && count <= kMaxKeptBytes / (std::uint64_t{4} * size.width * size.height);
  const std::uint32_t number = draws ? next - static_cast<std::uint32_t>(target->in_flight()) : next++;
  Bitmap bitmap;
  if (draws) {
    target->receive(bitmap);
    if (options.checker) put_on_checker(bitmap);
    if (keeps_frames) kept.push_back(bitmap);
  } else {
    bitmap = std::move(kept[number]);
  }
  ++done;
  const bool added = sheet ? sheet->add(animation, number, std::move(bitmap)) : writer->add(std::move(bitmap));
  if (!added) return Unexpected(pipeline.wait().error());
  if (next < count || target->in_flight() > 0) return Step::more;

  next = 0;
  if (++pass < passes) return Step::more;
  pass = 0;
  kept.clear();
  if (++animation < animations.size()) return Step::more;
  all_taken = true;
  if (sheet && !pipeline.add([this] { return ExportResult<Pipeline::Finish>([this] { return sheet->finish(); }); })) {
    return Unexpected(pipeline.wait().error());
  }
  return Step::more;
}

}  // namespace exporting

ExportJob::ExportJob(std::unique_ptr<exporting::Job> job) noexcept
    : job_(job.release(), [](exporting::Job* owned) { delete owned; }) {}

ExportResult<ExportJob> ExportJob::create(Renderer& renderer, const Model& model,
                                          std::vector<ExportedAnimation> animations, ExportJobOptions options) {
  return exporting::or_out_of_memory([&]() -> ExportResult<ExportJob> {
    for (const ExportedAnimation& animation : animations) {
      if (auto checked = check_format(animation.info, options.encoder); !checked) return Unexpected(checked.error());
    }
    auto job = std::make_unique<exporting::Job>(renderer, model, std::move(animations), std::move(options));
    if (auto checked = job->check_paths(); !checked) return Unexpected(checked.error());
    job->passes = job->options.encoder.format == AnimationFormat::gif ? 2 : 1;
    return ExportJob(std::move(job));
  });
}

ExportResult<ExportJob::Step> ExportJob::step() {
  return exporting::or_out_of_memory([&] { return job_->step(false); });
}

ExportResult<void> ExportJob::run(const Callback<bool()>& keep_going) {
  for (;;) {
    if (keep_going && !keep_going()) return exporting::fail("", ExportError::Kind::stopped);
    const auto stepped = exporting::or_out_of_memory([&] { return job_->step(true); });
    if (!stepped) return Unexpected(stepped.error());
    if (*stepped == Step::finished) return {};
  }
}

std::uint64_t ExportJob::done() const noexcept { return job_->done; }
std::uint64_t ExportJob::total() const noexcept {
  std::uint64_t frames = 0;
  for (const ExportedAnimation& animation : job_->animations) frames += animation.frames.size();
  return frames * job_->passes;
}
std::uint64_t ExportJob::bytes() const noexcept { return job_->files.bytes(); }

void ExportJob::stop() {
  job_->stopped = true;
  job_->target.reset();
  job_->pipeline.stop();
}

bool ExportJob::is_stopped() const { return job_->pipeline.is_stopped(); }

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
