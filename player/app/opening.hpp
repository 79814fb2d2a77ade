// SPDX-License-Identifier: MIT
#pragma once

#include "document/loader.hpp"
#include "ui/app.hpp"

#include <filesystem>

namespace pchr::player {

/// Opens the files that app.requests requests: reads them on a thread, uploads a little per frame, then watches them.
/// The open document keeps playing until the new one is complete.
class Opening {
 public:
  /// `wake` is called on any thread when update() has something to do.
  explicit Opening(const std::function<void()>& wake);

  /// Starts to read what app.requests requests, if anything; `now` is in seconds.
  void start(App& app, double now);
  /// Starts what is requested, and does a few milliseconds of work at most. Returns whether the image changed.
  bool update(App& app, Renderer& renderer, double now);
  /// Returns whether update() must be called every frame.
  [[nodiscard]] bool busy() const noexcept { return loading_ || uploading_; }

 private:
  struct Uploading {
    LoadResult loaded;
    Upload upload;
  };

  bool follow_files(App& app);
  void watch_shown(const App& app);
  bool accept(App& app, Renderer& renderer, LoadResult result);
  bool upload_more(App& app);
  void show_progress(OpenRequests& requests, double now) const;

  Loader loader_;
  FileWatch watch_;           ///< For the open file.
  FileWatch watch_compared_;  ///< For the compared file.
  std::optional<std::filesystem::path> watched_{};
  FileStamp watched_sidecar_{};
  std::filesystem::path compared_{};  ///< Empty if no file is compared.
  bool loading_ = false;
  std::optional<Uploading> uploading_{};
  std::uint64_t bytes_to_upload_ = 0;
  double begun_ = 0;  ///< When the request arrived, in seconds.
};

}  // namespace pchr::player
