// SPDX-License-Identifier: MIT
#pragma once

#include <pchr/export/animation.hpp>

namespace pchr::exporting {

[[nodiscard]] inline Unexpected<ExportError> fail(std::string message,
                                                  ExportError::Kind kind = ExportError::Kind::failed) {
  return Unexpected(ExportError{kind, std::move(message)});
}

[[nodiscard]] inline Unexpected<ExportError> reject(std::string message) {
  return fail(std::move(message), ExportError::Kind::request);
}

}  // namespace pchr::exporting
