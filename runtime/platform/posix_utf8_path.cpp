// SPDX-License-Identifier: MIT
#include "platform/utf8_path.hpp"

namespace pchr {

std::filesystem::path path_from_utf8(std::string_view utf8) { return utf8; }

std::string utf8_of(const std::filesystem::path& path) { return path.string(); }

}  // namespace pchr
