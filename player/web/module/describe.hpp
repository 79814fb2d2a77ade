// SPDX-License-Identifier: MIT
// Describes characters and errors as JSON; exports.hpp documents the fields.
#pragma once

#include "open.hpp"

namespace pchr::web {

[[nodiscard]] std::string describe_opened(const Opened& opened, std::size_t file_bytes,
                                          std::span<const std::string> missing);
[[nodiscard]] std::string describe_error(const Diagnostic& error, std::span<const std::string> missing);
[[nodiscard]] std::string describe_error(std::string_view message);

}  // namespace pchr::web
