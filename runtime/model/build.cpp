// SPDX-License-Identifier: MIT
// Checks and derivations that make plain data a Character.
#include "model/build.hpp"

#include "model/contents.hpp"

#include <pchr/pose.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cmath>
#include <cstring>
#include <utility>

namespace pchr {

Finding finding_at(FindingId id, const CharacterData& data, const Location& location, const Locate& locate,
                   std::string detail) {
  Place place = locate ? locate(location) : Place{};
  return {id,
          place.path.empty() ? to_path(location) : std::move(place.path),
          std::string(name_at(data, location)),
          place.byte_offset,
          std::move(detail),
          place.line,
          place.column};
}

namespace {

/// What a check found wrong, before its place in the file is known.
struct Problem {
  FindingId id;
  Location location;
  std::string detail;
};
using Check = std::optional<Problem>;

Check check_images(const CharacterData& data) {
  for (std::uint32_t i = 0; i < data.images.size(); ++i) {
    const Image& image = data.images[i];
    if (image.width == 0 || image.height == 0) {
      return Problem{FindingId::image_size_zero,
                     {Section::images, image.width == 0 ? Field::width : Field::height, i},
                     fmt::format("found {} x {} pixels", image.width, image.height)};
    }
    const std::uint64_t expected = std::uint64_t{image.width} * image.height * 4;
    if (image.encoding == ImageEncoding::rgba8888 && image.bytes.size() != expected) {
      return Problem{FindingId::image_data_size,
                     {Section::images, Field::data, i},
                     fmt::format("found {} bytes; {} x {} pixels of 4 bytes are {}", image.bytes.size(), image.width,
                                 image.height, expected)};
    }
  }
  return {};
}

Check check_bones(const CharacterData& data) {
  if (data.bones.size() > 65535) {
    return Problem{FindingId::invalid_structure, {}, fmt::format("found {} bones; at most 65535", data.bones.size())};
  }
  for (std::uint32_t i = 0; i < data.bones.size(); ++i) {
    const std::int32_t parent = data.bones[i].parent;
    if (parent < -1 || parent >= static_cast<std::int32_t>(i)) {
      const std::string allowed = i == 0   ? "only -1 (a root)"
                                  : i == 1 ? "-1 (a root) or 0"
                                           : fmt::format("-1 (a root) or 0 to {}", i - 1);
      return Problem{FindingId::invalid_parent,
                     {Section::bones, Field::parent, i},
                     fmt::format("found {}; bone {} allows {}", parent, i, allowed)};
    }
  }
  return {};
}

// A float that is not finite has an exponent of all ones, and adding the lowest exponent bit carries into the sign.
// Or-ing these sums over many floats vectorises, where a test of each does not.
constexpr std::uint32_t kExponent = 0x7F800000;
constexpr std::uint32_t kLowestExponentBit = 0x00800000;
constexpr std::uint32_t kCarry = 0x80000000;

bool all_finite(std::span<const float> values) noexcept {
  std::uint32_t carries = 0;
  for (const float value : values) {
    carries |= (std::bit_cast<std::uint32_t>(value) & kExponent) + kLowestExponentBit;
  }
  return (carries & kCarry) == 0;
}

/// What one pass over a mesh's vertices tells.
struct VertexSurvey {
  bool sound = true;  ///< All numbers are finite, and every used slot names a bone; what follows counts only then.
  bool negative_weights = false;
  std::uint32_t governing_bone = 0;
};

// Four values side by side: the position and texture coordinates of a vertex, or one value per slot.
using FloatFour = float __attribute__((vector_size(16)));
using WordFour = std::uint32_t __attribute__((vector_size(16)));
using IntFour = std::int32_t __attribute__((vector_size(16)));
using DoubleFour = double __attribute__((vector_size(32)));
using ShortFour = std::uint16_t __attribute__((vector_size(8)));

template <typename Four>
Four load_four(const void* values) noexcept {
  Four four;
  std::memcpy(&four, values, sizeof(Four));
  return four;
}

bool any(const IntFour& lanes) noexcept { return ((lanes[0] | lanes[1]) | (lanes[2] | lanes[3])) != 0; }

/// Sums of weights, 0 for every bone between meshes. Only the bones that a mesh names are looked at and cleared:
/// a small file may hold many meshes and many bones.
struct WeightSums {
  std::vector<double> of_bone;
  std::vector<std::uint32_t> named;

  void add(std::uint32_t bone, double weight) {
    of_bone[bone] += weight;
    named.push_back(bone);
  }

  /// The bone of the largest sum, the lower index among equals; clears.
  std::uint32_t take_largest() {
    std::uint32_t best = 0;
    for (const std::uint32_t bone : named) {
      if (of_bone[bone] > of_bone[best] || (of_bone[bone] == of_bone[best] && bone < best)) best = bone;
    }
    // Where no sum is above 0, a bone that is not named has more than one of negative weight.
    const auto has_none = [](double sum) { return sum == 0; };
    if (!of_bone.empty() && of_bone[best] <= 0) {
      const auto first = std::find_if(of_bone.begin(), of_bone.end(), has_none);
      if (first != of_bone.end()) best = static_cast<std::uint32_t>(first - of_bone.begin());
    }
    for (const std::uint32_t bone : named) of_bone[bone] = 0;
    named.clear();
    return best;
  }
};

/// Looks at every vertex without a branch on what it finds.
VertexSurvey survey_vertices(std::span<const Vertex> vertices, std::size_t bone_count, WeightSums& sums) {
  const auto end_of_bones = static_cast<std::int32_t>(bone_count);
  WordFour carries{};
  IntFour no_such_bone{}, negative{};
  // Neighbours mostly share their bones: their weights are summed in a register until the bones change.
  ShortFour bones{};
  DoubleFour run{};
  const auto end_run = [&] {
    for (int slot = 0; slot < 4; ++slot) {
      if (run[slot] != 0 && bones[slot] < bone_count) sums.add(bones[slot], run[slot]);
    }
  };
  for (const Vertex& vertex : vertices) {
    const auto coordinates = load_four<WordFour>(&vertex.x);
    const auto weights = load_four<FloatFour>(vertex.weights);
    const auto ids = load_four<ShortFour>(vertex.bones);
    carries |= (coordinates & kExponent) + kLowestExponentBit;
    carries |= (std::bit_cast<WordFour>(weights) & kExponent) + kLowestExponentBit;
    negative |= weights < 0.0F;
    no_such_bone |= (weights != 0.0F) & (__builtin_convertvector(ids, IntFour) >= end_of_bones);
    if (std::bit_cast<std::uint64_t>(ids) != std::bit_cast<std::uint64_t>(bones)) {
      end_run();
      bones = ids;
      run = DoubleFour{};
    }
    run += __builtin_convertvector(weights, DoubleFour);
  }
  end_run();
  return {!any((carries & kCarry) != 0) && !any(no_such_bone), any(negative), sums.take_largest()};
}

Check check_vertex(const CharacterData& data, std::uint32_t mesh, std::uint32_t number, const Vertex& vertex) {
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
    if (weight != 0 && vertex.bones[slot] >= data.bones.size()) {
      return Problem{FindingId::bone_out_of_range,
                     {Section::meshes, Field::bone_id, mesh, number, slot},
                     fmt::format("found {}; this file has {} bones, and the weight is {}, so the slot is in use",
                                 vertex.bones[slot], data.bones.size(), weight)};
    }
  }
  return {};
}

Check check_mesh(const CharacterData& data, std::uint32_t number, VertexSurvey& survey, WeightSums& sums) {
  const Mesh& mesh = data.meshes[number];
  const auto problem = [&](FindingId id, Field field, std::uint32_t element, std::string detail) {
    return Problem{id, {Section::meshes, field, number, element}, std::move(detail)};
  };
  if (mesh.image >= data.images.size()) {
    return problem(FindingId::image_out_of_range, Field::image, 0,
                   fmt::format("found {}; this file has {} images", mesh.image, data.images.size()));
  }
  const bool vertices_fit = mesh.vertex_count <= 65535 && mesh.first_vertex <= data.vertices.size() &&
                            mesh.vertex_count <= data.vertices.size() - mesh.first_vertex;
  const bool indices_fit =
      mesh.first_index <= data.indices.size() && mesh.index_count <= data.indices.size() - mesh.first_index;
  if (!vertices_fit || !indices_fit) {
    return problem(
        FindingId::invalid_structure, Field::none, 0,
        fmt::format("found vertices {} + {} of {}, indices {} + {} of {}", mesh.first_vertex, mesh.vertex_count,
                    data.vertices.size(), mesh.first_index, mesh.index_count, data.indices.size()));
  }
  if (mesh.index_count % 3 != 0) {
    return problem(FindingId::incomplete_triangle, Field::index_count, 0, fmt::format("found {}", mesh.index_count));
  }
  const auto vertices = std::span(data.vertices).subspan(mesh.first_vertex, mesh.vertex_count);
  survey = survey_vertices(vertices, data.bones.size(), sums);
  for (std::uint32_t i = 0; !survey.sound && i < vertices.size(); ++i) {
    if (Check found = check_vertex(data, number, i, vertices[i])) return found;
  }
  const auto indices = std::span(data.indices).subspan(mesh.first_index, mesh.index_count);
  std::uint16_t largest = 0;
  for (const std::uint16_t index : indices) largest = std::max(largest, index);
  if (!indices.empty() && largest >= mesh.vertex_count) {
    const auto bad =
        std::find_if(indices.begin(), indices.end(), [&](std::uint16_t index) { return index >= mesh.vertex_count; });
    return problem(FindingId::vertex_out_of_range, Field::index, static_cast<std::uint32_t>(bad - indices.begin()),
                   fmt::format("found {}; this mesh has {} vertices", *bad, mesh.vertex_count));
  }
  return {};
}

Check check_meshes(const CharacterData& data, std::vector<VertexSurvey>& surveys) {
  surveys.resize(data.meshes.size());
  WeightSums sums{std::vector<double>(data.bones.size()), {}};
  for (std::uint32_t i = 0; i < data.meshes.size(); ++i) {
    if (Check found = check_mesh(data, i, surveys[i], sums)) return found;
  }
  return {};
}

Check check_clip(const CharacterData& data, std::uint32_t number) {
  const Clip& clip = data.clips[number];
  const std::uint64_t bones = data.bones.size();
  const std::uint64_t count = clip.frame_count * bones;
  const BoneSamples& samples = clip.samples;
  const auto fits = [&](const auto& values) { return values.size() == count; };
  const bool all_fit = fits(samples.x) && fits(samples.y) && fits(samples.rotation_degrees) && fits(samples.scale_x) &&
                       fits(samples.scale_y) && fits(samples.visible) && fits(samples.z_order) &&
                       (samples.opacity.empty() || fits(samples.opacity));
  if (!all_fit) {
    return Problem{FindingId::invalid_structure,
                   {Section::animations, Field::none, number},
                   fmt::format("{} frames of {} bones need {} samples of each value", clip.frame_count, bones, count)};
  }
  if (!std::isfinite(clip.frames_per_second) || clip.frames_per_second < 0) {
    return Problem{FindingId::not_finite,
                   {Section::animations, Field::frames_per_second, number},
                   fmt::format("found {}; the rate is 0 or more", clip.frames_per_second)};
  }
  const std::pair<Field, const std::vector<float>*> values[] = {{Field::x, &samples.x},
                                                                {Field::y, &samples.y},
                                                                {Field::rotation, &samples.rotation_degrees},
                                                                {Field::scale_x, &samples.scale_x},
                                                                {Field::scale_y, &samples.scale_y},
                                                                {Field::opacity, &samples.opacity}};
  // The first in file order, so the smallest sample number over all values.
  Check first;
  std::uint64_t first_sample = count;
  for (const auto& [field, list] : values) {
    if (all_finite(*list)) continue;
    const auto bad = std::find_if(list->begin(), list->end(), [](float value) { return !std::isfinite(value); });
    const auto sample = static_cast<std::uint64_t>(bad - list->begin());
    if (sample >= first_sample) continue;
    first_sample = sample;
    first = Problem{FindingId::not_finite,
                    {Section::animations, field, number, static_cast<std::uint32_t>(sample / bones),
                     static_cast<std::uint32_t>(sample % bones)},
                    fmt::format("found {}", *bad)};
  }
  return first;
}

Check check_clips(const CharacterData& data) {
  for (std::uint32_t i = 0; i < data.clips.size(); ++i) {
    if (Check found = check_clip(data, i)) return found;
  }
  return {};
}

Check check(const CharacterData& data, std::vector<VertexSurvey>& surveys) {
  if (Check found = check_images(data)) return found;
  if (Check found = check_bones(data)) return found;
  if (Check found = check_meshes(data, surveys)) return found;
  return check_clips(data);
}

std::vector<Problem> remarks(const CharacterData& data, std::span<const VertexSurvey> surveys) {
  std::vector<Problem> found;
  if (data.frames_per_second == 0 && !data.clips.empty()) {
    found.push_back({FindingId::zero_frame_rate, {Section::file, Field::frames_per_second}, "found 0"});
  }
  for (std::uint32_t i = 0; i < data.clips.size(); ++i) {
    if (data.clips[i].frame_count == 0) {
      found.push_back({FindingId::clip_without_frames, {Section::animations, Field::none, i}, ""});
    }
  }
  for (std::uint32_t i = 0; i < data.meshes.size(); ++i) {
    if (!surveys[i].negative_weights) continue;
    const Mesh& mesh = data.meshes[i];
    const auto vertices = std::span(data.vertices).subspan(mesh.first_vertex, mesh.vertex_count);
    std::optional<Problem> first;
    std::uint64_t count = 0;
    for (std::uint32_t v = 0; v < vertices.size(); ++v) {
      for (std::uint32_t slot = 0; slot < 4; ++slot) {
        const float weight = vertices[v].weights[slot];
        if (!(weight < 0)) continue;
        if (count++ == 0) {
          first = Problem{FindingId::negative_weight,
                          {Section::meshes, Field::bone_weight, i, v, slot},
                          fmt::format("found {}; it is used as authored", weight)};
        }
      }
    }
    if (!first) continue;
    if (count > 1) first->detail += fmt::format(" ({} negative weights in this mesh)", count);
    found.push_back(*first);
  }
  return found;
}

bool is_bind_name(std::string_view name) {
  std::string lower(name);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char character) { return static_cast<char>(std::tolower(character)); });
  for (const std::string_view known : {"bind", "bind_pose", "bindpose", "rest", "rest_pose", "setup"}) {
    if (lower == known) return true;
  }
  return false;
}

BindPoseSource automatic_bind_pose(const CharacterData& data) {
  std::optional<std::uint32_t> first;
  for (std::uint32_t i = 0; i < data.clips.size(); ++i) {
    if (data.clips[i].frame_count == 0) continue;
    if (is_bind_name(data.clips[i].name)) return {i, 0};
    if (!first) first = i;
  }
  return {first, 0};
}

std::expected<BindPoseSource, Finding> find_bind_pose(const CharacterData& data, const BindPose& bind) {
  if (std::holds_alternative<IdentityBindPose>(bind)) return BindPoseSource{};
  if (std::holds_alternative<AutomaticBindPose>(bind)) return automatic_bind_pose(data);
  const auto& wanted = std::get<ClipBindPose>(bind);
  const auto clip = std::find_if(data.clips.begin(), data.clips.end(),
                                 [&](const Clip& candidate) { return candidate.name == wanted.clip; });
  if (clip == data.clips.end()) {
    return std::unexpected(
        Finding{FindingId::unknown_bind_clip, {}, {}, {}, fmt::format("there is no clip named \"{}\"", wanted.clip)});
  }
  if (wanted.frame >= clip->frame_count) {
    return std::unexpected(Finding{
        FindingId::unknown_bind_clip,
        {},
        {},
        {},
        fmt::format("clip \"{}\" has {} frames; there is no frame {}", wanted.clip, clip->frame_count, wanted.frame)});
  }
  return BindPoseSource{static_cast<std::uint32_t>(clip - data.clips.begin()), wanted.frame};
}

/// The inverse, or nothing where the transform collapses the plane. Columns that are parallel to within
/// rounding count as collapsed, since their inverse would be noise.
std::optional<Affine> inverse(const Affine& transform) {
  const double a = transform[0].x, b = transform[0].y, c = transform[1].x, d = transform[1].y;
  const double tx = transform[2].x, ty = transform[2].y;
  const double determinant = a * d - b * c;
  if (!(std::abs(determinant) > 1e-6 * std::hypot(a, b) * std::hypot(c, d))) return std::nullopt;
  const double scale = 1 / determinant;
  const Affine result{static_cast<float>(d * scale),
                      static_cast<float>(-b * scale),
                      static_cast<float>(-c * scale),
                      static_cast<float>(a * scale),
                      static_cast<float>((c * ty - d * tx) * scale),
                      static_cast<float>((b * tx - a * ty) * scale)};
  for (int column = 0; column < 3; ++column) {
    if (!std::isfinite(result[column].x) || !std::isfinite(result[column].y)) return std::nullopt;
  }
  return result;
}

PoseView bind_view(const Character::Contents& contents, std::uint32_t frame) {
  return contents.data.clips[*contents.bind_source.clip].samples.frame(frame, contents.data.bones.size());
}

void copy_pose(const PoseView& from, BoneSamples& to) {
  to.x.assign(from.x.begin(), from.x.end());
  to.y.assign(from.y.begin(), from.y.end());
  to.rotation_degrees.assign(from.rotation_degrees.begin(), from.rotation_degrees.end());
  to.scale_x.assign(from.scale_x.begin(), from.scale_x.end());
  to.scale_y.assign(from.scale_y.begin(), from.scale_y.end());
  if (!from.opacity.empty()) to.opacity.assign(from.opacity.begin(), from.opacity.end());
  to.visible.assign(from.visible.begin(), from.visible.end());
  to.z_order.assign(from.z_order.begin(), from.z_order.end());
}

/// Inverts the bind pose. A bone that cannot be inverted there takes the first frame of the bind clip in
/// which it can, else the identity; each is remarked upon.
void derive_bind_pose(Character::Contents& contents, const Locate& locate) {
  const std::size_t bone_count = contents.data.bones.size();
  contents.bind_pose.resize(bone_count);
  contents.inverse_bind.assign(bone_count, kIdentity);
  if (!contents.bind_source.clip) return;

  copy_pose(bind_view(contents, contents.bind_source.frame), contents.bind_pose);
  std::vector<Affine> world(bone_count);
  compose(contents.data.bones, contents.bind_pose.frame(0, bone_count), world);
  std::vector<std::uint32_t> collapsed;
  for (std::uint32_t bone = 0; bone < bone_count; ++bone) {
    if (const auto inverted = inverse(world[bone])) {
      contents.inverse_bind[bone] = *inverted;
    } else {
      collapsed.push_back(bone);
    }
  }
  std::vector<std::optional<std::uint32_t>> used_frame(bone_count);
  std::vector<std::uint32_t> open = collapsed;
  const std::uint32_t frame_count = contents.data.clips[*contents.bind_source.clip].frame_count;
  for (std::uint32_t frame = 0; frame < frame_count && !open.empty(); ++frame) {
    compose(contents.data.bones, bind_view(contents, frame), world);
    std::erase_if(open, [&](std::uint32_t bone) {
      const auto inverted = inverse(world[bone]);
      if (inverted) {
        contents.inverse_bind[bone] = *inverted;
        used_frame[bone] = frame;
      }
      return inverted.has_value();
    });
  }
  constexpr std::size_t kMostRemarks = 16;
  for (std::size_t i = 0; i < std::min(collapsed.size(), kMostRemarks); ++i) {
    const std::uint32_t bone = collapsed[i];
    std::string detail = used_frame[bone] ? fmt::format("frame {} of the bind clip is used for it", *used_frame[bone])
                                          : std::string("the identity is used for it");
    if (i + 1 == kMostRemarks && collapsed.size() > kMostRemarks) {
      detail += fmt::format(" ({} more bones likewise)", collapsed.size() - kMostRemarks);
    }
    contents.warnings.push_back(finding_at(FindingId::bind_not_invertible, contents.data,
                                           {Section::bones, Field::none, bone}, locate, std::move(detail)));
  }
}

}  // namespace

std::expected<Character, Finding> CharacterBuilder::build(CharacterData data, const BindPose& bind,
                                                          const Locate& locate, std::vector<Finding> warnings) {
  std::vector<VertexSurvey> surveys;
  if (const Check problem = check(data, surveys)) {
    return std::unexpected(finding_at(problem->id, data, problem->location, locate, problem->detail));
  }
  const auto source = find_bind_pose(data, bind);
  if (!source) return std::unexpected(source.error());

  auto contents = std::make_shared<Character::Contents>();
  contents->warnings = std::move(warnings);
  for (const Problem& remark : remarks(data, surveys)) {
    contents->warnings.push_back(finding_at(remark.id, data, remark.location, locate, remark.detail));
  }
  for (const VertexSurvey& survey : surveys) contents->governing_bones.push_back(survey.governing_bone);
  contents->bind_source = *source;
  contents->data = std::move(data);
  derive_bind_pose(*contents, locate);
  return Character(std::move(contents));
}

}  // namespace pchr
