// SPDX-License-Identifier: MIT
// The transforms of a PCHR v1 file, 23 bytes each, into arrays.
#include "formats/transform_records.hpp"

#include "model/check.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace pchr {
namespace {

// A record is float x, y, rotation, scale_x, scale_y; uint8_t flags; int16_t z_order.
constexpr std::size_t kScaleY = 16;
constexpr std::size_t kFlags = 20;
constexpr std::size_t kZOrder = 21;
// How far ahead of its use memory is asked for, in bytes.
constexpr std::size_t kAhead = 1024;

using IntFour = std::int32_t __attribute__((vector_size(16)));
using LongTwo = std::uint64_t __attribute__((vector_size(16)));

template <typename T>
T load(const std::byte* from) noexcept {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

template <typename Four, typename T>
void store(const Four& four, T* to) noexcept {
  std::memcpy(to, &four, sizeof(Four));
}

}  // namespace

SplitTransforms split_transforms(std::span<const std::byte> records, BoneSamples& samples) {
  const std::size_t count = records.size() / kTransformBytes;
  for (Array<float>* values : {&samples.x, &samples.y, &samples.rotation_degrees, &samples.scale_x, &samples.scale_y}) {
    *values = uninitialised_array<float>(count);
  }
  samples.opacity.clear();
  samples.visible = uninitialised_array<std::uint8_t>(count);
  samples.z_order = uninitialised_array<std::int32_t>(count);
  float* const x = samples.x.data();
  float* const y = samples.y.data();
  float* const rotation = samples.rotation_degrees.data();
  float* const scale_x = samples.scale_x.data();
  float* const scale_y = samples.scale_y.data();
  std::uint8_t* const visible = samples.visible.data();
  std::int32_t* const z_order = samples.z_order.data();

  FiniteCheck finite;
  std::uint32_t four_flags = 0;
  const std::byte* record = records.data();
  const std::byte* const end = records.data() + records.size();
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4, record += 4 * kTransformBytes) {
    __builtin_prefetch(record + std::min<std::size_t>(kAhead, end - record));
    // The first four values of four records are the rows of a matrix that is transposed.
    WordFour row[4];
    for (int j = 0; j < 4; ++j) {
      row[j] = load<WordFour>(record + j * kTransformBytes);
      finite.add(row[j]);
    }
    const WordFour low_01 = __builtin_shufflevector(row[0], row[1], 0, 4, 1, 5);
    const WordFour low_23 = __builtin_shufflevector(row[2], row[3], 0, 4, 1, 5);
    const WordFour high_01 = __builtin_shufflevector(row[0], row[1], 2, 6, 3, 7);
    const WordFour high_23 = __builtin_shufflevector(row[2], row[3], 2, 6, 3, 7);
    store(__builtin_shufflevector(low_01, low_23, 0, 1, 4, 5), x + i);
    store(__builtin_shufflevector(low_01, low_23, 2, 3, 6, 7), y + i);
    store(__builtin_shufflevector(high_01, high_23, 0, 1, 4, 5), rotation + i);
    store(__builtin_shufflevector(high_01, high_23, 2, 3, 6, 7), scale_x + i);

    // The last eight bytes of each record: one of scale_x, then scale_y, the flags and the order.
    std::uint64_t last[4];
    for (int j = 0; j < 4; ++j) last[j] = load<std::uint64_t>(record + (j + 1) * kTransformBytes - sizeof(last[j]));
    const LongTwo last_01 = {last[0], last[1]};
    const LongTwo last_23 = {last[2], last[3]};
    const WordFour scales = __builtin_shufflevector(std::bit_cast<WordFour>(last_01 >> 8),
                                                    std::bit_cast<WordFour>(last_23 >> 8), 0, 2, 4, 6);
    finite.add(scales);
    store(scales, scale_y + i);
    const IntFour orders =
        __builtin_shufflevector(std::bit_cast<IntFour>(last_01), std::bit_cast<IntFour>(last_23), 1, 3, 5, 7);
    store(orders >> 16, z_order + i);
    std::uint32_t flags = 0;
    for (int j = 0; j < 4; ++j) flags |= std::to_integer<std::uint32_t>(record[j * kTransformBytes + kFlags]) << 8 * j;
    four_flags |= flags;
    store(flags & 0x01010101, visible + i);
  }
  for (; i < count; ++i, record += kTransformBytes) {
    x[i] = load<float>(record);
    y[i] = load<float>(record + sizeof(float));
    rotation[i] = load<float>(record + 2 * sizeof(float));
    scale_x[i] = load<float>(record + 3 * sizeof(float));
    scale_y[i] = load<float>(record + kScaleY);
    for (const float value : {x[i], y[i], rotation[i], scale_x[i], scale_y[i]}) finite.add(value);
    const auto flags = std::to_integer<std::uint8_t>(record[kFlags]);
    four_flags |= flags;
    visible[i] = flags & 1;
    z_order[i] = load<std::int16_t>(record + kZOrder);
  }
  four_flags |= four_flags >> 16;
  return {finite.all_finite(), static_cast<std::uint8_t>(four_flags | four_flags >> 8)};
}

}  // namespace pchr
