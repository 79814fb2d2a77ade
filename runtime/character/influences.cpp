// SPDX-License-Identifier: MIT
// Vertices with more than four influences.
#include "character/influences.hpp"

#include "character/format.hpp"
#include "character/kernels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <ranges>
#include <utility>

namespace pchr {
namespace {

/// Limit of composed bones plus applied influences: about a tenth of a second.
constexpr std::uint64_t kMaxWork = std::uint64_t{8} << 20;

float to_float(double value) {
  constexpr double kMax = std::numeric_limits<float>::max();
  return static_cast<float>(std::clamp(value, -kMax, kMax));
}

Vec2 skinned(std::span<const AuthoredInfluence> influences, const Vertex& vertex, std::span<const Affine> palette) {
  Vec2 sum{};
  for (const AuthoredInfluence& influence : influences) {
    if (influence.weight != 0) sum += influence.weight * apply(palette[influence.bone], {vertex.x, vertex.y});
  }
  for (int slot = 0; slot < 4; ++slot) {
    if (vertex.weights[slot] != 0)
      sum -= vertex.weights[slot] * apply(palette[vertex.bones[slot]], {vertex.x, vertex.y});
  }
  return sum;
}

}  // namespace

void keep_four(std::span<const AuthoredInfluence> influences, Vertex& vertex) {
  std::array<std::size_t, 4> kept{};
  std::ranges::partial_sort_copy(std::views::iota(std::size_t{0}, influences.size()), kept,
                                 [&](std::size_t a, std::size_t b) {
                                   const float left = std::abs(influences[a].weight);
                                   const float right = std::abs(influences[b].weight);
                                   return left > right || (left == right && a < b);
                                 });
  std::ranges::sort(kept);
  double sum = 0, kept_sum = 0;
  for (const AuthoredInfluence& influence : influences) sum += double{influence.weight};
  for (const std::size_t i : kept) kept_sum += double{influences[i].weight};
  // For weights of the same sign, the factor is never more than a quarter of their number.
  const double factor = kept_sum == 0 ? 0 : sum / kept_sum;
  const bool scales = factor > 0 && factor <= static_cast<double>(influences.size());
  for (std::size_t slot = 0; slot < 4; ++slot) {
    const AuthoredInfluence& influence = influences[kept[slot]];
    const double weight = double{influence.weight};
    vertex.bones[slot] = influence.bone;
    vertex.weights[slot] = to_float(scales ? weight * factor : weight + (sum - kept_sum) / 4);
  }
}

std::span<const AuthoredInfluence> authored_influences(const CharacterData& data, std::uint32_t vertex) {
  return std::ranges::equal_range(data.authored_influences, vertex, {}, &AuthoredInfluence::vertex);
}

std::span<const AuthoredInfluence> first_run(std::span<const AuthoredInfluence> influences) {
  const auto end = std::ranges::find_if(
      influences, [&](const AuthoredInfluence& influence) { return influence.vertex != influences.front().vertex; });
  return {influences.begin(), end};
}

MeshVertex find_vertex(const CharacterData& data, std::uint32_t vertex) {
  for (std::uint32_t mesh = 0; mesh < data.meshes.size(); ++mesh) {
    const std::uint32_t first = data.meshes[mesh].first_vertex;
    if (vertex >= first && vertex - first < data.meshes[mesh].vertex_count) return {mesh, vertex - first};
  }
  return {};
}

Check check_authored_influences(const CharacterData& data) {
  const auto wrong = [](std::string detail) {
    return Diagnostic{DiagnosticId::invalid_structure, {}, {}, {}, std::move(detail)};
  };
  std::span<const AuthoredInfluence> rest(data.authored_influences);
  if (!rest.empty() && data.is_3d)
    return wrong("a 3D character has authored influences, which only 2D characters can have");
  for (std::int64_t before = -1; !rest.empty();) {
    const auto influences = first_run(rest);
    const std::uint32_t vertex = influences.front().vertex;
    if (vertex >= data.vertices.size()) {
      return wrong(format_text("authored influences refer to vertex {}, but the character has {} vertices", vertex,
                               data.vertices.size()));
    }
    if (vertex <= before) {
      return wrong(format_text("authored influences are not sorted by vertex: {} follows {}", vertex, before));
    }
    if (influences.size() <= 4) {
      return wrong(
          format_text("vertex {} has {} authored influences, but must have more than 4", vertex, influences.size()));
    }
    for (std::uint32_t slot = 0; slot < influences.size(); ++slot) {
      const auto check = [&](const MeshVertex& place) {
        return check_influence(influences[slot].bone, influences[slot].weight, data.bones.size(), place.mesh,
                               place.vertex, slot);
      };
      // Finding a vertex is slow, so it happens only for an error.
      if (check({})) return check(find_vertex(data, vertex));
    }
    before = vertex;
    rest = rest.subspan(influences.size());
  }
  return {};
}

std::vector<InfluenceError> measure_influence_errors(const CharacterData& data, std::span<const Affine> inverse_bind) {
  std::vector<InfluenceError> errors;
  for (std::span<const AuthoredInfluence> rest(data.authored_influences); !rest.empty();) {
    const auto influences = first_run(rest);
    errors.push_back({influences.front().vertex, static_cast<std::uint32_t>(influences.size())});
    rest = rest.subspan(influences.size());
  }
  const std::uint64_t work_per_frame = data.bones.size() + data.authored_influences.size();
  std::uint64_t frames = 0;
  for (const Clip& clip : data.clips) frames += clip.frame_count;
  const std::uint64_t step = std::max<std::uint64_t>(1, work_per_frame * frames / kMaxWork);
  std::vector<Affine> world(data.bones.size()), palette(data.bones.size());
  std::uint64_t number = 0;
  for (std::uint32_t clip = 0; clip < data.clips.size() && !errors.empty(); ++clip) {
    for (std::uint32_t frame = 0; frame < data.clips[clip].frame_count; ++frame) {
      if (number++ % step != 0) continue;
      compose(data.bones, data.clips[clip].samples.frame(frame, data.bones.size()), inverse_bind, world, palette);
      std::span<const AuthoredInfluence> rest(data.authored_influences);
      for (InfluenceError& error : errors) {
        const Vec2 off = skinned(rest.first(error.influences), data.vertices[error.vertex], palette);
        rest = rest.subspan(error.influences);
        const double pixels = std::hypot(double{off.x}, double{off.y});
        if (!(pixels > error.pixels)) continue;
        error.pixels = pixels;
        error.clip = clip;
        error.frame = frame;
      }
    }
  }
  return errors;
}

}  // namespace pchr
