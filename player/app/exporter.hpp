// SPDX-License-Identifier: MIT
// Writes the files of exports.
#pragma once

#include "platform/output_file.hpp"
#include "platform/streams.hpp"
#include "ui/app.hpp"

#include <pchr/export/animation.hpp>
#include <pchr/offscreen.hpp>

#include <filesystem>
#include <functional>
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

/// Shows a pose as the window does.
using AdjustPose = std::function<void(PoseBuffers& posed)>;

/// Estimates the size of the files of a planned export by encoding a few frames of its longest clip, at most one per
/// call. Only the exported character is drawn, without its rig, so mixes and lineups have no estimate; neither have
/// videos.
class SizeEstimate {
 public:
  /// Sets the estimate in the dialog once it is known. The dialog's plan must be for the open document. Returns whether
  /// the estimate changed.
  bool update(App& app, Renderer& renderer);
  /// Returns whether update() must be called every frame.
  [[nodiscard]] bool busy() const noexcept { return job_.has_value(); }

 private:
  void begin(const App& app, Renderer& renderer);
  [[nodiscard]] double bytes() const;

  std::shared_ptr<const ScenePlan> plan_{};  ///< Estimated, or being estimated.
  std::optional<Character> character_{};     ///< The one that is drawn.
  AdjustPose adjust_{};
  std::size_t longest_ = 0;                 ///< The clip of which frames are encoded.
  std::uint32_t samples_ = 0;               ///< Number of these frames.
  std::array<std::uint64_t, 2> encoded_{};  ///< Bytes of the first of them alone, and of all.
  std::optional<ExportJob> job_{};          ///< Last, because it refers to the other members.
};

/// Draws and writes exports. Plans, decodes and encodes on threads, and draws for some milliseconds per window frame
/// on the current OpenGL context, which must outlive it. An export has its own model, so later changes do not affect
/// it. A canceled or destroyed export leaves no file.
class Exporter {
 public:
  /// Plans the dialog's export and continues a running one. Returns whether the image changed.
  bool update(App& app, Renderer& renderer);
  /// Returns whether update() must be called every frame.
  [[nodiscard]] bool busy() const noexcept {
    return planning_.valid() || ending_ != nullptr || work_ != nullptr || estimate_.busy();
  }

  /// Returns whether the next update() draws, rather than waiting for threads.
  [[nodiscard]] bool draws() const noexcept { return work_ != nullptr && draws_; }

 private:
  /// A character of the scene, with a model of its own.
  struct Drawn {
    Character character;
    Filter filter = Filter::trilinear;
    std::future<Expected<std::vector<Bitmap>, Diagnostic>> decoding{};
    std::optional<Upload> upload{};
    std::optional<Model> model{};
    Drawn(Character drawn, const Limits& limits, Filter texels);
    /// Decodes and uploads. Returns whether the model is ready.
    ExportResult<bool> step(Renderer& renderer);
  };

  struct Work {
    ScenePlan plan;
    std::filesystem::path stem;
    std::vector<Drawn> drawn{};  ///< The exported character first.
    std::vector<std::uint8_t> hidden{};
    std::vector<std::string> paths{};  ///< The paths of all files. A sheet's are complete once it is packed.
    std::unique_ptr<VideoWriter> video{};
    std::optional<ScenePoser> poser{};  ///< For frames that are more than those of a clip.
    PoseBuffers posed{};
    // What the job calls.
    AdjustPose adjust{};
    std::function<void(std::size_t clip, std::uint32_t frame)> draw{};
    std::function<ExportResult<void>(const std::string& path, std::span<const std::byte> bytes, bool last)> write{};
    std::function<void(const SheetFiles& sheet)> list{};
    ExportJobOptions options{};
    std::optional<ExportJob> job{};  ///< Last, because it uses the other members.
    ~Work();
    std::chrono::steady_clock::time_point begun = std::chrono::steady_clock::now();
  };

  bool plan(App& app);
  void begin(const App& app);
  bool update_progress(ExportProgress& progress) const;
  bool work(App& app, Renderer& renderer);
  ExportResult<ExportJob::Step> step(Renderer& renderer);
  ExportResult<ExportJob> make_job(Renderer& renderer);
  static void draw_scene(Work& work, Renderer& renderer, std::size_t clip, std::uint32_t frame);
  void end();

  SizeEstimate estimate_{};
  std::future<ExportResult<ScenePlan>> planning_{};
  std::optional<Character> planned_for_{};
  SceneRequest planned_{};          ///< Being planned, or planned last.
  std::unique_ptr<Work> work_{};    ///< Never moves: the job refers to the models.
  std::unique_ptr<Work> ending_{};  ///< Waits for its encoders.
  bool draws_ = false;
};

}  // namespace pchr::player
