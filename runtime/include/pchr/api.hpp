// SPDX-License-Identifier: MIT
// What a shared library shows of itself.
#pragma once

/// Marks a namespace that a shared library shows. A static library shows nothing, so that a plugin which contains one
/// does not pass it on.
#if defined(__GNUC__) && !defined(PCHR_STATIC)
#define PCHR_API __attribute__((visibility("default")))
#else
#define PCHR_API
#endif

// On types that refer to what others own, so that GCC does not warn of references to their elements.
#if defined(__has_cpp_attribute) && __has_cpp_attribute(gnu::no_dangling)
#define PCHR_VIEW [[gnu::no_dangling]]
#else
#define PCHR_VIEW
#endif
