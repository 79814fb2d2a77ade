// SPDX-License-Identifier: MIT
// Weights, texture coordinates and triangles of each mesh.
#include "model/influences.hpp"
#include "validate/lint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

namespace pchr {
namespace {

struct MeshView {
  std::uint32_t number;
  const Mesh& mesh;
  std::span<const Vertex> vertices;
  std::span<const std::uint16_t> indices;

  [[nodiscard]] Location at(Field field, std::size_t element = 0, std::uint32_t slot = 0) const {
    return {Section::meshes, field, number, static_cast<std::uint32_t>(element), slot};
  }
};

bool has_weights(const Vertex& vertex) {
  return std::any_of(std::begin(vertex.weights), std::end(vertex.weights), [](float weight) { return weight != 0; });
}

void lint_weights(Lint& lint, const MeshView& mesh) {
  if (std::none_of(mesh.vertices.begin(), mesh.vertices.end(), has_weights)) {
    lint.add(FindingId::mesh_without_weights, mesh.at(Field::none),
             fmt::format("all {} vertices have none", mesh.vertices.size()));
    return;
  }
  Tally sums, gaps;
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    const auto& weights = mesh.vertices[i].weights;
    const auto authored =
        authored_influences(lint.character().data(), mesh.mesh.first_vertex + static_cast<std::uint32_t>(i));
    double sum = double{weights[0]} + weights[1] + weights[2] + weights[3];
    if (!authored.empty()) sum = 0;
    for (const AuthoredInfluence& influence : authored) sum += double{influence.weight};
    // Not the other way round: a sum of huge weights may be anything.
    if (!(std::abs(sum - 1) <= double{lint.options().weight_tolerance})) {
      sums.add(mesh.at(Field::vertex, i), [&] {
        return fmt::format("they sum to {:.6g}; 1 is expected, to within {:.6g}", sum, lint.options().weight_tolerance);
      });
    }
    if (!authored.empty()) continue;
    for (std::uint32_t slot = 1; slot < 4; ++slot) {
      if (weights[slot] == 0 || weights[slot - 1] != 0) continue;
      gaps.add(mesh.at(Field::bone_weight, i, slot),
               [&] { return fmt::format("found {} after a weight of 0", weights[slot]); });
      break;
    }
  }
  lint.add(FindingId::weight_sum, sums, "such vertices in this mesh");
  lint.add(FindingId::weight_gap, gaps, "such vertices in this mesh");
}

void lint_texture_coordinates(Lint& lint, const MeshView& mesh) {
  // Up to half a pixel outside, the edge pixel is what is meant anyway.
  const Image& image = lint.character().images()[mesh.mesh.image];
  const float slack_u = 0.5F / static_cast<float>(image.width);
  const float slack_v = 0.5F / static_cast<float>(image.height);
  const auto outside = [](float value, float slack) { return value < -slack || value > 1 + slack; };
  Tally tally;
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    const float u = mesh.vertices[i].u, v = mesh.vertices[i].v;
    const bool u_outside = outside(u, slack_u);
    if (!u_outside && !outside(v, slack_v)) continue;
    tally.add(mesh.at(u_outside ? Field::u : Field::v, i), [&] { return fmt::format("found {}", u_outside ? u : v); });
  }
  lint.add(FindingId::texture_outside, tally, "such vertices in this mesh");
}

void lint_unused_vertices(Lint& lint, const MeshView& mesh) {
  std::vector<bool> used(mesh.vertices.size());
  for (const std::uint16_t index : mesh.indices) used[index] = true;
  Tally tally;
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (!used[i]) tally.add(mesh.at(Field::vertex, i), [] { return "no index names it"; });
  }
  lint.add(FindingId::unused_vertex, tally, "such vertices in this mesh");
}

/// Corners on one line to within rounding, relative to the longest side.
bool has_no_area(const Vertex& a, const Vertex& b, const Vertex& c) {
  const double abx = double{b.x} - a.x, aby = double{b.y} - a.y;
  const double acx = double{c.x} - a.x, acy = double{c.y} - a.y;
  const double longest = std::max({std::hypot(abx, aby), std::hypot(acx, acy), std::hypot(acx - abx, acy - aby)});
  return std::abs(abx * acy - aby * acx) <= 1e-6 * longest * longest;
}

/// Corners in ascending order, as one number, and where the triangle's indices begin: equal corners are one triangle
/// in any winding.
struct Triangle {
  std::uint64_t corners;
  std::uint32_t first_index;
  auto operator<=>(const Triangle&) const = default;
};

void lint_triangles(Lint& lint, const MeshView& mesh) {
  Tally degenerate;
  std::vector<Triangle> triangles;
  triangles.reserve(mesh.indices.size() / 3);
  for (std::uint32_t i = 0; i < mesh.indices.size(); i += 3) {
    const std::uint16_t a = mesh.indices[i], b = mesh.indices[i + 1], c = mesh.indices[i + 2];
    if (has_no_area(mesh.vertices[a], mesh.vertices[b], mesh.vertices[c])) {
      degenerate.add(mesh.at(Field::index, i), [&] {
        const bool repeated = a == b || b == c || c == a;
        return fmt::format("vertices {}, {} and {} {}", a, b, c,
                           repeated ? "are not three" : "lie on one line in the bind pose");
      });
    } else {
      const auto [low, high] = std::minmax({a, b, c});
      const std::uint64_t middle = std::uint64_t{a} + b + c - low - high;
      triangles.push_back({std::uint64_t{low} << 32 | middle << 16 | high, i});
    }
  }
  lint.add(FindingId::degenerate_triangle, degenerate, "such triangles in this mesh");

  std::sort(triangles.begin(), triangles.end());
  std::uint64_t repeats = 0;
  Triangle earliest{}, original{};
  for (std::size_t i = 1, run = 0; i < triangles.size(); ++i) {
    if (triangles[i].corners != triangles[run].corners) {
      run = i;
    } else if (repeats++ == 0 || triangles[i].first_index < earliest.first_index) {
      earliest = triangles[i];
      original = triangles[run];
    }
  }
  Tally duplicate;
  if (repeats > 0) {
    duplicate.add(mesh.at(Field::index, earliest.first_index), [&] {
      return fmt::format("vertices {}, {} and {} are the triangle at indices[{}] again",
                         mesh.indices[earliest.first_index], mesh.indices[earliest.first_index + 1],
                         mesh.indices[earliest.first_index + 2], original.first_index);
    });
    duplicate.count = repeats;
  }
  lint.add(FindingId::duplicate_triangle, duplicate, "such triangles in this mesh");
}

}  // namespace

void lint_meshes(Lint& lint) {
  const Character& character = lint.character();
  for (std::uint32_t number = 0; number < character.meshes().size(); ++number) {
    const Mesh& mesh = character.meshes()[number];
    const MeshView view{number, mesh, character.vertices(mesh), character.indices(mesh)};
    if (view.indices.empty()) {
      lint.add(FindingId::mesh_without_triangles, view.at(Field::none),
               fmt::format("it has {} vertices", view.vertices.size()));
      continue;
    }
    lint_weights(lint, view);
    lint_unused_vertices(lint, view);
    // The images of spatial characters repeat, and their triangles may be edge-on from the front.
    if (character.is_spatial()) continue;
    lint_texture_coordinates(lint, view);
    lint_triangles(lint, view);
  }
}

}  // namespace pchr
