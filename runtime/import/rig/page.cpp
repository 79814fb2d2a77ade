// SPDX-License-Identifier: MIT
// Reads the images of texture atlases.
#include "character/fail.hpp"
#include "image/image.hpp"
#include "import/images/image_file.hpp"
#include "import/rig/rig.hpp"
#include "import/text_decoding.hpp"
#include "platform/file_path.hpp"
#include "platform/files.hpp"

#include <utility>

namespace pchr::rig {
namespace {

/// Makes decoded pixels the image of a page, with straight alpha.
void store(Bitmap bitmap, Page& page) {
  if (page.is_premultiplied) unpremultiply(bitmap.rgba);
  const auto pixels = std::as_bytes(std::span(bitmap.rgba));
  page.image.bytes.assign(pixels.begin(), pixels.end());
  page.image.width = bitmap.width;
  page.image.height = bitmap.height;
  page.image.encoding = ImageEncoding::rgba8888;
}

}  // namespace

std::optional<Diagnostic> read_page(const std::string& path, std::string_view field, const ReaderOptions& options,
                                    std::uint64_t& pixels, Warnings& warnings, Page& page) {
  Image& image = page.image;
  image.name = path;
  const auto given = find_given_image(path, options);
  if (!given && !stays_inside(path)) {
    return diagnose(DiagnosticId::image_path_refused, {.path = field},
                    "is \"{}\", but must be a relative path inside the character's folder", printable(path));
  }
  const std::string found = given ? *given : path_in(options.image_folder, with_slashes(path));
  if (options.before_reading && (given || !options.image_folder.empty())) options.before_reading(found);
  const std::uint64_t max_bytes = options.limits.max_file_bytes;
  auto file = !given && options.image_folder.empty()
                  ? Expected<FileBytes, Diagnostic>(pchr::fail(DiagnosticId::image_unreadable, std::string()))
              : given ? read_file(found, max_bytes, 0, options.read_file)
                      : read_side_file(found, max_bytes, options);
  const std::uint64_t pixels_left = options.limits.max_image_pixels - pixels;
  if (!file) {
    if (file.error().id == DiagnosticId::git_lfs_pointer || file.error().id == DiagnosticId::link_outside) {
      return std::move(file.error());
    }
    if (!(page.width >= 1 && page.height >= 1 && page.width * page.height <= static_cast<double>(pixels_left))) {
      return diagnose(
          DiagnosticId::image_unreadable, {.path = field}, "is \"{}\", but {}", printable(path),
          file.error().detail.empty() ? "a character loaded from memory has no folder" : file.error().detail);
    }
    warn(warnings, DiagnosticId::image_absent, {}, "the atlas image \"{}\" was not found", printable(path));
    image.width = static_cast<std::uint32_t>(page.width);
    image.height = static_cast<std::uint32_t>(page.height);
    image.encoding = ImageEncoding::absent;
    pixels += std::uint64_t{image.width} * image.height;
    return std::nullopt;
  }
  const auto refuse = [&](const std::string& detail) {
    return diagnose(DiagnosticId::broken_png, {.path = field}, "is \"{}\", an image that {}", printable(path), detail);
  };
  if (is_png(file->bytes())) {
    const auto size = png_size(file->bytes()).value_or(PngSize{});
    if (std::uint64_t{size.width} * size.height > pixels_left) {
      return diagnose(DiagnosticId::limit_exceeded, {.path = field},
                      "is an image of {} x {} pixels, but the limit of all images is {} pixels", size.width,
                      size.height, options.limits.max_image_pixels);
    }
    if (auto problem = check_png(file->bytes(), size.width, size.height)) {
      return diagnose(problem->id, {.path = field}, "is \"{}\", an image that {}", printable(path), problem->detail);
    }
    image.width = size.width;
    image.height = size.height;
    image.bytes.assign(file->bytes().begin(), file->bytes().end());
    image.encoding = ImageEncoding::png;
    if (page.is_premultiplied) {
      auto bitmap = decode_straight(image, options.limits);
      if (!bitmap) return refuse(bitmap.error().detail);
      store(*std::move(bitmap), page);
    }
  } else {
    auto bitmap = decode_image_file(file->bytes(), pixels_left);
    if (!bitmap) return refuse("cannot be decoded: " + bitmap.error());
    store(*std::move(bitmap), page);
  }
  pixels += std::uint64_t{image.width} * image.height;
  return std::nullopt;
}

}  // namespace pchr::rig
