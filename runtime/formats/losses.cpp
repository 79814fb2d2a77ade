// SPDX-License-Identifier: MIT
// What a form cannot hold of a character.
#include "formats/losses.hpp"

#include "formats/pchr_v1_writer.hpp"
#include "formats/png_check.hpp"
#include "model/build.hpp"
#include "model/influences.hpp"
#include "model/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

namespace pchr {
namespace {

using Int16 = std::numeric_limits<std::int16_t>;
constexpr std::size_t kMostUint16 = std::numeric_limits<std::uint16_t>::max();
constexpr std::size_t kMostUint32 = std::numeric_limits<std::uint32_t>::max();

class LossFinder {
 public:
  LossFinder(const Character& character, Form form, Spelling spelling, bool lossy)
      : character_(character), data_(character.data()), form_(form), spelling_(spelling), lossy_(lossy) {}

  std::vector<Finding> find() {
    find_flags();
    find_images();
    if (!data_.pictures.empty()) {
      add(FindingId::pictures_refused, FindingId::pictures_lost, {},
          fmt::format("found {}, the first is \"{}\"", data_.pictures.size(), printable(data_.pictures.front().name)));
    }
    find_long_names(Section::bones, data_.bones);
    find_long_names(Section::meshes, data_.meshes);
    find_influences();
    find_long_names(Section::animations, data_.clips);
    for (std::uint32_t i = 0; i < data_.clips.size(); ++i) find_in_clip(i);
    return std::move(losses_);
  }

 private:
  void add(FindingId refused, FindingId lost, const Location& location, std::string detail) {
    losses_.push_back(finding_at(lossy_ ? lost : refused, data_, location, {}, std::move(detail)));
  }

  void find_flags() {
    const Location header{Section::file, Field::flags};
    const bool has_flags = form_ == Form::v1 || spelling_ == Spelling::v1;
    if (data_.reserved_flags != 0 && !has_flags) {
      add(FindingId::flags_refused, FindingId::flags_lost, header, fmt::format("found 0x{:04x}", data_.reserved_flags));
    }
    for (const Finding& warning : character_.warnings()) {
      if (warning.id != FindingId::reserved_flags || warning.path == to_path(header)) continue;
      Finding loss = warning;
      loss.id = lossy_ ? FindingId::flags_lost : FindingId::flags_refused;
      losses_.push_back(std::move(loss));
    }
  }

  void find_images() {
    for (std::uint32_t i = 0; i < data_.images.size(); ++i) {
      const Location here{Section::images, Field::none, i};
      if (form_ == Form::packed && i > 0) {
        add(FindingId::image_refused, FindingId::image_lost, here, fmt::format("found {} images", data_.images.size()));
      }
      if (form_ != Form::packed && data_.images[i].encoding == ImageEncoding::absent) {
        add(FindingId::absent_image_refused, FindingId::absent_image_replaced, here, {});
      }
    }
    find_long_names(Section::images, data_.images);
  }

  template <class Items>
  void find_long_names(Section section, const Items& items) {
    if (form_ != Form::v1) return;
    for (std::uint32_t i = 0; i < items.size(); ++i) {
      if (items[i].name.size() <= kMostNameBytes) continue;
      add(FindingId::name_refused, FindingId::name_cut, {section, Field::name, i},
          fmt::format("found {} bytes; at most {}", items[i].name.size(), kMostNameBytes));
    }
  }

  void find_influences() {
    if (form_ != Form::v1 || data_.authored_influences.empty()) return;
    const std::span<const AuthoredInfluence> all(data_.authored_influences);
    const auto first = first_run(all);
    std::size_t vertices = 0;
    for (auto rest = all; !rest.empty(); rest = rest.subspan(first_run(rest).size())) ++vertices;
    add(FindingId::influences_refused, FindingId::influences_lost, location_of_vertex(data_, first.front().vertex),
        fmt::format("found {}{}", first.size(), vertices == 1 ? "" : fmt::format(" ({} such vertices)", vertices)));
  }

  void find_in_clip(std::uint32_t number) {
    const Clip& clip = data_.clips[number];
    if (!clip.frame_ends.empty()) {
      add(FindingId::clip_rate_refused, FindingId::clip_rate_lost,
          {Section::animations, Field::frames_per_second, number},
          fmt::format("its {} frames have durations of their own", clip.frame_count));
    } else if (clip.frames_per_second != data_.frames_per_second) {
      add(FindingId::clip_rate_refused, FindingId::clip_rate_lost,
          {Section::animations, Field::frames_per_second, number},
          fmt::format("found {}; the character has {}", clip.frames_per_second, data_.frames_per_second));
    }
    if (clip.loop_start > 0) {
      add(FindingId::loop_start_refused, FindingId::loop_start_lost, {Section::animations, Field::none, number},
          fmt::format("its loop begins with frame {}", clip.loop_start));
    }
    find_samples(FindingId::opacity_refused, FindingId::opacity_lost, Field::opacity, number, clip.samples.opacity,
                 [](float opacity) { return opacity == 1; });
    if (form_ != Form::v1) return;
    find_samples(FindingId::z_order_refused, FindingId::z_order_clamped, Field::z_order, number, clip.samples.z_order,
                 [](std::int32_t order) { return order >= Int16::min() && order <= Int16::max(); });
  }

  template <class Values, class Fits>
  void find_samples(FindingId refused, FindingId lost, Field field, std::uint32_t clip, const Values& values,
                    Fits fits) {
    const auto first = std::find_if_not(values.begin(), values.end(), fits);
    if (first == values.end()) return;
    const std::size_t bones = data_.bones.size();
    const auto sample = static_cast<std::size_t>(first - values.begin());
    const auto others = std::count_if(first + 1, values.end(), [&](auto value) { return !fits(value); });
    add(refused, lost,
        {Section::animations, field, clip, static_cast<std::uint32_t>(sample / bones),
         static_cast<std::uint32_t>(sample % bones)},
        fmt::format("found {}{}", *first, others == 0 ? "" : fmt::format(" ({} more in this clip)", others)));
  }

  const Character& character_;
  const CharacterData& data_;
  const Form form_;
  const Spelling spelling_;
  const bool lossy_;
  std::vector<Finding> losses_;
};

/// The items' first name that is not UTF-8.
template <class Items>
std::optional<Finding> find_broken_name(const CharacterData& data, Section section, const Items& items) {
  for (std::uint32_t i = 0; i < items.size(); ++i) {
    const std::string& name = items[i].name;
    if (const auto invalid = find_invalid_utf8(name)) {
      return finding_at(FindingId::invalid_utf8, data, {section, Field::name, i}, {},
                        fmt::format("found byte 0x{:02x} in a name of {} bytes",
                                    static_cast<unsigned char>(name[*invalid]), name.size()));
    }
  }
  return std::nullopt;
}

std::optional<Finding> find_broken_image(const CharacterData& data) {
  for (std::uint32_t i = 0; i < data.images.size(); ++i) {
    const Image& image = data.images[i];
    if (image.encoding != ImageEncoding::png) continue;
    if (const auto problem = check_png(image.bytes, image.width, image.height)) {
      return finding_at(problem->id, data, {Section::images, Field::data, i}, {},
                        fmt::format("{} (at byte {} of the image)", problem->detail, problem->offset));
    }
  }
  return std::nullopt;
}

/// A number that has a place in every v1 file, and the most it may be there.
struct Quantity {
  Location location;
  std::string_view what;
  std::uint64_t found;
  std::uint64_t most;
};

std::optional<Finding> find_too_large(const CharacterData& data, Form form) {
  std::vector<Quantity> quantities;
  for (std::uint32_t i = 0; i < data.images.size(); ++i) {
    const Image& image = data.images[i];
    quantities.push_back({{Section::images, Field::width, i}, "pixels", image.width, kMostUint16});
    quantities.push_back({{Section::images, Field::height, i}, "pixels", image.height, kMostUint16});
    quantities.push_back({{Section::images, Field::data, i}, "bytes", image.bytes.size(), kMostUint32});
  }
  const Location file;
  quantities.push_back({{Section::file, Field::frames_per_second}, "fps", data.frames_per_second, kMostUint16});
  if (form == Form::v1) {
    const auto parent_of = [](const Bone& bone) { return static_cast<std::uint64_t>(std::max(bone.parent, 0)); };
    quantities.push_back({file, "images", data.images.size(), kMostUint16});
    quantities.push_back({file, "meshes", data.meshes.size(), kMostUint16});
    quantities.push_back({file, "animations", data.clips.size(), kMostUint16});
    for (std::uint32_t i = 0; i < data.bones.size(); ++i) {
      quantities.push_back({{Section::bones, Field::parent, i}, "as parent", parent_of(data.bones[i]), Int16::max()});
    }
    for (std::uint32_t i = 0; i < data.clips.size(); ++i) {
      quantities.push_back({{Section::animations, Field::none, i}, "frames", data.clips[i].frame_count, kMostUint16});
    }
  }
  const auto large = std::ranges::find_if(quantities, [](const Quantity& q) { return q.found > q.most; });
  if (large == quantities.end()) return std::nullopt;
  return finding_at(FindingId::too_large_for_form, data, large->location, {},
                    fmt::format("found {} {}; at most {}", large->found, large->what, large->most));
}

}  // namespace

std::vector<Finding> find_losses(const Character& character, Form form, Spelling spelling, bool lossy) {
  return LossFinder(character, form, spelling, lossy).find();
}

std::optional<Finding> find_unwritable(const CharacterData& data, Form form) {
  if (data.spatial) return Finding{FindingId::spatial_refused, {}, {}, {}, {}};
  if (auto found = find_too_large(data, form)) return found;
  if (auto found = find_broken_name(data, Section::images, data.images)) return found;
  if (auto found = find_broken_name(data, Section::bones, data.bones)) return found;
  if (auto found = find_broken_name(data, Section::meshes, data.meshes)) return found;
  if (auto found = find_broken_name(data, Section::animations, data.clips)) return found;
  return find_broken_image(data);
}

}  // namespace pchr
