// SPDX-License-Identifier: MIT
// Checks of all indices and numbers of a character.
#include "character/check.hpp"

#include "character/format.hpp"
#include "character/path.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

namespace pchr {
namespace {

// Bytes to prefetch ahead. The hardware also prefetches, but not far enough ahead for this scan.
constexpr std::size_t kAhead = 1024;

Diagnostic problem(DiagnosticId id, std::string path, std::string detail) {
  return {id, std::move(path), {}, {}, std::move(detail)};
}

Diagnostic not_finite(std::string path, float value) {
  return problem(DiagnosticId::not_finite, std::move(path), format_text("is {}, but must be a finite number", value));
}

Diagnostic invalid(std::string detail) { return problem(DiagnosticId::invalid_structure, {}, std::move(detail)); }

Check check_vertex(std::size_t bone_count, std::uint32_t mesh, std::uint32_t number, const Vertex& vertex) {
  const auto path = [&](std::string_view field, auto... slot) {
    return path_of("meshes", mesh, "vertices", number, field, slot...);
  };
  const std::pair<std::string_view, float> coordinates[] = {
      {"x", vertex.x}, {"y", vertex.y}, {"u", vertex.u}, {"v", vertex.v}};
  for (const auto& [field, value] : coordinates) {
    if (!std::isfinite(value)) return not_finite(path(field), value);
  }
  for (std::uint32_t slot = 0; slot < 4; ++slot) {
    if (Check found = check_influence(vertex.bones[slot], vertex.weights[slot], bone_count, mesh, number, slot)) {
      return found;
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

void MeshScanner::add_weights(const std::uint16_t* bones, const double* weights) {
  for (int slot = 0; slot < 4; ++slot) {
    if (weights[slot] == 0 || bones[slot] >= sum_of_bone_.size()) continue;
    sum_of_bone_[bones[slot]] += weights[slot];
    used_bones_.push_back(bones[slot]);
  }
}

/// Returns the bone with the largest sum, the lowest index if several are equal.
BoneId MeshScanner::take_governing_bone() {
  std::uint32_t best = 0;
  for (const std::uint32_t bone : used_bones_) {
    if (sum_of_bone_[bone] > sum_of_bone_[best] || (sum_of_bone_[bone] == sum_of_bone_[best] && bone < best)) {
      best = bone;
    }
  }
  // If no sum is positive, a bone without weights (sum 0) wins over one with a negative sum.
  if (!sum_of_bone_.empty() && sum_of_bone_[best] <= 0) {
    const auto first = std::ranges::find(sum_of_bone_, 0.0);
    if (first != sum_of_bone_.end()) best = static_cast<std::uint32_t>(first - sum_of_bone_.begin());
  }
  for (const std::uint32_t bone : used_bones_) sum_of_bone_[bone] = 0;
  used_bones_.clear();
  return BoneId{best};
}

/// Scans without branches that depend on the data of a vertex.
template <bool kCopies>
void MeshScanner::scan_vertices(std::span<const std::byte> bytes, Vertex* copy, MeshScan& result) {
  FiniteCheck finite;
  bool has_missing_bone = false;
  std::uint32_t signs = 0;
  // Neighboring vertices mostly share their bones, so the sums stay in registers until the bones change.
  std::uint64_t bones = 0;
  Uint4 weight_bits{};
  Double2 low_sums{}, high_sums{};
  const auto end_run = [&] {
    std::uint16_t ids[4];
    std::memcpy(ids, &bones, sizeof(ids));
    const double sums[4] = {low_sums[0], low_sums[1], high_sums[0], high_sums[1]};
    for (int slot = 0; slot < 4; ++slot) {
      const bool used = (weight_bits[slot] & 0x7FFFFFFF) != 0;
      const bool is_missing = ids[slot] >= sum_of_bone_.size();
      has_missing_bone = has_missing_bone || (used && is_missing);
      result.all_slots_have_bones = result.all_slots_have_bones && !is_missing;
      signs |= weight_bits[slot];
    }
    add_weights(ids, sums);
  };
  const std::byte* const end = bytes.data() + bytes.size();
  for (const std::byte* vertex = bytes.data(); vertex != end; vertex += sizeof(Vertex)) {
    const std::size_t ahead = std::min<std::size_t>(kAhead, end - vertex);
    prefetch(vertex + ahead);
    if constexpr (kCopies) prefetch_to_write(reinterpret_cast<std::byte*>(copy) + ahead);
    const auto coordinates = load_as<Uint4>(vertex);
    const auto ids = load_as<std::uint64_t>(vertex + offsetof(Vertex, bones));
    const auto weights = load_as<Uint4>(vertex + offsetof(Vertex, weights));
    if constexpr (kCopies) std::memcpy(copy++, vertex, sizeof(Vertex));
    finite.add(coordinates);
    finite.add(weights);
    if (ids != bones) {
      end_run();
      bones = ids;
      weight_bits = Uint4{};
      low_sums = high_sums = Double2{};
    }
    weight_bits |= weights;
    low_sums += low_doubles(bits_as<Float4>(weights));
    high_sums += high_doubles(bits_as<Float4>(weights));
  }
  end_run();
  result.sound = finite.all_finite() && !has_missing_bone;
  // Negative zero sets the sign bit, too.
  result.negative_weights = (signs >> 31) != 0;
  result.governing_bone = take_governing_bone();
}

MeshScan MeshScanner::scan(std::span<const std::byte> vertices, std::span<const std::uint16_t> indices, Vertex* copy) {
  MeshScan result;
  if (copy == nullptr) {
    scan_vertices<false>(vertices, copy, result);
  } else {
    scan_vertices<true>(vertices, copy, result);
  }
  for (const std::uint16_t index : indices) result.largest_index = std::max(result.largest_index, index);
  return result;
}

Check check_image(const Image& image, std::uint32_t number) {
  if (image.width == 0 || image.height == 0) {
    return problem(DiagnosticId::image_size_zero, path_of("images", number, image.width == 0 ? "width" : "height"),
                   "is 0, but must be at least 1");
  }
  const std::uint64_t expected = std::uint64_t{image.width} * image.height * 4;
  if (image.encoding == ImageEncoding::rgba8888 && image.bytes.size() != expected) {
    return problem(DiagnosticId::image_data_size, path_of("images", number, "data"),
                   format_text("has {} bytes, but {} x {} pixels of 4 bytes need {}", image.bytes.size(), image.width,
                               image.height, expected));
  }
  return {};
}

Check check_bone(const Bone& bone, std::uint32_t number) {
  if (bone.parent == BoneId::none || index(bone.parent) < number) return {};
  const std::string allowed = number == 0   ? "-1 (a root)"
                              : number == 1 ? "-1 (a root) or 0"
                                            : format_text("-1 (a root) or 0 to {}", number - 1);
  return problem(DiagnosticId::invalid_parent, path_of("bones", number, "parent"),
                 format_text("is {}, but must be {}", static_cast<std::int32_t>(bone.parent), allowed));
}

Check check_influence(std::uint32_t bone, float weight, std::size_t bone_count, std::uint32_t mesh,
                      std::uint32_t vertex, std::uint32_t slot) {
  const auto path = [&](std::string_view field) { return path_of("meshes", mesh, "vertices", vertex, field, slot); };
  if (!std::isfinite(weight)) {
    return not_finite(path("boneWeights"), weight);
  }
  if (weight == 0 || bone < bone_count) return {};
  return problem(DiagnosticId::bone_out_of_range, path("boneIds"),
                 format_text("is {}, but the file has {}", bone, counted(bone_count, "bone")));
}

Check check_mesh(const Mesh& mesh, std::uint32_t number, std::size_t image_count, std::size_t bone_count,
                 std::span<const Vertex> vertices, std::span<const std::uint16_t> indices, const MeshScan& scan) {
  // Without images, 0 is the placeholder that Character::images() returns.
  if (index(mesh.image) >= std::max<std::size_t>(image_count, 1)) {
    return problem(DiagnosticId::image_out_of_range, path_of("meshes", number, "image"),
                   format_text("is {}, but the file has {}", index(mesh.image), counted(image_count, "image")));
  }
  if (mesh.index_count % 3 != 0) {
    return problem(DiagnosticId::incomplete_triangle, path_of("meshes", number, "indexCount"),
                   format_text("is {}, but must be a multiple of 3", mesh.index_count));
  }
  for (std::uint32_t i = 0; !scan.sound && i < vertices.size(); ++i) {
    if (Check found = check_vertex(bone_count, number, i, vertices[i])) return found;
  }
  if (indices.empty() || scan.largest_index < mesh.vertex_count) return {};
  const auto bad = std::ranges::find_if(indices, [&](std::uint16_t index) { return index >= mesh.vertex_count; });
  return problem(DiagnosticId::vertex_out_of_range, path_of("meshes", number, "indices", bad - indices.begin()),
                 format_text("is {}, but the mesh has {}", *bad, counted(mesh.vertex_count, "vertex", "vertices")));
}

Check check_vertices_3d(const CharacterData& data) {
  if (data.vertices_3d.size() != (data.is_3d ? data.vertices.size() : 0)) {
    return invalid(format_text("the {} character has {} vertices and {} 3D vertices", data.is_3d ? "3D" : "2D",
                               data.vertices.size(), data.vertices_3d.size()));
  }
  const auto bad = std::ranges::find_if_not(data.vertices_3d, [](const Vertex3D& vertex) {
    return std::isfinite(vertex.z) && std::isfinite(vertex.normal.x + vertex.normal.y + vertex.normal.z);
  });
  if (bad == data.vertices_3d.end()) return {};
  return problem(DiagnosticId::not_finite, {},
                 format_text("z or the normal of vertex {} is not finite", bad - data.vertices_3d.begin()));
}

namespace {

bool have_size(const BoneSamples& samples, std::uint64_t count, bool is_3d) {
  const auto fits = [&](const auto& values) { return values.size() == count; };
  return fits(samples.x) && fits(samples.y) && fits(samples.rotation_degrees) && fits(samples.scale_x) &&
         fits(samples.scale_y) && fits(samples.visible) && fits(samples.z_order) &&
         (samples.opacity.empty() || fits(samples.opacity)) &&
         (is_3d ? fits(samples.samples_3d) : samples.samples_3d.empty());
}

bool is_finite(const BoneSample3D& sample) {
  const Quat& rotation = sample.rotation;
  return std::isfinite(rotation.x + rotation.y + rotation.z + rotation.w) && std::isfinite(sample.z) &&
         std::isfinite(sample.scale_z);
}

}  // namespace

Check check_clip(const Clip& clip, std::uint32_t number, std::size_t bone_count, bool is_3d) {
  const auto wrong = [&](std::string detail) {
    return problem(DiagnosticId::invalid_structure, path_of("animations", number), std::move(detail));
  };
  const std::uint64_t count = std::uint64_t{clip.frame_count} * bone_count;
  if (!have_size(clip.samples, count, is_3d)) {
    return wrong(
        format_text("needs {} samples of each value for {} frames of {} bones", count, clip.frame_count, bone_count));
  }
  if (!std::isfinite(clip.frames_per_second) || clip.frames_per_second < 0) {
    return problem(DiagnosticId::not_finite, path_of("animations", number, "fps"),
                   format_text("is {}, but must be a finite number of at least 0", clip.frames_per_second));
  }
  if (clip.loop_start > 0 && clip.loop_start >= clip.frame_count) {
    return wrong(
        format_text("starts its loop at frame {}, but has {}", clip.loop_start, counted(clip.frame_count, "frame")));
  }
  if (clip.frame_ends.empty()) return {};
  if (clip.frame_ends.size() != clip.frame_count) {
    return wrong(format_text("has {} frame_ends, but {}", clip.frame_ends.size(), counted(clip.frame_count, "frame")));
  }
  double before = 0;
  for (const double end : clip.frame_ends) {
    if (!std::isfinite(end) || !(end > before)) {
      return wrong(format_text("has frame_ends that do not increase: {} follows {}", end, before));
    }
    before = end;
  }
  return {};
}

Check check_bind_pose(const CharacterData& data) {
  if (data.bind_pose.x.empty()) return {};
  if (!have_size(data.bind_pose, data.bones.size(), data.is_3d)) {
    return invalid(format_text("the bind pose needs one sample for each of {} bones", data.bones.size()));
  }
  Clip clip;
  clip.frame_count = 1;
  clip.samples = data.bind_pose;
  return check_samples(clip, 0, data.bones.size());
}

Check check_samples(const Clip& clip, std::uint32_t number, std::size_t bone_count) {
  const BoneSamples& samples = clip.samples;
  const auto path = [&](std::uint64_t sample, auto... field) {
    return path_of("animations", number, "frames", sample / bone_count, sample % bone_count, field...);
  };
  const std::pair<std::string_view, const SampleArray<float>*> values[] = {{"x", &samples.x},
                                                                           {"y", &samples.y},
                                                                           {"rotation", &samples.rotation_degrees},
                                                                           {"scaleX", &samples.scale_x},
                                                                           {"scaleY", &samples.scale_y},
                                                                           {"opacity", &samples.opacity}};
  // The smallest sample index is the first in file order.
  Check first;
  std::uint64_t first_sample = samples.x.size();
  for (const auto& [field, list] : values) {
    if (all_finite(*list)) continue;
    const auto bad = std::ranges::find_if_not(*list, [](float value) { return std::isfinite(value); });
    const auto sample = static_cast<std::uint64_t>(bad - list->begin());
    if (sample >= first_sample) continue;
    first_sample = sample;
    first = not_finite(path(sample, field), *bad);
  }
  if (first) return first;
  const auto bad = std::ranges::find_if_not(samples.samples_3d, is_finite);
  if (bad == samples.samples_3d.end()) return {};
  return problem(DiagnosticId::not_finite, path(static_cast<std::uint64_t>(bad - samples.samples_3d.begin())),
                 "has a z, a z scale or a rotation that is not finite");
}

}  // namespace pchr
