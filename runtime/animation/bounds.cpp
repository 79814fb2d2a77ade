// SPDX-License-Identifier: MIT
// Bounds of skinned vertices, frames and clips.
#include <pchr/queries.hpp>

#include "animation/hulls.hpp"
#include "animation/skinning.hpp"
#include "character/contents.hpp"
#include "platform/parallel.hpp"
#include "compiler/vectors.hpp"

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
  ClipBounds& bounds =
      CharacterBounds::contents(character).clip_bounds[std::min(index(clip), character.clips().size())];
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

}  // namespace pchr
