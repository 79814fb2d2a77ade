// SPDX-License-Identifier: MIT
// Pachario characters whose structure is JSON: with images beside it, or packed with one PNG.
#include "import/json/pachario_load.hpp"

#include "character/build.hpp"
#include "character/byte_reader.hpp"
#include "character/fail.hpp"
#include "character/path.hpp"
#include "image/image.hpp"
#include "image/png_check.hpp"
#include "import/file_names.hpp"
#include "import/json/locate.hpp"
#include "import/json/pachario_json.hpp"
#include "platform/read_file.hpp"

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

/// Returns the bytes of image `number`, whose path is `path`. No bytes: the file has none for it.
using FetchImage =
    std::function<std::expected<std::vector<std::byte>, Diagnostic>(const std::string& path, std::size_t number)>;

std::expected<std::vector<std::byte>, Diagnostic> read_image_file(const std::string& path, std::uint64_t max_bytes,
                                                                  const ImportOptions& options) {
  if (options.image_folder.empty()) {
    return fail(DiagnosticId::image_unreadable,
                "the character was loaded from memory, so there is no folder to look in");
  }
  if (!options.allow_images_outside && !stays_inside(path)) {
    return fail(DiagnosticId::image_path_refused,
                fmt::format("found \"{}\"; it must be relative and stay in the character's folder", printable(path)));
  }
  const std::filesystem::path image = options.image_folder / with_slashes(path);
  if (options.before_reading) options.before_reading(image);
  auto file = read_file(image, max_bytes);
  if (!file) {
    return fail(DiagnosticId::image_unreadable, fmt::format("\"{}\": {}", printable(path), file.error().detail));
  }
  file->storage.resize(file->size);
  return std::move(file->storage);
}

/// An image is a PNG file unless its format says rgba8888 and its file holds raw pixels.
bool holds_png(const Image& image) noexcept {
  const std::string_view text = as_text(image.bytes);
  return image.encoding == ImageEncoding::png || text.starts_with("\x89PNG");
}

/// Checks a PNG, and stores it as the format says that the binary does: as the file it is, or decoded.
std::optional<Diagnostic> check_and_store(Image& image, const Limits& limits) {
  if (auto problem = check_png(image.bytes, image.width, image.height)) {
    problem->detail += fmt::format(" (at byte {} of the image)", *problem->byte_offset);
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

/// Fills in the images' bytes and checks them. An image without bytes is drawn as a checker, with a warning.
std::optional<Diagnostic> attach_images(JsonCharacter& character, const Limits& limits, const FetchImage& fetch) {
  std::uint64_t pixels = 0;
  for (std::uint32_t i = 0; i < character.data.images.size(); ++i) {
    Image& image = character.data.images[i];
    const auto diagnostic = [&](DiagnosticId id, std::string detail) {
      return diagnostic_at(id, character.data, path_of("images", i, "data"), std::move(detail));
    };
    pixels += std::uint64_t{image.width} * image.height;
    if (pixels > limits.max_image_pixels) {
      return diagnostic(DiagnosticId::limit_exceeded,
                        fmt::format("{} x {} pixels bring the images to {}; the limit is {}", image.width, image.height,
                                    pixels, limits.max_image_pixels));
    }
    auto bytes = fetch(character.image_paths[i], i);
    if (!bytes) return diagnostic(bytes.error().id, std::move(bytes.error().detail));
    image.bytes = std::move(*bytes);
    if (image.bytes.empty()) {
      image.encoding = ImageEncoding::absent;
      character.warnings.add(DiagnosticId::image_absent,
                             [&] { return diagnostic(DiagnosticId::image_absent, "the file holds no pixels for it"); });
    } else if (image.width > 0 && image.height > 0 && holds_png(image)) {
      if (auto problem = check_and_store(image, limits)) return diagnostic(problem->id, std::move(problem->detail));
    }
  }
  return std::nullopt;
}

/// Where a JSON text comes from.
struct Origin {
  std::size_t file_offset = 0;  ///< Where the text begins in the file.
  Warnings remarks{};           ///< About what is around it.
};

std::expected<Character, LoadError> read_padded(std::string_view text, Origin origin, const ImportOptions& options,
                                                const FetchImage& fetch) {
  JsonText json{text, origin.file_offset};
  const bool has_mark = json.text.starts_with(kByteOrderMark);
  if (has_mark) json = {json.text.substr(kByteOrderMark.size()), json.file_offset + kByteOrderMark.size()};
  const auto failed = [&](Diagnostic error) {
    locate(json, {&error, 1});
    return std::unexpected(std::move(error));
  };
  auto character = parse_pachario_json(json, options.limits, std::move(origin.remarks));
  if (!character) return failed(std::move(character.error()));
  if (has_mark) {
    character->warnings.add(DiagnosticId::byte_order_mark, [] {
      return Diagnostic{DiagnosticId::byte_order_mark, {}, {}, 0, "JSON is UTF-8 and needs none", 1, 1};
    });
  }
  if (auto problem = attach_images(*character, options.limits, fetch)) return failed(std::move(*problem));
  return CharacterBuilder::build(
      std::move(character->data), options.bind_pose,
      [&](std::span<Diagnostic> diagnostics) { locate(json, diagnostics); }, std::move(character->warnings));
}

/// Parses in place where enough may be read behind the text, else a copy.
std::expected<Character, LoadError> read_text(std::span<const std::byte> bytes, std::size_t readable, Origin origin,
                                              const ImportOptions& options, const FetchImage& fetch) {
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
                                              const ImportOptions& options) {
  std::uint64_t bytes_left = options.limits.max_file_bytes;  // For all images, which may all be the same file.
  return read_text(bytes, readable, {}, options, [&](const std::string& path, std::size_t) {
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
                                                const ImportOptions& options) {
  const PackedHeader header = packed_header(bytes).value_or(PackedHeader{});
  const auto rest = bytes.subspan(kPackedHeaderBytes);
  if (header.json_bytes + header.image_bytes > rest.size()) {
    return fail(DiagnosticId::truncated, 8,
                fmt::format("an older packed file of 16 + {} + {} bytes is expected; this one has {}",
                            header.json_bytes, header.image_bytes, bytes.size()));
  }
  const auto json = rest.first(header.json_bytes);
  const auto png = rest.subspan(header.json_bytes, header.image_bytes);
  const std::uint64_t end = kPackedHeaderBytes + header.json_bytes + header.image_bytes;
  Warnings remarks;
  if (end < bytes.size()) {
    remarks.add(DiagnosticId::trailing_bytes, [&] {
      return Diagnostic{DiagnosticId::trailing_bytes, {}, {}, end, fmt::format("found {} bytes", bytes.size() - end)};
    });
  }
  return read_text(json, readable - kPackedHeaderBytes, {kPackedHeaderBytes, std::move(remarks)}, options,
                   [&](const std::string&, std::size_t number) {
                     const auto own = number == 0 ? png : std::span<const std::byte>();
                     return std::vector<std::byte>(own.begin(), own.end());
                   });
}

}  // namespace pchr
