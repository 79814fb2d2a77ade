// SPDX-License-Identifier: MIT
// Reads .psk and .psa files.
#include "import/psk/psk.hpp"

#include "character/byte_reader.hpp"
#include "character/fail.hpp"
#include "character/format.hpp"
#include "character/utf8.hpp"
#include "import/text_decoding.hpp"

#include <cmath>

namespace pchr::psk {
namespace {

constexpr std::size_t kIdBytes = 20;
constexpr std::size_t kNameBytes = 64;
constexpr std::size_t kHeaderBytes = 32;
constexpr double kDefaultRate = 30;
constexpr std::uint32_t kSequenceBytes = 168, kKeyBytes = 32, kScaleBytes = 16;
/// Early tools packed wedges.
constexpr std::uint32_t kPackedWedgeBytes = 12, kWedgeBytes = 16;
/// Old tools leave garbage in the upper half of an index if 16 bits are enough for every point.
constexpr std::size_t kMaxShortPoints = 65536;
constexpr std::uint32_t kNoPoint = 0xFFFFFFFF;

std::string_view up_to_zero(std::span<const std::byte> bytes) noexcept {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return text.substr(0, text.find('\0'));
}

bool is_finite(Vec2 value) { return std::isfinite(value.x) && std::isfinite(value.y); }
bool is_finite(Vec3 value) { return std::isfinite(value.x) && std::isfinite(value.y) && std::isfinite(value.z); }

class MeshReader {
 public:
  MeshReader(std::span<const std::byte> bytes, Warnings& warnings, const std::string& encoding)
      : warnings_(warnings), chunks_(read_chunks(bytes, warnings, encoding)) {}

  Expected<Mesh, Diagnostic> read() && {
    read_points();
    read_wedges();
    read_faces();
    read_materials();
    mesh_.bones = read_bones(find("REFSKELT", kBoneBytes));
    if (mesh_.faces.empty() && mesh_.bones.empty()) {
      return fail(DiagnosticId::psk_part_missing,
                  fmt::format("the file has no faces and no bones ({}, {})", counted(mesh_.points.size(), "point"),
                              counted(mesh_.wedges.size(), "wedge")));
    }
    read_influences();
    read_normals();
    return std::move(mesh_);
  }

 private:
  Chunk find(std::string_view id, std::uint32_t min_bytes) { return find_chunk(chunks_, id, min_bytes, warnings_); }

  void report(DiagnosticId id, const Chunk& chunk, std::size_t record, std::string detail) {
    warn(warnings_, id,
         {.path = fmt::format("{}[{}]", chunk.id, record),
          .offset = chunk.offset + kHeaderBytes + std::uint64_t{record} * chunk.record_bytes},
         "{}", detail);
  }

  template <typename Value>
  Value finite(Value value, const Chunk& chunk, std::size_t record) {
    if (is_finite(value)) return value;
    report(DiagnosticId::psk_value_replaced, chunk, record, "is not finite; 0 is used instead");
    return Value{0.0F};
  }

  void read_points() {
    const Chunk chunk = find("PNTS0000", 12);
    mesh_.points = chunk.read_all<Vec3>();
    for (std::size_t i = 0; i < chunk.count; ++i) mesh_.points[i] = finite(mesh_.points[i], chunk, i);
  }

  void read_wedges() {
    const Chunk chunk = find("VTXW0000", kPackedWedgeBytes);
    const bool packed = chunk.record_bytes < kWedgeBytes;
    const std::size_t uv_at = packed ? 2 : 4;
    const bool is_short = packed || mesh_.points.size() <= kMaxShortPoints;
    mesh_.wedges.resize(chunk.count);
    for (std::size_t i = 0; i < chunk.count; ++i) {
      Wedge& wedge = mesh_.wedges[i];
      wedge.point = is_short ? chunk.read<std::uint16_t>(i, 0) : chunk.read<std::uint32_t>(i, 0);
      if (wedge.point >= mesh_.points.size()) wedge.point = kNoPoint;
      wedge.uv = finite(chunk.read<Vec2>(i, uv_at), chunk, i);
    }
  }

  void read_faces() {
    Chunk chunk = find("FACE0000", 12);
    const bool wide = chunk.count == 0;
    if (wide) chunk = find("FACE3200", 18);
    const std::size_t index_bytes = wide ? 4 : 2;
    mesh_.faces.reserve(chunk.count);
    for (std::size_t i = 0; i < chunk.count; ++i) {
      Face face;
      for (std::size_t corner = 0; corner < 3; ++corner) {
        const std::size_t at = corner * index_bytes;
        face.wedges[corner] = wide ? chunk.read<std::uint32_t>(i, at) : chunk.read<std::uint16_t>(i, at);
      }
      face.material = chunk.read<std::uint8_t>(i, 3 * index_bytes);
      face.smoothing_groups = chunk.read<std::uint32_t>(i, 3 * index_bytes + 2);
      if (has_corners(face)) {
        mesh_.faces.push_back(face);
      } else {
        report(
            DiagnosticId::psk_face_dropped, chunk, i,
            fmt::format("uses the wedges {}, {} and {}, but the file has {} and {}", face.wedges[0], face.wedges[1],
                        face.wedges[2], counted(mesh_.wedges.size(), "wedge"), counted(mesh_.points.size(), "point")));
      }
    }
    // No remaining face uses these wedges.
    for (Wedge& wedge : mesh_.wedges) {
      if (wedge.point == kNoPoint) wedge.point = 0;
    }
  }

  [[nodiscard]] bool has_corners(const Face& face) const {
    return std::ranges::all_of(face.wedges, [&](std::uint32_t wedge) {
      return wedge < mesh_.wedges.size() && mesh_.wedges[wedge].point != kNoPoint;
    });
  }

  void read_materials() {
    const Chunk chunk = find("MATT0000", 64);
    for (std::size_t i = 0; i < chunk.count; ++i) {
      mesh_.materials.push_back({chunk.read_name(i, 0), chunk.record_bytes >= 72 ? chunk.read<std::uint32_t>(i, 68) : 0,
                                 chunk.encoding.empty() && find_invalid_utf8(chunk.stored_name(i, 0)).has_value()});
    }
  }

  void read_influences() {
    Chunk chunk = find("RAWWEIGHTS", 12);
    if (chunk.count == 0) chunk = find("RAWW0000", 12);
    mesh_.influences.reserve(chunk.count);
    for (std::size_t i = 0; i < chunk.count; ++i) {
      const auto found = chunk.read<Influence>(i, 0);
      const bool exists = found.point < mesh_.points.size() && found.bone < mesh_.bones.size();
      if (exists && found.weight > 0 && std::isfinite(found.weight)) {
        mesh_.influences.push_back(found);
      } else if (!(exists && found.weight == 0)) {
        report(DiagnosticId::psk_weight_dropped, chunk, i,
               exists ? fmt::format("is {}, but must be a finite number of at least 0", found.weight)
                      : fmt::format("belongs to point {} and bone {}, but the file has {} and {}",
                                    static_cast<std::int32_t>(found.point), static_cast<std::int32_t>(found.bone),
                                    counted(mesh_.points.size(), "point"), counted(mesh_.bones.size(), "bone")));
      }
    }
  }

  void read_normals() {
    const Chunk chunk = find("VTXNORMS", 12);
    if (chunk.count == 0) return;
    std::vector<Vec3> normals = chunk.read_all<Vec3>();
    const auto bad = std::ranges::find_if_not(normals, [](Vec3 normal) { return is_finite(normal); });
    if (chunk.count != mesh_.points.size()) {
      report(DiagnosticId::psk_part_ignored, chunk, 0,
             fmt::format("starts a list of {}, but the file has {}", counted(chunk.count, "normal"),
                         counted(mesh_.points.size(), "point")));
    } else if (bad != normals.end()) {
      report(DiagnosticId::psk_part_ignored, chunk, static_cast<std::size_t>(bad - normals.begin()),
             "is not finite, so the normals are computed instead");
    } else {
      mesh_.normals = std::move(normals);
    }
  }

  Warnings& warnings_;
  std::vector<Chunk> chunks_;
  Mesh mesh_;
};

std::vector<Sequence> read_sequences(const Chunk& chunk) {
  std::vector<Sequence> sequences(chunk.count);
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    Sequence& sequence = sequences[i];
    sequence.name = chunk.read_name(i, 0);
    sequence.group = chunk.read_name(i, 64);
    const auto rate = chunk.read<float>(i, 152);
    sequence.frames_per_second = std::isfinite(rate) && rate > 0 ? static_cast<double>(rate) : kDefaultRate;
    sequence.first_frame = static_cast<std::uint32_t>(std::max(chunk.read<std::int32_t>(i, 160), 0));
    sequence.frame_count = static_cast<std::uint32_t>(std::max(chunk.read<std::int32_t>(i, 164), 0));
  }
  return sequences;
}

bool are_within(const std::vector<Sequence>& sequences, std::uint64_t frames) {
  return std::ranges::all_of(sequences, [&](const Sequence& sequence) {
    return std::uint64_t{sequence.first_frame} + sequence.frame_count <= frames;
  });
}

/// Converts ranges of keys to ranges of frames. The format's documentation counts keys, one per bone and frame, but
/// programs count frames. Ranges are keys if they exceed the frames but add up to exactly the keys of the file.
void convert_key_counts(std::vector<Sequence>& sequences, std::uint64_t keys, std::uint64_t bones) {
  std::uint64_t sum = 0;
  bool are_whole = true;
  for (const Sequence& sequence : sequences) {
    sum += sequence.frame_count;
    are_whole = are_whole && sequence.frame_count % bones == 0;
  }
  if (are_within(sequences, keys / bones) || !are_whole || sum != keys) return;
  for (Sequence& sequence : sequences) {
    sequence.first_frame = static_cast<std::uint32_t>(sequence.first_frame / bones);
    sequence.frame_count = static_cast<std::uint32_t>(sequence.frame_count / bones);
  }
}

/// Repairs sequences of programs that write the end of a range as its start: each sequence starts where the one before
/// it ends, and the last ones get the rest.
void repair_ranges(std::vector<Sequence>& sequences, std::uint64_t frames, std::uint64_t offset, Warnings& warnings) {
  const Sequence& first = sequences.front();
  const bool is_shifted = first.first_frame > 0 && first.first_frame == first.frame_count;
  if (are_within(sequences, frames) && !is_shifted) return;
  warn(warnings, DiagnosticId::psa_frames_repaired, {.path = "ANIMINFO", .name = first.name, .offset = offset},
       "starts at frame {} and has {}, but the file has {}", first.first_frame, counted(first.frame_count, "frame"),
       counted(frames, "frame"));
  std::uint64_t begin = 0;
  for (Sequence& sequence : sequences) {
    sequence.first_frame = static_cast<std::uint32_t>(begin);
    sequence.frame_count = static_cast<std::uint32_t>(std::min<std::uint64_t>(sequence.frame_count, frames - begin));
    begin += sequence.frame_count;
  }
}

}  // namespace

std::string decode_name(std::string_view stored, const std::string& encoding) {
  if (encoding.empty() && !find_invalid_utf8(stored)) return std::string(stored);
  const auto decoded = decode_text(std::as_bytes(std::span(stored)), encoding.empty() ? "CP1252" : encoding);
  return decoded ? decoded->utf8 : printable(stored);
}

std::string_view Chunk::stored_name(std::size_t record, std::size_t at) const noexcept {
  const std::string_view name = up_to_zero({records + record * record_bytes + at, kNameBytes});
  return name.substr(0, name.find_last_not_of(' ') + 1);
}

std::string Chunk::read_name(std::size_t record, std::size_t at) const {
  return decode_name(stored_name(record, at), encoding);
}

std::vector<Chunk> read_chunks(std::span<const std::byte> bytes, Warnings& warnings, const std::string& encoding) {
  std::vector<Chunk> chunks;
  ByteReader reader(bytes);
  while (reader.remaining() >= kHeaderBytes) {
    const std::uint64_t offset = reader.position();
    Chunk chunk{.id = std::string(up_to_zero(reader.take(kIdBytes))), .offset = offset, .encoding = encoding};
    (void)reader.read<std::uint32_t>();  // Flags of the program that wrote the file.
    const auto record_bytes = reader.read<std::int32_t>();
    const auto count = reader.read<std::int32_t>();
    bool is_whole = record_bytes >= 0 && count >= 0;
    if (is_whole && record_bytes > 0) {
      chunk.record_bytes = static_cast<std::uint32_t>(record_bytes);
      chunk.count = static_cast<std::uint32_t>(
          std::min<std::uint64_t>(reader.remaining() / chunk.record_bytes, static_cast<std::uint32_t>(count)));
      is_whole = chunk.count == static_cast<std::uint32_t>(count);
    }
    chunk.records = reader.take(std::uint64_t{chunk.record_bytes} * chunk.count).data();
    if (!is_whole) {
      warn(warnings, DiagnosticId::psk_truncated, {.path = chunk.id, .offset = offset},
           "declares {} records of {} bytes, but only {} are complete", count, record_bytes, chunk.count);
    }
    chunks.push_back(std::move(chunk));
    if (!is_whole) break;
  }
  return chunks;
}

Chunk find_chunk(const std::vector<Chunk>& chunks, std::string_view id, std::uint32_t min_bytes, Warnings& warnings) {
  const auto found = std::ranges::find(chunks, id, &Chunk::id);
  if (found == chunks.end() || found->count == 0) return {};
  if (found->record_bytes >= min_bytes) return *found;
  warn(warnings, DiagnosticId::psk_part_ignored, {.path = found->id, .offset = found->offset},
       "has records of {} bytes, but at least {} are needed", found->record_bytes, min_bytes);
  return {};
}

std::vector<Bone> read_bones(const Chunk& chunk) {
  std::vector<Bone> bones(chunk.count);
  for (std::size_t i = 0; i < bones.size(); ++i) {
    bones[i] = {chunk.read_name(i, 0), chunk.read<std::int32_t>(i, 72), chunk.read<Quat>(i, 76),
                chunk.read<Vec3>(i, 92)};
  }
  return bones;
}

Expected<Mesh, Diagnostic> read_mesh(std::span<const std::byte> bytes, Warnings& warnings,
                                     const std::string& encoding) {
  return MeshReader(bytes, warnings, encoding).read();
}

Expected<Animation, Diagnostic> read_animation(std::span<const std::byte> bytes, Warnings& warnings,
                                               const std::string& encoding) {
  const std::vector<Chunk> chunks = read_chunks(bytes, warnings, encoding);
  const Chunk bones = find_chunk(chunks, "BONENAMES", kBoneBytes, warnings);
  const Chunk sequences = find_chunk(chunks, "ANIMINFO", kSequenceBytes, warnings);
  const Chunk keys = find_chunk(chunks, "ANIMKEYS", kKeyBytes, warnings);
  for (const auto& [chunk, name] :
       {std::pair(&bones, "bones (BONENAMES)"), std::pair(&sequences, "sequences (ANIMINFO)"),
        std::pair(&keys, "keys (ANIMKEYS)")}) {
    if (chunk->count == 0) return fail(DiagnosticId::psk_part_missing, fmt::format("the file has no {}", name));
  }
  Animation animation{read_bones(bones), read_sequences(sequences), keys.read_all<Key>(), {}};
  convert_key_counts(animation.sequences, keys.count, bones.count);
  repair_ranges(animation.sequences, keys.count / bones.count, sequences.offset, warnings);
  const Chunk scales = find_chunk(chunks, "SCALEKEYS", kScaleBytes, warnings);
  if (scales.count == keys.count) {
    animation.scales = scales.read_all<Vec3>();
  } else if (scales.count > 0) {
    warn(warnings, DiagnosticId::psk_part_ignored, {.path = scales.id, .offset = scales.offset}, "has {}, but needs {}",
         counted(scales.count, "record"), keys.count);
  }
  return animation;
}

}  // namespace pchr::psk
