// SPDX-License-Identifier: MIT
// What a format cannot hold of a character.
#include "import/convert/convert.hpp"

#include "character/influences.hpp"
#include "character/path.hpp"
#include "character/utf8.hpp"
#include "image/png_check.hpp"
#include "pchr_v1/write.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

namespace pchr {
namespace {

using Int16 = std::numeric_limits<std::int16_t>;
constexpr std::size_t kMaxUint16 = std::numeric_limits<std::uint16_t>::max();
constexpr std::size_t kMaxUint32 = std::numeric_limits<std::uint32_t>::max();

class LossFinder {
 public:
  LossFinder(const Imported& imported, Format form, JsonDialect spelling, bool lossy)
      : imported_(imported), data_(imported.character.data()), form_(form), spelling_(spelling), lossy_(lossy) {}

  std::vector<Diagnostic> find() {
    find_flags();
    find_images();
    if (!imported_.pictures.empty()) {
      add(DiagnosticId::pictures_refused, DiagnosticId::pictures_lost, {},
          fmt::format("found {}, the first is \"{}\"", imported_.pictures.size(),
                      printable(imported_.pictures.front().name)));
    }
    find_long_names("bones", data_.bones);
    find_long_names("meshes", data_.meshes);
    find_influences();
    find_long_names("animations", data_.clips);
    for (std::uint32_t i = 0; i < data_.clips.size(); ++i) find_in_clip(i);
    return std::move(losses_);
  }

 private:
  void add(DiagnosticId refused, DiagnosticId lost, std::string path, std::string detail) {
    losses_.push_back(diagnostic_at(lossy_ ? lost : refused, data_, std::move(path), std::move(detail)));
  }

  void find_flags() {
    const bool has_flags = form_ == Format::v1 || spelling_ == JsonDialect::v1;
    if (data_.reserved_flags != 0 && !has_flags) {
      add(DiagnosticId::flags_refused, DiagnosticId::flags_lost, "flags",
          fmt::format("found 0x{:04x}", data_.reserved_flags));
    }
    for (const Diagnostic& warning : imported_.character.warnings()) {
      if (warning.id != DiagnosticId::reserved_flags || warning.path == "flags") continue;
      Diagnostic loss = warning;
      loss.id = lossy_ ? DiagnosticId::flags_lost : DiagnosticId::flags_refused;
      losses_.push_back(std::move(loss));
    }
  }

  void find_images() {
    for (std::uint32_t i = 0; i < data_.images.size(); ++i) {
      const std::string here = path_of("images", i);
      if (form_ == Format::packed && i > 0) {
        add(DiagnosticId::image_refused, DiagnosticId::image_lost, here,
            fmt::format("found {} images", data_.images.size()));
      }
      if (form_ != Format::packed && data_.images[i].encoding == ImageEncoding::absent) {
        add(DiagnosticId::absent_image_refused, DiagnosticId::absent_image_replaced, here, {});
      }
    }
    find_long_names("images", data_.images);
  }

  template <class Items>
  void find_long_names(std::string_view section, const Items& items) {
    if (form_ != Format::v1) return;
    for (std::uint32_t i = 0; i < items.size(); ++i) {
      if (items[i].name.size() <= kMaxNameBytes) continue;
      add(DiagnosticId::name_refused, DiagnosticId::name_cut, path_of(section, i, "name"),
          fmt::format("found {} bytes; at most {}", items[i].name.size(), kMaxNameBytes));
    }
  }

  void find_influences() {
    if (form_ != Format::v1 || data_.authored_influences.empty()) return;
    const std::span<const AuthoredInfluence> all(data_.authored_influences);
    const auto first = first_run(all);
    std::size_t vertices = 0;
    for (auto rest = all; !rest.empty(); rest = rest.subspan(first_run(rest).size())) ++vertices;
    const MeshVertex place = find_vertex(data_, first.front().vertex);
    add(DiagnosticId::influences_refused, DiagnosticId::influences_lost,
        path_of("meshes", place.mesh, "vertices", place.vertex),
        fmt::format("found {}{}", first.size(), vertices == 1 ? "" : fmt::format(" ({} such vertices)", vertices)));
  }

  void find_in_clip(std::uint32_t number) {
    const Clip& clip = data_.clips[number];
    if (!clip.frame_ends.empty()) {
      add(DiagnosticId::clip_rate_refused, DiagnosticId::clip_rate_lost, path_of("animations", number, "fps"),
          fmt::format("its {} frames have durations of their own", clip.frame_count));
    } else if (clip.frames_per_second != data_.frames_per_second) {
      add(DiagnosticId::clip_rate_refused, DiagnosticId::clip_rate_lost, path_of("animations", number, "fps"),
          fmt::format("found {}; the character has {}", clip.frames_per_second, data_.frames_per_second));
    }
    if (clip.loop_start > 0) {
      add(DiagnosticId::loop_start_refused, DiagnosticId::loop_start_lost, path_of("animations", number),
          fmt::format("its loop begins with frame {}", clip.loop_start));
    }
    find_samples(DiagnosticId::opacity_refused, DiagnosticId::opacity_lost, "opacity", number, clip.samples.opacity,
                 [](float opacity) { return opacity == 1; });
    if (form_ != Format::v1) return;
    find_samples(DiagnosticId::z_order_refused, DiagnosticId::z_order_clamped, "zOrder", number, clip.samples.z_order,
                 [](std::int32_t order) { return order >= Int16::min() && order <= Int16::max(); });
  }

  template <class Values, class Fits>
  void find_samples(DiagnosticId refused, DiagnosticId lost, std::string_view field, std::uint32_t clip,
                    const Values& values, Fits fits) {
    const auto first = std::find_if_not(values.begin(), values.end(), fits);
    if (first == values.end()) return;
    const std::size_t bones = data_.bones.size();
    const auto sample = static_cast<std::size_t>(first - values.begin());
    const auto others = std::count_if(first + 1, values.end(), [&](auto value) { return !fits(value); });
    add(refused, lost, path_of("animations", clip, "frames", sample / bones, sample % bones, field),
        fmt::format("found {}{}", *first, others == 0 ? "" : fmt::format(" ({} more in this clip)", others)));
  }

  const Imported& imported_;
  const CharacterData& data_;
  const Format form_;
  const JsonDialect spelling_;
  const bool lossy_;
  std::vector<Diagnostic> losses_;
};

/// The items' first name that is not UTF-8.
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

/// A number that has a place in every v1 file, and the most it may be there.
struct Quantity {
  std::string path;
  std::string_view what;
  std::uint64_t found;
  std::uint64_t most;
};

std::optional<Diagnostic> find_too_large(const CharacterData& data, Format form) {
  std::vector<Quantity> quantities;
  for (std::uint32_t i = 0; i < data.images.size(); ++i) {
    const Image& image = data.images[i];
    quantities.push_back({path_of("images", i, "width"), "pixels", image.width, kMaxUint16});
    quantities.push_back({path_of("images", i, "height"), "pixels", image.height, kMaxUint16});
    quantities.push_back({path_of("images", i, "data"), "bytes", image.bytes.size(), kMaxUint32});
  }
  quantities.push_back({"fps", "fps", data.frames_per_second, kMaxUint16});
  if (form == Format::v1) {
    const auto parent_of = [](const Bone& bone) {
      return bone.parent == BoneId::none ? 0 : std::uint64_t{index(bone.parent)};
    };
    quantities.push_back({{}, "images", data.images.size(), kMaxUint16});
    quantities.push_back({{}, "meshes", data.meshes.size(), kMaxUint16});
    quantities.push_back({{}, "animations", data.clips.size(), kMaxUint16});
    for (std::uint32_t i = 0; i < data.bones.size(); ++i) {
      quantities.push_back({path_of("bones", i, "parent"), "as parent", parent_of(data.bones[i]), Int16::max()});
    }
    for (std::uint32_t i = 0; i < data.clips.size(); ++i) {
      quantities.push_back({path_of("animations", i), "frames", data.clips[i].frame_count, kMaxUint16});
    }
  }
  const auto large = std::ranges::find_if(quantities, [](const Quantity& q) { return q.found > q.most; });
  if (large == quantities.end()) return std::nullopt;
  return diagnostic_at(DiagnosticId::too_large_for_form, data, large->path,
                       fmt::format("found {} {}; at most {}", large->found, large->what, large->most));
}

}  // namespace

std::vector<Diagnostic> find_losses(const Imported& imported, Format form, JsonDialect spelling, bool lossy) {
  return LossFinder(imported, form, spelling, lossy).find();
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
