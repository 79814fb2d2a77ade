// SPDX-License-Identifier: MIT
// What an ExportJob does with the frames it has drawn.
#pragma once

#include "export/pipeline.hpp"

#include <pchr/export/animation.hpp>

#include <cstdint>
#include <memory>
#include <vector>

namespace pchr {

namespace exporting {

/// Takes the frames of one animation after another and writes them to `output`, in the threads of `pipeline`.
class FrameConsumer {
 public:
  virtual ~FrameConsumer() = default;
  /// Begins an animation. Returns how often all of its frames are needed.
  [[nodiscard]] virtual ExportResult<unsigned> begin(std::size_t animation) = 0;
  [[nodiscard]] virtual bool has_room() const = 0;
  /// Takes a premultiplied frame. Returns false where the pipeline has failed.
  virtual bool add(std::size_t animation, std::uint32_t frame, Bitmap premultiplied) = 0;
  /// Writes what is left once all frames are there. In the pipeline.
  [[nodiscard]] virtual ExportResult<void> finish() { return {}; }
};

/// What encoders use on other threads.
struct JobOutput {
  explicit JobOutput(const ExportJobOptions& options) : files(options.inputs), pipeline(options.threads) {}
  OutputFiles files;
  std::unique_ptr<FrameConsumer> consumer;
  Pipeline pipeline;  ///< Last: its jobs use the others.
};

}  // namespace exporting

struct ExportJobFactory {
  /// `animations` must have frames of at least one pixel. `output` has a consumer.
  static ExportJob make(Renderer& renderer, const Model& model, GetProcAddress get_proc_address,
                        std::vector<ExportedAnimation> animations, ExportJobOptions options, unsigned passes,
                        std::unique_ptr<exporting::JobOutput> output);
};

}  // namespace pchr
