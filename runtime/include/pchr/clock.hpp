// SPDX-License-Identifier: MIT
// Plays one clip: where it is, how fast it goes and what happens at its ends. An Animator mixes several.
//
//   pchr::Clock clock(hero.clips()[walk], pchr::LoopMode::loop);
//   const pchr::Advance step = clock.advance(dt);
//   if (step.loops > 0) play_sound();
//   renderer.draw(model, pchr::Instance{walk, clock.position(pchr::Sampling::smooth)}, camera);
#pragma once

#include <pchr/pose.hpp>

namespace PCHR_API pchr {

enum class LoopMode : std::uint8_t {
  from_file,  ///< loop where the clip says so, else once.
  once,       ///< Ends on the last frame, or on the first in reverse.
  loop,
  ping_pong  ///< Forwards and backwards, first and last frame shown once per turn.
};

/// The result of a step of time.
struct Advance {
  std::uint64_t loops = 0;  ///< Times the clip restarted (ping-pong: there and back), saturating.
  bool finished = false;    ///< True in the one call in which a clip that plays once came to its end.

  // For Clock::find_reached(). Places count frames within one cycle.
  double from = 0, to = 0;
  double cycles = 0;  ///< From the cycle of `from` to that of `to`; negative when backwards.
};

/// The number of times that a step of time reached one frame, and the first of them.
struct FrameReached {
  std::uint64_t count = 0;
  double seconds = 0;  ///< From the beginning of the step; at most its length. 0 where the count is.
};

/// Playback of one clip. A value that refers to nothing: it may outlive the clip. Time is kept in double precision
/// within one cycle, so it does not drift. A loop restarts at the clip's `loop_start`; in reverse it runs down to frame
/// 0, then on from the end. Ping-pong turns at the first frame.
class Clock {
 public:
  Clock() = default;
  /// A playing clock at the start of `clip`.
  explicit Clock(const Clip& clip, LoopMode mode = LoopMode::from_file);
  /// A playing clock over at most `count` frames from `first` on, as if they were the whole clip.
  Clock(const Clip& clip, LoopMode mode, std::uint32_t first, std::uint32_t count);

  void play() noexcept;   ///< Goes on; restarts where a clip that plays once has ended.
  void pause() noexcept;  ///< Holds the current time.
  void stop() noexcept;   ///< Pauses at the start.
  [[nodiscard]] bool playing() const noexcept { return playing_; }  ///< Not paused, and not at its end.

  /// Moves time by `seconds` times the speed, which may be negative or many loops at once. Does nothing while paused,
  /// for a clip that cannot play, or for a value that is not finite.
  Advance advance(double seconds) noexcept;

  /// Returns the time, 0 or more, until the clip ends or restarts as time goes on (or back); infinity for never.
  [[nodiscard]] double seconds_to_end(bool backwards = false) const noexcept;
  /// Moves exactly there, if that is finite.
  Advance advance_to_end(bool backwards = false) noexcept;
  /// Whether the clip plays once and has come to its end.
  [[nodiscard]] bool at_end() const noexcept;

  /// Returns how often a step of this clock reached the start of `frame` (in reverse the end). The frame in which the
  /// step began does not count.
  [[nodiscard]] FrameReached find_reached(std::uint32_t frame, const Advance& step) const noexcept;

  /// Moves to where playing begins: the start, or for a negative speed the end.
  void rewind() noexcept;
  void seek_seconds(double seconds) noexcept;     ///< Clip time, clamped to the clip.
  void seek_frame(std::uint32_t frame) noexcept;  ///< Clamped to the last frame.
  /// Pauses and moves by whole frames, wrapping unless the clip plays once.
  void step(std::int64_t frames) noexcept;

  void set_speed(double speed) noexcept { speed_ = speed; }       ///< 1 is normal, negative is reverse.
  [[nodiscard]] double speed() const noexcept { return speed_; }  ///< See set_speed().
  void set_mode(LoopMode mode) noexcept;                          ///< Keeps the current frame.
  [[nodiscard]] LoopMode mode() const noexcept { return mode_; }  ///< See set_mode().
  /// Returns what the mode means for this clip: never `from_file`, nor `ping_pong` for a single frame.
  [[nodiscard]] LoopMode effective_mode() const noexcept;

  [[nodiscard]] double seconds() const noexcept;           ///< Clip time, 0 up to the duration.
  [[nodiscard]] double duration_seconds() const noexcept;  ///< Of the clip.
  /// Returns the place in the clip, for sample(). Smooth sampling goes from last to first only where the clock loops.
  [[nodiscard]] ClipTime position(Sampling sampling) const noexcept;
  [[nodiscard]] std::uint32_t frame() const noexcept { return position(Sampling::step).frame; }  ///< That shows.

 private:
  [[nodiscard]] bool can_play() const noexcept { return frame_count_ > 0 && frames_per_second_ > 0; }
  [[nodiscard]] double cycle_frames() const noexcept;
  [[nodiscard]] double loop_begin() const noexcept;
  // Ticks are what time passes in: frames where all last equally long, else seconds.
  [[nodiscard]] double ticks_per_second() const noexcept { return frame_ends_ == nullptr ? frames_per_second_ : 1.0; }
  [[nodiscard]] double ticks_at(double place) const noexcept;
  [[nodiscard]] double place_at(double ticks) const noexcept;
  [[nodiscard]] double frame_end(std::uint32_t frame) const noexcept { return (*frame_ends_)[frame] - begins_seconds_; }
  [[nodiscard]] double frame_begin(std::uint32_t frame) const noexcept { return frame == 0 ? 0 : frame_end(frame - 1); }
  [[nodiscard]] double place_in_clip(double seconds) const noexcept;

  double frame_ = 0;  ///< Position in frames within one cycle; ping-pong counts on past the turn.
  double speed_ = 1;
  double frames_per_second_ = 0;
  /// Of the frames that are played, in seconds of the clip, shared by copies; null for an even rate.
  std::shared_ptr<const std::vector<double>> frame_ends_{};
  double begins_seconds_ = 0;  ///< Start of the first frame that is played.
  std::uint32_t frame_count_ = 0;
  std::uint32_t loop_start_ = 0;
  LoopMode mode_ = LoopMode::from_file;
  bool looping_ = false;
  bool playing_ = false;
};

}  // namespace pchr
