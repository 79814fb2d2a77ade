// SPDX-License-Identifier: MIT
// Builds a 3D character from an Unreal mesh.
#pragma once

#include "import/folders.hpp"
#include "import/psk/clips.hpp"

#include <pchr/import/import.hpp>

namespace pchr::psk {

struct Textures {
  std::vector<Image> images;
  std::vector<std::uint32_t> image_of_material;  ///< Image of each material, then of faces without a material.
};

/// Finds an image with the name of each material, or a .mat file with that name whose Diffuse line contains the name of
/// the image. A used material without a readable image gets a color of its own, with a warning. An image outside the
/// mesh's folder that was only guessed is also a warning.
[[nodiscard]] Textures find_textures(const Mesh& mesh, const ReaderOptions& options, Warnings& warnings);

/// Returns a y-up character without animations, with one mesh per material (more for more than 65,535 vertices) and the
/// bind pose of the file. Fails if there are more bones than a vertex can index.
[[nodiscard]] Expected<CharacterData, Diagnostic> make_character(const Mesh& mesh, const Skeleton& skeleton,
                                                                 Textures textures, Warnings& warnings);

}  // namespace pchr::psk
