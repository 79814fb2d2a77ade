// SPDX-License-Identifier: MIT
// Draw lists, skins, and colors of meshes and instances.
#include <pchr/draw_list.hpp>

#include "character/format.hpp"

#include <pchr/pose.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

namespace pchr {
namespace {

/// Values of each mesh's governing bone, as raw arrays. Every mesh exists, so nothing is checked.
struct MeshStates {
  const BoneId* governing_bones;
  const std::uint8_t* visible;
  const std::int32_t* z_order;
  const float* opacity;

  [[nodiscard]] std::size_t bone_of(MeshId mesh) const { return index(governing_bones[index(mesh)]); }
  [[nodiscard]] bool visible_at(MeshId mesh) const { return visible[bone_of(mesh)] != 0; }
  [[nodiscard]] float opacity_of(MeshId mesh) const { return opacity == nullptr ? 1.0F : opacity[bone_of(mesh)]; }
  /// Meshes are drawn in ascending order of this.
  [[nodiscard]] std::int64_t key_of(MeshId mesh) const {
    return std::int64_t{z_order[bone_of(mesh)]} * (std::int64_t{1} << 32) + index(mesh);
  }
};

/// Writes an item without changes of color. Built elsewhere and copied, it would be read before it reached the cache.
void write_item(MeshId mesh, float opacity, DrawItem& item) {
  static constexpr DrawItem kPlain;
  item = kPlain;
  item.mesh = mesh;
  item.opacity = opacity;
}

/// Returns whether `list` holds exactly the visible meshes, in order: the count matches, all are visible, and none
/// repeats because each sorts before the next. Updates the items along the way.
bool keep(const MeshStates& states, IdRange<MeshId> meshes, DrawList& list) {
  std::size_t visible_count = 0;
  for (const MeshId mesh : meshes) visible_count += states.visible_at(mesh);
  if (list.size() != visible_count) return false;
  std::int64_t last = std::numeric_limits<std::int64_t>::min();
  for (DrawItem& item : list) {
    const MeshId mesh = item.mesh;
    if (index(mesh) >= meshes.count || !states.visible_at(mesh)) return false;
    const std::int64_t key = states.key_of(mesh);
    if (key <= last && &item != list.data()) return false;
    last = key;
    write_item(mesh, states.opacity_of(mesh), item);
  }
  return true;
}

/// Sorts the meshes of a list as Shell (1959): without memory, only ids move, and there is far less code than in
/// std::sort(), which a web page downloads.
void sort(const MeshStates& states, DrawList& list) {
  for (std::size_t gap = list.size(); gap > 1;) {
    gap = std::max<std::size_t>(gap * 5 / 11, 1);
    for (std::size_t i = gap; i < list.size(); ++i) {
      const MeshId mesh = list[i].mesh;
      const std::int64_t key = states.key_of(mesh);
      std::size_t place = i;
      for (; place >= gap && states.key_of(list[place - gap].mesh) > key; place -= gap)
        list[place].mesh = list[place - gap].mesh;
      list[place].mesh = mesh;
    }
  }
}

}  // namespace

void build_draw_list(const Character& character, const PoseView& pose, DrawList& out) {
  const IdRange meshes = character.meshes().ids();
  out.reserve(meshes.count);
  // Without bones, nothing can hide or reorder meshes.
  if (pose.visible.empty()) {
    out.clear();
    for (const MeshId mesh : meshes) out.push_back({mesh, 1.0F});
    return;
  }
  const MeshStates states{character.governing_bones().data(), pose.visible.data(), pose.z_order.data(),
                          pose.opacity.empty() ? nullptr : pose.opacity.data()};
  // Draw orders seldom change between frames, and checking one is far cheaper than sorting.
  if (keep(states, meshes, out)) return;
  out.clear();
  for (const MeshId mesh : meshes) {
    if (states.visible_at(mesh)) out.emplace_back().mesh = mesh;
  }
  sort(states, out);
  for (DrawItem& item : out) write_item(item.mesh, states.opacity_of(item.mesh), item);
}

std::string describe(const Character& character, const PoseView& pose, const DrawList& list) {
  std::string text;
  std::vector<bool> drawn(character.meshes().size());
  for (const DrawItem& item : list) {
    const Mesh& mesh = character.meshes()[item.mesh];
    if (character.meshes().contains(item.mesh)) drawn[index(item.mesh)] = true;
    text += format_text("draw mesh {} \"{}\"  z {}  image {}  triangles {}", index(item.mesh), printable(mesh.name),
                        pose.z_order.empty() ? 0 : pose.z_order[index(character.governing_bone(item.mesh))],
                        index(mesh.image), mesh.index_count / 3);
    if (item.opacity != 1.0F) text += format_text("  opacity {}", std::round(double{item.opacity} * 1e4) / 1e4);
    text += '\n';
  }
  for (const MeshId mesh : character.meshes().ids()) {
    if (drawn[index(mesh)]) continue;
    const BoneId bone = character.governing_bone(mesh);
    text += format_text("skip mesh {} \"{}\"  hidden by bone {} \"{}\"\n", index(mesh),
                        printable(character.meshes()[mesh].name), index(bone), printable(character.bones()[bone].name));
  }
  return text;
}

SkinPart& part_of(SkinData& skin, MeshId mesh) {
  if (mesh == MeshId::none) {
    thread_local SkinPart unused;
    return unused = {};
  }
  if (index(mesh) >= skin.parts.size()) skin.parts.resize(index(mesh) + 1);
  return skin.parts[index(mesh)];
}

ImageId add_image(SkinData& skin, const Character& character, Bitmap image) {
  skin.images.push_back(std::move(image));
  return ImageId(character.images().size() + skin.images.size() - 1);
}

std::optional<std::string> validate_skin(const SkinData& skin, const Character& character) {
  const std::size_t meshes = character.meshes().size();
  if (skin.parts.size() > meshes) {
    return format_text("skin \"{}\" has parts for {} meshes, but the character has {}", skin.name, skin.parts.size(),
                       meshes);
  }
  const std::size_t own = character.images().size(), all = own + skin.images.size();
  for (std::size_t mesh = 0; mesh < skin.parts.size(); ++mesh) {
    const ImageId image = skin.parts[mesh].image;
    if (image == ImageId::none || index(image) < all) continue;
    return format_text(
        "skin \"{}\" uses image {} for meshes[{}] \"{}\", but the character has {} images and the skin {}", skin.name,
        index(image), mesh, character.meshes()[mesh].name, own, skin.images.size());
  }
  for (std::size_t i = 0; i < skin.images.size(); ++i) {
    const Bitmap& bitmap = skin.images[i];
    const std::uint64_t bytes = std::uint64_t{4} * bitmap.width * bitmap.height;
    if (bytes > 0 && bitmap.rgba.size() == bytes) continue;
    return format_text(
        "images[{}] of skin \"{}\" has {} x {} pixels and {} bytes; it needs at least 1 x 1 pixels of 4 bytes each", i,
        skin.name, bitmap.width, bitmap.height, bitmap.rgba.size());
  }
  return std::nullopt;
}

namespace {

/// Applies the colors of `outer` after those of `inner`, except for opacity. Per channel, colors map c to (tint -
/// dark_tint) * c + dark_tint + additive, and two such maps make another.
template <typename Outer, typename Inner>
void apply_after(const Inner& inner, Outer& outer) {
  for (std::size_t i = 0; i < 3; ++i) {
    const float scale = outer.tint[i] - outer.dark_tint[i];
    outer.tint[i] = inner.tint[i] * scale + outer.dark_tint[i];
    outer.dark_tint[i] = inner.dark_tint[i] * scale + outer.dark_tint[i];
    outer.additive[i] = inner.additive[i] * scale + outer.additive[i];
  }
  outer.tint[3] *= inner.tint[3];
}

}  // namespace

Appearance combine(const Appearance& appearance, const DrawItem& item) noexcept {
  Appearance result = appearance;
  apply_after(item, result);
  result.tint[3] *= item.opacity;
  if (item.blend != Blend::normal) result.blend = item.blend;
  return result;
}

std::optional<DrawItem> apply_skin(const SkinData& skin, DrawItem item) noexcept {
  if (index(item.mesh) >= skin.parts.size()) return item;
  const SkinPart& part = skin.parts[index(item.mesh)];
  if (!part.visible) return std::nullopt;
  apply_after(part, item);
  if (part.image != ImageId::none) item.image = part.image;
  if (item.blend == Blend::normal) item.blend = part.blend;
  return item;
}

void apply_skin(const SkinData& skin, DrawList& list) {
  std::size_t kept = 0;
  for (const DrawItem& item : list) {
    if (const std::optional<DrawItem> changed = apply_skin(skin, item)) list[kept++] = *changed;
  }
  list.resize(kept);
}

std::size_t find_place(const Character& character, const PoseBuffers& posed, DrawPlace place) noexcept {
  const DrawList& list = posed.draw_list;
  if (!character.meshes().contains(place.mesh)) return place.behind ? 0 : list.size();
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i].mesh == place.mesh) return place.behind ? i : i + 1;
  }
  const auto key = [&](MeshId mesh) {
    const std::size_t bone = index(character.governing_bone(mesh));
    return std::pair(bone < posed.pose.z_order.size() ? posed.pose.z_order[bone] : 0, mesh);
  };
  std::size_t first_in_front = 0;
  while (first_in_front < list.size() && key(list[first_in_front].mesh) < key(place.mesh)) ++first_in_front;
  return first_in_front;
}

}  // namespace pchr
