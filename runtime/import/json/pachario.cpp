// SPDX-License-Identifier: MIT
// Reads the JSON of a Pachario character in one pass, and finds places in it.
#include "import/json/json.hpp"

#include "character/influences.hpp"
#include "character/utf8.hpp"
#include "compiler/compiler.hpp"

#include <fmt/format.h>

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

// A text must contain a closing brace after the value, which ends any scan, and then simdjson's padding.

[[nodiscard]] inline const char* skip_space(const char* text) noexcept {
  while (*text == ' ' || *text == '\n' || *text == '\r' || *text == '\t') ++text;
  return text;
}

[[nodiscard]] PCHR_ALWAYS_INLINE inline const char* scan_digits(const char* text, std::uint64_t& number) noexcept {
  for (; *text >= '0' && *text <= '9'; ++text) number = 10 * number + static_cast<std::uint64_t>(*text - '0');
  return text;
}

/// Reads a valid number of any length. Returns false if it is beyond the range of `double`, or if the standard library
/// has no function for this.
[[nodiscard]] inline bool round_exactly([[maybe_unused]] const char* text, [[maybe_unused]] const char* end,
                                        [[maybe_unused]] double& number) noexcept {
#ifdef __cpp_lib_to_chars
  return std::from_chars(text, end, number).ec == std::errc();
#else
  return false;
#endif
}

/// Reads a number without an exponent and rounds it correctly. Like the other overloads of `scan_value`, returns the
/// end of the number, or nullptr if it is left to the parser.
[[nodiscard]] inline const char* scan_value(const char* text, double& number) noexcept {
  static constexpr double kPowers[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                       1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  const bool is_negative = *text == '-';
  const char* const first = text + (is_negative ? 1 : 0);
  std::uint64_t digits = 0;
  const char* end = scan_digits(first, digits);
  if (end == first || (*first == '0' && end - first > 1)) return nullptr;
  std::ptrdiff_t decimals = 0;
  if (*end == '.') {
    const char* const decimals_start = end + 1;
    end = scan_digits(decimals_start, digits);
    decimals = end - decimals_start;
    if (decimals == 0) return nullptr;
  }
  if (end - first < std::ssize(kPowers)) {
    // Both are exact, so their quotient is rounded once.
    const double magnitude = static_cast<double>(digits) / kPowers[decimals];
    number = is_negative ? -magnitude : magnitude;
    return end;
  }
  return round_exactly(text, end, number) ? end : nullptr;
}

[[nodiscard]] PCHR_ALWAYS_INLINE inline const char* scan_value(const char* text, Field<float>& field) noexcept {
  double number = 0;
  const char* const end = scan_value(text, number);
  field.target = static_cast<float>(number);
  return std::isfinite(field.target) ? end : nullptr;
}

template <std::integral T>
[[nodiscard]] PCHR_ALWAYS_INLINE inline const char* scan_value(const char* text, Field<T>& field) noexcept {
  constexpr double kExact = 9007199254740992.0;
  double number = 0;
  const char* const end = scan_value(text, number);
  if (std::abs(number) > kExact) return nullptr;
  const auto whole = static_cast<std::int64_t>(number);
  field.target = static_cast<T>(whole);
  return static_cast<double>(whole) == number && whole >= field.min && whole <= field.max ? end : nullptr;
}

[[nodiscard]] PCHR_ALWAYS_INLINE inline const char* scan_value(const char* text, Field<bool>& field) noexcept {
  field.target = *text == 't';
  if (std::memcmp(text, "true", 4) == 0) return text + 4;
  return std::memcmp(text, "false", 5) == 0 ? text + 5 : nullptr;
}

[[nodiscard]] PCHR_ALWAYS_INLINE inline const char* scan_key(const char* text, std::string_view key) noexcept {
  const bool is_key =
      text[0] == '"' && text[key.size() + 1] == '"' && std::memcmp(text + 1, key.data(), key.size()) == 0;
  return is_key ? text + key.size() + 2 : nullptr;
}

/// Returns the next key after a field, the closing brace, or `text` if this is another field or left to the parser.
template <typename T>
[[nodiscard]] PCHR_ALWAYS_INLINE inline const char* scan_field(const char* text, Field<T>& field) noexcept {
  const char* end = scan_key(text, field.key.v1);
  if (end == nullptr) end = scan_key(text, field.key.pachario);
  if (end == nullptr || field.seen) return text;
  end = skip_space(end);
  if (*end != ':') return text;
  end = scan_value(skip_space(end + 1), field);
  if (end == nullptr) return text;
  end = skip_space(end);
  if (*end == ',') {
    end = skip_space(end + 1);
    if (*end != '"') return text;
  } else if (*end != '}') {
    return text;
  }
  field.seen = true;
  return end;
}

/// Reads an object that has all required fields, none of them twice, and no unknown ones. If it returns false, the
/// fields are unspecified.
template <typename... Fields>
[[nodiscard]] PCHR_ALWAYS_INLINE inline bool scan_object(const char* text, Fields&... fields) noexcept {
  if (*text != '{') return false;
  text = skip_space(text + 1);
  const char* start = nullptr;
  do {
    start = text;
    ((text = scan_field(text, fields)), ...);
  } while (text != start);
  return *text == '}' && ((fields.seen || !fields.required) && ...);
}

namespace ondemand = simdjson::ondemand;

constexpr std::size_t kMaxDepth = 64;
using Int64 = std::numeric_limits<std::int64_t>;

struct Influence {
  std::int64_t bone = 0;
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

struct TransformFields {
  explicit TransformFields(JsonTransform& to)
      : x{"x", to.x},
        y{"y", to.y},
        rotation{"rotation", to.rotation},
        scale_x{"scaleX", to.scale_x},
        scale_y{"scaleY", to.scale_y},
        visible(optional("visible", to.visible)),
        flags(optional("flags", to.flags)),
        z_order{"zOrder", to.z_order} {}

  Field<float> x, y, rotation, scale_x, scale_y;
  Field<bool> visible;
  Field<std::uint8_t> flags;
  Field<std::int32_t> z_order;
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

/// Names the type of a value.
std::string_view type_name(ondemand::value value) {
  ondemand::json_type type{};
  if (value.type().get(type) != simdjson::SUCCESS) return "malformed";
  switch (type) {
    case ondemand::json_type::array:
      return "an array";
    case ondemand::json_type::object:
      return "an object";
    case ondemand::json_type::string:
      return "a string";
    case ondemand::json_type::boolean:
      return "a boolean";
    case ondemand::json_type::null:
      return "null";
    default:
      return "a number";
  }
}

/// Returns whether a value is a number in JSON's grammar, of any size.
bool is_number(ondemand::value value) {
  std::string_view token = value.raw_json_token();
  const auto skip_digits = [&] {
    const std::size_t count = std::min(token.find_first_not_of("0123456789"), token.size());
    token.remove_prefix(count);
    return count;
  };
  const auto skip_any = [&](std::string_view characters) {
    const bool found = token.find_first_of(characters) == 0;
    if (found) token.remove_prefix(1);
    return found;
  };
  skip_any("-");
  const bool has_whole = skip_any("0") || skip_digits() > 0;
  if (!has_whole || (skip_any(".") && skip_digits() == 0)) return false;
  if (skip_any("eE")) {
    skip_any("+-");
    if (skip_digits() == 0) return false;
  }
  return token.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

/// Returns a number as it stands in the text, shortened if it is very long.
std::string as_written(ondemand::value value) {
  constexpr std::size_t kMaxLength = 40;
  std::string_view token = value.raw_json_token();
  token = token.substr(0, token.find_first_of(" \t\r\n"));
  return token.size() <= kMaxLength ? std::string(token) : std::string(token.substr(0, kMaxLength)) + "...";
}

/// Returns the offset of a byte that is not UTF-8, a control character in a string, or a string that is not closed.
std::size_t find_broken(std::string_view text) {
  if (const auto invalid = find_invalid_utf8(text)) return *invalid;
  std::optional<std::size_t> string_start;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (string_start && static_cast<unsigned char>(text[i]) < 0x20) return i;
    if (string_start && text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      string_start = string_start ? std::nullopt : std::optional(i);
    }
  }
  return string_start.value_or(text.size());
}

/// Reads one text. Every step returns whether to continue; if not, `error_` is set.
class JsonReader {
 public:
  JsonReader(const JsonText& json, const Limits& limits, Warnings warnings)
      : json_(json), text_(json.text), limits_(limits) {
    result_.warnings = std::move(warnings);
  }

  Expected<JsonCharacter, Diagnostic> read() {
    if (!read_document()) return Unexpected(std::move(error_));
    return std::move(result_);
  }

 private:
  [[nodiscard]] std::string path() const {
    std::string text;
    for (const PathStep& step : path_) append_step(text, step);
    return text;
  }

  [[nodiscard]] std::string name() const { return name_ != nullptr ? *name_ : std::string(); }

  bool fail(DiagnosticId id, std::string detail) {
    error_ = {id, path(), name(), {}, std::move(detail)};
    return false;
  }

  bool missing(const JsonKey& key) {
    path_.emplace_back(key.in(is_pachario_dialect(text_)));
    return fail(DiagnosticId::missing_value, "is missing");
  }

  bool contradiction(std::string detail) { return fail(DiagnosticId::contradiction, std::move(detail)); }

  bool fail_syntax(simdjson::error_code error) {
    const char* location = nullptr;
    const bool known = document_.current_location().get(location) == simdjson::SUCCESS && location >= text_.data() &&
                       location <= text_.data() + text_.size();
    return fail_syntax(error, known ? static_cast<std::size_t>(location - text_.data()) : text_.size());
  }

  bool fail_syntax(simdjson::error_code error, std::size_t offset) {
    if (error == simdjson::INCOMPLETE_ARRAY_OR_OBJECT) {
      // simdjson only looks whether the text ends with a brace.
      if (const auto rest = find_text_after_object(text_)) error = simdjson::TRAILING_CONTENT, offset = *rest;
    }
    error_ = {DiagnosticId::invalid_json, {}, {}, {}, std::string(describe_syntax_error(error))};
    set_place(error_, json_, offset);
    return false;
  }

  /// Fails because a value is not `expected`: it has another type, or is not valid JSON.
  bool fail_value(simdjson::error_code error, ondemand::value value, std::string_view expected) {
    if (error != simdjson::INCORRECT_TYPE && error != simdjson::NUMBER_ERROR) return fail_syntax(error);
    const std::string_view found = type_name(value);
    const auto path = path_;
    if (!skip(value)) return false;
    path_ = path;
    return fail(DiagnosticId::wrong_type, fmt::format("is {}, but must be {}", found, expected));
  }

  void warn(DiagnosticId id, std::string path, std::string detail) {
    result_.warnings.add(id, [&] { return Diagnostic{id, std::move(path), name(), {}, std::move(detail)}; });
  }

  bool fail_number(simdjson::error_code error, ondemand::value value, DiagnosticId too_large,
                   std::string_view expected) {
    return is_number(value) ? fail(too_large, "is too large") : fail_value(error, value, expected);
  }

  bool read_into(ondemand::value value, float& result) {
    const std::string_view token = value.raw_json_token();
    double number = 0;
    if (const auto error = value.get_double().get(number)) {
      return fail_number(error, value, DiagnosticId::not_finite, "a number");
    }
    // simdjson 3.0 reads more than 19 digits after "0." as another number.
    if (token.size() > 20) (void)round_exactly(token.data(), token.data() + token.size(), number);
    result = static_cast<float>(number);
    if (std::isfinite(result)) return true;
    return fail(DiagnosticId::not_finite, fmt::format("is {}, which does not fit in a float", as_written(value)));
  }

  /// Reads a whole number, which can be written as 24.0 or 1E+0.
  bool read_integer(ondemand::value value, std::int64_t min, std::int64_t max, std::int64_t& result) {
    if (value.get_int64().get(result) != simdjson::SUCCESS) {
      double number = 0;
      if (const auto error = value.get_double().get(number)) {
        return fail_number(error, value, DiagnosticId::value_out_of_range, "a whole number");
      }
      if (number != std::floor(number)) {
        return fail(DiagnosticId::wrong_type, fmt::format("is {}, but must be a whole number", as_written(value)));
      }
      constexpr double kLimit = 9223372036854775808.0;
      result = std::abs(number) < kLimit ? static_cast<std::int64_t>(number) : number < 0 ? Int64::min() : Int64::max();
    }
    if (result >= min && result <= max) return true;
    return fail(DiagnosticId::value_out_of_range,
                fmt::format("is {}, but must be between {} and {}", as_written(value), min, max));
  }

  bool read_into(ondemand::value value, std::int64_t& result) {
    return read_integer(value, Int64::min(), Int64::max(), result);
  }

  bool read_into(ondemand::value value, bool& result) {
    const auto error = value.get_bool().get(result);
    return error == simdjson::SUCCESS || fail_value(error, value, "true or false");
  }

  bool read_into(ondemand::value value, std::string& result) {
    std::string_view text;
    if (const auto error = value.get_string().get(text)) {
      if (error == simdjson::STRING_ERROR) {
        return fail(DiagnosticId::invalid_utf8, "has an escape sequence that is not a character");
      }
      return fail_value(error, value, "a string");
    }
    result = text;
    return true;
  }

  template <typename Item>
  bool read_into(ondemand::value value, std::vector<Item>& items) {
    constexpr bool kNamed = requires(Item item) { item.name; };
    const bool read = read_array(value, [&](ondemand::value element) {
      Item& item = items.emplace_back();
      if constexpr (kNamed) name_ = &item.name;
      return read_into(element, item);
    });
    if constexpr (kNamed) name_ = nullptr;
    return read;
  }

  template <typename T>
  bool read_field(ondemand::value value, const Field<T>& field, T& target) {
    if constexpr (std::integral<T> && !std::same_as<T, bool>) {
      std::int64_t wide = 0;
      const bool read = read_integer(value, field.min, field.max, wide);
      target = static_cast<T>(wide);
      return read;
    } else {
      return read_into(value, target);
    }
  }

  template <typename T>
  bool read_once(ondemand::value value, Field<T>& field) {
    if (!std::exchange(field.seen, true)) return read_field(value, field, field.target);
    T again{};
    if (!read_field(value, field, again)) return false;
    if (again == field.target) return true;
    // The path has the key of the v1 tool if the text has both.
    const std::string_view key = std::exchange(path_.back().name, field.key.v1);
    return contradiction(key == field.key.v1 ? std::string("is given twice with different values")
                                             : fmt::format("contradicts \"{}\"", key));
  }

  template <typename T>
  bool check_present(const Field<T>& field) {
    return field.seen || missing(field.key);
  }

  template <typename... Fields>
  bool read_object(ondemand::value value, Fields&&... fields) {
    ondemand::object object;
    if (const auto error = value.get_object().get(object)) return fail_value(error, value, "an object");
    return read_fields(object, fields...) && ((!fields.required || check_present(fields)) && ...);
  }

  /// Ignores the values of unknown keys, which must still be valid JSON.
  template <typename... Fields>
  bool read_fields(ondemand::object object, Fields&... fields) {
    path_.emplace_back(0);
    for (auto item : object) {
      if (item.error() != simdjson::SUCCESS) return fail_syntax(item.error());
      ondemand::field& field = item.value_unsafe();  // A copy would wait for the stores of its parts.
      std::string_view key;
      if (const auto error = field.unescaped_key().get(key)) return fail_syntax(error);
      path_.back().name = key;
      bool read = true;
      [[maybe_unused]] const auto matches = [&](auto& known) {
        if (key != known.key.v1 && key != known.key.pachario) return false;
        read = read_once(field.value(), known);
        return true;
      };
      if (!(matches(fields) || ...)) read = skip(field.value());
      if (!read) return false;
    }
    path_.pop_back();
    return true;
  }

  template <typename Visit>
  bool read_array(ondemand::value value, Visit visit) {
    ondemand::array array;
    if (const auto error = value.get_array().get(array)) return fail_value(error, value, "an array");
    path_.emplace_back(0);
    for (auto item : array) {
      if (item.error() != simdjson::SUCCESS) return fail_syntax(item.error());
      if (!visit(item.value_unsafe())) return false;
      ++path_.back().index;
    }
    path_.pop_back();
    return true;
  }

  bool skip(ondemand::value value) {
    if (path_.size() > kMaxDepth) return fail_syntax(simdjson::DEPTH_ERROR);
    ondemand::json_type type{};
    if (const auto error = value.type().get(type)) return fail_syntax(error);
    switch (type) {
      case ondemand::json_type::array:
        return read_array(value, [&](ondemand::value element) { return skip(element); });
      case ondemand::json_type::object:
        return read_object(value);
      case ondemand::json_type::number:
        return is_number(value) || fail_syntax(simdjson::NUMBER_ERROR);
      default:
        break;
    }
    const auto error = type == ondemand::json_type::string    ? value.get_string().error()
                       : type == ondemand::json_type::boolean ? value.get_bool().error()
                                                              : value.is_null().error();
    return error == simdjson::SUCCESS || fail_syntax(error);
  }

  bool read_document() {
    if (const auto error = iterate(parser_, text_, document_)) {
      return fail_syntax(error, find_broken(text_));
    }
    // The parser checks the end of the text only for an object, and relies on that check.
    ondemand::object root;
    if (const auto error = document_.get_object().get(root)) return fail_syntax(error);
    if (!read_root(root)) return false;
    // After the end there is no current location.
    const char* rest = nullptr;
    if (document_.current_location().get(rest) == simdjson::SUCCESS) return fail_syntax(simdjson::TRAILING_CONTENT);
    return check_frame_sizes();
  }

  bool read_root(ondemand::object root) {
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
    if (!read_fields(root, version, fps, flags, images, bones, meshes, animations)) return false;
    bones_ = nullptr;
    if (!check_present(version)) return false;
    if (version_number != 1) {
      path_.emplace_back("version");
      return fail(DiagnosticId::unsupported_version,
                  fmt::format("is {}, but only version 1 is supported", version_number));
    }
    const auto all_present = [&](const auto&... fields) { return (check_present(fields) && ...); };
    if (!all_present(fps, images, bones, meshes, animations)) return false;
    if (data.reserved_flags != 0) {
      warn(DiagnosticId::reserved_flags, "flags", fmt::format("is {}, but version 1 requires 0", data.reserved_flags));
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

  bool read_into(ondemand::value value, JsonImage& image) {
    if (!read_object(value, Field{"name", image.name}, Field{"path", image.path}, Field{"width", image.width, 0, 65535},
                     Field{"height", image.height, 0, 65535}, optional("format", image.format))) {
      return false;
    }
    if (image.format == "png" || image.format == "rgba8888") return true;
    path_.emplace_back("format");
    return fail(DiagnosticId::unknown_image_format,
                fmt::format("is \"{}\", but must be png or rgba8888", printable(image.format)));
  }

  bool read_into(ondemand::value value, Bone& bone) {
    std::int32_t parent = -1;
    if (!read_object(value, Field{"name", bone.name}, Field{kParentKey, parent, -1, 65534})) return false;
    bone.parent = BoneId(parent);
    return true;
  }

  bool read_into(ondemand::value value, JsonMesh& mesh) {
    if (!read_object(value, Field{"name", mesh.name}, Field{kImageKey, mesh.image, 0, 65535},
                     Field{"vertices", mesh.vertices}, Field{kIndicesKey, mesh.indices})) {
      return false;
    }
    const std::size_t vertices = mesh.vertices.vertices.size();
    return vertices <= 65535 ||
           fail(DiagnosticId::value_out_of_range, fmt::format("has {} vertices, but the maximum is 65535", vertices));
  }

  bool read_into(ondemand::value value, std::vector<std::uint16_t>& indices) {
    return read_array(value, [&](ondemand::value element) {
      std::int64_t index = 0;
      if (!read_into(element, index)) return false;
      if (index < 0 || index > 65535) {
        return fail(DiagnosticId::vertex_out_of_range,
                    fmt::format("is {}, but a mesh has at most 65535 vertices", as_written(element)));
      }
      indices.push_back(static_cast<std::uint16_t>(index));
      return true;
    });
  }

  bool read_into(ondemand::value value, JsonVertices& into) {
    return read_array(value, [&](ondemand::value element) { return read_vertex(element, into); });
  }

  bool read_vertex(ondemand::value value, JsonVertices& into) {
    Vertex& vertex = into.vertices.emplace_back();
    influences_.clear();
    bone_ids_.clear();
    bone_weights_.clear();
    auto bones = optional("bones", influences_);
    auto ids = optional("boneIds", bone_ids_);
    auto weights = optional("boneWeights", bone_weights_);
    if (!read_object(value, Field{"x", vertex.x}, Field{"y", vertex.y}, Field{"u", vertex.u}, Field{"v", vertex.v},
                     bones, ids, weights)) {
      return false;
    }
    if (!ids.seen && !weights.seen) {
      if (!bones.seen) return fail(DiagnosticId::missing_value, "has neither bones nor boneIds and boneWeights");
      return store_influences(into);
    }
    return check_present(ids) && check_present(weights) && join_influences(bones.seen) && store_influences(into);
  }

  bool read_into(ondemand::value value, Influence& influence) {
    return read_object(value, Field{"idx", influence.bone}, Field{"weight", influence.weight});
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
      if (influence.bone < 0 || influence.bone > 65535) {
        path_.insert(path_.end(), {"boneIds", slot});
        return fail(DiagnosticId::bone_out_of_range,
                    fmt::format("is {}, but must be between 0 and 65535", influence.bone));
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
      const auto& [id, weight] = influences_[slot];
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
      path_.emplace_back(place);
      return contradiction(fmt::format("contradicts \"{}\"", named.key.v1 == place ? "flags" : named.key.v1));
    }
    if (flags.seen) named.target = flagged;
    return true;
  }

  bool read_into(ondemand::value value, Clip& clip) {
    const std::string here = path();
    std::uint8_t flag_bits = 0;
    JsonFrames clip_frames;
    clip_warnings_ = {};
    auto loop = optional("loop", clip.looping);
    auto flags = optional("flags", flag_bits);
    if (!read_object(value, Field{"name", clip.name}, loop, flags, Field{"frames", clip_frames})) return false;
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

  bool read_into(ondemand::value value, JsonFrames& frames) {
    std::optional<std::size_t> size;
    if (bones_->seen) size = bones_->target.size();
    std::size_t samples = 0;
    const bool read = read_array(value, [&](ondemand::value element) {
      const std::size_t before = samples;
      if (!read_array(element, [&](ondemand::value transform) {
            return read_transform(transform, frames.samples, samples++);
          })) {
        return false;
      }
      const std::size_t count = samples - before;
      if (!size) size = count;
      ++frames.count;
      return count == *size || fail_frame_size(count, *size);
    });
    resize(frames.samples, samples);
    if (read && frames.count > 0) frame_sizes_.emplace_back(path_[1].index, *size);
    return read;
  }

  bool fail_frame_size(std::size_t transforms, std::size_t bones) {
    return fail(DiagnosticId::frame_size,
                fmt::format("has {}, but the file has {}", counted(transforms, "transform"), counted(bones, "bone")));
  }

  /// Reads a transform that says once whether the bone is visible, and returns false for any other text.
  static bool scan_transform(const char* text, JsonTransform& transform) {
    TransformFields fields(transform);
    if (!scan_object(text, fields.x, fields.y, fields.rotation, fields.scale_x, fields.scale_y, fields.visible,
                     fields.flags, fields.z_order) ||
        fields.visible.seen == fields.flags.seen) {
      return false;
    }
    if (fields.flags.seen) transform.visible = (transform.flags & 1U) != 0;
    return true;
  }

  bool parse_transform(ondemand::value value, JsonTransform& transform) {
    transform = {};
    TransformFields fields(transform);
    return read_object(value, fields.x, fields.y, fields.rotation, fields.scale_x, fields.scale_y, fields.visible,
                       fields.flags, fields.z_order) &&
           join_flag(fields.visible, fields.flags, "visible");
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
  bool read_transform(ondemand::value value, BoneSamples& samples, std::size_t number) {
    const char* const text = std::to_address(value.raw_json_token().begin());
    JsonTransform transform;
    if (!scan_transform(text, transform) && !parse_transform(value, transform)) return false;
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
      clip_warnings_.first_large_z_order = path() + ".zOrder";
    }
    return true;
  }

  /// Checks the sizes of frames, because the bones may follow the animations.
  bool check_frame_sizes() {
    const CharacterData& data = result_.data;
    for (const auto& [clip, size] : frame_sizes_) {
      if (size == data.bones.size()) continue;
      path_ = {"animations", clip, "frames", 0};
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

  const JsonText& json_;
  std::string_view text_;
  const Limits& limits_;
  ondemand::parser parser_;
  ondemand::document document_;
  JsonCharacter result_;
  Diagnostic error_;
  std::vector<PathStep> path_;         // path of the current value
  const std::string* name_ = nullptr;  // name of the current record
  const Field<std::vector<Bone>>* bones_ = nullptr;
  std::vector<std::pair<std::uint64_t, std::size_t>> frame_sizes_;  // clip, transforms per frame
  std::uint64_t samples_so_far_ = 0;
  ClipWarnings clip_warnings_;
  std::vector<Influence> influences_, other_influences_;  // influences of the current vertex
  std::vector<std::int64_t> bone_ids_;
  std::vector<float> bone_weights_;
};

/// Step of a path for which a text may use another key.
struct Alias {
  std::string_view name;
  JsonKey key;
  std::string_view pachario_child{};  ///< Key of the value one level deeper in the exporter's dialect.
};

constexpr Alias kAliases[] = {{"parent", kParentKey},
                              {"image", kImageKey},
                              {"indices", kIndicesKey},
                              {"indexCount", kIndicesKey},
                              {"data", "path"},
                              {"flags", {"flags", "loop"}},
                              {"boneIds", {"boneIds", "bones"}, "idx"},
                              {"boneWeights", {"boneWeights", "bones"}, "weight"}};

/// Search for a path in one dialect.
struct Search {
  std::vector<PathStep> steps;
  std::size_t path_steps = 0;  ///< Number of steps without the child of an alias.
  std::size_t found_steps = 0;
  const char* found = nullptr;  ///< Deepest value found.
};
using Searches = std::vector<Search*>;

Search make_search(std::string_view text, std::string_view path, bool pachario) {
  Search search{.steps = split_path(path), .found = std::to_address(text.begin())};
  search.path_steps = search.steps.size();
  for (std::size_t i = 0; i < search.path_steps; ++i) {
    const auto* const alias = std::ranges::find(kAliases, search.steps[i].name, &Alias::name);
    if (alias == std::end(kAliases)) continue;
    search.steps[i] = alias->key.in(pachario);
    if (pachario && !alias->pachario_child.empty()) search.steps.emplace_back(alias->pachario_child);
  }
  return search;
}

bool visit_object(ondemand::object object, const Searches& searches, std::size_t depth);
bool visit_array(ondemand::array array, const Searches& searches, std::size_t depth);

/// Visits a part of a value at a depth of `depth` steps, for those of `searches` whose next step leads there. Returns
/// whether the text is valid so far.
template <class IsStep>
bool visit(ondemand::value part, const Searches& searches, std::size_t depth, const IsStep& is_step) {
  Searches deeper;
  for (Search* const search : searches) {
    if (search->found_steps != depth || !is_step(search->steps[depth])) continue;
    search->found = part.raw_json_token().data();
    search->found_steps = depth + 1;
    if (search->steps.size() > depth + 1) deeper.push_back(search);
  }
  if (deeper.empty()) return true;
  ondemand::object object;
  if (part.get_object().get(object) == simdjson::SUCCESS) return visit_object(object, deeper, depth + 1);
  ondemand::array array;
  return part.get_array().get(array) != simdjson::SUCCESS || visit_array(array, deeper, depth + 1);
}

bool visit_object(ondemand::object object, const Searches& searches, std::size_t depth) {
  for (auto item : object) {
    ondemand::field field;
    std::string_view key;
    if (std::move(item).get(field) != simdjson::SUCCESS || field.unescaped_key().get(key) != simdjson::SUCCESS ||
        !visit(field.value(), searches, depth, [&](const PathStep& step) { return step.name == key; })) {
      return false;
    }
  }
  return true;
}

bool visit_array(ondemand::array array, const Searches& searches, std::size_t depth) {
  std::uint64_t index = 0;
  for (auto item : array) {
    const auto is_step = [&](const PathStep& step) { return step.name.empty() && step.index == index; };
    ondemand::value element;
    if (std::move(item).get(element) != simdjson::SUCCESS || !visit(element, searches, depth, is_step)) return false;
    ++index;
  }
  return true;
}

void find(std::string_view text, std::vector<Search>& searches) {
  ondemand::parser parser;
  ondemand::document document;
  ondemand::object root;
  if (iterate(parser, text, document) != simdjson::SUCCESS || document.get_object().get(root) != simdjson::SUCCESS)
    return;
  Searches all;
  for (Search& search : searches) {
    search.found = text.data() + std::min(text.find('{'), text.size());
    all.push_back(&search);
  }
  (void)visit_object(root, all, 0);
}

}  // namespace

Expected<JsonCharacter, Diagnostic> parse_pachario_json(const JsonText& json, const Limits& limits, Warnings warnings) {
  return JsonReader(json, limits, std::move(warnings)).read();
}

bool is_pachario_dialect(std::string_view text) noexcept {
  return text.find("\"parentIdx\"") != std::string_view::npos || text.find("\"imageIdx\"") != std::string_view::npos;
}

void set_place(Diagnostic& diagnostic, const JsonText& json, std::size_t offset) {
  const std::string_view before = json.text.substr(0, offset);
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  diagnostic.byte_offset = json.file_offset + offset;
  diagnostic.line = static_cast<std::uint32_t>(std::ranges::count(before, '\n') + 1);
  diagnostic.column = static_cast<std::uint32_t>(offset - line_start + 1);
}

void locate(const JsonText& json, std::span<Diagnostic> diagnostics) {
  std::vector<Diagnostic*> unlocated;
  std::vector<Search> searches;  // Two per diagnostic: in the dialect of v1, then in the exporter's.
  for (Diagnostic& diagnostic : diagnostics) {
    if (diagnostic.line != 0 || diagnostic.path.empty()) continue;
    unlocated.push_back(&diagnostic);
    for (const bool pachario : {false, true}) searches.push_back(make_search(json.text, diagnostic.path, pachario));
  }
  if (searches.empty()) return;
  find(json.text, searches);
  const bool pachario = is_pachario_dialect(json.text);
  for (std::size_t i = 0; i < unlocated.size(); ++i) {
    const Search &v1 = searches[2 * i], &other = searches[2 * i + 1];
    const bool is_other = v1.found_steps < v1.path_steps && other.found_steps >= v1.found_steps + (pachario ? 0 : 1);
    const Search& found = is_other ? other : v1;
    std::string path;
    for (const PathStep& step : std::span(found.steps).first(std::max(found.found_steps, found.path_steps)))
      append_step(path, step);
    unlocated[i]->path = std::move(path);
    set_place(*unlocated[i], json, static_cast<std::size_t>(found.found - json.text.data()));
  }
}

}  // namespace pchr
