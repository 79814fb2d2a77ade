// SPDX-License-Identifier: MIT
// Reads PCHR v1 files.
#include "pchr_v1/pchr_v1.hpp"

#include "character/build.hpp"
#include "character/fail.hpp"
#include "character/format.hpp"
#include "character/utf8.hpp"
#include "image/image.hpp"
#include "pchr_v1/layout.hpp"
#include "platform/files.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

namespace pchr::v1 {
namespace {

/// Counts the complete records of a file.
struct Census {
  std::uint64_t images = 0, bones = 0, meshes = 0, clips = 0;
  std::uint64_t vertices = 0, indices = 0;  ///< Totals of all meshes.

  bool operator()(const Record<ImageHeader>& /*image*/) { return ++images, true; }
  bool operator()(const Record<BoneHeader>& /*bone*/) { return ++bones, true; }
  bool operator()(const Record<MeshHeader>& mesh) {
    vertices += mesh.header.vertex_count;
    indices += mesh.header.index_count;
    return ++meshes, true;
  }
  bool operator()(const Record<ClipHeader>& /*clip*/) { return ++clips, true; }

  /// Returns the memory of the records themselves, without their contents.
  [[nodiscard]] std::uint64_t record_memory() const {
    return images * sizeof(Image) + bones * sizeof(Bone) + meshes * (sizeof(Mesh) + sizeof(MeshScan)) +
           clips * sizeof(Clip);
  }
};

/// Properties found in transforms on the way.
struct Findings {
  FiniteCheck finite;
  Uint4 last_words{};  ///< The last words of all transforms, ORed.
  [[nodiscard]] std::uint8_t flags() const {
    return static_cast<std::uint8_t>((last_words[0] | last_words[1] | last_words[2] | last_words[3]) >> 8);
  }
};

/// Where the values of a transform and the next three go.
struct FourTransforms {
  float* x;
  float* y;
  float* rotation;
  float* scale_x;
  float* scale_y;
  std::uint8_t* visible;
  std::int32_t* z_order;
};

PCHR_ALWAYS_INLINE inline void split_four(const std::byte* records, const FourTransforms& to, Findings& findings) {
  // Two overlapping vectors hold a transform: its first four words and its last four. Of these, the third ends with
  // three bytes of scale_y, and the fourth has the last byte of scale_y, the flags, and the draw order.
  const auto words = [&](int number, std::size_t offset) {
    return load_as<Uint4>(records + number * sizeof(Transform) + offset);
  };
  constexpr std::size_t kLast = sizeof(Transform) - sizeof(Uint4);
  Uint4 first[4] = {words(0, 0), words(1, 0), words(2, 0), words(3, 0)};
  Uint4 last[4] = {words(0, kLast), words(1, kLast), words(2, kLast), words(3, kLast)};
  transpose(first);
  transpose(last);
  const Uint4 scale_y = last[2] >> 8 | last[3] << 24;
  store_as(first[0], to.x);
  store_as(first[1], to.y);
  store_as(first[2], to.rotation);
  store_as(first[3], to.scale_x);
  store_as(scale_y, to.scale_y);
  store_as(bits_as<Int4>(last[3]) >> 16, to.z_order);
  const auto visible = [&](int number) {
    return std::to_integer<std::uint8_t>(records[number * sizeof(Transform) + offsetof(Transform, flags)] &
                                         std::byte{1});
  };
  to.visible[0] = visible(0);
  to.visible[1] = visible(1);
  to.visible[2] = visible(2);
  to.visible[3] = visible(3);
  findings.finite.add(first[0]);
  findings.finite.add(first[1]);
  findings.finite.add(first[2]);
  findings.finite.add(first[3]);
  findings.finite.add(scale_y);
  findings.last_words |= last[3];
}

/// Splits transforms into arrays.
Findings split_transforms(std::span<const std::byte> records, BoneSamples& samples) {
  constexpr std::size_t kAhead = 4096;  // Bytes of the file to prefetch.
  const std::size_t count = records.size() / sizeof(Transform);
  const std::size_t whole = count / 4 * 4;
  samples = {};
  const auto resize = [&](std::size_t size) {
    samples.x.resize(size);
    samples.y.resize(size);
    samples.rotation_degrees.resize(size);
    samples.scale_x.resize(size);
    samples.scale_y.resize(size);
    samples.visible.resize(size);
    samples.z_order.resize(size);
  };
  resize((count + 3) / 4 * 4);
  Findings findings;
  const auto split = [&](const std::byte* from, std::size_t i) {
    split_four(
        from,
        {samples.x.data() + i, samples.y.data() + i, samples.rotation_degrees.data() + i, samples.scale_x.data() + i,
         samples.scale_y.data() + i, samples.visible.data() + i, samples.z_order.data() + i},
        findings);
  };
  for (std::size_t i = 0; i < whole; i += 4) {
    const std::size_t offset = i * sizeof(Transform);
    prefetch(records.data() + std::min(offset + kAhead, records.size()));
    split(records.data() + offset, i);
  }
  if (whole < count) {
    std::byte rest[4 * sizeof(Transform)] = {};
    std::ranges::copy(records.subspan(whole * sizeof(Transform)), rest);
    split(rest, whole);
    resize(count);
  }
  return findings;
}

/// Whether records are kept or only checked.
enum class Keep : std::uint8_t { all, none };

/// Reads one file up to the first error. Every step returns whether to continue; if not, `error_` is set.
class V1Reader {
 public:
  V1Reader(std::span<const std::byte> bytes, const Census& census, const LoadOptions& options, Keep keep)
      : bytes_(bytes), options_(options), keep_(keep) {
    if (keep == Keep::all) {
      data_.images.reserve(census.images);
      data_.bones.reserve(census.bones);
      data_.meshes.reserve(census.meshes);
      data_.clips.reserve(census.clips);
      scans_.reserve(census.meshes);
    }
    data_.vertices.resize(census.vertices);
    data_.indices.resize(census.indices);
  }

  std::optional<Diagnostic> read() {
    if (!read_header()) return std::move(error_);
    const std::uint64_t end = walk(bytes_, *this);
    if (end == 0) return std::move(error_);
    if (const std::uint64_t rest = bytes_.size() - end; rest > 0) {
      warnings_.add({DiagnosticId::trailing_bytes,
                     {},
                     {},
                     end,
                     format_text("the file has {} after the character", counted(rest, "byte"))});
    }
    return std::nullopt;
  }

  /// Builds the character after a successful read() with Keep::all.
  Expected<Character, LoadError> build() && {
    const Locate locate = [this](std::span<Diagnostic> diagnostics) {
      for (Diagnostic& diagnostic : diagnostics) {
        if (!diagnostic.byte_offset) diagnostic.byte_offset = find_offset(bytes_, diagnostic.path);
      }
    };
    return CharacterBuilder::complete(std::move(data_), scans_, options_.bind_pose, locate, std::move(warnings_));
  }

  void report_truncated(std::string path, std::string_view name, std::string detail, std::uint64_t offset) {
    error_ = {DiagnosticId::truncated, std::move(path), std::string(name), offset, std::move(detail)};
  }

  bool operator()(const Record<ImageHeader>& record) {
    const auto& [width, height, format, data_bytes] = record.header;
    const std::uint32_t number = record.number;
    if (!check_name(record)) return false;
    if (format > 1) {
      return fail_at(record, DiagnosticId::unknown_image_format, path_of("images", number, "format"),
                     format_text("is {}, but must be 0 (png) or 1 (rgba8888)", format));
    }
    if (format == 0 && width > 0 && height > 0) {
      if (auto problem = check_png(record.body, width, height)) {
        return fail_at(record, problem->id, path_of("images", number, "data"), std::move(problem->detail),
                       record.body_start() + *problem->byte_offset);
      }
    }
    pixels_ += std::uint64_t{width} * height;
    if (const std::uint64_t max_pixels = options_.limits.max_image_pixels; pixels_ > max_pixels) {
      return fail_at(record, DiagnosticId::limit_exceeded, path_of("images", number),
                     format_text("is {} x {} pixels, which brings the total to {}, but the limit is {}", width, height,
                                 pixels_, max_pixels),
                     record.header_start());
    }
    image_count_ = number + 1;
    Image image{std::string(record.name),
                width,
                height,
                format == 0 ? ImageEncoding::png : ImageEncoding::rgba8888,
                {record.body.begin(), record.body.end()}};
    return passes(record, check_image(image, number)) && keep(data_.images, std::move(image));
  }

  bool operator()(const Record<BoneHeader>& record) {
    if (!check_name(record)) return false;
    bone_count_ = record.number + 1;
    Bone bone{std::string(record.name), BoneId(std::int32_t{record.header.parent})};
    return passes(record, check_bone(bone, record.number)) && keep(data_.bones, std::move(bone));
  }

  bool operator()(const Record<MeshHeader>& record) {
    if (!check_name(record)) return false;
    if (record.number == 0) scanner_ = MeshScanner(bone_count_);
    Mesh mesh{
        std::string(record.name), ImageId{record.header.image}, next_vertex_, record.header.vertex_count, next_index_,
        record.header.index_count};
    next_vertex_ += mesh.vertex_count;
    next_index_ += mesh.index_count;
    assert(next_vertex_ <= data_.vertices.size() && next_index_ <= data_.indices.size());
    const auto vertices = std::span(data_.vertices).subspan(mesh.first_vertex, mesh.vertex_count);
    const auto indices = std::span(data_.indices).subspan(mesh.first_index, mesh.index_count);
    const auto vertex_bytes = record.body.first(vertices.size_bytes());
    if (!indices.empty()) std::memcpy(indices.data(), record.body.data() + vertex_bytes.size(), indices.size_bytes());
    const MeshScan scan = scanner_.scan(vertex_bytes, indices, vertices.data());
    return passes(record, check_mesh(mesh, record.number, image_count_, bone_count_, vertices, indices, scan)) &&
           keep(scans_, scan) && keep(data_.meshes, std::move(mesh));
  }

  bool operator()(const Record<ClipHeader>& record) {
    const std::uint32_t number = record.number;
    if (!check_name(record)) return false;
    samples_ += std::uint64_t{record.header.frame_count} * bone_count_;
    if (const std::uint64_t max_samples = options_.limits.max_bone_samples; samples_ > max_samples) {
      return fail_at(record, DiagnosticId::limit_exceeded, path_of("animations", number),
                     format_text("brings the total to {} transforms, but the limit is {}", samples_, max_samples),
                     record.body_start());
    }
    const std::uint8_t flags = record.header.flags;
    Clip clip;
    clip.name = record.name;
    clip.looping = (flags & 1) != 0;
    clip.frames_per_second = data_.frames_per_second;
    clip.frame_count = record.header.frame_count;
    const Findings found = split_transforms(record.body, clip.samples);
    if ((flags & 0xFE) != 0) {
      warnings_.add({DiagnosticId::reserved_flags, path_of("animations", number, "flags"), clip.name,
                     record.header_start(), format_text("is {}, but version 1 uses only bit 0 (looping)", flags)});
    }
    if ((found.flags() & 0xFE) != 0) {
      warnings_.add({DiagnosticId::reserved_flags, path_of("animations", number), clip.name, record.start,
                     format_text("has transforms with the reserved flags {}; version 1 uses only bit 0 (visible)",
                                 found.flags() & 0xFE)});
    }
    return passes(record, check_clip(clip, number, bone_count_)) &&
           (found.finite.all_finite() || passes(record, check_samples(clip, number, bone_count_))) &&
           keep(data_.clips, std::move(clip));
  }

 private:
  /// Sets the error. The offset defaults to the offset of `path`.
  template <typename Header>
  bool fail_at(const Record<Header>& record, DiagnosticId id, std::string path, std::string detail,
               std::optional<std::uint64_t> offset = {}) {
    if (!offset) offset = find_offset(bytes_, path);
    error_ = {id, std::move(path), std::string(record.name), offset, std::move(detail)};
    return false;
  }

  template <typename Header>
  bool passes(const Record<Header>& record, Check problem) {
    return !problem || fail_at(record, problem->id, std::move(problem->path), std::move(problem->detail));
  }

  template <typename Header>
  bool check_name(const Record<Header>& record) {
    const auto invalid = find_invalid_utf8(record.name);
    if (!invalid) return true;
    const auto byte = static_cast<unsigned char>(record.name[*invalid]);
    fail_at(record, DiagnosticId::invalid_utf8, path_of(Header::kSection, record.number, "name"),
            format_text("is not valid UTF-8: it contains the byte {:02x}", byte),
            record.start + sizeof(std::uint16_t) + *invalid);
    error_.name.clear();
    return false;
  }

  template <typename Item>
  bool keep(std::vector<Item>& items, Item item) {
    if (keep_ == Keep::all) items.push_back(std::move(item));
    return true;
  }

  bool read_header() {
    const auto refuse = [&](DiagnosticId id, std::string path, std::uint64_t offset, std::string detail) {
      error_ = {id, std::move(path), {}, offset, std::move(detail)};
      return false;
    };
    ByteReader reader(bytes_);
    (void)reader.take(sizeof(FileHeader::magic));
    const auto version = reader.read<std::uint32_t>();
    if (!reader.failed() && version != 1) {
      return refuse(DiagnosticId::unsupported_version, "version", offsetof(FileHeader, version),
                    format_text("is {}, but only version 1 is supported", version));
    }
    const auto frames_per_second = reader.read<std::uint16_t>();
    const auto flags = reader.read<std::uint16_t>();
    if (reader.failed()) {
      return refuse(DiagnosticId::truncated, {}, reader.position(),
                    "the header " + needs_bytes(reader.needed(), {}, reader.remaining()));
    }
    data_.frames_per_second = frames_per_second;
    data_.reserved_flags = flags;
    if (flags != 0) {
      warnings_.add({DiagnosticId::reserved_flags,
                     "flags",
                     {},
                     offsetof(FileHeader, flags),
                     format_text("is {}, but version 1 requires 0", flags)});
    }
    return true;
  }

  std::span<const std::byte> bytes_;
  const LoadOptions& options_;
  const Keep keep_;
  CharacterData data_;
  std::uint32_t image_count_ = 0, bone_count_ = 0;
  std::uint64_t pixels_ = 0, samples_ = 0;
  std::uint32_t next_vertex_ = 0, next_index_ = 0;
  MeshScanner scanner_{0};
  std::vector<MeshScan> scans_;
  Warnings warnings_;
  Diagnostic error_;
};

struct Field {
  std::string_view name;
  std::size_t offset;
  std::size_t slot_bytes = 0;  ///< Distance between slots, if there are several.
};

constexpr Field kFileFields[] = {{"version", offsetof(FileHeader, version)},
                                 {"fps", offsetof(FileHeader, frames_per_second)},
                                 {"flags", offsetof(FileHeader, flags)}};
constexpr Field kImageFields[] = {{"format", offsetof(ImageHeader, format)}, {"data", sizeof(ImageHeader)}};
constexpr Field kBoneFields[] = {{"parent", offsetof(BoneHeader, parent)}};
constexpr Field kMeshFields[] = {{"image", offsetof(MeshHeader, image)},
                                 {"indexCount", offsetof(MeshHeader, index_count)}};
constexpr Field kVertexFields[] = {{"x", offsetof(Vertex, x)},
                                   {"y", offsetof(Vertex, y)},
                                   {"u", offsetof(Vertex, u)},
                                   {"v", offsetof(Vertex, v)},
                                   {"boneIds", offsetof(Vertex, bones), sizeof(std::uint16_t)},
                                   {"boneWeights", offsetof(Vertex, weights), sizeof(float)}};
constexpr Field kClipFields[] = {{"flags", offsetof(ClipHeader, flags)}};
constexpr Field kTransformFields[] = {{"x", offsetof(Transform, x)},
                                      {"y", offsetof(Transform, y)},
                                      {"rotation", offsetof(Transform, rotation)},
                                      {"scaleX", offsetof(Transform, scale_x)},
                                      {"scaleY", offsetof(Transform, scale_y)},
                                      {"flags", offsetof(Transform, flags)},
                                      {"zOrder", offsetof(Transform, z_order)}};

/// Consumes the steps of a path.
class Steps {
 public:
  explicit Steps(std::string_view path) : steps_(split_path(path)) {}

  [[nodiscard]] std::string_view name() { return next_ < steps_.size() ? steps_[next_++].name : std::string_view(); }
  [[nodiscard]] std::uint64_t index() { return next_ < steps_.size() ? steps_[next_++].index : 0; }

  /// Returns the offset of the field `name`. If it has several slots, the next step is the index of the slot.
  [[nodiscard]] std::optional<std::uint64_t> offset(std::string_view name, std::span<const Field> fields) {
    const auto field = std::ranges::find(fields, name, &Field::name);
    if (field == fields.end()) return std::nullopt;
    return field->offset + index() * field->slot_bytes;
  }

 private:
  std::vector<PathStep> steps_;
  std::size_t next_ = 0;
};

class Finder {
 public:
  explicit Finder(std::string_view path) : steps_(path), section_(steps_.name()), number_(steps_.index()) {}

  template <typename Header>
  bool operator()(const Record<Header>& record) {
    bone_count_ += std::is_same_v<Header, BoneHeader> ? 1 : 0;
    if (section_ != Header::kSection || record.number != number_) return true;
    const auto offset = offset_in(record.header, steps_.name());
    // Other paths have the offset of their record.
    found_ = offset ? record.header_start() + *offset : record.start;
    return false;
  }

  [[nodiscard]] std::optional<std::uint64_t> found() const { return found_; }

 private:
  // Each returns the offset, from the header, of the rest of the path. `field` is its first step.
  std::optional<std::uint64_t> offset_in(const ImageHeader& /*header*/, std::string_view field) {
    return steps_.offset(field, kImageFields);
  }
  std::optional<std::uint64_t> offset_in(const BoneHeader& /*header*/, std::string_view field) {
    return steps_.offset(field, kBoneFields);
  }
  std::optional<std::uint64_t> offset_in(const MeshHeader& header, std::string_view field) {
    const std::uint64_t indices = sizeof(header) + std::uint64_t{header.vertex_count} * sizeof(Vertex);
    if (field == "indices") return indices + steps_.index() * sizeof(std::uint16_t);
    if (field != "vertices") return steps_.offset(field, kMeshFields);
    const std::uint64_t vertex = sizeof(header) + steps_.index() * sizeof(Vertex);
    return vertex + steps_.offset(steps_.name(), kVertexFields).value_or(0);
  }
  std::optional<std::uint64_t> offset_in(const ClipHeader& header, std::string_view field) {
    if (field != "frames") return steps_.offset(field, kClipFields);
    const std::uint64_t frame = steps_.index() * bone_count_;
    const std::uint64_t transform = sizeof(header) + (frame + steps_.index()) * sizeof(Transform);
    return transform + steps_.offset(steps_.name(), kTransformFields).value_or(0);
  }

  Steps steps_;
  std::string_view section_;
  std::uint64_t number_;
  std::uint64_t bone_count_ = 0;
  std::optional<std::uint64_t> found_;
};

}  // namespace
}  // namespace pchr::v1

namespace pchr {

std::optional<std::uint64_t> find_offset(std::span<const std::byte> file, std::string_view path) {
  const auto field = std::ranges::find(v1::kFileFields, path, &v1::Field::name);
  if (field != std::end(v1::kFileFields)) return field->offset;
  v1::Finder finder(path);
  (void)v1::walk(file, finder);
  return finder.found();
}

Expected<Character, LoadError> read_pchr_v1(std::span<const std::byte> bytes, const LoadOptions& options) {
  v1::Census census;
  (void)v1::walk(bytes, census);
  // Many tiny records need many times the file's size in memory. Only a valid file gets that much.
  constexpr std::uint64_t kSmall = std::uint64_t{512} << 10;
  if (census.record_memory() > bytes.size() + kSmall) {
    if (auto error = v1::V1Reader(bytes, census, options, v1::Keep::none).read()) return Unexpected(std::move(*error));
  }
  v1::V1Reader reader(bytes, census, options, v1::Keep::all);
  if (auto error = reader.read()) return Unexpected(std::move(*error));
  return std::move(reader).build();
}

bool has_v1_magic(std::span<const std::byte> bytes) noexcept {
  return bytes.size() >= 4 && std::memcmp(bytes.data(), "PCHR", 4) == 0;
}

bool is_packed(std::span<const std::byte> bytes) noexcept {
  ByteReader reader(bytes);
  (void)reader.take(4);
  const auto version = reader.read<std::uint32_t>();
  const std::uint64_t json_bytes = reader.read<std::uint32_t>(), image_bytes = reader.read<std::uint32_t>();
  if (reader.failed() || version != 1 || json_bytes + image_bytes != reader.remaining()) return false;
  const auto json = reader.take(json_bytes);
  const auto is_space = [](std::byte letter) {
    return std::string_view(" \t\r\n").find(static_cast<char>(letter)) != std::string_view::npos;
  };
  const auto first = std::ranges::find_if_not(json, is_space);
  return has_v1_magic(bytes) && first != json.end() && *first == std::byte{'{'};
}

Expected<Character, LoadError> load(std::span<const std::byte> bytes, const LoadOptions& options) {
  return or_out_of_memory([&]() -> Expected<Character, LoadError> {
    if (bytes.size() > options.limits.max_file_bytes) {
      return fail(DiagnosticId::limit_exceeded, format_text("the file has {} bytes, but the limit is {}", bytes.size(),
                                                            options.limits.max_file_bytes));
    }
    if (bytes.empty()) return fail(DiagnosticId::truncated, std::uint64_t{0}, "the file is empty");
    if (auto pointer = find_lfs_pointer(bytes)) return Unexpected(*std::move(pointer));
    if (has_v1_magic(bytes) && !is_packed(bytes)) return read_pchr_v1(bytes, options);
    return fail(DiagnosticId::needs_import, std::uint64_t{0},
                has_v1_magic(bytes) ? "the file is packed Pachario JSON, the older .pchr, which only pchr::import reads"
                                    : "the file does not start with PCHR, so only pchr::import can know its format");
  });
}

Expected<Character, LoadError> load(const std::string& path, const LoadOptions& options) {
  return or_out_of_memory([&]() -> Expected<Character, LoadError> {
    const auto file = read_named_file(path, options.limits.max_file_bytes, 0, options.read_file);
    if (!file) return Unexpected(file.error());
    return load(file->bytes(), options);
  });
}

}  // namespace pchr
