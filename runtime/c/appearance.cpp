// SPDX-License-Identifier: MIT
// The C interface: placement, looks, cameras and skins.
#include "c/c.hpp"

#include <pchr/image.hpp>

namespace pchr::c {
namespace {

pchr_appearance default_appearance() noexcept {
  pchr_appearance appearance{};
  appearance.placement = affine_for_c(kIdentity);
  std::ranges::fill(appearance.tint, 1.0F);
  return appearance;
}

pchr_skin_part part_for_c(const SkinPart& part) noexcept {
  pchr_skin_part result{};
  result.visible = part.visible;
  result.image = std::to_underlying(part.image);
  result.blend = static_cast<pchr_blend>(part.blend);
  std::ranges::copy(part.tint, result.tint);
  std::ranges::copy(part.dark_tint, result.dark_tint);
  std::ranges::copy(part.additive, result.additive);
  return result;
}

pchr_camera camera_for_c(const Camera& camera) noexcept {
  return {0, camera.center.x, camera.center.y, camera.zoom, camera.viewport.x, camera.viewport.y, camera.flip_y};
}

/// Adds an image to a skin and returns its number.
std::uint32_t add_bitmap(pchr_skin& skin, Bitmap bitmap) {
  return std::to_underlying(add_image(skin.data, skin.character, std::move(bitmap)));
}

}  // namespace

Blend blend_of(pchr_blend blend) noexcept {
  static_assert(
      static_cast<int>(Blend::normal) == PCHR_BLEND_NORMAL && static_cast<int>(Blend::add) == PCHR_BLEND_ADD &&
      static_cast<int>(Blend::multiply) == PCHR_BLEND_MULTIPLY && static_cast<int>(Blend::screen) == PCHR_BLEND_SCREEN);
  return static_cast<unsigned>(blend) <= PCHR_BLEND_SCREEN ? static_cast<Blend>(blend) : Blend::normal;
}

std::optional<Appearance> appearance_of(const pchr_appearance* given) noexcept {
  const std::optional<pchr_appearance> appearance = read(given, default_appearance());
  if (!appearance) return std::nullopt;
  return Appearance{affine_of(appearance->placement),     std::to_array(appearance->tint),
                    std::to_array(appearance->dark_tint), std::to_array(appearance->additive),
                    std::to_array(appearance->effect),    appearance->depth,
                    blend_of(appearance->blend)};
}

std::optional<Camera> camera_of(const pchr_camera* given) noexcept {
  const std::optional<pchr_camera> camera = read(given);
  if (!camera) return std::nullopt;
  const auto or_one = [](float value) { return value == 0 ? 1.0F : value; };
  return Camera{{camera->center_x, camera->center_y},
                or_one(camera->zoom),
                {or_one(camera->viewport_width), or_one(camera->viewport_height)},
                camera->flip_y};
}

}  // namespace pchr::c

using namespace pchr::c;
using pchr::MeshId;

pchr_affine pchr_placement(float x, float y, float rotation_degrees, float scale, bool flip_x) {
  return affine_for_c(pchr::placement({x, y}, rotation_degrees, scale, flip_x));
}

pchr_affine pchr_concatenate(const pchr_affine* outer, const pchr_affine* inner) {
  const pchr_affine identity = affine_for_c(pchr::kIdentity);
  return affine_for_c(pchr::concatenate(affine_of(outer != nullptr ? *outer : identity),
                                        affine_of(inner != nullptr ? *inner : identity)));
}

bool pchr_inverse(const pchr_affine* transform, pchr_affine* out) {
  if (transform == nullptr || out == nullptr) return false;
  const std::optional<pchr::Affine> inverse = pchr::inverse(affine_of(*transform));
  if (inverse) *out = affine_for_c(*inverse);
  return inverse.has_value();
}

float pchr_rotation_of(const pchr_affine* world) {
  return world != nullptr ? pchr::rotation_degrees_of(affine_of(*world)) : 0;
}

bool pchr_camera_fit(pchr_camera* camera, const pchr_rect* bounds, float margin) {
  if (camera == nullptr || bounds == nullptr) return false;
  const std::optional<pchr::Camera> given = camera_of(camera);
  return given && write(camera_for_c(fit(*given, rect_of(*bounds), margin)), camera);
}

bool pchr_camera_zoom_at(pchr_camera* camera, float pixel_x, float pixel_y, float factor) {
  if (camera == nullptr) return false;
  const std::optional<pchr::Camera> given = camera_of(camera);
  return given && write(camera_for_c(zoom_at(*given, {pixel_x, pixel_y}, factor)), camera);
}

bool pchr_camera_to_clip(const pchr_camera* camera, pchr_affine* out) {
  if (camera == nullptr || out == nullptr) return false;
  const std::optional<pchr::Camera> given = camera_of(camera);
  if (given) *out = affine_for_c(world_to_clip(*given));
  return given.has_value();
}

bool pchr_camera_to_viewport(const pchr_camera* camera, pchr_affine* out) {
  if (camera == nullptr || out == nullptr) return false;
  const std::optional<pchr::Camera> given = camera_of(camera);
  if (given) *out = affine_for_c(world_to_viewport(*given));
  return given.has_value();
}

bool pchr_camera_to_world(const pchr_camera* camera, float pixel_x, float pixel_y, float* x, float* y) {
  if (camera == nullptr || x == nullptr || y == nullptr) return false;
  const std::optional<pchr::Camera> given = camera_of(camera);
  if (!given) return false;
  const pchr::Vec2 world = viewport_to_world(*given, {pixel_x, pixel_y});
  *x = world.x;
  *y = world.y;
  return true;
}

void pchr_appearance_init(pchr_appearance* appearance, uint32_t struct_size) {
  init(default_appearance(), appearance, struct_size);
}

void pchr_skin_part_init(pchr_skin_part* part, uint32_t struct_size) { init(part_for_c({}), part, struct_size); }

pchr_skin* pchr_skin_create(const pchr_character* handle, const char* name) {
  return call(exist(handle, name), [&] { return new pchr_skin{handle->character, {name, {}, {}}, {}}; });
}

void pchr_skin_free(pchr_skin* skin) { delete skin; }

const char* pchr_skin_name(const pchr_skin* skin) { return skin != nullptr ? skin->data.name.c_str() : nullptr; }

bool pchr_skin_set_part(pchr_skin* skin, uint32_t mesh, const pchr_skin_part* part) {
  return call(exist(skin), [&] {
    const std::optional<pchr_skin_part> given = read(part, part_for_c({}));
    const std::size_t images = skin->character.images().size() + skin->data.images.size();
    if (!given || mesh >= skin->character.meshes().size()) return false;
    if (given->image != PCHR_NONE && given->image >= images) return false;
    part_of(skin->data, MeshId{mesh}) = {given->visible,
                                         std::to_array(given->tint),
                                         pchr::ImageId{given->image},
                                         std::to_array(given->dark_tint),
                                         std::to_array(given->additive),
                                         blend_of(given->blend)};
    return true;
  });
}

bool pchr_skin_get_part(const pchr_skin* skin, uint32_t mesh, pchr_skin_part* out) {
  if (skin == nullptr || mesh >= skin->character.meshes().size()) return false;
  return write(part_for_c(mesh < skin->data.parts.size() ? skin->data.parts[mesh] : pchr::SkinPart{}), out);
}

uint32_t pchr_skin_add_image(pchr_skin* skin, const uint8_t* rgba, uint32_t width, uint32_t height) {
  return call_or(PCHR_NONE, exist(skin, rgba), [&] {
    const std::uint64_t pixels = std::uint64_t{width} * height;
    if (pixels == 0 || pixels > std::uint64_t{1} << 30) return PCHR_NONE;
    return add_bitmap(*skin, {width, height, {rgba, rgba + pixels * 4}});
  });
}

uint32_t pchr_skin_load_image(pchr_skin* skin, const char* path, const pchr_file_system* files, pchr_error* error) {
  return try_call_or(PCHR_NONE, error, exist(skin, path), [&] {
    auto bitmap = pchr::load_png(path, {}, reader_of(files));
    if (!bitmap) return set_error(error, bitmap.error(), path), PCHR_NONE;
    return add_bitmap(*skin, std::move(*bitmap));
  });
}

const uint8_t* pchr_skin_image(const pchr_skin* skin, uint32_t image, uint32_t* width, uint32_t* height) {
  if (skin == nullptr) return nullptr;
  const std::size_t own = skin->character.images().size();
  if (image < own || image - own >= skin->data.images.size()) return nullptr;
  const pchr::Bitmap& bitmap = skin->data.images[image - own];
  if (width != nullptr) *width = bitmap.width;
  if (height != nullptr) *height = bitmap.height;
  return bitmap.rgba.data();
}

bool pchr_skin_rebind(pchr_skin* skin, const pchr_character* handle, pchr_rebound* out) {
  return call(exist(skin, handle), [&] {
    if (cannot_write(out)) return false;
    skin->missing.assign(rebind_skin(skin->data, skin->character, handle->character));
    skin->character = handle->character;
    return out == nullptr || write(skin->missing.for_c(), out);
  });
}
