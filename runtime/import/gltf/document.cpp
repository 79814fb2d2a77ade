// SPDX-License-Identifier: MIT
#include "import/gltf/document.hpp"

#include "character/fail.hpp"
#include "character/format.hpp"
#include "platform/file_path.hpp"
#include "platform/files.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <utility>

namespace pchr::gltf {
namespace {

/// Decodes base64. Ignores what follows the padding.
std::optional<std::vector<std::byte>> decode_base64(std::string_view text) {
  std::vector<std::byte> bytes;
  bytes.reserve(text.size() / 4 * 3 + 3);
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    std::uint32_t value = 0;
    if (c >= 'A' && c <= 'Z') {
      value = static_cast<std::uint32_t>(c - 'A');
    } else if (c >= 'a' && c <= 'z') {
      value = static_cast<std::uint32_t>(c - 'a') + 26;
    } else if (c >= '0' && c <= '9') {
      value = static_cast<std::uint32_t>(c - '0') + 52;
    } else if (c == '+' || c == '-') {
      value = 62;
    } else if (c == '/' || c == '_') {
      value = 63;
    } else if (c == '=') {
      break;
    } else {
      return std::nullopt;
    }
    bits = bits << 6 | value;
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes.push_back(static_cast<std::byte>(bits >> count & 0xFF));
    }
  }
  return bytes;
}

}  // namespace

std::string decode_uri(std::string_view uri) {
  std::string result;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    std::uint8_t code = 0;
    if (uri[i] == '%' && i + 2 < uri.size() &&
        std::from_chars(uri.data() + i + 1, uri.data() + i + 3, code, 16).ptr == uri.data() + i + 3) {
      result += static_cast<char>(code);
      i += 2;
    } else {
      result += uri[i];
    }
  }
  return result;
}

Document::Document(const JsonTree& tree, std::optional<std::span<const std::byte>> binary, std::uint64_t file_bytes,
                   const ReaderOptions& options, Warnings& warnings)
    : JsonFields(tree, 1e30, warnings),
      options_(options),
      values_left_(std::max(options.limits.max_bone_samples / 16, 8 * file_bytes)),
      binary_(binary) {}

std::vector<const JsonNode*> Document::list(const JsonNode* object, std::string_view key, Type type) {
  std::vector<const JsonNode*> result;
  const JsonNode* const found = field(object, key, Type::array);
  if (found == nullptr) return result;
  for (const JsonNode& element : JsonChildren(found)) {
    if (element.type != type) {
      fail(DiagnosticId::wrong_type, element, type == Type::object ? "must be an object" : "must be a number");
    }
    result.push_back(&element);
  }
  return result;
}

std::uint64_t Document::whole(const JsonNode& node) {
  if (node.type == Type::number && node.number >= 0 && node.number <= 9e15 && node.number == std::floor(node.number)) {
    return static_cast<std::uint64_t>(node.number);
  }
  fail(DiagnosticId::value_out_of_range, node, "must be a whole number of at least 0");
  return 0;
}

std::uint64_t Document::whole(const JsonNode* object, std::string_view key, std::uint64_t missing) {
  const JsonNode* const found = find_field(object, key);
  return found == nullptr ? missing : whole(*found);
}

std::uint32_t Document::index_of(const JsonNode& node, std::size_t count, const char* what) {
  const std::uint64_t index = whole(node);
  if (error_) return kNone;
  if (index < count) return static_cast<std::uint32_t>(index);
  fail(DiagnosticId::value_out_of_range, node, fmt::format("is {}, but the file has {}", index, counted(count, what)));
  return kNone;
}

std::uint32_t Document::reference(const JsonNode* object, std::string_view key, std::size_t count, const char* what) {
  const JsonNode* const found = find_field(object, key);
  return found == nullptr ? kNone : index_of(*found, count, what);
}

std::uint32_t Document::required(const JsonNode& object, std::string_view key, std::size_t count, const char* what) {
  if (find_field(&object, key) == nullptr) fail(DiagnosticId::missing_value, object, fmt::format("has no {}", key));
  return reference(&object, key, count, what);
}

std::optional<std::vector<double>> Document::numbers(const JsonNode* object, std::string_view key, std::size_t count) {
  const JsonNode* const found = find_field(object, key);
  if (found == nullptr) return std::nullopt;
  const std::vector<const JsonNode*> elements = list(object, key, Type::number);
  if (elements.size() != count && !error_) {
    fail(DiagnosticId::value_out_of_range, *found,
         fmt::format("has {}, but must have {}", counted(elements.size(), "number"), count));
  }
  if (error_) return std::nullopt;
  std::vector<double> result;
  for (const JsonNode* const each : elements) result.push_back(value_of(*each));
  return result;
}

const JsonNode* Document::extension(const JsonNode* object, std::string_view name) {
  return find_field(find_field(object, "extensions"), name);
}

void Document::read_document() {
  const JsonNode& root = tree_.root();
  if (root.type != Type::object) return fail(DiagnosticId::wrong_type, root, "must be an object");
  const JsonNode* const asset = field(&root, "asset", Type::object);
  if (asset == nullptr) return fail(DiagnosticId::missing_value, root, "has no asset");
  for (const char* const key : {"minVersion", "version"}) {
    const JsonNode* const version = find_field(asset, key);
    if (version == nullptr && key == std::string_view("version")) {
      return fail(DiagnosticId::missing_value, *asset, "has no version");
    }
    const bool is_minimum = key == std::string_view("minVersion");
    if (version == nullptr || (is_minimum ? version->text() == "2.0" : version->text().starts_with("2."))) continue;
    return fail(DiagnosticId::unsupported_version, *version,
                fmt::format("is \"{}\", but version 2.0 is supported", printable(version->text())));
  }
  stored_ = field(field(asset, "extras", Type::object), "pchr", Type::object);
  nodes_json_ = list(&root, "nodes", Type::object);
  meshes_ = list(&root, "meshes", Type::object);
  skins_json_ = list(&root, "skins", Type::object);
  accessors_ = list(&root, "accessors", Type::object);
  views_ = list(&root, "bufferViews", Type::object);
  buffers_json_ = list(&root, "buffers", Type::object);
  images_ = list(&root, "images", Type::object);
  textures_ = list(&root, "textures", Type::object);
  samplers_ = list(&root, "samplers", Type::object);
  materials_json_ = list(&root, "materials", Type::object);
  animations_json_ = list(&root, "animations", Type::object);
  scenes_ = list(&root, "scenes", Type::object);
  buffers_.resize(buffers_json_.size());
  read_extensions();
}

void Document::read_extensions() {
  // What these change is either followed, or no part of a character.
  static constexpr std::string_view kKnown[] = {
      "KHR_mesh_quantization", "KHR_texture_transform", "KHR_materials_unlit",
      "KHR_node_visibility",   "KHR_animation_pointer", "EXT_texture_webp",
      "KHR_lights_punctual",   "KHR_xmp_json_ld",       "KHR_materials_variants"};
  const auto is_known = [](std::string_view name) { return std::ranges::find(kKnown, name) != std::end(kKnown); };
  const auto strings = [&](std::string_view key) {
    std::vector<const JsonNode*> result;
    if (const JsonNode* const found = field(&tree_.root(), key, Type::array)) {
      for (const JsonNode& each : JsonChildren(found)) result.push_back(&each);
    }
    return result;
  };
  std::vector<std::string> missing;
  const JsonNode* first = nullptr;
  for (const JsonNode* const each : strings("extensionsRequired")) {
    // Materials are drawn with their base color only.
    if (is_known(each->text()) || each->text().starts_with("KHR_materials_")) continue;
    if (missing.empty()) first = each;
    if (missing.size() < 8) missing.push_back(printable(each->text()));
  }
  if (first != nullptr) {
    std::string reason;
    for (const std::string& name : missing) {
      const std::string_view kind = name.find("draco") != std::string::npos     ? "its meshes are compressed"
                                    : name.find("meshopt") != std::string::npos ? "its data is compressed"
                                    : name.find("basisu") != std::string::npos  ? "its textures are compressed"
                                                                                : "";
      if (!kind.empty()) reason = fmt::format(": {}", kind);
    }
    return fail(DiagnosticId::gltf_extension_required, *first,
                fmt::format("requires {}{}", fmt::join(missing, ", "), reason));
  }
  for (const JsonNode* const each : strings("extensionsUsed")) {
    if (is_known(each->text()) || each->text().starts_with("KHR_materials_")) continue;
    warn_at(DiagnosticId::gltf_extension_ignored, *each, "is {}, which is ignored", printable(each->text()));
  }
}

Expected<std::vector<std::byte>, Diagnostic> Document::read_named(std::string_view uri) {
  const std::string path = decode_uri(uri);
  const std::uint64_t max_bytes = options_.limits.max_file_bytes - side_bytes_;
  auto file = read_companion(path, max_bytes, options_, warnings_).file;
  if (!file) {
    file.error().detail = fmt::format("is \"{}\", but {}", printable(uri.substr(0, 200)), file.error().detail);
    return Unexpected(std::move(file.error()));
  }
  side_bytes_ += file->size;
  values_left_ += 8 * file->size;
  file->storage.resize(file->size);
  return std::move(file->storage);
}

std::optional<std::optional<std::vector<std::byte>>> Document::read_data_uri(std::string_view uri) {
  if (!uri.starts_with("data:")) return std::nullopt;
  const std::size_t comma = uri.find(',');
  if (comma == std::string_view::npos) return std::optional<std::vector<std::byte>>();
  const std::string_view body = uri.substr(comma + 1);
  if (uri.substr(0, comma).ends_with(";base64")) return decode_base64(body);
  const std::string bytes = decode_uri(body);
  const auto span = std::as_bytes(std::span(bytes));
  return std::optional(std::vector<std::byte>(span.begin(), span.end()));
}

std::span<const std::byte> Document::buffer(std::uint32_t number) {
  Buffer& buffer = buffers_[number];
  if (buffer.is_read || error_) return buffer.bytes;
  buffer.is_read = true;
  const JsonNode& json = *buffers_json_[number];
  const JsonNode* const uri = field(&json, "uri", Type::string);
  if (uri == nullptr) {
    if (number != 0 || !binary_) {
      fail(DiagnosticId::gltf_data_missing, json,
           extension(&json, "EXT_meshopt_compression") != nullptr ? "is compressed with EXT_meshopt_compression"
                                                                  : "has no uri, and the file has no binary chunk");
      return {};
    }
    buffer.bytes = *binary_;
  } else if (auto embedded = read_data_uri(uri->text())) {
    if (!*embedded) {
      fail(DiagnosticId::gltf_data_missing, *uri, "is not valid base64");
      return {};
    }
    buffer.storage = **std::move(embedded);
    buffer.bytes = buffer.storage;
  } else {
    // Several buffers can name one file.
    const auto known = files_.find(uri->text());
    if (known != files_.end()) {
      buffer.bytes = known->second;
    } else {
      auto bytes = read_named(uri->text());
      if (!bytes) {
        Diagnostic problem = std::move(bytes.error());
        const bool is_known = problem.id == DiagnosticId::image_path_refused ||
                              problem.id == DiagnosticId::link_outside || problem.id == DiagnosticId::git_lfs_pointer ||
                              problem.id == DiagnosticId::limit_exceeded;
        fail(is_known ? problem.id : DiagnosticId::gltf_data_missing, *uri, std::move(problem.detail));
        return {};
      }
      buffer.storage = *std::move(bytes);
      buffer.bytes = buffer.storage;
      files_.emplace(uri->text(), buffer.bytes);
    }
  }
  const std::uint64_t length = whole(&json, "byteLength", 0);
  if (buffer.bytes.size() < length) {
    fail(DiagnosticId::gltf_data_missing, json,
         fmt::format("has {} bytes, but byteLength is {}", buffer.bytes.size(), length));
    return {};
  }
  buffer.bytes = buffer.bytes.first(length);
  return buffer.bytes;
}

std::span<const std::byte> Document::view(std::uint32_t number, std::uint64_t offset, const JsonNode& user) {
  if (number == kNone || error_) return {};
  const JsonNode& json = *views_[number];
  const std::uint32_t from = required(json, "buffer", buffers_json_.size(), "buffer");
  if (error_) return {};
  const auto bytes = buffer(from);
  const std::uint64_t start = whole(&json, "byteOffset", 0), length = whole(&json, "byteLength", 0);
  if (error_) return {};
  if (start > bytes.size() || length > bytes.size() - start) {
    fail(DiagnosticId::gltf_data_missing, json,
         fmt::format("has {} bytes from byte {} on, but its buffer has {}", length, start, bytes.size()));
    return {};
  }
  if (offset > length) {
    fail(DiagnosticId::gltf_data_missing, user, fmt::format("starts at byte {} of {}", offset, length));
    return {};
  }
  return bytes.subspan(start, length).subspan(offset);
}

Document::Components Document::components(const JsonNode& json, bool is_normalized) {
  switch (static_cast<int>(whole(&json, "componentType", 0) & 0xFFFF)) {
    case 5120:
      return {5120, 1, is_normalized ? 1 / 127.0 : 1, true};
    case 5121:
      return {5121, 1, is_normalized ? 1 / 255.0 : 1, false};
    case 5122:
      return {5122, 2, is_normalized ? 1 / 32767.0 : 1, true};
    case 5123:
      return {5123, 2, is_normalized ? 1 / 65535.0 : 1, false};
    case 5125:
      return {5125, 4, 1, false};
    case 5126:
      return {5126, 4, 1, true};
    default:
      fail(DiagnosticId::value_out_of_range, json, "has an unknown componentType");
      return {};
  }
}

double Document::component(const Components& kind, const std::byte* at) noexcept {
  const auto load = [&]<typename T>(T value) {
    std::memcpy(&value, at, sizeof(T));
    return static_cast<double>(value);
  };
  double value = 0;
  switch (kind.type) {
    case 5120:
      value = load(std::int8_t{});
      break;
    case 5121:
      value = load(std::uint8_t{});
      break;
    case 5122:
      value = load(std::int16_t{});
      break;
    case 5123:
      value = load(std::uint16_t{});
      break;
    case 5125:
      value = load(std::uint32_t{});
      break;
    default:
      return load(float{});
  }
  return kind.scale == 1 ? value : std::max(value * kind.scale, -1.0);
}

bool Document::fits(std::span<const std::byte> bytes, std::uint64_t count, std::size_t size, std::uint64_t stride,
                    const JsonNode& json) {
  if (error_) return false;
  if (size <= bytes.size() && (count - 1) <= (bytes.size() - size) / stride) return true;
  fail(DiagnosticId::gltf_data_missing, json,
       fmt::format("has {} of {} bytes, {} bytes apart, but only {} bytes", counted(count, "element"), size, stride,
                   bytes.size()));
  return false;
}

template <typename T>
std::vector<T> Document::read_accessor(std::uint32_t number, std::uint32_t& width) {
  std::vector<T> out;
  if (number == kNone || error_) return out;
  const JsonNode& json = *accessors_[number];
  static constexpr std::pair<std::string_view, std::uint32_t> kTypes[] = {
      {"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT4", 16}};
  const std::string_view type = text(&json, "type");
  const auto* const known =
      std::ranges::find(kTypes, std::string_view(type), &std::pair<std::string_view, std::uint32_t>::first);
  if (known == std::end(kTypes) || (width != 0 && known->second != width)) {
    fail(
        DiagnosticId::value_out_of_range, json,
        fmt::format("is of type \"{}\", but {} needed", printable(type),
                    width == 0 ? "numbers or vectors are" : counted(width, "number") + (width == 1 ? " is" : "s are")));
    return out;
  }
  width = known->second;
  const JsonNode* const normalized = field(&json, "normalized", Type::boolean);
  const Components kind = components(json, normalized != nullptr && normalized->number != 0);
  const std::uint64_t count = whole(&json, "count", 0);
  if (error_) return out;
  if (count == 0 || count > kNone) {
    fail(DiagnosticId::value_out_of_range, json, fmt::format("has a count of {}", count));
    return out;
  }
  if (count > values_left_ / width) {
    fail(DiagnosticId::limit_exceeded, json,
         fmt::format("has {} of {}, but the limit for this file leaves {} numbers", counted(count, "element"),
                     counted(width, "number"), values_left_));
    return out;
  }
  const std::size_t size = width * kind.bytes;
  const std::uint32_t view_number = reference(&json, "bufferView", views_.size(), "bufferView");
  if (error_) return out;
  if (view_number == kNone) {
    values_left_ -= count * width;
    out.resize(count * width);
  } else {
    const auto bytes = view(view_number, whole(&json, "byteOffset", 0), json);
    const std::uint64_t stride = whole(views_[view_number], "byteStride", size);
    if (error_) return out;
    if (stride < size || stride > 65535) {
      fail(DiagnosticId::value_out_of_range, *views_[view_number],
           fmt::format("has a byteStride of {}, but elements of {} bytes", stride, size));
      return out;
    }
    if (!fits(bytes, count, size, stride, json)) return out;
    values_left_ -= count * width;
    out.resize(count * width);
    for (std::uint64_t element = 0; element < count; ++element) {
      read_element<T>(kind, bytes.data() + element * stride, width, out.data() + element * width);
    }
  }
  if (const JsonNode* const sparse = field(&json, "sparse", Type::object)) {
    read_sparse<T>(*sparse, kind, width, count, out);
  }
  if constexpr (std::is_same_v<T, float>) {
    const auto bad = std::ranges::find_if_not(out, [](float value) { return std::abs(value) < 1e30F; });
    if (bad != out.end() && !error_) {
      fail(DiagnosticId::not_finite, json,
           fmt::format("has the number {} in element {}, which is not finite or too large", *bad,
                       (bad - out.begin()) / width));
    }
  }
  return out;
}

template <typename T>
void Document::read_element(const Components& kind, const std::byte* at, std::uint32_t width, T* out) noexcept {
  for (std::uint32_t i = 0; i < width; ++i) {
    const double value = component(kind, at + i * kind.bytes);
    if constexpr (std::is_same_v<T, float>) {
      out[i] = static_cast<float>(value);
    } else {
      out[i] = value >= 0 && value <= 4294967295.0 ? static_cast<T>(value) : T{kNone};
    }
  }
}

template <typename T>
void Document::read_sparse(const JsonNode& sparse, const Components& kind, std::uint32_t width, std::uint64_t elements,
                           std::vector<T>& out) {
  const std::uint64_t count = whole(&sparse, "count", 0);
  const JsonNode* const indices = field(&sparse, "indices", Type::object);
  const JsonNode* const values = field(&sparse, "values", Type::object);
  if (error_) return;
  if (count == 0 || count > elements || indices == nullptr || values == nullptr) {
    return fail(DiagnosticId::value_out_of_range, sparse,
                fmt::format("replaces {} of {} elements, or lacks indices or values", count, elements));
  }
  const Components index_kind = components(*indices, false);
  const std::uint32_t index_view = required(*indices, "bufferView", views_.size(), "bufferView");
  const std::uint32_t value_view = required(*values, "bufferView", views_.size(), "bufferView");
  const auto index_bytes = view(index_view, whole(indices, "byteOffset", 0), *indices);
  const auto value_bytes = view(value_view, whole(values, "byteOffset", 0), *values);
  const std::size_t size = width * kind.bytes;
  if (!fits(index_bytes, count, index_kind.bytes, index_kind.bytes, *indices) ||
      !fits(value_bytes, count, size, size, *values)) {
    return;
  }
  for (std::uint64_t i = 0; i < count; ++i) {
    const double index = component(index_kind, index_bytes.data() + i * index_kind.bytes);
    if (!(index >= 0 && index < static_cast<double>(elements))) {
      return fail(DiagnosticId::value_out_of_range, *indices,
                  fmt::format("has the index {}, but the accessor has {} elements", index, elements));
    }
    read_element<T>(kind, value_bytes.data() + i * size, width, out.data() + static_cast<std::size_t>(index) * width);
  }
}

std::vector<float> Document::floats(std::uint32_t accessor, std::uint32_t width) {
  return read_accessor<float>(accessor, width);
}

template std::vector<float> Document::read_accessor(std::uint32_t number, std::uint32_t& width);
template std::vector<std::uint32_t> Document::read_accessor(std::uint32_t number, std::uint32_t& width);

}  // namespace pchr::gltf
