// SPDX-License-Identifier: MIT
// Finds overlapping meshes with the same draw order.
#include "import/validate/lint.hpp"

#include <pchr/pose.hpp>

#include <fmt/format.h>

#include <cmath>
#include <unordered_set>

namespace pchr {
namespace {

// Pixels in every direction, so that neighboring meshes can touch.
constexpr float kMinOverlap = 1;
// Enough for every frame of a typical character.
constexpr std::uint64_t kMaxSkinned = std::uint64_t{1} << 25;
// The number of pairs grows with the square of the number of meshes.
constexpr std::uint64_t kMaxCompared = std::uint64_t{1} << 24;
constexpr std::size_t kMaxPairs = std::size_t{1} << 16;

struct SkinnedMesh {
  MeshId mesh{};
  std::size_t first_point = 0;
  Rect area;
};

using Corners = std::array<Vec2, 3>;

bool overlap(const Rect& a, const Rect& b) {
  return std::min(a.max.x, b.max.x) - std::max(a.min.x, b.min.x) > kMinOverlap &&
         std::min(a.max.y, b.max.y) - std::max(a.min.y, b.min.y) > kMinOverlap;
}

Rect box_of(std::span<const Vec2> points) {
  Rect box;
  for (const Vec2 point : points) {
    if (std::isfinite(point.x) && std::isfinite(point.y)) box.include(point);
  }
  return box;
}

/// Returns whether a line along a side of `a` separates the triangles.
bool separated_by_side_of(const Corners& a, const Corners& b) {
  for (std::size_t side = 0; side < 3; ++side) {
    const Vec2 along = a[(side + 1) % 3] - a[side];
    const float length = std::hypot(along.x, along.y);
    if (!(length > 0)) continue;
    const auto extent = [&](const Corners& triangle) {
      const auto across = [&](Vec2 point) { return (point.y * along.x - point.x * along.y) / length; };
      return std::minmax({across(triangle[0]), across(triangle[1]), across(triangle[2])});
    };
    const auto [low_a, high_a] = extent(a);
    const auto [low_b, high_b] = extent(b);
    if (!(std::min(high_a, high_b) - std::max(low_a, low_b) > kMinOverlap)) return true;
  }
  return false;
}

bool overlap(const Corners& a, const Corners& b) { return !separated_by_side_of(a, b) && !separated_by_side_of(b, a); }

/// Meshes that a mesh overlaps at the same draw order: the first one, its frame, and the number of meshes.
struct Overlaps {
  MeshId other{};
  std::int32_t order = 0;
  std::string moment;
  std::uint32_t count = 0;
};

class OverlapSearch {
 public:
  explicit OverlapSearch(const Character& character) : character_(character), overlaps_(character.meshes().size()) {}

  /// Returns the overlaps of each mesh in the frames of all clips, or in evenly spaced frames of a huge character.
  const std::vector<Overlaps>& run() {
    std::uint64_t frames = 0;
    for (const Clip& clip : character_.clips()) frames += clip.frame_count;
    const std::uint64_t work =
        character_.vertices().size() + character_.bones().size() + character_.meshes().size() + 1;
    const std::uint64_t poses = std::max<std::uint64_t>(kMaxSkinned / work, 1);
    const std::uint64_t stride = frames / poses + 1;
    PoseBuffers posed;
    std::uint64_t next = 0;
    for (const ClipId id : character_.clips().ids()) {
      const Clip& clip = character_.clips()[id];
      for (; next < clip.frame_count && !exhausted(); next += stride) {
        const auto frame = static_cast<std::uint32_t>(next);
        pose_clip(character_, id, {frame, frame, 0}, posed);
        compare_pose(posed, [&] { return fmt::format("frame {} of clip \"{}\"", frame, printable(clip.name)); });
      }
      next -= std::min<std::uint64_t>(next, clip.frame_count);
    }
    if (frames == 0) {
      pose_bind(character_, posed);
      compare_pose(posed, [] { return std::string("the bind pose"); });
    }
    return overlaps_;
  }

 private:
  [[nodiscard]] bool exhausted() const noexcept { return compared_ >= kMaxCompared || seen_.size() >= kMaxPairs; }

  /// Compares the meshes of one pose. `moment` describes its clip and frame.
  template <class Moment>
  void compare_pose(const PoseBuffers& posed, const Moment& moment) {
    const DrawList& list = posed.draw_list;
    for (std::size_t begin = 0, end = 0; begin < list.size(); begin = end) {
      const std::int32_t order = order_of(posed, list[begin].mesh);
      while (end < list.size() && order_of(posed, list[end].mesh) == order) ++end;
      if (end - begin < 2) continue;
      meshes_.clear();
      points_.clear();
      for (std::size_t i = begin; i < end; ++i) add(posed, list[i].mesh);
      compare([&](MeshId mesh, MeshId other) {
        Overlaps& found = overlaps_[index(mesh)];
        if (found.count++ == 0) found = {other, order, moment(), 1};
      });
    }
  }

  [[nodiscard]] std::int32_t order_of(const PoseBuffers& posed, MeshId mesh) const {
    return posed.pose.z_order.empty() ? 0 : posed.pose.z_order[index(character_.governing_bone(mesh))];
  }

  void add(const PoseBuffers& posed, MeshId mesh) {
    const auto vertices = character_.vertices(character_.meshes()[mesh]);
    const std::size_t first = points_.size();
    points_.resize(first + vertices.size());
    const auto points = std::span(points_).subspan(first);
    deform(vertices, posed.palette, points);
    meshes_.push_back({mesh, first, box_of(points)});
  }

  /// Calls `report` for each new pair of overlapping meshes, first the one that is later in the file.
  template <class Report>
  void compare(const Report& report) {
    std::ranges::sort(meshes_, {}, [](const SkinnedMesh& mesh) { return mesh.area.min.x; });
    for (std::size_t i = 0; i < meshes_.size(); ++i) {
      const SkinnedMesh& a = meshes_[i];
      for (std::size_t j = i + 1; j < meshes_.size() && meshes_[j].area.min.x < a.area.max.x; ++j) {
        const SkinnedMesh& b = meshes_[j];
        if (exhausted()) return;
        ++compared_;
        const auto [earlier, later] = std::minmax(a.mesh, b.mesh);
        const std::uint64_t pair = std::uint64_t{index(earlier)} << 32 | index(later);
        if (!overlap(a.area, b.area) || seen_.contains(pair) || !triangles_overlap(a, b)) continue;
        seen_.insert(pair);
        report(later, earlier);
      }
    }
  }

  bool triangles_overlap(const SkinnedMesh& a, const SkinnedMesh& b) {
    collect_triangles(a, b.area, triangles_a_);
    collect_triangles(b, a.area, triangles_b_);
    for (const Corners& triangle_a : triangles_a_) {
      for (const Corners& triangle_b : triangles_b_) {
        if (++compared_ >= kMaxCompared) return false;
        if (overlap(triangle_a, triangle_b)) return true;
      }
    }
    return false;
  }

  /// Collects the triangles of `mesh` that reach into `area`.
  void collect_triangles(const SkinnedMesh& mesh, const Rect& area, std::vector<Corners>& triangles) {
    triangles.clear();
    const auto indices = character_.indices(character_.meshes()[mesh.mesh]);
    compared_ += indices.size() / 3;
    for (std::size_t i = 0; i < indices.size(); i += 3) {
      const auto corner = [&](std::size_t number) { return points_[mesh.first_point + indices[i + number]]; };
      const Corners triangle{corner(0), corner(1), corner(2)};
      if (overlap(box_of(triangle), area)) triangles.push_back(triangle);
    }
  }

  const Character& character_;
  std::vector<Overlaps> overlaps_;  // per mesh
  std::unordered_set<std::uint64_t> seen_;
  std::uint64_t compared_ = 0;
  // Scratch buffers for the meshes of one draw order in one pose.
  std::vector<SkinnedMesh> meshes_;
  std::vector<Vec2> points_;
  std::vector<Corners> triangles_a_, triangles_b_;
};

}  // namespace

void lint_draw_order(Lint& lint) {
  const Character& character = lint.character;
  if (character.meshes().size() < 2) return;
  OverlapSearch search(character);
  const std::vector<Overlaps>& overlaps = search.run();
  for (const MeshId mesh : character.meshes().ids()) {
    const Overlaps& found = overlaps[index(mesh)];
    if (found.count == 0) continue;
    std::string detail =
        fmt::format("overlaps {} \"{}\" in {} at the same draw order, {}", path_of("meshes", found.other),
                    printable(character.meshes()[found.other].name), found.moment, found.order);
    if (found.count > 1) detail += fmt::format(" (first of {} such meshes)", found.count);
    lint.add(DiagnosticId::equal_draw_order, path_of("meshes", mesh), std::move(detail));
  }
}

}  // namespace pchr
