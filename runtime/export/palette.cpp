// SPDX-License-Identifier: MIT
#include "export/palette.hpp"

#include <algorithm>
#include <climits>
#include <cmath>
#include <iterator>
#include <span>
#include <unordered_map>
#include <utility>

namespace pchr::exporting {
namespace {

constexpr unsigned kShadeBits = 6;
constexpr std::size_t kCells = std::size_t{1} << (3 * kShadeBits);

std::uint32_t packed(const Rgb& color) {
  return std::uint32_t{color[0]} << 16U | std::uint32_t{color[1]} << 8U | color[2];
}

std::size_t cell_of(std::uint32_t color) {
  constexpr unsigned kDropped = 8 - kShadeBits;
  constexpr std::uint32_t kMask = (1U << kShadeBits) - 1;
  const std::uint32_t red = color >> (16 + kDropped) & kMask, green = color >> (8 + kDropped) & kMask;
  return red << (2 * kShadeBits) | green << kShadeBits | (color >> kDropped & kMask);
}

constexpr int kBlockSide = 8, kBlocksPerSide = 256 / kBlockSide;
constexpr std::size_t kBlocks = std::size_t{kBlocksPerSide} * kBlocksPerSide * kBlocksPerSide;

std::size_t block_of(const std::array<int, 3>& color) {
  std::size_t block = 0;
  for (const int channel : color) block = block * kBlocksPerSide + static_cast<std::size_t>(channel / kBlockSide);
  return block;
}

// The eye is most sensitive to differences in green and least to blue.
constexpr std::array kChannelWeights{3, 6, 2};

int distance(const Rgb& a, const Rgb& b) {
  int sum = 0;
  for (std::size_t i = 0; i < 3; ++i) sum += kChannelWeights[i] * (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

struct CountedColor {
  Rgb color{};
  double count = 0;
};

/// Colors that share one palette entry, with their statistics.
struct Box {
  std::span<CountedColor> colors;
  double count = 0;
  std::array<double, 3> sums{};
  std::size_t axis = 0;  ///< Channel with the largest variance.
  double variance = 0;   ///< Sum over all pixels.

  explicit Box(std::span<CountedColor> in) : colors(in) {
    double widest = -1;
    std::array<double, 3> squares{};
    for (const CountedColor& each : colors) {
      count += each.count;
      for (std::size_t i = 0; i < 3; ++i) {
        sums[i] += each.count * each.color[i];
        squares[i] += each.count * each.color[i] * each.color[i];
      }
    }
    for (std::size_t i = 0; i < 3; ++i) {
      const double spread = colors.size() < 2 ? 0 : kChannelWeights[i] * (squares[i] - sums[i] * sums[i] / count);
      variance += spread;
      if (spread > widest) axis = i;
      widest = std::max(widest, spread);
    }
  }

  /// Splits along the axis where the variance within the halves is smallest.
  [[nodiscard]] std::pair<Box, Box> split() const {
    std::ranges::sort(colors, [this](const CountedColor& a, const CountedColor& b) {
      return a.color[axis] != b.color[axis] ? a.color[axis] < b.color[axis] : a.color < b.color;
    });
    double first_count = 0, first_sum = 0, best = -1;
    std::size_t at = 1;
    for (std::size_t i = 0; i + 1 < colors.size(); ++i) {
      first_count += colors[i].count;
      first_sum += colors[i].count * colors[i].color[axis];
      const double rest_sum = sums[axis] - first_sum;
      const double gain = first_sum * first_sum / first_count + rest_sum * rest_sum / (count - first_count);
      if (gain > best) at = i + 1;
      best = std::max(best, gain);
    }
    return {Box(colors.first(at)), Box(colors.subspan(at))};
  }

  [[nodiscard]] Rgb mean() const {
    Rgb mean;
    for (std::size_t i = 0; i < 3; ++i) mean[i] = static_cast<std::uint8_t>(std::floor(sums[i] / count + 0.5));
    return mean;
  }
};

// Repeatedly splits the box with the largest variance (S. J. Wan, P. Prusinkiewicz, S. K. M. Wong, 1990).
std::vector<Rgb> quantize(std::span<CountedColor> colors, std::size_t max) {
  std::vector<Box> boxes{Box(colors)};
  while (boxes.size() < max) {
    const auto widest = std::ranges::max_element(boxes, {}, &Box::variance);
    if (!(widest->variance > 0)) break;
    const auto [first, second] = widest->split();
    *widest = first;
    boxes.push_back(second);
  }
  std::vector<Rgb> palette;
  for (const Box& box : boxes) palette.push_back(box.mean());
  return palette;
}

}  // namespace

Flat flatten(const std::uint8_t* premultiplied, const std::optional<Rgb>& matte) {
  const unsigned alpha = premultiplied[3];
  Flat flat{{premultiplied[0], premultiplied[1], premultiplied[2]}, matte ? alpha > 0 : alpha >= 128};
  if (alpha == 255 || !flat.opaque) return flat;
  for (std::size_t i = 0; i < 3; ++i) {
    const unsigned value =
        matte ? flat.color[i] + ((255 - alpha) * (*matte)[i] + 127) / 255 : (flat.color[i] * 255U + alpha / 2) / alpha;
    flat.color[i] = static_cast<std::uint8_t>(std::min(value, 255U));
  }
  return flat;
}

void ColorCounts::add(const Bitmap& premultiplied, const std::optional<Rgb>& matte) {
  std::unordered_map<std::uint32_t, std::uint64_t> counts;
  bool all_opaque = true;
  std::uint64_t* last = nullptr;
  std::uint32_t last_color = 0;
  for (std::size_t i = 0; i < premultiplied.rgba.size(); i += 4) {
    const Flat flat = flatten(&premultiplied.rgba[i], matte);
    if (!flat.opaque) {
      all_opaque = false;
      continue;
    }
    const std::uint32_t color = packed(flat.color);
    if (last == nullptr || color != last_color) last = &counts[color];
    last_color = color;
    ++*last;
  }
  const std::lock_guard lock(mutex_);
  cells_.resize(kCells);
  all_opaque_ = all_opaque_ && all_opaque;
  for (const auto& [color, count] : counts) {
    Cell& cell = cells_[cell_of(color)];
    cell.count += count;
    cell.red += count * (color >> 16U);
    cell.green += count * (color >> 8U & 255U);
    cell.blue += count * (color & 255U);
  }
}

std::vector<Rgb> ColorCounts::choose_palette(std::size_t max) const {
  std::vector<CountedColor> colors;
  for (const Cell& cell : cells_) {
    if (cell.count == 0) continue;
    const auto mean = [&](std::uint64_t sum) { return static_cast<std::uint8_t>((sum + cell.count / 2) / cell.count); };
    colors.push_back({{mean(cell.red), mean(cell.green), mean(cell.blue)}, static_cast<double>(cell.count)});
  }
  if (colors.empty()) return {Rgb{}};
  if (colors.size() > max) return quantize(colors, max);
  std::vector<Rgb> palette;
  for (const CountedColor& each : colors) palette.push_back(each.color);
  return palette;
}

PaletteIndex::PaletteIndex(std::vector<Rgb> palette) : palette_(std::move(palette)), blocks_(kBlocks) {
  std::vector<std::uint8_t> all;
  for (std::size_t i = 0; i < palette_.size(); ++i) all.push_back(static_cast<std::uint8_t>(i));
  add_blocks({0, 0, 0}, 256, all);
}

// The entries that are nearest to a color in a cube are among those of each larger cube around it.
void PaletteIndex::add_blocks(const std::array<int, 3>& low, int side, std::span<const std::uint8_t> among) {
  std::array<int, 256> min_distances;
  int max_nearest = INT_MAX;
  for (const std::uint8_t entry : among) {
    int min = 0, max = 0;
    for (std::size_t channel = 0; channel < 3; ++channel) {
      const int to_low = low[channel] - palette_[entry][channel], to_high = to_low + side - 1;
      const int outside = std::max({to_low, -to_high, 0}), across = std::max(-to_low, to_high);
      min += kChannelWeights[channel] * outside * outside;
      max += kChannelWeights[channel] * across * across;
    }
    min_distances[entry] = min;
    max_nearest = std::min(max_nearest, max);
  }
  std::vector<std::uint8_t> nearest;
  std::ranges::copy_if(among, std::back_inserter(nearest),
                       [&](std::uint8_t entry) { return min_distances[entry] <= max_nearest; });
  if (side == kBlockSide) {
    Candidates& block = blocks_[block_of(low)];
    block.first = static_cast<std::uint32_t>(candidates_.size());
    candidates_.insert(candidates_.end(), nearest.begin(), nearest.end());
    block.end = static_cast<std::uint32_t>(candidates_.size());
    return;
  }
  const int half = side / 2;
  for (int part = 0; part < 8; ++part) {
    add_blocks({low[0] + (part & 1) * half, low[1] + (part >> 1 & 1) * half, low[2] + (part >> 2) * half}, half,
               nearest);
  }
}

std::uint8_t PaletteIndex::nearest(Rgb color) const noexcept {
  const Candidates block = blocks_[block_of({color[0], color[1], color[2]})];
  std::uint8_t best = 0;
  int best_distance = INT_MAX;
  for (std::uint32_t i = block.first; i < block.end; ++i) {
    const int found = distance(palette_[candidates_[i]], color);
    if (found < best_distance) best = candidates_[i];
    best_distance = std::min(best_distance, found);
  }
  return best;
}

}  // namespace pchr::exporting
