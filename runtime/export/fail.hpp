// SPDX-License-Identifier: MIT
#pragma once

#include <pchr/export/animation.hpp>

namespace pchr::exporting {

[[nodiscard]] inline std::unexpected<ExportError> fail(std::string message,
                                                       ExportError::Kind kind = ExportError::Kind::failed) {
  return std::unexpected(ExportError{kind, std::move(message)});
}

[[nodiscard]] inline std::unexpected<ExportError> reject(std::string message) {
  return fail(std::move(message), ExportError::Kind::request);
}

}  // namespace pchr::exporting
