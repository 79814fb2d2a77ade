// SPDX-License-Identifier: MIT
// Finds meshes at a point.
#include "animation/skinning.hpp"

#include <pchr/3d.hpp>
#include <pchr/queries.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace pchr {
namespace {

/// Returns twice the signed area of (a, b, point). The sign is exact if the products fit in a double.
double cross(Vec2 a, Vec2 b, Vec2 point) {
  return (static_cast<double>(b.x) - a.x) * (static_cast<double>(point.y) - a.y) -
         (static_cast<double>(b.y) - a.y) * (static_cast<double>(point.x) - a.x);
}

/// A signed area, always computed from the same end of an edge, so two triangles that share it never disagree. A point
/// on the edge counts as slightly above it, or slightly left of a vertical one.
struct EdgeSide {
  double area;
  bool left;
};

EdgeSide side_of_edge(Vec2 a, Vec2 b, Vec2 point) {
  const bool backwards = b.x < a.x || (b.x == a.x && b.y < a.y);
  const double area = backwards ? cross(b, a, point) : cross(a, b, point);
  const bool left = area >= 0;
  return backwards ? EdgeSide{-area, !left} : EdgeSide{area, left};
}

bool box_contains(std::span<const Vec2> points, Vec2 point) {
  Rect bounds;
  for (const Vec2 corner : points) bounds.include(corner);
  return point.x >= bounds.min.x && point.x <= bounds.max.x && point.y >= bounds.min.y && point.y <= bounds.max.y;
}

/// Returns the barycentric coordinates of `point`, or nothing if it is outside the triangle.
std::optional<std::array<float, 3>> locate(Vec2 a, Vec2 b, Vec2 c, Vec2 point) {
  if (!box_contains(std::array{a, b, c}, point)) return std::nullopt;
  const EdgeSide opposite_a = side_of_edge(b, c, point);
  const EdgeSide opposite_b = side_of_edge(c, a, point);
  const EdgeSide opposite_c = side_of_edge(a, b, point);
  if (opposite_a.left != opposite_b.left || opposite_b.left != opposite_c.left) return std::nullopt;
  // Dividing by the sum instead of the triangle's area makes the three add up to 1.
  const double area = opposite_a.area + opposite_b.area + opposite_c.area;
  if (area == 0 || !std::isfinite(area)) return std::nullopt;
  return std::array{static_cast<float>(opposite_a.area / area), static_cast<float>(opposite_b.area / area),
                    static_cast<float>(opposite_c.area / area)};
}

template <typename Value>
Value interpolate(const std::array<float, 3>& barycentrics, const Value& a, const Value& b, const Value& c) {
  return barycentrics[0] * a + barycentrics[1] * b + barycentrics[2] * c;
}

/// Returns the bone with the largest weight at a point of a triangle.
BoneId heaviest_bone(const std::array<const Vertex*, 3>& corners, const std::array<float, 3>& barycentrics,
                     BoneId otherwise) {
  std::optional<std::pair<float, BoneId>> heaviest;
  const auto consider = [&](BoneId bone) {
    float weight = 0;
    for (int corner = 0; corner < 3; ++corner) {
      for (int slot = 0; slot < 4; ++slot) {
        if (BoneId{corners[corner]->bones[slot]} != bone) continue;
        weight += barycentrics[corner] * corners[corner]->weights[slot];
      }
    }
    if (!heaviest || weight > heaviest->first || (weight == heaviest->first && bone < heaviest->second)) {
      heaviest = {weight, bone};
    }
  };
  for (const Vertex* corner : corners) {
    for (int slot = 0; slot < 4; ++slot) {
      if (corner->weights[slot] != 0) consider(BoneId{corner->bones[slot]});
    }
  }
  return heaviest ? heaviest->second : otherwise;
}

struct PlacedHit {
  Hit hit;
  float depth = 0;  ///< Toward a viewer in front; 0 in 2D.
};

/// Skins meshes and tests them against a point.
struct HitTester {
  const Character& character;
  const PoseBuffers& posed;
  const SkinData* skin;
  const HitImages& images;
  Vec2 point;
  HitTestOptions options;
  std::span<Vec2> few;
  std::vector<Vec2> many{};

  /// Returns the topmost triangle of a mesh, or in 3D the nearest.
  std::optional<PlacedHit> find_in(const DrawItem& item) {
    const Mesh& mesh = character.meshes()[item.mesh];
    const ImageId image = item.image == ImageId::none ? mesh.image : item.image;
    const auto vertices = character.vertices(mesh);
    const auto points = skinned(mesh);
    if (!box_contains(points, point)) return std::nullopt;
    const auto indices = character.indices(mesh);
    std::optional<PlacedHit> nearest;
    for (std::size_t triangle = indices.size() / 3; triangle-- > 0;) {
      const std::uint16_t* const corners = &indices[3 * triangle];
      const auto place = locate(points[corners[0]], points[corners[1]], points[corners[2]], point);
      if (!place) continue;
      const std::array at{&vertices[corners[0]], &vertices[corners[1]], &vertices[corners[2]]};
      const Vec2 uv = interpolate(*place, Vec2{at[0]->u, at[0]->v}, Vec2{at[1]->u, at[1]->v}, Vec2{at[2]->u, at[2]->v});
      const std::uint8_t alpha = alpha_at(image, uv);
      if (alpha < options.min_alpha) continue;
      const float depth = character.is_3d() ? depth_of(mesh, corners, *place) : 0.0F;
      if (nearest && !(depth > nearest->depth)) continue;
      const BoneId governing_bone = character.governing_bone(item.mesh);
      nearest = PlacedHit{{item.mesh, heaviest_bone(at, *place, governing_bone), governing_bone,
                           static_cast<std::uint32_t>(triangle), *place, uv, alpha},
                          depth};
      if (!character.is_3d()) break;
    }
    return nearest;
  }

  [[nodiscard]] std::uint8_t alpha_at(ImageId image, Vec2 uv) const {
    const std::size_t own = character.images().size();
    if (skin != nullptr && index(image) >= own && index(image) - own < skin->images.size()) {
      const std::span<const Bitmap> worn(&skin->images[index(image) - own], 1);
      if (!worn[0].rgba.empty()) return HitImages(worn).alpha(ImageId{0}, uv);
    }
    return images.alpha(image, uv);
  }

  [[nodiscard]] float depth_of(const Mesh& mesh, const std::uint16_t* corners,
                               const std::array<float, 3>& barycentrics) const {
    float depth = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t vertex = std::size_t{mesh.first_vertex} + corners[i];
      Vec3 corner;
      deform(character.vertices().subspan(vertex, 1), character.vertices_3d().subspan(vertex, 1), posed.palette_3d,
             {&corner, 1});
      depth += barycentrics[i] * corner.z;
    }
    return depth;
  }

  std::span<const Vec2> skinned(const Mesh& mesh) {
    std::span<Vec2> points = few;
    if (mesh.vertex_count > few.size()) {
      many.resize(std::max<std::size_t>(many.size(), mesh.vertex_count));
      points = many;
    }
    points = points.first(mesh.vertex_count);
    skin_front(character, palette_of(character, posed), mesh.first_vertex, points);
    return points;
  }
};

/// Calls visit(hit) for each mesh at `point`, front to back, until it returns false.
template <typename Visit>
void visit_hits(const Character& character, const PoseBuffers& posed, const SkinData* skin, const HitImages& images,
                Vec2 point, const HitTestOptions& options, const Visit& visit) {
  std::array<Vec2, 1024> few;
  HitTester tester{character, posed, skin, images, point, options, few};
  std::vector<PlacedHit> in_space;
  for (std::size_t i = posed.draw_list.size(); i-- > 0;) {
    DrawItem item = posed.draw_list[i];
    if (skin != nullptr) {
      const auto worn = apply_skin(*skin, item);
      if (!worn) continue;
      item = *worn;
    }
    if (!(item.opacity * item.tint[3] > 0)) continue;
    const auto found = tester.find_in(item);
    if (!found) continue;
    if (character.is_3d()) {
      const auto place = std::ranges::upper_bound(in_space, found->depth, std::ranges::greater{}, &PlacedHit::depth);
      in_space.insert(place, *found);
    } else if (!visit(found->hit)) {
      return;
    }
  }
  for (const PlacedHit& found : in_space) {
    if (!visit(found.hit)) return;
  }
}

std::optional<Hit> topmost_hit(const Character& character, const PoseBuffers& posed, const SkinData* skin,
                               const HitImages& images, Vec2 point, const HitTestOptions& options) {
  std::optional<Hit> topmost;
  visit_hits(character, posed, skin, images, point, options, [&](const Hit& hit) {
    topmost = hit;
    return false;
  });
  return topmost;
}

bool contains(const Rect& bounds, Vec2 point) {
  return point.x >= bounds.min.x && point.x <= bounds.max.x && point.y >= bounds.min.y && point.y <= bounds.max.y;
}

/// Returns a rectangle around a position of a clip.
Rect bounds_between(const Character& character, ClipId clip, ClipTime position) {
  Rect bounds = compute_frame_bounds(character, clip, position.frame);
  if (position.factor == 0) return bounds;
  bounds.include(compute_frame_bounds(character, clip, position.next));
  if (bounds.empty()) return bounds;
  // Between the frames, a rotation of up to half a turn leaves the rectangle by at most half of the way between them.
  const Vec2 size = bounds.size();
  const float margin = std::hypot(size.x, size.y) / 2;
  return {bounds.min - margin, bounds.max + margin};
}

/// Returns the index of the texel at `uv` of an image, which must not be empty.
std::size_t texel_at(std::uint32_t width, std::uint32_t height, Vec2 uv) {
  const auto place = [](double coordinate, std::uint32_t size) {
    const double texel = coordinate * size;
    return texel > 0 ? static_cast<std::size_t>(std::min(texel, size - 1.0)) : 0;
  };
  return place(uv.y, height) * width + place(uv.x, width);
}

}  // namespace

AlphaMask alpha_mask(const Bitmap& bitmap) {
  AlphaMask mask{bitmap.width, bitmap.height, std::vector<std::uint8_t>(bitmap.rgba.size() / 4)};
  for (std::size_t i = 0; i < mask.alpha.size(); ++i) mask.alpha[i] = bitmap.rgba[4 * i + 3];
  return mask;
}

Expected<std::vector<AlphaMask>, Diagnostic> alpha_masks(const Character& character, const Limits& limits,
                                                         const Executor& executor) {
  const auto bitmaps = decode_images(character, limits, executor);
  if (!bitmaps) return Unexpected(bitmaps.error());
  std::vector<AlphaMask> masks;
  for (const Bitmap& bitmap : *bitmaps) masks.push_back(alpha_mask(bitmap));
  return masks;
}

std::uint8_t HitImages::alpha(ImageId image, Vec2 uv) const noexcept {
  const std::size_t i = index(image);
  if (i < bitmaps_.size() && !bitmaps_[i].rgba.empty()) {
    return bitmaps_[i].rgba[4 * texel_at(bitmaps_[i].width, bitmaps_[i].height, uv) + 3];
  }
  if (i < masks_.size() && !masks_[i].alpha.empty()) {
    return masks_[i].alpha[texel_at(masks_[i].width, masks_[i].height, uv)];
  }
  return 255;
}

std::optional<Hit> hit_test(const Character& character, const PoseBuffers& posed, const HitImages& images, Vec2 point,
                            const HitTestOptions& options) {
  return topmost_hit(character, posed, nullptr, images, point, options);
}

std::optional<Hit> hit_test(const Character& character, const PoseBuffers& posed, const Appearance& appearance,
                            const SkinData* skin, const HitImages& images, Vec2 point, const HitTestOptions& options) {
  const auto to_character = inverse(appearance.placement);
  if (!to_character || !(appearance.tint[3] > 0)) return std::nullopt;
  return topmost_hit(character, posed, skin, images, apply(*to_character, point), options);
}

std::optional<InstanceHit> hit_test(const Character& character, std::span<const HitInstance> instances,
                                    const HitImages& images, Vec2 point, PoseBuffers& scratch,
                                    const HitTestOptions& options) {
  for (std::size_t i = instances.size(); i-- > 0;) {
    const HitInstance& instance = instances[i];
    const auto to_character = inverse(instance.appearance.placement);
    if (!to_character || !(instance.appearance.tint[3] > 0)) continue;
    const Vec2 local = apply(*to_character, point);
    const PoseBuffers* posed = instance.posed;
    if (posed == nullptr) {
      if (!contains(bounds_between(character, instance.clip, instance.position), local)) continue;
      pose_clip(character, instance.clip, instance.position, scratch);
      posed = &scratch;
    }
    if (const auto hit = topmost_hit(character, *posed, instance.skin, images, local, options)) {
      return InstanceHit{i, *hit};
    }
  }
  return std::nullopt;
}

void hit_test_all(const Character& character, const PoseBuffers& posed, const HitImages& images, Vec2 point,
                  std::vector<Hit>& out, const HitTestOptions& options) {
  out.clear();
  visit_hits(character, posed, nullptr, images, point, options, [&](const Hit& hit) {
    out.push_back(hit);
    return true;
  });
}

}  // namespace pchr
