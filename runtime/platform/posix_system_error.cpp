// SPDX-License-Identifier: MIT
#include "platform/system_error.hpp"

#include <cerrno>

namespace pchr {

std::error_code last_error() noexcept { return {errno, std::generic_category()}; }

std::string error_text(const std::error_code& error) { return error.message(); }

}  // namespace pchr
