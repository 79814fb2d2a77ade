// SPDX-License-Identifier: MIT
// From a request to a picture: reading on a thread of its own, uploading a little per picture, watching.
#pragma once

#include "file_watch.hpp"
#include "loader.hpp"
#include "session.hpp"

#include <pchr/renderer.hpp>

#include <functional>
#include <optional>

namespace pchr::player {

/// Opens what session.files asks for. What was open stays, and plays, until the new one is all there.
class Opening {
 public:
  /// `wake` is called on any thread when update() has something to do.
  explicit Opening(const std::function<void()>& wake);

  /// Does a few milliseconds of work at most, at the time `now` in seconds. Returns whether what is shown changed.
  bool update(Session& session, Renderer& renderer, double now);
  /// Whether update() is to be called for each picture.
  [[nodiscard]] bool busy() const noexcept { return loading_ || uploading_; }

 private:
  struct Uploading {
    LoadRequest request;
    Source source;
    std::filesystem::path path;
    std::optional<std::uint32_t> clip;
    Extent bounds;
    std::vector<AlphaMask> masks;
    std::vector<Problem> problems;
    Upload upload;
  };

  void watch_shown(const Session& session);
  bool accept(Session& session, Renderer& renderer, LoadResult result);
  bool upload_more(Session& session);
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
