// SPDX-License-Identifier: MIT
// Unreal meshes and animations for tests.
#include "support/psk.hpp"

#include <algorithm>
#include <cstring>

namespace pchr::test {
namespace {

struct WedgeRecord {
  std::uint16_t point, padding;
  float u, v;
  std::uint8_t material, reserved;
  std::uint16_t more_padding;
};
static_assert(sizeof(WedgeRecord) == 16);

struct FaceRecord {
  std::array<std::uint16_t, 3> wedges;
  std::uint8_t material, second_material;
  std::uint32_t smoothing_groups;
};
static_assert(sizeof(FaceRecord) == 12);

struct WeightRecord {
  float weight;
  std::int32_t point, bone;
};

struct KeyRecord {
  std::array<float, 3> position;
  std::array<float, 4> rotation;
  float time;
};

PskChunk head(std::string_view id) { return {std::string(id), 0, 0, {}}; }

}  // namespace

Bytes bytes_of(const PskFile& file) {
  Bytes bytes;
  const auto append = [&](const void* from, std::size_t count) {
    const auto* const first = static_cast<const std::byte*>(from);
    bytes.insert(bytes.end(), first, first + count);
  };
  for (const PskChunk& chunk : file) {
    std::array<char, 20> id{};
    chunk.id.copy(id.data(), id.size());
    constexpr std::int32_t kFlags = 1999801;
    append(id.data(), id.size());
    for (const std::int32_t number : {kFlags, chunk.record_bytes, chunk.count}) append(&number, sizeof(number));
    append(chunk.records.data(), chunk.records.size());
  }
  return bytes;
}

PskChunk& chunk_of(PskFile& file, std::string_view id) { return *std::ranges::find(file, id, &PskChunk::id); }

PskChunk bone_chunk(std::string_view id, const std::vector<PskBone>& bones) {
  constexpr std::size_t kRecord = 120;
  PskChunk chunk{std::string(id), kRecord, static_cast<std::int32_t>(bones.size()), Bytes(bones.size() * kRecord)};
  for (std::size_t i = 0; i < bones.size(); ++i) {
    std::array<char, 64> name{};
    bones[i].name.copy(name.data(), name.size());
    put(chunk, i, 0, name);
    put(chunk, i, 72, bones[i].parent);
    put(chunk, i, 76, bones[i].rotation);
    put(chunk, i, 92, bones[i].position);
  }
  return chunk;
}

PskChunk material_chunk(const std::vector<std::string>& names) {
  constexpr std::size_t kRecord = 88;
  PskChunk chunk{"MATT0000", kRecord, static_cast<std::int32_t>(names.size()), Bytes(names.size() * kRecord)};
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::array<char, 64> name{};
    names[i].copy(name.data(), name.size());
    put(chunk, i, 0, name);
  }
  return chunk;
}

PskFile psa_for(const std::vector<std::string>& bones) {
  PskFile file = small_psa();
  std::vector<PskBone> records;
  for (const std::string& name : bones) records.push_back({name});
  chunk_of(file, "BONENAMES") = bone_chunk("BONENAMES", records);
  put(chunk_of(file, "ANIMINFO"), 0, 164, static_cast<std::int32_t>(8 / bones.size()));
  return file;
}

PskFile small_psk() {
  // Clockwise seen from outside, as Unreal stores them.
  const std::vector<std::array<float, 3>> points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  std::vector<WedgeRecord> wedges;
  for (std::uint16_t i = 0; i < 4; ++i) wedges.push_back({i, 0, static_cast<float>(i) / 4, 0.5F, 0, 0, 0});
  const std::vector<FaceRecord> faces{
      {{0, 1, 2}, 0, 0, 1}, {{0, 3, 1}, 0, 0, 1}, {{0, 2, 3}, 0, 0, 1}, {{1, 3, 2}, 0, 0, 1}};
  const std::vector<WeightRecord> weights{{1, 0, 0}, {1, 1, 0}, {1, 2, 1}, {0.75F, 3, 1}, {0.25F, 3, 0}};
  return {head("ACTRHEAD"),
          chunk_of_records("PNTS0000", points),
          chunk_of_records("VTXW0000", wedges),
          chunk_of_records("FACE0000", faces),
          bone_chunk("REFSKELT", {{"root", 0}, {"tip", 0, {0, 0, 0, 1}, {0, 0, 1}}}),
          chunk_of_records("RAWWEIGHTS", weights)};
}

PskFile boxes_psk(const std::vector<PskBox>& boxes) {
  // Corners by the bits of their index: x, y, z. Clockwise seen from outside.
  constexpr std::array<std::array<std::uint16_t, 4>, 6> kSides{
      {{0, 1, 3, 2}, {4, 6, 7, 5}, {0, 4, 5, 1}, {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 5, 7, 3}}};
  std::vector<std::array<float, 3>> points;
  std::vector<WedgeRecord> wedges;
  std::vector<FaceRecord> faces;
  std::vector<WeightRecord> weights;
  PskChunk materials{"MATT0000", 88, static_cast<std::int32_t>(boxes.size()), Bytes(boxes.size() * 88)};
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const PskBox& box = boxes[i];
    const auto number = static_cast<std::uint8_t>(i);
    std::array<char, 64> name{};
    box.material.copy(name.data(), name.size());
    put(materials, number, 0, name);
    for (const auto& side : kSides) {
      const auto first = static_cast<std::uint16_t>(points.size());
      for (const std::uint16_t corner : side) {
        const auto at = static_cast<std::uint16_t>(points.size());
        points.push_back({(corner & 1U) != 0 ? box.max[0] : box.min[0], (corner & 2U) != 0 ? box.max[1] : box.min[1],
                          (corner & 4U) != 0 ? box.max[2] : box.min[2]});
        wedges.push_back({at, 0, 0.5F, 0.5F, number, 0, 0});
        weights.push_back({1, at, box.bone});
      }
      const auto corner = [&](int of_side) { return static_cast<std::uint16_t>(first + of_side); };
      faces.push_back({{corner(0), corner(1), corner(2)}, number, 0, 1});
      faces.push_back({{corner(0), corner(2), corner(3)}, number, 0, 1});
    }
  }
  return {head("ACTRHEAD"),
          chunk_of_records("PNTS0000", points),
          chunk_of_records("VTXW0000", wedges),
          chunk_of_records("FACE0000", faces),
          std::move(materials),
          bone_chunk("REFSKELT", {{"root", 0}, {"tip", 0, {0, 0, 0, 1}, {0, 0, 1}}}),
          chunk_of_records("RAWWEIGHTS", weights)};
}

PskFile small_psa() {
  constexpr std::int32_t kFrames = 4;
  PskChunk info{"ANIMINFO", 168, 1, Bytes(168)};
  put(info, 0, 0, std::array<char, 5>{'t', 'u', 'r', 'n', '\0'});
  put(info, 0, 128, std::int32_t{2});
  put(info, 0, 152, 20.0F);
  put(info, 0, 164, kFrames);
  std::vector<KeyRecord> keys;
  for (std::int32_t frame = 0; frame < kFrames; ++frame) {
    keys.push_back({{0, 0, 0}, {0, 0, 0, 1}, 1});
    keys.push_back({{0, 0, 1 + static_cast<float>(frame)}, {0, 0, 0, 1}, 1});
  }
  return {head("ANIMHEAD"), bone_chunk("BONENAMES", {{"root", 0}, {"TIP ", 0}}), std::move(info),
          chunk_of_records("ANIMKEYS", keys)};
}

}  // namespace pchr::test
