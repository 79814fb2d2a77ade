// SPDX-License-Identifier: MIT
// Bounds of skinned vertices, and of clips by posing every frame.
#include <pchr/queries.hpp>

#include "animation/skinning.hpp"
#include "character/contents.hpp"
#include "platform/parallel.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>
#include <mutex>
#include <vector>

namespace pchr {
namespace {

/// A thread's memory for one frame.
class PosedFrame {
 public:
  explicit PosedFrame(const Character& character) : character_(character), composed_(character) {}

  void pose(ClipId clip, std::size_t frame) {
    const PoseView pose = character_.clips()[clip].samples.frame(frame, character_.bones().size());
    composed_.compose(character_, pose);
    visible_ = pose.visible;
  }
  [[nodiscard]] bool shows(MeshId mesh) const {
    return visible_.empty() || visible_[index(character_.governing_bone(mesh))] != 0;
  }
  [[nodiscard]] Palette palette() const { return composed_.palette(); }

 private:
  const Character& character_;
  ComposedPose composed_;
  std::span<const std::uint8_t> visible_;
};

/// Calls visit(first, last) for parts of a clip's frames, on several threads where they are worth it. Without bones all
/// frames are alike, and a file may claim any number of them at no cost: then there is one.
template <typename Visit>
void visit_frames(const Character& character, std::size_t frames, const Visit& visit) {
  const std::size_t cost = character.bones().size() + character.vertices().size() + 1;
  constexpr std::size_t kCostWorthAThread = 50'000;
  parallel_for(frames, kCostWorthAThread / cost + 1, visit);
}

std::size_t distinct_frames(const Character& character, ClipId clip) {
  const std::uint32_t frames = character.clips()[clip].frame_count;
  return character.bones().empty() ? std::min(frames, 1U) : frames;
}

void include_mesh(const Character& character, const Palette& palette, MeshId id, Rect& bounds) {
  const Mesh& mesh = character.meshes()[id];
  include_skinned(character, palette, mesh.first_vertex, mesh.vertex_count, bounds);
}

Rect bounds_of(const Character& character, const PosedFrame& frame) {
  Rect bounds;
  // Meshes that follow each other in memory are skinned at one go.
  std::size_t first = 0, end = 0;
  const auto include_run = [&] { include_skinned(character, frame.palette(), first, end - first, bounds); };
  for (const MeshId id : character.meshes().ids()) {
    if (!frame.shows(id)) continue;
    const Mesh& mesh = character.meshes()[id];
    if (mesh.first_vertex != end) {
      include_run();
      first = mesh.first_vertex;
    }
    end = std::size_t{mesh.first_vertex} + mesh.vertex_count;
  }
  include_run();
  return bounds;
}

void find_frame_bounds(const Character& character, ClipId clip, ClipBounds& found) {
  found.frames.resize(distinct_frames(character, clip));
  visit_frames(character, found.frames.size(), [&](std::size_t first, std::size_t last) {
    PosedFrame posed(character);
    for (std::size_t frame = first; frame < last; ++frame) {
      posed.pose(clip, frame);
      found.frames[frame] = bounds_of(character, posed);
    }
  });
  for (const Rect& frame : found.frames) found.whole.include(frame);
}

void find_mesh_bounds(const Character& character, ClipId clip, ClipBounds& found) {
  found.meshes.resize(character.meshes().size());
  std::mutex mutex;
  visit_frames(character, distinct_frames(character, clip), [&](std::size_t first, std::size_t last) {
    PosedFrame posed(character);
    std::vector<Rect> meshes(found.meshes.size());
    for (std::size_t frame = first; frame < last; ++frame) {
      posed.pose(clip, frame);
      for (const MeshId mesh : character.meshes().ids()) {
        if (posed.shows(mesh)) include_mesh(character, posed.palette(), mesh, meshes[index(mesh)]);
      }
    }
    const std::scoped_lock lock(mutex);
    for (std::size_t mesh = 0; mesh < meshes.size(); ++mesh) found.meshes[mesh].include(meshes[mesh]);
  });
}

}  // namespace

struct CharacterBounds {
  static ClipBounds& of_clip(const Character& character, ClipId clip) {
    assert(character.clips().contains(clip));
    return character.contents_->clip_bounds[index(clip)];
  }

  static const ClipBounds& with_frames(const Character& character, ClipId clip) {
    ClipBounds& bounds = of_clip(character, clip);
    std::call_once(bounds.frames_once, [&] { find_frame_bounds(character, clip, bounds); });
    return bounds;
  }

  static const ClipBounds& with_meshes(const Character& character, ClipId clip) {
    ClipBounds& bounds = of_clip(character, clip);
    std::call_once(bounds.meshes_once, [&] { find_mesh_bounds(character, clip, bounds); });
    return bounds;
  }
};

void include_skinned(const Character& character, const Palette& palette, std::size_t first, std::size_t count,
                     Rect& bounds) noexcept {
  using FloatFour = float __attribute__((vector_size(16)));
  constexpr float kMax = std::numeric_limits<float>::max();
  const FloatFour most = FloatFour{} + kMax, least = -most;
  // Enough at a time to make little of what each call of `deform` costs.
  std::array<Vec2, 1024> points;
  for (const std::size_t end = first + count; first < end;) {
    const std::size_t some = std::min(end - first, points.size());
    skin_front(character, palette, first, std::span(points).first(some));
    first += some;
    // Two points at a time; an odd last one twice, which leaves room for it.
    if (some % 2 != 0) points[some] = points[some - 1];
    FloatFour low = most, high = least;
    auto finite = most >= least;
    for (std::size_t i = 0; i < some; i += 2) {
      FloatFour two;
      std::memcpy(&two, &points[i], sizeof(two));
      low = two < low ? two : low;
      high = two > high ? two : high;
      finite &= (two <= most) & (two >= least);
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

Rect compute_frame_bounds(const Character& character, ClipId clip, std::uint32_t frame) {
  const std::vector<Rect>& frames = CharacterBounds::with_frames(character, clip).frames;
  assert(frame < character.clips()[clip].frame_count);
  return frames[std::min<std::size_t>(frame, frames.size() - 1)];
}

Rect compute_mesh_bounds(const Character& character, ClipId clip, MeshId mesh) {
  return CharacterBounds::with_meshes(character, clip).meshes[index(mesh)];
}

Rect compute_clip_bounds(const Character& character, ClipId clip) {
  return CharacterBounds::with_frames(character, clip).whole;
}

Rect compute_character_bounds(const Character& character) {
  Rect result;
  for (const ClipId clip : character.clips().ids()) result.include(compute_clip_bounds(character, clip));
  if (!result.empty()) return result;
  PoseBuffers posed;
  pose_bind(character, posed);
  return bounds(character, posed);
}

}  // namespace pchr
