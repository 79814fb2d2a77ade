// SPDX-License-Identifier: MIT
// Errors of the system.
#pragma once

#include <pchr/api.hpp>

#include <string>
#include <system_error>

namespace PCHR_API pchr {

/// Returns the error of the last system function: errno, or GetLastError() on Windows.
[[nodiscard]] std::error_code last_error() noexcept;

/// Returns the text of an error in English, such as "No such file or directory". On Windows,
/// std::error_code::message() answers in the user's language and an encoding that depends on it.
[[nodiscard]] std::string error_text(const std::error_code& error);

}  // namespace pchr
