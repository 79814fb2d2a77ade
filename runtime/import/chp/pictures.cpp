// SPDX-License-Identifier: MIT
// Finds, decodes and color-keys the images of Pomyu characters.
#include "import/chp/build.hpp"

#include "import/diagnose.hpp"
#include "import/file_names.hpp"
#include "import/picture/picture.hpp"
#include "platform/read_file.hpp"

namespace pchr::chp {
namespace {

using Rgba = std::array<std::uint8_t, 4>;

/// The other picture of the same kind.
PictureUse for_second_player(PictureUse use) noexcept {
  return static_cast<PictureUse>(static_cast<std::uint8_t>(use) + 1);
}

std::string with_single_spaces(std::string_view text) {
  std::string result(text);
  const auto repeated = std::ranges::unique(result, [](char left, char right) { return left == ' ' && right == ' '; });
  result.erase(repeated.begin(), repeated.end());
  return result;
}

std::expected<Bitmap, std::string> load_picture(const std::string& path, std::uint64_t max_pixels,
                                                const ImportOptions& options) {
  if (options.image_folder.empty()) {
    return std::unexpected("the character was loaded from memory, so there is no folder to look in");
  }
  if (!stays_inside(path)) return std::unexpected("it must be relative and stay in the character's folder");
  auto found = find_file(options.image_folder, path);
  if (!found) found = find_file(options.image_folder, with_single_spaces(path));
  if (options.before_reading) options.before_reading(found.value_or(options.image_folder / path));
  if (!found) return std::unexpected("there is no such file in the character's folder");
  const auto file = read_file(*found, options.limits.max_file_bytes);
  if (!file) return std::unexpected(file.error().detail);
  return decode_picture(file->bytes(), max_pixels);
}

/// The color that means transparent in a picture. Nothing if none does.
std::optional<Rgba> color_key(const File& file, PictureUse use, const Bitmap& bitmap,
                              const ImportOptions& options) noexcept {
  if (use == PictureUse::select_cg) return std::nullopt;
  Rgba key{0, 0, 0, 255};
  const bool wants_corner = file.auto_color_key || (file.legacy && !options.black_color_key);
  const bool from_corner = use != PictureUse::char_face && wants_corner;
  if (from_corner) std::copy(bitmap.rgba.end() - 4, bitmap.rgba.end(), key.begin());
  return key;
}

void apply_color_key(Bitmap& bitmap, const Rgba& key) noexcept {
  for (std::size_t pixel = 0; pixel < bitmap.rgba.size(); pixel += 4) {
    const auto color = std::span(bitmap.rgba).subspan(pixel, 4);
    if (std::ranges::equal(color, key)) std::ranges::fill(color, std::uint8_t{0});
  }
}

class PictureLoader {
 public:
  PictureLoader(const File& file, const ImportOptions& options, Warnings& warnings)
      : file_(file), options_(options), warnings_(warnings), pixels_left_(options.limits.max_image_pixels) {}

  Pictures load() && {
    pictures_.char_bmp = load_use(PictureUse::char_bmp);
    pictures_.char_tex = load_use(PictureUse::char_tex);
    pictures_.char_face = load_use(PictureUse::char_face);
    pictures_.select_cg = load_use(PictureUse::select_cg);
    return std::move(pictures_);
  }

 private:
  std::optional<std::uint32_t> load_use(PictureUse use) {
    const auto second = options_.second_player ? add(use, file_.picture(for_second_player(use))) : std::nullopt;
    return second ? second : add(use, file_.picture(use));
  }

  /// The number of the picture among all; nothing if there is none or it cannot be used.
  std::optional<std::uint32_t> add(PictureUse use, const PictureName& name) {
    if (name.path.empty()) return std::nullopt;
    auto bitmap = load_picture(name.path, pixels_left_, options_);
    if (!bitmap) {
      warn(warnings_, DiagnosticId::chp_picture_unusable, {.line = name.line, .column = name.column},
           "found \"{}\": {}", printable(name.path), bitmap.error());
      return std::nullopt;
    }
    pixels_left_ -= std::uint64_t{bitmap->width} * bitmap->height;
    if (const auto key = color_key(file_, use, *bitmap, options_)) apply_color_key(*bitmap, *key);
    const auto pixels = std::as_bytes(std::span(bitmap->rgba));
    pictures_.images.push_back(
        {name.path, bitmap->width, bitmap->height, ImageEncoding::rgba8888, {pixels.begin(), pixels.end()}});
    return static_cast<std::uint32_t>(pictures_.images.size() - 1);
  }

  const File& file_;
  const ImportOptions& options_;
  Warnings& warnings_;
  std::uint64_t pixels_left_;
  Pictures pictures_;
};

}  // namespace

Pictures load_pictures(const File& file, const ImportOptions& options, Warnings& warnings) {
  return PictureLoader(file, options, warnings).load();
}

}  // namespace pchr::chp
