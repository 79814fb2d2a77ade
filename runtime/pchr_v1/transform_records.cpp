// SPDX-License-Identifier: MIT
#include "pchr_v1/transform_records.hpp"

#include "character/check.hpp"
#include "pchr_v1/layout.hpp"

#include <algorithm>
#include <cstring>

namespace pchr::v1 {
namespace {

// Few enough that a block stays in the cache: a vector that is appended to block by block is written once.
constexpr std::size_t kBlock = 512;

struct Block {
  float x[kBlock], y[kBlock], rotation[kBlock], scale_x[kBlock], scale_y[kBlock];
  std::uint8_t visible[kBlock];
  std::int32_t z_order[kBlock];
};

}  // namespace

SplitTransforms split_transforms(std::span<const std::byte> records, BoneSamples& samples) {
  samples = {};
  const std::size_t count = records.size() / sizeof(Transform);
  FiniteCheck finite;
  std::uint8_t flags = 0;
  Block block;
  const auto append = [&](auto& values, const auto* from, std::size_t size) {
    if (values.empty()) values.reserve(count);
    values.insert(values.end(), from, from + size);
  };
  for (std::size_t first = 0; first < count; first += kBlock) {
    const std::size_t size = std::min(count - first, kBlock);
    const std::byte* const record = records.data() + first * sizeof(Transform);
    for (std::size_t i = 0; i < size; ++i) {
      Transform transform;
      std::memcpy(&transform, record + i * sizeof(Transform), sizeof(Transform));
      block.x[i] = transform.x;
      block.y[i] = transform.y;
      block.rotation[i] = transform.rotation;
      block.scale_x[i] = transform.scale_x;
      block.scale_y[i] = transform.scale_y;
      block.visible[i] = transform.flags & 1;
      block.z_order[i] = transform.z_order;
      flags |= transform.flags;
    }
    for (const auto& values : {block.x, block.y, block.rotation, block.scale_x, block.scale_y}) {
      for (std::size_t i = 0; i < size; ++i) finite.add(values[i]);
    }
    append(samples.x, block.x, size);
    append(samples.y, block.y, size);
    append(samples.rotation_degrees, block.rotation, size);
    append(samples.scale_x, block.scale_x, size);
    append(samples.scale_y, block.scale_y, size);
    append(samples.visible, block.visible, size);
    append(samples.z_order, block.z_order, size);
  }
  return {finite.all_finite(), flags};
}

}  // namespace pchr::v1
