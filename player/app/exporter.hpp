// SPDX-License-Identifier: MIT
#pragma once

#include "app/app.hpp"
#include "app/size_estimate.hpp"
#include "app/video_writer.hpp"

#include <pchr/offscreen.hpp>

#include <filesystem>

namespace pchr::player {

/// Draws and writes exports. Plans, decodes and encodes on threads, and draws for some milliseconds per window frame
/// on the current OpenGL context, which must outlive it. An export has its own model, so later changes do not affect
/// it. A canceled or destroyed export leaves no file.
class Exporter {
 public:
  /// Plans the dialog's export and continues a running one. Returns whether the image changed.
  bool update(App& app, Renderer& renderer, GetProcAddress get_proc_address);
  /// Returns whether update() must be called every frame.
  [[nodiscard]] bool busy() const noexcept {
    return planning_.valid() || ending_ != nullptr || work_ != nullptr || estimate_.busy();
  }

  /// Returns whether the next update() draws, rather than waiting for threads.
  [[nodiscard]] bool draws() const noexcept { return work_ != nullptr && draws_; }

 private:
  /// Shows a pose as the window does.
  struct Adjustment {
    Selection selection{};
    Affine3 rotation{};
    void operator()(PoseBuffers& posed) const;
  };

  /// A character of the scene, with a model of its own.
  struct Actor {
    Character character;
    Filter filter = Filter::trilinear;
    std::future<Expected<std::vector<Bitmap>, Diagnostic>> decoding{};
    std::optional<Upload> upload{};
    std::optional<Model> model{};
    Actor(Character drawn, const Limits& limits, Filter texels);
    /// Decodes and uploads. Returns whether the model is ready.
    ExportResult<bool> step(Renderer& renderer);
  };

  struct Work;
  /// Draws frames that are more than those of a clip.
  struct SceneDrawing {
    Work& work;
    Renderer& renderer;
    ScenePoser poser;
    PoseBuffers posed{};
    void operator()(std::size_t clip, std::uint32_t frame);
    void draw(std::size_t actor, Camera camera, std::optional<SceneView> scene, Vec2 place);
  };
  struct VideoOutput {
    VideoWriter& video;
    ExportResult<void> operator()(const std::string& path, std::span<const std::byte> bytes, bool last) const;
  };
  /// Paths of all files of an export.
  struct FileList {
    std::vector<std::string> paths{};
    void operator()(const SheetFiles& sheet);
  };

  struct Work {
    ExportPlan plan;
    std::filesystem::path stem;
    std::vector<Actor> actors{};  ///< The exported character first.
    std::vector<std::uint8_t> hidden{};
    Adjustment adjustment{};
    std::optional<SceneDrawing> drawing{};
    std::unique_ptr<VideoWriter> video{};
    std::optional<VideoOutput> video_output{};
    FileList files{};  ///< Those of a sheet are complete once it is packed.
    ExportJobOptions options{};
    std::optional<ExportJob> job{};  ///< Last, because it uses the other members.
    ~Work();
    std::chrono::steady_clock::time_point begun = std::chrono::steady_clock::now();
  };

  bool plan(App& app);
  void begin(const App& app);
  bool update_progress(ExportProgress& progress) const;
  bool work(App& app, Renderer& renderer, GetProcAddress get_proc_address);
  ExportResult<ExportJob::Step> step(Renderer& renderer, GetProcAddress get_proc_address);
  ExportResult<ExportJob> make_job(Renderer& renderer, GetProcAddress get_proc_address);
  void end();

  SizeEstimate estimate_{};
  std::future<ExportResult<ExportPlan>> planning_{};
  std::optional<Character> planned_for_{};
  ExportRequest planned_{};         ///< Being planned, or planned last.
  std::unique_ptr<Work> work_{};    ///< Never moves: the job refers to the models.
  std::unique_ptr<Work> ending_{};  ///< Waits for its encoders.
  bool draws_ = false;
};

}  // namespace pchr::player
