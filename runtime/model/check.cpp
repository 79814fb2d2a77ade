// SPDX-License-Identifier: MIT
// Everything an index or a number can break, part by part.
#include "model/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

namespace pchr {
namespace {

// Four values side by side: the position and texture coordinates of a vertex, or one value per slot.
using FloatFour = float __attribute__((vector_size(16)));
using DoubleFour = double __attribute__((vector_size(32)));
using DoubleTwo = double __attribute__((vector_size(16)));

// How far ahead of its use memory is asked for. The hardware looks ahead too, but not far enough to hide the survey.
constexpr std::size_t kAhead = 1024;

template <typename T>
T load(const std::byte* from) noexcept {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

std::uint16_t largest_of(const std::byte* bytes, std::size_t count) noexcept {
  std::uint16_t largest = 0;
  for (std::size_t i = 0; i < count; ++i) largest = std::max(largest, load<std::uint16_t>(bytes + i * 2));
  return largest;
}

std::uint16_t copy_and_find_largest(const std::byte* bytes, std::size_t count, std::uint16_t* copy) noexcept {
  std::uint16_t largest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    copy[i] = load<std::uint16_t>(bytes + i * 2);
    largest = std::max(largest, copy[i]);
  }
  return largest;
}

Check check_vertex(std::size_t bone_count, std::uint32_t mesh, std::uint32_t number, const Vertex& vertex) {
  const auto not_finite = [&](Field field, float value, std::uint32_t slot = 0) {
    return Problem{FindingId::not_finite, {Section::meshes, field, mesh, number, slot}, fmt::format("found {}", value)};
  };
  if (!std::isfinite(vertex.x)) return not_finite(Field::x, vertex.x);
  if (!std::isfinite(vertex.y)) return not_finite(Field::y, vertex.y);
  if (!std::isfinite(vertex.u)) return not_finite(Field::u, vertex.u);
  if (!std::isfinite(vertex.v)) return not_finite(Field::v, vertex.v);
  for (std::uint32_t slot = 0; slot < 4; ++slot) {
    const float weight = vertex.weights[slot];
    if (!std::isfinite(weight)) return not_finite(Field::bone_weight, weight, slot);
    if (weight != 0 && vertex.bones[slot] >= bone_count) {
      return Problem{FindingId::bone_out_of_range,
                     {Section::meshes, Field::bone_id, mesh, number, slot},
                     fmt::format("found {}; this file has {} bones, and the weight is {}, so the slot is in use",
                                 vertex.bones[slot], bone_count, weight)};
    }
  }
  return {};
}

bool all_finite(std::span<const float> values) noexcept {
  FiniteCheck check;
  for (const float value : values) check.add(value);
  return check.all_finite();
}

}  // namespace

void MeshSurveyor::add_weights(const std::uint16_t* bones, const double* weights) {
  for (int slot = 0; slot < 4; ++slot) {
    if (weights[slot] == 0 || bones[slot] >= sum_of_bone_.size()) continue;
    sum_of_bone_[bones[slot]] += weights[slot];
    named_bones_.push_back(bones[slot]);
  }
}

/// The bone of the largest sum, the lower index among equals.
std::uint32_t MeshSurveyor::take_governing_bone() {
  std::uint32_t best = 0;
  for (const std::uint32_t bone : named_bones_) {
    if (sum_of_bone_[bone] > sum_of_bone_[best] || (sum_of_bone_[bone] == sum_of_bone_[best] && bone < best)) {
      best = bone;
    }
  }
  // Where no sum is above 0, a bone that is not named has more than one of negative weight.
  const auto has_none = [](double sum) { return sum == 0; };
  if (!sum_of_bone_.empty() && sum_of_bone_[best] <= 0) {
    const auto first = std::find_if(sum_of_bone_.begin(), sum_of_bone_.end(), has_none);
    if (first != sum_of_bone_.end()) best = static_cast<std::uint32_t>(first - sum_of_bone_.begin());
  }
  for (const std::uint32_t bone : named_bones_) sum_of_bone_[bone] = 0;
  named_bones_.clear();
  return best;
}

/// Looks at every vertex without a branch on what it finds.
template <bool kCopies>
void MeshSurveyor::survey_vertices(std::span<const std::byte> bytes, Vertex* copy, MeshSurvey& result) {
  FiniteCheck finite;
  bool names_no_bone = false;
  std::uint32_t signs = 0;
  // Neighbours mostly share their bones: what belongs to the slots is kept in registers until the bones change.
  std::uint64_t bones = 0;
  WordFour weight_bits{};
  DoubleTwo low_sums{}, high_sums{};
  const auto end_run = [&] {
    std::uint16_t ids[4];
    std::memcpy(ids, &bones, sizeof(ids));
    const double sums[4] = {low_sums[0], low_sums[1], high_sums[0], high_sums[1]};
    for (int slot = 0; slot < 4; ++slot) {
      const bool used = (weight_bits[slot] & 0x7FFFFFFF) != 0;
      names_no_bone = names_no_bone || (used && ids[slot] >= sum_of_bone_.size());
      signs |= weight_bits[slot];
    }
    add_weights(ids, sums);
  };
  const std::byte* const end = bytes.data() + bytes.size();
  for (const std::byte* vertex = bytes.data(); vertex != end; vertex += sizeof(Vertex)) {
    const std::size_t ahead = std::min<std::size_t>(kAhead, end - vertex);
    __builtin_prefetch(vertex + ahead);
    if constexpr (kCopies) __builtin_prefetch(reinterpret_cast<std::byte*>(copy) + ahead, 1);
    const auto coordinates = load<WordFour>(vertex);
    const auto ids = load<std::uint64_t>(vertex + offsetof(Vertex, bones));
    const auto weights = load<WordFour>(vertex + offsetof(Vertex, weights));
    if constexpr (kCopies) std::memcpy(copy++, vertex, sizeof(Vertex));
    finite.add(coordinates);
    finite.add(weights);
    if (ids != bones) {
      end_run();
      bones = ids;
      weight_bits = WordFour{};
      low_sums = high_sums = DoubleTwo{};
    }
    weight_bits |= weights;
    const DoubleFour wide = __builtin_convertvector(std::bit_cast<FloatFour>(weights), DoubleFour);
    low_sums += __builtin_shufflevector(wide, wide, 0, 1);
    high_sums += __builtin_shufflevector(wide, wide, 2, 3);
  }
  end_run();
  result.sound = finite.all_finite() && !names_no_bone;
  // A weight of minus zero has the sign too: whoever asks for the negative weights looks at each.
  result.negative_weights = (signs >> 31) != 0;
  result.governing_bone = take_governing_bone();
}

MeshSurvey MeshSurveyor::survey(std::span<const Vertex> vertices, std::span<const std::uint16_t> indices) {
  MeshSurvey result;
  survey_vertices<false>(std::as_bytes(vertices), nullptr, result);
  result.largest_index = largest_of(std::as_bytes(indices).data(), indices.size());
  return result;
}

MeshSurvey MeshSurveyor::survey_and_copy(std::span<const std::byte> vertex_bytes,
                                         std::span<const std::byte> index_bytes, Vertex* vertices,
                                         std::uint16_t* indices) {
  MeshSurvey result;
  survey_vertices<true>(vertex_bytes, vertices, result);
  result.largest_index = copy_and_find_largest(index_bytes.data(), index_bytes.size() / sizeof(*indices), indices);
  return result;
}

Check check_image(const Image& image, std::uint32_t number) {
  if (image.width == 0 || image.height == 0) {
    return Problem{FindingId::image_size_zero,
                   {Section::images, image.width == 0 ? Field::width : Field::height, number},
                   fmt::format("found {} x {} pixels", image.width, image.height)};
  }
  const std::uint64_t expected = std::uint64_t{image.width} * image.height * 4;
  if (image.encoding == ImageEncoding::rgba8888 && image.bytes.size() != expected) {
    return Problem{FindingId::image_data_size,
                   {Section::images, Field::data, number},
                   fmt::format("found {} bytes; {} x {} pixels of 4 bytes are {}", image.bytes.size(), image.width,
                               image.height, expected)};
  }
  return {};
}

Check check_picture(const Picture& picture, std::span<const Image> images) {
  const auto fits = [](std::uint32_t start, std::uint32_t length, std::uint32_t whole) {
    return length > 0 && start <= whole && length <= whole - start;
  };
  if (picture.image >= images.size()) {
    return Problem{FindingId::image_out_of_range,
                   {},
                   fmt::format("picture \"{}\" names image {}; there are {}", printable(picture.name), picture.image,
                               images.size())};
  }
  const Image& image = images[picture.image];
  if (fits(picture.x, picture.width, image.width) && fits(picture.y, picture.height, image.height)) return {};
  return Problem{FindingId::invalid_structure,
                 {},
                 fmt::format("picture \"{}\" is {} x {} at {}, {} of an image of {} x {}", printable(picture.name),
                             picture.width, picture.height, picture.x, picture.y, image.width, image.height)};
}

Check check_artwork(const Artwork& artwork, std::size_t image_count, std::size_t clip_count) {
  const auto wrong = [](std::string detail) { return Problem{FindingId::invalid_structure, {}, std::move(detail)}; };
  for (std::size_t i = 0; i < artwork.layers.size(); ++i) {
    const std::int32_t parent = artwork.layers[i].parent;
    if (parent >= -1 && parent < static_cast<std::int64_t>(i)) continue;
    return wrong(fmt::format("the artwork's layer {} names layer {} as its parent", i, parent));
  }
  for (const ArtworkTag& tag : artwork.tags) {
    if (tag.clip < clip_count) continue;
    return wrong(fmt::format("tag \"{}\" names clip {}; there are {}", printable(tag.name), tag.clip, clip_count));
  }
  for (const ArtworkTileset& set : artwork.tilesets) {
    if (!set.image || *set.image < image_count) continue;
    return wrong(
        fmt::format("tileset \"{}\" names image {}; there are {}", printable(set.name), *set.image, image_count));
  }
  if (!artwork.whole_clip || *artwork.whole_clip < clip_count) return {};
  return wrong(fmt::format("the artwork's clip is {}; there are {}", *artwork.whole_clip, clip_count));
}

Check check_bone(const Bone& bone, std::uint32_t number) {
  if (bone.parent >= -1 && bone.parent < static_cast<std::int64_t>(number)) return {};
  const std::string allowed = number == 0   ? "only -1 (a root)"
                              : number == 1 ? "-1 (a root) or 0"
                                            : fmt::format("-1 (a root) or 0 to {}", number - 1);
  return Problem{FindingId::invalid_parent,
                 {Section::bones, Field::parent, number},
                 fmt::format("found {}; bone {} allows {}", bone.parent, number, allowed)};
}

Check check_mesh(const Mesh& mesh, std::uint32_t number, const MeshBounds& bounds, std::span<const Vertex> vertices,
                 std::span<const std::uint16_t> indices, const MeshSurvey& survey) {
  const auto problem = [&](FindingId id, Field field, std::uint32_t element, std::string detail) {
    return Problem{id, {Section::meshes, field, number, element}, std::move(detail)};
  };
  // Without any images, 0 is the placeholder that Character::images() gives.
  if (mesh.image >= std::max<std::size_t>(bounds.images, 1)) {
    return problem(FindingId::image_out_of_range, Field::image, 0,
                   fmt::format("found {}; this file has {} images", mesh.image, bounds.images));
  }
  if (mesh.index_count % 3 != 0) {
    return problem(FindingId::incomplete_triangle, Field::index_count, 0, fmt::format("found {}", mesh.index_count));
  }
  for (std::uint32_t i = 0; !survey.sound && i < vertices.size(); ++i) {
    if (Check found = check_vertex(bounds.bones, number, i, vertices[i])) return found;
  }
  if (!indices.empty() && survey.largest_index >= mesh.vertex_count) {
    const auto bad =
        std::find_if(indices.begin(), indices.end(), [&](std::uint16_t index) { return index >= mesh.vertex_count; });
    return problem(FindingId::vertex_out_of_range, Field::index, static_cast<std::uint32_t>(bad - indices.begin()),
                   fmt::format("found {}; this mesh has {} vertices", *bad, mesh.vertex_count));
  }
  return {};
}

Check check_spatial_vertices(const CharacterData& data) {
  if (data.spatial_vertices.size() != (data.spatial ? data.vertices.size() : 0)) {
    return Problem{FindingId::invalid_structure,
                   {},
                   fmt::format("{} vertices of a {} character have {} that are spatial", data.vertices.size(),
                               data.spatial ? "spatial" : "planar", data.spatial_vertices.size())};
  }
  const auto bad = std::ranges::find_if_not(data.spatial_vertices, [](const SpatialVertex& vertex) {
    return std::isfinite(vertex.z) && std::isfinite(vertex.normal.x + vertex.normal.y + vertex.normal.z);
  });
  if (bad == data.spatial_vertices.end()) return {};
  return Problem{
      FindingId::not_finite, {}, fmt::format("in z or the normal of vertex {}", bad - data.spatial_vertices.begin())};
}

namespace {

Check check_frame_times(const Clip& clip, std::uint32_t number) {
  const auto problem = [&](std::string detail) {
    return Problem{FindingId::invalid_structure, {Section::animations, Field::none, number}, std::move(detail)};
  };
  if (clip.loop_start > 0 && clip.loop_start >= clip.frame_count) {
    return problem(
        fmt::format("the loop starts with frame {}; there are {} frames", clip.loop_start, clip.frame_count));
  }
  if (clip.frame_ends.empty()) return {};
  if (clip.frame_ends.size() != clip.frame_count) {
    return problem(fmt::format("{} frames need {} frame_ends or none; there are {}", clip.frame_count, clip.frame_count,
                               clip.frame_ends.size()));
  }
  double before = 0;
  for (const double end : clip.frame_ends) {
    if (!std::isfinite(end) || !(end > before)) {
      return problem(fmt::format("frame_ends grow from above 0; {} follows {}", end, before));
    }
    before = end;
  }
  return {};
}

bool have_size(const BoneSamples& samples, std::uint64_t count, bool spatial) {
  const auto fits = [&](const auto& values) { return values.size() == count; };
  return fits(samples.x) && fits(samples.y) && fits(samples.rotation_degrees) && fits(samples.scale_x) &&
         fits(samples.scale_y) && fits(samples.visible) && fits(samples.z_order) &&
         (samples.opacity.empty() || fits(samples.opacity)) &&
         (spatial ? fits(samples.spatial) : samples.spatial.empty());
}

bool is_finite(const SpatialSample& sample) {
  const Quat& turn = sample.rotation;
  return std::isfinite(turn.x + turn.y + turn.z + turn.w) && std::isfinite(sample.z) && std::isfinite(sample.scale_z);
}

}  // namespace

Check check_clip(const Clip& clip, std::uint32_t number, std::size_t bone_count, bool spatial) {
  const std::uint64_t count = std::uint64_t{clip.frame_count} * bone_count;
  if (!have_size(clip.samples, count, spatial)) {
    return Problem{
        FindingId::invalid_structure,
        {Section::animations, Field::none, number},
        fmt::format("{} frames of {} bones need {} samples of each value", clip.frame_count, bone_count, count)};
  }
  if (!std::isfinite(clip.frames_per_second) || clip.frames_per_second < 0) {
    return Problem{FindingId::not_finite,
                   {Section::animations, Field::frames_per_second, number},
                   fmt::format("found {}; the rate is 0 or more", clip.frames_per_second)};
  }
  return check_frame_times(clip, number);
}

Check check_bind_pose(const CharacterData& data) {
  if (data.bind_pose.x.empty()) return {};
  if (!have_size(data.bind_pose, data.bones.size(), data.spatial)) {
    return Problem{FindingId::invalid_structure,
                   {},
                   fmt::format("the bind pose does not have one value for each of {} bones", data.bones.size())};
  }
  Clip clip;
  clip.frame_count = 1;
  clip.samples = data.bind_pose;
  return check_samples(clip, 0, data.bones.size());
}

Check check_samples(const Clip& clip, std::uint32_t number, std::size_t bone_count) {
  const BoneSamples& samples = clip.samples;
  const std::pair<Field, const Array<float>*> values[] = {{Field::x, &samples.x},
                                                          {Field::y, &samples.y},
                                                          {Field::rotation, &samples.rotation_degrees},
                                                          {Field::scale_x, &samples.scale_x},
                                                          {Field::scale_y, &samples.scale_y},
                                                          {Field::opacity, &samples.opacity}};
  // The first in file order, so the smallest sample number over all values.
  Check first;
  std::uint64_t first_sample = samples.x.size();
  for (const auto& [field, list] : values) {
    if (all_finite(*list)) continue;
    const auto bad = std::find_if(list->begin(), list->end(), [](float value) { return !std::isfinite(value); });
    const auto sample = static_cast<std::uint64_t>(bad - list->begin());
    if (sample >= first_sample) continue;
    first_sample = sample;
    first = Problem{FindingId::not_finite,
                    {Section::animations, field, number, static_cast<std::uint32_t>(sample / bone_count),
                     static_cast<std::uint32_t>(sample % bone_count)},
                    fmt::format("found {}", *bad)};
  }
  if (first) return first;
  const auto bad = std::ranges::find_if_not(samples.spatial, is_finite);
  if (bad == samples.spatial.end()) return {};
  const auto sample = static_cast<std::uint64_t>(bad - samples.spatial.begin());
  return Problem{FindingId::not_finite,
                 {Section::animations, Field::transform, number, static_cast<std::uint32_t>(sample / bone_count),
                  static_cast<std::uint32_t>(sample % bone_count)},
                 "in z, its scale or the rotation"};
}

}  // namespace pchr
