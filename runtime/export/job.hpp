// SPDX-License-Identifier: MIT
// Gives the frames of an ExportJob to what writes them.
#pragma once

#include "export/pipeline.hpp"

namespace pchr {
namespace exporting {

/// Takes the frames of one animation after another and writes them to `output`, in the threads of `pipeline`.
class FrameConsumer {
 public:
  virtual ~FrameConsumer() = default;
  [[nodiscard]] virtual ExportResult<void> begin(std::size_t /*animation*/) { return {}; }
  [[nodiscard]] virtual bool has_room() const = 0;
  /// Takes a premultiplied frame. Returns false where the pipeline has failed.
  virtual bool add(std::size_t animation, std::uint32_t frame, Bitmap premultiplied) = 0;
  /// Writes the rest, in the pipeline, once all frames are there.
  [[nodiscard]] virtual ExportResult<void> finish() { return {}; }
};

/// The part of a job that other threads use.
struct JobOutput {
  explicit JobOutput(const ExportJobOptions& options) : files(options.inputs), pipeline(options.threads) {}
  OutputFiles files;
  std::unique_ptr<FrameConsumer> consumer;
  Pipeline pipeline;  ///< Last: its jobs use the others.
};

}  // namespace exporting

struct ExportJobFactory {
  /// `animations` must have frames of at least one pixel, each of which is drawn `passes` times. `output` has a
  /// consumer.
  static ExportJob make(Renderer& renderer, const Model& model, GetProcAddress get_proc_address,
                        std::vector<ExportedAnimation> animations, ExportJobOptions options, unsigned passes,
                        std::unique_ptr<exporting::JobOutput> output);
};

}  // namespace pchr
