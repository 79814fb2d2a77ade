// SPDX-License-Identifier: MIT
#pragma once

#include "app/app.hpp"

#include <pchr/offscreen.hpp>

#include <filesystem>

namespace pchr::player {

/// Draws and writes exports. Plans, decodes and encodes on threads, and draws for a few milliseconds per window frame
/// on the current OpenGL context, which must outlive it. An export has its own model, so later changes do not affect
/// it. A canceled or destroyed export leaves no file.
class Exporter {
 public:
  /// Plans the dialog's export and continues a running one. Returns whether the image changed.
  bool update(App& app, Renderer& renderer, GetProcAddress get_proc_address);
  /// Returns whether update() must be called every frame.
  [[nodiscard]] bool busy() const noexcept { return planning_.valid() || ending_.has_value() || work_ != nullptr; }

 private:
  /// Shows a pose as the window does.
  struct Adjustment {
    Selection selection{};
    Affine3 rotation{};
    void operator()(PoseBuffers& posed) const;
  };

  struct Work {
    Character character;
    ExportPlan plan;
    std::filesystem::path stem;
    Adjustment adjustment{};
    ExportJobOptions options{};
    Filter filter = Filter::trilinear;
    std::future<Expected<std::vector<Bitmap>, Diagnostic>> decoding{};
    std::optional<Upload> upload{};
    std::optional<Model> model{};
    std::optional<ExportJob> job{};
  };

  bool plan(App& app);
  void begin(const App& app);
  bool work(App& app, Renderer& renderer, GetProcAddress get_proc_address);
  ExportResult<ExportJob::Step> step(Renderer& renderer, GetProcAddress get_proc_address);
  ExportResult<ExportJob> make_job(Renderer& renderer, GetProcAddress get_proc_address) const;
  void end();

  std::future<ExportResult<ExportPlan>> planning_{};
  std::optional<Character> planned_for_{};
  ExportRequest planned_{};            ///< Being planned, or planned last.
  std::unique_ptr<Work> work_{};       ///< Never moves: the job refers to the model.
  std::optional<ExportJob> ending_{};  ///< Waits for its encoders.
};

}  // namespace pchr::player
