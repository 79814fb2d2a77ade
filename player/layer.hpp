// SPDX-License-Identifier: MIT
// A picture of its own that is then laid over the canvas: as a ghost, or as counts.
#pragma once

#include "background.hpp"

#include <pchr/geometry.hpp>
#include <pchr/renderer.hpp>

#include <array>
#include <expected>
#include <memory>
#include <span>

namespace pchr::player {

/// What `Layer::lay_counts` multiplies each pixel of a layer by for each thing that covers it: draw in black with
/// `kCountedAlpha` on white.
inline constexpr float kCountedAlpha = 32.0F / 255.0F;
inline constexpr std::size_t kMostCountColours = 16;

/// Draws aside on the current OpenGL context. Needs no OpenGL state but what the player itself sets.
class Layer {
 public:
  [[nodiscard]] static std::expected<Layer, RenderError> create(GetProcAddress get_proc_address);
  Layer(Layer&&) noexcept;
  Layer& operator=(Layer&&) noexcept;
  ~Layer();

  /// Until one of the calls below what is drawn goes to a picture of the viewport's size, which is `clear` at first
  /// (premultiplied RGBA). False, and nothing changed, where the GPU has no room for it.
  bool begin(const std::array<float, 4>& clear);
  /// Lays the picture into the viewport, `strength` (0..1) opaque and drawn towards one hue.
  void lay_ghost(const Colour& hue, float strength);
  /// Lays colours into the viewport where something was counted: the first for one, the last for as many as there are
  /// colours or more. At most kMostCountColours.
  void lay_counts(std::span<const Colour> colours);

 private:
  struct Resources;
  explicit Layer(std::unique_ptr<Resources> resources) noexcept;
  void end();
  std::unique_ptr<Resources> resources_;
};

}  // namespace pchr::player
