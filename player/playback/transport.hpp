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

/// Playback settings, kept across clips and files.
struct PlaybackSettings {
  LoopMode mode = LoopMode::from_file;
  bool counted = false;     ///< Stop after `times` loops, if the mode loops.
  std::uint32_t times = 3;  ///< 1..kMaxTimes.
  double speed = 1.0;       ///< kMinSpeed..kMaxSpeed, negative for reverse.
  Sampling sampling = Sampling::step;
  std::uint32_t hold = 1;  ///< Number of frames to hold each image for, 2 for "on twos"; 1..kMaxHold.
};

/// Plays a clip or a range of it with a Clock. Frames and seconds are always relative to the whole clip.
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
  /// Returns the range, or all frames if there is none.
  [[nodiscard]] FrameRange played() const noexcept;

  void play() noexcept;  ///< Restarts if playback has ended.
  void pause() noexcept { clock_.pause(); }
  [[nodiscard]] bool playing() const noexcept { return clock_.playing(); }
  void advance(double seconds) noexcept;

  void seek_frame(std::uint32_t frame) noexcept;  ///< Clamped to the played frames.
  void seek_seconds(double seconds) noexcept;     ///< Clamped to the played frames.
  void step(std::int64_t frames) noexcept;        ///< Pauses. Wraps within the played frames unless they play once.

  [[nodiscard]] std::uint32_t frame() const noexcept { return played().first + clock_.frame(); }
  [[nodiscard]] double seconds() const noexcept { return first_seconds_ + clock_.seconds(); }
  [[nodiscard]] double duration_seconds() const noexcept { return duration_seconds_; }
  [[nodiscard]] std::uint64_t loop() const noexcept { return loops_; }  ///< Completed loops.
  /// Returns the current frame, or the held one.
  [[nodiscard]] ClipTime position(Sampling sampling, std::uint32_t hold = 1) const noexcept;
  [[nodiscard]] LoopMode effective_mode() const noexcept { return clock_.effective_mode(); }

 private:
  [[nodiscard]] LoopMode clock_mode() const noexcept;
  [[nodiscard]] bool finished() const noexcept { return times_ > 0 && loops_ >= times_; }

  Clock clock_;  ///< Runs over the played frames.
  std::optional<FrameRange> range_;
  std::uint32_t frame_count_ = 0;
  double duration_seconds_ = 0;
  double first_seconds_ = 0;  ///< Start of the first played frame.
  LoopMode mode_ = LoopMode::from_file;
  std::uint32_t times_ = 0;  ///< 0 for no limit.
  std::uint64_t loops_ = 0;
};

[[nodiscard]] inline bool has_frames(const Character& character, ClipId clip) noexcept {
  return character.clips().contains(clip) && character.clips()[clip].frame_count > 0;
}

/// Returns the frame that is held at `frame`.
[[nodiscard]] inline ClipTime held(std::uint32_t frame, std::uint32_t hold) noexcept {
  return {frame / hold * hold, frame / hold * hold, 0};
}

/// Returns the next round speed above (+1) or below (-1) `speed`, with the same sign.
[[nodiscard]] double neighboring_speed(double speed, int direction) noexcept;

}  // namespace pchr::player
