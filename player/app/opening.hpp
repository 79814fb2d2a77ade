// SPDX-License-Identifier: MIT
#pragma once

#include "app/app.hpp"
#include "document/loader.hpp"

namespace pchr::player {

/// Opens what app.files requests: reads on a thread of its own, uploads a little per frame, then watches the files. The
/// open document stays, and plays, until the new one is complete.
class Opening {
 public:
  /// Calls `wake` on any thread when update() has something to do.
  explicit Opening(const std::function<void()>& wake);

  /// Does a few milliseconds of work at most; `now` is in seconds. Returns whether what is shown changed.
  bool update(App& app, Renderer& renderer, double now);
  /// Returns whether update() must be called for each frame.
  [[nodiscard]] bool busy() const noexcept { return loading_ || uploading_; }

 private:
  struct Uploading {
    LoadResult loaded;
    Upload upload;
  };

  void watch_shown(const App& app);
  bool accept(App& app, Renderer& renderer, LoadResult result);
  bool upload_more(App& app);
  void show_progress(Files& files, double now) const;

  Loader loader_;
  FileWatch watch_;
  std::optional<std::filesystem::path> watched_{};
  bool loading_ = false;
  std::optional<Uploading> uploading_{};
  std::uint64_t bytes_to_upload_ = 0;
  double begun_ = 0;  ///< When the request came, in seconds.
};

}  // namespace pchr::player
