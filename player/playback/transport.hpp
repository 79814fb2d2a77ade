// SPDX-License-Identifier: MIT
// Playback controls for a clip.
#pragma once

#include <pchr/clock.hpp>

#include <optional>

namespace pchr::player {

inline constexpr double kMinSpeed = 0.05;
inline constexpr double kMaxSpeed = 8.0;
inline constexpr std::uint32_t kMaxTimes = 99;
inline constexpr std::uint32_t kMaxHold = 6;
/// How long a clip that does not loop stays on its end before it repeats.
inline constexpr double kEndSeconds = 0.5;

/// Playback settings, kept across clips and files.
struct PlaybackSettings {
  LoopMode mode = LoopMode::from_file;
  bool counted = false;     ///< Stop after `times` loops, if the mode loops.
  std::uint32_t times = 3;  ///< 1..kMaxTimes.
  double speed = 1.0;       ///< kMinSpeed..kMaxSpeed, negative for reverse.
  Sampling sampling = Sampling::step;
  std::uint32_t hold = 1;  ///< Number of frames to hold each image for, 2 for "on twos"; 1..kMaxHold.
  bool operator==(const PlaybackSettings&) const = default;
};

/// Plays a clip or a range of it with a Clock. Frames and seconds are always relative to the whole clip. A clip that is
/// not marked as looping repeats after a short rest on its end, unless the mode says otherwise. Playback that starts
/// outside the range goes on into it.
class Transport {
 public:
  Transport() = default;
  /// Starts playing `clip` from its beginning.
  Transport(const Clip& clip, const PlaybackSettings& settings);

  /// Applies `settings` from the current frame on.
  void configure(const PlaybackSettings& settings) noexcept;
  /// Plays only `range`, clamped to the clip, starting at its frame nearest to the current one. Loops unless the
  /// settings say otherwise. If absent, plays the whole clip.
  void set_range(const Clip& clip, std::optional<FrameRange> range) noexcept;
  [[nodiscard]] const std::optional<FrameRange>& range() const noexcept { return range_; }
  /// Returns whether the current frame is outside the range.
  [[nodiscard]] bool outside_range() const noexcept { return outside_; }
  /// Returns the range, or all frames if there is none.
  [[nodiscard]] FrameRange played() const noexcept;

  void play() noexcept;  ///< Restarts if playback has ended.
  void pause() noexcept;
  [[nodiscard]] bool playing() const noexcept { return shown_clock().playing() || rested_; }
  void advance(double seconds) noexcept;
  /// Returns how long the clip still rests on its end, or 0 if it does not.
  [[nodiscard]] double seconds_of_rest() const noexcept { return rested_ ? kEndSeconds - *rested_ : 0; }

  void seek_frame(std::uint32_t frame) noexcept;  ///< Clamped to the clip.
  void seek_seconds(double seconds) noexcept;     ///< Clamped to the played frames.
  /// Pauses. Wraps within the played frames unless they play once or the current frame is outside of them.
  void step(std::int64_t frames) noexcept;

  [[nodiscard]] std::uint32_t frame() const noexcept {
    return outside_ ? whole_.frame() : played().first + clock_.frame();
  }
  [[nodiscard]] double seconds() const noexcept {
    return outside_ ? whole_.seconds() : first_seconds_ + clock_.seconds();
  }
  [[nodiscard]] double duration_seconds() const noexcept { return duration_seconds_; }
  [[nodiscard]] std::uint64_t loop() const noexcept { return loops_; }  ///< Completed loops.
  /// Returns the current frame, or the held one.
  [[nodiscard]] ClipTime position(Sampling sampling, std::uint32_t hold = 1) const noexcept;
  [[nodiscard]] LoopMode effective_mode() const noexcept { return clock_.effective_mode(); }

 private:
  [[nodiscard]] LoopMode clock_mode() const noexcept;
  [[nodiscard]] bool finished() const noexcept { return times_ > 0 && loops_ >= times_; }
  [[nodiscard]] const Clock& shown_clock() const noexcept { return outside_ ? whole_ : clock_; }
  [[nodiscard]] bool repeats() const noexcept;
  [[nodiscard]] double seconds_to_range() const noexcept;
  void restart() noexcept;

  Clock clock_;                   ///< Runs over the played frames.
  Clock whole_;                   ///< Runs over all frames, once.
  bool outside_ = false;          ///< Whether `whole_` is shown, until it reaches the played frames.
  std::optional<double> rested_;  ///< Seconds since the end was reached, while it rests there.
  std::optional<FrameRange> range_;
  std::uint32_t frame_count_ = 0;
  double duration_seconds_ = 0;
  double first_seconds_ = 0;  ///< Start of the first played frame.
  LoopMode mode_ = LoopMode::from_file;
  std::uint32_t times_ = 0;  ///< 0 for no limit.
  std::uint64_t loops_ = 0;
};

/// Returns the frame that is held at `frame`.
[[nodiscard]] inline ClipTime held(std::uint32_t frame, std::uint32_t hold) noexcept {
  return {frame / hold * hold, frame / hold * hold, 0};
}

/// Returns the next round speed above (+1) or below (-1) `speed`, with the same sign.
[[nodiscard]] double neighboring_speed(double speed, int direction) noexcept;

}  // namespace pchr::player
