// SPDX-License-Identifier: MIT
#include "export/pixels.hpp"

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstring>
#include <iterator>
#include <unordered_map>
#include <utility>

namespace pchr::exporting {
namespace {

/// Returns the smallest area that contains each pixel for which `counts(offset)` is true. `row_is_empty(offset)` is a
/// fast check that it is false for a whole row.
template <class RowIsEmpty, class Counts>
Area find_area(std::uint32_t width, std::uint32_t height, const RowIsEmpty& row_is_empty, const Counts& counts) {
  const std::size_t row_bytes = std::size_t{width} * 4;
  std::uint32_t top = 0, bottom = height;
  while (top < bottom && row_is_empty(top * row_bytes)) ++top;
  while (bottom > top && row_is_empty((bottom - 1) * row_bytes)) --bottom;
  if (top == bottom) return {};
  std::uint32_t left = width, right = 0;
  for (std::uint32_t y = top; y < bottom; ++y) {
    const std::size_t row = y * row_bytes;
    std::uint32_t x = 0;
    while (x < left && !counts(row + x * 4)) ++x;
    left = x;
    for (x = width; x > right && !counts(row + (x - 1) * 4); --x) {
    }
    right = std::max(right, x);
  }
  return {left, top, right - left, bottom - top};
}

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

Area whole(const Bitmap& bitmap) { return {0, 0, bitmap.width, bitmap.height}; }

Area visible_area(const Bitmap& bitmap) {
  const auto is_visible = [&](std::size_t at) { return bitmap.rgba[at + 3] != 0; };
  const auto row_is_empty = [&](std::size_t row) {
    for (std::size_t x = 0; x < bitmap.width; ++x) {
      if (is_visible(row + x * 4)) return false;
    }
    return true;
  };
  return find_area(bitmap.width, bitmap.height, row_is_empty, is_visible);
}

Area changed_area(const Bitmap& bitmap, const Bitmap& previous) {
  const std::uint8_t* now = bitmap.rgba.data();
  const std::uint8_t* before = previous.rgba.data();
  const std::size_t row_bytes = std::size_t{bitmap.width} * 4;
  return find_area(
      bitmap.width, bitmap.height,
      [&](std::size_t row) { return std::memcmp(now + row, before + row, row_bytes) == 0; },
      [&](std::size_t at) { return std::memcmp(now + at, before + at, 4) != 0; });
}

Bitmap part_of(const Bitmap& bitmap, const Area& area) {
  const std::size_t row_bytes = std::size_t{area.width} * 4;
  Bitmap part{area.width, area.height, {}};
  part.rgba.reserve((row_bytes + 1) * area.height);  // For write_png().
  part.rgba.resize(row_bytes * area.height);
  for (std::size_t y = 0; y < area.height; ++y) {
    std::memcpy(&part.rgba[y * row_bytes], &bitmap.rgba[((area.y + y) * bitmap.width + area.x) * 4], row_bytes);
  }
  return part;
}

Bitmap straight_part(const Bitmap& bitmap, const Area& area) {
  Bitmap part = part_of(bitmap, area);
  unpremultiply(part);
  return part;
}

void bleed(Bitmap& straight, std::uint32_t distance) {
  if (distance == 0) return;
  enum State : std::uint8_t { empty, colored, waiting };
  const std::size_t width = straight.width, height = straight.height;
  std::vector<State> states(width * height);
  for (std::size_t pixel = 0; pixel < states.size(); ++pixel) {
    states[pixel] = straight.rgba[pixel * 4 + 3] > 0 ? colored : empty;
  }
  const auto for_neighbors = [&](std::size_t pixel, const auto& visit) {
    const std::size_t x = pixel % width, y = pixel / width;
    const std::size_t right = std::min(x + 1, width - 1), bottom = std::min(y + 1, height - 1);
    for (std::size_t row = y - std::min<std::size_t>(y, 1); row <= bottom; ++row) {
      for (std::size_t column = x - std::min<std::size_t>(x, 1); column <= right; ++column) visit(row * width + column);
    }
  };

  // Colors grow outward from visible pixels, one ring of transparent pixels after another.
  std::vector<std::size_t> ring;
  std::vector<std::uint8_t> columns(width + 2);  // Whether the three pixels of a column have a color.
  for (std::size_t y = 0; y < height; ++y) {
    const State* const row = &states[y * width];
    const State* const above = y > 0 ? row - width : row;
    const State* const below = y + 1 < height ? row + width : row;
    for (std::size_t x = 0; x < width; ++x) columns[x + 1] = above[x] | row[x] | below[x];
    for (std::size_t x = 0; x < width; ++x) {
      const bool has_neighbor = (columns[x] | columns[x + 1] | columns[x + 2]) != 0;
      if (row[x] == empty && has_neighbor) ring.push_back(y * width + x);
    }
  }
  for (const std::size_t pixel : ring) states[pixel] = waiting;
  for (std::uint32_t i = 1; i <= distance && !ring.empty(); ++i) {
    // All pixels of a ring get colors from the rings inside it, so their order does not matter.
    for (const std::size_t pixel : ring) {
      // The mean of the neighbors. Faint ones count less, because their colors are imprecise.
      std::array<std::uint32_t, 3> sums{};
      std::uint32_t weights = 0;
      for_neighbors(pixel, [&](std::size_t neighbor) {
        if (states[neighbor] != colored) return;
        const std::uint8_t* const color = &straight.rgba[neighbor * 4];
        const std::uint32_t weight = std::max<std::uint32_t>(color[3], 1);
        for (std::size_t channel = 0; channel < 3; ++channel) sums[channel] += color[channel] * weight;
        weights += weight;
      });
      for (std::size_t channel = 0; channel < 3; ++channel) {
        straight.rgba[pixel * 4 + channel] = static_cast<std::uint8_t>((sums[channel] + weights / 2) / weights);
      }
    }
    for (const std::size_t pixel : ring) states[pixel] = colored;
    if (i == distance) break;
    std::vector<std::size_t> next;
    for (const std::size_t pixel : ring) {
      for_neighbors(pixel, [&](std::size_t neighbor) {
        if (states[neighbor] != empty) return;
        states[neighbor] = waiting;
        next.push_back(neighbor);
      });
    }
    ring = std::move(next);
  }
}

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
