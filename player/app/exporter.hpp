// SPDX-License-Identifier: MIT
// Draws and writes exports: planned, decoded and encoded beside the window, drawn a few milliseconds per frame of it.
#pragma once

#include "app/app.hpp"
#include "app/export_dialog.hpp"

#include <pchr/image.hpp>
#include <pchr/offscreen.hpp>

#include <future>

namespace pchr::player {

/// Works on the current OpenGL context, which must outlive it. An export has its own model: what is done meanwhile to
/// what is open, or that it is read again, changes nothing in it. One that is ended, or destroyed, leaves no file.
class Exporter {
 public:
  Exporter();
  Exporter(Exporter&&) noexcept;
  Exporter& operator=(Exporter&&) noexcept;
  ~Exporter();

  /// Brings the plan in line with what the dialog says, and works on what was begun for a few milliseconds. Returns
  /// whether what is shown changed.
  bool update(App& app, Renderer& renderer, GetProcAddress get_proc_address);
  /// Returns whether update() is to be called for each frame.
  [[nodiscard]] bool busy() const noexcept { return planning_.valid() || ending_.valid() || work_ != nullptr; }

 private:
  struct Work;  ///< What is written.

  bool plan(App& app);
  void begin(const App& app);
  bool work(App& app, Renderer& renderer, GetProcAddress get_proc_address);
  ExportResult<ExportJob::Step> step(Renderer& renderer, GetProcAddress get_proc_address);
  void end();

  std::future<ExportResult<ExportPlan>> planning_{};
  std::optional<Character> asked_of_{};
  ExportRequest asked_{};  ///< What is being planned, or was last.
  std::unique_ptr<Work> work_{};
  std::future<void> ending_{};
};

}  // namespace pchr::player
