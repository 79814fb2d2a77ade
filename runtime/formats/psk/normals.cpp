// SPDX-License-Identifier: MIT
// The normals of an Unreal mesh.
#include "formats/psk/normals.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace pchr::psk {
namespace {

// At a point where more sets of smoothing groups than these meet, only faces of equal sets are smooth to each other.
constexpr std::size_t kMostSets = 64;

Vec3 unit(Vec3 vector) {
  const float largest = std::max({std::abs(vector.x), std::abs(vector.y), std::abs(vector.z)});
  if (!(largest > 0) || !std::isfinite(largest)) return {0.0F, 0.0F, 1.0F};
  vector = vector / largest;
  return vector / std::sqrt(vector.x * vector.x + vector.y * vector.y + vector.z * vector.z);
}

/// Outward, as long as twice the face's area.
Vec3 normal_of(const Mesh& mesh, const Face& face) {
  const auto point = [&](std::size_t corner) { return mesh.points[mesh.wedges[face.wedges[corner]].point]; };
  const Vec3 a = point(2) - point(0), b = point(1) - point(0);
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// A corner of a face, to be gathered by point and smoothing groups.
struct Corner {
  std::uint32_t point, groups, face, corner;
};

std::vector<Corner> sorted_corners(const Mesh& mesh) {
  std::vector<Corner> corners;
  corners.reserve(mesh.faces.size() * 3);
  for (std::uint32_t face = 0; face < mesh.faces.size(); ++face) {
    for (std::uint32_t corner = 0; corner < 3; ++corner) {
      corners.push_back(
          {mesh.wedges[mesh.faces[face].wedges[corner]].point, mesh.faces[face].smoothing_groups, face, corner});
    }
  }
  std::ranges::sort(corners, [](const Corner& a, const Corner& b) {
    return a.point != b.point ? a.point < b.point : a.groups < b.groups;
  });
  return corners;
}

/// Faces around a point that are in the same groups.
struct Set {
  std::uint32_t groups = 0;
  std::uint32_t number = 0;  ///< Of their normal.
  Vec3 sum{0.0F};
};

/// Gives the corners at one point, sorted by their groups, their normals.
void add_point(const Mesh& mesh, std::span<const Corner> corners, std::vector<Set>& sets, Normals& out) {
  sets.clear();
  for (const Corner& corner : corners) {
    if (corner.groups == 0 || sets.empty() || sets.back().groups != corner.groups) {
      sets.push_back({corner.groups, static_cast<std::uint32_t>(out.normals.size() + sets.size())});
    }
    sets.back().sum += normal_of(mesh, mesh.faces[corner.face]);
    out.of_corner[corner.face][corner.corner] = sets.back().number;
  }
  for (const Set& set : sets) {
    Vec3 sum = set.sum;
    for (const Set& other : std::span(sets).first(sets.size() <= kMostSets ? sets.size() : 0)) {
      if (other.number != set.number && (other.groups & set.groups) != 0) sum += other.sum;
    }
    out.normals.push_back(unit(sum));
  }
}

}  // namespace

Normals find_normals(const Mesh& mesh) {
  Normals out;
  out.of_corner.resize(mesh.faces.size());
  if (!mesh.normals.empty()) {
    out.normals.resize(mesh.normals.size());
    std::ranges::transform(mesh.normals, out.normals.begin(), unit);
    for (std::size_t face = 0; face < mesh.faces.size(); ++face) {
      for (std::size_t corner = 0; corner < 3; ++corner) {
        out.of_corner[face][corner] = mesh.wedges[mesh.faces[face].wedges[corner]].point;
      }
    }
    return out;
  }
  const std::vector<Corner> corners = sorted_corners(mesh);
  std::vector<Set> sets;
  for (std::size_t first = 0; first < corners.size();) {
    std::size_t end = first;
    while (end < corners.size() && corners[end].point == corners[first].point) ++end;
    add_point(mesh, std::span(corners).subspan(first, end - first), sets, out);
    first = end;
  }
  return out;
}

}  // namespace pchr::psk
