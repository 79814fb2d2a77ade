// SPDX-License-Identifier: MIT
// Finds the pose that a weighted mesh was bound in. Files store the place of a vertex in the space of each of its
// bones; if the setup pose was changed later, these places agree only in an older pose, which the file does not have.
#include "import/rig/rig.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace pchr::rig {
namespace {

/// Pixels that places can differ by, which files round.
constexpr double kPlaceTolerance = 0.01;
constexpr std::size_t kMaxBoundBones = 256;

/// A place in the space of a bone, and where it must be.
struct Pair {
  Point from, to;
};

/// Returns the transform that brings the places of a bone to where they must be. It is affine if there are enough of
/// them, else like `world`, but turned, scaled and moved.
Matrix fitted(std::span<const Pair> pairs, const Matrix& world) noexcept {
  if (pairs.empty()) return world;
  Point from, to;
  for (const Pair& pair : pairs) {
    from = {from.x + pair.from.x, from.y + pair.from.y};
    to = {to.x + pair.to.x, to.y + pair.to.y};
  }
  const auto count = static_cast<double>(pairs.size());
  from = {from.x / count, from.y / count};
  to = {to.x / count, to.y / count};
  // Sums of products: of the places, and with where they must be.
  double xx = 0, xy = 0, yy = 0;
  Matrix sum{0, 0, 0, 0, 0, 0}, turned = sum;
  double size = 0;
  for (const Pair& pair : pairs) {
    const Point q{pair.from.x - from.x, pair.from.y - from.y}, p{pair.to.x - to.x, pair.to.y - to.y};
    xx += q.x * q.x;
    xy += q.x * q.y;
    yy += q.y * q.y;
    sum.a += p.x * q.x;
    sum.b += p.y * q.x;
    sum.c += p.x * q.y;
    sum.d += p.y * q.y;
    const Point w{world.a * q.x + world.c * q.y, world.b * q.x + world.d * q.y};
    size += w.x * w.x + w.y * w.y;
    turned.a += w.x * p.x + w.y * p.y;
    turned.b += w.x * p.y - w.y * p.x;
  }
  Matrix result{world.a, world.b, world.c, world.d, 0, 0};
  const double squares = xx * yy - xy * xy;
  if (squares > 1e-4 * (xx + yy) * (xx + yy)) {
    result = sum * Matrix{yy / squares, -xy / squares, -xy / squares, xx / squares, 0, 0};
  } else if (size > 0) {
    result = Matrix{turned.a / size, turned.b / size, -turned.b / size, turned.a / size, 0, 0} * result;
  }
  if (!(std::abs(determinant(result)) > 1e-6)) result = {world.a, world.b, world.c, world.d, 0, 0};
  const Point moved = result * from;
  result.tx = to.x - moved.x;
  result.ty = to.y - moved.y;
  return result;
}

}  // namespace

double find_bindings(std::span<const Matrix> setup, Attachment& mesh) {
  std::uint32_t vertices = 0;
  for (const Influence& each : mesh.influences) vertices = std::max(vertices, each.vertex + 1);
  std::vector<Point> places(vertices);
  std::vector<bool> is_placed(vertices);
  /// Returns the largest distance between the places that the bones of a vertex give it.
  const auto max_distance = [&](const auto& world_of) {
    is_placed.assign(vertices, false);
    double distance = 0;
    for (const Influence& each : mesh.influences) {
      if (each.weight == 0) continue;
      const Point place = world_of(each.bone) * each.position;
      if (!is_placed[each.vertex]) places[each.vertex] = place;
      is_placed[each.vertex] = true;
      distance = std::max(distance, std::hypot(place.x - places[each.vertex].x, place.y - places[each.vertex].y));
    }
    return distance;
  };
  const double before = max_distance([&](std::uint32_t bone) { return setup[bone]; });
  if (before <= kPlaceTolerance) return 0;

  struct Bound {
    std::uint32_t bone = 0;
    bool is_done = false;
    std::vector<const Influence*> influences{};
    Matrix world{};
  };
  std::vector<Bound> bones;
  for (const Influence& each : mesh.influences) {
    auto bone = std::ranges::lower_bound(bones, each.bone, {}, &Bound::bone);
    if (bone == bones.end() || bone->bone != each.bone) {
      if (bones.size() == kMaxBoundBones) return before;
      bone = bones.insert(bone, {.bone = each.bone});
    }
    if (each.weight != 0) bone->influences.push_back(&each);
  }
  // One bone keeps its place. Each further bone is the one that shares the most vertices with those before it.
  is_placed.assign(vertices, false);
  std::vector<Pair> pairs;
  for (std::size_t done = 0; done < bones.size(); ++done) {
    Bound* best = nullptr;
    std::size_t best_count = 0;
    for (Bound& bone : bones) {
      if (bone.is_done) continue;
      const auto shared =
          std::ranges::count_if(bone.influences, [&](const Influence* each) { return bool(is_placed[each->vertex]); });
      const std::size_t count = static_cast<std::size_t>(shared) * 65536 + bone.influences.size();
      if (best != nullptr && count <= best_count) continue;
      best = &bone;
      best_count = count;
    }
    pairs.clear();
    for (const Influence* const each : best->influences) {
      if (is_placed[each->vertex]) pairs.push_back({each->position, places[each->vertex]});
    }
    best->world = fitted(pairs, setup[best->bone]);
    best->is_done = true;
    for (const Influence* const each : best->influences) {
      if (!is_placed[each->vertex]) places[each->vertex] = best->world * each->position;
      is_placed[each->vertex] = true;
    }
  }
  const auto world_of = [&](std::uint32_t bone) {
    return std::ranges::lower_bound(bones, bone, {}, &Bound::bone)->world;
  };
  const double after = max_distance(world_of);
  if (after >= before) return before;
  for (const Bound& bone : bones) mesh.bindings.push_back({bone.bone, bone.world});
  return after <= kPlaceTolerance ? 0 : after;
}

}  // namespace pchr::rig
