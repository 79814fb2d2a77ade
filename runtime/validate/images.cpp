// SPDX-License-Identifier: MIT
// Images that nothing uses.
#include "validate/lint.hpp"

#include <fmt/format.h>

namespace pchr {

void lint_images(Lint& lint) {
  const Character& character = lint.character();
  std::vector<bool> used(character.images().size());
  for (const Mesh& mesh : character.meshes()) used[mesh.image] = true;
  for (const Picture& picture : character.data().pictures) used[picture.image] = true;
  if (const auto& artwork = character.data().artwork) {
    for (const ArtworkTileset& tileset : artwork->tilesets) {
      if (tileset.image) used[*tileset.image] = true;
    }
  }
  for (std::uint32_t i = 0; i < used.size(); ++i) {
    if (used[i]) continue;
    const Image& image = character.images()[i];
    lint.add(FindingId::unused_image, {Section::images, Field::none, i},
             fmt::format("it has {} x {} pixels", image.width, image.height));
  }
}

}  // namespace pchr
