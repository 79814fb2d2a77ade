// SPDX-License-Identifier: MIT
// Layout of PCHR v1.
//
// A file is a header and four sections: images, bones, meshes, animations. A section is a uint16 count and that many
// records. A record is a name (a uint16 length and UTF-8), one of the headers below, and a body.
#pragma once

#include "character/byte_reader.hpp"
#include "character/format.hpp"
#include "character/path.hpp"

#include <utility>

namespace pchr::v1 {

#pragma pack(push, 1)

struct FileHeader {
  char magic[4] = {'P', 'C', 'H', 'R'};
  std::uint32_t version = 1;
  std::uint16_t frames_per_second = 0;
  std::uint16_t flags = 0;  ///< Reserved.
};

/// The body is a PNG file or raw pixels.
struct ImageHeader {
  static constexpr std::string_view kSection = "images";
  std::uint16_t width = 0, height = 0;
  std::uint8_t format = 0;  ///< 0: PNG, 1: RGBA, 8 bits each.
  std::uint32_t data_bytes = 0;
};

struct BoneHeader {
  static constexpr std::string_view kSection = "bones";
  std::int16_t parent = -1;
};

/// The body is an array of `Vertex`, then an array of uint16 indices.
struct MeshHeader {
  static constexpr std::string_view kSection = "meshes";
  std::uint16_t image = 0, vertex_count = 0;
  std::uint32_t index_count = 0;
};

/// The body has one `Transform` per bone for each frame.
struct ClipHeader {
  static constexpr std::string_view kSection = "animations";
  std::uint8_t flags = 0;  ///< Bit 0: looping.
  std::uint16_t frame_count = 0;
};

struct Transform {
  float x = 0, y = 0, rotation = 0, scale_x = 0, scale_y = 0;
  std::uint8_t flags = 0;  ///< Bit 0: visible.
  std::int16_t z_order = 0;
};

#pragma pack(pop)

static_assert(sizeof(FileHeader) == 12 && sizeof(ImageHeader) == 9 && sizeof(BoneHeader) == 2);
static_assert(sizeof(MeshHeader) == 8 && sizeof(ClipHeader) == 3 && sizeof(Transform) == 23);

// These sizes never overflow.
inline std::uint64_t body_bytes(const ImageHeader& header, std::uint64_t /*bone_count*/) { return header.data_bytes; }
inline std::uint64_t body_bytes(const BoneHeader& /*header*/, std::uint64_t /*bone_count*/) { return 0; }
inline std::uint64_t body_bytes(const MeshHeader& header, std::uint64_t /*bone_count*/) {
  return std::uint64_t{header.vertex_count} * sizeof(Vertex) +
         std::uint64_t{header.index_count} * sizeof(std::uint16_t);
}
inline std::uint64_t body_bytes(const ClipHeader& header, std::uint64_t bone_count) {
  return header.frame_count * bone_count * sizeof(Transform);
}

/// Complete record of a file.
template <typename Header>
struct Record {
  std::uint32_t number = 0;
  std::uint64_t start = 0;  ///< Offset in the file.
  std::string_view name{};
  Header header{};
  std::span<const std::byte> body{};

  [[nodiscard]] std::uint64_t header_start() const { return start + sizeof(std::uint16_t) + name.size(); }
  [[nodiscard]] std::uint64_t body_start() const { return header_start() + sizeof(Header); }
};

template <typename Header, typename Visitor>
bool walk_section(ByteReader& reader, std::uint64_t bone_count, Visitor& visitor, std::uint32_t& count) {
  const auto truncated = [&](std::string path, std::string_view name, std::string_view purpose) {
    if constexpr (requires { &Visitor::report_truncated; }) {
      const std::string subject = path.empty() ? format_text("the number of {} ", Header::kSection) : std::string();
      visitor.report_truncated(std::move(path), name,
                               subject + needs_bytes(reader.needed(), purpose, reader.remaining()), reader.position());
    }
    return false;
  };
  count = reader.read<std::uint16_t>();
  if (reader.failed()) return truncated({}, {}, {});
  for (std::uint32_t number = 0; number < count; ++number) {
    Record<Header> record{number, reader.position()};
    record.name = reader.read_string();
    if (reader.failed()) return truncated(path_of(Header::kSection, number, "name"), {}, {});
    record.header = reader.read<Header>();
    if (reader.failed()) return truncated(path_of(Header::kSection, number), record.name, " for its header");
    record.body = reader.take(body_bytes(record.header, bone_count));
    if (reader.failed()) return truncated(path_of(Header::kSection, number), record.name, " for its data");
    if (!visitor(record)) return false;
  }
  return true;
}

/// Calls `visitor` with each record until it returns false. If the file ends within a record, calls
/// `visitor.report_truncated(path, name, detail, byte_offset)`, if the visitor has it. Returns the offset at which the
/// last section ends, or 0 if it was not reached.
template <typename Visitor>
std::uint64_t walk(std::span<const std::byte> file, Visitor& visitor) {
  ByteReader reader(file);
  (void)reader.take(sizeof(FileHeader));
  std::uint32_t count = 0, bone_count = 0;
  const bool whole = walk_section<ImageHeader>(reader, 0, visitor, count) &&
                     walk_section<BoneHeader>(reader, 0, visitor, bone_count) &&
                     walk_section<MeshHeader>(reader, 0, visitor, count) &&
                     walk_section<ClipHeader>(reader, bone_count, visitor, count);
  return whole ? reader.position() : 0;
}

}  // namespace pchr::v1
