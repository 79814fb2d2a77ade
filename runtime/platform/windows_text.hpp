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

/// Returns the text of an error code of Windows, as error_text() in system_error.hpp does.
[[nodiscard]] std::string error_text(unsigned long code);

/// Returns a path for Windows functions. One that can be too long for some of them becomes absolute and starts with
/// `\\?\`.
[[nodiscard]] std::wstring wide_path(std::string_view utf8);

/// Returns a path in UTF-8, without the `\\?\` of a path that wide_path() made.
[[nodiscard]] std::string narrow_path(std::wstring_view path);

/// Returns the path of this program.
[[nodiscard]] std::wstring own_program();

/// Appends an argument to a command line so that CommandLineToArgvW and the C library return it unchanged.
void append_quoted(std::wstring& line, std::wstring_view argument);

}  // namespace pchr
