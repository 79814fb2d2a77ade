// SPDX-License-Identifier: MIT
#include <pchr/expected.hpp>

#include <cstdio>
#include <cstdlib>

namespace pchr {

void fail_without_value(const std::string& why) noexcept {
  std::fprintf(stderr, "pchr: a result was used without checking it: %s\n", why.c_str());
  std::abort();
}

}  // namespace pchr
