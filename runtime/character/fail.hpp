// SPDX-License-Identifier: MIT
// Shortcuts that return a diagnostic as an error.
// Inside the library, running out of memory throws std::bad_alloc. Public functions that can fail return E131 instead.
#pragma once

#include <pchr/diagnostic.hpp>
#include <pchr/expected.hpp>

#include <new>
#include <utility>

namespace PCHR_API pchr {

[[nodiscard]] inline Unexpected<Diagnostic> fail(DiagnosticId id, std::string detail = {}) {
  return Unexpected(Diagnostic{id, {}, {}, {}, std::move(detail)});
}

[[nodiscard]] inline Unexpected<Diagnostic> fail(DiagnosticId id, std::string path, std::string detail) {
  return Unexpected(Diagnostic{id, std::move(path), {}, {}, std::move(detail)});
}

[[nodiscard]] inline Unexpected<Diagnostic> fail(DiagnosticId id, std::uint64_t byte_offset, std::string detail) {
  return Unexpected(Diagnostic{id, {}, {}, byte_offset, std::move(detail)});
}

/// For C libraries that return null when memory runs out. Ends the program where the build has no exceptions.
[[noreturn]] inline void throw_out_of_memory() {
#ifdef __cpp_exceptions
  throw std::bad_alloc();
#else
  fail_without_value("out of memory");
#endif
}

/// Returns the result of `work`, or E131 if it runs out of memory. Building that error needs no memory.
template <typename Work>
[[nodiscard]] auto or_out_of_memory(const Work& work) -> decltype(work()) {
#ifdef __cpp_exceptions
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return fail(DiagnosticId::out_of_memory);
  }
#else
  return work();
#endif
}

}  // namespace pchr
