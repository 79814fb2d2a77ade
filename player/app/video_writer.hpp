// SPDX-License-Identifier: MIT
// Videos, encoded by ffmpeg.
#pragma once

#include "platform/child_program.hpp"
#include "platform/pending_file.hpp"

#include <pchr/export/animation.hpp>

#include <mutex>

namespace pchr::player {

enum class VideoFormat : std::uint8_t {
  mp4,  ///< H.264, without alpha.
  webm  ///< VP9 with alpha.
};

struct VideoOptions {
  VideoFormat format = VideoFormat::mp4;
  int quality = 80;  ///< 0..100.
  bool alpha = false;
};

/// Returns ffmpeg's arguments to encode raw RGBA frames from its standard input to `file`.
[[nodiscard]] std::vector<std::string> video_arguments(const AnimationInfo& info, const VideoOptions& options,
                                                       const std::string& file);

/// Passes the raw frames of videos to ffmpeg, one video after another. The files appear in their places when they
/// are published.
class VideoWriter {
 public:
  VideoWriter(std::filesystem::path ffmpeg, VideoOptions options) : ffmpeg_(std::move(ffmpeg)), options_(options) {}
  /// Adds a video that will be written to `path`.
  void add(const std::string& path, const AnimationInfo& info);
  /// Appends to the video at `path`; `last` completes it. Called on any thread, one at a time.
  [[nodiscard]] ExportResult<void> write(const std::string& path, std::span<const std::byte> bytes, bool last);
  /// Makes write() fail soon.
  void stop();
  /// Returns the size of the files so far.
  [[nodiscard]] std::uint64_t bytes();
  /// Moves all videos to their places. With `keep`, fails if one exists there.
  [[nodiscard]] ExportResult<void> publish(Existing existing);

 private:
  struct Video {
    PendingFile file;
    AnimationInfo info;
  };
  [[nodiscard]] ExportResult<void> start(Video& video);

  std::filesystem::path ffmpeg_;
  VideoOptions options_;
  std::vector<Video> videos_{};
  std::optional<ChildProgram> running_{};  ///< Only write() changes it and the files, with the mutex.
  std::mutex mutex_{};
  bool stopped_ = false;
};

}  // namespace pchr::player
