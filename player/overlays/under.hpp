// SPDX-License-Identifier: MIT
// What is drawn by the renderer besides the character, or in its place.
#pragma once

#include "layer.hpp"
#include "session.hpp"

#include <cstdint>
#include <optional>

namespace pchr::player {

/// The colours of 1, 2, 3 ... meshes over a pixel.
inline constexpr std::size_t kOverdrawColours = 8;
[[nodiscard]] Colour overdraw_colour(std::size_t meshes) noexcept;

/// Draws ghosts of the frames before and after the one that is shown into the viewport. They are posed where that
/// frame, or what is hidden, has changed.
void draw_onion(Session& session, Layer& layer, Renderer& renderer);

/// A skin that makes every mesh of the open character plain white, so that whole triangles are counted.
struct PlainSkin {
  std::optional<Skin> skin{};
  std::uint32_t file = 0;  ///< Session::files_opened when it was made.
};

/// Draws how many meshes cover each pixel. Returns false, and draws nothing, where the GPU cannot.
bool draw_overdraw(const Session& session, PlainSkin& plain, Layer& layer, Renderer& renderer);

}  // namespace pchr::player
