// SPDX-License-Identifier: MIT
// Reads PCHR v1 in the order of its documentation: header, images, bones, meshes, animations.
#include "formats/pchr_v1.hpp"

#include "formats/byte_reader.hpp"
#include "formats/png_check.hpp"
#include "formats/records.hpp"
#include "model/build.hpp"
#include "model/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace pchr {
namespace {

constexpr std::uint64_t kVertexBytes = 40;
constexpr std::uint64_t kTransformBytes = 23;

/// Where the parts of the file begin, to say where a finding about the data stands in it.
struct Layout {
  std::vector<std::uint64_t> images, image_data, bones, bone_parents, meshes, mesh_vertices, mesh_indices, clips,
      clip_frames;

  [[nodiscard]] std::optional<std::uint64_t> offset_of(const Location& location, std::uint64_t bone_count) const;
};

std::optional<std::uint64_t> Layout::offset_of(const Location& location, std::uint64_t bone_count) const {
  const std::uint64_t vertex = location.element * kVertexBytes;
  const std::uint64_t transform = (location.element * bone_count + location.slot) * kTransformBytes;
  const auto in = [&](const std::vector<std::uint64_t>& starts, std::uint64_t offset) -> std::optional<std::uint64_t> {
    if (location.item >= starts.size()) return std::nullopt;
    return starts[location.item] + offset;
  };
  switch (location.section) {
    case Section::file:
      return location.field == Field::frames_per_second ? 8 : location.field == Field::flags ? 10 : 0;
    case Section::images:
      return location.field == Field::data ? in(image_data, 0) : in(images, 0);
    case Section::bones:
      return location.field == Field::parent ? in(bone_parents, 0) : in(bones, 0);
    case Section::meshes:
      switch (location.field) {
        case Field::image:
          return in(mesh_vertices, std::uint64_t(0) - 8);
        case Field::index_count:
          return in(mesh_vertices, std::uint64_t(0) - 4);
        case Field::x:
          return in(mesh_vertices, vertex);
        case Field::y:
          return in(mesh_vertices, vertex + 4);
        case Field::u:
          return in(mesh_vertices, vertex + 8);
        case Field::v:
          return in(mesh_vertices, vertex + 12);
        case Field::bone_id:
          return in(mesh_vertices, vertex + 16 + std::uint64_t{location.slot} * 2);
        case Field::bone_weight:
          return in(mesh_vertices, vertex + 24 + std::uint64_t{location.slot} * 4);
        case Field::index:
          return in(mesh_indices, std::uint64_t{location.element} * 2);
        default:
          return in(meshes, 0);
      }
    case Section::animations:
      switch (location.field) {
        case Field::flags:
          return in(clip_frames, std::uint64_t(0) - 3);
        case Field::x:
          return in(clip_frames, transform);
        case Field::y:
          return in(clip_frames, transform + 4);
        case Field::rotation:
          return in(clip_frames, transform + 8);
        case Field::scale_x:
          return in(clip_frames, transform + 12);
        case Field::scale_y:
          return in(clip_frames, transform + 16);
        case Field::transform_flags:
          return in(clip_frames, transform + 20);
        default:
          return in(clips, 0);
      }
  }
  return std::nullopt;
}

/// Up to kSize transforms, field by field.
struct TransformBlock {
  static constexpr std::size_t kSize = 512;
  float x[kSize], y[kSize], rotation_degrees[kSize], scale_x[kSize], scale_y[kSize];
  std::uint8_t visible[kSize];
  std::int32_t z_order[kSize];

  /// Splits records of 23 bytes into the fields. Returns all their flags, or-ed.
  std::uint8_t split(std::span<const std::byte> records) noexcept {
    using Four = float __attribute__((vector_size(16)));
    const std::size_t count = records.size() / kTransformBytes;
    const std::byte* record = records.data();
    std::uint8_t all_flags = 0;
    std::size_t i = 0;
    // Four records at a time: their first four values are the rows of a matrix that is transposed.
    for (; i + 4 <= count; i += 4, record += 4 * kTransformBytes) {
      Four row[4];
      for (int j = 0; j < 4; ++j) std::memcpy(&row[j], record + j * kTransformBytes, sizeof(Four));
      const Four low_01 = __builtin_shufflevector(row[0], row[1], 0, 4, 1, 5);
      const Four low_23 = __builtin_shufflevector(row[2], row[3], 0, 4, 1, 5);
      const Four high_01 = __builtin_shufflevector(row[0], row[1], 2, 6, 3, 7);
      const Four high_23 = __builtin_shufflevector(row[2], row[3], 2, 6, 3, 7);
      const Four column[4] = {
          __builtin_shufflevector(low_01, low_23, 0, 1, 4, 5), __builtin_shufflevector(low_01, low_23, 2, 3, 6, 7),
          __builtin_shufflevector(high_01, high_23, 0, 1, 4, 5), __builtin_shufflevector(high_01, high_23, 2, 3, 6, 7)};
      std::memcpy(x + i, &column[0], sizeof(Four));
      std::memcpy(y + i, &column[1], sizeof(Four));
      std::memcpy(rotation_degrees + i, &column[2], sizeof(Four));
      std::memcpy(scale_x + i, &column[3], sizeof(Four));
      for (int j = 0; j < 4; ++j) all_flags |= split_rest(record + j * kTransformBytes, i + j);
    }
    for (; i < count; ++i, record += kTransformBytes) {
      std::memcpy(&x[i], record, sizeof(float));
      std::memcpy(&y[i], record + 4, sizeof(float));
      std::memcpy(&rotation_degrees[i], record + 8, sizeof(float));
      std::memcpy(&scale_x[i], record + 12, sizeof(float));
      all_flags |= split_rest(record, i);
    }
    return all_flags;
  }

  std::uint8_t split_rest(const std::byte* record, std::size_t i) noexcept {
    std::memcpy(&scale_y[i], record + 16, sizeof(float));
    const auto flags = std::to_integer<std::uint8_t>(record[20]);
    visible[i] = flags & 1;
    std::int16_t order;
    std::memcpy(&order, record + 21, sizeof(order));
    z_order[i] = order;
    return flags;
  }
};

/// One read of one file. Every step returns whether to go on; `error` says why not.
class V1Reader {
 public:
  V1Reader(std::span<const std::byte> bytes, const LoadOptions& options) : reader_(bytes), options_(options) {}

  std::expected<Character, LoadError> read() {
    data_.format = "PCHR v1";
    if (!read_header() || !read_images() || !read_bones() || !read_meshes() || !read_clips()) {
      return std::unexpected(std::move(error_));
    }
    if (reader_.remaining() > 0) {
      remark(
          {FindingId::trailing_bytes, {}, {}, reader_.position(), fmt::format("found {} bytes", reader_.remaining())});
    }
    const Locate locate = [this, bone_count = data_.bones.size()](const Location& location) {
      return Place{layout_.offset_of(location, bone_count)};
    };
    return CharacterBuilder::build(std::move(data_), options_.bind_pose, locate, std::move(warnings_));
  }

 private:
  bool fail(Finding finding) {
    error_ = std::move(finding);
    return false;
  }

  bool fail_at(FindingId id, const Location& location, std::uint64_t offset, std::string detail) {
    return fail({id, to_path(location), std::string(name_at(data_, location)), offset, std::move(detail)});
  }

  bool truncated(const Location& location, std::string_view what, std::uint64_t wanted) {
    return fail_at(FindingId::truncated, location, reader_.position(),
                   fmt::format("{} needs {} bytes; {} remain", what, wanted, reader_.remaining()));
  }

  bool records_missing(const Location& location, std::string_view what, std::uint64_t count, std::uint64_t bytes_each) {
    return fail_at(
        FindingId::truncated, location, reader_.position(),
        fmt::format("{} {} of {} bytes each; {} bytes remain", count, what, bytes_each, reader_.remaining()));
  }

  void remark(Finding finding) { warnings_.push_back(std::move(finding)); }

  bool read_name(const Location& location, std::string& name) {
    const std::uint64_t start = reader_.position() + 2;
    const std::string_view text = reader_.read_string();
    if (reader_.failed()) return truncated(location, "the name", reader_.wanted());
    if (const auto invalid = find_invalid_utf8(text)) {
      const auto byte = static_cast<unsigned char>(text[*invalid]);
      return fail_at(FindingId::invalid_utf8, location, start + *invalid,
                     fmt::format("found byte 0x{:02x} in a name of {} bytes", byte, text.size()));
    }
    name = text;
    return true;
  }

  bool read_header() {
    (void)reader_.take(4);
    const auto version = reader_.read<std::uint32_t>();
    if (reader_.failed()) return truncated({}, "the header", reader_.wanted());
    if (version != 1) {
      return fail(
          {FindingId::unsupported_version, "version", {}, 4, fmt::format("found {}; this reads version 1", version)});
    }
    const auto frames_per_second = reader_.read<std::uint16_t>();
    const auto flags = reader_.read<std::uint16_t>();
    if (reader_.failed()) return truncated({}, "the header", reader_.wanted());
    data_.frames_per_second = frames_per_second;
    data_.reserved_flags = flags;
    if (flags != 0) {
      remark({FindingId::reserved_flags, "flags", {}, 10, fmt::format("found 0x{:04x}; version 1 has 0", flags)});
    }
    return true;
  }

  bool read_images() {
    const auto count = reader_.read<std::uint16_t>();
    if (reader_.failed()) return truncated({}, "the number of images", reader_.wanted());
    std::uint64_t pixels = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      if (!read_image(i, pixels)) return false;
    }
    return true;
  }

  bool read_image(std::uint32_t number, std::uint64_t& pixels_so_far) {
    layout_.images.push_back(reader_.position());
    Image& image = data_.images.emplace_back();
    const Location here{Section::images, Field::none, number};
    if (!read_name({Section::images, Field::name, number}, image.name)) return false;
    image.width = reader_.read<std::uint16_t>();
    image.height = reader_.read<std::uint16_t>();
    const std::uint64_t format_offset = reader_.position();
    const auto format = reader_.read<std::uint8_t>();
    const auto length = reader_.read<std::uint32_t>();
    if (reader_.failed()) return truncated(here, "the image's header", reader_.wanted());
    if (format > 1) {
      return fail_at(FindingId::unknown_image_format, {Section::images, Field::format, number}, format_offset,
                     fmt::format("found {}; known are 0 (png) and 1 (rgba8888)", format));
    }
    image.encoding = format == 0 ? ImageEncoding::png : ImageEncoding::rgba8888;
    const auto bytes = reader_.take(length);
    if (reader_.failed()) return truncated({Section::images, Field::data, number}, "the image", length);
    const std::uint64_t data_offset = reader_.position() - length;
    layout_.image_data.push_back(data_offset);

    pixels_so_far += std::uint64_t{image.width} * image.height;
    const std::uint64_t most = options_.limits.max_image_pixels;
    if (image.encoding == ImageEncoding::png) {
      const auto problem =
          image.width == 0 || image.height == 0 ? std::nullopt : check_png(bytes, image.width, image.height);
      if (problem) {
        return fail_at(problem->id, {Section::images, Field::data, number}, data_offset + problem->offset,
                       problem->detail);
      }
    }
    if (pixels_so_far > most) {
      return fail_at(FindingId::limit_exceeded, here, format_offset - 4,
                     fmt::format("{} x {} pixels bring the images to {}; the limit is {}", image.width, image.height,
                                 pixels_so_far, most));
    }
    image.bytes.assign(bytes.begin(), bytes.end());
    return true;
  }

  bool read_bones() {
    const auto count = reader_.read<std::uint16_t>();
    if (reader_.failed()) return truncated({}, "the number of bones", reader_.wanted());
    for (std::uint32_t i = 0; i < count; ++i) {
      layout_.bones.push_back(reader_.position());
      Bone& bone = data_.bones.emplace_back();
      if (!read_name({Section::bones, Field::name, i}, bone.name)) return false;
      layout_.bone_parents.push_back(reader_.position());
      bone.parent = reader_.read<std::int16_t>();
      if (reader_.failed()) return truncated({Section::bones, Field::parent, i}, "the parent", reader_.wanted());
    }
    return true;
  }

  bool read_meshes() {
    const auto count = reader_.read<std::uint16_t>();
    if (reader_.failed()) return truncated({}, "the number of meshes", reader_.wanted());
    reserve_geometry(reader_, count);
    for (std::uint32_t i = 0; i < count; ++i) {
      if (!read_mesh(i)) return false;
    }
    return true;
  }

  /// Makes room for the vertices and indices of all meshes that the file has bytes for.
  void reserve_geometry(ByteReader ahead, std::uint32_t meshes) {
    std::uint64_t vertices = 0, indices = 0;
    for (; meshes > 0; --meshes) {
      (void)ahead.read_string();
      (void)ahead.read<std::uint16_t>();
      const std::uint64_t vertex_count = ahead.read<std::uint16_t>();
      const std::uint64_t index_count = ahead.read<std::uint32_t>();
      (void)ahead.take(vertex_count * kVertexBytes);
      if (ahead.failed()) break;
      vertices += vertex_count;
      (void)ahead.take(index_count * sizeof(std::uint16_t));
      if (ahead.failed()) break;
      indices += index_count;
    }
    reserve_once(data_.vertices, vertices);
    reserve_once(data_.indices, indices);
  }

  bool read_mesh(std::uint32_t number) {
    layout_.meshes.push_back(reader_.position());
    Mesh& mesh = data_.meshes.emplace_back();
    const Location here{Section::meshes, Field::none, number};
    if (!read_name({Section::meshes, Field::name, number}, mesh.name)) return false;
    mesh.image = reader_.read<std::uint16_t>();
    mesh.vertex_count = reader_.read<std::uint16_t>();
    mesh.index_count = reader_.read<std::uint32_t>();
    if (reader_.failed()) return truncated(here, "the mesh's header", reader_.wanted());
    layout_.mesh_vertices.push_back(reader_.position());
    layout_.mesh_indices.push_back(reader_.position() + mesh.vertex_count * kVertexBytes);
    if (!reader_.has_records(mesh.vertex_count, kVertexBytes)) {
      return records_missing(here, "vertices", mesh.vertex_count, kVertexBytes);
    }
    mesh.first_vertex = static_cast<std::uint32_t>(data_.vertices.size());
    append_values(reader_.take(mesh.vertex_count * kVertexBytes), data_.vertices);
    if (!reader_.has_records(mesh.index_count, sizeof(std::uint16_t))) {
      return records_missing(here, "indices", mesh.index_count, sizeof(std::uint16_t));
    }
    mesh.first_index = static_cast<std::uint32_t>(data_.indices.size());
    append_values(reader_.take(mesh.index_count * sizeof(std::uint16_t)), data_.indices);
    return true;
  }

  bool read_clips() {
    const auto count = reader_.read<std::uint16_t>();
    if (reader_.failed()) return truncated({}, "the number of animations", reader_.wanted());
    std::uint64_t samples = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      if (!read_clip(i, samples)) return false;
    }
    return true;
  }

  bool read_clip(std::uint32_t number, std::uint64_t& samples_so_far) {
    layout_.clips.push_back(reader_.position());
    Clip& clip = data_.clips.emplace_back();
    const Location here{Section::animations, Field::none, number};
    if (!read_name({Section::animations, Field::name, number}, clip.name)) return false;
    const auto flags = reader_.read<std::uint8_t>();
    clip.frame_count = reader_.read<std::uint16_t>();
    if (reader_.failed()) return truncated(here, "the animation's header", reader_.wanted());
    clip.looping = (flags & 1) != 0;
    clip.frames_per_second = data_.frames_per_second;
    layout_.clip_frames.push_back(reader_.position());
    const std::uint64_t samples = std::uint64_t{clip.frame_count} * data_.bones.size();
    if (!reader_.has_records(samples, kTransformBytes)) {
      return records_missing(here,
                             fmt::format("transforms ({} frames of {} bones)", clip.frame_count, data_.bones.size()),
                             samples, kTransformBytes);
    }
    samples_so_far += samples;
    if (samples_so_far > options_.limits.max_bone_samples) {
      return fail_at(
          FindingId::limit_exceeded, here, reader_.position(),
          fmt::format("{} transforms so far; the limit is {}", samples_so_far, options_.limits.max_bone_samples));
    }
    const std::uint8_t reserved_bits = read_transforms(reader_.take(samples * kTransformBytes), samples, clip.samples);
    remark_on_flags(number, flags, reserved_bits);
    return true;
  }

  /// Splits the 23-byte records into arrays. Returns the reserved flag bits that any record had set.
  static std::uint8_t read_transforms(std::span<const std::byte> records, std::uint64_t count, BoneSamples& samples) {
    reserve_once(samples.x, count);
    reserve_once(samples.y, count);
    reserve_once(samples.rotation_degrees, count);
    reserve_once(samples.scale_x, count);
    reserve_once(samples.scale_y, count);
    reserve_once(samples.visible, count);
    reserve_once(samples.z_order, count);
    // A block of records at a time: its arrays stay in the cache until they are appended.
    TransformBlock block;
    std::uint8_t all_flags = 0;
    while (!records.empty()) {
      const std::size_t size = std::min(TransformBlock::kSize, records.size() / kTransformBytes);
      all_flags |= block.split(records.first(size * kTransformBytes));
      append_block(samples.x, block.x, size);
      append_block(samples.y, block.y, size);
      append_block(samples.rotation_degrees, block.rotation_degrees, size);
      append_block(samples.scale_x, block.scale_x, size);
      append_block(samples.scale_y, block.scale_y, size);
      append_block(samples.visible, block.visible, size);
      append_block(samples.z_order, block.z_order, size);
      records = records.subspan(size * kTransformBytes);
    }
    return all_flags & 0xFE;
  }

  void remark_on_flags(std::uint32_t number, std::uint8_t clip_flags, std::uint8_t transform_bits) {
    const auto remark_at = [&](const Location& location, std::string detail) {
      remark({FindingId::reserved_flags, to_path(location), data_.clips[number].name,
              layout_.offset_of(location, data_.bones.size()), std::move(detail)});
    };
    if ((clip_flags & 0xFE) != 0) {
      remark_at({Section::animations, Field::flags, number},
                fmt::format("found 0x{:02x}; version 1 uses bit 0 (looping)", clip_flags));
    }
    if (transform_bits != 0) {
      remark_at({Section::animations, Field::none, number},
                fmt::format("its transforms set bits 0x{:02x}; version 1 uses bit 0 (visible)", transform_bits));
    }
  }

  ByteReader reader_;
  const LoadOptions& options_;
  CharacterData data_;
  Layout layout_;
  std::vector<Finding> warnings_;
  Finding error_;
};

}  // namespace

std::expected<Character, LoadError> read_pchr_v1(std::span<const std::byte> bytes, const LoadOptions& options) {
  return V1Reader(bytes, options).read();
}

}  // namespace pchr
