// SPDX-License-Identifier: MIT
// Loads the textures of an Unreal mesh.
#include "import/psk/build.hpp"

#include "import/images/image_file.hpp"
#include "import/psk/search.hpp"
#include "import/text_decoding.hpp"
#include "platform/file_path.hpp"
#include "platform/read_file.hpp"

#include <fmt/ranges.h>

#include <cmath>

namespace pchr::psk {
namespace {

constexpr std::size_t kMaxMaterialBytes = std::size_t{64} << 10;
/// Unreal's flags for materials with transparent parts.
constexpr std::uint32_t kMasked = 0x2, kTranslucent = 0x4;

/// Returns the name of the image in a .mat file of UE Viewer, or nothing.
std::string diffuse_in(const FileBytes& file) {
  std::string_view text(reinterpret_cast<const char*>(file.storage.data()), file.size);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    constexpr std::string_view kDiffuse = "Diffuse=";
    if (line.starts_with(kDiffuse)) return std::string(line.substr(kDiffuse.size()));
  }
  return {};
}

/// Returns one of a sequence of hues that differ as much as possible at any length.
std::array<std::uint8_t, 4> color_of(std::size_t number) {
  constexpr double kGoldenTurn = 0.618033988749895;
  const double hue = std::fmod(0.58 + kGoldenTurn * static_cast<double>(number), 1.0) * 6;
  const auto channel = [&](double center) {
    const double distance = std::abs(std::fmod(hue - center + 9, 6.0) - 3);
    const double full = std::clamp(2 - distance, 0.0, 1.0);
    return static_cast<std::uint8_t>(std::lround(128 + 92 * full));
  };
  return {channel(0), channel(2), channel(4), 255};
}

struct TextureFinder {
  const ReaderOptions& options;
  Warnings& warnings;
  std::uint64_t pixels_left = options.limits.max_image_pixels;
  SearchBudget budget{};
  FileFinder files{options, budget};
  std::map<std::pair<std::string, bool>, std::uint32_t> known{};
  Textures textures{};

  Textures find_all(const Mesh& mesh) && {
    const std::size_t count = mesh.materials.size();
    textures.image_of_material.resize(count + 1);
    std::vector<bool> used(count + 1);
    for (const Face& face : mesh.faces) used[std::min<std::size_t>(face.material, count)] = true;
    bool is_missing = false;
    for (std::uint32_t i = 0; i < count; ++i) {
      if (!used[i]) continue;
      const auto image = image_of(mesh.materials[i], i);
      is_missing = is_missing || !image;
      textures.image_of_material[i] = image ? *image : add_color(mesh.materials[i].name, i);
    }
    if (used[count]) textures.image_of_material[count] = add_color("no material", static_cast<std::uint32_t>(count));
    if (const std::string stopped = files.stopped(); is_missing && !stopped.empty()) {
      warn(warnings, DiagnosticId::psk_search_stopped, {}, "the search for textures stopped after {}", stopped);
    }
    return std::move(textures);
  }

  struct Texture {
    std::uint32_t image = 0;
    std::string path;
    std::string material;  ///< The .mat file that refers to it, if any.
    bool guessed = false;
  };

  std::optional<std::uint32_t> image_of(const Material& material, std::uint32_t number) {
    const bool transparent = (material.poly_flags & (kMasked | kTranslucent)) != 0;
    const std::string path = fmt::format("materials[{}]", number);
    const At at{.path = path, .name = material.name};
    std::vector<std::string> problems;
    if (const auto texture = find(read_object_path(material.name), {}, transparent, problems)) {
      if (texture->guessed) {
        warn(warnings, DiagnosticId::psk_texture_elsewhere, at, "uses \"{}\", which is outside the mesh's folder{}",
             shown(texture->path),
             texture->material.empty() ? "" : fmt::format(" (named in \"{}\")", shown(texture->material)));
      }
      return texture->image;
    }
    const bool nowhere = options.image_folder.empty() && options.texture_folders.empty() && options.images.empty();
    if (nowhere) problems = {"a mesh loaded from memory has no folder to search"};
    warn(warnings, DiagnosticId::psk_texture_missing, at, "has no texture: {}", fmt::join(problems, "; "));
    return std::nullopt;
  }

  std::uint32_t add_color(const std::string& name, std::uint32_t number) {
    constexpr std::uint32_t kSide = 2;
    Image image{name, kSide, kSide, ImageEncoding::rgba8888, {}};
    for (std::uint32_t pixel = 0; pixel < kSide * kSide; ++pixel) {
      for (const std::uint8_t channel : color_of(number)) image.bytes.push_back(std::byte{channel});
    }
    return add(std::move(image));
  }

  std::uint32_t add(Image image) {
    textures.images.push_back(std::move(image));
    return static_cast<std::uint32_t>(textures.images.size() - 1);
  }

  /// Finds the texture with the name of the object, or through a .mat file with that name. `material` is the .mat file
  /// that refers to the object, if any.
  std::optional<Texture> find(const ObjectPath& object, const std::string& material, bool transparent,
                              std::vector<std::string>& problems) {
    const bool is_diffuse = !material.empty();
    const std::string folder(is_diffuse ? folder_of(material) : files.mesh_folder());
    const std::span<const std::string_view> endings = is_diffuse ? kImageEndings : std::span(kMaterialEndings);
    while (const auto found = files.find(object, endings, folder)) {
      if (lower(extension_of(found->path)) != ".mat") {
        if (const auto image = image_at(found->path, transparent, problems)) {
          return Texture{*image, found->path, material,
                         found->guessed && folder_of(found->path) != folder_of(material)};
        }
      } else if (auto texture = find_diffuse(found->path, transparent, problems)) {
        texture->guessed |= found->guessed;
        return texture;
      }
      files.reject(found->path);
    }
    problems.push_back(fmt::format("found no file \"{}\" with the extension .png, .bmp or .tga",
                                   printable(object.names.empty() ? std::string() : object.names.front())));
    return std::nullopt;
  }

  std::optional<Texture> find_diffuse(const std::string& material, bool transparent,
                                      std::vector<std::string>& problems) {
    announce(material);
    const auto file = read(material, kMaxMaterialBytes);
    if (!file && file.error().id == DiagnosticId::link_outside) refuse(material, file.error().detail, problems);
    const ObjectPath object = read_object_path(file ? diffuse_in(*file) : "");
    if (object.names.empty()) return std::nullopt;
    return find(object, material, transparent, problems);
  }

  [[nodiscard]] std::string shown(const std::string& path) const {
    return printable(path_from(files.mesh_folder(), path));
  }

  /// Reports a file before it is read. Paths below the mesh's folder start with the folder as given in the options.
  void announce(const std::string& path) const {
    if (!options.before_reading) return;
    const std::string below = path_from(files.mesh_folder(), path);
    const bool is_below = !files.mesh_folder().empty() && !below.empty() && !below.starts_with("../");
    options.before_reading(is_below ? path_in(options.image_folder, below) : path);
  }

  /// Returns the index of the image in a file. Reads each file once for all materials.
  std::optional<std::uint32_t> image_at(const std::string& path, bool transparent, std::vector<std::string>& problems) {
    const auto found = known.find({path, transparent});
    if (found != known.end()) return found->second;
    auto image = read_image(path, transparent);
    if (!image) {
      refuse(path, image.error(), problems);
      return std::nullopt;
    }
    return known[{path, transparent}] = add(*std::move(image));
  }

  static void refuse(const std::string& path, const std::string& why, std::vector<std::string>& problems) {
    problems.push_back(fmt::format("\"{}\" cannot be used: {}", printable(file_name_of(path)), why));
  }

  [[nodiscard]] Expected<FileBytes, Diagnostic> read(const std::string& path, std::uint64_t max_bytes) const {
    const bool is_given = std::ranges::find(options.images, path) != options.images.end();
    return is_given ? read_file(path, max_bytes, 0, options.read_file) : read_found_file(path, max_bytes, options);
  }

  Expected<Image, std::string> read_image(const std::string& path, bool transparent) {
    announce(path);
    const auto file = read(path, options.limits.max_file_bytes);
    if (!file) return Unexpected(file.error().detail);
    const bool is_tga = lower(extension_of(path)) == ".tga";
    auto bitmap = is_tga ? decode_tga(file->bytes(), pixels_left) : decode_image_file(file->bytes(), pixels_left);
    if (!bitmap) return Unexpected(std::move(bitmap.error()));
    pixels_left -= std::uint64_t{bitmap->width} * bitmap->height;
    if (!transparent) {
      // Unreal stores other data in alpha, such as shininess.
      for (std::size_t i = 3; i < bitmap->rgba.size(); i += 4) bitmap->rgba[i] = 255;
    }
    const auto pixels = std::as_bytes(std::span(bitmap->rgba));
    return Image{printable(file_name_of(path)),
                 bitmap->width,
                 bitmap->height,
                 ImageEncoding::rgba8888,
                 {pixels.begin(), pixels.end()}};
  }
};

}  // namespace

Textures find_textures(const Mesh& mesh, const ReaderOptions& options, Warnings& warnings) {
  return TextureFinder{options, warnings}.find_all(mesh);
}

}  // namespace pchr::psk
