// SPDX-License-Identifier: MIT
// Reads Pachario characters in JSON, with image files next to it or packed with one PNG.
#include "import/formats.hpp"

#include "character/build.hpp"
#include "character/byte_reader.hpp"
#include "character/fail.hpp"
#include "image/image.hpp"
#include "import/diagnose.hpp"
#include "import/json/json.hpp"
#include "import/text_decoding.hpp"
#include "pchr_v1/pchr_v1.hpp"
#include "platform/file_path.hpp"
#include "platform/files.hpp"

namespace pchr {
namespace {

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
  auto parsed = parse_pachario_json(json, options.limits, std::move(origin.warnings));
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
