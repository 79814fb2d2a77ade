// SPDX-License-Identifier: MIT
// Passes the frames of an ExportJob to their consumer.
#pragma once

#include "export/pipeline.hpp"

namespace pchr {
namespace exporting {

/// Consumes the frames of one animation after another, and writes them on the threads of the pipeline.
class FrameConsumer {
 public:
  virtual ~FrameConsumer() = default;
  [[nodiscard]] virtual ExportResult<void> begin(std::size_t /*animation*/) { return {}; }
  [[nodiscard]] virtual bool has_room() const = 0;
  /// Adds a premultiplied frame. Returns false if the pipeline has failed.
  virtual bool add(std::size_t animation, std::uint32_t frame, Bitmap premultiplied) = 0;
  /// Writes the rest once all frames are added. Runs in the pipeline.
  [[nodiscard]] virtual ExportResult<void> finish() { return {}; }
};

/// Part of a job that other threads use.
struct JobOutput {
  explicit JobOutput(const ExportJobOptions& options)
      : files(options.inputs), receive(options.write), pipeline(options.threads) {}
  [[nodiscard]] ExportResult<void> write(const std::string& path, std::span<const std::byte> bytes, bool last = true) {
    return receive ? receive(path, bytes, last) : files.write(path, bytes, last);
  }
  OutputFiles files;
  decltype(ExportJobOptions::write) receive;
  std::unique_ptr<FrameConsumer> consumer;
  Pipeline pipeline;  ///< Last, because its jobs use the other members.
};

}  // namespace exporting

struct ExportJobFactory {
  /// Makes a job. `animations` must have frames of at least one pixel; each is drawn `passes` times. `output` must have
  /// a consumer.
  static ExportJob make(Renderer& renderer, const Model& model, GetProcAddress get_proc_address,
                        std::vector<ExportedAnimation> animations, ExportJobOptions options, unsigned passes,
                        std::unique_ptr<exporting::JobOutput> output);
};

}  // namespace pchr
