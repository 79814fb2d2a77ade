// SPDX-License-Identifier: MIT
// The images of an Unreal mesh.
#include "formats/psk/textures.hpp"

#include "formats/picture.hpp"
#include "formats/psk/config.hpp"
#include "formats/read_file.hpp"
#include "formats/tga.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace pchr::psk {
namespace {

namespace fs = std::filesystem;

// Folders with more than these are not of one character, and reading them takes its time.
constexpr std::size_t kMostEntries = 20'000;
constexpr std::size_t kMostMaterialBytes = std::size_t{64} << 10;
// In Unreal's flags of a material: parts of it can be seen through.
constexpr std::uint32_t kMasked = 0x2, kTranslucent = 0x4;
constexpr std::array<std::string_view, 6> kEndings{".png", ".bmp", ".tga", ".jpg", ".jpeg", ".dds"};

/// Files by their names in lower case, the nearest folder's first.
using Index = std::map<std::string, fs::path>;

void add_folder(const fs::path& folder, Index& index, std::vector<fs::path>* folders, std::size_t& entries_left) {
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end && entries_left > 0;
       entry.increment(error), --entries_left) {
    std::error_code unknown;
    if (entry->is_directory(unknown)) {
      if (folders != nullptr) folders->push_back(entry->path());
    } else if (entry->is_regular_file(unknown)) {
      index.try_emplace(lower(entry->path().filename().string()), entry->path());
    }
  }
}

Index index_of(const fs::path& folder) {
  Index index;
  std::size_t entries_left = kMostEntries;
  for (const fs::path& start : {folder, folder / ".."}) {
    std::vector<fs::path> folders;
    add_folder(start, index, &folders, entries_left);
    // Systems list them in any order.
    std::ranges::sort(folders);
    for (const fs::path& below : folders) add_folder(below, index, nullptr, entries_left);
  }
  return index;
}

/// What a .mat file of UE Viewer says that the material is painted with.
std::string diffuse_of(const fs::path& path) {
  const auto file = read_file(path, kMostMaterialBytes);
  if (!file) return {};
  std::string_view text(reinterpret_cast<const char*>(file->storage.data()), file->size);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    constexpr std::string_view kDiffuse = "Diffuse=";
    if (line.starts_with(kDiffuse)) return std::string(line.substr(kDiffuse.size()));
  }
  return {};
}

/// Hues that differ as much as can be, however many there are.
std::array<std::uint8_t, 4> colour_of(std::size_t number) {
  constexpr double kGoldenTurn = 0.618033988749895;
  const double hue = std::fmod(0.58 + kGoldenTurn * static_cast<double>(number), 1.0) * 6;
  const auto channel = [&](double centre) {
    const double distance = std::abs(std::fmod(hue - centre + 9, 6.0) - 3);
    const double full = std::clamp(2 - distance, 0.0, 1.0);
    return static_cast<std::uint8_t>(std::lround(128 + 92 * full));
  };
  return {channel(0), channel(2), channel(4), 255};
}

class TextureFinder {
 public:
  TextureFinder(const LoadOptions& options, Remarks& remarks)
      : options_(options), remarks_(remarks), pixels_left_(options.limits.max_image_pixels) {
    if (!options.image_folder.empty()) index_ = index_of(options.image_folder);
  }

  void add(const Material& material, std::uint32_t number) {
    const std::string name = lower(material.name);
    std::vector<std::string> stems{name};
    if (const auto found = index_.find(name + ".mat"); found != index_.end()) {
      if (std::string diffuse = lower(diffuse_of(found->second)); !diffuse.empty()) stems.push_back(std::move(diffuse));
    }
    std::vector<std::string> problems;
    const bool see_through = (material.poly_flags & (kMasked | kTranslucent)) != 0;
    for (const std::string& stem : stems) {
      if (stem.empty() || stem.find_first_of("/\\") != std::string::npos) continue;
      if (const auto image = find(stem, see_through, problems)) {
        textures_.image_of_material.push_back(*image);
        return;
      }
    }
    remarks_.add(FindingId::psk_texture_missing, [&] {
      return Finding{FindingId::psk_texture_missing,
                     fmt::format("materials[{}]", number),
                     material.name,
                     {},
                     options_.image_folder.empty() ? "loaded from memory, so that there is no folder to look in"
                                                   : fmt::format("{}", fmt::join(problems, "; "))};
    });
    add_colour(material.name, number);
  }

  void add_colour(const std::string& name, std::uint32_t number) {
    constexpr std::uint32_t kSide = 2;
    Image image{name, kSide, kSide, ImageEncoding::rgba8888, {}};
    for (std::uint32_t pixel = 0; pixel < kSide * kSide; ++pixel) {
      for (const std::uint8_t channel : colour_of(number)) image.bytes.push_back(std::byte{channel});
    }
    textures_.image_of_material.push_back(static_cast<std::uint32_t>(textures_.images.size()));
    textures_.images.push_back(std::move(image));
  }

  void skip() { textures_.image_of_material.push_back(0); }

  Textures take() && { return std::move(textures_); }

 private:
  std::optional<std::uint32_t> find(const std::string& stem, bool see_through, std::vector<std::string>& problems) {
    for (const std::string_view ending : kEndings) {
      const auto found = index_.find(stem + std::string(ending));
      if (found == index_.end()) continue;
      const auto known = known_.try_emplace({found->second, see_through}, textures_.images.size());
      if (!known.second) return static_cast<std::uint32_t>(known.first->second);
      auto image = read(found->second, see_through);
      if (image) {
        textures_.images.push_back(*std::move(image));
        return static_cast<std::uint32_t>(known.first->second);
      }
      known_.erase(known.first);
      problems.push_back(fmt::format("\"{}\": {}", printable(found->second.filename().string()), image.error()));
    }
    problems.push_back(fmt::format("looked for \"{}\" as .png, .bmp or .tga", printable(stem)));
    return std::nullopt;
  }

  std::expected<Image, std::string> read(const fs::path& path, bool see_through) {
    if (options_.before_reading) options_.before_reading(path);
    const auto file = read_file(path, options_.limits.max_file_bytes);
    if (!file) return std::unexpected(file.error().detail);
    const bool is_tga = lower(path.extension().string()) == ".tga";
    auto bitmap = is_tga ? decode_tga(file->bytes(), pixels_left_) : decode_picture(file->bytes(), pixels_left_);
    if (!bitmap) return std::unexpected(std::move(bitmap.error()));
    pixels_left_ -= std::uint64_t{bitmap->width} * bitmap->height;
    if (!see_through) {
      // Unreal keeps anything there, such as how much a place shines.
      for (std::size_t i = 3; i < bitmap->rgba.size(); i += 4) bitmap->rgba[i] = 255;
    }
    const auto pixels = std::as_bytes(std::span(bitmap->rgba));
    return Image{printable(path.filename().string()),
                 bitmap->width,
                 bitmap->height,
                 ImageEncoding::rgba8888,
                 {pixels.begin(), pixels.end()}};
  }

  const LoadOptions& options_;
  Remarks& remarks_;
  std::uint64_t pixels_left_;
  Index index_;
  std::map<std::pair<fs::path, bool>, std::size_t> known_;
  Textures textures_;
};

}  // namespace

Textures find_textures(const Mesh& mesh, const LoadOptions& options, Remarks& remarks) {
  const std::size_t count = mesh.materials.size();
  std::vector<bool> used(count + 1);
  for (const Face& face : mesh.faces) used[std::min<std::size_t>(face.material, count)] = true;
  TextureFinder finder(options, remarks);
  for (std::uint32_t i = 0; i <= count; ++i) {
    if (!used[i]) {
      finder.skip();
    } else if (i < count) {
      finder.add(mesh.materials[i], i);
    } else {
      finder.add_colour("no material", i);
    }
  }
  return std::move(finder).take();
}

}  // namespace pchr::psk
