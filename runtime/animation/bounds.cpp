// SPDX-License-Identifier: MIT
// Bounds of skinned vertices, frames and clips.
//
// Boxes around posed meshes. The weights of a vertex make it a mean of the points where its bones would move it, times
// the sum of the weights. So it is inside the boxes of its bones, each moved as a whole, up to that sum's distance
// from 1.
#include "animation/hulls.hpp"
#include "animation/skinning.hpp"
#include "character/contents.hpp"
#include "compiler/vectors.hpp"
#include "platform/parallel.hpp"

#include <pchr/queries.hpp>

#include <cassert>
#include <cmath>

namespace pchr {
namespace {

/// Returns how many frames can differ. Without bones all are the same, and a file can declare any number of them at no
/// cost.
std::size_t distinct_frames(const Character& character, ClipId clip) {
  const std::uint32_t frames = std::max(character.clips()[clip].frame_count, 1U);  // Without frames, the bind pose.
  return character.bones().empty() ? std::min(frames, 1U) : frames;
}

void include_mesh(const Character& character, const Palette& palette, MeshId id, Rect& bounds) {
  const Mesh& mesh = character.meshes()[id];
  include_skinned(character, palette, mesh.first_vertex, mesh.vertex_count, bounds);
}

/// Grows bounds by ranges of vertices. Skins neighbors together, because a call costs as much as several vertices.
class SkinnedRanges {
 public:
  SkinnedRanges(const Character& character, const Palette& palette, Rect& bounds)
      : character_(character), palette_(palette), bounds_(bounds) {}

  void add(std::size_t first, std::size_t count) {
    // The bounds do not include collected vertices yet.
    constexpr std::size_t kEnough = 64;
    if (first != first_ + count_ || count_ >= kEnough) {
      finish();
      first_ = first;
    }
    count_ += count;
  }
  void finish() {
    if (count_ > 0) include_skinned(character_, palette_, first_, count_, bounds_);
    count_ = 0;
  }

 private:
  const Character& character_;
  const Palette palette_;
  Rect& bounds_;
  std::size_t first_ = 0, count_ = 0;
};

void find_frame_bounds(const Character& character, ClipId clip, const Executor& executor, ClipBounds& found) {
  found.frames.resize(distinct_frames(character, clip));
  visit_poses(executor, character, found.frames.size(), [&](std::size_t first, std::size_t last) {
    ComposedPose posed(character);
    for (std::size_t frame = first; frame < last; ++frame) {
      posed.pose(clip, {static_cast<std::uint32_t>(frame)});
      found.frames[frame] = posed.bounds([&](MeshId mesh) { return posed.shows(mesh); });
    }
  });
  for (const Rect& frame : found.frames) found.whole.include(frame);
}

void find_mesh_bounds(const Character& character, ClipId clip, const Executor& executor, ClipBounds& found) {
  found.meshes.resize(character.meshes().size());
  Mutex mutex;
  visit_poses(executor, character, distinct_frames(character, clip), [&](std::size_t first, std::size_t last) {
    ComposedPose posed(character);
    std::vector<Rect> meshes(found.meshes.size());
    for (std::size_t frame = first; frame < last; ++frame) {
      posed.pose(clip, {static_cast<std::uint32_t>(frame)});
      for (const MeshId mesh : character.meshes().ids()) {
        if (posed.shows(mesh)) posed.include(mesh, meshes[index(mesh)]);
      }
    }
    const std::lock_guard lock(mutex);
    for (std::size_t mesh = 0; mesh < meshes.size(); ++mesh) found.meshes[mesh].include(meshes[mesh]);
  });
}

bool contains(const Rect& outer, const Rect& inner) {
  return inner.min.x >= outer.min.x && inner.min.y >= outer.min.y && inner.max.x <= outer.max.x &&
         inner.max.y <= outer.max.y;
}

const ClipBounds& bounds_of(const Character& character, ClipId clip, Once ClipBounds::* once, const Executor& executor,
                            void (&find)(const Character&, ClipId, const Executor&, ClipBounds&)) {
  ClipBounds& bounds = private_contents(character).clip_bounds[std::min(index(clip), character.clips().size())];
  (bounds.*once).call([&] { find(character, clip, executor, bounds); });
  return bounds;
}

const ClipBounds& bounds_with_frames(const Character& character, ClipId clip, const Executor& executor) {
  return bounds_of(character, clip, &ClipBounds::frames_once, executor, find_frame_bounds);
}

const ClipBounds& bounds_with_meshes(const Character& character, ClipId clip, const Executor& executor) {
  return bounds_of(character, clip, &ClipBounds::meshes_once, executor, find_mesh_bounds);
}

}  // namespace

void include_skinned(const Character& character, const Palette& palette, std::size_t first, std::size_t count,
                     Rect& bounds) noexcept {
  constexpr float kMax = std::numeric_limits<float>::max();
  const Float4 max = all_lanes<Float4>(kMax), min = -max;
  // A block is large enough to make the cost of a call negligible.
  std::array<Vec2, 1024> points;
  for (const std::size_t end = first + count; first < end;) {
    const std::size_t some = std::min(end - first, points.size());
    skin_front(character, palette, first, std::span(points).first(some));
    first += some;
    // Points are processed in pairs; an odd last one is duplicated.
    if (some % 2 != 0) points[some] = points[some - 1];
    Float4 low = max, high = min;
    auto finite = max >= min;
    for (std::size_t i = 0; i < some; i += 2) {
      const auto two = load_as<Float4>(&points[i]);
      low = select(two < low, two, low);
      high = select(two > high, two, high);
      finite &= (two <= max) & (two >= min);
    }
    if (finite[0] != 0 && finite[1] != 0 && finite[2] != 0 && finite[3] != 0) {
      bounds.include(Rect{{std::min(low[0], low[2]), std::min(low[1], low[3])},
                          {std::max(high[0], high[2]), std::max(high[1], high[3])}});
    } else {
      for (const Vec2 point : std::span(points).first(some)) {
        if (std::isfinite(point.x) && std::isfinite(point.y)) bounds.include(point);
      }
    }
  }
}

const BlockHulls* ComposedPose::blocks() {
  // Finding them takes about as long as skinning a few poses, and the box of a hull as long as a small mesh.
  constexpr std::uint32_t kFewPoses = 4;
  constexpr std::size_t kFewVertices = 16;
  const bool are_small = character_.vertices().size() < kFewVertices * character_.meshes().size();
  return character_.is_3d() || poses_ <= kFewPoses || are_small ? nullptr : &block_hulls_of(character_);
}

void ComposedPose::include(MeshId mesh, Rect& bounds) {
  const BlockHulls* const blocks = this->blocks();
  if (blocks == nullptr) return include_mesh(character_, palette(), mesh, bounds);
  for (std::size_t i = blocks->first_block[index(mesh)]; i < blocks->first_block[index(mesh) + 1]; ++i) {
    if (contains(bounds, hull_in_2d(blocks->hulls, palette_, i))) continue;
    include_skinned(character_, palette(), blocks->hulls.ranges[i].first, blocks->hulls.ranges[i].count, bounds);
  }
}

Rect ComposedPose::bounds_of_shown() {
  Rect bounds;
  SkinnedRanges skinned(character_, palette(), bounds);
  const BlockHulls* const blocks = this->blocks();
  if (blocks == nullptr) {
    for (const MeshId id : shown_) {
      const Mesh& mesh = character_.meshes()[id];
      skinned.add(mesh.first_vertex, mesh.vertex_count);
    }
    skinned.finish();
    return bounds;
  }
  // Each block once: an empty box is inside of any bounds.
  const auto include_block = [&](std::size_t block) {
    const VertexRange& range = blocks->hulls.ranges[block];
    skinned.add(range.first, range.count);
    boxes_[block] = {};
  };
  // The blocks that reach farthest come first, because most others are inside their bounds.
  boxes_.resize(blocks->hulls.ranges.size());
  Rect reach;
  std::array<std::size_t, 4> farthest;
  farthest.fill(boxes_.size());
  for (const MeshId mesh : shown_) {
    for (std::size_t i = blocks->first_block[index(mesh)]; i < blocks->first_block[index(mesh) + 1]; ++i) {
      const Rect box = boxes_[i] = hull_in_2d(blocks->hulls, palette_, i);
      if (box.min.x < reach.min.x) farthest[0] = i;
      if (box.min.y < reach.min.y) farthest[1] = i;
      if (box.max.x > reach.max.x) farthest[2] = i;
      if (box.max.y > reach.max.y) farthest[3] = i;
      reach.include(box);
    }
  }
  for (const std::size_t block : farthest) {
    if (block < boxes_.size()) include_block(block);
  }
  skinned.finish();
  for (const MeshId mesh : shown_) {
    for (std::size_t i = blocks->first_block[index(mesh)]; i < blocks->first_block[index(mesh) + 1]; ++i) {
      if (!contains(bounds, boxes_[i])) include_block(i);
    }
  }
  skinned.finish();
  return bounds;
}

Rect bounds(const Character& character, const PoseBuffers& posed) noexcept {
  Rect result;
  for (const DrawItem& item : posed.draw_list) result.include(mesh_bounds(character, posed, item.mesh));
  return result;
}

Rect mesh_bounds(const Character& character, const PoseBuffers& posed, MeshId mesh) noexcept {
  Rect result;
  include_mesh(character, palette_of(character, posed), mesh, result);
  return result;
}

Rect compute_frame_bounds(const Character& character, ClipId clip, std::uint32_t frame, const Executor& executor) {
  const std::vector<Rect>& frames = bounds_with_frames(character, clip, executor).frames;
  assert(frame < frames.size() || character.bones().empty());
  return frames[std::min<std::size_t>(frame, frames.size() - 1)];
}

Rect compute_mesh_bounds(const Character& character, ClipId clip, MeshId mesh, const Executor& executor) {
  assert(mesh == MeshId::none || character.meshes().contains(mesh));
  return character.meshes().contains(mesh) ? bounds_with_meshes(character, clip, executor).meshes[index(mesh)] : Rect{};
}

Rect compute_clip_bounds(const Character& character, ClipId clip, const Executor& executor) {
  return bounds_with_frames(character, clip, executor).whole;
}

Rect compute_character_bounds(const Character& character, const Executor& executor) {
  Rect result;
  for (const ClipId clip : character.clips().ids()) result.include(compute_clip_bounds(character, clip, executor));
  if (!result.empty()) return result;
  PoseBuffers posed;
  pose_bind(character, posed);
  return bounds(character, posed);
}

namespace {

// Covers rounding here and in skinning.
constexpr float kRounding = 1.0e-5F;

/// Fills `out` for its ranges. A range with vertices of more bones than `max_parts` is not bounded.
void find_hulls(const Character& character, std::size_t max_parts, Hulls& out) {
  const auto depths = character.vertices_3d();
  // An earlier call can have run out of memory.
  out.parts.clear();
  out.first_part.clear();
  out.slack.clear();
  // A part before the current range's first is not its own.
  std::vector<std::size_t> part_of_bone(character.bones().size());
  for (const VertexRange& range : out.ranges) {
    const std::size_t first = out.parts.size();
    out.first_part.push_back(static_cast<std::uint32_t>(first));
    float slack = 0;
    for (std::size_t i = range.first; i < std::size_t{range.first} + range.count; ++i) {
      const Vertex& vertex = character.vertices()[i];
      float sum = 0;
      for (int slot = 0; slot < 4; ++slot) {
        const std::size_t bone = vertex.bones[slot];
        if (vertex.weights[slot] == 0) continue;
        std::size_t& part = part_of_bone[bone];
        if (part < first || part >= out.parts.size() || index(out.parts[part].bone) != bone) {
          part = out.parts.size();
          out.parts.push_back({BoneId{vertex.bones[slot]}, {}});
        }
        out.parts[part].box.include({vertex.x, vertex.y, depths.empty() ? 0.0F : depths[i].z});
        sum += vertex.weights[slot] > 0 ? vertex.weights[slot] : HUGE_VALF;
      }
      slack = std::max(slack, sum > 0 ? std::abs(sum - 1) : HUGE_VALF);
    }
    if (out.parts.size() - first > max_parts) slack = HUGE_VALF;
    if (slack == HUGE_VALF) out.parts.resize(first);
    out.slack.push_back(slack);
  }
  out.first_part.push_back(static_cast<std::uint32_t>(out.parts.size()));
}

/// A box as its center and half its size, and the largest magnitude among the numbers that made it, for rounding.
struct Extent {
  Vec3 center{0.0F}, half{0.0F}, magnitude{0.0F};
};

Extent extent_of(const Box& box) {
  const Vec3 center = box.center(), half = box.size() * 0.5F;
  return {center, half, abs(center) + half};
}

Extent moved(const Affine& by, const Extent& extent) {
  Extent out;
  for (int axis = 0; axis < 2; ++axis) {
    const float x = by[0][axis], y = by[1][axis], t = by[2][axis];
    out.center[axis] = x * extent.center.x + y * extent.center.y + t;
    out.half[axis] = std::abs(x) * extent.half.x + std::abs(y) * extent.half.y;
    out.magnitude[axis] = std::abs(x) * extent.magnitude.x + std::abs(y) * extent.magnitude.y + std::abs(t);
  }
  out.center.z = extent.center.z;
  out.half.z = extent.half.z;
  out.magnitude.z = extent.magnitude.z;
  return out;
}

Extent moved(const Affine3& by, const Extent& extent) {
  Extent out{by[3], Vec3{0.0F}, abs(by[3])};
  for (int column = 0; column < 3; ++column) {
    out.center += by[column] * extent.center[column];
    out.half += abs(by[column]) * extent.half[column];
    out.magnitude += abs(by[column]) * extent.magnitude[column];
  }
  return out;
}

/// Returns the box of an extent, larger by a fraction of its magnitude.
Box box_of(const Extent& extent, float growth) {
  const Vec3 reach = extent.half + extent.magnitude * growth;
  return {extent.center - reach, extent.center + reach};
}

}  // namespace

const Hulls& hulls_of(const Character& character) {
  Hulls& hulls = *private_contents(character).hulls;
  hulls.once.call([&] {
    hulls.ranges.clear();
    for (const Mesh& mesh : character.meshes()) hulls.ranges.push_back({mesh.first_vertex, mesh.vertex_count});
    find_hulls(character, SIZE_MAX, hulls);
  });
  return hulls;
}

const BlockHulls& block_hulls_of(const Character& character) {
  // A box takes about as long as eight vertices of one bone, so it is worthwhile only for fewer bones.
  constexpr std::uint32_t kVertices = 64;
  constexpr std::size_t kMaxParts = 8;
  BlockHulls& blocks = *private_contents(character).block_hulls;
  blocks.hulls.once.call([&] {
    blocks.hulls.ranges.clear();
    blocks.first_block.clear();
    for (const Mesh& mesh : character.meshes()) {
      blocks.first_block.push_back(static_cast<std::uint32_t>(blocks.hulls.ranges.size()));
      for (std::uint32_t first = 0; first < mesh.vertex_count; first += kVertices) {
        blocks.hulls.ranges.push_back({mesh.first_vertex + first, std::min(kVertices, mesh.vertex_count - first)});
      }
    }
    blocks.first_block.push_back(static_cast<std::uint32_t>(blocks.hulls.ranges.size()));
    find_hulls(character, kMaxParts, blocks.hulls);
  });
  return blocks;
}

Rect hull_in_2d(const Hulls& hulls, std::span<const Affine> palette, std::size_t range) noexcept {
  constexpr Rect kUnbounded{Vec2{-HUGE_VALF}, Vec2{HUGE_VALF}};
  const float growth = hulls.slack[range] + kRounding;
  if (growth == HUGE_VALF) return kUnbounded;
  const auto size_of = [](Float4 values) { return bits_as<Float4>(bits_as<Int4>(values) & INT32_MAX); };
  const auto add_halves = [](Float4 values) { return values + shuffle<2, 3, 2, 3>(values); };
  constexpr float kMax = std::numeric_limits<float>::max();
  Float4 low = all_lanes<Float4>(kMax), high = -low;
  auto finite = low >= high;
  for (std::size_t part = hulls.first_part[range]; part < hulls.first_part[range + 1]; ++part) {
    const Box& box = hulls.parts[part].box;
    const Affine& bone = palette[index(hulls.parts[part].bone)];
    const Float4 min{box.min.x, box.min.x, box.min.y, box.min.y}, max{box.max.x, box.max.x, box.max.y, box.max.y};
    const Float4 center = (min + max) * 0.5F, half = (max - min) * 0.5F;
    const auto turn = load_as<Float4>(&bone);
    const Float4 translation{bone[2].x, bone[2].y, 0, 0};
    const Float4 middle = add_halves(turn * center) + translation;
    const Float4 reach =
        add_halves(size_of(turn) * (half + (size_of(center) + half) * growth)) + size_of(translation) * growth;
    const Float4 from = middle - reach, to = middle + reach;
    low = select(from < low, from, low);
    high = select(to > high, to, high);
    finite &= to - from <= kMax;
  }
  if (finite[0] == 0 || finite[1] == 0) return kUnbounded;
  return {{low[0], low[1]}, {high[0], high[1]}};
}

std::optional<Box> placed_hull(const Character& character, const Hulls& hulls, const Palette& palette, MeshId mesh,
                               const Affine& placement) noexcept {
  if (!character.meshes().contains(mesh) || hulls.slack[index(mesh)] == HUGE_VALF) return std::nullopt;
  const std::uint32_t first = hulls.first_part[index(mesh)], end = hulls.first_part[index(mesh) + 1];
  Box whole;
  for (const HullPart& part : std::span(hulls.parts).subspan(first, end - first)) {
    const Extent bind = extent_of(part.box);
    const Extent posed =
        character.is_3d() ? moved(palette.in_3d[index(part.bone)], bind) : moved(palette.in_2d[index(part.bone)], bind);
    const Box box = box_of(posed, hulls.slack[index(mesh)] + kRounding);
    // NaN is not drawn, and includes nothing.
    whole.include(box.min);
    whole.include(box.max);
  }
  return box_of(moved(placement, extent_of(whole)), kRounding);
}

bool sees(const Camera& camera, const Box& box) noexcept {
  const Vec3 center = box.center(), half = box.size() * 0.5F;
  for (int axis = 0; axis < 2; ++axis) {
    const float side = camera.viewport[axis] * (0.5F / camera.zoom);
    const float reach = half[axis] + side + (std::abs(camera.center[axis]) + side) * kRounding;
    if (std::abs(center[axis] - camera.center[axis]) > reach) return false;
  }
  return true;
}

bool sees(const SceneView& view, const Box& box) noexcept {
  const Vec3 center = box.center(), half = box.size() * 0.5F;
  const auto row = [&](int number) {
    return glm::vec4{view.world_to_clip[0][number], view.world_to_clip[1][number], view.world_to_clip[2][number],
                     view.world_to_clip[3][number]};
  };
  for (int axis = 0; axis < 3; ++axis) {
    for (const float side : {-1.0F, 1.0F}) {
      const glm::vec4 plane = row(3) + row(axis) * side;
      float distance = plane.w, magnitude = std::abs(plane.w);
      for (int i = 0; i < 3; ++i) {
        distance += plane[i] * center[i] + std::abs(plane[i]) * half[i];
        magnitude += std::abs(plane[i]) * (std::abs(center[i]) + half[i]);
      }
      if (distance < -magnitude * kRounding) return false;
    }
  }
  return true;
}

}  // namespace pchr
