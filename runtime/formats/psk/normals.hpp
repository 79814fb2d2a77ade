// SPDX-License-Identifier: MIT
// The normals of an Unreal mesh.
#pragma once

#include "formats/psk/mesh.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace pchr::psk {

/// Normals of a mesh, outward, of length 1, in the file's space.
struct Normals {
  std::vector<Vec3> normals;
  std::vector<std::array<std::uint32_t, 3>> of_corner;  ///< Per face: which normal each corner has.
};

/// The file's own, one per point; else those of the faces around a point that share a smoothing group, each counting by
/// its area. A face in no group is flat.
[[nodiscard]] Normals find_normals(const Mesh& mesh);

}  // namespace pchr::psk
