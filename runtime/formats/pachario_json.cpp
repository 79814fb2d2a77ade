// SPDX-License-Identifier: MIT
// Reads the JSON of a Pachario character in one pass.
#include "formats/pachario_json.hpp"

#include "formats/json_position.hpp"
#include "model/influences.hpp"
#include "model/utf8.hpp"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <ranges>
#include <span>
#include <utility>

namespace pchr {
namespace {

namespace ondemand = simdjson::ondemand;

constexpr int kDeepestUnknown = 64;

struct Influence {
  std::int64_t bone = 0;
  float weight = 0;
  bool operator==(const Influence&) const = default;
};

/// Which of an object's fields were seen, to find the missing ones and those given twice.
class Seen {
 public:
  /// Whether `bit` is new.
  bool mark(unsigned bit) {
    const bool is_new = (bits_ & (1U << bit)) == 0;
    bits_ |= 1U << bit;
    return is_new;
  }
  [[nodiscard]] bool has(unsigned bit) const { return (bits_ & (1U << bit)) != 0; }

 private:
  unsigned bits_ = 0;
};

std::string_view syntax_problem(simdjson::error_code error) {
  switch (error) {
    case simdjson::EMPTY:
      return "there is no text";
    case simdjson::UTF8_ERROR:
      return "a byte is not UTF-8";
    case simdjson::UNESCAPED_CHARS:
      return "a string holds a control character";
    case simdjson::UNCLOSED_STRING:
      return "a string has no end";
    case simdjson::STRING_ERROR:
      return "a string has an escape that JSON does not know";
    case simdjson::NUMBER_ERROR:
      return "a number is not written as JSON wants it";
    case simdjson::DEPTH_ERROR:
      return "it is nested too deeply";
    case simdjson::INCOMPLETE_ARRAY_OR_OBJECT:
      return "an array or object has no end";
    case simdjson::TRAILING_CONTENT:
      return "text follows the end of the character";
    default:
      return "a value, comma, colon or bracket is not where JSON wants it";
  }
}

/// Whether a value is a number by JSON's grammar, however large.
bool is_number(ondemand::value value) {
  std::string_view token = value.raw_json_token();
  const auto digits = [&] {
    const std::size_t count = std::min(token.find_first_not_of("0123456789"), token.size());
    token.remove_prefix(count);
    return count;
  };
  const auto skip_any = [&](std::string_view characters) {
    const bool found = !token.empty() && characters.find(token[0]) != std::string_view::npos;
    if (found) token.remove_prefix(1);
    return found;
  };
  skip_any("-");
  const bool leads_with_zero = !token.empty() && token[0] == '0';
  const std::size_t whole = digits();
  if (whole == 0 || (leads_with_zero && whole > 1)) return false;
  if (skip_any(".") && digits() == 0) return false;
  if (skip_any("eE")) {
    skip_any("+-");
    if (digits() == 0) return false;
  }
  return token.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

/// Where a text is broken as a whole: a byte that is not UTF-8, a control character in a string, or a string
/// without an end.
std::size_t broken_at(std::string_view text) {
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

/// One read of one text. Every step returns whether to go on; `error_` says why not.
class JsonReader {
 public:
  JsonReader(const JsonText& json, const Limits& limits, Remarks remarks)
      : json_(json), text_(json.text), limits_(limits) {
    result_.warnings = std::move(remarks);
  }

  std::expected<JsonCharacter, Finding> read() {
    if (!read_document()) return std::unexpected(std::move(error_));
    return std::move(result_);
  }

 private:
  // ---- Failing

  bool fail(FindingId id, const Location& location, std::string detail) {
    // The place is found by a parser of its own, and each takes several times the text.
    document_ = ondemand::document();
    parser_ = ondemand::parser();
    error_ = finding_at(id, result_.data, location, locate(), std::move(detail));
    return false;
  }

  /// Where `key` is empty, it has two spellings, and the path tells which one the text uses.
  bool missing(const Location& location, std::string_view key) {
    fail(FindingId::missing_value, location, {});
    if (key.empty()) key = std::string_view(error_.path).substr(error_.path.rfind('.') + 1);
    error_.detail = fmt::format("\"{}\" is required", key);
    if (error_.path.empty()) error_.path = key;
    return false;
  }

  bool contradiction(const Location& location, std::string_view key) {
    return fail(FindingId::contradiction, location, fmt::format("\"{}\" is given again with another value", key));
  }

  bool fail_syntax(simdjson::error_code error) {
    const char* location = nullptr;
    const bool known = document_.current_location().get(location) == simdjson::SUCCESS && location >= text_.data() &&
                       location <= text_.data() + text_.size();
    return fail_syntax(error, known ? static_cast<std::size_t>(location - text_.data()) : text_.size());
  }

  bool fail_syntax(simdjson::error_code error, std::size_t offset) {
    const Place place = place_at(json_, offset);
    error_ = {FindingId::invalid_json,
              {},
              {},
              place.byte_offset,
              std::string(syntax_problem(error)),
              place.line,
              place.column};
    return false;
  }

  /// A value could not be read as `wanted`: it is of another type, or not JSON at all.
  bool fail_value(simdjson::error_code error, ondemand::value value, const Location& location,
                  std::string_view wanted) {
    if (error != simdjson::INCORRECT_TYPE && error != simdjson::NUMBER_ERROR) return fail_syntax(error);
    return skip(value) && fail(FindingId::wrong_type, location, fmt::format("it must be {}", wanted));
  }

  [[nodiscard]] Locate locate() const {
    return [this](const Location& location) { return find_in_json(json_, location); };
  }

  void remark(FindingId id, const Location& location, std::string detail) {
    result_.warnings.add(id, [&] { return finding_at(id, result_.data, location, locate_remark_, std::move(detail)); });
  }

  // ---- Values

  bool read_float(ondemand::value value, const Location& location, float& result) {
    double number = 0;
    if (const auto error = value.get_double().get(number)) {
      if (is_number(value)) return fail(FindingId::not_finite, location, "found a number that is too large");
      return fail_value(error, value, location, "a number");
    }
    result = static_cast<float>(number);
    if (std::isfinite(result)) return true;
    return fail(FindingId::not_finite, location, fmt::format("found {}, which does not fit a float", number));
  }

  /// A whole number, which may be spelled 24.0 or 1E+0.
  bool read_integer(ondemand::value value, const Location& location, std::int64_t low, std::int64_t high,
                    std::int64_t& result) {
    if (value.get_int64().get(result) != simdjson::SUCCESS) {
      double number = 0;
      if (const auto error = value.get_double().get(number)) {
        if (is_number(value)) return fail(FindingId::value_out_of_range, location, "found a number that is too large");
        return fail_value(error, value, location, "a whole number");
      }
      if (number != std::floor(number)) {
        return fail(FindingId::wrong_type, location, fmt::format("found {}; it must be a whole number", number));
      }
      constexpr double kExact = 9007199254740992.0;
      result = std::abs(number) <= kExact ? static_cast<std::int64_t>(number) : number < 0 ? kLeast : kMost;
    }
    if (result >= low && result <= high) return true;
    return fail(FindingId::value_out_of_range, location,
                fmt::format("found {}; allowed are {} to {}", result, low, high));
  }

  bool read_bool(ondemand::value value, const Location& location, bool& result) {
    const auto error = value.get_bool().get(result);
    return error == simdjson::SUCCESS || fail_value(error, value, location, "true or false");
  }

  bool read_text(ondemand::value value, const Location& location, std::string& result) {
    std::string_view text;
    if (const auto error = value.get_string().get(text)) {
      if (error == simdjson::STRING_ERROR) {
        return fail(FindingId::invalid_utf8, location, "it has an escape that is no character");
      }
      return fail_value(error, value, location, "a string");
    }
    result = text;
    return true;
  }

  template <typename Visit>
  bool read_object(ondemand::value value, const Location& location, Visit visit) {
    ondemand::object object;
    if (const auto error = value.get_object().get(object)) return fail_value(error, value, location, "an object");
    return read_fields(object, visit);
  }

  template <typename Visit>
  bool read_fields(ondemand::object object, Visit visit) {
    for (auto item : object) {
      ondemand::field field;
      std::string_view key;
      if (const auto error = std::move(item).get(field)) return fail_syntax(error);
      if (const auto error = field.unescaped_key().get(key)) return fail_syntax(error);
      if (!visit(key, field.value())) return false;
    }
    return true;
  }

  template <typename Visit>
  bool read_array(ondemand::value value, const Location& location, Visit visit) {
    ondemand::array array;
    if (const auto error = value.get_array().get(array)) return fail_value(error, value, location, "an array");
    std::uint32_t index = 0;
    for (auto item : array) {
      ondemand::value element;
      if (const auto error = std::move(item).get(element)) return fail_syntax(error);
      if (!visit(index++, element)) return false;
    }
    return true;
  }

  /// A value under an unknown key is ignored, but must be JSON.
  bool skip(ondemand::value value, int depth = 0) {
    if (depth > kDeepestUnknown) return fail_syntax(simdjson::DEPTH_ERROR);
    ondemand::json_type type{};
    if (const auto error = value.type().get(type)) return fail_syntax(error);
    const auto deeper = [&](auto&&, ondemand::value child) { return skip(child, depth + 1); };
    const auto checked = [&](simdjson::error_code error) { return error == simdjson::SUCCESS || fail_syntax(error); };
    switch (type) {
      case ondemand::json_type::array:
        return read_array(value, {}, deeper);
      case ondemand::json_type::object:
        return read_object(value, {}, deeper);
      case ondemand::json_type::number:
        return is_number(value) || fail_syntax(simdjson::NUMBER_ERROR);
      case ondemand::json_type::string:
        return checked(value.get_string().error());
      case ondemand::json_type::boolean:
        return checked(value.get_bool().error());
      case ondemand::json_type::null:
        return checked(value.is_null().error());
    }
    return true;
  }

  /// A field that may be given once, or again with the same value.
  template <typename T, typename Read>
  bool once(Seen& seen, unsigned bit, const Location& location, std::string_view key, T& target, Read read) {
    T value{};
    if (!read(value)) return false;
    if (!seen.mark(bit) && !(value == target)) return contradiction(location, key);
    target = std::move(value);
    return true;
  }

  bool float_once(Seen& seen, unsigned bit, ondemand::value value, const Location& location, std::string_view key,
                  float& target) {
    return once(seen, bit, location, key, target, [&](float& number) { return read_float(value, location, number); });
  }

  template <typename T>
  bool integer_once(Seen& seen, unsigned bit, ondemand::value value, const Location& location, std::string_view key,
                    std::int64_t low, std::int64_t high, T& target) {
    return once(seen, bit, location, key, target, [&](T& number) {
      std::int64_t wide = 0;
      if (!read_integer(value, location, low, high, wide)) return false;
      number = static_cast<T>(wide);
      return true;
    });
  }

  bool text_once(Seen& seen, unsigned bit, ondemand::value value, const Location& location, std::string_view key,
                 std::string& target) {
    return once(seen, bit, location, key, target, [&](std::string& text) { return read_text(value, location, text); });
  }

  // ---- The document

  bool read_document() {
    result_.data.format = "Pachario JSON";
    if (const auto error =
            parser_.iterate(text_.data(), text_.size(), text_.size() + simdjson::SIMDJSON_PADDING).get(document_)) {
      return fail_syntax(error, broken_at(text_));
    }
    // Asked for an object, the parser checks that the text ends with one, and relies on that from then on.
    ondemand::object root;
    if (const auto error = document_.get_object().get(root)) return fail_syntax(error);
    if (!read_root(root)) return false;
    // Where everything was read, there is no current location.
    const char* rest = nullptr;
    if (document_.current_location().get(rest) == simdjson::SUCCESS) return fail_syntax(simdjson::TRAILING_CONTENT);
    return check_frame_sizes();
  }

  bool read_root(ondemand::object root) {
    enum { kVersion, kFps, kFlags, kImages, kBones, kMeshes, kAnimations };
    Seen seen;
    CharacterData& data = result_.data;
    std::uint32_t version = 0;
    const bool read = read_fields(root, [&](std::string_view key, ondemand::value value) {
      const Location fps{Section::file, Field::frames_per_second};
      if (key == "version") {
        return integer_once(seen, kVersion, value, {Section::file, Field::version}, key, 0, 0xffffffff, version);
      }
      if (key == "fps") return integer_once(seen, kFps, value, fps, key, 0, 65535, data.frames_per_second);
      if (key == "flags") {
        return integer_once(seen, kFlags, value, {Section::file, Field::flags}, key, 0, 65535, data.reserved_flags);
      }
      const auto section = [&](unsigned bit, Section which, auto read_section, auto same) {
        if (seen.mark(bit)) return read_section(result_);
        JsonCharacter again;
        return read_section(again) && (same(again, result_) || contradiction({which, Field::none, kWholeSection}, key));
      };
      if (key == "images") {
        return section(
            kImages, Section::images, [&](JsonCharacter& into) { return read_images(value, into); }, same_images);
      }
      if (key == "bones") {
        bones_known_ = true;
        return section(
            kBones, Section::bones, [&](JsonCharacter& into) { return read_bones(value, into.data); }, same_bones);
      }
      if (key == "meshes") {
        return section(
            kMeshes, Section::meshes, [&](JsonCharacter& into) { return read_meshes(value, into.data); }, same_meshes);
      }
      if (key == "animations") {
        return section(
            kAnimations, Section::animations, [&](JsonCharacter& into) { return read_clips(value, into.data); },
            same_clips);
      }
      return skip(value);
    });
    if (!read) return false;
    if (!seen.has(kVersion)) return missing({}, "version");
    if (version != 1) {
      return fail(FindingId::unsupported_version, {Section::file, Field::version},
                  fmt::format("found {}; this reads version 1", version));
    }
    if (!seen.has(kFps)) return missing({}, "fps");
    if (!seen.has(kImages)) return missing({}, "images");
    if (!seen.has(kBones)) return missing({}, "bones");
    if (!seen.has(kMeshes)) return missing({}, "meshes");
    if (!seen.has(kAnimations)) return missing({}, "animations");
    if (data.reserved_flags != 0) {
      remark(FindingId::reserved_flags, {Section::file, Field::flags},
             fmt::format("found {}; version 1 has 0", data.reserved_flags));
    }
    for (Clip& clip : data.clips) clip.frames_per_second = data.frames_per_second;
    return true;
  }

  // ---- Whether a section that is given again says the same

  static bool same_images(const JsonCharacter& a, const JsonCharacter& b) {
    return a.data.images == b.data.images && a.image_paths == b.image_paths;
  }
  static bool same_bones(const JsonCharacter& a, const JsonCharacter& b) { return a.data.bones == b.data.bones; }
  static bool same_meshes(const JsonCharacter& a, const JsonCharacter& b) {
    return a.data.meshes == b.data.meshes && a.data.vertices == b.data.vertices && a.data.indices == b.data.indices &&
           a.data.authored_influences == b.data.authored_influences;
  }
  static bool same_clips(const JsonCharacter& a, const JsonCharacter& b) { return a.data.clips == b.data.clips; }

  // ---- Images and bones

  bool read_images(ondemand::value value, JsonCharacter& into) {
    return read_array(value, {Section::images, Field::none, kWholeSection},
                      [&](std::uint32_t number, ondemand::value element) { return read_image(element, number, into); });
  }

  bool read_image(ondemand::value value, std::uint32_t number, JsonCharacter& into) {
    enum { kName, kPath, kWidth, kHeight, kFormat };
    Seen seen;
    Image& image = into.data.images.emplace_back();
    std::string& path = into.image_paths.emplace_back();
    std::string format = "png";
    const auto at = [&](Field field) { return Location{Section::images, field, number}; };
    const bool read = read_object(value, at(Field::none), [&](std::string_view key, ondemand::value field) {
      if (key == "name") return text_once(seen, kName, field, at(Field::name), key, image.name);
      if (key == "path") return text_once(seen, kPath, field, at(Field::data), key, path);
      if (key == "format") return text_once(seen, kFormat, field, at(Field::format), key, format);
      if (key == "width") return integer_once(seen, kWidth, field, at(Field::width), key, 0, 65535, image.width);
      if (key == "height") return integer_once(seen, kHeight, field, at(Field::height), key, 0, 65535, image.height);
      return skip(field);
    });
    if (!read) return false;
    if (!seen.has(kName)) return missing(at(Field::name), "name");
    if (!seen.has(kPath)) return missing(at(Field::data), "path");
    if (!seen.has(kWidth)) return missing(at(Field::width), "width");
    if (!seen.has(kHeight)) return missing(at(Field::height), "height");
    if (format != "png" && format != "rgba8888") {
      return fail(FindingId::unknown_image_format, at(Field::format),
                  fmt::format("found \"{}\"; known are png and rgba8888", printable(format)));
    }
    image.encoding = format == "png" ? ImageEncoding::png : ImageEncoding::rgba8888;
    return true;
  }

  bool read_bones(ondemand::value value, CharacterData& into) {
    return read_array(value, {Section::bones, Field::none, kWholeSection},
                      [&](std::uint32_t number, ondemand::value element) {
                        return read_bone(element, number, into.bones.emplace_back());
                      });
  }

  bool read_bone(ondemand::value value, std::uint32_t number, Bone& bone) {
    enum { kName, kParent };
    Seen seen;
    const auto at = [&](Field field) { return Location{Section::bones, field, number}; };
    const bool read = read_object(value, at(Field::none), [&](std::string_view key, ondemand::value field) {
      if (key == "name") return text_once(seen, kName, field, at(Field::name), key, bone.name);
      if (key == "parent" || key == "parentIdx") {
        return integer_once(seen, kParent, field, at(Field::parent), key, -1, 65534, bone.parent);
      }
      return skip(field);
    });
    if (!read) return false;
    if (!seen.has(kName)) return missing(at(Field::name), "name");
    return seen.has(kParent) || missing(at(Field::parent), {});
  }

  // ---- Meshes

  bool read_meshes(ondemand::value value, CharacterData& into) {
    return read_array(value, {Section::meshes, Field::none, kWholeSection},
                      [&](std::uint32_t number, ondemand::value element) { return read_mesh(element, number, into); });
  }

  bool read_mesh(ondemand::value value, std::uint32_t number, CharacterData& into) {
    enum { kName, kImage, kVertices, kIndices };
    Seen seen;
    const std::size_t first_influence = into.authored_influences.size();
    into.meshes.emplace_back();
    const auto mesh = [&]() -> Mesh& { return into.meshes[number]; };
    mesh().first_vertex = static_cast<std::uint32_t>(into.vertices.size());
    mesh().first_index = static_cast<std::uint32_t>(into.indices.size());
    const auto at = [&](Field field) { return Location{Section::meshes, field, number}; };
    const bool read = read_object(value, at(Field::none), [&](std::string_view key, ondemand::value field) {
      if (key == "name") return text_once(seen, kName, field, at(Field::name), key, mesh().name);
      if (key == "image" || key == "imageIdx") {
        return integer_once(seen, kImage, field, at(Field::image), key, 0, 65535, mesh().image);
      }
      if (key == "vertices") {
        const bool again = seen.has(kVertices);
        const std::size_t vertices = into.vertices.size(), influences = into.authored_influences.size();
        return appended_once(seen, kVertices, at(Field::none), key, into.vertices, mesh().first_vertex,
                             [&] { return read_vertices(field, number, into); }) &&
               (!again || same_influences(into, first_influence, influences, vertices - mesh().first_vertex) ||
                contradiction(at(Field::none), key));
      }
      if (key == "indices" || key == "triangles") {
        return appended_once(seen, kIndices, at(Field::index_count), key, into.indices, mesh().first_index,
                             [&] { return read_indices(field, number, into.indices); });
      }
      return skip(field);
    });
    if (!read) return false;
    if (!seen.has(kName)) return missing(at(Field::name), "name");
    if (!seen.has(kImage)) return missing(at(Field::image), {});
    if (!seen.has(kVertices)) return missing(at(Field::none), "vertices");
    if (!seen.has(kIndices)) return missing(at(Field::index_count), {});
    mesh().vertex_count = static_cast<std::uint32_t>(into.vertices.size()) - mesh().first_vertex;
    mesh().index_count = static_cast<std::uint32_t>(into.indices.size()) - mesh().first_index;
    if (mesh().vertex_count > 65535) {
      return fail(FindingId::value_out_of_range, at(Field::none),
                  fmt::format("found {} vertices; a mesh has at most 65535", mesh().vertex_count));
    }
    return true;
  }

  /// Whether the influences from `again` on, whose vertices come `vertices` later, are those from `first` on. They are
  /// removed.
  static bool same_influences(CharacterData& into, std::size_t first, std::size_t again, std::size_t vertices) {
    std::vector<AuthoredInfluence>& all = into.authored_influences;
    const auto given_again = std::span(all).subspan(again);
    const bool same = std::ranges::equal(std::span(all).subspan(first, again - first), given_again,
                                         [&](AuthoredInfluence before, const AuthoredInfluence& after) {
                                           before.vertex += static_cast<std::uint32_t>(vertices);
                                           return before == after;
                                         });
    all.resize(again);
    return same;
  }

  /// An array whose elements `read` appends to `values` from `first` on: given again, it must be the same.
  template <typename Values, typename Read>
  bool appended_once(Seen& seen, unsigned bit, const Location& location, std::string_view key, Values& values,
                     std::size_t first, Read read) {
    const std::size_t before = values.size();
    if (!read()) return false;
    if (seen.mark(bit)) return true;
    const bool same = std::equal(values.begin() + static_cast<std::ptrdiff_t>(first),
                                 values.begin() + static_cast<std::ptrdiff_t>(before),
                                 values.begin() + static_cast<std::ptrdiff_t>(before), values.end());
    values.resize(before);
    return same || contradiction(location, key);
  }

  bool read_indices(ondemand::value value, std::uint32_t mesh, Array<std::uint16_t>& indices) {
    return read_array(value, {Section::meshes, Field::index_count, mesh},
                      [&](std::uint32_t number, ondemand::value element) {
                        std::int64_t index = 0;
                        const Location here{Section::meshes, Field::index, mesh, number};
                        if (!read_integer(element, here, std::numeric_limits<std::int64_t>::min(),
                                          std::numeric_limits<std::int64_t>::max(), index)) {
                          return false;
                        }
                        if (index < 0 || index > 65535) {
                          return fail(FindingId::vertex_out_of_range, here,
                                      fmt::format("found {}; a mesh has at most 65535 vertices", index));
                        }
                        indices.push_back(static_cast<std::uint16_t>(index));
                        return true;
                      });
  }

  bool read_vertices(ondemand::value value, std::uint32_t mesh, CharacterData& into) {
    return read_array(value, {Section::meshes, Field::none, mesh}, [&](std::uint32_t number, ondemand::value element) {
      return read_vertex(element, mesh, number, into);
    });
  }

  bool read_vertex(ondemand::value value, std::uint32_t mesh, std::uint32_t number, CharacterData& into) {
    Vertex& vertex = into.vertices.emplace_back();
    enum { kX, kY, kU, kV, kBoneIds, kBoneWeights, kBones };
    Seen seen;
    const auto at = [&](Field field) { return Location{Section::meshes, field, mesh, number}; };
    influences_.clear();
    bone_ids_.clear();
    bone_weights_.clear();
    const bool read = read_object(value, at(Field::vertex), [&](std::string_view key, ondemand::value field) {
      if (key == "x") return float_once(seen, kX, field, at(Field::x), key, vertex.x);
      if (key == "y") return float_once(seen, kY, field, at(Field::y), key, vertex.y);
      if (key == "u") return float_once(seen, kU, field, at(Field::u), key, vertex.u);
      if (key == "v") return float_once(seen, kV, field, at(Field::v), key, vertex.v);
      if (key == "bones") {
        return appended_once(seen, kBones, at(Field::vertex), key, influences_, 0,
                             [&] { return read_influences(field, mesh, number); });
      }
      if (key == "boneIds") {
        return appended_once(seen, kBoneIds, at(Field::vertex), key, bone_ids_, 0,
                             [&] { return read_bone_ids(field, mesh, number); });
      }
      if (key == "boneWeights") {
        return appended_once(seen, kBoneWeights, at(Field::vertex), key, bone_weights_, 0,
                             [&] { return read_bone_weights(field, mesh, number); });
      }
      return skip(field);
    });
    if (!read) return false;
    if (!seen.has(kX)) return missing(at(Field::x), "x");
    if (!seen.has(kY)) return missing(at(Field::y), "y");
    if (!seen.has(kU)) return missing(at(Field::u), "u");
    if (!seen.has(kV)) return missing(at(Field::v), "v");
    const bool is_split = seen.has(kBoneIds) || seen.has(kBoneWeights);
    if (!is_split && !seen.has(kBones)) return missing(at(Field::vertex), "bones, or boneIds and boneWeights");
    if (is_split && !seen.has(kBoneIds)) return missing(at(Field::vertex), "boneIds");
    if (is_split && !seen.has(kBoneWeights)) return missing(at(Field::vertex), "boneWeights");
    return (!is_split || join_influences(at(Field::vertex), seen.has(kBones))) && store_influences(mesh, number, into);
  }

  bool read_influences(ondemand::value value, std::uint32_t mesh, std::uint32_t vertex) {
    const Location whole{Section::meshes, Field::vertex, mesh, vertex};
    return read_array(value, whole, [&](std::uint32_t slot, ondemand::value element) {
      enum { kIndex, kWeight };
      Seen seen;
      Influence& influence = influences_.emplace_back();
      const Location id{Section::meshes, Field::bone_id, mesh, vertex, slot};
      const Location weight{Section::meshes, Field::bone_weight, mesh, vertex, slot};
      const bool read = read_object(element, id, [&](std::string_view key, ondemand::value field) {
        if (key == "idx") return integer_once(seen, kIndex, field, id, key, kLeast, kMost, influence.bone);
        if (key == "weight") return float_once(seen, kWeight, field, weight, key, influence.weight);
        return skip(field);
      });
      if (!read) return false;
      if (!seen.has(kIndex)) return missing(id, "idx");
      return seen.has(kWeight) || missing(weight, "weight");
    });
  }

  bool read_bone_ids(ondemand::value value, std::uint32_t mesh, std::uint32_t vertex) {
    return read_array(value, {Section::meshes, Field::vertex, mesh, vertex},
                      [&](std::uint32_t slot, ondemand::value id) {
                        return read_integer(id, {Section::meshes, Field::bone_id, mesh, vertex, slot}, kLeast, kMost,
                                            bone_ids_.emplace_back());
                      });
  }

  bool read_bone_weights(ondemand::value value, std::uint32_t mesh, std::uint32_t vertex) {
    return read_array(value, {Section::meshes, Field::vertex, mesh, vertex},
                      [&](std::uint32_t slot, ondemand::value weight) {
                        return read_float(weight, {Section::meshes, Field::bone_weight, mesh, vertex, slot},
                                          bone_weights_.emplace_back());
                      });
  }

  /// Makes influences of boneIds and boneWeights. Where the text has them as `bones` too, they must agree.
  bool join_influences(const Location& vertex, bool also_joined) {
    if (bone_ids_.size() != bone_weights_.size()) {
      return fail(FindingId::invalid_structure, vertex,
                  fmt::format("found {} boneIds and {} boneWeights", bone_ids_.size(), bone_weights_.size()));
    }
    std::vector<Influence>& joined = also_joined ? other_influences_ : influences_;
    joined.clear();
    for (std::size_t i = 0; i < bone_ids_.size(); ++i) joined.push_back({bone_ids_[i], bone_weights_[i]});
    if (!also_joined) return true;
    // What unused slots say means nothing.
    const auto used = std::views::filter([](const Influence& influence) { return influence.weight != 0; });
    return std::ranges::equal(joined | used, influences_ | used) || contradiction(vertex, "bones");
  }

  /// Puts the influences that were read into the last vertex: all, padded with weight 0, or of more than four the four
  /// largest.
  bool store_influences(std::uint32_t mesh, std::uint32_t number, CharacterData& into) {
    std::size_t used = 0;
    for (std::uint32_t slot = 0; slot < influences_.size(); ++slot) {
      const Influence& influence = influences_[slot];
      if (influence.weight == 0) continue;
      ++used;
      if (influence.bone < 0 || influence.bone > 65535) {
        return fail(
            FindingId::bone_out_of_range, {Section::meshes, Field::bone_id, mesh, number, slot},
            fmt::format("found {}, and the weight is {}, so the slot is in use", influence.bone, influence.weight));
      }
    }
    if (influences_.size() > 4 && used <= 4) {
      // The last of the unused ones go, so that earlier ones stay.
      std::size_t unused_left = 4 - used;
      std::erase_if(influences_, [&](const Influence& influence) {
        if (influence.weight != 0) return false;
        if (unused_left == 0) return true;
        --unused_left;
        return false;
      });
    }
    Vertex& vertex = into.vertices.back();
    const std::size_t first = into.authored_influences.size();
    const auto number_of_all = static_cast<std::uint32_t>(into.vertices.size() - 1);
    for (std::size_t slot = 0; slot < influences_.size(); ++slot) {
      const auto& [id, weight] = influences_[slot];
      // An unused slot may name any number, and keeps it where it fits.
      const auto bone = id < 0 || id > 65535 ? std::uint16_t{0} : static_cast<std::uint16_t>(id);
      if (used > 4) {
        into.authored_influences.push_back({number_of_all, bone, weight});
      } else {
        vertex.bones[slot] = bone;
        vertex.weights[slot] = weight;
      }
    }
    if (used > 4) keep_four(std::span(into.authored_influences).subspan(first), vertex);
    return true;
  }

  // ---- Animations

  bool read_clips(ondemand::value value, CharacterData& into) {
    return read_array(value, {Section::animations, Field::none, kWholeSection},
                      [&](std::uint32_t number, ondemand::value element) {
                        return read_clip(element, number, into.clips.emplace_back());
                      });
  }

  bool read_clip(ondemand::value value, std::uint32_t number, Clip& clip) {
    enum { kName, kLoop, kFlags, kFrames };
    Seen seen;
    std::uint32_t flags = 0;
    bool loop = false;
    clip_remarks_ = {};
    const auto at = [&](Field field) { return Location{Section::animations, field, number}; };
    const bool read = read_object(value, at(Field::none), [&](std::string_view key, ondemand::value field) {
      if (key == "name") return text_once(seen, kName, field, at(Field::name), key, clip.name);
      if (key == "flags") return integer_once(seen, kFlags, field, at(Field::flags), key, 0, 255, flags);
      if (key == "loop") {
        return once(seen, kLoop, at(Field::flags), key, loop,
                    [&](bool& given) { return read_bool(field, at(Field::flags), given); });
      }
      if (key == "frames") {
        if (seen.mark(kFrames)) return read_frames(field, number, clip);
        Clip again;
        return read_frames(field, number, again) &&
               ((again.frame_count == clip.frame_count && again.samples == clip.samples) ||
                contradiction(at(Field::none), key));
      }
      return skip(field);
    });
    if (!read) return false;
    if (!seen.has(kName)) return missing(at(Field::name), "name");
    if (!seen.has(kLoop) && !seen.has(kFlags)) return missing(at(Field::flags), "loop");
    if (!seen.has(kFrames)) return missing(at(Field::none), "frames");
    if (seen.has(kLoop) && seen.has(kFlags) && loop != ((flags & 1) != 0))
      return contradiction(at(Field::flags), "loop");
    clip.looping = seen.has(kLoop) ? loop : (flags & 1) != 0;
    remark_on_clip(number, flags);
    return true;
  }

  void remark_on_clip(std::uint32_t number, std::uint32_t flags) {
    if ((flags & 0xFEU) != 0) {
      remark(FindingId::reserved_flags, {Section::animations, Field::flags, number},
             fmt::format("found {}; version 1 uses bit 0 (looping)", flags));
    }
    if (clip_remarks_.reserved_bits != 0) {
      remark(
          FindingId::reserved_flags, {Section::animations, Field::none, number},
          fmt::format("its transforms set bits 0x{:02x}; version 1 uses bit 0 (visible)", clip_remarks_.reserved_bits));
    }
    if (clip_remarks_.large_z_orders > 0) {
      remark(FindingId::large_z_order, clip_remarks_.first_large_z_order,
             fmt::format("it is kept; version 1 holds -32768 to 32767 ({} such in this clip)",
                         clip_remarks_.large_z_orders));
    }
  }

  bool read_frames(ondemand::value value, std::uint32_t clip_number, Clip& clip) {
    std::optional<std::uint32_t> size;
    if (bones_known_) size = static_cast<std::uint32_t>(result_.data.bones.size());
    const Location whole{Section::animations, Field::none, clip_number};
    const bool read = read_array(value, whole, [&](std::uint32_t frame, ondemand::value element) {
      const Location here{Section::animations, Field::frame, clip_number, frame};
      std::uint32_t count = 0;
      const bool read_frame = read_array(element, here, [&](std::uint32_t bone, ondemand::value transform) {
        ++count;
        return read_transform(transform, {Section::animations, Field::transform, clip_number, frame, bone},
                              clip.samples);
      });
      if (!read_frame) return false;
      if (!size) size = count;
      if (count != *size) {
        return fail(FindingId::frame_size, here, fmt::format("found {} transforms; there are {} bones", count, *size));
      }
      ++clip.frame_count;
      return true;
    });
    if (read && size && clip.frame_count > 0) frame_sizes_.push_back({clip_number, *size});
    return read;
  }

  bool read_transform(ondemand::value value, const Location& here, BoneSamples& samples) {
    enum { kX, kY, kRotation, kScaleX, kScaleY, kVisible, kFlags, kZOrder };
    Seen seen;
    float x = 0, y = 0, rotation = 0, scale_x = 0, scale_y = 0;
    bool visible = false;
    std::uint8_t flags = 0;
    std::int32_t z_order = 0;
    const auto at = [&](Field field) {
      return Location{Section::animations, field, here.item, here.element, here.slot};
    };
    const bool read = read_object(value, here, [&](std::string_view key, ondemand::value field) {
      if (key == "x") return float_once(seen, kX, field, at(Field::x), key, x);
      if (key == "y") return float_once(seen, kY, field, at(Field::y), key, y);
      if (key == "rotation") return float_once(seen, kRotation, field, at(Field::rotation), key, rotation);
      if (key == "scaleX") return float_once(seen, kScaleX, field, at(Field::scale_x), key, scale_x);
      if (key == "scaleY") return float_once(seen, kScaleY, field, at(Field::scale_y), key, scale_y);
      if (key == "flags") return integer_once(seen, kFlags, field, at(Field::transform_flags), key, 0, 255, flags);
      if (key == "zOrder") {
        return integer_once(seen, kZOrder, field, at(Field::z_order), key, std::numeric_limits<std::int32_t>::min(),
                            std::numeric_limits<std::int32_t>::max(), z_order);
      }
      if (key == "visible") {
        return once(seen, kVisible, at(Field::visible), key, visible,
                    [&](bool& given) { return read_bool(field, at(Field::visible), given); });
      }
      return skip(field);
    });
    if (!read) return false;
    if (!seen.has(kX)) return missing(at(Field::x), "x");
    if (!seen.has(kY)) return missing(at(Field::y), "y");
    if (!seen.has(kRotation)) return missing(at(Field::rotation), "rotation");
    if (!seen.has(kScaleX)) return missing(at(Field::scale_x), "scaleX");
    if (!seen.has(kScaleY)) return missing(at(Field::scale_y), "scaleY");
    if (!seen.has(kVisible) && !seen.has(kFlags)) return missing(at(Field::visible), "visible");
    if (!seen.has(kZOrder)) return missing(at(Field::z_order), "zOrder");
    if (seen.has(kVisible) && seen.has(kFlags) && visible != ((flags & 1) != 0)) {
      return contradiction(at(Field::visible), "visible");
    }
    if (++samples_so_far_ > limits_.max_bone_samples) {
      return fail(FindingId::limit_exceeded, here, fmt::format("the limit is {} transforms", limits_.max_bone_samples));
    }
    samples.x.push_back(x);
    samples.y.push_back(y);
    samples.rotation_degrees.push_back(rotation);
    samples.scale_x.push_back(scale_x);
    samples.scale_y.push_back(scale_y);
    samples.visible.push_back(seen.has(kVisible) ? visible : flags & 1);
    samples.z_order.push_back(z_order);
    clip_remarks_.reserved_bits |= flags & 0xFEU;
    if (z_order < -32768 || z_order > 32767) {
      if (clip_remarks_.large_z_orders++ == 0) clip_remarks_.first_large_z_order = at(Field::z_order);
    }
    return true;
  }

  /// Bones may stand behind the animations, so frames are compared with them at the end.
  bool check_frame_sizes() {
    for (const auto& [clip, size] : frame_sizes_) {
      if (size == result_.data.bones.size()) continue;
      return fail(FindingId::frame_size, {Section::animations, Field::frame, clip, 0},
                  fmt::format("found {} transforms; there are {} bones", size, result_.data.bones.size()));
    }
    return true;
  }

  static constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  static constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

  struct ClipRemarks {
    std::uint32_t reserved_bits = 0;
    std::uint64_t large_z_orders = 0;
    Location first_large_z_order;
  };

  const JsonText& json_;
  std::string_view text_;
  Locate locate_remark_ = locate_few(json_);
  const Limits& limits_;
  ondemand::parser parser_;
  ondemand::document document_;
  JsonCharacter result_;
  Finding error_;
  bool bones_known_ = false;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> frame_sizes_;  // clip, transforms per frame
  std::uint64_t samples_so_far_ = 0;
  ClipRemarks clip_remarks_;
  std::vector<Influence> influences_, other_influences_;  // of the vertex being read
  std::vector<std::int64_t> bone_ids_;
  std::vector<float> bone_weights_;
};

}  // namespace

std::expected<JsonCharacter, Finding> parse_pachario_json(const JsonText& json, const Limits& limits, Remarks remarks) {
  return JsonReader(json, limits, std::move(remarks)).read();
}

}  // namespace pchr
