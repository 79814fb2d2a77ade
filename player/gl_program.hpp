// SPDX-License-Identifier: MIT
// Shaders of the player's own.
#pragma once

#include <glad/gl.h>

namespace pchr::player {

/// Compiles and links a program; 0 where it does not build.
[[nodiscard]] GLuint link_program(const GladGLContext& gl, const char* vertex_source, const char* fragment_source);

}  // namespace pchr::player
