// SPDX-License-Identifier: MIT
// Shorthand for failures.
#pragma once

#include <pchr/export/animation.hpp>

#include <string>
#include <utility>

namespace pchr::exporting {

[[nodiscard]] inline std::unexpected<ExportError> fail(std::string message,
                                                       ExportError::Kind kind = ExportError::Kind::failed) {
  return std::unexpected(ExportError{kind, std::move(message)});
}

/// What was asked for cannot be done.
[[nodiscard]] inline std::unexpected<ExportError> refuse(std::string message) {
  return fail(std::move(message), ExportError::Kind::request);
}

}  // namespace pchr::exporting
