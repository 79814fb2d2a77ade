// SPDX-License-Identifier: MIT
// Finds what a format cannot hold of a character.
#include "import/convert/convert.hpp"

#include "character/influences.hpp"
#include "character/path.hpp"
#include "character/utf8.hpp"
#include "image/image.hpp"
#include "pchr_v1/pchr_v1.hpp"

#include <fmt/format.h>

#include <limits>

namespace pchr {
namespace {

using Int16 = std::numeric_limits<std::int16_t>;
constexpr std::size_t kMaxUint16 = std::numeric_limits<std::uint16_t>::max();
constexpr std::size_t kMaxUint32 = std::numeric_limits<std::uint32_t>::max();

struct LossFinder {
  const Imported& imported;
  const Format form;
  const JsonDialect dialect;
  const bool lossy;
  const CharacterData& data = imported.character.data();
  std::vector<Diagnostic> losses{};
  using enum DiagnosticId;

  std::vector<Diagnostic> find() {
    find_flags();
    find_images();
    if (!imported.menu_images.empty()) {
      add(menu_images_refused, menu_images_lost, {},
          fmt::format("found {}, the first is \"{}\"", imported.menu_images.size(),
                      printable(imported.menu_images.front().name)));
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
    const bool has_flags = form == Format::v1 || dialect == JsonDialect::v1;
    if (data.reserved_flags != 0 && !has_flags) {
      add(flags_refused, flags_lost, "flags", fmt::format("found 0x{:04x}", data.reserved_flags));
    }
    for (const Diagnostic& warning : imported.character.warnings()) {
      if (warning.id != reserved_flags || warning.path == "flags") continue;
      Diagnostic loss = warning;
      loss.id = lossy ? flags_lost : flags_refused;
      losses.push_back(std::move(loss));
    }
  }

  void find_images() {
    for (std::uint32_t i = 0; i < data.images.size(); ++i) {
      const std::string here = path_of("images", i);
      if (form == Format::packed && i > 0) {
        add(image_refused, image_lost, here, fmt::format("found {} images", data.images.size()));
      }
      if (form != Format::packed && data.images[i].encoding == ImageEncoding::absent) {
        add(absent_image_refused, absent_image_replaced, here, {});
      }
    }
    find_long_names("images", data.images);
  }

  template <class Items>
  void find_long_names(std::string_view section, const Items& items) {
    if (form != Format::v1) return;
    for (std::uint32_t i = 0; i < items.size(); ++i) {
      if (items[i].name.size() <= kMaxNameBytes) continue;
      add(DiagnosticId::name_refused, DiagnosticId::name_cut, path_of(section, i, "name"),
          fmt::format("found {} bytes; at most {}", items[i].name.size(), kMaxNameBytes));
    }
  }

  void find_influences() {
    if (form != Format::v1 || data.authored_influences.empty()) return;
    const std::span<const AuthoredInfluence> all(data.authored_influences);
    const auto first = first_run(all);
    std::size_t vertices = 0;
    for (auto rest = all; !rest.empty(); rest = rest.subspan(first_run(rest).size())) ++vertices;
    const MeshVertex place = find_vertex(data, first.front().vertex);
    add(influences_refused, influences_lost, path_of("meshes", place.mesh, "vertices", place.vertex),
        fmt::format("found {}{}", first.size(), vertices == 1 ? "" : fmt::format(" ({} such vertices)", vertices)));
  }

  void find_in_clip(std::uint32_t number) {
    const Clip& clip = data.clips[number];
    if (!clip.frame_ends.empty()) {
      add(clip_rate_refused, clip_rate_lost, path_of("animations", number, "fps"),
          fmt::format("its {} frames have durations of their own", clip.frame_count));
    } else if (clip.frames_per_second != data.frames_per_second) {
      add(clip_rate_refused, clip_rate_lost, path_of("animations", number, "fps"),
          fmt::format("found {}; the character has {}", clip.frames_per_second, data.frames_per_second));
    }
    if (clip.loop_start > 0) {
      add(loop_start_refused, loop_start_lost, path_of("animations", number),
          fmt::format("its loop begins with frame {}", clip.loop_start));
    }
    find_samples(opacity_refused, opacity_lost, "opacity", number, clip.samples.opacity,
                 [](float opacity) { return opacity == 1; });
    if (form != Format::v1) return;
    find_samples(z_order_refused, z_order_clamped, "zOrder", number, clip.samples.z_order,
                 [](std::int32_t order) { return order >= Int16::min() && order <= Int16::max(); });
  }

  template <class Values, class Fits>
  void find_samples(DiagnosticId refused, DiagnosticId lost, std::string_view field, std::uint32_t clip,
                    const Values& values, Fits fits) {
    const auto first = std::find_if_not(values.begin(), values.end(), fits);
    if (first == values.end()) return;
    const std::size_t bones = data.bones.size();
    const auto sample = static_cast<std::size_t>(first - values.begin());
    const auto others = std::count_if(first + 1, values.end(), [&](auto value) { return !fits(value); });
    add(refused, lost, path_of("animations", clip, "frames", sample / bones, sample % bones, field),
        fmt::format("found {}{}", *first, others == 0 ? "" : fmt::format(" ({} more in this clip)", others)));
  }
};

/// Finds the first name that is not UTF-8.
template <class Items>
std::optional<Diagnostic> find_broken_name(const CharacterData& data, std::string_view section, const Items& items) {
  for (std::uint32_t i = 0; i < items.size(); ++i) {
    const std::string& name = items[i].name;
    if (const auto invalid = find_invalid_utf8(name)) {
      return diagnostic_at(DiagnosticId::invalid_utf8, data, path_of(section, i, "name"),
                           fmt::format("found byte 0x{:02x} in a name of {} bytes",
                                       static_cast<unsigned char>(name[*invalid]), name.size()));
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
                           fmt::format("{} (at byte {} of the image)", problem->detail, *problem->byte_offset));
    }
  }
  return std::nullopt;
}

/// Finds the first number that no v1 file can hold, or that one in the form cannot.
std::optional<Diagnostic> find_too_large(const CharacterData& data, Format form) {
  std::optional<Diagnostic> result;
  const auto check = [&](std::uint64_t found, std::uint64_t max, std::string_view what, const auto&... steps) {
    if (result || found <= max) return;
    result = diagnostic_at(DiagnosticId::too_large_for_form, data, path_of(steps...),
                           fmt::format("found {} {}; at most {}", found, what, max));
  };
  for (std::uint32_t i = 0; i < data.images.size(); ++i) {
    const Image& image = data.images[i];
    check(image.width, kMaxUint16, "pixels", "images", i, "width");
    check(image.height, kMaxUint16, "pixels", "images", i, "height");
    check(image.bytes.size(), kMaxUint32, "bytes", "images", i, "data");
  }
  check(data.frames_per_second, kMaxUint16, "fps", "fps");
  if (form != Format::v1) return result;
  check(data.images.size(), kMaxUint16, "images");
  check(data.meshes.size(), kMaxUint16, "meshes");
  check(data.clips.size(), kMaxUint16, "animations");
  for (std::uint32_t i = 0; i < data.bones.size(); ++i) {
    const BoneId parent = data.bones[i].parent;
    check(parent == BoneId::none ? 0 : index(parent), Int16::max(), "as parent", "bones", i, "parent");
  }
  for (std::uint32_t i = 0; i < data.clips.size(); ++i) {
    check(data.clips[i].frame_count, kMaxUint16, "frames", "animations", i);
  }
  return result;
}

}  // namespace

std::vector<Diagnostic> find_losses(const Imported& imported, Format form, JsonDialect dialect, bool lossy) {
  return LossFinder{imported, form, dialect, lossy}.find();
}

std::optional<Diagnostic> find_unwritable(const CharacterData& data, Format form) {
  if (data.is_3d) return Diagnostic{DiagnosticId::needs_2d, {}, {}, {}, {}};
  if (auto found = find_too_large(data, form)) return found;
  if (auto found = find_broken_name(data, "images", data.images)) return found;
  if (auto found = find_broken_name(data, "bones", data.bones)) return found;
  if (auto found = find_broken_name(data, "meshes", data.meshes)) return found;
  if (auto found = find_broken_name(data, "animations", data.clips)) return found;
  return find_broken_image(data);
}

}  // namespace pchr
