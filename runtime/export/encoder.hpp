// SPDX-License-Identifier: MIT
// Encodes frames as files: one encoder for each format, and the writer that runs it on several threads.
#pragma once

#include "export/pipeline.hpp"

namespace pchr::exporting {

using Bytes = std::vector<std::byte>;

/// One frame as the renderer drew it: premultiplied.
struct Frame {
  std::uint32_t index = 0;
  std::shared_ptr<const Bitmap> pixels;
  std::shared_ptr<const Bitmap> previous;  ///< The frame before; null for the first.
};

class Encoder {
 public:
  virtual ~Encoder() = default;
  /// Returns whether scan() must see all frames before any is encoded.
  [[nodiscard]] virtual bool scans() const { return false; }
  /// Scans a frame. On any thread, many at a time.
  virtual void scan(const Frame& /*frame*/) {}
  /// Encodes one frame. On any thread, many at a time.
  [[nodiscard]] virtual ExportResult<Bytes> encode(const Frame& frame) = 0;
  /// Returns the file's bytes of an encoded frame, with its head before the first and its end after the last. In the
  /// order of frames, one at a time.
  [[nodiscard]] virtual ExportResult<Bytes> join(std::uint32_t /*index*/, Bytes encoded) { return encoded; }
};

using EncoderPointer = std::shared_ptr<Encoder>;
[[nodiscard]] EncoderPointer make_apng_encoder(const AnimationInfo& info);
[[nodiscard]] EncoderPointer make_gif_encoder(const AnimationInfo& info, const EncoderOptions& options);
[[nodiscard]] EncoderPointer make_webp_encoder(const AnimationInfo& info, const EncoderOptions& options);
/// Fails where the format cannot hold the animation.
[[nodiscard]] ExportResult<EncoderPointer> make_encoder(const AnimationInfo& info, const EncoderOptions& options);

/// Takes the bytes of an animation: once for each frame, in order, on any thread but one at a time. Some may be empty.
using Sink = std::function<ExportResult<void>(std::uint32_t frame, std::span<const std::byte> bytes)>;

/// Encodes one animation in a pipeline, which any number of them may share, one after another. It may go before its
/// last frames are written: Pipeline::wait() waits for those.
class AnimationWriter {
 public:
  /// `info` has frames and pixels. Fails where the format cannot hold it.
  [[nodiscard]] static ExportResult<AnimationWriter> create(Pipeline& pipeline, const AnimationInfo& info,
                                                            const EncoderOptions& options, Sink sink);

  /// Returns how often add() needs all frames.
  [[nodiscard]] unsigned passes() const { return encoder_->scans() ? 2 : 1; }

  /// Takes the next frame, of the animation's size. Waits while too many are unfinished. Returns false where the
  /// pipeline has failed.
  bool add(Bitmap premultiplied);
  [[nodiscard]] bool has_room() const;  ///< Returns whether add() would not wait.

 private:
  [[nodiscard]] bool is_scanned() const noexcept { return scanning_ && next_frame_ == frame_count_; }
  bool encode(const Frame& frame);

  Pipeline* pipeline_ = nullptr;
  EncoderPointer encoder_;
  std::shared_ptr<const Sink> sink_;
  std::uint32_t frame_count_ = 0;
  std::uint32_t next_frame_ = 0;
  bool scanning_ = false;
  std::shared_ptr<const Bitmap> previous_;
};

}  // namespace pchr::exporting
