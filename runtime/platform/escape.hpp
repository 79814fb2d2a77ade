// SPDX-License-Identifier: MIT
// Leaves a C library from its callbacks.
#pragma once

#include <pchr/callback.hpp>

namespace PCHR_API pchr {

/// Lets a callback leave the C library that calls it, which has no other way to stop: longjmp(), or an exception of
/// JavaScript on the web. No variable with a destructor may be on the way.
class Escape {
 public:
  /// Calls `work`. Returns false if it was left.
  [[nodiscard]] bool run(const Callback<void()>& work);
  /// Leaves the `work` that runs.
  [[noreturn]] void leave();

 private:
  [[maybe_unused]] void* target_ = nullptr;
};

}  // namespace pchr
