// SPDX-License-Identifier: MIT
// The .config file beside a .psa file: which parts of its tracks count.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace pchr::psk {

/// What of a track is to be left as in the bind pose.
struct RemovedParts {
  bool position = false, rotation = false;
};

/// Names are in lower case.
struct Config {
  std::map<std::pair<std::string, std::uint32_t>, RemovedParts> removed;  ///< By sequence and number of the bone.
  bool rotation_only = false;  ///< Positions count for those of `with_position` alone.
  std::set<std::string> with_position;
};

/// Reads what there is to understand; other lines do nothing.
[[nodiscard]] Config read_config(std::string_view text);

/// In ASCII's lower case, which is how names are compared.
[[nodiscard]] std::string lower(std::string_view text);

}  // namespace pchr::psk
