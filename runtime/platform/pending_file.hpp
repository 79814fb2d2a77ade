// SPDX-License-Identifier: MIT
#pragma once

#include "platform/output_file.hpp"

namespace pchr {

class TemporaryNames;

/// Does nothing: temporary files of killed processes stay.
inline std::shared_ptr<TemporaryNames> remove_leftovers(const std::string& /*folder*/) { return {}; }

}  // namespace pchr
