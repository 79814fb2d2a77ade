// SPDX-License-Identifier: MIT
// Reads Pachario characters in JSON, in one pass, with image files next to it or packed with one PNG.
#include "import/json/json.hpp"

#include "character/build.hpp"
#include "character/byte_reader.hpp"
#include "character/influences.hpp"
#include "image/image.hpp"
#include "import/diagnose.hpp"
#include "import/formats.hpp"
#include "import/text_decoding.hpp"
#include "pchr_v1/pchr_v1.hpp"
#include "platform/file_path.hpp"
#include "platform/files.hpp"

#include <charconv>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>
#include <ranges>
#include <system_error>
#include <type_traits>

namespace pchr {
namespace {

template <typename T>
using Wide = std::conditional_t<std::integral<T> && sizeof(T) < sizeof(std::int64_t), T, std::int64_t>;

/// Key of an object and the destination of its value. If the key appears twice, both values must be equal.
template <typename T>
struct Field {
  JsonKey key;
  T& target;
  std::int64_t min = std::numeric_limits<Wide<T>>::min();  ///< Range of a whole number.
  std::int64_t max = std::numeric_limits<Wide<T>>::max();
  bool required = true;
  bool seen = false;
};

template <typename T>
Field<T> optional(JsonKey key, T& target) {
  return {.key = key, .target = target, .required = false};
}

using Int64 = std::numeric_limits<std::int64_t>;

/// Index of any size.
struct JsonIndex {
  std::int64_t value = 0;
  std::string_view written{};  ///< As in the text, if the value was clamped.
  bool operator==(const JsonIndex&) const = default;
};

struct Influence {
  JsonIndex bone;
  float weight = 0;
  bool operator==(const Influence&) const = default;
};

/// Transform of a bone in a frame.
struct JsonTransform {
  float x = 0, y = 0, rotation = 0, scale_x = 0, scale_y = 0;
  bool visible = false;
  std::uint8_t flags = 0;
  std::int32_t z_order = 0;
};

struct JsonImage {
  std::string name, path, format = "png";
  std::uint32_t width = 0, height = 0;
  bool operator==(const JsonImage&) const = default;
};

struct JsonVertices {
  std::vector<Vertex> vertices;
  std::vector<AuthoredInfluence> authored;  ///< Vertex indices are relative to this mesh.
  bool operator==(const JsonVertices&) const = default;
};

struct JsonMesh {
  std::string name;
  std::uint32_t image = 0;
  JsonVertices vertices;
  std::vector<std::uint16_t> indices;
  bool operator==(const JsonMesh&) const = default;
};

struct JsonFrames {
  std::uint32_t count = 0;
  BoneSamples samples;
  bool operator==(const JsonFrames&) const = default;
};

/// Character whose images have no bytes yet.
struct JsonCharacter {
  CharacterData data;
  std::vector<std::string> image_paths;  ///< As in the text, one per image.
  Warnings warnings;
};

/// Reads a JSON text. Keys can be in any order. The values of unknown keys are ignored, but must be valid JSON. Leaves
/// the checks of `build` to it. Diagnostics have paths for `locate`. Every step returns whether to continue; if not,
/// `error` is set.
class CharacterReader : JsonReader {
 public:
  CharacterReader(const JsonText& json, const Limits& limits, Warnings warnings)
      : JsonReader(json), text_(json.text), limits_(limits) {
    result_.warnings = std::move(warnings);
  }

  Expected<JsonCharacter, Diagnostic> read() {
    if (!read_document([&] { return read_root(); }) || !check_frame_sizes()) return Unexpected(std::move(error));
    return std::move(result_);
  }

 private:
  [[nodiscard]] std::string path_text() const {
    std::string text;
    for (const PathStep& step : path) append_step(text, step);
    return text;
  }

  [[nodiscard]] std::string name() const { return name_ != nullptr ? *name_ : std::string(); }

  bool fail(DiagnosticId id, std::string detail) {
    error = {id, path_text(), name(), {}, std::move(detail)};
    return false;
  }

  bool missing(const JsonKey& key) {
    path.emplace_back(key.in(is_pachario_dialect(text_)));
    return fail(DiagnosticId::missing_value, "is missing");
  }

  bool contradiction(std::string detail) { return fail(DiagnosticId::contradiction, std::move(detail)); }

  /// Fails because a value has another type than `expected`, or is not valid JSON.
  bool fail_type(std::string_view expected) {
    static constexpr std::string_view kNames[] = {"an object", "an array", "a string", "a number",
                                                  "a boolean", "null",     "malformed"};
    const std::string_view found = kNames[static_cast<std::size_t>(type())];
    return skip() && fail(DiagnosticId::wrong_type, fmt::format("is {}, but must be {}", found, expected));
  }

  void warn(DiagnosticId id, std::string place, std::string detail) {
    result_.warnings.add(id, [&] { return Diagnostic{id, std::move(place), name(), {}, std::move(detail)}; });
  }

  static std::string shortened(std::string_view number) {
    constexpr std::size_t kMaxLength = 40;
    return number.size() <= kMaxLength ? std::string(number) : std::string(number.substr(0, kMaxLength)) + "...";
  }

  /// Returns the number from `start` to the cursor as it stands in the text, shortened if it is very long.
  [[nodiscard]] std::string as_written(const char* start) const { return shortened({start, at()}); }

  bool read_into(float& result) {
    const char* const start = at();
    double number = 0;
    if (!is_at_number()) return fail_type("a number");
    if (!read_number(number)) return false;
    if (std::isinf(number)) return fail(DiagnosticId::not_finite, "is too large");
    result = static_cast<float>(number);
    if (std::isfinite(result)) return true;
    return fail(DiagnosticId::not_finite, fmt::format("is {}, which does not fit in a float", as_written(start)));
  }

  /// Reads a whole number, which can be written as 24.0 or 1E+0. Clamps it to the range of the type.
  bool read_integer(std::int64_t& result) {
    constexpr double kExact = 9007199254740992.0, kLimit = 9223372036854775808.0;
    const char* const start = at();
    double number = 0;
    if (!is_at_number()) return fail_type("a whole number");
    if (!read_number(number)) return false;
    if (std::abs(number) < kExact) {
      result = static_cast<std::int64_t>(number);
      return static_cast<double>(result) == number ||
             fail(DiagnosticId::wrong_type, fmt::format("is {}, but must be a whole number", as_written(start)));
    }
    if (std::isinf(number)) return fail(DiagnosticId::value_out_of_range, "is too large");
    const auto [end, problem] = std::from_chars(start, at(), result);
    if (problem == std::errc() && end == at()) return true;
    result = std::abs(number) < kLimit ? static_cast<std::int64_t>(number) : number < 0 ? Int64::min() : Int64::max();
    return true;
  }

  bool read_into(JsonIndex& result) {
    const char* const start = at();
    if (!read_integer(result.value)) return false;
    if (result.value == Int64::min() || result.value == Int64::max()) result.written = {start, at()};
    return true;
  }

  bool read_into(bool& result) {
    result = *at() == 't';
    return type() == Type::boolean ? read_literal(result ? "true" : "false") : fail_type("true or false");
  }

  bool read_into(std::string& result) {
    std::string_view text;
    if (type() != Type::string) return fail_type("a string");
    if (!read_quoted(text)) return false;
    if (!unescape(text)) return fail(DiagnosticId::invalid_utf8, "has an escape sequence that is not a character");
    result = text;
    return true;
  }

  template <typename Item>
  bool read_into(std::vector<Item>& items) {
    constexpr bool kNamed = requires(Item item) { item.name; };
    const bool read = read_elements([&] {
      Item& item = items.emplace_back();
      if constexpr (kNamed) name_ = &item.name;
      return read_into(item);
    });
    if constexpr (kNamed) name_ = nullptr;
    return read;
  }

  template <typename T>
  bool read_field(const Field<T>& field, T& target) {
    if constexpr (std::integral<T> && !std::same_as<T, bool>) {
      const char* const start = at();
      std::int64_t wide = 0;
      if (!read_integer(wide)) return false;
      target = static_cast<T>(wide);
      return (wide >= field.min && wide <= field.max) ||
             fail(DiagnosticId::value_out_of_range,
                  fmt::format("is {}, but must be between {} and {}", as_written(start), field.min, field.max));
    } else {
      return read_into(target);
    }
  }

  template <typename T>
  bool read_once(Field<T>& field) {
    if (!std::exchange(field.seen, true)) return read_field(field, field.target);
    T again{};
    if (!read_field(field, again)) return false;
    if (again == field.target) return true;
    // The path has the key of the v1 tool if the text has both.
    const std::string_view key = std::exchange(path.back().name, field.key.v1);
    return contradiction(key == field.key.v1 ? std::string("is given twice with different values")
                                             : fmt::format("contradicts \"{}\"", key));
  }

  template <typename T>
  bool check_present(const Field<T>& field) {
    return field.seen || missing(field.key);
  }

  template <typename... Fields>
  bool read_object(Fields&&... fields) {
    if (*at() != '{') return fail_type("an object");
    return read_fields(fields...) && ((!fields.required || check_present(fields)) && ...);
  }

  /// Ignores the values of unknown keys, which must still be valid JSON.
  template <typename... Fields>
  bool read_fields(Fields&... fields) {
    std::size_t expected = 0;  // Most texts have the fields in this order.
    return JsonReader::read_elements('}', [&] {
      bool read = true;
      [[maybe_unused]] const auto read_if = [&](auto& known, const auto& is_here) {
        const bool is_v1 = is_here(known.key.v1);
        if (!is_v1 && !is_here(known.key.pachario)) return false;
        path.back().name = known.key.in(!is_v1);
        read = read_once(known);
        return true;
      };
      std::size_t number = 0;
      [[maybe_unused]] const auto take = [&](std::string_view wanted) { return take_key(wanted); };
      if (((number++ >= expected && read_if(fields, take) && (expected = number, true)) || ...)) return read;
      std::string_view key;
      if (!read_key(key)) return false;
      [[maybe_unused]] const auto is_same = [&](std::string_view wanted) { return key == wanted; };
      return (read_if(fields, is_same) || ...) ? read : skip();
    });
  }

  template <typename Visit>
  bool read_elements(const Visit& visit) {
    return *at() == '[' ? read_array(visit) : fail_type("an array");
  }

  bool read_root() {
    if (type() != Type::object) return fail_syntax("expected a value, ',', ':' or a closing bracket");
    CharacterData& data = result_.data;
    std::uint32_t version_number = 0;
    std::vector<JsonImage> image_list;
    std::vector<JsonMesh> mesh_list;
    auto version = Field{"version", version_number};
    auto fps = Field{"fps", data.frames_per_second, 0, 65535};
    auto flags = optional("flags", data.reserved_flags);
    auto images = Field{"images", image_list};
    auto bones = Field{"bones", data.bones};
    auto meshes = Field{"meshes", mesh_list};
    auto animations = Field{"animations", data.clips};
    bones_ = &bones;
    if (!read_fields(version, fps, flags, images, bones, meshes, animations)) return false;
    bones_ = nullptr;
    if (!check_present(version)) return false;
    if (version_number != 1) {
      path.emplace_back("version");
      return fail(DiagnosticId::unsupported_version,
                  fmt::format("is {}, but only version 1 is supported", version_number));
    }
    const auto all_present = [&](const auto&... fields) { return (check_present(fields) && ...); };
    if (!all_present(fps, images, bones, meshes, animations)) return false;
    if (data.reserved_flags != 0) {
      warn(DiagnosticId::reserved_flags, "flags", fmt::format("is {}, but version 1 requires 0", data.reserved_flags));
    }
    // The exporter writes this placeholder for a character without an atlas.
    if (image_list.size() == 1 && image_list[0].path.empty() && image_list[0].width == 0 && image_list[0].height == 0) {
      image_list.clear();
    }
    for (JsonImage& image : image_list) {
      const auto encoding = image.format == "png" ? ImageEncoding::png : ImageEncoding::rgba8888;
      data.images.push_back({std::move(image.name), image.width, image.height, encoding, {}});
      result_.image_paths.push_back(std::move(image.path));
    }
    for (const JsonMesh& mesh : mesh_list) append(mesh, data);
    for (Clip& clip : data.clips) clip.frames_per_second = data.frames_per_second;
    return true;
  }

  static void append(const JsonMesh& mesh, CharacterData& data) {
    const auto& [vertices, authored] = mesh.vertices;
    const auto first_vertex = static_cast<std::uint32_t>(data.vertices.size());
    data.meshes.push_back({mesh.name, ImageId{mesh.image}, first_vertex, static_cast<std::uint32_t>(vertices.size()),
                           static_cast<std::uint32_t>(data.indices.size()),
                           static_cast<std::uint32_t>(mesh.indices.size())});
    data.vertices.insert(data.vertices.end(), vertices.begin(), vertices.end());
    data.indices.insert(data.indices.end(), mesh.indices.begin(), mesh.indices.end());
    for (const auto& [vertex, bone, weight] : authored) {
      data.authored_influences.push_back({first_vertex + vertex, bone, weight});
    }
  }

  bool read_into(JsonImage& image) {
    if (!read_object(Field{"name", image.name}, Field{"path", image.path}, Field{"width", image.width, 0, 65535},
                     Field{"height", image.height, 0, 65535}, optional("format", image.format))) {
      return false;
    }
    if (image.format == "png" || image.format == "rgba8888") return true;
    path.emplace_back("format");
    return fail(DiagnosticId::unknown_image_format,
                fmt::format("is \"{}\", but must be png or rgba8888", printable(image.format)));
  }

  bool read_into(Bone& bone) {
    std::int32_t parent = -1;
    if (!read_object(Field{"name", bone.name}, Field{kParentKey, parent, -1, 65534})) return false;
    bone.parent = BoneId(parent);
    return true;
  }

  bool read_into(JsonMesh& mesh) {
    if (!read_object(Field{"name", mesh.name}, Field{kImageKey, mesh.image, 0, 65535}, Field{"vertices", mesh.vertices},
                     Field{kIndicesKey, mesh.indices})) {
      return false;
    }
    const std::size_t vertices = mesh.vertices.vertices.size();
    return vertices <= 65535 ||
           fail(DiagnosticId::value_out_of_range, fmt::format("has {} vertices, but the maximum is 65535", vertices));
  }

  bool read_into(std::vector<std::uint16_t>& indices) {
    return read_elements([&] {
      const char* const start = at();
      std::int64_t index = 0;
      if (!read_integer(index)) return false;
      if (index < 0 || index > 65535) {
        return fail(DiagnosticId::vertex_out_of_range,
                    fmt::format("is {}, but a mesh has at most 65535 vertices", as_written(start)));
      }
      indices.push_back(static_cast<std::uint16_t>(index));
      return true;
    });
  }

  bool read_into(JsonVertices& into) {
    return read_elements([&] { return read_vertex(into); });
  }

  bool read_vertex(JsonVertices& into) {
    Vertex& vertex = into.vertices.emplace_back();
    influences_.clear();
    bone_ids_.clear();
    bone_weights_.clear();
    auto bones = optional("bones", influences_);
    auto ids = optional("boneIds", bone_ids_);
    auto weights = optional("boneWeights", bone_weights_);
    if (!read_object(Field{"x", vertex.x}, Field{"y", vertex.y}, Field{"u", vertex.u}, Field{"v", vertex.v}, bones, ids,
                     weights)) {
      return false;
    }
    if (!ids.seen && !weights.seen) {
      if (!bones.seen) return fail(DiagnosticId::missing_value, "has neither bones nor boneIds and boneWeights");
      return store_influences(into);
    }
    return check_present(ids) && check_present(weights) && join_influences(bones.seen) && store_influences(into);
  }

  bool read_into(Influence& influence) {
    return read_object(Field{"idx", influence.bone}, Field{"weight", influence.weight});
  }

  /// Makes influences from boneIds and boneWeights. If the text also has `bones`, both must agree.
  bool join_influences(bool also_joined) {
    if (bone_ids_.size() != bone_weights_.size()) {
      return fail(DiagnosticId::invalid_structure,
                  fmt::format("has {} boneIds but {} boneWeights", bone_ids_.size(), bone_weights_.size()));
    }
    std::vector<Influence>& joined = also_joined ? other_influences_ : influences_;
    joined.clear();
    for (std::size_t i = 0; i < bone_ids_.size(); ++i) joined.push_back({bone_ids_[i], bone_weights_[i]});
    if (!also_joined) return true;
    // Unused slots may differ.
    const auto used = std::views::filter([](const Influence& influence) { return influence.weight != 0; });
    return std::ranges::equal(joined | used, influences_ | used) ||
           contradiction("has bones that contradict its boneIds and boneWeights");
  }

  /// Stores the influences in the last vertex: all of them, padded with weight 0, or the four largest.
  bool store_influences(JsonVertices& into) {
    std::size_t used = 0;
    for (std::uint32_t slot = 0; slot < influences_.size(); ++slot) {
      const Influence& influence = influences_[slot];
      if (influence.weight == 0) continue;
      ++used;
      const auto& [bone, written] = influence.bone;
      if (bone < 0 || bone > 65535) {
        path.insert(path.end(), {"boneIds", slot});
        return fail(DiagnosticId::bone_out_of_range,
                    fmt::format("is {}, but must be between 0 and 65535",
                                written.empty() ? std::to_string(bone) : shortened(written)));
      }
    }
    if (influences_.size() > 4 && used <= 4) {
      // Drop the last unused ones.
      std::size_t unused_left = 4 - used;
      std::erase_if(influences_, [&](const Influence& influence) {
        if (influence.weight != 0) return false;
        if (unused_left == 0) return true;
        --unused_left;
        return false;
      });
    }
    Vertex& vertex = into.vertices.back();
    const std::size_t first = into.authored.size();
    const auto number = static_cast<std::uint32_t>(into.vertices.size() - 1);
    for (std::size_t slot = 0; slot < influences_.size(); ++slot) {
      const std::int64_t id = influences_[slot].bone.value;
      const float weight = influences_[slot].weight;
      // An unused slot can have any bone index. Keep it if it fits.
      const auto bone = id < 0 || id > 65535 ? std::uint16_t{0} : static_cast<std::uint16_t>(id);
      if (used > 4) {
        into.authored.push_back({number, bone, weight});
      } else {
        vertex.bones[slot] = bone;
        vertex.weights[slot] = weight;
      }
    }
    if (used > 4) keep_four(std::span(into.authored).subspan(first), vertex);
    return true;
  }

  /// Sets `named` from bit 0 of `flags` if the text has that. If both exist and differ, `place` is the key of the
  /// error.
  bool join_flag(const Field<bool>& named, const Field<std::uint8_t>& flags, const char* place) {
    const bool flagged = (flags.target & 1U) != 0;
    if (!named.seen && !flags.seen) return missing(named.key);
    if (named.seen && flags.seen && named.target != flagged) {
      path.emplace_back(place);
      return contradiction(fmt::format("contradicts \"{}\"", named.key.v1 == place ? "flags" : named.key.v1));
    }
    if (flags.seen) named.target = flagged;
    return true;
  }

  bool read_into(Clip& clip) {
    const std::string here = path_text();
    std::uint8_t flag_bits = 0;
    JsonFrames clip_frames;
    clip_warnings_ = {};
    auto loop = optional("loop", clip.looping);
    auto flags = optional("flags", flag_bits);
    if (!read_object(Field{"name", clip.name}, loop, flags, Field{"frames", clip_frames})) return false;
    if (!join_flag(loop, flags, "flags")) return false;
    clip.frame_count = clip_frames.count;
    clip.samples = std::move(clip_frames.samples);
    if ((flag_bits & 0xFEU) != 0) {
      warn(DiagnosticId::reserved_flags, here + ".flags",
           fmt::format("is {}, but version 1 uses only bit 0 (looping)", flag_bits));
    }
    if (clip_warnings_.reserved_bits != 0) {
      warn(DiagnosticId::reserved_flags, here,
           fmt::format("has transforms with the reserved flags {}; version 1 uses only bit 0 (visible)",
                       clip_warnings_.reserved_bits));
    }
    if (clip_warnings_.large_z_orders > 0) {
      warn(DiagnosticId::large_z_order, clip_warnings_.first_large_z_order,
           fmt::format("does not fit PCHR v1, which stores -32768 to 32767{}",
                       clip_warnings_.large_z_orders == 1
                           ? std::string()
                           : fmt::format(", the first of {} in this clip", clip_warnings_.large_z_orders)));
    }
    return true;
  }

  bool read_into(JsonFrames& frames) {
    std::optional<std::size_t> size;
    if (bones_->seen) size = bones_->target.size();
    std::size_t samples = 0;
    const bool read = read_elements([&] {
      const std::size_t before = samples;
      if (!read_elements([&] { return read_transform(frames.samples, samples++); })) return false;
      const std::size_t count = samples - before;
      if (!size) size = count;
      ++frames.count;
      return count == *size || fail_frame_size(count, *size);
    });
    resize(frames.samples, samples);
    if (read && frames.count > 0) frame_sizes_.emplace_back(path[1].index, *size);
    return read;
  }

  bool fail_frame_size(std::size_t transforms, std::size_t bones) {
    return fail(DiagnosticId::frame_size,
                fmt::format("has {}, but the file has {}", counted(transforms, "transform"), counted(bones, "bone")));
  }

  /// Leaves new samples uninitialized, unlike BoneSamples::resize().
  static void resize(BoneSamples& samples, std::size_t count) {
    samples.x.resize(count);
    samples.y.resize(count);
    samples.rotation_degrees.resize(count);
    samples.scale_x.resize(count);
    samples.scale_y.resize(count);
    samples.visible.resize(count);
    samples.z_order.resize(count);
  }

  /// Reads sample `number` of a clip.
  bool read_transform(BoneSamples& samples, std::size_t number) {
    JsonTransform transform;
    auto visible = optional("visible", transform.visible);
    auto flags = optional("flags", transform.flags);
    if (!read_object(Field{"x", transform.x}, Field{"y", transform.y}, Field{"rotation", transform.rotation},
                     Field{"scaleX", transform.scale_x}, Field{"scaleY", transform.scale_y}, visible, flags,
                     Field{"zOrder", transform.z_order}) ||
        !join_flag(visible, flags, "visible")) {
      return false;
    }
    if (++samples_so_far_ > limits_.max_bone_samples) {
      return fail(DiagnosticId::limit_exceeded,
                  fmt::format("exceeds the limit of {} transforms", limits_.max_bone_samples));
    }
    if (number == samples.x.size()) resize(samples, std::max<std::size_t>(2 * number, 64));
    samples.x[number] = transform.x;
    samples.y[number] = transform.y;
    samples.rotation_degrees[number] = transform.rotation;
    samples.scale_x[number] = transform.scale_x;
    samples.scale_y[number] = transform.scale_y;
    samples.visible[number] = static_cast<std::uint8_t>(transform.visible);
    samples.z_order[number] = transform.z_order;
    clip_warnings_.reserved_bits |= transform.flags & 0xFEU;
    if ((transform.z_order < -32768 || transform.z_order > 32767) && clip_warnings_.large_z_orders++ == 0) {
      clip_warnings_.first_large_z_order = path_text() + ".zOrder";
    }
    return true;
  }

  /// Checks the sizes of frames, because the bones may follow the animations.
  bool check_frame_sizes() {
    const CharacterData& data = result_.data;
    for (const auto& [clip, size] : frame_sizes_) {
      if (size == data.bones.size()) continue;
      path = {"animations", clip, "frames", 0};
      name_ = &data.clips[clip].name;
      return fail_frame_size(size, data.bones.size());
    }
    return true;
  }

  struct ClipWarnings {
    std::uint32_t reserved_bits = 0;
    std::uint64_t large_z_orders = 0;
    std::string first_large_z_order;
  };

  std::string_view text_;
  const Limits& limits_;
  JsonCharacter result_;
  const std::string* name_ = nullptr;  // name of the current record
  const Field<std::vector<Bone>>* bones_ = nullptr;
  std::vector<std::pair<std::uint64_t, std::size_t>> frame_sizes_;  // clip, transforms per frame
  std::uint64_t samples_so_far_ = 0;
  ClipWarnings clip_warnings_;
  std::vector<Influence> influences_, other_influences_;  // influences of the current vertex
  std::vector<JsonIndex> bone_ids_;
  std::vector<float> bone_weights_;
};

constexpr std::uint64_t kPackedHeaderBytes = 16;

std::string_view as_text(std::span<const std::byte> bytes) noexcept {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string_view without_space(std::string_view text) noexcept {
  return text.substr(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
}

Expected<std::vector<std::byte>, Diagnostic> read_image_file(const std::string& path, std::uint64_t max_bytes,
                                                             const ReaderOptions& options, Warnings& warnings) {
  ReaderOptions allowing = options;
  if (options.allow_images_outside) allowing.real_folders.clear();
  Companion image = read_companion(path, max_bytes, allowing, warnings);
  if (!image.file && image.file.error().id == DiagnosticId::image_path_refused && options.allow_images_outside) {
    const std::string outside = path_in(options.image_folder, with_slashes(path));
    if (options.before_reading) options.before_reading(outside);
    image.file = read_file(outside, max_bytes, 0, options.read_file);
  }
  if (!image.file) {
    const DiagnosticId id = image.file.error().id;
    const bool is_known = id == DiagnosticId::git_lfs_pointer || id == DiagnosticId::link_outside ||
                          id == DiagnosticId::image_path_refused;
    return fail(is_known ? id : DiagnosticId::image_unreadable,
                fmt::format("is \"{}\", but {}", printable(path), image.file.error().detail));
  }
  image.file->storage.resize(image.file->size);
  return std::move(image.file->storage);
}

/// Checks a PNG, and decodes it if the image declares raw pixels.
std::optional<Diagnostic> check_and_store(Image& image, const Limits& limits) {
  if (auto problem = check_png(image.bytes, image.width, image.height)) {
    problem->detail += fmt::format(", at byte {} of the image", *problem->byte_offset);
    return problem;
  }
  if (image.encoding != ImageEncoding::rgba8888) return std::nullopt;
  image.encoding = ImageEncoding::png;
  auto bitmap = decode_straight(image, limits);
  if (!bitmap) return std::move(bitmap.error());
  const auto pixels = std::as_bytes(std::span(bitmap->rgba));
  image.bytes.assign(pixels.begin(), pixels.end());
  image.encoding = ImageEncoding::rgba8888;
  return std::nullopt;
}

/// Origin of a JSON text.
struct Origin {
  std::size_t file_offset = 0;                              ///< Offset of the text.
  std::optional<std::span<const std::byte>> first_image{};  ///< Image of a packed file, or nothing if images are files.
  Warnings warnings{};
};

/// Adds the bytes of the images and checks them. An image without bytes is drawn as a checkerboard, with a warning.
std::optional<Diagnostic> attach_images(JsonCharacter& character, const Origin& origin, const ReaderOptions& options) {
  std::uint64_t pixels = 0;
  std::uint64_t bytes_left = options.limits.max_file_bytes;  // For all images together, which can all be the same file.
  for (std::uint32_t i = 0; i < character.data.images.size(); ++i) {
    Image& image = character.data.images[i];
    const auto diagnostic = [&](DiagnosticId id, std::string detail) {
      return diagnostic_at(id, character.data, path_of("images", i, "data"), std::move(detail));
    };
    pixels += std::uint64_t{image.width} * image.height;
    if (pixels > options.limits.max_image_pixels) {
      return diagnostic(DiagnosticId::limit_exceeded,
                        fmt::format("is an image of {} x {} pixels, which brings the total to {}, but the limit is {}",
                                    image.width, image.height, pixels, options.limits.max_image_pixels));
    }
    if (!origin.first_image) {
      auto bytes = read_image_file(character.image_paths[i], bytes_left, options, character.warnings);
      if (!bytes) return diagnostic(bytes.error().id, std::move(bytes.error().detail));
      bytes_left -= bytes->size();
      image.bytes = *std::move(bytes);
    } else if (i == 0) {
      image.bytes.assign(origin.first_image->begin(), origin.first_image->end());
    }
    if (image.bytes.empty()) {
      image.encoding = ImageEncoding::absent;
      character.warnings.add(DiagnosticId::image_absent, [&] {
        return diagnostic(DiagnosticId::image_absent, "refers to an image that is not in the file");
      });
      continue;
    }
    // The file of an rgba8888 image can be a PNG or raw pixels.
    const bool is_png = image.encoding == ImageEncoding::png || as_text(image.bytes).starts_with("\x89PNG");
    if (!is_png || image.width == 0 || image.height == 0) continue;
    if (auto problem = check_and_store(image, options.limits)) {
      return diagnostic(problem->id, "refers to an image that " + problem->detail);
    }
  }
  return std::nullopt;
}

Expected<Imported, LoadError> read_text(std::span<const std::byte> bytes, std::size_t readable, Origin origin,
                                        const ReaderOptions& options) {
  JsonText json{as_text(bytes), origin.file_offset};
  std::string copy;
  if (readable == bytes.size() || bytes.data()[bytes.size()] != std::byte{0}) json.text = copy = json.text;
  const bool has_mark = json.text.starts_with(kUtf8Mark);
  if (has_mark) json = {json.text.substr(kUtf8Mark.size()), json.file_offset + kUtf8Mark.size()};
  const auto failed = [&](Diagnostic error) {
    locate(json, {&error, 1});
    return Unexpected(std::move(error));
  };
  const char* const format = origin.first_image ? "packed Pachario JSON" : "Pachario JSON";
  auto parsed = CharacterReader(json, options.limits, std::move(origin.warnings)).read();
  if (!parsed) return failed(std::move(parsed.error()));
  if (has_mark) {
    warn(parsed->warnings, DiagnosticId::byte_order_mark, {.offset = 0, .line = 1, .column = 1},
         "the JSON starts with a byte order mark, which UTF-8 does not need");
  }
  if (auto problem = attach_images(*parsed, origin, options)) return failed(std::move(*problem));
  auto character = CharacterBuilder::build(
      std::move(parsed->data), options.bind_pose, [&](std::span<Diagnostic> diagnostics) { locate(json, diagnostics); },
      std::move(parsed->warnings));
  if (!character) return Unexpected(std::move(character.error()));
  return Imported{.character = *std::move(character), .format = format};
}

struct PackedHeader {
  std::uint32_t version = 0, json_bytes = 0, image_bytes = 0;
};

/// Reads an older packed file: a 16-byte header, JSON, and a PNG for the first image. Its image paths are only names.
/// Bytes after the PNG are a warning.
Expected<Imported, LoadError> read_packed(const Source& source, const PackedHeader& header,
                                          const ReaderOptions& options) {
  const std::uint64_t end = kPackedHeaderBytes + std::uint64_t{header.json_bytes} + header.image_bytes;
  if (end > source.bytes.size()) {
    return fail(DiagnosticId::truncated, 8,
                fmt::format("the header declares an older packed file of 16 + {} + {} bytes, but this one has {}",
                            header.json_bytes, header.image_bytes, source.bytes.size()));
  }
  const auto contents = source.bytes.subspan(kPackedHeaderBytes);
  Origin origin{kPackedHeaderBytes, contents.subspan(header.json_bytes, header.image_bytes)};
  if (end < source.bytes.size()) {
    warn(origin.warnings, DiagnosticId::trailing_bytes, {.offset = end}, "the file has {} after the character",
         counted(source.bytes.size() - end, "byte"));
  }
  return read_text(contents.first(header.json_bytes), source.readable - kPackedHeaderBytes, std::move(origin), options);
}

}  // namespace

bool looks_like_pchr(const Source& source) { return has_v1_magic(source.bytes); }

Expected<Imported, LoadError> read_pchr(const Source& source, const ReaderOptions& options) {
  ByteReader reader(source.bytes);
  (void)reader.take(4);
  const auto header = reader.read<PackedHeader>();
  if (is_packed(source.bytes)) return read_packed(source, header, options);
  auto character = read_pchr_v1(source.bytes, {options.limits, options.bind_pose});
  if (character) return Imported{.character = *std::move(character), .format = "PCHR v1"};
  // A packed file of the wrong size: its JSON starts with a key.
  const std::string_view json = without_space(as_text(reader.take(reader.remaining())).substr(0, header.json_bytes));
  const bool resembles_packed = !reader.failed() && header.version == 1 && json.starts_with('{') &&
                                without_space(json.substr(1)).starts_with('"');
  if (resembles_packed) return read_packed(source, header, options);
  return Unexpected(std::move(character.error()));
}

bool looks_like_json(const Source& source) {
  std::string_view text = as_text(source.bytes);
  if (text.starts_with(kUtf8Mark)) text.remove_prefix(kUtf8Mark.size());
  return without_space(text).starts_with('{');
}

Expected<Imported, LoadError> read_json(const Source& source, const ReaderOptions& options) {
  return read_text(source.bytes, source.readable, {}, options);
}

}  // namespace pchr
