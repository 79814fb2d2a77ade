// SPDX-License-Identifier: MIT
// Saves characters as files, and finds what a format cannot store.
#include "import/convert/convert.hpp"

#include "character/bind_pose.hpp"
#include "character/byte_writer.hpp"
#include "character/fail.hpp"
#include "character/format.hpp"
#include "character/influences.hpp"
#include "character/path.hpp"
#include "character/utf8.hpp"
#include "image/image.hpp"
#include "import/diagnose.hpp"
#include "import/files.hpp"
#include "import/json/json.hpp"
#include "import/text_decoding.hpp"
#include "pchr_v1/pchr_v1.hpp"
#include "platform/file_path.hpp"
#include "platform/files.hpp"

#include <pchr/import/save.hpp>
#include <pchr/pose.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pchr {
namespace {

using Int16 = std::numeric_limits<std::int16_t>;
constexpr std::size_t kMaxUint16 = std::numeric_limits<std::uint16_t>::max();
constexpr std::size_t kMaxUint32 = std::numeric_limits<std::uint32_t>::max();

/// Opacities below this are invisible with 8 bits per channel.
constexpr float kMinOpacity = 1.5F / 255;

/// Finds everything that the output leaves out, in file order: as errors, or with `lossy` as warnings. Reports one
/// diagnostic for all values of a kind in a clip.
struct LossFinder {
  const Imported& imported;
  const Format format;
  const JsonDialect dialect;
  const bool lossy;
  const CharacterData& data = imported.character.data();
  std::vector<Diagnostic> losses{};
  using enum DiagnosticId;

  std::vector<Diagnostic> find() {
    find_flags();
    find_images();
    if (!imported.menu_images.empty()) {
      const std::string images =
          fmt::format("{}, starting with \"{}\"", counted(imported.menu_images.size(), "menu image"),
                      printable(imported.menu_images.front().name));
      add(menu_images_refused, menu_images_lost, {},
          (lossy ? "the output leaves out " : "the output format cannot store ") + images);
    }
    find_long_names("bones", data.bones);
    find_long_names("meshes", data.meshes);
    find_influences();
    find_long_names("animations", data.clips);
    for (std::uint32_t i = 0; i < data.clips.size(); ++i) find_in_clip(i);
    return std::move(losses);
  }

  void add(DiagnosticId refused, DiagnosticId lost, std::string path, std::string detail) {
    losses.push_back(diagnostic_at(lossy ? lost : refused, data, std::move(path), std::move(detail)));
  }

  void find_flags() {
    const bool has_flags = format == Format::v1 || dialect == JsonDialect::v1;
    if (data.reserved_flags != 0 && !has_flags) {
      add(flags_refused, flags_lost, "flags",
          fmt::format("is {}, {}", data.reserved_flags,
                      lossy ? "but was set to 0" : "which the output format cannot store"));
    }
    for (const Diagnostic& warning : imported.character.warnings()) {
      if (warning.id != reserved_flags || warning.path == "flags") continue;
      Diagnostic loss = warning;
      loss.id = lossy ? flags_lost : flags_refused;
      loss.detail += lossy ? "; other bits were cleared" : "; the output format cannot store other bits";
      losses.push_back(std::move(loss));
    }
  }

  void find_images() {
    for (std::uint32_t i = 0; i < data.images.size(); ++i) {
      const std::string here = path_of("images", i);
      if (format == Format::packed && i > 0) {
        add(image_refused, image_lost, here,
            fmt::format("is one of {} images, but the packed format stores only the first{}", data.images.size(),
                        lossy ? "; it was dropped" : ""));
      }
      if (format != Format::packed && data.images[i].encoding == ImageEncoding::absent) {
        add(absent_image_refused, absent_image_replaced, here,
            lossy ? "is missing and was replaced with a checkerboard"
                  : "is missing, which the output format cannot store");
      }
    }
    find_long_names("images", data.images);
  }

  template <class Items>
  void find_long_names(std::string_view section, const Items& items) {
    if (format != Format::v1) return;
    for (std::uint32_t i = 0; i < items.size(); ++i) {
      if (items[i].name.size() <= kMaxNameBytes) continue;
      add(DiagnosticId::name_refused, DiagnosticId::name_truncated, path_of(section, i, "name"),
          fmt::format("has {} bytes, but PCHR v1 stores at most {}{}", items[i].name.size(), kMaxNameBytes,
                      lossy ? "; it was truncated" : ""));
    }
  }

  void find_influences() {
    if (format != Format::v1 || data.authored_influences.empty()) return;
    const std::span<const AuthoredInfluence> all(data.authored_influences);
    const auto first = first_run(all);
    std::size_t vertices = 0;
    for (auto rest = all; !rest.empty(); rest = rest.subspan(first_run(rest).size())) ++vertices;
    const MeshVertex place = find_vertex(data, first.front().vertex);
    add(influences_refused, influences_lost, path_of("meshes", place.mesh, "vertices", place.vertex),
        fmt::format(
            "has {} influences, but PCHR v1 stores four{}{}", first.size(), lossy ? "; only the largest were kept" : "",
            vertices == 1 ? "" : fmt::format(", as in {} others", counted(vertices - 1, "vertex", "vertices"))));
  }

  void find_in_clip(std::uint32_t number) {
    const Clip& clip = data.clips[number];
    const bool varies = !clip.frame_ends.empty();
    if (varies || clip.frames_per_second != data.frames_per_second) {
      const std::string rate = varies ? "varies from frame to frame" : fmt::format("is {}", clip.frames_per_second);
      const auto text =
          lossy ? fmt::format("{}; the clip was resampled at {}", rate, data.frames_per_second)
                : fmt::format("{}, but the output format stores only one rate, {}", rate, data.frames_per_second);
      add(clip_rate_refused, clip_rate_lost, path_of("animations", number, "fps"), text);
    }
    if (clip.loop_start > 0) {
      add(loop_start_refused, loop_start_lost, path_of("animations", number),
          fmt::format("starts its loop at frame {}, {}", clip.loop_start,
                      lossy ? "but now loops as a whole" : "which the output format cannot store"));
    }
    find_samples(opacity_refused, opacity_lost, "opacity",
                 lossy ? "but was dropped" : "which the output format cannot store", number, clip.samples.opacity,
                 [](float opacity) { return opacity == 1 || opacity == 0; });
    if (format != Format::v1) return;
    find_samples(z_order_refused, z_order_clamped, "zOrder",
                 lossy ? "but was clamped to -32768 to 32767" : "but PCHR v1 stores only -32768 to 32767", number,
                 clip.samples.z_order,
                 [](std::int32_t order) { return order >= Int16::min() && order <= Int16::max(); });
  }

  template <class Values, class Fits>
  void find_samples(DiagnosticId refused, DiagnosticId lost, std::string_view field, std::string_view problem,
                    std::uint32_t clip, const Values& values, Fits fits) {
    const auto first = std::find_if_not(values.begin(), values.end(), fits);
    if (first == values.end()) return;
    const std::size_t bones = data.bones.size();
    const auto sample = static_cast<std::size_t>(first - values.begin());
    const auto others = std::count_if(first + 1, values.end(), [&](auto value) { return !fits(value); });
    add(refused, lost, path_of("animations", clip, "frames", sample / bones, sample % bones, field),
        fmt::format("is {}, {}{}", *first, problem,
                    others == 0 ? "" : fmt::format(", like {} more in this clip", others)));
  }
};

/// Finds the first name that is not UTF-8.
template <class Items>
std::optional<Diagnostic> find_broken_name(const CharacterData& data, std::string_view section, const Items& items) {
  for (std::uint32_t i = 0; i < items.size(); ++i) {
    const std::string& name = items[i].name;
    if (const auto invalid = find_invalid_utf8(name)) {
      return diagnostic_at(
          DiagnosticId::invalid_utf8, data, path_of(section, i, "name"),
          fmt::format("is not valid UTF-8: it contains the byte {:02x}", static_cast<unsigned char>(name[*invalid])));
    }
  }
  return std::nullopt;
}

std::optional<Diagnostic> find_broken_image(const CharacterData& data) {
  for (std::uint32_t i = 0; i < data.images.size(); ++i) {
    const Image& image = data.images[i];
    if (image.encoding != ImageEncoding::png) continue;
    if (const auto problem = check_png(image.bytes, image.width, image.height)) {
      return diagnostic_at(problem->id, data, path_of("images", i, "data"),
                           fmt::format("{}, at byte {} of the image", problem->detail, *problem->byte_offset));
    }
  }
  return std::nullopt;
}

/// Finds the first number that PCHR v1 or `format` cannot store.
std::optional<Diagnostic> find_too_large(const CharacterData& data, Format format) {
  std::optional<Diagnostic> result;
  const auto check = [&](std::uint64_t found, std::uint64_t max, std::string_view unit, const auto&... steps) {
    if (result || found <= max) return;
    result = diagnostic_at(DiagnosticId::too_large_for_format, data, path_of(steps...),
                           fmt::format("has {}{}, but the maximum is {}", found, unit, max));
  };
  for (std::uint32_t i = 0; i < data.images.size(); ++i) {
    const Image& image = data.images[i];
    check(image.width, kMaxUint16, " pixels", "images", i, "width");
    check(image.height, kMaxUint16, " pixels", "images", i, "height");
    check(image.bytes.size(), kMaxUint32, " bytes", "images", i, "data");
  }
  check(data.frames_per_second, kMaxUint16, " frames per second", "fps");
  if (format != Format::v1) return result;
  check(data.images.size(), kMaxUint16, " entries", "images");
  check(data.meshes.size(), kMaxUint16, " entries", "meshes");
  check(data.clips.size(), kMaxUint16, " entries", "animations");
  for (std::uint32_t i = 0; i < data.bones.size(); ++i) {
    const BoneId parent = data.bones[i].parent;
    check(parent == BoneId::none ? 0 : index(parent), Int16::max(), " as its index", "bones", i, "parent");
  }
  for (std::uint32_t i = 0; i < data.clips.size(); ++i) {
    check(data.clips[i].frame_count, kMaxUint16, " frames", "animations", i);
  }
  return result;
}

/// Returns the first reason why the character cannot be written at all, if any.
std::optional<Diagnostic> find_unwritable(const CharacterData& data, Format format) {
  if (data.is_3d) return Diagnostic{DiagnosticId::needs_2d, {}, {}, {}, {}};
  if (auto found = find_too_large(data, format)) return found;
  if (auto found = find_broken_name(data, "images", data.images)) return found;
  if (auto found = find_broken_name(data, "bones", data.bones)) return found;
  if (auto found = find_broken_name(data, "meshes", data.meshes)) return found;
  if (auto found = find_broken_name(data, "animations", data.clips)) return found;
  return find_broken_image(data);
}

/// Returns image `number` in `encoding`, which is not `absent`.
Expected<Image, Diagnostic> encoded(const CharacterData& data, std::uint32_t number, ImageEncoding encoding,
                                    const Limits& limits, PngCompression compression) {
  const Image& image = data.images[number];
  if (image.encoding == encoding) return image;
  Image result{image.name, image.width, image.height, encoding, {}};
  std::span<const std::byte> rgba(image.bytes);
  Bitmap bitmap;
  if (image.encoding != ImageEncoding::rgba8888) {
    auto decoded = decode_straight(image, limits);
    if (!decoded) {
      return Unexpected(
          diagnostic_at(decoded.error().id, data, path_of("images", number, "data"), decoded.error().detail));
    }
    bitmap = *std::move(decoded);
    rgba = std::as_bytes(std::span(bitmap.rgba));
  }
  if (encoding == ImageEncoding::png) {
    result.bytes = write_png(image.width, image.height, rgba, compression);
  } else {
    result.bytes.assign(rgba.begin(), rgba.end());
  }
  return result;
}

/// Returns all images, each in the encoding that `encoding_of` chooses.
Expected<std::vector<Image>, Diagnostic> encode_images(const CharacterData& data, const Limits& limits,
                                                       PngCompression compression, const auto& encoding_of) {
  std::vector<Image> images;
  for (std::uint32_t i = 0; i < data.images.size(); ++i) {
    auto image = encoded(data, i, encoding_of(data.images[i]), limits, compression);
    if (!image) return Unexpected(std::move(image.error()));
    images.push_back(*std::move(image));
  }
  return images;
}

/// Returns names for the image files of the character `stem`. They start with it, so that they differ from those of
/// other characters.
std::vector<std::string> image_file_names(const CharacterData& data, std::string_view stem) {
  std::vector<std::string> names;
  for (const Image& image : data.images) {
    std::string_view name = image.name;
    if (name.ends_with(".png")) name.remove_suffix(4);
    if (name.empty()) name = stem;
    const bool has_stem = name == stem || (name.starts_with(stem) && name.substr(stem.size()).starts_with('.'));
    names.push_back(has_stem ? std::string(name) : fmt::format("{}.{}", stem, name));
  }
  return safe_file_names(names, ".png");
}

Expected<std::vector<std::byte>, Diagnostic> write_packed(const CharacterData& data, JsonDialect dialect,
                                                          const SaveOptions& options) {
  std::vector<std::byte> png;
  if (!data.images.empty() && data.images[0].encoding != ImageEncoding::absent) {
    auto image = encoded(data, 0, ImageEncoding::png, options.limits, options.png_compression);
    if (!image) return Unexpected(std::move(image.error()));
    png = std::move(image->bytes);
  }
  // These paths are only names, but must be safe for readers that treat them as paths.
  std::vector<std::string> names;
  for (const Image& image : data.images) names.push_back(image.name);
  const std::vector<std::byte> json = write_json(data, dialect, safe_file_names(names, ""), options.max_output_bytes);
  constexpr std::size_t kMax = std::numeric_limits<std::uint32_t>::max();
  if (json.size() > kMax || png.size() > kMax) {
    return fail(DiagnosticId::too_large_for_format,
                fmt::format("the output has {} bytes of JSON and {} of PNG, but the maximum of each is {}", json.size(),
                            png.size(), kMax));
  }
  ByteWriter out;
  out.reserve(16 + json.size() + png.size());
  out.write_all(std::string_view("PCHR"));
  out.write(
      std::array<std::uint32_t, 3>{1, static_cast<std::uint32_t>(json.size()), static_cast<std::uint32_t>(png.size())});
  out.write_all(json);
  out.write_all(png);
  return out.take();
}

constexpr std::string_view kShortestTransform =
    R"({"x": 0, "y": 0, "rotation": 0, "scaleX": 1, "scaleY": 1, "visible": true, "zOrder": 0})";
constexpr std::uint64_t kTransformBytes = 23, kVertexBytes = 40;  // In v1.

/// Returns the minimum size of the output without images, so that it can be refused before memory is allocated.
std::uint64_t min_bytes(const CharacterData& data, Format format) noexcept {
  std::uint64_t samples = 0;
  for (const Clip& clip : data.clips) samples += clip.samples.x.size();
  const std::uint64_t transform = format == Format::v1 ? kTransformBytes : kShortestTransform.size();
  return samples * transform + data.vertices.size() * kVertexBytes + data.indices.size() * 2;
}

/// Returns the minimum size of the images. A PNG that does not exist yet may have any size.
std::uint64_t min_image_bytes(const CharacterData& data, Format format, bool raw_pixels, bool makes_png) noexcept {
  std::uint64_t bytes = 0;
  const std::size_t count =
      format == Format::packed ? std::min<std::size_t>(data.images.size(), 1) : data.images.size();
  for (const Image& image : std::span(data.images).first(count)) {
    if (format == Format::v1 && raw_pixels) {
      bytes += std::uint64_t{4} * image.width * image.height;
    } else if (image.encoding == ImageEncoding::png || (format == Format::v1 && !makes_png)) {
      bytes += image.bytes.size();
    }
  }
  return bytes;
}

bool has_rate(const Clip& clip, double rate) noexcept {
  return clip.frame_count == 0 || (clip.frames_per_second == rate && clip.frame_ends.empty());
}

/// Returns the number of frames of a clip that can play at `rate`.
double count_at_rate(const Clip& clip, double rate) noexcept {
  return std::max(std::round(clip.duration_seconds() * rate), 1.0);
}

/// Times that differ by less are equal, so that rounding does not miss a frame that starts at the same time.
constexpr double kSameSeconds = 0.5e-6;

/// Returns the frame at which `frame` of `clip` begins at `rate`.
std::uint32_t frame_at_rate(const Clip& clip, std::uint32_t frame, double rate) {
  if (has_rate(clip, rate) || !(rate > 0) || !(clip.duration_seconds() > 0)) return frame;
  const double begin = std::ceil((clip.frame_begin(frame) - kSameSeconds) * rate);
  return static_cast<std::uint32_t>(std::clamp(begin, 0.0, count_at_rate(clip, rate) - 1));
}

/// Returns the frame of `clip` at a time before its end.
std::uint32_t frame_at(const Clip& clip, double seconds) noexcept {
  const double frame =
      clip.frame_ends.empty()
          ? std::floor(seconds * clip.frames_per_second)
          : static_cast<double>(std::ranges::upper_bound(clip.frame_ends, seconds) - clip.frame_ends.begin());
  return static_cast<std::uint32_t>(std::min(frame, clip.frame_count - 1.0));
}

/// Returns the samples of `frames`.
BoneSamples samples_of(const BoneSamples& from, const std::vector<std::uint32_t>& frames, std::size_t bones) {
  BoneSamples to;
  const auto copy = [&](auto values) {
    if ((from.*values).empty()) return;
    (to.*values).resize(frames.size() * bones);
    for (std::size_t i = 0; i < frames.size(); ++i) {
      std::copy_n((from.*values).data() + frames[i] * bones, bones, (to.*values).data() + i * bones);
    }
  };
  const auto copy_all = [&](auto... values) { (copy(values), ...); };
  copy_all(&BoneSamples::x, &BoneSamples::y, &BoneSamples::rotation_degrees, &BoneSamples::scale_x,
           &BoneSamples::scale_y, &BoneSamples::opacity, &BoneSamples::visible, &BoneSamples::z_order);
  return to;
}

/// Resamples every clip at the character's rate, for formats with a single rate. Each new frame is the frame that the
/// clip shows at its start. Durations are rounded to whole frames, at least one. Clips that cannot play stay as they
/// are. Returns nothing if all clips already have that rate.
Expected<std::optional<CharacterData>, Diagnostic> at_even_rate(const CharacterData& data, const Limits& limits) {
  const double rate = data.frames_per_second;
  const auto bones = static_cast<double>(data.bones.size());
  if (std::ranges::all_of(data.clips, [&](const Clip& clip) { return has_rate(clip, rate); })) return std::nullopt;
  CharacterData even = data;
  auto samples_left = static_cast<double>(limits.max_bone_samples);
  for (Clip& clip : even.clips) {
    if (rate > 0 && clip.duration_seconds() > 0 && !has_rate(clip, rate)) {
      const double count = count_at_rate(clip, rate);
      if (count * std::max(bones, 1.0) > samples_left || count > 0xFFFFFFFF) {
        samples_left = -1;
        break;
      }
      std::vector<std::uint32_t> frames(static_cast<std::size_t>(count));
      for (std::size_t i = 0; i < frames.size(); ++i) {
        frames[i] = frame_at(clip, static_cast<double>(i) / rate + kSameSeconds);
      }
      clip.samples = samples_of(clip.samples, frames, data.bones.size());
      clip.frame_count = static_cast<std::uint32_t>(frames.size());
      clip.loop_start = 0;
      clip.group.clear();
    }
    clip.frames_per_second = rate;
    clip.frame_ends.clear();
    samples_left -= static_cast<double>(clip.frame_count) * bones;
  }
  if (samples_left >= 0) return even;
  return fail(DiagnosticId::too_large_for_format,
              fmt::format("the clips exceed the limit of {} transforms at {} frames per second",
                          limits.max_bone_samples, data.frames_per_second));
}

/// Hides what opacity, which no format stores, makes invisible.
void hide_transparent(BoneSamples& samples) {
  for (std::size_t i = 0; i < samples.opacity.size(); ++i) {
    if (samples.opacity[i] < kMinOpacity) samples.visible[i] = 0;
  }
}

/// Returns the bind pose as a clip. Other frames follow if they stand in for bones that cannot be inverted there.
Clip bind_clip(const Character& character) {
  const CharacterData& data = character.data();
  const BindPoseSource source = character.bind_pose_source();
  const std::size_t bones = data.bones.size();
  Clip clip{.name = "bind", .looping = false, .frames_per_second = static_cast<double>(data.frames_per_second)};
  if (source.clip == ClipId::none) {
    clip.frame_count = 1;
    clip.samples.resize(bones);
    clip.samples.opacity.clear();
    // The identity, or the bind pose stored in the file.
    const PoseView bind = character.bind_pose();
    std::ranges::copy(bind.x, clip.samples.x.begin());
    std::ranges::copy(bind.y, clip.samples.y.begin());
    std::ranges::copy(bind.rotation_degrees, clip.samples.rotation_degrees.begin());
    std::ranges::copy(bind.scale_x, clip.samples.scale_x.begin());
    std::ranges::copy(bind.scale_y, clip.samples.scale_y.begin());
    std::ranges::copy(bind.visible, clip.samples.visible.begin());
    std::ranges::copy(bind.z_order, clip.samples.z_order.begin());
    return clip;
  }
  const Clip& from = data.clips[index(source.clip)];
  std::vector<std::uint32_t> frames{source.frame};
  if (std::ranges::count(character.warnings(), DiagnosticId::bind_not_invertible, &Diagnostic::id) > 0) {
    for (std::uint32_t frame = 0; frame < from.frame_count; ++frame) frames.push_back(frame);
  }
  clip.frame_count = static_cast<std::uint32_t>(frames.size());
  clip.samples = samples_of(from.samples, frames, bones);
  return clip;
}

}  // namespace

Expected<std::vector<Image>, Diagnostic> png_images(const CharacterData& data, const Limits& limits,
                                                    PngCompression compression) {
  return encode_images(data, limits, compression, [](const Image&) { return ImageEncoding::png; });
}

std::optional<Diagnostic> find_excess(std::uint64_t bytes, std::uint64_t max_bytes) {
  if (bytes <= max_bytes) return std::nullopt;
  return diagnose(DiagnosticId::output_too_large, {}, "the output has at least {} bytes, but the limit is {}", bytes,
                  max_bytes);
}

namespace {

Expected<Saved, Diagnostic> save_all(const Imported& imported, Format format, std::string_view stem,
                                     const SaveOptions& options) {
  const Character& character = imported.character;
  const JsonDialect dialect =
      options.json_dialect.value_or(format == Format::packed ? JsonDialect::pachario : JsonDialect::v1);
  if (auto unwritable = find_unwritable(character.data(), format)) return Unexpected(*std::move(unwritable));
  Saved saved;
  saved.losses = LossFinder{imported, format, dialect, options.lossy}.find();
  if (!options.lossy && !saved.losses.empty()) return Unexpected(std::move(saved.losses.front()));
  auto even = at_even_rate(character.data(), options.limits);
  if (!even) return Unexpected(even.error());
  saved.has_bind_clip = options.bind_clip && is_bind_pose_unnamed(character);
  if (saved.has_bind_clip) {
    if (!*even) *even = character.data();
    (*even)->clips.insert((*even)->clips.begin(), bind_clip(character));
    if (auto unwritable = find_unwritable(**even, format)) return Unexpected(*std::move(unwritable));
  }
  if (!*even &&
      std::ranges::any_of(character.clips(), [](const Clip& clip) { return !clip.samples.opacity.empty(); })) {
    *even = character.data();
  }
  if (*even) {
    for (Clip& clip : (*even)->clips) hide_transparent(clip.samples);
  }
  const CharacterData& data = *even ? **even : character.data();
  const std::uint64_t bytes_without_images = min_bytes(data, format);
  if (auto excess = find_excess(
          bytes_without_images + min_image_bytes(data, format, options.raw_pixels, imported.chara.has_value()),
          options.max_output_bytes)) {
    return Unexpected(*std::move(excess));
  }

  saved.file.name = safe_name(stem) + (format == Format::json ? ".json" : ".pchr");
  switch (format) {
    case Format::v1: {
      const auto images = encode_images(data, options.limits, options.png_compression, [&](const Image& image) {
        // Images of a Pomyu character are raw only because its reader applied color keys.
        const bool is_raw = image.encoding == ImageEncoding::rgba8888 && !imported.chara;
        return options.raw_pixels || is_raw ? ImageEncoding::rgba8888 : ImageEncoding::png;
      });
      if (!images) return Unexpected(images.error());
      std::uint64_t image_bytes = 0;
      for (const Image& image : *images) image_bytes += image.bytes.size();
      if (auto excess = find_excess(bytes_without_images + image_bytes, options.max_output_bytes))
        return Unexpected(*std::move(excess));
      saved.file.bytes = write_pchr_v1(data, *images);
      break;
    }
    case Format::json: {
      auto images = png_images(data, options.limits, options.png_compression);
      if (!images) return Unexpected(std::move(images.error()));
      const std::vector<std::string> paths = image_file_names(data, stem);
      for (std::size_t i = 0; i < paths.size(); ++i) saved.images.push_back({paths[i], std::move((*images)[i].bytes)});
      saved.file.bytes = write_json(data, dialect, paths, options.max_output_bytes);
      break;
    }
    case Format::packed: {
      auto bytes = write_packed(data, dialect, options);
      if (!bytes) return Unexpected(std::move(bytes.error()));
      saved.file.bytes = *std::move(bytes);
      break;
    }
  }
  std::uint64_t bytes = saved.file.bytes.size();
  for (const SavedFile& image : saved.images) bytes += image.bytes.size();
  if (auto excess = find_excess(bytes, options.max_output_bytes)) return Unexpected(*std::move(excess));
  return saved;
}

}  // namespace

Expected<Saved, Diagnostic> save(const Imported& imported, Format format, std::string_view stem,
                                 const SaveOptions& options) {
  return or_out_of_memory([&] { return save_all(imported, format, stem, options); });
}

bool move_to_saved_frames(Sidecar& sidecar, const Character& character) {
  const double rate = character.data().frames_per_second;
  std::vector<Marker> moved(sidecar.markers.all().begin(), sidecar.markers.all().end());
  for (Marker& marker : moved) marker.frame = frame_at_rate(character.clips()[marker.clip], marker.frame, rate);
  bool has_moved = !std::ranges::equal(moved, sidecar.markers.all());
  if (has_moved) sidecar.markers = Markers(std::move(moved));
  for (StateLayer& layer : sidecar.states.layers) {
    const ClipId clip = character.find_clip(layer.reference_clip);
    if (clip == ClipId::none) continue;
    const std::uint32_t frame = frame_at_rate(character.clips()[clip], layer.reference_frame, rate);
    has_moved |= frame != std::exchange(layer.reference_frame, frame);
  }
  return has_moved;
}

std::vector<std::string> named_images(const std::string& path, std::uint64_t max_bytes) {
  std::vector<std::string> images;
  const auto file = read_file(path, max_bytes, kJsonPadding);
  if (!file) return images;
  std::string_view text(reinterpret_cast<const char*>(file->storage.data()), file->size);
  if (text.starts_with(kUtf8Mark)) text.remove_prefix(kUtf8Mark.size());
  const std::string_view folder = folder_of(path);
  const JsonText json{text};
  JsonReader reader(json);
  using enum JsonReader::Type;
  const auto read_image_field = [&](std::string_view key) {
    if (key != "path" || reader.type() != string) return reader.skip();
    std::string_view name;
    if (!reader.read_string(name)) return false;
    images.push_back(path_in(folder, with_slashes(name)));
    return true;
  };
  const auto read_image = [&] {
    return reader.type() == object ? reader.read_object(read_image_field) : reader.skip();
  };
  const auto read_field = [&](std::string_view key) {
    return key == "images" && reader.type() == array ? reader.read_array(read_image) : reader.skip();
  };
  (void)reader.read_document([&] { return reader.type() == object && reader.read_object(read_field); });
  return images;
}

}  // namespace pchr
