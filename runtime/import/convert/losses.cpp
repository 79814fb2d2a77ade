// SPDX-License-Identifier: MIT
// Finds the parts of a character that a format cannot store.
#include "import/convert/convert.hpp"

#include "character/format.hpp"
#include "character/influences.hpp"
#include "character/path.hpp"
#include "character/utf8.hpp"
#include "image/image.hpp"
#include "pchr_v1/pchr_v1.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace pchr {
namespace {

using Int16 = std::numeric_limits<std::int16_t>;
constexpr std::size_t kMaxUint16 = std::numeric_limits<std::uint16_t>::max();
constexpr std::size_t kMaxUint32 = std::numeric_limits<std::uint32_t>::max();

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
                 [](float opacity) { return opacity == 1; });
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

}  // namespace

std::vector<Diagnostic> find_losses(const Imported& imported, Format format, JsonDialect dialect, bool lossy) {
  return LossFinder{imported, format, dialect, lossy}.find();
}

std::optional<Diagnostic> find_unwritable(const CharacterData& data, Format format) {
  if (data.is_3d) return Diagnostic{DiagnosticId::needs_2d, {}, {}, {}, {}};
  if (auto found = find_too_large(data, format)) return found;
  if (auto found = find_broken_name(data, "images", data.images)) return found;
  if (auto found = find_broken_name(data, "bones", data.bones)) return found;
  if (auto found = find_broken_name(data, "meshes", data.meshes)) return found;
  if (auto found = find_broken_name(data, "animations", data.clips)) return found;
  return find_broken_image(data);
}

}  // namespace pchr
