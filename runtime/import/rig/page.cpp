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
  Expected<FileBytes, Diagnostic> file = read_companion(path, options.limits.max_file_bytes, options, warnings).file;
  const std::uint64_t pixels_left = options.limits.max_image_pixels - pixels;
  if (!file) {
    const DiagnosticId id = file.error().id;
    const bool is_refused = id == DiagnosticId::image_path_refused || id == DiagnosticId::git_lfs_pointer ||
                            id == DiagnosticId::link_outside;
    const bool has_size =
        page.width >= 1 && page.height >= 1 && page.width * page.height <= static_cast<double>(pixels_left);
    if (is_refused || !has_size) {
      return diagnose(is_refused ? id : DiagnosticId::image_unreadable, {.path = field}, "is \"{}\", but {}",
                      printable(path), file.error().detail);
    }
    warn(warnings, DiagnosticId::image_absent, {.path = field}, "is \"{}\", but {}", printable(path),
         file.error().detail);
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
