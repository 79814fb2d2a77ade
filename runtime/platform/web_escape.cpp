// SPDX-License-Identifier: MIT
// Leaves C code by an exception of JavaScript. Imports and exports of the module: exports.hpp describes both.
#include "platform/escape.hpp"

namespace pchr {

extern "C" {
// Calls pchr_run(work). Returns whether that returned.
__attribute__((import_module("escape"), import_name("run"))) bool run_in_javascript(const Callback<void()>* work);
// Makes run_in_javascript() return false.
__attribute__((import_module("escape"), import_name("leave"))) void leave_to_javascript();
}

bool Escape::run(const Callback<void()>& work) {
  // In memory, so that this function restores the stack pointer, which the exception does not.
  const Callback<void()> copy = work;
  return run_in_javascript(&copy);
}

void Escape::leave() {
  leave_to_javascript();
  __builtin_unreachable();
}

}  // namespace pchr

extern "C" __attribute__((export_name("pchr_run"))) void pchr_run(const pchr::Callback<void()>* work) { (*work)(); }
