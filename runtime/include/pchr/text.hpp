// SPDX-License-Identifier: MIT
// Text from files, made safe for what it is written to. `printable` in finding.hpp is the usual one.
#pragma once

#include <pchr/export.hpp>

#include <string>
#include <string_view>

namespace PCHR_API pchr {

/// Does what `printable` does, but keeps line breaks and tabs: for a whole message whose values are printable already.
[[nodiscard]] std::string printable_lines(std::string_view text);

/// Returns what stands between the quotes of a JSON string: valid UTF-8 that a parser turns back into `text`, in which
/// everything that `printable` escapes is an escape of JSON. Bytes that are not UTF-8 become text such as `\xff`.
[[nodiscard]] std::string json_escaped(std::string_view text);

}  // namespace pchr
