// SPDX-License-Identifier: MIT
// Finds, decodes and color-keys the images of Pomyu characters.
#include "import/chp/build.hpp"

#include "character/fail.hpp"
#include "import/diagnose.hpp"
#include "import/file_names.hpp"
#include "import/images/image_file.hpp"
#include "platform/file_path.hpp"
#include "platform/read_file.hpp"

namespace pchr::chp {
namespace {

using Rgba = std::array<std::uint8_t, 4>;

std::string with_single_spaces(std::string_view text) {
  std::string result(text);
  const auto repeated = std::ranges::unique(result, [](char left, char right) { return left == ' ' && right == ' '; });
  result.erase(repeated.begin(), repeated.end());
  return result;
}

Expected<Bitmap, Diagnostic> load_image(const std::string& path, std::uint64_t max_pixels,
                                        const ReaderOptions& options) {
  constexpr auto kUnusable = DiagnosticId::chp_image_unusable;
  auto found = find_given_image(path, options);
  const bool is_given = found.has_value();
  if (!found && options.image_folder.empty()) {
    return fail(kUnusable, "the character was loaded from memory, so it has no folder to search");
  }
  if (!found && !stays_inside(path)) {
    return fail(kUnusable, "the path must be relative and stay in the character's folder");
  }
  if (!found) found = find_file(options.image_folder, path, options);
  if (!found) found = find_file(options.image_folder, with_single_spaces(path), options);
  if (options.before_reading) {
    options.before_reading(found.value_or(path_in(options.image_folder, path)));
  }
  if (!found) return fail(kUnusable, "the file does not exist in the character's folder");
  const std::uint64_t max_bytes = options.limits.max_file_bytes;
  auto file =
      is_given ? read_file(*found, max_bytes, 0, options.read_file) : read_side_file(*found, max_bytes, options);
  if (!file) return Unexpected(std::move(file.error()));
  auto bitmap = decode_image_file(file->bytes(), max_pixels);
  if (!bitmap) return fail(kUnusable, std::move(bitmap.error()));
  return *std::move(bitmap);
}

/// Returns the color key of an image: pixels of this color become transparent.
std::optional<Rgba> color_key(const File& file, ImageUse use, const Bitmap& bitmap,
                              const ImportOptions& options) noexcept {
  if (use == ImageUse::select_cg) return std::nullopt;
  Rgba key{0, 0, 0, 255};
  const bool from_corner = file.auto_color_key || (file.legacy && !options.black_color_key);
  if (from_corner && use != ImageUse::char_face) std::copy_n(bitmap.rgba.end() - 4, 4, key.begin());
  return key;
}

}  // namespace

Expected<Images, Diagnostic> load_images(const File& file, const ReaderOptions& options, Warnings& warnings) {
  Images images;
  std::optional<Diagnostic> link;
  std::uint64_t pixels_left = options.limits.max_image_pixels;
  const auto add = [&](ImageUse use, const ImageName& name) -> std::optional<std::uint32_t> {
    if (name.path.empty()) return std::nullopt;
    auto bitmap = load_image(name.path, pixels_left, options);
    if (!bitmap) {
      const bool is_link = bitmap.error().id == DiagnosticId::link_outside;
      const auto id = is_link ? DiagnosticId::link_outside : DiagnosticId::chp_image_unusable;
      Diagnostic problem = diagnose(id, {.line = name.line, .column = name.column}, "cannot use image \"{}\": {}",
                                    printable(name.path), bitmap.error().detail);
      is_link ? (void)(link = std::move(problem)) : warnings.add(id, [&] { return std::move(problem); });
      return std::nullopt;
    }
    pixels_left -= std::uint64_t{bitmap->width} * bitmap->height;
    const auto key = color_key(file, use, *bitmap, options);
    for (std::size_t at = 0; key && at < bitmap->rgba.size(); at += 4) {
      const auto pixel = std::span(bitmap->rgba).subspan(at, 4);
      if (std::ranges::equal(pixel, *key)) std::ranges::fill(pixel, std::uint8_t{0});
    }
    const auto pixels = std::as_bytes(std::span(bitmap->rgba));
    images.all.push_back(
        {name.path, bitmap->width, bitmap->height, ImageEncoding::rgba8888, {pixels.begin(), pixels.end()}});
    return static_cast<std::uint32_t>(images.all.size() - 1);
  };
  const auto load = [&](ImageUse use) {
    const auto second_players = static_cast<ImageUse>(static_cast<std::uint8_t>(use) + 1);
    const auto second = options.second_player ? add(use, file.image(second_players)) : std::nullopt;
    return second ? second : add(use, file.image(use));
  };
  images.char_bmp = load(ImageUse::char_bmp);
  images.char_tex = load(ImageUse::char_tex);
  images.char_face = load(ImageUse::char_face);
  images.select_cg = load(ImageUse::select_cg);
  if (link) return Unexpected(*std::move(link));
  return images;
}

}  // namespace pchr::chp
