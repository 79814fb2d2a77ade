// SPDX-License-Identifier: MIT
// An Unreal mesh as a 3D character.
#pragma once

#include "import/psk/clips.hpp"

#include <pchr/import/import.hpp>

namespace pchr::psk {

struct Textures {
  std::vector<Image> images;
  std::vector<std::uint32_t> image_of_material;  ///< Per material, and last for faces without one.
};

/// Finds with FileFinder an image named like each material, or a .mat file so named whose Diffuse line names the image.
/// A material of faces without a readable image gets a color of its own, and a warning says what was looked for. An
/// image outside the mesh's folder that was found by a guess is a warning, too.
[[nodiscard]] Textures find_textures(const Mesh& mesh, const ImportOptions& options, Warnings& warnings);

/// Makes a y-up character without animations, with a mesh for each material (more above 65,535 vertices) and the file's
/// bind pose. Fails where there are more bones than a vertex can name.
[[nodiscard]] std::expected<CharacterData, Diagnostic> make_character(const Mesh& mesh, const Skeleton& skeleton,
                                                                      Textures textures, Warnings& warnings);

}  // namespace pchr::psk
