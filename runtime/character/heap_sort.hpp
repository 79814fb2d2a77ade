// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

namespace pchr {

/// Sorts with far less code than std::sort(), which a web page downloads. For what is seldom sorted.
void heap_sort(auto& range, const auto& less) {
  std::ranges::make_heap(range, less);
  std::ranges::sort_heap(range, less);
}

}  // namespace pchr
