// SPDX-License-Identifier: MIT
// Numbers of texts, whatever the program's locale, from the C++ library except on the web.
#pragma once

#include <pchr/api.hpp>

namespace PCHR_API pchr {

/// Returns the nearest double of a valid JSON number. A byte that a number cannot have must follow it. What is too
/// large for a double is infinite, or the largest double with C++ libraries that cannot convert to doubles.
[[nodiscard]] double nearest_double(const char* first, const char* last);

}  // namespace pchr
