// SPDX-License-Identifier: MIT
// Characters as the session looks at them: planar ones by its camera, spatial ones by its turntable, too.
#pragma once

#include "overlays/ground.hpp"
#include "session.hpp"

#include <pchr/renderer.hpp>

namespace pchr::player {

/// Draws one posed character of the session into the viewport.
void draw_character(const Session& session, const Model& model, const PosedCharacter& posed, Renderer& renderer);

/// What the ground is seen with; a spatial character must be open.
[[nodiscard]] GroundView ground_view(const Session& session) noexcept;

}  // namespace pchr::player
