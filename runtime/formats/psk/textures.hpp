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

/// Looks for an image named like a material, or for a .mat file so named, whose Diffuse line names the image, where
/// FileFinder looks. A material that faces have and for which there is none that can be read has a color of its own,
/// and a warning says what was looked for. One that was found by a guess outside the mesh's folder is a warning, too.
/// Without a folder there are no images.
[[nodiscard]] Textures find_textures(const Mesh& mesh, const LoadOptions& options, Remarks& remarks);

}  // namespace pchr::psk
