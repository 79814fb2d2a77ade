// SPDX-License-Identifier: MIT
#pragma once

#include <pchr/export/animation.hpp>

#include <new>

namespace pchr::exporting {

[[nodiscard]] inline Unexpected<ExportError> fail(std::string message,
                                                  ExportError::Kind kind = ExportError::Kind::failed) {
  return Unexpected(ExportError{kind, std::move(message)});
}

[[nodiscard]] inline Unexpected<ExportError> reject(std::string message) {
  return fail(std::move(message), ExportError::Kind::request);
}

/// Returns the result of `work`, or an error if it runs out of memory. Building that error needs no memory.
template <class Work>
[[nodiscard]] auto or_out_of_memory(const Work& work) -> decltype(work()) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return fail("out of memory", ExportError::Kind::out_of_memory);
  }
}

}  // namespace pchr::exporting
