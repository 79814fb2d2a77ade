// SPDX-License-Identifier: MIT
// Characters into files: what the form needs of the images, and the form's own writer.
#include <pchr/save.hpp>

#include "formats/baked_opacity.hpp"
#include "formats/byte_writer.hpp"
#include "formats/even_rate.hpp"
#include "formats/gltf_writer.hpp"
#include "formats/image.hpp"
#include "formats/json_writer.hpp"
#include "formats/losses.hpp"
#include "formats/pchr_v1_writer.hpp"
#include "formats/png_writer.hpp"
#include "formats/safe_name.hpp"
#include "model/build.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <utility>

namespace pchr {
namespace {

std::vector<std::byte> as_bytes(const std::vector<std::uint8_t>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {bytes.begin(), bytes.end()};
}

/// Image `number`, stored as `encoding`, which is not absent.
std::expected<Image, Finding> encoded(const CharacterData& data, std::uint32_t number, ImageEncoding encoding,
                                      const Limits& limits) {
  const Image& image = data.images[number];
  if (image.encoding == encoding) return image;
  Image result{image.name, image.width, image.height, encoding, {}};
  if (image.encoding == ImageEncoding::rgba8888) {
    result.bytes = write_png(image.width, image.height, image.bytes);
    return result;
  }
  const auto bitmap = decode_straight(image, limits);
  if (!bitmap) {
    return std::unexpected(
        finding_at(bitmap.error().id, data, {Section::images, Field::data, number}, {}, bitmap.error().detail));
  }
  result.bytes = encoding == ImageEncoding::png
                     ? write_png(image.width, image.height, std::as_bytes(std::span(bitmap->rgba)))
                     : as_bytes(bitmap->rgba);
  return result;
}

std::expected<std::vector<Image>, Finding> images_for_v1(const CharacterData& data, const SaveOptions& options) {
  std::vector<Image> images;
  for (std::uint32_t i = 0; i < data.images.size(); ++i) {
    // A Pomyu character's are raw only because its reader looked for colour keys.
    const bool raw = options.raw_pixels || (data.images[i].encoding == ImageEncoding::rgba8888 && !data.chara);
    auto image = encoded(data, i, raw ? ImageEncoding::rgba8888 : ImageEncoding::png, options.limits);
    if (!image) return std::unexpected(std::move(image.error()));
    images.push_back(*std::move(image));
  }
  return images;
}

std::vector<std::string_view> image_names(const CharacterData& data) {
  std::vector<std::string_view> names;
  for (const Image& image : data.images) names.push_back(image.name);
  return names;
}

std::expected<std::vector<std::vector<std::byte>>, Finding> image_files(const CharacterData& data,
                                                                        const Limits& limits) {
  std::vector<std::vector<std::byte>> files;
  for (std::uint32_t i = 0; i < data.images.size(); ++i) {
    auto image = encoded(data, i, ImageEncoding::png, limits);
    if (!image) return std::unexpected(std::move(image.error()));
    files.push_back(std::move(image->bytes));
  }
  return files;
}

/// Names for the image files of the character `stem`, which begin with it: in one folder those of others differ.
std::vector<std::string> image_file_names(const CharacterData& data, std::string_view stem) {
  std::vector<std::string> names;
  for (const Image& image : data.images) {
    std::string_view name = image.name;
    if (name.ends_with(".png")) name.remove_suffix(4);
    if (name.empty()) name = stem;
    const bool has_stem = name == stem || (name.starts_with(stem) && name.substr(stem.size()).starts_with('.'));
    names.push_back(has_stem ? std::string(name) : fmt::format("{}.{}", stem, name));
  }
  const std::vector<std::string_view> views(names.begin(), names.end());
  return safe_file_names(views, ".png");
}

std::expected<std::vector<std::byte>, Finding> write_packed(const CharacterData& data, Spelling spelling,
                                                            const SaveOptions& options) {
  std::vector<std::byte> png;
  if (!data.images.empty() && data.images[0].encoding != ImageEncoding::absent) {
    auto image = encoded(data, 0, ImageEncoding::png, options.limits);
    if (!image) return std::unexpected(std::move(image.error()));
    png = std::move(image->bytes);
  }
  // Here a path is a name only. A safe one, for readers that take it for a path all the same.
  const std::vector<std::string> names = safe_file_names(image_names(data), "");
  const std::vector<std::byte> json = write_json(data, spelling, names, options.max_output_bytes);
  constexpr std::size_t kMost = std::numeric_limits<std::uint32_t>::max();
  if (json.size() > kMost || png.size() > kMost) {
    return std::unexpected(
        Finding{FindingId::too_large_for_form,
                {},
                {},
                {},
                fmt::format("found {} bytes of JSON and {} of PNG; at most {}", json.size(), png.size(), kMost)});
  }
  ByteWriter out;
  out.reserve(16 + json.size() + png.size());
  out.write_all(std::string_view("PCHR"));
  out.write(std::uint32_t{1});
  out.write(static_cast<std::uint32_t>(json.size()));
  out.write(static_cast<std::uint32_t>(png.size()));
  out.write_all(json);
  out.write_all(png);
  return out.take();
}

/// What a transform takes in JSON at least.
constexpr std::string_view kShortestTransform =
    R"({"x": 0, "y": 0, "rotation": 0, "scaleX": 1, "scaleY": 1, "visible": true, "zOrder": 0})";
/// What it and a vertex take in v1.
constexpr std::uint64_t kTransformBytes = 23, kVertexBytes = 40;

/// What a form takes at least for all but the images: known before memory is taken for it.
std::uint64_t least_bytes(const CharacterData& data, Form form) noexcept {
  std::uint64_t samples = 0;
  for (const Clip& clip : data.clips) samples += clip.samples.x.size();
  const std::uint64_t transform = form == Form::v1 ? kTransformBytes : kShortestTransform.size();
  return samples * transform + data.vertices.size() * kVertexBytes + data.indices.size() * 2;
}

/// What the images take at least: a PNG that is yet to be made may be of any size.
std::uint64_t least_image_bytes(const CharacterData& data, Form form, bool raw_pixels) noexcept {
  std::uint64_t bytes = 0;
  const std::size_t count = form == Form::packed ? std::min<std::size_t>(data.images.size(), 1) : data.images.size();
  for (const Image& image : std::span(data.images).first(count)) {
    if (form == Form::v1 && raw_pixels) {
      bytes += std::uint64_t{4} * image.width * image.height;
    } else if (image.encoding == ImageEncoding::png || (form == Form::v1 && !data.chara)) {
      bytes += image.bytes.size();
    }
  }
  return bytes;
}

std::optional<Finding> find_excess(std::uint64_t bytes, const SaveOptions& options) {
  if (bytes <= options.max_output_bytes) return std::nullopt;
  return Finding{FindingId::output_too_large,
                 {},
                 {},
                 {},
                 fmt::format("found {} bytes or more; the limit is {}", bytes, options.max_output_bytes)};
}

std::uint64_t bytes_of(const Saved& saved) noexcept {
  std::uint64_t bytes = saved.file.bytes.size();
  for (const SavedFile& image : saved.images) bytes += image.bytes.size();
  return bytes;
}

bool is_of_opacity(const Finding& finding) noexcept {
  return finding.id == FindingId::opacity_refused || finding.id == FindingId::opacity_lost;
}

/// At one rate, which leaves fewer opacities to bake than there may be.
std::expected<std::optional<CharacterData>, Finding> at_even_rate(const CharacterData& data, const Limits& limits) {
  if (has_even_rate(data)) return std::nullopt;
  auto even = with_even_rate(data, limits.max_bone_samples);
  if (even) return even;
  return std::unexpected(Finding{FindingId::too_large_for_form,
                                 {},
                                 {},
                                 {},
                                 fmt::format("at {} frames per second its clips have more than {} transforms",
                                             data.frames_per_second, limits.max_bone_samples)});
}

std::expected<CharacterData, Finding> without_opacity(CharacterData data, Form form, const Limits& limits,
                                                      std::vector<Finding>& losses) {
  const auto character = Character::build(std::move(data));
  if (!character) return std::unexpected(character.error());
  auto baked = with_baked_opacity(*character, limits);
  if (!baked) return std::unexpected(std::move(baked.error()));
  if (baked->step > 1) {
    losses.push_back({FindingId::opacity_stepped, {}, {}, {}, fmt::format("steps of {}/255", baked->step)});
  }
  if (auto unwritable = find_unwritable(baked->data, form)) return std::unexpected(*std::move(unwritable));
  return std::move(baked->data);
}

}  // namespace

std::expected<Saved, Finding> save(const Character& character, Form form, std::string_view stem,
                                   const SaveOptions& options) {
  const Spelling spelling = options.spelling.value_or(form == Form::packed ? Spelling::pachario : Spelling::v1);
  if (auto unwritable = find_unwritable(character.data(), form)) return std::unexpected(*std::move(unwritable));
  Saved saved;
  saved.losses = find_losses(character, form, spelling, options.lossy);
  const bool bakes = options.bake_opacity && has_opacity(character);
  if (bakes) std::erase_if(saved.losses, is_of_opacity);
  if (!options.lossy && !saved.losses.empty()) return std::unexpected(std::move(saved.losses.front()));
  auto even = at_even_rate(character.data(), options.limits);
  if (!even) return std::unexpected(std::move(even.error()));
  std::optional<CharacterData> changed = *std::move(even);
  if (bakes) {
    auto baked = without_opacity(changed ? *changed : character.data(), form, options.limits, saved.losses);
    if (!baked) return std::unexpected(std::move(baked.error()));
    changed = *std::move(baked);
  }
  const CharacterData& data = changed ? *changed : character.data();
  const std::uint64_t but_images = least_bytes(data, form);
  if (auto excess = find_excess(but_images + least_image_bytes(data, form, options.raw_pixels), options)) {
    return std::unexpected(*std::move(excess));
  }

  saved.file.name = safe_name(stem) + (form == Form::json ? ".json" : ".pchr");
  switch (form) {
    case Form::v1: {
      const auto images = images_for_v1(data, options);
      if (!images) return std::unexpected(images.error());
      std::uint64_t image_bytes = 0;
      for (const Image& image : *images) image_bytes += image.bytes.size();
      if (auto excess = find_excess(but_images + image_bytes, options)) return std::unexpected(*std::move(excess));
      saved.file.bytes = write_pchr_v1(data, *images);
      break;
    }
    case Form::json: {
      auto files = image_files(data, options.limits);
      if (!files) return std::unexpected(std::move(files.error()));
      const std::vector<std::string> paths = image_file_names(data, stem);
      for (std::size_t i = 0; i < paths.size(); ++i) saved.images.push_back({paths[i], std::move((*files)[i])});
      saved.file.bytes = write_json(data, spelling, paths, options.max_output_bytes);
      break;
    }
    case Form::packed: {
      auto bytes = write_packed(data, spelling, options);
      if (!bytes) return std::unexpected(std::move(bytes.error()));
      saved.file.bytes = *std::move(bytes);
      break;
    }
  }
  if (auto excess = find_excess(bytes_of(saved), options)) return std::unexpected(*std::move(excess));
  return saved;
}

std::expected<std::vector<std::byte>, Finding> save_gltf(const Character& character, const Limits& limits,
                                                         std::uint64_t max_output_bytes) {
  const CharacterData& data = character.data();
  if (!data.spatial) return std::unexpected(Finding{FindingId::planar_refused, {}, {}, {}, {}});
  const auto images = image_files(data, limits);
  if (!images) return std::unexpected(images.error());
  std::vector<std::byte> bytes = write_gltf(character, *images, max_output_bytes);
  if (auto excess = find_excess(bytes.size(), {.max_output_bytes = max_output_bytes})) {
    return std::unexpected(*std::move(excess));
  }
  constexpr std::size_t kMost = std::numeric_limits<std::uint32_t>::max();
  if (bytes.size() <= kMost) return bytes;
  return std::unexpected(Finding{
      FindingId::too_large_for_form, {}, {}, {}, fmt::format("found {} bytes; at most {}", bytes.size(), kMost)});
}

}  // namespace pchr
