// SPDX-License-Identifier: MIT
// Plays one clip, with its time, speed and looping. An Animator mixes several clips.
//
//   pchr::Clock clock(hero.clips()[walk], pchr::LoopMode::loop);
//   const pchr::Advance step = clock.advance(dt);
//   if (step.loops > 0) play_sound();
//   renderer.draw(model, pchr::Instance{walk, clock.position(pchr::Sampling::smooth)}, camera);
#pragma once

#include <pchr/pose.hpp>

#include <memory>

namespace PCHR_API pchr {

/// What happens at the ends of a clip.
enum class LoopMode : std::uint8_t {
  from_file,  ///< Loops if the clip is marked as looping, else plays once.
  once,       ///< Ends on the last frame, or on the first in reverse.
  loop,       ///< Restarts at the clip's `loop_start`.
  ping_pong   ///< Plays forward, then backward. The first and last frames show once per cycle.
};

/// The result of advancing a clock.
struct Advance {
  std::uint64_t loops = 0;  ///< Number of restarts (for ping-pong, full cycles). Saturates.
  bool finished = false;    ///< True only in the call in which a clip that plays once reaches its end.

  // Used by Clock::find_reached(). Positions are in frames within one cycle.
  double from = 0, to = 0;
  double cycles = 0;  ///< Cycles from `from` to `to`; negative in reverse.
};

/// How often a frame was reached in one step of time, and when first.
struct FrameReached {
  std::uint64_t count = 0;
  double seconds = 0;  ///< From the start of the step, at most its length. 0 if `count` is 0.
};

/// Playback state of one clip. A plain value that can outlive the clip. Time is kept in double precision within one
/// cycle, so it does not drift. A loop restarts at the clip's `loop_start`; in reverse it plays down to frame 0, then
/// continues from the end. Ping-pong reverses at frame 0.
class Clock {
 public:
  Clock() = default;
  /// Creates a clock that plays `clip` from its start.
  explicit Clock(const Clip& clip, LoopMode mode = LoopMode::from_file);
  /// Creates a clock that plays up to `count` frames from `first`, as if they were the whole clip.
  Clock(const Clip& clip, LoopMode mode, std::uint32_t first, std::uint32_t count);

  void play() noexcept;   ///< Resumes. A clip that played once and ended starts over.
  void pause() noexcept;  ///< Keeps the current time.
  void stop() noexcept;   ///< Pauses and returns to the start.
  [[nodiscard]] bool playing() const noexcept { return playing_; }  ///< Not paused and not at the end.

  /// Advances by `seconds` times the speed, which can be negative or span many loops. Does nothing while paused, if the
  /// clip cannot play, or if `seconds` is not finite.
  Advance advance(double seconds) noexcept;

  /// Returns the seconds until the clip ends or restarts, going forward in time (or `backwards`). Infinity for never.
  [[nodiscard]] double seconds_to_end(bool backwards = false) const noexcept;
  /// Advances exactly to that point if it is finite.
  Advance advance_to_end(bool backwards = false) noexcept;
  /// Returns whether the clip plays once and has ended.
  [[nodiscard]] bool at_end() const noexcept;

  /// Returns the step from `before`, a clock of the same clip, to this one with `cycles` restarts in between; negative
  /// in reverse.
  [[nodiscard]] Advance step_from(const Clock& before, double cycles) const noexcept;

  /// Returns how often `step`, from this clock, reached the start of `frame` (in reverse, its end). The frame in which
  /// the step began does not count.
  [[nodiscard]] FrameReached find_reached(std::uint32_t frame, const Advance& step) const noexcept;

  /// Moves to where playback begins: the start, or the end if the speed is negative.
  void rewind() noexcept;
  void seek_seconds(double seconds) noexcept;     ///< In clip time; clamped to the clip.
  void seek_frame(std::uint32_t frame) noexcept;  ///< Clamped to the last frame.
  /// Pauses and moves by whole frames. Wraps unless the clip plays once.
  void step(std::int64_t frames) noexcept;

  void set_speed(double speed) noexcept { speed_ = speed; }       ///< 1 is normal, negative is reverse.
  [[nodiscard]] double speed() const noexcept { return speed_; }  ///< See set_speed().
  void set_mode(LoopMode mode) noexcept;                          ///< Keeps the current frame.
  [[nodiscard]] LoopMode mode() const noexcept { return mode_; }  ///< See set_mode().
  /// Returns the mode in effect for this clip. Never `from_file`, nor `ping_pong` if the clip has a single frame.
  [[nodiscard]] LoopMode effective_mode() const noexcept;

  [[nodiscard]] double seconds() const noexcept;           ///< Clip time, from 0 to the duration.
  [[nodiscard]] double duration_seconds() const noexcept;  ///< Duration of the played frames.
  /// Returns the position in the clip, for sample(). With smooth sampling, the last frame blends into the first only if
  /// the clock loops.
  [[nodiscard]] ClipTime position(Sampling sampling) const noexcept;
  [[nodiscard]] std::uint32_t frame() const noexcept {
    return position(Sampling::step).frame;
  }  ///< The frame on screen with step sampling.

 private:
  [[nodiscard]] bool can_play() const noexcept { return frame_count_ > 0 && frames_per_second_ > 0; }
  [[nodiscard]] double cycle_frames() const noexcept;
  [[nodiscard]] double loop_begin() const noexcept;
  // A tick is the unit of time here: a frame if all frames last equally long, else a second.
  [[nodiscard]] double ticks_per_second() const noexcept { return frame_ends_ == nullptr ? frames_per_second_ : 1.0; }
  [[nodiscard]] double ticks_at(double place) const noexcept;
  [[nodiscard]] double place_at(double ticks) const noexcept;
  [[nodiscard]] double frame_end(std::uint32_t frame) const noexcept { return (*frame_ends_)[frame] - start_seconds_; }
  [[nodiscard]] double frame_begin(std::uint32_t frame) const noexcept { return frame == 0 ? 0 : frame_end(frame - 1); }
  [[nodiscard]] double place_in_clip(double seconds) const noexcept;

  double frame_ = 0;  ///< Position in frames within one cycle. Ping-pong counts on after reversing.
  double speed_ = 1;
  double frames_per_second_ = 0;
  /// End times of the played frames in clip seconds, shared by copies. Null if all frames last equally long.
  std::shared_ptr<const std::vector<double>> frame_ends_{};
  double start_seconds_ = 0;  ///< Start time of the first played frame.
  std::uint32_t frame_count_ = 0;
  std::uint32_t loop_start_ = 0;
  LoopMode mode_ = LoopMode::from_file;
  bool looping_ = false;
  bool playing_ = false;
};

}  // namespace pchr
