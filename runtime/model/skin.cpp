// SPDX-License-Identifier: MIT
// Skins: checked, and put on.
#include <pchr/skin.hpp>

#include <fmt/format.h>

#include <utility>

namespace pchr {

SkinPart& part_of(SkinData& skin, std::uint32_t mesh) {
  if (mesh >= skin.parts.size()) skin.parts.resize(std::size_t{mesh} + 1);
  return skin.parts[mesh];
}

std::uint32_t add_image(SkinData& skin, const Character& character, Bitmap image) {
  skin.images.push_back(std::move(image));
  return static_cast<std::uint32_t>(character.images().size() + skin.images.size() - 1);
}

std::optional<std::string> find_problem(const SkinData& skin, const Character& character) {
  const std::size_t meshes = character.meshes().size();
  if (skin.parts.size() > meshes) {
    return fmt::format("The skin \"{}\" has parts for {} meshes; the character has {}.", skin.name, skin.parts.size(),
                       meshes);
  }
  const std::size_t own = character.images().size(), all = own + skin.images.size();
  for (std::size_t mesh = 0; mesh < skin.parts.size(); ++mesh) {
    const std::uint32_t image = skin.parts[mesh].image;
    if (image == DrawItem::kOwnImage || image < all) continue;
    return fmt::format("The skin \"{}\" draws meshes[{}] \"{}\" from image {}; the character has {} and the skin {}.",
                       skin.name, mesh, character.meshes()[mesh].name, image, own, skin.images.size());
  }
  for (std::size_t i = 0; i < skin.images.size(); ++i) {
    const Bitmap& bitmap = skin.images[i];
    const std::uint64_t bytes = std::uint64_t{4} * bitmap.width * bitmap.height;
    if (bytes > 0 && bitmap.rgba.size() == bytes) continue;
    return fmt::format(
        "images[{}] of the skin \"{}\" has {} x {} pixels and {} bytes; it must have pixels, of 4 bytes "
        "each.",
        i, skin.name, bitmap.width, bitmap.height, bitmap.rgba.size());
  }
  return std::nullopt;
}

std::optional<DrawItem> dressed(const SkinData& skin, DrawItem item) noexcept {
  if (item.mesh >= skin.parts.size()) return item;
  const SkinPart& part = skin.parts[item.mesh];
  if (!part.visible) return std::nullopt;
  for (std::size_t channel = 0; channel < 4; ++channel) item.tint[channel] *= part.tint[channel];
  if (part.image != DrawItem::kOwnImage) item.image = part.image;
  return item;
}

void dress(const SkinData& skin, DrawList& list) {
  std::size_t kept = 0;
  for (const DrawItem& item : list) {
    if (const std::optional<DrawItem> worn = dressed(skin, item)) list[kept++] = *worn;
  }
  list.resize(kept);
}

}  // namespace pchr
