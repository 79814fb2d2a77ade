// SPDX-License-Identifier: MIT
#include "app/video_writer.hpp"

#include "platform/system_error.hpp"
#include "platform/utf8_path.hpp"

#include <pchr/diagnostic.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace pchr::player {
namespace {

Unexpected<ExportError> failed(std::string message) {
  return Unexpected(ExportError{ExportError::Kind::failed, std::move(message)});
}

}  // namespace

std::vector<std::string> video_arguments(const AnimationInfo& info, const VideoOptions& options,
                                         const std::string& file) {
  const double rate = static_cast<double>(info.frame_ends.size()) / info.frame_ends.back();
  std::vector<std::string> arguments{"-v",
                                     "error",
                                     "-nostdin",
                                     "-y",
                                     "-f",
                                     "rawvideo",
                                     "-pixel_format",
                                     "rgba",
                                     "-video_size",
                                     fmt::format("{}x{}", info.width, info.height),
                                     "-framerate",
                                     fmt::format("{:.6f}", rate),
                                     "-i",
                                     "pipe:0",
                                     "-an"};
  const auto add = [&](std::initializer_list<std::string> more) { arguments.insert(arguments.end(), more); };
  // Players guess the colors unless the file names them.
  const bool mp4 = options.format == VideoFormat::mp4;
  add({"-vf", fmt::format("scale=out_color_matrix=bt709:out_range=tv,format={}",
                          options.alpha && !mp4 ? "yuva420p" : "yuv420p")});
  if (mp4) {
    add({"-c:v", "libx264", "-crf", fmt::to_string(40 - options.quality / 4), "-movflags", "+faststart"});
  } else {
    add({"-c:v", "libvpx-vp9", "-b:v", "0", "-crf", fmt::to_string(60 - options.quality * 3 / 8), "-auto-alt-ref",
         "0"});
  }
  add({"-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-f", mp4 ? "mp4" : "webm"});
  // Otherwise, a name could be read as an option or a protocol.
  arguments.push_back("file:" + file);
  return arguments;
}

void VideoWriter::add(const std::string& path, const AnimationInfo& info) {
  videos_.push_back({PendingFile(path), info});
}

ExportResult<void> VideoWriter::start(Video& video) {
  const std::scoped_lock lock(mutex_);
  // Without this, ffmpeg's message about the folder would name the temporary file.
  if (const std::error_code error = video.file.create()) {
    return failed(fmt::format("cannot write {}: {}", printable(video.file.path), error_text(error)));
  }
  video.file.file.reset();
  auto started = ChildProgram::start(ffmpeg_, video_arguments(video.info, options_, *video.file.temporary));
  if (!started) return failed("cannot start ffmpeg: " + started.error());
  running_.emplace(*std::move(started));
  if (stopped_) running_->kill();
  return {};
}

ExportResult<void> VideoWriter::write(const std::string& path, std::span<const std::byte> bytes, bool last) {
  if (!running_) {
    const auto video = std::ranges::find(videos_, path, [](const Video& each) { return each.file.path; });
    if (auto started = start(*video); !started) return started;
  }
  const bool written = running_->write(bytes);
  if (written && !last) return {};
  const bool succeeded = running_->finish();
  const std::string line = running_->error_line();
  {
    const std::scoped_lock lock(mutex_);
    running_.reset();
  }
  if (written && succeeded) return {};
  return failed("ffmpeg failed" + (line.empty() ? std::string() : ": " + printable(line)));
}

void VideoWriter::stop() {
  const std::scoped_lock lock(mutex_);
  stopped_ = true;
  if (running_) running_->kill();
}

std::uint64_t VideoWriter::bytes() {
  const std::scoped_lock lock(mutex_);
  std::uint64_t sum = 0;
  for (const Video& video : videos_) {
    if (video.file.temporary == nullptr) continue;
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(path_from_utf8(*video.file.temporary), error);
    if (!error) sum += size;
  }
  return sum;
}

ExportResult<void> VideoWriter::publish(Existing existing) {
  const std::scoped_lock lock(mutex_);
  for (Video& video : videos_) {
    const std::error_code error = video.file.publish(existing == Existing::replace);
    if (!error) continue;
    const bool exists = error == std::errc::file_exists;
    return Unexpected(ExportError{exists ? ExportError::Kind::exists : ExportError::Kind::failed,
                                  fmt::format("cannot write {}: {}", printable(video.file.path), error_text(error))});
  }
  return {};
}

}  // namespace pchr::player
