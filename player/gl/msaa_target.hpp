// SPDX-License-Identifier: MIT
// Smooth edges for the canvas, whatever the window's own framebuffer is: few desktops have transparent ones with them.
#pragma once

#include "gl/gl.hpp"

#include <pchr/geometry.hpp>

#include <cstdint>

namespace pchr::player {

inline constexpr std::uint32_t kCanvasSamples = 4;

/// A multisampled framebuffer as large as the window's.
class MsaaTarget {
 public:
  MsaaTarget();
  /// Draws there from now on.
  void begin(Vec2 framebuffer);
  /// Copies it into the window's framebuffer, which is then drawn to again.
  void end();

 private:
  struct Surface {
    GlFramebuffer framebuffer;
    GlRenderbuffer color, depth;
  };
  Surface samples_;
  Surface resolved_;  ///< Not every driver resolves right into a window's framebuffer of another format.
  GLsizei max_samples_ = 0;
  GLsizei width_ = 0, height_ = 0;
};

}  // namespace pchr::player
