// SPDX-License-Identifier: MIT
// Text as Windows functions take and return it.
#pragma once

#include <pchr/api.hpp>

#include <string>
#include <string_view>

namespace PCHR_API pchr {

/// Returns UTF-8 text in UTF-16. Invalid bytes become U+FFFD.
[[nodiscard]] std::wstring wide(std::string_view utf8);

/// Returns UTF-16 text in UTF-8. Unpaired surrogates, which file names can contain, become U+FFFD.
[[nodiscard]] std::string narrow(std::wstring_view utf16);

/// Returns the English text of a Windows error code, without a period.
[[nodiscard]] std::string error_text(unsigned long code);

}  // namespace pchr
