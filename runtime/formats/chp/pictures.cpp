// SPDX-License-Identifier: MIT
// The pictures of a Pomyu character: found, decoded and made transparent.
#include "formats/chp/pictures.hpp"

#include "formats/image_path.hpp"
#include "formats/picture.hpp"
#include "formats/read_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <expected>
#include <span>
#include <string>
#include <utility>

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

std::expected<Bitmap, std::string> load_picture(const std::string& path, std::uint64_t most_pixels,
                                                const LoadOptions& options) {
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
  return decode_picture(file->bytes(), most_pixels);
}

/// The colour that means transparent in a picture. Nothing if none does.
std::optional<Rgba> colour_key(const File& file, PictureUse use, const Bitmap& bitmap,
                               const LoadOptions& options) noexcept {
  if (use == PictureUse::select_cg) return std::nullopt;
  Rgba key{0, 0, 0, 255};
  const bool wants_corner = file.auto_colour_key || (file.legacy && !options.black_color_key);
  const bool from_corner = use != PictureUse::char_face && wants_corner;
  if (from_corner) std::copy(bitmap.rgba.end() - 4, bitmap.rgba.end(), key.begin());
  return key;
}

void apply_colour_key(Bitmap& bitmap, const Rgba& key) noexcept {
  for (std::size_t pixel = 0; pixel < bitmap.rgba.size(); pixel += 4) {
    const auto colour = std::span(bitmap.rgba).subspan(pixel, 4);
    if (std::ranges::equal(colour, key)) std::ranges::fill(colour, std::uint8_t{0});
  }
}

class PictureLoader {
 public:
  PictureLoader(const File& file, const LoadOptions& options, Remarks& remarks)
      : file_(file), options_(options), remarks_(remarks), pixels_left_(options.limits.max_image_pixels) {}

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
      remarks_.add(FindingId::chp_picture_unusable, [&] {
        return Finding{FindingId::chp_picture_unusable,
                       {},
                       {},
                       {},
                       fmt::format("found \"{}\": {}", printable(name.path), bitmap.error()),
                       name.line,
                       name.column};
      });
      return std::nullopt;
    }
    pixels_left_ -= std::uint64_t{bitmap->width} * bitmap->height;
    if (const auto key = colour_key(file_, use, *bitmap, options_)) apply_colour_key(*bitmap, *key);
    const auto pixels = std::as_bytes(std::span(bitmap->rgba));
    pictures_.images.push_back(
        {name.path, bitmap->width, bitmap->height, ImageEncoding::rgba8888, {pixels.begin(), pixels.end()}});
    return static_cast<std::uint32_t>(pictures_.images.size() - 1);
  }

  const File& file_;
  const LoadOptions& options_;
  Remarks& remarks_;
  std::uint64_t pixels_left_;
  Pictures pictures_;
};

}  // namespace

Pictures load_pictures(const File& file, const LoadOptions& options, Remarks& remarks) {
  return PictureLoader(file, options, remarks).load();
}

}  // namespace pchr::chp
