// SPDX-License-Identifier: MIT
// Opacity that changes over time as faded copies in the images.
#include "formats/baked_opacity.hpp"

#include "formats/image.hpp"
#include "formats/png_writer.hpp"
#include "model/build.hpp"
#include "model/influences.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace pchr {
namespace {

constexpr std::uint32_t kOpaque = 255;
constexpr std::uint32_t kLargestStep = 128;
constexpr std::uint32_t kMostSide = 65535;

/// The opacities, in 1/255, that are told apart: 0, the multiples of `step`, and 255.
std::uint32_t level_of(float opacity, std::uint32_t step) noexcept {
  const double level = std::clamp(static_cast<double>(opacity), 0.0, 1.0) * kOpaque;
  return static_cast<std::uint32_t>(std::min(std::lround(level / step) * static_cast<long>(step), long{kOpaque}));
}

/// The part of an image that a mesh is drawn from, in pixels. It may reach out of the image, which repeats its edge.
struct Region {
  std::int32_t x = 0, y = 0, width = 0, height = 0;
  auto operator<=>(const Region&) const = default;
};

/// A region with an opacity, and where it is in the grown image.
struct Copy {
  std::uint32_t image = 0;
  Region region;
  std::uint32_t level = 0;
  auto operator<=>(const Copy&) const = default;
};
struct Place {
  std::uint32_t x = 0, y = 0;
};

struct Size {
  std::uint32_t width = 0, height = 0;
};

/// The pixels that a mesh shows, and one more on each side for the filter. Nothing if they reach further than any
/// image.
std::optional<Region> region_of(const Character& character, const Mesh& mesh) {
  const Image& image = character.images()[mesh.image];
  double left = kMostSide, top = kMostSide, right = -left, bottom = -top;
  for (const Vertex& vertex : character.vertices(mesh)) {
    left = std::min(left, double{vertex.u} * image.width);
    right = std::max(right, double{vertex.u} * image.width);
    top = std::min(top, double{vertex.v} * image.height);
    bottom = std::max(bottom, double{vertex.v} * image.height);
  }
  if (!(right >= left && bottom >= top && right - left < kMostSide - 2 && bottom - top < kMostSide - 2)) return {};
  // What is a pixel's edge but for rounding is taken for it.
  constexpr double kRounding = 1.0 / 256;
  const auto first = [](double edge) { return static_cast<std::int32_t>(std::floor(edge + kRounding)) - 1; };
  const auto last = [](double edge) { return static_cast<std::int32_t>(std::ceil(edge - kRounding)) + 1; };
  return Region{first(left), first(top), last(right) - first(left), last(bottom) - first(top)};
}

/// Rows of copies, the tallest first, below what is there; as wide as makes them about a square.
class Shelves {
 public:
  Shelves(Size size, std::uint64_t pixels_of_copies)
      : size_{std::max(size.width, static_cast<std::uint32_t>(std::sqrt(static_cast<double>(pixels_of_copies)))),
              size.height},
        y_(size.height) {}

  /// Copies come in descending height.
  Place add(const Region& region) {
    const auto width = static_cast<std::uint32_t>(region.width), height = static_cast<std::uint32_t>(region.height);
    size_.width = std::max(size_.width, width);
    if (x_ + width > size_.width) {
      y_ += shelf_height_;
      x_ = shelf_height_ = 0;
    }
    const Place place{x_, y_};
    x_ += width;
    shelf_height_ = std::max(shelf_height_, height);
    size_.height = std::max(size_.height, y_ + height);
    return place;
  }

  [[nodiscard]] Size size() const noexcept { return size_; }

 private:
  Size size_;
  std::uint32_t x_ = 0, y_ = 0, shelf_height_ = 0;
};

/// Every level that each bone shows, but for nothing and all.
using LevelsOfBones = std::vector<std::set<std::uint32_t>>;

LevelsOfBones levels_of_bones(const Character& character, std::uint32_t step) {
  const std::size_t bones = character.bones().size();
  std::vector<bool> governs(bones);
  for (const std::uint32_t bone : character.governing_bones()) {
    if (bone < bones) governs[bone] = true;
  }
  LevelsOfBones levels(bones);
  for (const Clip& clip : character.clips()) {
    for (std::size_t sample = 0; sample < clip.samples.opacity.size(); ++sample) {
      const std::size_t bone = sample % bones;
      if (!governs[bone] || clip.samples.visible[sample] == 0) continue;
      const std::uint32_t level = level_of(clip.samples.opacity[sample], step);
      if (level > 0 && level < kOpaque) levels[bone].insert(level);
    }
  }
  return levels;
}

/// Where every copy goes, and how large the images become.
struct Layout {
  std::map<Copy, Place> places;
  std::vector<Size> sizes;
};

std::uint64_t pixels_of(const Size& size) noexcept { return std::uint64_t{size.width} * size.height; }

/// Nothing if an image becomes too large.
std::optional<Layout> lay_out(const Character& character, const LevelsOfBones& levels,
                              std::span<const Region> regions) {
  Layout layout;
  for (std::uint32_t mesh = 0; mesh < regions.size() && !levels.empty(); ++mesh) {
    for (const std::uint32_t level : levels[character.governing_bone(mesh)]) {
      layout.places.emplace(Copy{character.meshes()[mesh].image, regions[mesh], level}, Place{});
    }
  }
  std::vector<std::pair<const Copy, Place>*> tallest_first;
  for (auto& entry : layout.places) tallest_first.push_back(&entry);
  std::ranges::stable_sort(tallest_first, std::ranges::greater{},
                           [](const auto* entry) { return entry->first.region.height; });
  std::vector<std::uint64_t> pixels_of_copies(character.images().size());
  for (const auto& [copy, place] : layout.places) {
    pixels_of_copies[copy.image] += std::uint64_t(copy.region.width) * std::uint64_t(copy.region.height);
  }
  std::vector<Shelves> shelves;
  for (std::size_t i = 0; i < pixels_of_copies.size(); ++i) {
    shelves.emplace_back(Size{character.images()[i].width, character.images()[i].height}, pixels_of_copies[i]);
  }
  for (auto* entry : tallest_first) entry->second = shelves[entry->first.image].add(entry->first.region);
  for (std::uint32_t i = 0; i < shelves.size(); ++i) {
    const Image& image = character.images()[i];
    const std::uint64_t most = std::max(4 * pixels_of({image.width, image.height}), std::uint64_t{2} << 20);
    const Size size = shelves[i].size();
    if (size.width > kMostSide || size.height > kMostSide) return {};
    if (size.height > image.height && pixels_of(size) > most) return {};
    layout.sizes.push_back(size);
  }
  return layout;
}

void paint(std::vector<std::uint8_t>& pixels, const Size& size, const Bitmap& original, const Copy& copy,
           const Place& place) {
  const auto column_of = [&](std::int32_t x) {
    return std::clamp(x, 0, static_cast<std::int32_t>(original.width) - 1);
  };
  const auto row_of = [&](std::int32_t y) { return std::clamp(y, 0, static_cast<std::int32_t>(original.height) - 1); };
  for (std::int32_t y = 0; y < copy.region.height; ++y) {
    const auto source_row = static_cast<std::size_t>(row_of(copy.region.y + y)) * original.width;
    std::uint8_t* to = &pixels[((place.y + static_cast<std::size_t>(y)) * size.width + place.x) * 4];
    for (std::int32_t x = 0; x < copy.region.width; ++x, to += 4) {
      std::copy_n(&original.rgba[(source_row + static_cast<std::size_t>(column_of(copy.region.x + x))) * 4], 4, to);
      to[3] = static_cast<std::uint8_t>((to[3] * copy.level + kOpaque / 2) / kOpaque);
    }
  }
}

/// Image `number`, grown to hold its copies.
std::expected<Image, Finding> grown_image(const Character& character, std::uint32_t number, const Layout& layout,
                                          const Limits& limits) {
  const Image& image = character.images()[number];
  const Size size = layout.sizes[number];
  if (size.width == image.width && size.height == image.height) return image;
  const auto bitmap = decode_straight(image, limits);
  if (!bitmap) {
    return std::unexpected(finding_at(bitmap.error().id, character.data(), {Section::images, Field::data, number}, {},
                                      bitmap.error().detail));
  }
  std::vector<std::uint8_t> pixels(pixels_of(size) * 4);
  for (std::size_t row = 0; row < bitmap->height; ++row) {
    const std::size_t row_bytes = std::size_t{4} * bitmap->width;
    std::copy_n(bitmap->rgba.begin() + static_cast<std::ptrdiff_t>(row * row_bytes), row_bytes,
                pixels.begin() + static_cast<std::ptrdiff_t>(row * size.width * 4));
  }
  for (const auto& [copy, place] : layout.places) {
    if (copy.image == number) paint(pixels, size, *bitmap, copy, place);
  }
  const auto bytes = std::as_bytes(std::span(pixels));
  const bool raw = image.encoding == ImageEncoding::rgba8888;
  return Image{image.name, size.width, size.height, raw ? ImageEncoding::rgba8888 : ImageEncoding::png,
               raw ? std::vector(bytes.begin(), bytes.end()) : write_png(size.width, size.height, bytes)};
}

/// Bone b of the original is `bone[b]` now; the bone that shows level l in its stead is `faded[b].at(l)`.
struct NewBones {
  std::vector<std::uint32_t> bone;
  std::vector<std::map<std::uint32_t, std::uint32_t>> faded;
  std::uint32_t count = 0;
};

/// Each bone's copies follow it, so that among equal weights the same one governs.
NewBones number_bones(const LevelsOfBones& levels) {
  NewBones bones;
  for (const auto& of_bone : levels) {
    bones.bone.push_back(bones.count++);
    auto& faded = bones.faded.emplace_back();
    for (const std::uint32_t level : of_bone) faded[level] = bones.count++;
  }
  return bones;
}

class Baker {
 public:
  Baker(const Character& character, const NewBones& bones, const Layout& layout, std::uint32_t step)
      : character_(character), old_(character.data()), bones_(bones), layout_(layout), step_(step) {}

  CharacterData bake(std::vector<Image> images, std::span<const Region> regions) {
    data_ = old_;
    data_.images = std::move(images);
    add_bones();
    data_.meshes.clear();
    data_.vertices.clear();
    data_.indices.clear();
    data_.authored_influences.clear();
    for (std::uint32_t mesh = 0; mesh < old_.meshes.size(); ++mesh) {
      add_mesh(mesh, old_.meshes[mesh].name, nullptr);
      if (bones_.faded.empty()) continue;
      for (const auto& [level, bone] : bones_.faded[character_.governing_bone(mesh)]) {
        const Copy copy{old_.meshes[mesh].image, regions[mesh], level};
        add_mesh(mesh, fmt::format("{} {}/255", old_.meshes[mesh].name, level), &*layout_.places.find(copy));
      }
    }
    for (std::size_t clip = 0; clip < old_.clips.size(); ++clip) {
      data_.clips[clip].samples = samples_of(old_.clips[clip]);
    }
    return std::move(data_);
  }

 private:
  void add_bones() {
    data_.bones.assign(bones_.count, {});
    for (std::size_t bone = 0; bone < old_.bones.size(); ++bone) {
      const std::int32_t parent = old_.bones[bone].parent;
      data_.bones[bones_.bone[bone]] = {old_.bones[bone].name,
                                        parent < 0 ? -1 : static_cast<std::int32_t>(bones_.bone[parent])};
      for (const auto& [level, number] : bones_.faded[bone]) {
        data_.bones[number] = {fmt::format("{} {}/255", old_.bones[bone].name, level),
                               static_cast<std::int32_t>(bones_.bone[bone])};
      }
    }
  }

  /// The mesh as it was, or drawn from a copy.
  void add_mesh(std::uint32_t number, std::string name, const std::pair<const Copy, Place>* copy) {
    const Mesh& mesh = old_.meshes[number];
    const std::uint32_t governing = character_.governing_bone(number);
    const auto indices = character_.indices(mesh);
    data_.meshes.push_back({std::move(name), mesh.image, static_cast<std::uint32_t>(data_.vertices.size()),
                            mesh.vertex_count, static_cast<std::uint32_t>(data_.indices.size()), mesh.index_count});
    data_.indices.insert(data_.indices.end(), indices.begin(), indices.end());
    const auto new_bone = [&](std::uint16_t bone) {
      const bool fades = copy != nullptr && bone == governing;
      return static_cast<std::uint16_t>(fades ? bones_.faded[bone].at(copy->first.level) : bones_.bone[bone]);
    };
    for (std::uint32_t i = 0; i < mesh.vertex_count; ++i) {
      Vertex vertex = old_.vertices[mesh.first_vertex + i];
      for (int slot = 0; slot < 4; ++slot) {
        if (vertex.weights[slot] != 0) vertex.bones[slot] = new_bone(vertex.bones[slot]);
      }
      for (AuthoredInfluence influence : authored_influences(old_, mesh.first_vertex + i)) {
        influence.vertex = static_cast<std::uint32_t>(data_.vertices.size());
        if (influence.weight != 0) influence.bone = new_bone(influence.bone);
        data_.authored_influences.push_back(influence);
      }
      move_texture(vertex, mesh.image, copy);
      data_.vertices.push_back(vertex);
    }
  }

  void move_texture(Vertex& vertex, std::uint32_t image, const std::pair<const Copy, Place>* copy) const {
    const Size from{old_.images[image].width, old_.images[image].height}, to = layout_.sizes[image];
    const double x = copy == nullptr ? 0 : static_cast<double>(copy->second.x) - copy->first.region.x;
    const double y = copy == nullptr ? 0 : static_cast<double>(copy->second.y) - copy->first.region.y;
    if (x == 0 && y == 0 && from.width == to.width && from.height == to.height) return;
    vertex.u = static_cast<float>((double{vertex.u} * from.width + x) / to.width);
    vertex.v = static_cast<float>((double{vertex.v} * from.height + y) / to.height);
  }

  [[nodiscard]] BoneSamples samples_of(const Clip& clip) const {
    const std::size_t old_count = old_.bones.size();
    BoneSamples samples;
    samples.resize(std::size_t{clip.frame_count} * bones_.count);
    for (std::size_t sample = 0; sample < clip.samples.x.size(); ++sample) {
      const std::size_t frame = sample / old_count, bone = sample % old_count;
      const std::size_t first = frame * bones_.count, kept = first + bones_.bone[bone];
      samples.x[kept] = clip.samples.x[sample];
      samples.y[kept] = clip.samples.y[sample];
      samples.rotation_degrees[kept] = clip.samples.rotation_degrees[sample];
      samples.scale_x[kept] = clip.samples.scale_x[sample];
      samples.scale_y[kept] = clip.samples.scale_y[sample];
      samples.z_order[kept] = clip.samples.z_order[sample];
      samples.visible[kept] = clip.samples.visible[sample];
      for (const auto& [level, number] : bones_.faded[bone]) {
        samples.visible[first + number] = 0;
        samples.z_order[first + number] = clip.samples.z_order[sample];
      }
      if (clip.samples.opacity.empty() || clip.samples.visible[sample] == 0) continue;
      const std::uint32_t level = level_of(clip.samples.opacity[sample], step_);
      if (level == kOpaque) continue;
      samples.visible[kept] = 0;
      const auto faded = bones_.faded[bone].find(level);
      if (faded != bones_.faded[bone].end()) samples.visible[first + faded->second] = 1;
    }
    samples.opacity = {};
    return samples;
  }

  const Character& character_;
  const CharacterData& old_;
  const NewBones& bones_;
  const Layout& layout_;
  const std::uint32_t step_;
  CharacterData data_;
};

std::unexpected<Finding> too_large(std::string detail) {
  return std::unexpected(Finding{FindingId::too_large_for_form, {}, {}, {}, std::move(detail)});
}

}  // namespace

bool has_opacity(const Character& character) noexcept {
  return std::ranges::any_of(character.clips(), [](const Clip& clip) {
    return std::ranges::any_of(clip.samples.opacity, [](float opacity) { return opacity != 1; });
  });
}

std::expected<BakedOpacity, Finding> with_baked_opacity(const Character& character, const Limits& limits) {
  std::uint32_t step = 1;
  LevelsOfBones levels = levels_of_bones(character, step);
  std::vector<Region> regions(character.meshes().size());
  for (std::uint32_t mesh = 0; mesh < regions.size() && !levels.empty(); ++mesh) {
    if (levels[character.governing_bone(mesh)].empty()) continue;
    const auto region = region_of(character, character.meshes()[mesh]);
    if (!region) {
      return too_large(
          fmt::format("mesh \"{}\" reaches out of its image too far", printable(character.meshes()[mesh].name)));
    }
    regions[mesh] = *region;
  }
  auto layout = lay_out(character, levels, regions);
  while (!layout && step < kLargestStep) {
    step *= 2;
    levels = levels_of_bones(character, step);
    layout = lay_out(character, levels, regions);
  }
  if (!layout) return too_large("the faded copies of its parts take more than four times its images");

  const NewBones bones = number_bones(levels);
  std::uint64_t frames = 0;
  for (const Clip& clip : character.clips()) frames += clip.frame_count;
  if (bones.count > kMostSide || frames * bones.count > limits.max_bone_samples) {
    return too_large(fmt::format("its faded copies need {} bones in {} frames", bones.count, frames));
  }
  std::vector<Image> images;
  for (std::uint32_t i = 0; i < character.images().size(); ++i) {
    auto image = grown_image(character, i, *layout, limits);
    if (!image) return std::unexpected(std::move(image.error()));
    images.push_back(*std::move(image));
  }
  return BakedOpacity{Baker(character, bones, *layout, step).bake(std::move(images), regions), step};
}

}  // namespace pchr
