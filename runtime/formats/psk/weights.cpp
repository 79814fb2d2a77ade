// SPDX-License-Identifier: MIT
// The weights of an Unreal mesh as a vertex holds them.
#include "formats/psk/weights.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pchr::psk {
namespace {

/// One influence per bone, by which they are sorted, the largest weight first.
std::span<Influence> merged(std::span<Influence> influences) {
  std::size_t count = 0;
  for (const Influence& influence : influences) {
    if (count > 0 && influences[count - 1].bone == influence.bone) {
      influences[count - 1].weight += influence.weight;
    } else {
      influences[count++] = influence;
    }
  }
  const auto result = influences.first(count);
  std::ranges::sort(result, [](const Influence& a, const Influence& b) {
    return a.weight != b.weight ? a.weight > b.weight : a.bone < b.bone;
  });
  return result;
}

PointWeights weights_of(std::span<const Influence> largest, std::span<const std::uint32_t> number_of) {
  double sum = 0;
  for (const Influence& influence : largest) sum += static_cast<double>(influence.weight);
  PointWeights result;
  for (std::size_t slot = 0; slot < largest.size(); ++slot) {
    result.bones[slot] = static_cast<std::uint16_t>(number_of[largest[slot].bone]);
    result.weights[slot] = static_cast<float>(static_cast<double>(largest[slot].weight) / sum);
  }
  return result;
}

}  // namespace

std::vector<PointWeights> point_weights(const Mesh& mesh, std::span<const std::uint32_t> number_of, Remarks& remarks) {
  PointWeights alone;
  if (!number_of.empty()) alone.bones[0] = static_cast<std::uint16_t>(number_of[0]);
  std::vector<PointWeights> result(mesh.points.size(), alone);
  Array<Influence> sorted = mesh.influences;
  std::ranges::sort(sorted, [](const Influence& a, const Influence& b) {
    return a.point != b.point ? a.point < b.point : a.bone != b.bone ? a.bone < b.bone : a.weight < b.weight;
  });
  for (std::size_t first = 0; first < sorted.size();) {
    const std::uint32_t point = sorted[first].point;
    std::size_t end = first;
    while (end < sorted.size() && sorted[end].point == point) ++end;
    const auto influences = merged(std::span(sorted).subspan(first, end - first));
    first = end;
    constexpr std::size_t kMost = 4;
    if (influences.size() > kMost) {
      remarks.add(FindingId::influences_dropped, [&] {
        return Finding{FindingId::influences_dropped,
                       fmt::format("points[{}]", point),
                       {},
                       {},
                       fmt::format("found {}; the largest four are kept, and count as the whole", influences.size())};
      });
    }
    result[point] = weights_of(influences.first(std::min(influences.size(), kMost)), number_of);
  }
  return result;
}

}  // namespace pchr::psk
