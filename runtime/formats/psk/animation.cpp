// SPDX-License-Identifier: MIT
// Animations of .psa files.
#include "formats/psk/animation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace pchr::psk {
namespace {

constexpr double kUsualRate = 30;
constexpr std::uint32_t kSequenceBytes = 168, kKeyBytes = 32, kScaleBytes = 16;

std::vector<Sequence> read_sequences(const Chunk& chunk) {
  std::vector<Sequence> sequences(chunk.count);
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    Sequence& sequence = sequences[i];
    sequence.name = chunk.read_name(i, 0);
    sequence.group = chunk.read_name(i, 64);
    const auto rate = chunk.read<float>(i, 152);
    sequence.frames_per_second = std::isfinite(rate) && rate > 0 ? static_cast<double>(rate) : kUsualRate;
    sequence.first_frame = static_cast<std::uint32_t>(std::max(chunk.read<std::int32_t>(i, 160), 0));
    sequence.frame_count = static_cast<std::uint32_t>(std::max(chunk.read<std::int32_t>(i, 164), 0));
  }
  return sequences;
}

bool is_within(const Sequence& sequence, std::uint64_t frames) {
  return std::uint64_t{sequence.first_frame} + sequence.frame_count <= frames;
}

/// Programs count frames where the format's document counts keys, of which a frame has one for each bone. Where the
/// sequences go beyond the frames but have exactly the file's keys together, they were counted as the document says.
void convert_key_counts(std::vector<Sequence>& sequences, std::uint64_t keys, std::uint64_t bones) {
  const std::uint64_t frames = keys / bones;
  std::uint64_t sum = 0;
  for (const Sequence& sequence : sequences) sum += sequence.frame_count;
  const bool are_frames = std::ranges::all_of(sequences, [&](const Sequence& each) { return is_within(each, frames); });
  const bool are_whole =
      std::ranges::all_of(sequences, [&](const Sequence& each) { return each.frame_count % bones == 0; });
  if (are_frames || !are_whole || sum != keys) return;
  for (Sequence& sequence : sequences) {
    sequence.first_frame = static_cast<std::uint32_t>(sequence.first_frame / bones);
    sequence.frame_count = static_cast<std::uint32_t>(sequence.frame_count / bones);
  }
}

/// Some programs write where a sequence ends for where it begins. Then each begins where the one before it ends, and
/// those at the end get what is left.
void mend_ranges(std::vector<Sequence>& sequences, std::uint64_t frames, std::uint64_t offset, Remarks& remarks) {
  const bool all_within = std::ranges::all_of(sequences, [&](const Sequence& each) { return is_within(each, frames); });
  const Sequence& first = sequences.front();
  const bool is_shifted = first.first_frame > 0 && first.first_frame == first.frame_count;
  if (all_within && !is_shifted) return;
  remarks.add(FindingId::psa_frames_mended, [&] {
    return Finding{FindingId::psa_frames_mended, "ANIMINFO", first.name, offset,
                   fmt::format("\"{}\" begins at frame {} and has {}; there are {} in all", printable(first.name),
                               first.first_frame, first.frame_count, frames)};
  });
  std::uint64_t begin = 0;
  for (Sequence& sequence : sequences) {
    sequence.first_frame = static_cast<std::uint32_t>(begin);
    sequence.frame_count = static_cast<std::uint32_t>(std::min<std::uint64_t>(sequence.frame_count, frames - begin));
    begin += sequence.frame_count;
  }
}

}  // namespace

std::expected<Animation, Finding> read_animation(std::span<const std::byte> bytes, Remarks& remarks) {
  const std::vector<Chunk> chunks = read_chunks(bytes, remarks);
  const Chunk* const bones = find_chunk(chunks, "BONENAMES", kBoneBytes, remarks);
  const Chunk* const sequences = find_chunk(chunks, "ANIMINFO", kSequenceBytes, remarks);
  const Chunk* const keys = find_chunk(chunks, "ANIMKEYS", kKeyBytes, remarks);
  if (bones == nullptr || sequences == nullptr || keys == nullptr) {
    const std::string_view missing = bones == nullptr       ? "bones (BONENAMES)"
                                     : sequences == nullptr ? "sequences (ANIMINFO)"
                                                            : "keys (ANIMKEYS)";
    return std::unexpected(Finding{FindingId::psk_part_missing, {}, {}, {}, fmt::format("found no {}", missing)});
  }
  Animation animation{read_bones(*bones), read_sequences(*sequences), {}, {}};
  convert_key_counts(animation.sequences, keys->count, bones->count);
  mend_ranges(animation.sequences, keys->count / bones->count, sequences->offset, remarks);
  animation.keys = uninitialised_array<Key>(keys->count);
  for (std::size_t i = 0; i < keys->count; ++i) animation.keys[i] = {keys->read_vec3(i, 0), keys->read_quat(i, 12)};
  const Chunk* const scales = find_chunk(chunks, "SCALEKEYS", kScaleBytes, remarks);
  if (scales == nullptr) return animation;
  if (scales->count != keys->count) {
    remarks.add(FindingId::psk_part_ignored, [&] {
      return Finding{FindingId::psk_part_ignored,
                     scales->id,
                     {},
                     scales->offset,
                     fmt::format("found {} records; {} are needed", scales->count, keys->count)};
    });
    return animation;
  }
  animation.scales = uninitialised_array<Vec3>(scales->count);
  for (std::size_t i = 0; i < scales->count; ++i) animation.scales[i] = scales->read_vec3(i, 0);
  return animation;
}

}  // namespace pchr::psk
