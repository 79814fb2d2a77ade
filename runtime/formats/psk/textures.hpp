// SPDX-License-Identifier: MIT
// The images of an Unreal mesh: found by the names of its materials, near the file.
#pragma once

#include "formats/psk/mesh.hpp"

#include <pchr/load.hpp>

#include <cstdint>
#include <vector>

namespace pchr::psk {

struct Textures {
  std::vector<Image> images;
  std::vector<std::uint32_t> image_of_material;  ///< One more than materials: last for faces that have none.
};

/// Looks in the folder, those directly in it, the one it is in, and those beside it, for a picture named like a
/// material or for a .mat file so named, whose Diffuse line names the picture; upper and lower case count alike. A
/// material that faces have and for which there is none that can be read has a colour of its own, and a remark says
/// what was looked for. Without a folder there are no pictures.
[[nodiscard]] Textures find_textures(const Mesh& mesh, const LoadOptions& options, Remarks& remarks);

}  // namespace pchr::psk
