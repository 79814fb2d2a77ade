// SPDX-License-Identifier: MIT
// An Unreal mesh as a 3D character.
#pragma once

#include "import/psk/clips.hpp"
#include "import/psk/file.hpp"

#include <pchr/character.hpp>
#include <pchr/import/import.hpp>

#include <cstdint>
#include <expected>
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
[[nodiscard]] Textures find_textures(const Mesh& mesh, const ImportOptions& options, Warnings& warnings);

/// The mesh without animations: y up, one mesh for each material (more where it has over 65,535 vertices), its bind
/// pose as the file says. Fails where there are more bones than a vertex can name.
[[nodiscard]] std::expected<CharacterData, Diagnostic> make_character(const Mesh& mesh, const Skeleton& skeleton,
                                                                      Textures textures, Warnings& warnings);

}  // namespace pchr::psk
