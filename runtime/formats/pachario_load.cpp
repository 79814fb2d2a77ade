// SPDX-License-Identifier: MIT
// Pachario characters whose structure is JSON: with images beside it, or packed with one PNG.
#include "formats/pachario_load.hpp"

#include "formats/byte_reader.hpp"
#include "formats/image.hpp"
#include "formats/image_path.hpp"
#include "formats/json_position.hpp"
#include "formats/pachario_json.hpp"
#include "formats/png_check.hpp"
#include "formats/read_file.hpp"
#include "model/build.hpp"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace pchr {
namespace {

static_assert(kJsonPadding >= simdjson::SIMDJSON_PADDING);

constexpr std::uint64_t kPackedHeaderBytes = 16;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

std::string_view as_text(std::span<const std::byte> bytes) noexcept {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

bool opens_object(std::string_view text) noexcept {
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  return start != std::string_view::npos && text[start] == '{';
}

/// Why an image cannot be had.
struct Refusal {
  FindingId id;
  std::string detail;
};

/// The bytes of image `number`, whose path is `path`. No bytes: the file has none for it.
using FetchImage =
    std::function<std::expected<std::vector<std::byte>, Refusal>(const std::string& path, std::size_t number)>;

std::expected<std::vector<std::byte>, Refusal> read_image_file(const std::string& path, std::uint64_t most_bytes,
                                                               const LoadOptions& options) {
  if (options.image_folder.empty()) {
    return std::unexpected(
        Refusal{FindingId::image_unreadable, "the character was loaded from memory, so there is no folder to look in"});
  }
  if (!options.allow_images_outside && !stays_inside(path)) {
    return std::unexpected(
        Refusal{FindingId::image_path_refused,
                fmt::format("found \"{}\"; it must be relative and stay in the character's folder", printable(path))});
  }
  const std::filesystem::path image = options.image_folder / with_slashes(path);
  if (options.before_reading) options.before_reading(image);
  auto file = read_file(image, most_bytes);
  if (!file) {
    return std::unexpected(
        Refusal{FindingId::image_unreadable, fmt::format("\"{}\": {}", printable(path), file.error().detail)});
  }
  file->storage.resize(file->size);
  return std::move(file->storage);
}

/// An image is a PNG file unless its format says rgba8888 and its file holds raw pixels.
bool is_png(const Image& image) noexcept {
  const std::string_view text = as_text(image.bytes);
  return image.encoding == ImageEncoding::png || text.starts_with("\x89PNG");
}

/// The format says how the binary stores an image: as the PNG file it is, or decoded.
std::optional<Finding> store_as_asked(Image& image, const Limits& limits) {
  if (image.encoding != ImageEncoding::rgba8888) return std::nullopt;
  image.encoding = ImageEncoding::png;
  auto bitmap = decode_straight(image, limits);
  if (!bitmap) return std::move(bitmap.error());
  const auto pixels = std::as_bytes(std::span(bitmap->rgba));
  image.bytes.assign(pixels.begin(), pixels.end());
  image.encoding = ImageEncoding::rgba8888;
  return std::nullopt;
}

/// Fills in the images' bytes and checks them. An image without bytes is drawn as a checker, with a warning.
std::optional<Finding> attach_images(JsonCharacter& character, const JsonText& json, const Limits& limits,
                                     const FetchImage& fetch) {
  const Locate locate = [&](const Location& location) { return find_in_json(json, location); };
  const Locate locate_remark = locate_few(json);
  std::uint64_t pixels = 0;
  for (std::uint32_t i = 0; i < character.data.images.size(); ++i) {
    Image& image = character.data.images[i];
    const auto finding = [&](FindingId id, std::string detail) {
      return finding_at(id, character.data, {Section::images, Field::data, i}, locate, std::move(detail));
    };
    pixels += std::uint64_t{image.width} * image.height;
    if (pixels > limits.max_image_pixels) {
      return finding(FindingId::limit_exceeded,
                     fmt::format("{} x {} pixels bring the images to {}; the limit is {}", image.width, image.height,
                                 pixels, limits.max_image_pixels));
    }
    auto bytes = fetch(character.image_paths[i], i);
    if (!bytes) return finding(bytes.error().id, std::move(bytes.error().detail));
    image.bytes = std::move(*bytes);
    if (image.bytes.empty()) {
      image.encoding = ImageEncoding::absent;
      character.warnings.add(FindingId::image_absent, [&] {
        return finding_at(FindingId::image_absent, character.data, {Section::images, Field::data, i}, locate_remark,
                          "the file holds no pixels for it");
      });
    } else if (image.width > 0 && image.height > 0 && is_png(image)) {
      if (const auto problem = check_png(image.bytes, image.width, image.height)) {
        return finding(problem->id, fmt::format("{} (at byte {} of the image)", problem->detail, problem->offset));
      }
      if (auto problem = store_as_asked(image, limits)) return finding(problem->id, std::move(problem->detail));
    }
  }
  return std::nullopt;
}

/// Where a JSON text comes from.
struct Origin {
  std::string_view format;
  std::size_t file_offset = 0;  ///< Where the text begins in the file.
  Remarks remarks{};            ///< About what is around it.
};

std::expected<Character, LoadError> read_padded(std::string_view text, Origin origin, const LoadOptions& options,
                                                const FetchImage& fetch) {
  JsonText json{text, origin.file_offset};
  const bool has_mark = json.text.starts_with(kByteOrderMark);
  if (has_mark) json = {json.text.substr(kByteOrderMark.size()), json.file_offset + kByteOrderMark.size()};
  auto character = parse_pachario_json(json, options.limits, std::move(origin.remarks));
  if (!character) return std::unexpected(std::move(character.error()));
  character->data.format = origin.format;
  if (has_mark) {
    character->warnings.add(FindingId::byte_order_mark, [] {
      return Finding{FindingId::byte_order_mark, {}, {}, 0, "JSON is UTF-8 and needs none", 1, 1};
    });
  }
  if (auto problem = attach_images(*character, json, options.limits, fetch)) {
    return std::unexpected(std::move(*problem));
  }
  return CharacterBuilder::build(std::move(character->data), options.bind_pose, locate_few(json),
                                 std::move(character->warnings));
}

/// Parses in place where enough may be read behind the text, else a copy.
std::expected<Character, LoadError> read_text(std::span<const std::byte> bytes, std::size_t readable, Origin origin,
                                              const LoadOptions& options, const FetchImage& fetch) {
  if (readable - bytes.size() >= kJsonPadding) return read_padded(as_text(bytes), std::move(origin), options, fetch);
  const simdjson::padded_string copy(as_text(bytes));
  return read_padded({copy.data(), copy.size()}, std::move(origin), options, fetch);
}

struct PackedHeader {
  std::uint32_t version = 0;
  std::uint64_t json_bytes = 0;
  std::uint64_t image_bytes = 0;
};

std::optional<PackedHeader> packed_header(std::span<const std::byte> bytes) noexcept {
  ByteReader reader(bytes);
  (void)reader.take(4);
  PackedHeader header;
  header.version = reader.read<std::uint32_t>();
  header.json_bytes = reader.read<std::uint32_t>();
  header.image_bytes = reader.read<std::uint32_t>();
  if (reader.failed()) return std::nullopt;
  return header;
}

}  // namespace

bool looks_like_json(std::span<const std::byte> bytes) noexcept {
  std::string_view text = as_text(bytes);
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  return opens_object(text);
}

std::expected<Character, LoadError> read_json(std::span<const std::byte> bytes, std::size_t readable,
                                              const LoadOptions& options) {
  std::uint64_t bytes_left = options.limits.max_file_bytes;  // For all images, which may all be the same file.
  return read_text(bytes, readable, {"Pachario JSON"}, options, [&](const std::string& path, std::size_t) {
    auto image = read_image_file(path, bytes_left, options);
    if (image) bytes_left -= image->size();
    return image;
  });
}

bool is_packed(std::span<const std::byte> bytes) noexcept {
  const auto header = packed_header(bytes);
  if (!header || header->version != 1) return false;
  const std::string_view rest = as_text(bytes.subspan(kPackedHeaderBytes));
  return header->json_bytes + header->image_bytes == rest.size() && opens_object(rest.substr(0, header->json_bytes));
}

bool resembles_packed(std::span<const std::byte> bytes) noexcept {
  const auto header = packed_header(bytes);
  if (!header || header->version != 1) return false;
  const std::string_view json = as_text(bytes.subspan(kPackedHeaderBytes)).substr(0, header->json_bytes);
  constexpr std::string_view kSpace = " \t\r\n";
  const std::size_t brace = json.find_first_not_of(kSpace);
  if (brace == std::string_view::npos || json[brace] != '{') return false;
  const std::size_t key = json.find_first_not_of(kSpace, brace + 1);
  return key != std::string_view::npos && json[key] == '"';
}

std::expected<Character, LoadError> read_packed(std::span<const std::byte> bytes, std::size_t readable,
                                                const LoadOptions& options) {
  const PackedHeader header = packed_header(bytes).value_or(PackedHeader{});
  const auto rest = bytes.subspan(kPackedHeaderBytes);
  if (header.json_bytes + header.image_bytes > rest.size()) {
    return std::unexpected(
        Finding{FindingId::truncated,
                {},
                {},
                8,
                fmt::format("an older packed file of 16 + {} + {} bytes is expected; this one has {}",
                            header.json_bytes, header.image_bytes, bytes.size())});
  }
  const auto json = rest.first(header.json_bytes);
  const auto png = rest.subspan(header.json_bytes, header.image_bytes);
  const std::uint64_t end = kPackedHeaderBytes + header.json_bytes + header.image_bytes;
  Remarks remarks;
  if (end < bytes.size()) {
    remarks.add(FindingId::trailing_bytes, [&] {
      return Finding{FindingId::trailing_bytes, {}, {}, end, fmt::format("found {} bytes", bytes.size() - end)};
    });
  }
  return read_text(json, readable - kPackedHeaderBytes,
                   {"packed Pachario JSON", kPackedHeaderBytes, std::move(remarks)}, options,
                   [&](const std::string&, std::size_t number) {
                     const auto own = number == 0 ? png : std::span<const std::byte>();
                     return std::vector<std::byte>(own.begin(), own.end());
                   });
}

}  // namespace pchr
