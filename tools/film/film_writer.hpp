// SPDX-License-Identifier: MIT
// Writes films: pictures in, in order; encoded on several threads; bytes out, in order.
#pragma once

#include "film/encoder.hpp"
#include "film/film.hpp"
#include "film/pipeline.hpp"

#include <pchr/image.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

namespace pchr::film {

/// Takes the bytes of a film. Called once for each frame, in order, on any thread but one at a time; may be empty. With
/// those of the last frame the film is whole.
using Sink = std::function<Result<void>(std::uint32_t frame, std::span<const std::byte> bytes)>;

/// One film on its way through a pipeline, which any number of films may share, one after another. It may go before its
/// last frames are written: Pipeline::wait() waits for those.
class FilmWriter {
 public:
  /// `film` has frames, and pixels. Fails where the format cannot hold it.
  [[nodiscard]] static Result<FilmWriter> create(Pipeline& pipeline, const Film& film, const Settings& settings,
                                                 Sink sink);

  /// How often it wants to see all frames, in order.
  [[nodiscard]] unsigned passes() const noexcept { return shared_->encoder.survey ? 2 : 1; }

  /// The next frame: premultiplied, of the film's size. Waits while too many are on their way. False where the pipeline
  /// has failed.
  bool add(Bitmap premultiplied);
  /// Whether add() would not wait.
  [[nodiscard]] bool has_room() const;

 private:
  struct Shared {
    Encoder encoder;
    Sink sink;
  };

  [[nodiscard]] bool begins_to_encode() const noexcept { return surveying_ && next_frame_ == frame_count_; }
  bool encode(const Frame& frame);

  Pipeline* pipeline_ = nullptr;
  std::shared_ptr<const Shared> shared_;
  std::uint32_t frame_count_ = 0;
  std::uint32_t next_frame_ = 0;
  bool surveying_ = false;
  std::shared_ptr<const Bitmap> previous_;
};

}  // namespace pchr::film
