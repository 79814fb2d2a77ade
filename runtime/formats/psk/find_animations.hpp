// SPDX-License-Identifier: MIT
// The animation files beside an Unreal mesh: which are its own, and which others fit it.
#pragma once

#include "formats/psk/animation_names.hpp"
#include "formats/psk/search_budget.hpp"
#include "formats/psk/skeleton.hpp"

#include <pchr/load.hpp>

#include <cstdint>
#include <filesystem>
#include <vector>

namespace pchr::psk {

/// A .psa file, of which nothing but the names of its bones was read.
struct FoundAnimation {
  std::filesystem::path path;
  NameMatch name = NameMatch::none;
  bool readable = false;            ///< Whether its bones could be read.
  std::uint32_t bones = 0;          ///< That it animates,
  std::uint32_t matched_bones = 0;  ///< and that the mesh has.
  bool chosen = false;              ///< Whether it is the mesh's own.
};

/// Looks at every .psa file in the folder of `mesh`. The result has those that are chosen first, then the others that
/// fit, the best match first.
///
/// A file fits if the mesh has at least half of its bones. Of files that fit, those are chosen whose name is a pair
/// with the mesh's; where there are none, those whose name begins with the mesh's, unless another has clearly better
/// bones. Of several, those whose bones fit about as well as the best's. If none of these fits, the pairs are chosen as
/// they are, and without a pair the one file that fits best by bones, if it also moves half of the mesh's. A file whose
/// name fits another mesh of the folder better is never chosen.
[[nodiscard]] std::vector<FoundAnimation> find_animations(const std::filesystem::path& mesh, const Skeleton& skeleton,
                                                          const LoadOptions& options, SearchBudget& budget);

}  // namespace pchr::psk
