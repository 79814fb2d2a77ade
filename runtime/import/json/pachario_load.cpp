// SPDX-License-Identifier: MIT
// Reads Pachario characters in JSON, with image files next to it or packed with one PNG.
#include "import/json/pachario_load.hpp"

#include "character/build.hpp"
#include "character/byte_reader.hpp"
#include "character/fail.hpp"
#include "image/image.hpp"
#include "import/diagnose.hpp"
#include "import/file_names.hpp"
#include "import/json/pachario_json.hpp"
#include "import/text_decoding.hpp"
#include "platform/file_path.hpp"
#include "platform/read_file.hpp"

#include <simdjson.h>

namespace pchr {
namespace {

static_assert(kJsonPadding >= simdjson::SIMDJSON_PADDING);

constexpr std::uint64_t kPackedHeaderBytes = 16;

std::string_view as_text(std::span<const std::byte> bytes) noexcept {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string_view without_space(std::string_view text) noexcept {
  return text.substr(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
}

Expected<std::vector<std::byte>, Diagnostic> read_image_file(const std::string& path, std::uint64_t max_bytes,
                                                             const ReaderOptions& options) {
  const auto given = find_given_image(path, options);
  if (!given && options.image_folder.empty()) {
    return fail(DiagnosticId::image_unreadable, "cannot be read, because a character loaded from memory has no folder");
  }
  if (!given && !options.allow_images_outside && !stays_inside(path)) {
    return fail(DiagnosticId::image_path_refused,
                fmt::format("is \"{}\", but must be a relative path inside the character's folder", printable(path)));
  }
  const std::string image = given ? *given : path_in(options.image_folder, with_slashes(path));
  if (options.before_reading) options.before_reading(image);
  const bool goes_anywhere = given || options.allow_images_outside;
  auto file =
      goes_anywhere ? read_file(image, max_bytes, 0, options.read_file) : read_side_file(image, max_bytes, options);
  if (!file) {
    const DiagnosticId id = file.error().id;
    const bool is_known = id == DiagnosticId::git_lfs_pointer || id == DiagnosticId::link_outside;
    return fail(is_known ? id : DiagnosticId::image_unreadable,
                fmt::format("is \"{}\", but {}", printable(path), file.error().detail));
  }
  file->storage.resize(file->size);
  return std::move(file->storage);
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
      auto bytes = read_image_file(character.image_paths[i], bytes_left, options);
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

Expected<Character, LoadError> read_text(std::span<const std::byte> bytes, std::size_t readable, Origin origin,
                                         const ReaderOptions& options) {
  JsonText json{as_text(bytes), origin.file_offset};
  simdjson::padded_string copy;
  if (readable - bytes.size() < kJsonPadding) {
    copy = simdjson::padded_string(json.text);
    if (copy.data() == nullptr) throw_out_of_memory();
    json.text = {copy.data(), copy.size()};
  }
  const bool has_mark = json.text.starts_with(kUtf8Mark);
  if (has_mark) json = {json.text.substr(kUtf8Mark.size()), json.file_offset + kUtf8Mark.size()};
  const auto failed = [&](Diagnostic error) {
    locate(json, {&error, 1});
    return Unexpected(std::move(error));
  };
  auto character = parse_pachario_json(json, options.limits, std::move(origin.warnings));
  if (!character) return failed(std::move(character.error()));
  if (has_mark) {
    warn(character->warnings, DiagnosticId::byte_order_mark, {.offset = 0, .line = 1, .column = 1},
         "the JSON starts with a byte order mark, which UTF-8 does not need");
  }
  if (auto problem = attach_images(*character, origin, options)) return failed(std::move(*problem));
  return CharacterBuilder::build(
      std::move(character->data), options.bind_pose,
      [&](std::span<Diagnostic> diagnostics) { locate(json, diagnostics); }, std::move(character->warnings));
}

/// Older packed file.
struct Packed {
  std::uint64_t json_bytes = 0, image_bytes = 0;
  std::span<const std::byte> contents;  ///< Bytes after the header.

  [[nodiscard]] std::uint64_t content_bytes() const noexcept { return json_bytes + image_bytes; }
  [[nodiscard]] std::string_view json() const noexcept {
    return without_space(as_text(contents).substr(0, json_bytes));
  }
};

std::optional<Packed> read_header(std::span<const std::byte> bytes) noexcept {
  ByteReader reader(bytes);
  (void)reader.take(4);
  const auto version = reader.read<std::uint32_t>();
  Packed packed;
  packed.json_bytes = reader.read<std::uint32_t>();
  packed.image_bytes = reader.read<std::uint32_t>();
  packed.contents = reader.take(reader.remaining());
  return reader.failed() || version != 1 ? std::nullopt : std::optional(packed);
}

}  // namespace

bool looks_like_json(std::span<const std::byte> bytes) noexcept {
  std::string_view text = as_text(bytes);
  if (text.starts_with(kUtf8Mark)) text.remove_prefix(kUtf8Mark.size());
  return without_space(text).starts_with('{');
}

Expected<Character, LoadError> read_json(std::span<const std::byte> bytes, std::size_t readable,
                                         const ReaderOptions& options) {
  return read_text(bytes, readable, {}, options);
}

bool is_packed(std::span<const std::byte> bytes) noexcept {
  const auto packed = read_header(bytes);
  return packed && packed->content_bytes() == packed->contents.size() && packed->json().starts_with('{');
}

bool resembles_packed(std::span<const std::byte> bytes) noexcept {
  const auto packed = read_header(bytes);
  return packed && packed->json().starts_with('{') && without_space(packed->json().substr(1)).starts_with('"');
}

Expected<Character, LoadError> read_packed(std::span<const std::byte> bytes, std::size_t readable,
                                           const ReaderOptions& options) {
  const Packed packed = read_header(bytes).value_or(Packed{});
  const std::uint64_t end = kPackedHeaderBytes + packed.content_bytes();
  if (end > bytes.size()) {
    return fail(DiagnosticId::truncated, 8,
                fmt::format("the header declares an older packed file of 16 + {} + {} bytes, but this one has {}",
                            packed.json_bytes, packed.image_bytes, bytes.size()));
  }
  Origin origin{kPackedHeaderBytes, packed.contents.subspan(packed.json_bytes, packed.image_bytes)};
  if (end < bytes.size()) {
    warn(origin.warnings, DiagnosticId::trailing_bytes, {.offset = end}, "the file has {} after the character",
         counted(bytes.size() - end, "byte"));
  }
  return read_text(packed.contents.first(packed.json_bytes), readable - kPackedHeaderBytes, std::move(origin), options);
}

}  // namespace pchr
