// SPDX-License-Identifier: MIT
// Formats of animations: durations in their units, and encoders.
#pragma once

#include <pchr/export/animation.hpp>

#include <memory>
#include <vector>

namespace pchr::exporting {

/// Durations of frames in whole ticks.
struct Timing {
  std::uint32_t ticks_per_second = 1;
  std::uint32_t min_ticks = 1;  ///< Minimum duration of a frame.
  std::vector<std::uint32_t> ticks;
  double max_error_seconds = 0;  ///< Largest error of a frame's end.
};

/// Rounds the ends of frames, so errors do not accumulate. Frames last at least `min_ticks`; later frames compensate as
/// soon as possible.
[[nodiscard]] Timing round_to_ticks(std::span<const double> frame_ends, std::uint32_t ticks_per_second,
                                    std::uint32_t min_ticks);

/// Returns the durations as the format stores them. PNG, RGBA and Y4M store none and use those of APNG.
[[nodiscard]] Timing timing_of(const AnimationInfo& info, AnimationFormat format);

/// Constant rate: `frames` per `seconds`.
struct Rate {
  std::uint32_t frames = 1, seconds = 1;
};
/// Fails if the frames do not all have the same duration.
[[nodiscard]] ExportResult<Rate> constant_rate(std::span<const double> frame_ends);

using Bytes = std::vector<std::byte>;

inline void append(Bytes& bytes, std::span<const std::byte> more) {
  bytes.insert(bytes.end(), more.begin(), more.end());
}

/// A rendered frame, premultiplied.
struct Frame {
  std::uint32_t index = 0;
  std::shared_ptr<const Bitmap> pixels;
  std::shared_ptr<const Bitmap> previous;  ///< Previous frame; null for the first.
};

/// Encodes the frames of one animation.
class Encoder {
 public:
  virtual ~Encoder() = default;
  /// Whether scan() must see all frames before the first is encoded.
  [[nodiscard]] virtual bool scans() const { return false; }
  /// Scans a frame. Thread-safe.
  virtual void scan(const Frame& /*frame*/) {}
  /// Encodes a frame. Thread-safe.
  [[nodiscard]] virtual ExportResult<Bytes> encode(const Frame& frame) = 0;
  /// Returns an encoded frame's bytes in the file, including the header before the first and the trailer after the
  /// last. Called in frame order, one at a time.
  [[nodiscard]] virtual ExportResult<Bytes> join(std::uint32_t /*index*/, Bytes encoded) { return encoded; }
  /// Returns what replaces the first bytes of the file once all frames are joined; empty if nothing does.
  [[nodiscard]] virtual Bytes complete_start() const { return {}; }
};

/// Fails if the format cannot store the animation.
[[nodiscard]] ExportResult<std::unique_ptr<Encoder>> make_encoder(const AnimationInfo& info,
                                                                  const EncoderOptions& options);

}  // namespace pchr::exporting
