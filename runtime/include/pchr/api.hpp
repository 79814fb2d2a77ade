// SPDX-License-Identifier: MIT
// Symbol visibility and compiler attributes.
#pragma once

#if (defined(_MSVC_LANG) ? _MSVC_LANG : __cplusplus) < 202002L
#error "pchr's headers need C++20: compile with -std=c++20, or set CMAKE_CXX_STANDARD to 20"
#endif

/// Exports a namespace from the shared library. Static builds define PCHR_STATIC, so a plugin that links pchr
/// statically does not re-export its symbols.
#if defined(__GNUC__) && !defined(PCHR_STATIC)
#define PCHR_API __attribute__((visibility("default")))
#else
#define PCHR_API
#endif

// Marks types that refer to memory they do not own. Silences GCC's -Wdangling-reference for references to their
// elements.
#if defined(__has_cpp_attribute) && __has_cpp_attribute(gnu::no_dangling)
#define PCHR_VIEW [[gnu::no_dangling]]
#else
#define PCHR_VIEW
#endif
