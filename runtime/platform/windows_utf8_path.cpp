// SPDX-License-Identifier: MIT
#include "platform/utf8_path.hpp"

#include "platform/windows_text.hpp"

namespace pchr {

std::filesystem::path path_from_utf8(std::string_view utf8) { return wide_path(utf8); }

std::string utf8_of(const std::filesystem::path& path) { return narrow_path(path.native()); }

}  // namespace pchr
