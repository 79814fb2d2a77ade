// SPDX-License-Identifier: MIT
// Reads PCHR v1 in the order of its documentation: header, images, bones, meshes, animations.
#include "formats/pchr_v1.hpp"

#include "formats/byte_reader.hpp"
#include "formats/pchr_v1_walk.hpp"
#include "formats/png_check.hpp"
#include "formats/transform_records.hpp"
#include "model/build.hpp"
#include "model/check.hpp"
#include "model/utf8.hpp"

#include <fmt/format.h>

#include <cassert>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pchr {
namespace {

/// What becomes of the records that were read and found right.
enum class Keep : std::uint8_t { all, none };

/// One read of one file, which stops at the first thing that is wrong. Every step returns whether to go on; `error_`
/// says why not.
class V1Reader {
 public:
  V1Reader(std::span<const std::byte> bytes, const V1Census& census, const LoadOptions& options, Keep keep)
      : bytes_(bytes), reader_(bytes), census_(census), options_(options), keep_(keep) {}

  std::optional<Finding> read() {
    data_.format = "PCHR v1";
    if (!read_header() || !read_images() || !read_bones() || !read_meshes() || !read_clips()) return std::move(error_);
    if (reader_.remaining() > 0) {
      remarks_.add(FindingId::trailing_bytes, [&] {
        return Finding{
            FindingId::trailing_bytes, {}, {}, reader_.position(), fmt::format("found {} bytes", reader_.remaining())};
      });
    }
    return std::nullopt;
  }

  /// The character, after `read` found nothing wrong and kept all.
  std::expected<Character, LoadError> build() && {
    const Locate locate = [this](const Location& location) { return Place{find_in_v1(bytes_, location)}; };
    return CharacterBuilder::complete(std::move(data_), surveys_, options_.bind_pose, locate, std::move(remarks_));
  }

 private:
  bool fail(Finding finding) {
    error_ = std::move(finding);
    return false;
  }

  /// All that can be wrong from the images on is in the record that is being read.
  bool fail_at(FindingId id, const Location& location, std::optional<std::uint64_t> offset, std::string detail) {
    return fail({id, to_path(location), std::string(name_), offset, std::move(detail)});
  }

  bool passes(const Check& check) {
    return !check || fail_at(check->id, check->location, find_in_v1(bytes_, check->location), check->detail);
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

  /// Reads a section's records into `records`: `read_record(record, number)` says whether one is right.
  template <typename Record, typename ReadRecord>
  bool read_section(std::vector<Record>& records, std::uint64_t whole_records, std::string_view what,
                    ReadRecord read_record) {
    const std::uint32_t count = reader_.read<std::uint16_t>();
    if (reader_.failed()) return truncated({}, what, reader_.wanted());
    if (keep_ == Keep::all) records.reserve(whole_records);
    for (std::uint32_t i = 0; i < count; ++i) {
      Record record;
      name_ = {};
      if (!read_record(record, i)) return false;
      if (keep_ == Keep::all) records.push_back(std::move(record));
    }
    name_ = {};
    return true;
  }

  bool read_name(const Location& location, std::string& name) {
    const std::uint64_t start = reader_.position() + 2;
    const std::string_view text = reader_.read_string();
    if (reader_.failed()) return truncated(location, "the name", reader_.wanted());
    if (const auto invalid = find_invalid_utf8(text)) {
      const auto byte = static_cast<unsigned char>(text[*invalid]);
      return fail_at(FindingId::invalid_utf8, location, start + *invalid,
                     fmt::format("found byte 0x{:02x} in a name of {} bytes", byte, text.size()));
    }
    name = name_ = text;
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
      remarks_.add(FindingId::reserved_flags, [&] {
        return Finding{
            FindingId::reserved_flags, "flags", {}, 10, fmt::format("found 0x{:04x}; version 1 has 0", flags)};
      });
    }
    return true;
  }

  bool read_images() {
    std::uint64_t pixels = 0;
    return read_section(data_.images, census_.images, "the number of images",
                        [&](Image& image, std::uint32_t number) { return read_image(image, number, pixels); });
  }

  bool read_image(Image& image, std::uint32_t number, std::uint64_t& pixels_so_far) {
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
    image_count_ = number + 1;
    return passes(check_image(image, number));
  }

  bool read_bones() {
    return read_section(data_.bones, census_.bones, "the number of bones",
                        [&](Bone& bone, std::uint32_t number) { return read_bone(bone, number); });
  }

  bool read_bone(Bone& bone, std::uint32_t number) {
    if (!read_name({Section::bones, Field::name, number}, bone.name)) return false;
    bone.parent = reader_.read<std::int16_t>();
    if (reader_.failed()) return truncated({Section::bones, Field::parent, number}, "the parent", reader_.wanted());
    bone_count_ = number + 1;
    return passes(check_bone(bone, number));
  }

  bool read_meshes() {
    data_.vertices = uninitialised_array<Vertex>(census_.vertices);
    data_.indices = uninitialised_array<std::uint16_t>(census_.indices);
    if (keep_ == Keep::all) surveys_.reserve(census_.meshes);
    MeshSurveyor surveyor(bone_count_);
    return read_section(data_.meshes, census_.meshes, "the number of meshes",
                        [&](Mesh& mesh, std::uint32_t number) { return read_mesh(mesh, number, surveyor); });
  }

  bool read_mesh(Mesh& mesh, std::uint32_t number, MeshSurveyor& surveyor) {
    const Location here{Section::meshes, Field::none, number};
    if (!read_name({Section::meshes, Field::name, number}, mesh.name)) return false;
    mesh.image = reader_.read<std::uint16_t>();
    mesh.vertex_count = reader_.read<std::uint16_t>();
    mesh.index_count = reader_.read<std::uint32_t>();
    if (reader_.failed()) return truncated(here, "the mesh's header", reader_.wanted());
    if (!reader_.has_records(mesh.vertex_count, sizeof(Vertex))) {
      return records_missing(here, "vertices", mesh.vertex_count, sizeof(Vertex));
    }
    const auto vertex_bytes = reader_.take(mesh.vertex_count * sizeof(Vertex));
    if (!reader_.has_records(mesh.index_count, sizeof(std::uint16_t))) {
      return records_missing(here, "indices", mesh.index_count, sizeof(std::uint16_t));
    }
    const auto index_bytes = reader_.take(mesh.index_count * sizeof(std::uint16_t));
    mesh.first_vertex = next_vertex_;
    mesh.first_index = next_index_;
    next_vertex_ += mesh.vertex_count;
    next_index_ += mesh.index_count;
    assert(next_vertex_ <= data_.vertices.size() && next_index_ <= data_.indices.size());
    const auto vertices = std::span(data_.vertices).subspan(mesh.first_vertex, mesh.vertex_count);
    const auto indices = std::span(data_.indices).subspan(mesh.first_index, mesh.index_count);
    const MeshSurvey survey = surveyor.survey_and_copy(vertex_bytes, index_bytes, vertices.data(), indices.data());
    if (keep_ == Keep::all) surveys_.push_back(survey);
    return passes(check_mesh(mesh, number, {image_count_, bone_count_}, vertices, indices, survey));
  }

  bool read_clips() {
    std::uint64_t samples = 0;
    return read_section(data_.clips, census_.clips, "the number of animations",
                        [&](Clip& clip, std::uint32_t number) { return read_clip(clip, number, samples); });
  }

  bool read_clip(Clip& clip, std::uint32_t number, std::uint64_t& samples_so_far) {
    const Location here{Section::animations, Field::none, number};
    if (!read_name({Section::animations, Field::name, number}, clip.name)) return false;
    const auto flags = reader_.read<std::uint8_t>();
    clip.frame_count = reader_.read<std::uint16_t>();
    if (reader_.failed()) return truncated(here, "the animation's header", reader_.wanted());
    clip.looping = (flags & 1) != 0;
    clip.frames_per_second = data_.frames_per_second;
    const std::uint64_t samples = std::uint64_t{clip.frame_count} * bone_count_;
    if (!reader_.has_records(samples, kTransformBytes)) {
      return records_missing(here, fmt::format("transforms ({} frames of {} bones)", clip.frame_count, bone_count_),
                             samples, kTransformBytes);
    }
    samples_so_far += samples;
    if (samples_so_far > options_.limits.max_bone_samples) {
      return fail_at(
          FindingId::limit_exceeded, here, reader_.position(),
          fmt::format("{} transforms so far; the limit is {}", samples_so_far, options_.limits.max_bone_samples));
    }
    const SplitTransforms seen = split_transforms(reader_.take(samples * kTransformBytes), clip.samples);
    remark_on_flags(number, flags, seen.flags & 0xFE);
    return passes(check_clip(clip, number, bone_count_)) &&
           (seen.all_finite || passes(check_samples(clip, number, bone_count_)));
  }

  void remark_on_flags(std::uint32_t number, std::uint8_t clip_flags, std::uint8_t transform_bits) {
    const auto remark_at = [&](const Location& location, std::string detail) {
      remarks_.add(FindingId::reserved_flags, [&] {
        return Finding{FindingId::reserved_flags, to_path(location), std::string(name_), find_in_v1(bytes_, location),
                       std::move(detail)};
      });
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

  std::span<const std::byte> bytes_;
  ByteReader reader_;
  const V1Census& census_;
  const LoadOptions& options_;
  const Keep keep_;
  CharacterData data_;
  std::uint32_t image_count_ = 0, bone_count_ = 0;
  std::uint32_t next_vertex_ = 0, next_index_ = 0;
  std::vector<MeshSurvey> surveys_;
  Remarks remarks_;
  std::string_view name_;  // of the record being read
  Finding error_;
};

/// Memory of the records themselves, beside what they hold.
std::uint64_t record_memory(const V1Census& census) {
  return census.images * sizeof(Image) + census.bones * sizeof(Bone) +
         census.meshes * (sizeof(Mesh) + sizeof(MeshSurvey)) + census.clips * sizeof(Clip);
}

}  // namespace

std::expected<Character, LoadError> read_pchr_v1(std::span<const std::byte> bytes, const LoadOptions& options) {
  const V1Census census = count_records(bytes);
  // A file of very many tiny records takes many times its size in memory, so only one that is right gets it.
  constexpr std::uint64_t kLittle = std::uint64_t{512} << 10;
  if (record_memory(census) > bytes.size() + kLittle) {
    if (auto error = V1Reader(bytes, census, options, Keep::none).read()) return std::unexpected(std::move(*error));
  }
  V1Reader reader(bytes, census, options, Keep::all);
  if (auto error = reader.read()) return std::unexpected(std::move(*error));
  return std::move(reader).build();
}

}  // namespace pchr
