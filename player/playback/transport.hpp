// SPDX-License-Identifier: MIT
// Time within a clip as a person controls it: a pchr::Clock over a range of frames, played so many times.
#pragma once

#include <pchr/clock.hpp>

#include <cstdint>
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
  std::uint32_t hold = 1;  ///< Only every so many frames a new one is shown, "on twos" for 2; 1..kMaxHold.
};

/// Frames of a clip from the first to the last, both played.
struct FrameRange {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  bool operator==(const FrameRange&) const = default;
};

/// Plays a clip or a range of it. Frames and seconds are always those of the whole clip. Plain data, that refers to the
/// clip as a Clock does.
class Transport {
 public:
  Transport() = default;
  /// At the start of `clip`, playing.
  Transport(const Clip& clip, const PlaybackSettings& settings);

  /// Goes on in the way of `settings` from the current frame.
  void configure(const PlaybackSettings& settings) noexcept;
  /// Plays `range` of `clip` alone, again and again unless the mode is another, from its nearest frame to the current
  /// one; absent the whole clip. Frames beyond the clip's are left out.
  void set_range(const Clip& clip, std::optional<FrameRange> range) noexcept;
  [[nodiscard]] const std::optional<FrameRange>& range() const noexcept { return range_; }
  /// The range, or all frames where there is none.
  [[nodiscard]] FrameRange played() const noexcept;

  void play() noexcept;  ///< Begins anew where playing has ended.
  void pause() noexcept { clock_.pause(); }
  [[nodiscard]] bool playing() const noexcept { return clock_.playing(); }
  void advance(double seconds) noexcept;

  void seek_frame(std::uint32_t frame) noexcept;  ///< The nearest one that is played.
  void seek_seconds(double seconds) noexcept;     ///< The nearest time that is played.
  void step(std::int64_t frames) noexcept;        ///< Pauses; wraps within what is played unless it plays once.

  [[nodiscard]] std::uint32_t frame() const noexcept { return played().first + clock_.frame(); }
  [[nodiscard]] double seconds() const noexcept;
  [[nodiscard]] double duration_seconds() const noexcept { return duration_seconds_; }
  /// The loop that is being played, from 0.
  [[nodiscard]] std::uint64_t loop() const noexcept { return loops_; }
  /// What is shown: the time's frame, or the earlier one that is held.
  [[nodiscard]] ClipTime position(Sampling sampling, std::uint32_t hold = 1) const noexcept;
  [[nodiscard]] LoopMode effective_mode() const noexcept { return clock_.effective_mode(); }

 private:
  [[nodiscard]] LoopMode clock_mode() const noexcept;
  [[nodiscard]] bool finished() const noexcept { return times_ > 0 && loops_ >= times_; }

  Clock clock_;  ///< Over the frames that are played.
  std::optional<FrameRange> range_;
  std::uint32_t frame_count_ = 0;
  double duration_seconds_ = 0;
  double first_seconds_ = 0;  ///< When the first frame that is played begins.
  LoopMode mode_ = LoopMode::from_file;
  std::uint32_t times_ = 0;  ///< 0: no end.
  std::uint64_t loops_ = 0;
};

[[nodiscard]] inline bool same(const ClipTime& a, const ClipTime& b) noexcept {
  return a.frame == b.frame && a.next == b.next && a.factor == b.factor;
}

/// The next round speed above (+1) or below (-1) that of `speed`, in the same direction.
[[nodiscard]] double neighboring_speed(double speed, int direction) noexcept;

}  // namespace pchr::player
