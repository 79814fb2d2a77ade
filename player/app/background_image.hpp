// SPDX-License-Identifier: MIT
#pragma once

#include "app/app.hpp"
#include "gl/background_painter.hpp"

#include <filesystem>

namespace pchr::player {

void set_background_image(View& view, const std::filesystem::path& path);
/// Switches between checker, plain color and, if there is one, the image.
void cycle_background(View& view);

/// Decodes the background image on a thread.
class BackgroundImage {
 public:
  /// Passes the view's image to `painter`. Falls back to the checker if it cannot be read, with an error unless the
  /// file is gone. Returns whether the frame changed.
  bool update(App& app, BackgroundPainter& painter);
  [[nodiscard]] bool busy() const noexcept { return reading_.valid(); }

 private:
  std::filesystem::path path_{};  ///< The image that is shown or being read.
  std::future<Expected<Bitmap, std::string>> reading_{};
};

}  // namespace pchr::player
