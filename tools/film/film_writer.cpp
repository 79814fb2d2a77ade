// SPDX-License-Identifier: MIT
// Writes films.
#include "film/film_writer.hpp"

#include <utility>

namespace pchr::film {

Result<FilmWriter> FilmWriter::create(Pipeline& pipeline, const Film& film, const Settings& settings, Sink sink) {
  Result<Encoder> encoder = make_encoder(film, settings);
  if (!encoder) return std::unexpected(encoder.error());
  FilmWriter writer;
  writer.pipeline_ = &pipeline;
  writer.frame_count_ = static_cast<std::uint32_t>(film.frame_ends.size());
  writer.surveying_ = encoder->survey != nullptr;
  writer.shared_ = std::make_shared<Shared>(Shared{*std::move(encoder), std::move(sink)});
  return writer;
}

bool FilmWriter::has_room() const { return begins_to_encode() ? pipeline_->idle() : pipeline_->has_room(); }

bool FilmWriter::add(Bitmap premultiplied) {
  if (begins_to_encode()) {
    // What is encoded depends on all that was looked at.
    if (!pipeline_->wait()) return false;
    surveying_ = false;
    next_frame_ = 0;
    previous_ = nullptr;
  }
  Frame frame{next_frame_++, std::make_shared<const Bitmap>(std::move(premultiplied)), previous_};
  previous_ = frame.picture;
  if (!surveying_) return encode(frame);
  return pipeline_->add([shared = shared_, frame = std::move(frame)]() -> Result<Pipeline::Finish> {
    if (auto looked = shared->encoder.survey(frame); !looked) return std::unexpected(looked.error());
    return [] { return Result<void>(); };
  });
}

bool FilmWriter::encode(const Frame& frame) {
  return pipeline_->add([shared = shared_, frame = Frame(frame)]() mutable -> Result<Pipeline::Finish> {
    Result<Bytes> encoded = shared->encoder.encode(frame);
    const std::uint32_t index = frame.index;
    frame = {};
    if (!encoded) return std::unexpected(encoded.error());
    return [shared, index, bytes = *std::move(encoded)]() mutable -> Result<void> {
      Result<Bytes> joined = shared->encoder.join(index, std::move(bytes));
      if (!joined) return std::unexpected(joined.error());
      return shared->sink(index, *joined);
    };
  });
}

}  // namespace pchr::film
