// SPDX-License-Identifier: MIT
// An OpenGL that does nothing, to measure only the renderer's own work.
#pragma once

namespace pchr::bench {

/// Returns functions of a context that reports OpenGL 4.5, maps memory, and ignores every other call.
void (*idle_get_proc_address(const char* name))();

}  // namespace pchr::bench
