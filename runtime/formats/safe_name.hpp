// SPDX-License-Identifier: MIT
// Names from files into names for files.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pchr {

/// `name` made fit to name a file in any folder of any system: letters, digits, '-', '_' and '.', all else
/// replaced by '_'; neither empty, hidden, reserved on Windows nor long. A name that already is so stays.
[[nodiscard]] std::string safe_name(std::string_view name);

/// A safe name for each of `names`, ending in `extension` once. They differ even where case is ignored: the
/// second hero becomes hero-2.
[[nodiscard]] std::vector<std::string> safe_file_names(std::span<const std::string_view> names,
                                                       std::string_view extension);

}  // namespace pchr
