// SPDX-License-Identifier: MIT
// The image behind the character: chosen by its path, decoded beside the window.
#pragma once

#include "app/app.hpp"
#include "gl/background_painter.hpp"

#include <pchr/image.hpp>

#include <future>

namespace pchr::player {

/// Decodes a PNG file. Fails with a sentence.
[[nodiscard]] std::expected<Bitmap, std::string> read_image(const std::filesystem::path& path);

/// Shows the image at `path` behind the character.
void set_background_image(View& view, const std::filesystem::path& path);
/// Checker, plain, and the image where there is one.
void cycle_background(View& view);

/// Brings the painter's image in line with the view's.
class BackgroundImage {
 public:
  /// Returns whether the frame changed. An image that cannot be read is given up, for the checker; what is wrong
  /// with one that is there is the player's error.
  bool update(App& app, BackgroundPainter& painter);
  [[nodiscard]] bool busy() const noexcept { return reading_.valid(); }

 private:
  std::filesystem::path path_{};  ///< That is shown, or being read.
  std::future<std::expected<Bitmap, std::string>> reading_{};
};

}  // namespace pchr::player
