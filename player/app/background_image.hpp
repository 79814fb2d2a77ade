// SPDX-License-Identifier: MIT
#pragma once

#include "app/app.hpp"
#include "gl/background_painter.hpp"

namespace pchr::player {

void set_background_image(View& view, const std::filesystem::path& path);
/// Switches between checker, plain, and the image where there is one.
void cycle_background(View& view);

/// Decodes the image behind the character beside the window.
class BackgroundImage {
 public:
  /// Gives `painter` the view's image. One that cannot be read gives way to the checker, with an error unless it is
  /// gone. Returns whether the frame changed.
  bool update(App& app, BackgroundPainter& painter);
  [[nodiscard]] bool busy() const noexcept { return reading_.valid(); }

 private:
  std::filesystem::path path_{};  ///< Of the image that is shown or being read.
  std::future<std::expected<Bitmap, std::string>> reading_{};
};

}  // namespace pchr::player
