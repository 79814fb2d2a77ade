// SPDX-License-Identifier: MIT
// Smooth edges for the canvas, whatever the window's own framebuffer is: few desktops have transparent ones with them.
#pragma once

#include <pchr/geometry.hpp>
#include <pchr/renderer.hpp>

#include <expected>
#include <memory>

namespace pchr::player {

inline constexpr std::uint32_t kCanvasSamples = 4;

/// A multisampled framebuffer as large as the window's, on the current OpenGL context.
class SmoothTarget {
 public:
  [[nodiscard]] static std::expected<SmoothTarget, RenderError> create(GetProcAddress get_proc_address);
  SmoothTarget(SmoothTarget&&) noexcept;
  SmoothTarget& operator=(SmoothTarget&&) noexcept;
  ~SmoothTarget();

  /// What is drawn now goes there.
  void begin(Vec2 framebuffer);
  /// Puts it into the window's framebuffer, which is then drawn to again.
  void end();

 private:
  struct Resources;
  explicit SmoothTarget(std::unique_ptr<Resources> resources) noexcept;
  std::unique_ptr<Resources> resources_;
};

}  // namespace pchr::player
