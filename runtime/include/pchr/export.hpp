// SPDX-License-Identifier: MIT
// What a shared library shows of itself.
#pragma once

/// Marks a namespace whose functions and classes users of a shared library may use. Everything else is hidden. In a
/// static library nothing is shown, so that a plugin which contains one does not pass it on.
#if defined(__GNUC__) && !defined(PCHR_STATIC)
#define PCHR_API __attribute__((visibility("default")))
#else
#define PCHR_API
#endif
