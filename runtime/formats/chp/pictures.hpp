// SPDX-License-Identifier: MIT
// The pictures of a Pomyu character: found, decoded and made transparent.
#pragma once

#include "formats/chp/file.hpp"

#include <pchr/load.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace pchr::chp {

/// What was found, and which of it serves what: always under the first player's use.
struct Pictures {
  std::vector<Image> images;  ///< RGBA, straight alpha.
  std::optional<std::uint32_t> char_bmp, char_tex, char_face, select_cg;
};

/// Loads the pictures that `file` names, for the second player where the options ask for it and there is one. One that
/// cannot be had is left out, with a remark.
[[nodiscard]] Pictures load_pictures(const File& file, const LoadOptions& options, Remarks& remarks);

}  // namespace pchr::chp
