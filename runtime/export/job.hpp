// SPDX-License-Identifier: MIT
// Jobs draw frames on one thread, and encode and write them on others.
#pragma once

#include "export/animation_formats.hpp"

#include <pchr/offscreen.hpp>

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

namespace pchr::exporting {

/// Runs tasks on other threads, and the functions that they return one at a time, in the order of the tasks. Stops at
/// the first failure. Bounds the number of unfinished tasks.
class Pipeline {
 public:
  using Finish = std::function<ExportResult<void>()>;
  using Task = std::function<ExportResult<Finish>()>;

  explicit Pipeline(unsigned threads);  ///< With 0 threads, add() runs the tasks.
  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;
  ~Pipeline();  ///< Waits for running tasks and drops those not started.

  /// Adds a task. Blocks while too many are unfinished, except in a Finish. `ahead` is the number of results that may
  /// wait in memory for an earlier task that takes longer. Returns false after a failure, which wait() returns.
  bool add(Task task, std::size_t ahead = 0);
  [[nodiscard]] bool has_room(std::size_t ahead = 0);  ///< Whether add() would not block.
  [[nodiscard]] bool idle();                           ///< Whether wait() would not block.
  /// Waits until all tasks are finished or one failed.
  ExportResult<void> wait();
  /// Drops the tasks that are not started and fails with `stopped`. Does not wait for those that run.
  void stop();
  [[nodiscard]] bool is_stopped();  ///< Whether stop() was called and no task runs.

 private:
  [[nodiscard]] bool may_add(std::size_t ahead) const;
  [[nodiscard]] bool is_idle() const { return error_.has_value() || finished_ == added_; }
  void work();
  void run(std::unique_lock<std::mutex>& lock, std::uint64_t number, Task task);
  void fail(ExportError error);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::pair<std::uint64_t, Task>> waiting_;  ///< Tasks with their numbers.
  std::map<std::uint64_t, Finish> done_;                ///< Results that are not finished yet.
  std::uint64_t added_ = 0, finished_ = 0;
  std::size_t running_ = 0;  ///< Threads that run a task.
  bool finishing_ = false, stopping_ = false;
  std::thread::id finisher_{};        ///< Thread that runs a Finish.
  std::optional<ExportError> error_;  ///< First failure.
  std::vector<std::thread> threads_;  ///< Does not change while tasks run.
};

/// Receives the bytes of an animation: once per frame, in order, on any thread but one at a time. They can be empty.
using Sink = std::function<ExportResult<void>(std::uint32_t frame, std::span<const std::byte> bytes)>;

/// Replaces the first bytes of an animation, before the Sink receives the last.
using RewriteStart = std::function<ExportResult<void>(std::span<const std::byte> bytes)>;

/// Encodes one animation in a pipeline, which several writers can use one after another. The pipeline's tasks keep it
/// alive.
class AnimationWriter : public std::enable_shared_from_this<AnimationWriter> {
 public:
  /// Creates a writer. `info` must have frames and a size. Without `rewrite_start`, a WebP stays in memory until it is
  /// complete. Fails if the format cannot store it.
  [[nodiscard]] static ExportResult<std::shared_ptr<AnimationWriter>> create(Pipeline& pipeline,
                                                                             const AnimationInfo& info,
                                                                             const EncoderOptions& options, Sink sink,
                                                                             RewriteStart rewrite_start = {});

  /// Returns how many times add() needs all frames.
  [[nodiscard]] unsigned passes() const { return encoder_->scans() ? 2 : 1; }
  [[nodiscard]] bool has_room() const;  ///< Whether add() would not block.
  /// Adds the next premultiplied frame, of the animation's size. Blocks while too many are unfinished. Returns false if
  /// the pipeline has failed.
  bool add(Bitmap premultiplied);

 private:
  AnimationWriter(Pipeline& pipeline, std::unique_ptr<Encoder> encoder, std::uint32_t frame_count, Sink sink,
                  RewriteStart rewrite_start);
  [[nodiscard]] bool is_scanned() const noexcept { return scanning_ && next_frame_ == frame_count_; }
  ExportResult<void> write(std::uint32_t index, Bytes encoded);

  Pipeline& pipeline_;
  const std::unique_ptr<Encoder> encoder_;
  const std::uint32_t frame_count_;
  const Sink sink_;
  const RewriteStart rewrite_start_;
  std::uint32_t next_frame_ = 0;
  bool scanning_;
  std::shared_ptr<const Bitmap> previous_;
  Bytes kept_;  ///< Bytes whose start will change but cannot be rewritten.
};

/// Packs the frames of a job into a sheet.
class SheetWriter {
 public:
  virtual ~SheetWriter() = default;
  virtual void begin() = 0;
  [[nodiscard]] virtual bool has_room() const = 0;
  /// Adds a premultiplied frame. Returns false if the pipeline has failed.
  virtual bool add(std::size_t clip, std::uint32_t frame, Bitmap premultiplied) = 0;
  /// Writes the rest once all frames are added. Runs in the pipeline.
  [[nodiscard]] virtual ExportResult<void> finish() = 0;
};

/// State of an ExportJob.
struct Job {
  Job(Renderer& with, const Model& drawn, std::vector<ExportedAnimation> frames, ExportJobOptions chosen)
      : renderer(with),
        model(drawn),
        animations(std::move(frames)),
        options(std::move(chosen)),
        files(options.inputs),
        pipeline(options.threads) {}

  Renderer& renderer;
  const Model& model;
  std::vector<ExportedAnimation> animations;  ///< Have frames of at least one pixel.
  ExportJobOptions options;
  unsigned passes = 1;  ///< How often each animation is drawn.

  std::optional<OffscreenTarget> target{};
  FrameSize size{0, 0};
  PoseBuffers posed{};
  std::size_t animation = 0;
  unsigned pass = 0;
  std::uint32_t next = 0;      ///< Next frame to draw.
  std::vector<Bitmap> kept{};  ///< Frames of the animation for its next pass.
  std::uint64_t done = 0;
  bool all_taken = false;  ///< Whether the encoders have all frames.
  bool complete = false;   ///< Whether all files are complete.
  bool stopped = false;

  OutputFiles files;
  std::shared_ptr<AnimationWriter> writer{};  ///< The current animation's; null for a sheet.
  std::unique_ptr<SheetWriter> sheet{};
  Pipeline pipeline;  ///< Last, because its tasks use the other members.

  /// Fails if there can be no file at one of the paths.
  [[nodiscard]] ExportResult<void> check_paths() const;
  /// Runs one step. Without `may_block`, returns `wait` instead of waiting for the encoders.
  ExportResult<ExportJob::Step> step(bool may_block);
  /// Appends to a file. Called by the tasks of the pipeline, one at a time.
  ExportResult<void> write(const std::string& path, std::span<const std::byte> bytes, bool last = true);
};

}  // namespace pchr::exporting
