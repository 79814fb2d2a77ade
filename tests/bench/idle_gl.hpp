// SPDX-License-Identifier: MIT
// An OpenGL that does nothing, so that what is measured is the renderer's own work.
#pragma once

namespace pchr::bench {

/// Functions of a context that claims OpenGL 4.5, gives out memory to map, and takes every other call without effect.
void (*idle_get_proc_address(const char* name))();

}  // namespace pchr::bench
