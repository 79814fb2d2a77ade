// SPDX-License-Identifier: MIT
#pragma once

#include "app/app.hpp"

#include <pchr/offscreen.hpp>

namespace pchr::player {

/// Draws and writes exports: plans, decodes and encodes beside the window, and draws a few milliseconds per frame of
/// it, on the current OpenGL context, which must outlive it. An export has its own model, so that nothing done
/// meanwhile changes it. One that is cancelled or destroyed leaves no file.
class Exporter {
 public:
  /// Plans what the dialog says, and works on what was begun. Returns whether what is shown changed.
  bool update(App& app, Renderer& renderer, GetProcAddress get_proc_address);
  /// Returns whether update() must be called for each frame.
  [[nodiscard]] bool busy() const noexcept { return planning_.valid() || ending_.valid() || work_ != nullptr; }

 private:
  struct Work {
    Character character;
    ExportPlan plan;
    std::filesystem::path stem;
    ExportJobOptions options{};
    Filter filter = Filter::trilinear;
    std::future<std::expected<std::vector<Bitmap>, Diagnostic>> decoding{};
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
  std::optional<Character> asked_of_{};
  ExportRequest asked_{};         ///< What is being planned, or was last.
  std::unique_ptr<Work> work_{};  ///< Stays in its place: the job refers to the model.
  std::future<void> ending_{};
};

}  // namespace pchr::player
