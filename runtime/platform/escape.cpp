// SPDX-License-Identifier: MIT
#include "platform/escape.hpp"

#include <csetjmp>

namespace pchr {

bool Escape::run(const Callback<void()>& work) {
  std::jmp_buf target;
  target_ = &target;
  if (setjmp(target) != 0) return false;
  work();
  return true;
}

void Escape::leave() { std::longjmp(*static_cast<std::jmp_buf*>(target_), 1); }

}  // namespace pchr
