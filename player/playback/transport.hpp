// SPDX-License-Identifier: MIT
// Time within a clip as a person controls it.
#pragma once

#include <pchr/clock.hpp>

#include <optional>

namespace pchr::player {

inline constexpr double kMinSpeed = 0.05;
inline constexpr double kMaxSpeed = 8.0;
inline constexpr std::uint32_t kMaxTimes = 99;
inline constexpr std::uint32_t kMaxHold = 6;

/// How clips play; kept from clip to clip and from file to file.
struct PlaybackSettings {
  LoopMode mode = LoopMode::from_file;
  bool counted = false;     ///< Stops at the end of loop number `times`, where the mode loops.
  std::uint32_t times = 3;  ///< 1..kMaxTimes.
  double speed = 1.0;       ///< kMinSpeed..kMaxSpeed, negative in reverse.
  Sampling sampling = Sampling::step;
  std::uint32_t hold = 1;  ///< Frames for which one is held, 2 for "on twos"; 1..kMaxHold.
};

/// Plays a clip or a range of it with a Clock. Frames and seconds are always those of the whole clip.
class Transport {
 public:
  Transport() = default;
  /// Plays from the start of `clip`.
  Transport(const Clip& clip, const PlaybackSettings& settings);

  /// Applies `settings` from the current frame on.
  void configure(const PlaybackSettings& settings) noexcept;
  /// Plays only `range`, looping unless the settings say otherwise, from its frame nearest to the current one; absent:
  /// the whole clip. The range is cut to the clip.
  void set_range(const Clip& clip, std::optional<FrameRange> range) noexcept;
  [[nodiscard]] const std::optional<FrameRange>& range() const noexcept { return range_; }
  /// Returns the range, or all frames without one.
  [[nodiscard]] FrameRange played() const noexcept;

  void play() noexcept;  ///< Restarts where playing has ended.
  void pause() noexcept { clock_.pause(); }
  [[nodiscard]] bool playing() const noexcept { return clock_.playing(); }
  void advance(double seconds) noexcept;

  void seek_frame(std::uint32_t frame) noexcept;  ///< Clamped to what is played.
  void seek_seconds(double seconds) noexcept;     ///< The same.
  void step(std::int64_t frames) noexcept;        ///< Pauses; wraps within what is played unless it plays once.

  [[nodiscard]] std::uint32_t frame() const noexcept { return played().first + clock_.frame(); }
  [[nodiscard]] double seconds() const noexcept { return first_seconds_ + clock_.seconds(); }
  [[nodiscard]] double duration_seconds() const noexcept { return duration_seconds_; }
  [[nodiscard]] std::uint64_t loop() const noexcept { return loops_; }  ///< From 0.
  /// Returns what is shown: the current frame, or the earlier one that is held.
  [[nodiscard]] ClipTime position(Sampling sampling, std::uint32_t hold = 1) const noexcept;
  [[nodiscard]] LoopMode effective_mode() const noexcept { return clock_.effective_mode(); }

 private:
  [[nodiscard]] LoopMode clock_mode() const noexcept;
  [[nodiscard]] bool finished() const noexcept { return times_ > 0 && loops_ >= times_; }

  Clock clock_;  ///< Over the frames that are played.
  std::optional<FrameRange> range_;
  std::uint32_t frame_count_ = 0;
  double duration_seconds_ = 0;
  double first_seconds_ = 0;  ///< Start of the first frame that is played.
  LoopMode mode_ = LoopMode::from_file;
  std::uint32_t times_ = 0;  ///< 0: no end.
  std::uint64_t loops_ = 0;
};

[[nodiscard]] inline bool has_frames(const Character& character, ClipId clip) noexcept {
  return character.clips().contains(clip) && character.clips()[clip].frame_count > 0;
}

/// Returns `frame` or the earlier one that is shown in its place.
[[nodiscard]] inline ClipTime held(std::uint32_t frame, std::uint32_t hold) noexcept {
  return {frame / hold * hold, frame / hold * hold, 0};
}

/// Returns the next round speed above (+1) or below (-1) `speed`, in the same direction.
[[nodiscard]] double neighboring_speed(double speed, int direction) noexcept;

}  // namespace pchr::player
