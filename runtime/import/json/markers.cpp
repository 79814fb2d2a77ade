// SPDX-License-Identifier: MIT
// Reads marker files.
#include <pchr/import/import.hpp>

#include "character/fail.hpp"
#include "character/format.hpp"
#include "import/json/syntax.hpp"
#include "platform/read_file.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace pchr {
namespace {

namespace dom = simdjson::dom;

constexpr std::uint64_t kMaxMarkerBytes = std::uint64_t{16} << 20;

/// Returns the value of `key`, which must exist. If the key appears twice, both values must be equal.
Expected<dom::element, Diagnostic> find_field(const dom::object& object, std::string_view key,
                                              const std::string& path) {
  std::optional<dom::element> found;
  for (const dom::key_value_pair field : object) {
    if (field.key != key) continue;
    if (found && simdjson::minify(*found) != simdjson::minify(field.value)) {
      return fail(DiagnosticId::contradiction, path, "is given twice with different values");
    }
    found = field.value;
  }
  if (!found) return fail(DiagnosticId::missing_value, path, "is missing");
  return *found;
}

/// Reads a field of a marker.
template <typename T>
Expected<T, Diagnostic> read(const dom::object& marker, const std::string& path, const char* field,
                             std::string_view expected) {
  const std::string field_path = path + "." + field;
  const auto value = find_field(marker, field, field_path);
  if (!value) return Unexpected(value.error());
  T result{};
  const simdjson::error_code error = value->get(result);
  if (error == simdjson::SUCCESS) return result;
  return fail(error == simdjson::NUMBER_OUT_OF_RANGE ? DiagnosticId::value_out_of_range : DiagnosticId::wrong_type,
              field_path, fmt::format("is {}, but must be {}", simdjson::to_string(*value), expected));
}

Expected<Marker, Diagnostic> read_marker(const dom::element& element, const std::string& path,
                                         const Character& character) {
  dom::object object;
  if (element.get(object) != simdjson::SUCCESS) {
    return fail(DiagnosticId::wrong_type, path,
                fmt::format("is {}, but must be an object with clip, frame and name", simdjson::to_string(element)));
  }
  const auto clip_name = read<std::string_view>(object, path, "clip", "the name of a clip");
  if (!clip_name) return Unexpected(clip_name.error());
  const auto frame = read<std::uint64_t>(object, path, "frame", "a whole number of at least 0");
  if (!frame) return Unexpected(frame.error());
  const auto name = read<std::string_view>(object, path, "name", "a string");
  if (!name) return Unexpected(name.error());
  const ClipId clip = character.find_clip(*clip_name);
  if (clip == ClipId::none) {
    return fail(DiagnosticId::value_out_of_range, path + ".clip",
                fmt::format("is \"{}\", but the character has no such clip", *clip_name));
  }
  const std::uint32_t frame_count = character.clips()[clip].frame_count;
  if (*frame >= frame_count) {
    return fail(DiagnosticId::value_out_of_range, path + ".frame",
                fmt::format("is {}, but clip \"{}\" has {}", *frame, *clip_name, counted(frame_count, "frame")));
  }
  return Marker{clip, static_cast<std::uint32_t>(*frame), std::string(*name)};
}

/// Parses a text that is followed by simdjson's padding.
Expected<Markers, Diagnostic> parse(std::string_view text, const Character& character) {
  dom::parser parser;
  dom::element root;
  if (const auto error = parser.parse(text.data(), text.size(), false).get(root); error != simdjson::SUCCESS) {
    return fail(DiagnosticId::invalid_json, std::string(describe_syntax_error(error)));
  }
  dom::object object;
  if (root.get(object) != simdjson::SUCCESS) {
    return fail(DiagnosticId::wrong_type, R"(expected an object {"markers": [...]})");
  }
  const auto field = find_field(object, "markers", "markers");
  if (!field) return Unexpected(field.error());
  dom::array list;
  if (field->get(list) != simdjson::SUCCESS) {
    return fail(DiagnosticId::wrong_type, "markers", "must be an array");
  }
  std::vector<Marker> markers;
  for (const dom::element element : list) {
    auto marker = read_marker(element, fmt::format("markers[{}]", markers.size()), character);
    if (!marker) return Unexpected(std::move(marker.error()));
    markers.push_back(std::move(*marker));
  }
  return Markers(std::move(markers));
}

}  // namespace

std::string markers_path(const std::string& path) {
  return std::filesystem::path(path).replace_extension(".markers.json");
}

Expected<Markers, LoadError> load_markers(const std::string& path, const Character& character, const ReadFile& reader) {
  const auto file = read_file(path, kMaxMarkerBytes, simdjson::SIMDJSON_PADDING, reader);
  if (!file) return Unexpected(file.error());
  return parse({reinterpret_cast<const char*>(file->storage.data()), file->size}, character);
}

Expected<Markers, LoadError> load_markers(std::span<const std::byte> bytes, const Character& character) {
  const simdjson::padded_string copy(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return parse({copy.data(), copy.size()}, character);
}

}  // namespace pchr
