// SPDX-License-Identifier: MIT
// Encoders for each output format, and a writer that runs them on several threads.
#pragma once

#include "export/pipeline.hpp"

#include <functional>

namespace pchr::exporting {

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

using EncoderPointer = std::shared_ptr<Encoder>;
[[nodiscard]] EncoderPointer make_apng_encoder(const AnimationInfo& info, const EncoderOptions& options);
[[nodiscard]] EncoderPointer make_gif_encoder(const AnimationInfo& info, const EncoderOptions& options);
[[nodiscard]] EncoderPointer make_webp_encoder(const AnimationInfo& info, const EncoderOptions& options);
/// Fails if the format cannot store the animation.
[[nodiscard]] ExportResult<EncoderPointer> make_encoder(const AnimationInfo& info, const EncoderOptions& options);

/// Receives the bytes of an animation: once per frame, in order, on any thread but one at a time. They can be empty.
using Sink = std::function<ExportResult<void>(std::uint32_t frame, std::span<const std::byte> bytes)>;

/// Replaces the first bytes of an animation, before the Sink receives the last.
using RewriteStart = std::function<ExportResult<void>(std::span<const std::byte> bytes)>;

/// Encodes one animation in a pipeline, which several writers can use one after another. Can be destroyed before its
/// last frames are written: Pipeline::wait() waits for those.
class AnimationWriter {
 public:
  /// Creates a writer. `info` must have frames and a size. Without `rewrite_start`, a WebP stays in memory until it is
  /// complete. Fails if the format cannot store it.
  [[nodiscard]] static ExportResult<AnimationWriter> create(Pipeline& pipeline, const AnimationInfo& info,
                                                            const EncoderOptions& options, Sink sink,
                                                            RewriteStart rewrite_start = {});

  /// Returns how many times add() needs all frames.
  [[nodiscard]] unsigned passes() const { return encoder_->scans() ? 2 : 1; }

  /// Adds the next frame, of the animation's size. Blocks while too many are unfinished. Returns false if the pipeline
  /// has failed.
  bool add(Bitmap premultiplied);
  [[nodiscard]] bool has_room() const;  ///< Whether add() would not block.

 private:
  [[nodiscard]] bool is_scanned() const noexcept { return scanning_ && next_frame_ == frame_count_; }
  bool encode(const Frame& frame);

  /// What a writer's jobs share.
  struct Output {
    EncoderPointer encoder;
    Sink sink;
    RewriteStart rewrite_start;
    std::uint32_t frame_count;
    Bytes kept;  ///< Bytes whose start will change but cannot be rewritten.

    ExportResult<void> write(std::uint32_t index, Bytes encoded);
  };

  Pipeline* pipeline_ = nullptr;
  EncoderPointer encoder_;
  std::shared_ptr<Output> output_;
  std::uint32_t frame_count_ = 0;
  std::uint32_t next_frame_ = 0;
  bool scanning_ = false;
  std::shared_ptr<const Bitmap> previous_;
};

}  // namespace pchr::exporting
