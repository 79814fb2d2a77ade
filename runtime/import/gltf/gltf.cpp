// SPDX-License-Identifier: MIT
// Reads scenes of glTF 2.0. The nodes become bones, and each primitive of a mesh becomes a mesh.
#include "character/build.hpp"
#include "character/fail.hpp"
#include "character/format.hpp"
#include "image/image.hpp"
#include "import/diagnose.hpp"
#include "import/files.hpp"
#include "import/fit/fit.hpp"
#include "import/formats.hpp"
#include "import/gltf/document.hpp"
#include "import/images/image_file.hpp"
#include "platform/file_path.hpp"

#include <pchr/3d.hpp>

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/mat3x3.hpp>
#include <glm/mat4x4.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <functional>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace pchr::gltf {
namespace {

using DVec3 = glm::dvec3;
using DQuat = glm::dquat;
using Matrix = glm::dmat4;

constexpr std::size_t kMaxBones = 65535, kMaxVertices = 65535;
constexpr std::uint32_t kJsonChunk = 0x4E4F534A, kBinaryChunk = 0x004E4942;
/// Key times are stored as floats, so they can miss the frame that they stand for.
constexpr double kTimeTolerance = 1e-4;
/// Distance, as a part of a mesh's size, below which two transforms count as equal.
constexpr double kRelativeTolerance = 1e-4;

/// A local transform: translation * rotation * scale.
struct Transform {
  DVec3 translation{0.0};
  DQuat rotation{1, 0, 0, 0};
  DVec3 scale{1.0};
};

Matrix matrix_of(const Transform& transform) noexcept {
  Matrix result = glm::mat4_cast(transform.rotation);
  for (int axis = 0; axis < 3; ++axis) result[axis] *= transform.scale[axis];
  result[3] = glm::dvec4(transform.translation, 1);
  return result;
}

DVec3 apply(const Matrix& matrix, DVec3 point) noexcept { return DVec3(matrix * glm::dvec4(point, 1)); }

/// Returns the transform without shear that is close to `matrix`.
Transform decompose(const Matrix& matrix) noexcept {
  Transform result;
  result.translation = DVec3(matrix[3]);
  DVec3 axes[3] = {DVec3(matrix[0]), DVec3(matrix[1]), DVec3(matrix[2])};
  for (int axis = 0; axis < 3; ++axis) result.scale[axis] = glm::length(axes[axis]);
  if (glm::determinant(glm::dmat3(matrix)) < 0) result.scale.x = -result.scale.x;
  // The two longest axes decide, because a very short one has no direction.
  for (int axis = 0; axis < 3; ++axis) {
    if (result.scale[axis] != 0) axes[axis] /= result.scale[axis];
  }
  const DVec3 size = glm::abs(result.scale);
  const int least = size.x < size.y && size.x < size.z ? 0 : size.y < size.z ? 1 : 2;
  DVec3& first = axes[(least + 1) % 3];
  DVec3& second = axes[(least + 2) % 3];
  if (glm::length(first) < 0.5) first = DVec3(1, 0, 0);
  first = glm::normalize(first);
  second -= first * glm::dot(first, second);
  if (glm::length(second) < 1e-9) {
    const DVec3 other = std::abs(first.x) < 0.9 ? DVec3(1, 0, 0) : DVec3(0, 1, 0);
    second = other - first * glm::dot(first, other);
  }
  second = glm::normalize(second);
  axes[least] = glm::cross(first, second);
  result.rotation = glm::normalize(glm::quat_cast(glm::dmat3(axes[0], axes[1], axes[2])));
  return result;
}

/// Returns whether a transform can be inverted in single precision.
bool is_invertible(const Matrix& matrix) noexcept {
  double product = 1;
  for (int axis = 0; axis < 3; ++axis) product *= glm::length(DVec3(matrix[axis]));
  const double determinant = std::abs(glm::determinant(glm::dmat3(matrix)));
  return std::isfinite(determinant) && determinant > 1e-30 && determinant > 1e-6 * product;
}

/// A rotation of single precision, unchanged if it is one already.
DQuat normalized(const std::array<double, 4>& xyzw) noexcept {
  const DQuat rotation(xyzw[3], xyzw[0], xyzw[1], xyzw[2]);
  const double length = glm::dot(rotation, rotation);
  if (std::abs(length - 1) < 1e-6) return rotation;
  return length > 1e-30 ? rotation / std::sqrt(length) : DQuat(1, 0, 0, 0);
}

struct Node {
  const JsonNode* json = nullptr;
  std::string name;
  std::uint32_t parent = kNone, mesh = kNone, skin = kNone;
  std::vector<std::uint32_t> children;
  Transform rest;
  bool is_visible = true;
  bool is_joint = false, is_animated = false;
  /// A joint of a single mesh in files of this library, which carries its depth and hides it.
  bool is_part = false;
  std::vector<double> weights;  ///< Of morph targets.
  std::uint32_t bone = kNone;
};

struct Skin {
  std::vector<std::uint32_t> joints;  ///< Nodes.
  std::vector<Matrix> inverse_bind;   ///< One per joint.
  std::vector<std::uint32_t> bones;   ///< Bone of each joint.
  Matrix place{1.0};                  ///< From the space of its meshes to the bind pose of the character.
};

enum class Interpolation : std::uint8_t { linear, step, cubic };

/// Keys of one value.
struct Track {
  Interpolation interpolation = Interpolation::linear;
  std::uint32_t width = 0;     ///< Numbers per value.
  std::vector<float> seconds;  ///< Ascending.
  std::vector<float> values;   ///< Per key one value, or for a cubic curve: tangent, value, tangent.
};

enum class Path : std::uint8_t { translation, rotation, scale, weights, visible, color };

struct Channel {
  Path path = Path::translation;
  std::uint32_t target = 0;  ///< Node, or material of a color.
  Track track;
};

struct Animation {
  std::string name, group;
  std::vector<Channel> channels;
  double rate = 0;
  std::uint32_t frames = 0, loop_start = 0;
  bool looping = true;
  std::vector<double> ends;  ///< End of each frame, if they are uneven.
  bool is_stored = false;    ///< This library wrote the frames, each with a key.

  [[nodiscard]] double begin(std::uint32_t frame) const noexcept {
    return frame == 0 ? 0 : !ends.empty() ? ends[frame - 1] : rate > 0 ? frame / rate : frame;
  }
};

/// Copies the value of a key.
void copy_key(const Track& track, std::size_t key, double* out) {
  const bool is_cubic = track.interpolation == Interpolation::cubic;
  const std::size_t stride = is_cubic ? 3 * track.width : track.width, center = is_cubic ? track.width : 0;
  for (std::size_t i = 0; i < track.width; ++i) out[i] = static_cast<double>(track.values[key * stride + center + i]);
}

/// Returns the value at a time, of `width` numbers. Rotations are interpolated along the shortest arc.
void sample(const Track& track, double seconds, bool is_rotation, double* out) {
  const std::size_t width = track.width, stride = track.interpolation == Interpolation::cubic ? 3 * width : width;
  const std::size_t center = track.interpolation == Interpolation::cubic ? width : 0;
  const auto value = [&](std::size_t key, std::size_t at) {
    return static_cast<double>(track.values[key * stride + at]);
  };
  const auto after = std::ranges::upper_bound(track.seconds, seconds + kTimeTolerance, {},
                                              [](float key) { return static_cast<double>(key); });
  const std::size_t next = static_cast<std::size_t>(after - track.seconds.begin());
  const std::size_t key = next == 0 ? 0 : next - 1;
  const double start = static_cast<double>(track.seconds[key]);
  const bool is_key = next == 0 || next == track.seconds.size() || seconds <= start + kTimeTolerance;
  if (is_key || track.interpolation == Interpolation::step) return copy_key(track, key, out);
  const double length = static_cast<double>(track.seconds[next]) - start, part = (seconds - start) / length;
  if (track.interpolation == Interpolation::cubic) {
    const double square = part * part, cube = square * part;
    for (std::size_t i = 0; i < width; ++i) {
      out[i] = (2 * cube - 3 * square + 1) * value(key, center + i) +
               length * (cube - 2 * square + part) * value(key, 2 * width + i) +
               (3 * square - 2 * cube) * value(next, center + i) + length * (cube - square) * value(next, i);
    }
    return;
  }
  if (is_rotation) {
    const DQuat from = normalized({value(key, 0), value(key, 1), value(key, 2), value(key, 3)});
    const DQuat to = normalized({value(next, 0), value(next, 1), value(next, 2), value(next, 3)});
    const DQuat between = glm::slerp(from, to, part);
    out[0] = between.x, out[1] = between.y, out[2] = between.z, out[3] = between.w;
    return;
  }
  for (std::size_t i = 0; i < width; ++i) out[i] = value(key, i) + (value(next, i) - value(key, i)) * part;
}

/// Local transform of a bone in one frame, as the character stores it.
struct Sample {
  Vec3 translation{0.0F};
  Quat rotation{};
  Vec3 scale{1.0F};
};

Sample sample_of(const Transform& transform) noexcept {
  const DQuat& rotation = transform.rotation;
  return {Vec3(transform.translation),
          {static_cast<float>(rotation.x), static_cast<float>(rotation.y), static_cast<float>(rotation.z),
           static_cast<float>(rotation.w)},
          Vec3(transform.scale)};
}

Matrix matrix_of(const Sample& sample) noexcept {
  const Quat& q = sample.rotation;
  return matrix_of({DVec3(sample.translation),
                    normalized({static_cast<double>(q.x), static_cast<double>(q.y), static_cast<double>(q.z),
                                static_cast<double>(q.w)}),
                    DVec3(sample.scale)});
}

/// A bone of the character.
struct Bone {
  std::string name;
  std::uint32_t parent = kNone;  ///< Always an earlier bone.
  Matrix bind{1.0};              ///< World transform in the bind pose.
  Sample bind_local;
  bool has_own_bind = false;    ///< The bind pose is not that of the nodes.
  bool is_bound = false;        ///< A skin relies on `bind`.
  std::vector<Sample> samples;  ///< In all frames of all clips.
  /// Like the next two: per frame, then in the bind pose. Empty for the default.
  std::vector<std::uint8_t> visible;
  std::vector<std::int32_t> z_order;
  std::vector<float> opacity;
};

/// What a material asks for, as far as it is drawn.
struct Material {
  std::string name;
  std::uint32_t texture = kNone, uv_set = 0;
  double offset_x = 0, offset_y = 0, rotation = 0, scale_x = 1, scale_y = 1;  ///< Of texture coordinates.
  std::array<double, 4> color{1, 1, 1, 1};                                    ///< Linear.
  enum class Alpha : std::uint8_t { opaque, mask, blend } alpha = Alpha::opaque;
  double cutoff = 0.5;
  bool is_fading = false;  ///< Its opacity is animated.
};

struct Influence {
  std::uint32_t joint = 0;
  float weight = 0;
};

/// A primitive of a mesh on a node.
struct Part {
  const JsonNode* json = nullptr;
  std::string name;
  std::uint32_t node = 0, skin = kNone, material = kNone;
  ImageId image{};
  std::vector<Vec3> positions, normals;
  std::vector<Vec2> uvs;
  std::vector<std::uint32_t> indices;
  std::size_t sets = 0;                    ///< Influences per vertex; 0 for a part that follows its node.
  std::vector<Influence> influences;       ///< Of joints of the skin, later of bones.
  std::vector<std::vector<Vec3>> targets;  ///< Offsets of the vertices for each morph target.
  std::uint32_t part_node = kNone;         ///< Joint that carries its depth; see Node::is_part.
  /// Its skin, and the accessors of its positions, joints, weights and morph targets.
  std::vector<std::uint32_t> shape;
};

double encode_srgb(double linear) noexcept {
  return linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
}
double decode_srgb(double value) noexcept {
  return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}
std::uint8_t byte_of(double value) noexcept {
  return static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0, 1.0) * 255));
}

class Reader : Document {
 public:
  Reader(const JsonTree& tree, std::optional<std::span<const std::byte>> binary, std::uint64_t file_bytes,
         const ReaderOptions& options, Warnings& warnings)
      : Document(tree, binary, file_bytes, options, warnings),
        pixels_left_(options.limits.max_image_pixels),
        max_name_bytes_(std::max(options.limits.max_bone_samples / 16, 8 * file_bytes)),
        name_bytes_left_(max_name_bytes_) {}

  /// Fills `data`.
  std::optional<Diagnostic> read() {
    // Each step relies on what the earlier ones have checked.
    constexpr void (Reader::* kSteps[])() = {
        &Reader::read_document,  &Reader::read_nodes,       &Reader::read_skins, &Reader::read_animations,
        &Reader::choose_bones,   &Reader::read_materials,   &Reader::read_parts, &Reader::bind_skins,
        &Reader::sample_clips,   &Reader::limit_influences, &Reader::fit_morphs, &Reader::govern_parts,
        &Reader::make_character,
    };
    for (const auto step : kSteps) {
      (this->*step)();
      if (error_) return error_;
    }
    return std::nullopt;
  }

  CharacterData data;

 private:
  void read_nodes() {
    is_own_flat_ = find_field(stored_, "depthStep") != nullptr;
    nodes_.resize(nodes_json_.size());
    for (std::uint32_t number = 0; number < nodes_.size() && !error_; ++number) {
      const JsonNode& json = *nodes_json_[number];
      Node& node = nodes_[number];
      node.json = &json;
      node.name = text(&json, "name");
      if (node.name.empty() && stored_ == nullptr) node.name = fmt::format("node {}", number);
      node.mesh = reference(&json, "mesh", meshes_.size(), "mesh");
      node.skin = reference(&json, "skin", skins_json_.size(), "skin");
      if (const auto matrix = numbers(&json, "matrix", 16)) {
        Matrix stored;
        for (int i = 0; i < 16; ++i) stored[i / 4][i % 4] = (*matrix)[static_cast<std::size_t>(i)];
        node.rest = decompose(stored);
        double error = 0;
        const Matrix found = matrix_of(node.rest);
        for (int i = 0; i < 3; ++i) error = std::max(error, glm::length(DVec3(stored[i]) - DVec3(found[i])));
        const double size =
            std::max({std::abs(node.rest.scale.x), std::abs(node.rest.scale.y), std::abs(node.rest.scale.z)});
        if (error > 1e-3 * size) {
          warn_at(DiagnosticId::gltf_shear_ignored, json,
                  "has a matrix with shear; points at a distance of 1 move by {:.3g}", error);
        }
      }
      if (const auto values = numbers(&json, "translation", 3)) {
        node.rest.translation = {(*values)[0], (*values)[1], (*values)[2]};
      }
      if (const auto values = numbers(&json, "rotation", 4)) {
        node.rest.rotation = normalized({(*values)[0], (*values)[1], (*values)[2], (*values)[3]});
      }
      if (const auto values = numbers(&json, "scale", 3)) node.rest.scale = {(*values)[0], (*values)[1], (*values)[2]};
      const JsonNode* const visible = field(extension(&json, "KHR_node_visibility"), "visible", Type::boolean);
      node.is_visible = visible == nullptr || visible->number != 0;
      node.is_part = find_field(find_field(find_field(&json, "extras"), "pchr"), "part") != nullptr && is_own_flat_;
      for (const JsonNode* const weight : list(&json, "weights", Type::number))
        node.weights.push_back(value_of(*weight));
      for (const JsonNode* const child : list(&json, "children", Type::number)) {
        const std::uint32_t index = index_of(*child, nodes_.size(), "node");
        if (error_) return;
        if (nodes_[index].parent != kNone || index == number) {
          return fail(DiagnosticId::gltf_node_shared, *child,
                      fmt::format("is {}, but that node is {}", index,
                                  index == number ? "the node itself"
                                                  : fmt::format("a child of node {} already", nodes_[index].parent)));
        }
        nodes_[index].parent = number;
        node.children.push_back(index);
      }
    }
    if (error_) return;
    const std::uint32_t chosen = reference(&tree_.root(), "scene", scenes_.size(), "scene");
    if (error_) return;
    std::vector<std::uint32_t> roots;
    if (scenes_.empty()) {
      for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
        if (nodes_[i].parent == kNone) roots.push_back(i);
      }
      is_in_scene_ = below(roots);
      return;
    }
    const std::uint32_t scene = chosen == kNone ? 0 : chosen;
    const std::vector<const JsonNode*> listed = list(scenes_[scene], "nodes", Type::number);
    for (const JsonNode* const node : listed) roots.push_back(index_of(*node, nodes_.size(), "node"));
    if (error_) return;
    if (scenes_.size() > 1) {
      warn_at(DiagnosticId::gltf_part_ignored, *scenes_[scene == 0 ? 1 : 0],
              "is one of {} scenes, of which only scene {} is opened", scenes_.size(), scene);
    }
    is_in_scene_ = below(roots);
    // Some exporters also list nodes below the roots.
    std::vector<std::uint32_t> tops;
    for (const std::uint32_t root : roots) {
      std::uint32_t& parent = nodes_[root].parent;
      if (parent != kNone && !is_in_scene_[parent]) parent = kNone;
      if (parent == kNone) tops.push_back(root);
    }
    const std::vector<bool> is_reached = below(tops);
    const JsonNode* first = nullptr;
    for (std::size_t i = 0; i < roots.size(); ++i) {
      if (!is_reached[roots[i]]) {
        return fail(DiagnosticId::gltf_node_shared, *listed[i],
                    fmt::format("is {}, but the nodes above that node form a loop", roots[i]));
      }
      if (first == nullptr && nodes_[roots[i]].parent != kNone) first = listed[i];
    }
    if (first == nullptr) return;
    const std::uint32_t child = index_of(*first, nodes_.size(), "node");
    const std::size_t others = roots.size() - tops.size() - 1;
    warn_at(DiagnosticId::gltf_root_is_child, *first,
            "is {}, but that node is a child of node {}, where it is shown once{}", child, nodes_[child].parent,
            others == 0 ? "" : fmt::format("; the same goes for {} of the list", counted(others, "other node")));
  }

  /// Returns for each node whether it is one of `roots` or below one.
  [[nodiscard]] std::vector<bool> below(std::vector<std::uint32_t> roots) const {
    std::vector<bool> result(nodes_.size());
    std::vector<std::uint32_t>& open = roots;
    while (!open.empty()) {
      const std::uint32_t node = open.back();
      open.pop_back();
      if (result[node]) continue;
      result[node] = true;
      open.insert(open.end(), nodes_[node].children.begin(), nodes_[node].children.end());
    }
    return result;
  }

  void read_skins() {
    std::vector<bool> is_used(skins_json_.size());
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
      if (is_in_scene_[i] && nodes_[i].mesh != kNone && nodes_[i].skin != kNone) is_used[nodes_[i].skin] = true;
    }
    // Files of this library list all bones.
    const bool uses_all = meshes_.empty() || stored_ != nullptr;
    for (std::uint32_t number = 0; number < skins_json_.size() && !error_; ++number) {
      Skin& skin = skins_.emplace_back();
      if (!is_used[number] && !uses_all) continue;
      const JsonNode& json = *skins_json_[number];
      for (const JsonNode* const joint : list(&json, "joints", Type::number)) {
        skin.joints.push_back(index_of(*joint, nodes_.size(), "node"));
        if (error_) return;
        if (!is_in_scene_[skin.joints.back()]) {
          return fail(DiagnosticId::value_out_of_range, *joint,
                      fmt::format("is {}, but that node is not in the scene", skin.joints.back()));
        }
        nodes_[skin.joints.back()].is_joint = true;
      }
      if (skin.joints.empty()) return fail(DiagnosticId::missing_value, json, "has no joints");
      const std::uint32_t accessor = reference(&json, "inverseBindMatrices", accessors_.size(), "accessor");
      const std::vector<float> values = floats(accessor, 16);
      if (error_) return;
      if (accessor != kNone && values.size() / 16 < skin.joints.size()) {
        return fail(DiagnosticId::gltf_data_missing, json,
                    fmt::format("has {} inverse bind matrices, but {}", values.size() / 16,
                                counted(skin.joints.size(), "joint")));
      }
      skin.inverse_bind.resize(skin.joints.size(), Matrix(1.0));
      for (std::size_t i = 0; i < skin.joints.size() && accessor != kNone; ++i) {
        for (int k = 0; k < 16; ++k)
          skin.inverse_bind[i][k / 4][k % 4] = static_cast<double>(values[i * 16 + static_cast<std::size_t>(k)]);
      }
    }
  }

  /// Returns the node or material and the property that a pointer names.
  std::optional<std::pair<Path, std::uint32_t>> target_of(std::string_view pointer) const {
    const bool is_node = pointer.starts_with("/nodes/");
    if (!is_node && !pointer.starts_with("/materials/")) return std::nullopt;
    pointer.remove_prefix(is_node ? 7 : 11);
    std::uint32_t number = 0;
    const auto [end, problem] = std::from_chars(pointer.data(), pointer.data() + pointer.size(), number);
    if (problem != std::errc() || number >= (is_node ? nodes_.size() : materials_json_.size())) return std::nullopt;
    pointer.remove_prefix(static_cast<std::size_t>(end - pointer.data()));
    if (is_node && pointer == "/translation") return std::pair(Path::translation, number);
    if (is_node && pointer == "/rotation") return std::pair(Path::rotation, number);
    if (is_node && pointer == "/scale") return std::pair(Path::scale, number);
    if (is_node && pointer == "/weights") return std::pair(Path::weights, number);
    if (is_node && pointer == "/extensions/KHR_node_visibility/visible") return std::pair(Path::visible, number);
    if (!is_node && pointer == "/pbrMetallicRoughness/baseColorFactor") return std::pair(Path::color, number);
    return std::nullopt;
  }

  std::size_t targets_of(std::uint32_t mesh) {
    if (mesh == kNone) return 0;
    const std::vector<const JsonNode*> primitives = list(meshes_[mesh], "primitives", Type::object);
    return primitives.empty() ? 0 : list(primitives.front(), "targets", Type::object).size();
  }

  void read_animations() {
    for (std::uint32_t number = 0; number < animations_json_.size() && !error_; ++number) {
      const JsonNode& json = *animations_json_[number];
      const std::vector<const JsonNode*> samplers = list(&json, "samplers", Type::object);
      Animation animation;
      animation.name = text(&json, "name");
      if (animation.name.empty() && stored_ == nullptr) animation.name = fmt::format("animation {}", number);
      double duration = 0;
      for (const JsonNode* const channel : list(&json, "channels", Type::object)) {
        const JsonNode* const target = field(channel, "target", Type::object);
        if (target == nullptr) return fail(DiagnosticId::missing_value, *channel, "has no target");
        const std::uint32_t sampler = required(*channel, "sampler", samplers.size(), "sampler");
        std::uint32_t node = reference(target, "node", nodes_.size(), "node");
        const std::string_view path = text(target, "path");
        if (error_) return;
        static constexpr std::string_view kPaths[] = {"translation", "rotation", "scale", "weights"};
        const auto* const named = std::ranges::find(kPaths, std::string_view(path));
        Channel result;
        if (named != std::end(kPaths)) {
          if (node == kNone) continue;  // The specification tells to ignore it.
          result.path = static_cast<Path>(named - std::begin(kPaths));
          result.target = node;
        } else {
          const std::string_view pointer = text(extension(target, "KHR_animation_pointer"), "pointer");
          const auto found = path == "pointer" ? target_of(pointer) : std::nullopt;
          if (!found) {
            warn_at(DiagnosticId::gltf_part_ignored, *channel, "animates \"{}\", which is ignored",
                    printable(pointer.empty() ? path : pointer));
            continue;
          }
          std::tie(result.path, result.target) = *found;
        }
        if (result.path != Path::color && !is_in_scene_[result.target]) continue;
        // These shrink hidden meshes in viewers that do not know visibility.
        if (result.path == Path::scale && nodes_[result.target].is_part) continue;
        if (!read_track(*samplers[sampler], result)) {
          if (error_) return;
          continue;
        }
        duration = std::max(duration, static_cast<double>(result.track.seconds.back()));
        keys_ += result.track.seconds.size();
        if (result.path <= Path::scale) nodes_[result.target].is_animated = true;
        animation.channels.push_back(std::move(result));
      }
      if (error_) return;
      plan_frames(json, duration, animation);
      animations_.push_back(std::move(animation));
    }
  }

  bool read_track(const JsonNode& json, Channel& channel) {
    const std::uint32_t input = required(json, "input", accessors_.size(), "accessor");
    const std::uint32_t output = required(json, "output", accessors_.size(), "accessor");
    Track& track = channel.track;
    const std::string_view interpolation = text(&json, "interpolation");
    if (error_) return false;
    if (interpolation == "STEP") track.interpolation = Interpolation::step;
    if (interpolation == "CUBICSPLINE") track.interpolation = Interpolation::cubic;
    if (!interpolation.empty() && interpolation != "STEP" && interpolation != "LINEAR" &&
        interpolation != "CUBICSPLINE") {
      fail(DiagnosticId::value_out_of_range, json,
           fmt::format("has the interpolation \"{}\"", printable(interpolation)));
      return false;
    }
    track.seconds = floats(input, 1);
    if (error_) return false;
    float before = 0;
    for (const float seconds : track.seconds) {
      if (!(seconds >= before) || seconds > 1e6F) {
        fail(DiagnosticId::value_out_of_range, *accessors_[input],
             fmt::format("has the key time {} after {}, but times must ascend to at most a million seconds", seconds,
                         before));
        return false;
      }
      before = seconds;
    }
    static constexpr std::uint32_t kWidths[] = {3, 4, 3, 1, 1, 4};
    std::uint32_t width = kWidths[static_cast<std::size_t>(channel.path)];
    track.values = floats(output, width);
    if (error_) return false;
    if (channel.path == Path::weights) {
      width = static_cast<std::uint32_t>(targets_of(nodes_[channel.target].mesh));
      if (width == 0) {
        warn_at(DiagnosticId::gltf_part_ignored, json, "animates weights of a node without morph targets");
        return false;
      }
    }
    track.width = width;
    const std::size_t per_key = std::size_t{width} * (track.interpolation == Interpolation::cubic ? 3 : 1);
    if (track.values.size() / per_key < track.seconds.size()) {
      fail(DiagnosticId::gltf_data_missing, json,
           fmt::format("has {} key times, but values for {}", track.seconds.size(), track.values.size() / per_key));
      return false;
    }
    return true;
  }

  /// Chooses the frames of an animation: those that this library stored, or evenly spaced ones.
  void plan_frames(const JsonNode& json, double duration, Animation& animation) {
    const JsonNode* const stored = options_.frames_per_second > 0 || stored_ == nullptr
                                       ? nullptr
                                       : find_field(find_field(&json, "extras"), "pchr");
    animation.rate = options_.frames_per_second > 0 ? options_.frames_per_second : 30;
    double frames = std::floor(duration * animation.rate + 0.5 + kTimeTolerance) + 1;
    // A loop would show the last frame twice.
    if (frames > 2 && is_closed(animation, duration)) --frames;
    if (stored != nullptr) {
      animation.rate = number(stored, "fps", 30);
      frames = static_cast<double>(whole(stored, "frames", 1));
      animation.is_stored = true;
      animation.loop_start = static_cast<std::uint32_t>(std::min<std::uint64_t>(whole(stored, "loopStart", 0), kNone));
      const JsonNode* const loops = field(stored, "looping", Type::boolean);
      animation.looping = loops != nullptr && loops->number != 0;
      animation.group = text(stored, "group");
      for (const JsonNode* const end : list(stored, "ends", Type::number)) animation.ends.push_back(value_of(*end));
      if (error_) return;
      if (!(animation.rate >= 0) || (!animation.ends.empty() && static_cast<double>(animation.ends.size()) != frames)) {
        return fail(DiagnosticId::value_out_of_range, *stored, "does not describe the frames of a clip");
      }
    }
    total_frames_ += frames;
    const std::uint64_t limit = options_.limits.max_bone_samples;
    const double allowed =
        static_cast<double>(std::min(limit, std::max(limit / 16, keys_ * std::max<std::uint64_t>(limit >> 18, 1))));
    if (total_frames_ > allowed) {
      return fail(DiagnosticId::limit_exceeded, json,
                  fmt::format("needs {} frames with those before it, but the limit for this file is {}", total_frames_,
                              allowed));
    }
    animation.frames = static_cast<std::uint32_t>(frames);
  }

  /// Makes bones of the nodes that move something, and of those that a program may attach something to.
  void choose_bones() {
    std::vector<std::uint32_t> order;  // parents first, in file order otherwise
    std::vector<bool> is_placed(nodes_.size());
    for (std::uint32_t start = 0; start < nodes_.size(); ++start) {
      if (!is_in_scene_[start]) continue;
      const std::size_t first = order.size();
      for (std::uint32_t node = start; node != kNone && !is_placed[node]; node = nodes_[node].parent) {
        is_placed[node] = true;
        order.push_back(node);
      }
      std::reverse(order.begin() + static_cast<std::ptrdiff_t>(first), order.end());
    }
    std::vector<bool> is_needed(nodes_.size()), is_below_joint(nodes_.size());
    const bool is_skeleton = meshes_.empty() && skins_.empty();
    for (const std::uint32_t number : order) {
      const Node& node = nodes_[number];
      is_below_joint[number] = node.is_joint || (node.parent != kNone && is_below_joint[node.parent]);
      const bool is_rigid = node.mesh != kNone && node.skin == kNone;
      is_needed[number] = is_rigid || is_below_joint[number] || is_skeleton;
    }
    for (auto each = order.rbegin(); each != order.rend(); ++each) {
      if (is_needed[*each] && nodes_[*each].parent != kNone) is_needed[nodes_[*each].parent] = true;
    }
    for (const std::uint32_t number : order) {
      Node& node = nodes_[number];
      const std::uint32_t parent = node.parent == kNone ? kNone : nodes_[node.parent].bone;
      const bool changes_nothing = !node.is_joint && !node.is_animated && !is_skeleton && !is_below_joint[number] &&
                                   node.rest.translation == DVec3(0.0) && node.rest.scale == DVec3(1.0) &&
                                   node.rest.rotation == DQuat(1, 0, 0, 0) &&
                                   (node.mesh == kNone || node.skin != kNone);
      node.is_part = node.is_part && parent != kNone;
      if (!is_needed[number] || changes_nothing || node.is_part) {
        node.bone = parent;
        continue;
      }
      node.bone = static_cast<std::uint32_t>(bones_.size());
      Bone& bone = bones_.emplace_back();
      bone.name = node.name;
      bone.parent = parent;
      // A node that is hidden by its scale has no inverse.
      Transform bind = node.rest;
      for (int axis = 0; axis < 3; ++axis) {
        if (std::abs(bind.scale[axis]) < 1e-6 && stored_ == nullptr) bind.scale[axis] = 1;
      }
      bone.bind_local = sample_of(bind);
      bone.bind = (parent == kNone ? Matrix(1.0) : bones_[parent].bind) * matrix_of(bone.bind_local);
      bone_nodes_.push_back(number);
    }
    if (bones_.empty()) {
      bones_.emplace_back().name = "root";
      bone_nodes_.push_back(kNone);
    }
    if (bones_.size() > kMaxBones) {
      return fail(DiagnosticId::limit_exceeded, tree_.root(),
                  fmt::format("has {} bones, but the maximum is {}", bones_.size(), kMaxBones));
    }
    rest_differs_ = stored_ == nullptr && std::ranges::any_of(bone_nodes_, [&](std::uint32_t node) {
                      return node != kNone && glm::any(glm::lessThan(glm::abs(nodes_[node].rest.scale), DVec3(1e-6)));
                    });
  }

  // Materials and images

  void read_materials() {
    for (const JsonNode* const json : materials_json_) {
      Material& material = materials_.emplace_back();
      material.name = text(json, "name");
      const JsonNode* const surface = field(json, "pbrMetallicRoughness", Type::object);
      if (const auto color = numbers(surface, "baseColorFactor", 4)) std::ranges::copy(*color, material.color.begin());
      const JsonNode* const texture = field(surface, "baseColorTexture", Type::object);
      material.texture = reference(texture, "index", textures_.size(), "texture");
      material.uv_set = static_cast<std::uint32_t>(std::min<std::uint64_t>(whole(texture, "texCoord", 0), 99));
      if (const JsonNode* const transform = extension(texture, "KHR_texture_transform")) {
        if (const auto offset = numbers(transform, "offset", 2))
          std::tie(material.offset_x, material.offset_y) = std::pair((*offset)[0], (*offset)[1]);
        if (const auto scale = numbers(transform, "scale", 2))
          std::tie(material.scale_x, material.scale_y) = std::pair((*scale)[0], (*scale)[1]);
        material.rotation = number(transform, "rotation", 0);
        material.uv_set =
            static_cast<std::uint32_t>(std::min<std::uint64_t>(whole(transform, "texCoord", material.uv_set), 99));
      }
      const std::string_view alpha = text(json, "alphaMode");
      material.alpha = alpha == "MASK"    ? Material::Alpha::mask
                       : alpha == "BLEND" ? Material::Alpha::blend
                                          : Material::Alpha::opaque;
      material.cutoff = number(json, "alphaCutoff", 0.5);
      if (error_) return;
    }
    for (const Animation& animation : animations_) {
      for (const Channel& channel : animation.channels) {
        if (channel.path == Path::color) materials_[channel.target].is_fading = true;
      }
    }
    // This library gives only materials of meshes that fade a color, which can be the same in all frames.
    for (std::size_t i = 0; i < materials_.size() && stored_ != nullptr; ++i) {
      materials_[i].is_fading |= materials_[i].color[3] != 1;
    }
  }

  /// Reads the pixels of an image as they are stored.
  std::optional<Image> read_image(std::uint32_t number) {
    const JsonNode& json = *images_[number];
    Image image;
    image.name = text(&json, "name");
    std::vector<std::byte> storage;
    std::span<const std::byte> bytes;
    const std::uint32_t view_number = reference(&json, "bufferView", views_.size(), "bufferView");
    const JsonNode* const uri = field(&json, "uri", Type::string);
    if (error_) return std::nullopt;
    if (view_number != kNone) {
      bytes = view(view_number, 0, json);
      if (error_) return std::nullopt;
    } else if (uri == nullptr) {
      fail(DiagnosticId::missing_value, json, "has neither bufferView nor uri");
      return std::nullopt;
    } else if (auto embedded = read_data_uri(uri->text())) {
      if (!*embedded) {
        fail(DiagnosticId::gltf_data_missing, *uri, "is not valid base64");
        return std::nullopt;
      }
      storage = **std::move(embedded);
      bytes = storage;
    } else {
      if (image.name.empty()) image.name = decode_uri(uri->text());
      auto file = read_named(uri->text());
      if (!file) {
        if (file.error().id == DiagnosticId::image_path_refused || file.error().id == DiagnosticId::link_outside ||
            file.error().id == DiagnosticId::git_lfs_pointer) {
          fail(file.error().id, *uri, file.error().detail);
          return std::nullopt;
        }
        warn_at(DiagnosticId::image_absent, *uri, "{}", file.error().detail);
        image.width = image.height = 64;
        image.encoding = ImageEncoding::absent;
        return image;
      }
      storage = *std::move(file);
      bytes = storage;
    }
    if (image.name.empty() && stored_ == nullptr) image.name = fmt::format("image {}", number);
    if (is_png(bytes)) {
      const PngSize size = png_size(bytes).value_or(PngSize{});
      if (std::uint64_t{size.width} * size.height > pixels_left_) {
        fail(DiagnosticId::limit_exceeded, json,
             fmt::format("has {} x {} pixels, but the limit of all images is {} pixels", size.width, size.height,
                         options_.limits.max_image_pixels));
      } else if (const auto problem = check_png(bytes, size.width, size.height)) {
        fail(problem->id, json, problem->detail);
      }
      image.width = size.width;
      image.height = size.height;
      image.bytes.assign(bytes.begin(), bytes.end());
    } else {
      auto bitmap = decode_image_file(bytes, pixels_left_);
      if (!bitmap) {
        fail(DiagnosticId::broken_png, json, "cannot be decoded: " + bitmap.error());
        return std::nullopt;
      }
      image.width = bitmap->width;
      image.height = bitmap->height;
      image.encoding = ImageEncoding::rgba8888;
      const auto pixels = std::as_bytes(std::span(bitmap->rgba));
      image.bytes.assign(pixels.begin(), pixels.end());
    }
    if (error_) return std::nullopt;
    return image;
  }

  /// Multiplies an image with the color of a material, and applies its alpha mode.
  void apply_material(const Material& material, Image& image) {
    if (image.encoding == ImageEncoding::absent) return;
    const auto& color = material.color;
    const bool is_plain = color == std::array<double, 4>{1, 1, 1, 1} ||
                          (material.is_fading && color[0] == 1 && color[1] == 1 && color[2] == 1);
    const bool is_cut = material.alpha == Material::Alpha::mask && material.cutoff != 0.5;
    // A PNG file without an alpha channel or a transparent color has none to ignore.
    const auto color_type =
        image.encoding == ImageEncoding::png && image.bytes.size() > 25 ? static_cast<int>(image.bytes[25]) : 6;
    const bool is_opaque =
        material.alpha == Material::Alpha::opaque &&
        (color_type != 2 || as_text(image.bytes).substr(0, 4096).find("tRNS") != std::string_view::npos);
    if (is_plain && !is_cut && !is_opaque) return;
    Limits limits = options_.limits;
    auto pixels = decode_straight(image, limits);
    if (!pixels)
      return fail(pixels.error().id, tree_.root(),
                  fmt::format("image \"{}\" {}", printable(image.name), pixels.error().detail));
    std::vector<std::uint8_t>& rgba = pixels->rgba;
    if (is_plain && !is_cut) {
      bool has_alpha = false;
      for (std::size_t i = 3; i < rgba.size(); i += 4) has_alpha |= rgba[i] != 255;
      if (!has_alpha) return;
    }
    std::array<std::array<std::uint8_t, 256>, 4> table;
    for (std::size_t value = 0; value < 256; ++value) {
      const double stored = static_cast<double>(value) / 255;
      for (std::size_t channel = 0; channel < 3; ++channel) {
        table[channel][value] = color[channel] == 1 ? static_cast<std::uint8_t>(value)
                                                    : byte_of(encode_srgb(decode_srgb(stored) * color[channel]));
      }
      const double alpha = stored * (material.is_fading ? 1 : color[3]);
      table[3][value] = material.alpha == Material::Alpha::opaque ? 255
                        : is_cut                                  ? (alpha >= material.cutoff ? 255 : 0)
                                                                  : byte_of(alpha);
    }
    for (std::size_t i = 0; i < rgba.size(); ++i) rgba[i] = table[i % 4][rgba[i]];
    image.encoding = ImageEncoding::rgba8888;
    const auto bytes = std::as_bytes(std::span(rgba));
    image.bytes.assign(bytes.begin(), bytes.end());
  }

  /// Returns the image that shows a material. Materials that look the same share one.
  ImageId image_of(const Material& material, const JsonNode& json) {
    std::uint32_t source = kNone;
    if (material.texture != kNone) {
      const JsonNode* const texture = textures_[material.texture];
      source = reference(texture, "source", images_.size(), "image");
      if (const JsonNode* const webp = extension(texture, "EXT_texture_webp"))
        source = reference(webp, "source", images_.size(), "image");
      if (error_) return {};
      if (source == kNone) {
        warn_at(DiagnosticId::gltf_material_simplified, *texture,
                "has no image in a known format, so its color is drawn");
      }
    }
    auto color = material.color;
    if (material.is_fading) color[3] = 1;  // Its bone has the opacity.
    const auto key = std::tuple(source, color, material.alpha, material.cutoff);
    if (const auto known = images_known_.find(key); known != images_known_.end()) return known->second;
    Image image;
    if (source != kNone) {
      auto stored = read_image(source);
      if (!stored) return {};
      image = *std::move(stored);
      apply_material(material, image);
    } else {
      image.name = material.name.empty() ? "color" : material.name;
      image.width = image.height = 1;
      image.encoding = ImageEncoding::rgba8888;
      for (std::size_t i = 0; i < 3; ++i)
        image.bytes.push_back(std::byte{byte_of(encode_srgb(std::clamp(material.color[i], 0.0, 1.0)))});
      const bool is_opaque = material.alpha == Material::Alpha::opaque || material.is_fading;
      image.bytes.push_back(std::byte{is_opaque ? std::uint8_t{255} : byte_of(material.color[3])});
    }
    if (error_) return {};
    const std::uint64_t pixels = std::uint64_t{image.width} * image.height;
    if (pixels > pixels_left_) {
      fail(DiagnosticId::limit_exceeded, json,
           fmt::format("needs more images than the limit of {} pixels allows", options_.limits.max_image_pixels));
      return {};
    }
    pixels_left_ -= pixels;
    image.name = repeated(image.name);
    const ImageId id{static_cast<std::uint32_t>(data.images.size())};
    data.images.push_back(std::move(image));
    images_known_.emplace(key, id);
    return id;
  }

  /// Returns a name of something that a file can have more often than the name itself.
  std::string repeated(std::string_view name, std::string_view suffix = {}) {
    const std::uint64_t bytes = name.size() + suffix.size();
    if (bytes <= name_bytes_left_) {
      name_bytes_left_ -= bytes;
      return fmt::format("{}{}", name, suffix);
    }
    if (!error_) {
      fail(DiagnosticId::limit_exceeded, tree_.root(),
           fmt::format("has names that are used so often that they exceed the limit for this file, {} bytes",
                       max_name_bytes_));
    }
    return {};
  }

  // Meshes

  void read_parts() {
    std::vector<std::uint32_t> shown;
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
      if (is_in_scene_[i] && nodes_[i].mesh != kNone) shown.push_back(i);
    }
    // Meshes keep the order of the file, which is not that of the nodes.
    std::ranges::stable_sort(shown, {}, [&](std::uint32_t node) { return nodes_[node].mesh; });
    for (const std::uint32_t number : shown) {
      const Node& node = nodes_[number];
      const JsonNode& mesh = *meshes_[node.mesh];
      const std::vector<const JsonNode*> primitives = list(&mesh, "primitives", Type::object);
      std::string name(text(&mesh, "name"));
      if (name.empty() && stored_ == nullptr) name = node.name;
      for (std::size_t i = 0; i < primitives.size() && !error_; ++i) {
        Part part;
        part.json = primitives[i];
        part.node = number;
        if (!read_primitive(node, part)) continue;
        part.name = repeated(name, primitives.size() == 1 ? "" : fmt::format(" {}", i + 1));
        parts_.push_back(std::move(part));
      }
      if (error_) return;
    }
    // So do the images. Files of this library have a material for each.
    for (std::size_t i = 0; i < materials_json_.size() && stored_ != nullptr && !error_; ++i) {
      (void)image_of(materials_[i], *materials_json_[i]);
    }
    std::vector<std::pair<std::uint32_t, Part*>> by_image;
    for (Part& part : parts_) {
      const std::uint32_t texture = part.material == kNone ? kNone : materials_[part.material].texture;
      const JsonNode* const source = texture == kNone ? nullptr : find_field(textures_[texture], "source");
      by_image.emplace_back(source == nullptr ? kNone : static_cast<std::uint32_t>(whole(*source)), &part);
    }
    std::ranges::stable_sort(by_image, {}, &std::pair<std::uint32_t, Part*>::first);
    if (stored_ != nullptr && materials_json_.empty()) return;  // A character without images.
    for (const auto& [source, part] : by_image) {
      if (error_) return;
      const Material& material = part->material == kNone ? kPlain : materials_[part->material];
      part->image = image_of(material, *part->json);
    }
  }

  /// Reads a primitive. Returns false if it has no triangles, or if there is an error.
  bool read_primitive(const Node& node, Part& part) {
    const JsonNode& json = *part.json;
    const std::uint64_t mode = whole(&json, "mode", 4);
    if (mode < 4 || mode > 6) {
      warn_at(DiagnosticId::gltf_part_ignored, json, "has {}, which are not drawn", mode == 0 ? "points" : "lines");
      return false;
    }
    const JsonNode* const attributes = field(&json, "attributes", Type::object);
    const auto attribute = [&](std::string_view name) {
      return reference(attributes, name, accessors_.size(), "accessor");
    };
    const std::uint32_t position = attribute("POSITION");
    if (position == kNone && !error_) {
      if (extension(&json, "KHR_draco_mesh_compression") != nullptr) {
        fail(DiagnosticId::gltf_extension_required, json,
             "requires KHR_draco_mesh_compression: its vertices are compressed");
      } else {
        warn_at(DiagnosticId::gltf_part_ignored, json, "has no positions");
      }
      return false;
    }
    const auto vectors = [&](std::uint32_t accessor) {
      const std::vector<float> values = floats(accessor, 3);
      std::vector<Vec3> result(values.size() / 3);
      for (std::size_t i = 0; i < result.size(); ++i) result[i] = {values[3 * i], values[3 * i + 1], values[3 * i + 2]};
      return result;
    };
    part.positions = vectors(position);
    part.shape = {node.skin, position};
    const std::size_t count = part.positions.size();
    const auto check_count = [&](std::size_t found, std::string_view what) {
      if (found != count && !error_) {
        fail(DiagnosticId::value_out_of_range, json, fmt::format("has {} vertices, but {} for {}", count, what, found));
      }
    };
    if (const std::uint32_t normal = attribute("NORMAL"); normal != kNone) {
      part.normals = vectors(normal);
      check_count(part.normals.size(), "normals");
    }
    part.material = reference(&json, "material", materials_.size(), "material");
    if (error_) return false;
    read_uvs(attribute(fmt::format("TEXCOORD_{}", part.material == kNone ? 0 : materials_[part.material].uv_set)),
             part);
    if (error_) return false;
    check_count(part.uvs.size(), "texture coordinates");
    read_color(attribute("COLOR_0"), part);
    read_triangles(mode, part);
    read_influences(node, *attributes, part);
    read_targets(part);
    if (error_) return false;
    if (part.indices.empty()) {
      warn_at(DiagnosticId::gltf_part_ignored, json, "has no triangles");
      return false;
    }
    if (part.normals.empty()) make_normals(part);
    return true;
  }

  void read_uvs(std::uint32_t accessor, Part& part) {
    const Material& material = part.material == kNone ? kPlain : materials_[part.material];
    part.uvs.resize(part.positions.size());
    if (accessor == kNone) return;
    const std::vector<float> values = floats(accessor, 2);
    part.uvs.resize(values.size() / 2);
    const double sine = std::sin(material.rotation), cosine = std::cos(material.rotation);
    const bool is_moved = material.rotation != 0 || material.offset_x != 0 || material.offset_y != 0 ||
                          material.scale_x != 1 || material.scale_y != 1;
    bool is_outside = false;
    for (std::size_t i = 0; i < part.uvs.size(); ++i) {
      Vec2 uv{values[2 * i], values[2 * i + 1]};
      if (is_moved) {
        // v points down, so that counter-clockwise is from +u to -v.
        const double u = static_cast<double>(uv.x) * material.scale_x, v = static_cast<double>(uv.y) * material.scale_y;
        uv = {static_cast<float>(cosine * u + sine * v + material.offset_x),
              static_cast<float>(cosine * v - sine * u + material.offset_y)};
      }
      is_outside |= !(uv.x >= -1e-3F && uv.x <= 1.001F && uv.y >= -1e-3F && uv.y <= 1.001F);
      part.uvs[i] = uv;
    }
    if (!is_outside || material.texture == kNone) return;
    const std::uint32_t sampler = reference(textures_[material.texture], "sampler", samplers_.size(), "sampler");
    if (sampler == kNone) return;
    for (const char* const key : {"wrapS", "wrapT"}) {
      if (whole(samplers_[sampler], key, 10497) == 10497) continue;
      warn_at(DiagnosticId::gltf_material_simplified, *samplers_[sampler],
              "does not repeat the texture, which is repeated here");
      return;
    }
  }

  /// Multiplies the material with the color of the vertices, if they have only one.
  void read_color(std::uint32_t accessor, Part& part) {
    if (accessor == kNone || error_) return;
    std::uint32_t width = 0;
    const std::vector<float> values = read_accessor<float>(accessor, width);
    if (error_ || values.size() < width || width < 3 || width > 4) return;
    std::array<double, 4> color{1, 1, 1, 1};
    for (std::size_t i = 0; i < width; ++i) color[i] = static_cast<double>(values[i]);
    for (std::size_t i = width; i < values.size(); ++i) {
      if (std::abs(values[i] - values[i % width]) <= 1.0F / 512) continue;
      warn_at(DiagnosticId::gltf_material_simplified, *part.json,
              "has colors that differ from vertex to vertex, which are not drawn");
      return;
    }
    if (color == std::array<double, 4>{1, 1, 1, 1}) return;
    Material tinted = part.material == kNone ? kPlain : materials_[part.material];
    tinted.name = repeated(tinted.name);
    for (std::size_t i = 0; i < 4; ++i) tinted.color[i] *= color[i];
    part.material = static_cast<std::uint32_t>(materials_.size());
    materials_.push_back(std::move(tinted));
  }

  void read_triangles(std::uint64_t mode, Part& part) {
    if (error_) return;
    std::vector<std::uint32_t> corners;
    const std::uint32_t accessor = reference(part.json, "indices", accessors_.size(), "accessor");
    if (accessor != kNone) {
      std::uint32_t width = 1;
      corners = read_accessor<std::uint32_t>(accessor, width);
    } else if (!error_) {
      if (part.positions.size() > values_left_)
        return fail(DiagnosticId::limit_exceeded, *part.json, "has too many vertices");
      values_left_ -= part.positions.size();
      corners.resize(part.positions.size());
      for (std::uint32_t i = 0; i < corners.size(); ++i) corners[i] = i;
    }
    if (error_) return;
    for (const std::uint32_t corner : corners) {
      if (corner < part.positions.size()) continue;
      return fail(DiagnosticId::vertex_out_of_range, *accessors_[accessor],
                  fmt::format("has the index {}, but the primitive has {}", corner,
                              counted(part.positions.size(), "vertex", "vertices")));
    }
    if (mode == 4) {
      corners.resize(corners.size() / 3 * 3);
      part.indices = std::move(corners);
      return;
    }
    for (std::size_t i = 2; i < corners.size(); ++i) {
      const bool is_odd = mode == 5 && i % 2 == 1;
      const std::uint32_t triangle[] = {mode == 6 ? corners[0] : corners[is_odd ? i - 1 : i - 2],
                                        mode == 6 ? corners[i - 1] : corners[is_odd ? i - 2 : i - 1], corners[i]};
      if (triangle[0] == triangle[1] || triangle[1] == triangle[2] || triangle[0] == triangle[2]) continue;
      part.indices.insert(part.indices.end(), std::begin(triangle), std::end(triangle));
    }
  }

  void read_influences(const Node& node, const JsonNode& attributes, Part& part) {
    if (error_ || node.skin == kNone) return;
    const std::size_t count = part.positions.size();
    std::vector<std::vector<std::uint32_t>> joints;
    std::vector<std::vector<float>> weights;
    for (std::size_t set = 0; set < 64; ++set) {
      const std::uint32_t joint = reference(&attributes, fmt::format("JOINTS_{}", set), accessors_.size(), "accessor");
      const std::uint32_t weight =
          reference(&attributes, fmt::format("WEIGHTS_{}", set), accessors_.size(), "accessor");
      if (error_) return;
      if (joint == kNone || weight == kNone) break;
      part.shape.insert(part.shape.end(), {joint, weight});
      std::uint32_t width = 4;
      joints.push_back(read_accessor<std::uint32_t>(joint, width));
      weights.push_back(floats(weight, 4));
      if (error_) return;
      if (joints.back().size() != 4 * count || weights.back().size() != 4 * count) {
        return fail(DiagnosticId::value_out_of_range, *part.json,
                    fmt::format("has {} vertices, but joints for {} and weights for {}", count,
                                joints.back().size() / 4, weights.back().size() / 4));
      }
    }
    if (joints.empty()) {
      warn_at(DiagnosticId::gltf_part_ignored, *part.json,
              "has a skin, but neither joints nor weights, so it follows its node");
      return;
    }
    part.skin = node.skin;
    part.sets = 4 * joints.size();
    part.influences.resize(count * part.sets);
    const std::size_t joint_count = skins_[node.skin].joints.size();
    for (std::size_t vertex = 0; vertex < count; ++vertex) {
      Influence* const out = part.influences.data() + vertex * part.sets;
      double sum = 0;
      for (std::size_t i = 0; i < part.sets; ++i) {
        const std::uint32_t joint = joints[i / 4][vertex * 4 + i % 4];
        const float weight = weights[i / 4][vertex * 4 + i % 4];
        if (weight == 0) continue;
        if (joint >= joint_count) {
          return fail(DiagnosticId::bone_out_of_range, *part.json,
                      fmt::format("has the joint {} at vertex {}, but the skin has {}", joint, vertex,
                                  counted(joint_count, "joint")));
        }
        out[i] = {joint, weight};
        sum += static_cast<double>(weight);
      }
      if (!(std::abs(sum) > 1e-6)) {
        out[0] = {out[0].joint, 1};
        for (std::size_t i = 1; i < part.sets; ++i) out[i].weight = 0;
      } else if (!is_own_flat_ && std::abs(sum - 1) > 1e-3) {
        for (std::size_t i = 0; i < part.sets; ++i)
          out[i].weight = static_cast<float>(static_cast<double>(out[i].weight) / sum);
      }
    }
  }

  /// Returns the weights of morph targets that a node has without an animation.
  std::vector<double> rest_weights(std::uint32_t node) {
    if (!nodes_[node].weights.empty() || nodes_[node].mesh == kNone) return nodes_[node].weights;
    std::vector<double> weights;
    for (const JsonNode* const weight : list(meshes_[nodes_[node].mesh], "weights", Type::number))
      weights.push_back(value_of(*weight));
    return weights;
  }

  void read_targets(Part& part) {
    if (error_) return;
    const std::vector<const JsonNode*> targets = list(part.json, "targets", Type::object);
    if (targets.empty()) {
      part.shape = std::vector<std::uint32_t>();  // Nothing needs it.
      return;
    }
    for (const JsonNode* const target : targets) {
      const std::uint32_t accessor = reference(target, "POSITION", accessors_.size(), "accessor");
      std::vector<Vec3>& offsets = part.targets.emplace_back();
      part.shape.push_back(accessor);
      if (accessor == kNone || error_) continue;
      const std::vector<float> values = floats(accessor, 3);
      if (error_) return;
      if (values.size() != 3 * part.positions.size()) {
        return fail(
            DiagnosticId::value_out_of_range, *target,
            fmt::format("moves {} vertices, but the primitive has {}", values.size() / 3, part.positions.size()));
      }
      for (std::size_t i = 0; i < values.size(); i += 3) offsets.push_back({values[i], values[i + 1], values[i + 2]});
    }
    if (std::ranges::any_of(animations_, [&](const Animation& animation) {
          return std::ranges::any_of(animation.channels, [&](const Channel& channel) {
            return channel.path == Path::weights && channel.target == part.node;
          });
        })) {
      return;
    }
    // Nothing animates them, so the mesh has one shape.
    const std::vector<double> weights = rest_weights(part.node);
    for (std::size_t target = 0; target < std::min(weights.size(), part.targets.size()); ++target) {
      const std::vector<Vec3>& offsets = part.targets[target];
      for (std::size_t i = 0; i < offsets.size(); ++i)
        part.positions[i] += offsets[i] * static_cast<float>(weights[target]);
    }
    part.targets.clear();
  }

  /// Averages the faces around each vertex, weighted by area.
  static void make_normals(Part& part) {
    part.normals.assign(part.positions.size(), Vec3{0.0F});
    for (std::size_t i = 0; i < part.indices.size(); i += 3) {
      const std::uint32_t* const corner = &part.indices[i];
      const Vec3 normal = glm::cross(part.positions[corner[1]] - part.positions[corner[0]],
                                     part.positions[corner[2]] - part.positions[corner[0]]);
      for (int k = 0; k < 3; ++k) part.normals[corner[k]] += normal;
    }
  }

  // Skins

  static std::array<DVec3, 8> corners_of(const Box& box) {
    std::array<DVec3, 8> corners;
    for (int i = 0; i < 8; ++i) {
      corners[static_cast<std::size_t>(i)] = {static_cast<double>((i & 1) == 0 ? box.min.x : box.max.x),
                                              static_cast<double>((i & 2) == 0 ? box.min.y : box.max.y),
                                              static_cast<double>((i & 4) == 0 ? box.min.z : box.max.z)};
    }
    return corners;
  }

  static double distance(const Matrix& left, const Matrix& right, const std::array<DVec3, 8>& points) {
    double result = 0;
    for (const DVec3& point : points) result = std::max(result, glm::length(apply(left, point) - apply(right, point)));
    return result;
  }

  struct Fitting {
    Skin* skin = nullptr;
    std::vector<bool> is_used;  ///< Per joint.
    std::array<DVec3, 8> corners{};
    double size = 1;
    bool is_consistent = true;
  };

  /// Chooses the bind pose. In most files the nodes rest in the pose that the skins were bound in, or in that pose
  /// moved as a whole. In others, joints get the bind pose of their skin; a joint of skins that disagree gets a child
  /// for each, because a vertex relies on one bind pose only.
  void bind_skins() {
    std::vector<Fitting> fittings;
    for (std::size_t number = 0; number < skins_.size(); ++number) {
      Skin& skin = skins_[number];
      for (const std::uint32_t joint : skin.joints) skin.bones.push_back(nodes_[joint].bone);
      Fitting fitting{&skin, std::vector<bool>(skin.joints.size())};
      Box box;
      for (const Part& part : parts_) {
        if (part.skin != number) continue;
        for (const Vec3& position : part.positions) box.include(position);
        for (const Influence& influence : part.influences) {
          if (influence.weight != 0) fitting.is_used[influence.joint] = true;
        }
      }
      if (box.empty()) continue;
      fitting.corners = corners_of(box);
      const Matrix* place = nullptr;
      std::vector<Matrix> places(skin.joints.size());
      for (std::size_t joint = 0; joint < places.size(); ++joint) {
        places[joint] = bones_[skin.bones[joint]].bind * skin.inverse_bind[joint];
        if (place == nullptr && fitting.is_used[joint] && is_invertible(places[joint])) place = &places[joint];
      }
      if (place != nullptr) skin.place = *place;
      fitting.size = 0;
      for (const DVec3& corner : fitting.corners) {
        fitting.size =
            std::max({fitting.size, glm::length(apply(skin.place, corner) - apply(skin.place, fitting.corners[0])),
                      glm::length(apply(skin.place, corner)) / 8});
      }
      if (distance(skin.place, Matrix(1.0), fitting.corners) <= 1e-4 * fitting.size) skin.place = Matrix(1.0);
      for (std::size_t joint = 0; joint < places.size(); ++joint) {
        if (!fitting.is_used[joint]) continue;
        fitting.is_consistent &=
            distance(places[joint], skin.place, fitting.corners) <= kRelativeTolerance * fitting.size;
      }
      for (std::size_t joint = 0; joint < places.size() && fitting.is_consistent; ++joint) {
        if (fitting.is_used[joint]) bones_[skin.bones[joint]].is_bound = true;
      }
      fittings.push_back(std::move(fitting));
    }
    for (const Fitting& fitting : fittings) {
      for (std::size_t joint = 0; joint < fitting.is_used.size() && !fitting.is_consistent; ++joint) {
        if (fitting.is_used[joint]) bind_joint(fitting, joint);
      }
    }
    if (bones_.size() > kMaxBones) {
      return fail(DiagnosticId::limit_exceeded, tree_.root(),
                  fmt::format("needs {} bones, but the maximum is {}", bones_.size(), kMaxBones));
    }
    double size = 0;
    for (const Fitting& fitting : fittings) size = std::max(size, fitting.size);
    for (std::size_t number = 0; number < bones_.size(); ++number) {
      Bone& bone = bones_[number];
      const Bone* const parent = bone.parent == kNone ? nullptr : &bones_[bone.parent];
      if (!bone.has_own_bind && (parent == nullptr || !parent->has_own_bind)) continue;
      rest_differs_ = true;
      bone.has_own_bind = true;
      const Matrix outer = parent == nullptr ? Matrix(1.0) : parent->bind;
      const Matrix wanted = bone.bind;
      bone.bind_local = sample_of(decompose(is_invertible(outer) ? glm::inverse(outer) * wanted : wanted));
      bone.bind = outer * matrix_of(bone.bind_local);
      double error = 0;
      for (int axis = 0; axis < 3; ++axis) error = std::max(error, glm::length(DVec3(bone.bind[axis] - wanted[axis])));
      if (error <= 1e-3 * glm::length(DVec3(wanted[0]))) continue;
      warn(warnings_, DiagnosticId::gltf_shear_ignored, {.name = bone.name},
           "was bound with shear; its vertices move by up to {:.3g}", error * size);
    }
    for (Part& part : parts_) place_part(part);
  }

  void bind_joint(const Fitting& fitting, std::size_t joint) {
    Skin& skin = *fitting.skin;
    if (!is_invertible(skin.inverse_bind[joint])) return;
    const Matrix wanted = skin.place * glm::inverse(skin.inverse_bind[joint]);
    const std::uint32_t number = skin.bones[joint];
    if (!bones_[number].is_bound) {
      bones_[number].bind = wanted;
      bones_[number].has_own_bind = bones_[number].is_bound = true;
      return;
    }
    const Matrix found = bones_[number].bind * skin.inverse_bind[joint];
    if (distance(found, skin.place, fitting.corners) <= kRelativeTolerance * fitting.size) return;
    skin.bones[joint] = add_bone(repeated(bones_[number].name, "~bind"), number);
    bones_.back().bind = wanted;
    bones_.back().has_own_bind = bones_.back().is_bound = true;
  }

  /// Adds a bone that moves with its parent.
  std::uint32_t add_bone(std::string name, std::uint32_t parent) {
    const Matrix bind = bones_[parent].bind;
    const std::size_t frames = bones_[parent].samples.size();
    Bone& bone = bones_.emplace_back();
    bone.name = std::move(name);
    bone.parent = parent;
    bone.bind = bind;
    bone.samples.resize(frames);
    bone_nodes_.push_back(kNone);
    return static_cast<std::uint32_t>(bones_.size() - 1);
  }

  [[nodiscard]] std::uint32_t bone_of(const Part& part) const noexcept {
    return nodes_[part.node].bone == kNone ? 0 : nodes_[part.node].bone;
  }

  /// Moves the vertices of a part to the bind pose, and lets their influences name bones.
  void place_part(Part& part) {
    const bool is_skinned = part.skin != kNone;
    const Matrix place = is_skinned ? skins_[part.skin].place : bones_[bone_of(part)].bind;
    if (is_skinned) {
      const Skin& skin = skins_[part.skin];
      for (Influence& influence : part.influences) {
        const Node& joint = nodes_[skin.joints[influence.joint]];
        if (joint.is_part && influence.weight != 0) part.part_node = skin.joints[influence.joint];
        influence.joint = skin.bones[influence.joint];
      }
    }
    const bool is_plain = place == Matrix(1.0);
    // A mirrored triangle would show its back.
    for (std::size_t i = 0; i < part.indices.size() && glm::determinant(glm::dmat3(place)) < 0; i += 3) {
      std::swap(part.indices[i + 1], part.indices[i + 2]);
    }
    const glm::dmat3 turn = glm::transpose(is_invertible(place) ? glm::inverse(glm::dmat3(place)) : glm::dmat3(1.0));
    for (Vec3& position : part.positions) {
      if (!is_plain) position = Vec3(apply(place, DVec3(position)));
    }
    for (std::vector<Vec3>& offsets : part.targets) {
      for (Vec3& offset : offsets) offset = Vec3(glm::dmat3(place) * DVec3(offset));
    }
    for (Vec3& normal : part.normals) {
      const DVec3 turned = is_plain ? DVec3(normal) : turn * DVec3(normal);
      const double length = glm::length(turned);
      if (std::abs(length - 1) < 1e-6 && is_plain) continue;
      normal = length > 1e-20 && std::isfinite(length) ? Vec3(turned / length) : Vec3{0.0F, 0.0F, 1.0F};
    }
  }

  // Clips

  /// Returns whether an animation ends as it begins, so that its last frame would show twice in a loop.
  static bool is_closed(const Animation& animation, double duration) {
    for (const Channel& channel : animation.channels) {
      std::vector<double> first(channel.track.width), last(channel.track.width);
      const bool is_rotation = channel.path == Path::rotation;
      sample(channel.track, 0, is_rotation, first.data());
      sample(channel.track, duration, is_rotation, last.data());
      double same = 0, opposite = 0, size = 1e-3;
      for (std::size_t i = 0; i < first.size(); ++i) {
        same = std::max(same, std::abs(first[i] - last[i]));
        opposite = std::max(opposite, std::abs(first[i] + last[i]));
        size = std::max(size, std::abs(first[i]));
      }
      if (same > 1e-4 * size && !(is_rotation && opposite <= 1e-4 * size)) return false;
    }
    return true;
  }

  void sample_clips() {
    if (animations_.empty() && rest_differs_) {
      // Without this clip, the pose of the file would not show.
      Animation& rest = animations_.emplace_back();
      rest.name = "rest";
      rest.rate = 30;
      rest.frames = 1;
    }
    // Nodes that can hide a mesh, parents first, and where their states are.
    bool hides = false;
    for (std::size_t i = 0; i < nodes_.size(); ++i) hides |= is_in_scene_[i] && !nodes_[i].is_visible;
    std::uint64_t channels = 0;
    for (Animation& animation : animations_) {
      for (const Channel& channel : animation.channels) hides |= channel.path >= Path::visible;
      std::uint64_t count = 0;
      for (const Channel& channel : animation.channels)
        count += channel.path == Path::weights ? channel.track.width : 1;
      channels = std::max(channels, count);
    }
    std::vector<std::uint32_t> seen;
    if (hides) {
      std::vector<bool> is_placed(nodes_.size());
      for (const Part& part : parts_) {
        const std::size_t first = seen.size();
        for (std::uint32_t node = part.node; node != kNone && !is_placed[node]; node = nodes_[node].parent) {
          is_placed[node] = true;
          seen.push_back(node);
        }
        std::reverse(seen.begin() + static_cast<std::ptrdiff_t>(first), seen.end());
      }
    }
    const bool has_states = hides || options_.flat || is_own_flat_;
    const double width = static_cast<double>(
        std::max<std::uint64_t>({bones_.size(), channels, seen.size(), has_states ? parts_.size() : 0}));
    const std::uint64_t limit = options_.limits.max_bone_samples;
    const auto allowed =
        static_cast<double>(std::min(limit, std::max(limit / 16, keys_ * std::max<std::uint64_t>(limit >> 18, 1))));
    if (total_frames_ * width > allowed) {
      return fail(DiagnosticId::limit_exceeded, tree_.root(),
                  fmt::format("needs {} frames of {}, but the limit for a file with {} is {} samples", total_frames_,
                              counted(bones_.size(), "bone"), counted(keys_, "key"), allowed));
    }
    frames_ = 0;
    for (const Animation& animation : animations_) frames_ += animation.frames;
    for (std::size_t number = 0; number < bones_.size(); ++number) {
      const std::uint32_t node = bone_nodes_[number];
      bones_[number].samples.assign(frames_, node == kNone ? Sample{} : sample_of(nodes_[node].rest));
    }
    for (const std::uint32_t node : seen) shown_[node].assign(frames_ + 1, nodes_[node].is_visible ? 1 : 0);
    for (std::uint32_t i = 0; i < materials_json_.size(); ++i) {
      if (materials_[i].is_fading) opacity_[i].assign(frames_ + 1, static_cast<float>(materials_[i].color[3]));
    }
    std::size_t first = 0;
    for (const Animation& animation : animations_) {
      for (const Channel& channel : animation.channels) sample_channel(animation, channel, first);
      first += animation.frames;
    }
    for (const std::uint32_t node : seen) {
      if (nodes_[node].parent == kNone) continue;
      const std::vector<std::uint8_t>& outer = shown_[nodes_[node].parent];
      std::vector<std::uint8_t>& own = shown_[node];
      for (std::size_t frame = 0; frame <= frames_; ++frame) own[frame] = own[frame] & outer[frame];
    }
  }

  void sample_channel(const Animation& animation, const Channel& channel, std::size_t first) {
    const bool is_node = channel.path != Path::color;
    const std::uint32_t bone = is_node ? nodes_[channel.target].bone : kNone;
    const bool is_bone = bone != kNone && bone_nodes_[bone] == channel.target;
    const bool is_part = is_node && nodes_[channel.target].is_part;
    const auto shown = is_node ? shown_.find(channel.target) : shown_.end();
    if (channel.path <= Path::scale && !is_bone && !is_part) return;
    if (channel.path == Path::visible && shown == shown_.end()) return;
    std::vector<float>* const depth =
        is_part && channel.path == Path::translation ? &part_depth_[channel.target] : nullptr;
    if (depth != nullptr && depth->empty())
      depth->assign(frames_ + 1, static_cast<float>(nodes_[channel.target].rest.translation.z));
    std::vector<float>* const weights = channel.path == Path::weights ? &weights_[channel.target] : nullptr;
    if (weights != nullptr && weights->empty()) {
      const std::vector<double> rest = rest_weights(channel.target);
      for (std::size_t row = 0; row <= frames_; ++row) {
        for (std::size_t i = 0; i < channel.track.width; ++i)
          weights->push_back(i < rest.size() ? static_cast<float>(rest[i]) : 0);
      }
    }
    std::vector<double> value(std::max<std::size_t>(channel.track.width, 4));
    // Times of keys are rounded, and can be equal if a clip is fast or long.
    const bool has_key_per_frame = animation.is_stored && channel.track.seconds.size() == animation.frames;
    for (std::uint32_t frame = 0; frame < animation.frames; ++frame) {
      const std::size_t to = first + frame;
      if (has_key_per_frame) {
        copy_key(channel.track, frame, value.data());
      } else {
        sample(channel.track, animation.begin(frame), channel.path == Path::rotation, value.data());
      }
      switch (channel.path) {
        case Path::translation:
          if (depth != nullptr) (*depth)[to] = static_cast<float>(value[2]);
          if (is_bone) bones_[bone].samples[to].translation = Vec3(DVec3(value[0], value[1], value[2]));
          break;
        case Path::rotation:
          if (is_bone)
            bones_[bone].samples[to].rotation =
                sample_of({{}, normalized({value[0], value[1], value[2], value[3]})}).rotation;
          break;
        case Path::scale:
          if (is_bone) bones_[bone].samples[to].scale = Vec3(DVec3(value[0], value[1], value[2]));
          break;
        case Path::visible:
          shown->second[to] = value[0] != 0 ? 1 : 0;
          break;
        case Path::color:
          opacity_[channel.target][to] = static_cast<float>(value[3]);
          break;
        case Path::weights:
          std::ranges::copy_n(value.begin(), channel.track.width,
                              weights->begin() + static_cast<std::ptrdiff_t>(to * channel.track.width));
          break;
      }
    }
  }

  /// Returns the world transforms of all bones in a frame.
  [[nodiscard]] std::vector<Matrix> worlds(std::size_t frame) const {
    std::vector<Matrix> result;
    result.reserve(bones_.size());
    for (const Bone& bone : bones_) {
      const Matrix local = matrix_of(bone.samples[frame]);
      result.push_back(bone.parent == kNone ? local : result[bone.parent] * local);
    }
    return result;
  }

  /// Keeps the four largest influences of each vertex, and measures what that changes.
  void limit_influences() {
    struct Cut {
      const Part* part;
      std::uint32_t vertex;
      std::vector<Influence> all;
    };
    std::vector<Cut> cuts;
    for (Part& part : parts_) {
      const std::size_t count = part.positions.size(), sets = part.sets;
      if (sets == 0) {
        part.influences.assign(count * 4, {});
        for (std::size_t vertex = 0; vertex < count; ++vertex) part.influences[vertex * 4] = {bone_of(part), 1};
        continue;
      }
      if (sets == 4) continue;
      std::vector<Influence> kept(count * 4);
      for (std::uint32_t vertex = 0; vertex < count; ++vertex) {
        std::vector<Influence> all(part.influences.begin() + static_cast<std::ptrdiff_t>(vertex * sets),
                                   part.influences.begin() + static_cast<std::ptrdiff_t>((vertex + 1) * sets));
        std::erase_if(all, [](const Influence& influence) { return influence.weight == 0; });
        std::vector<Influence> largest = all;
        if (all.size() > 4) {
          std::ranges::stable_sort(largest, std::greater(),
                                   [](const Influence& each) { return std::abs(each.weight); });
          largest.resize(4);
          double before = 0, after = 0;
          for (const Influence& each : all) before += static_cast<double>(each.weight);
          for (const Influence& each : largest) after += static_cast<double>(each.weight);
          for (Influence& each : largest)
            each.weight = after > 0 ? static_cast<float>(static_cast<double>(each.weight) * before / after) : 0.25F;
          cuts.push_back({&part, vertex, std::move(all)});
        }
        std::ranges::copy(largest, kept.begin() + static_cast<std::ptrdiff_t>(vertex) * 4);
      }
      part.influences = std::move(kept);
      part.sets = 4;
    }
    if (cuts.empty()) return;
    // Of too many frames, some are looked at.
    constexpr std::size_t kMaxWork = std::size_t{1} << 22;
    const std::size_t most = std::max<std::size_t>(kMaxWork / (cuts.size() + bones_.size()), 1);
    const std::size_t step = frames_ / most + 1;
    double worst = 0;
    const Cut* found = &cuts.front();
    std::vector<Matrix> inverse;
    for (const Bone& bone : bones_) inverse.push_back(is_invertible(bone.bind) ? glm::inverse(bone.bind) : Matrix(1.0));
    for (std::size_t frame = 0; frame < frames_; frame += step) {
      const std::vector<Matrix> world = worlds(frame);
      for (const Cut& cut : cuts) {
        const DVec3 position(cut.part->positions[cut.vertex]);
        DVec3 difference(0.0);
        const auto add = [&](const Influence& influence, double sign) {
          difference += apply(world[influence.joint], apply(inverse[influence.joint], position)) *
                        (sign * static_cast<double>(influence.weight));
        };
        for (const Influence& each : cut.all) add(each, 1);
        for (std::size_t i = 0; i < 4; ++i) add(cut.part->influences[cut.vertex * 4 + i], -1);
        if (glm::length(difference) <= worst) continue;
        worst = glm::length(difference);
        found = &cut;
      }
    }
    warn_at(DiagnosticId::influences_dropped, *found->part->json,
            "has {} with more than four influences, which without the others move by up to {:.3g}",
            counted(cuts.size(), "vertex", "vertices"), worst);
  }

  // Morph targets

  void fit_morphs() {
    Box box;
    for (const Part& part : parts_) {
      for (const Vec3& position : part.positions) box.include(position);
    }
    const double tolerance = options_.deform_tolerance / 1000 * static_cast<double>(glm::length(box.size()));
    std::uint64_t places_left = options_.limits.max_bone_samples / 4;
    FitWork work{.operations = max_fit_operations(options_.limits, keys_), .fits = 0, .progress = options_.fitting};
    const auto weights_of = [&](const Part& part) {
      const auto weights = weights_.find(part.node);
      return part.targets.empty() || weights == weights_.end() ? std::span<const float>() : weights->second;
    };
    for (const Part& part : parts_) work.fits += weights_of(part).empty() ? 0 : 1;
    for (Part& part : parts_) {
      if (const auto weights = weights_of(part); !weights.empty())
        fit_morph(part, weights, tolerance, places_left, work);
      if (error_) return;
    }
  }

  /// What bones were fitted to: what a part is made of, and its weights.
  struct Morph {
    std::span<const std::uint32_t> shape;
    std::span<const float> weights;

    bool operator<(const Morph& other) const noexcept {
      const auto order =
          std::lexicographical_compare_three_way(shape.begin(), shape.end(), other.shape.begin(), other.shape.end());
      return order != 0 ? order < 0 : std::ranges::lexicographical_compare(weights, other.weights);
    }
  };
  struct FittedMorph {
    const Part* part = nullptr;
    std::uint32_t parent = 0;            ///< Bone of the part, if it is local.
    std::uint32_t first = 0, bones = 0;  ///< The added bones.
    double size = 1, max_error = 0;      ///< Size of the part's space, if it is local.
  };

  /// Lets a part follow the bones that were fitted for an equal one. If it has a place of its own, it gets bones of its
  /// own that move alike.
  void copy_fit(const FittedMorph& fitted, std::uint32_t parent, Part& part) {
    part.influences = fitted.part->influences;
    if (part.skin != kNone) return;
    const auto first = static_cast<std::uint32_t>(bones_.size());
    for (std::uint32_t number = 0; number < fitted.bones && !error_; ++number) {
      (void)add_bone(repeated(part.name, fmt::format("~morph {}", number + 1)), parent);
      bones_.back().samples = bones_[fitted.first + number].samples;
    }
    for (Influence& influence : part.influences) {
      if (influence.weight == 0) continue;
      influence.joint = influence.joint == fitted.parent ? parent : influence.joint - fitted.first + first;
    }
  }

  /// Adds bones that move the vertices of a part like its morph targets.
  void fit_morph(Part& part, std::span<const float> weights, double tolerance, std::uint64_t& places_left,
                 FitWork& work) {
    const std::size_t width = weights.size() / (frames_ + 1), targets = std::min(width, part.targets.size());
    std::vector<DVec3> rest;
    std::vector<std::uint32_t> moving;
    for (std::uint32_t vertex = 0; vertex < part.positions.size(); ++vertex) {
      DVec3 position(part.positions[vertex]);
      bool moves = false;
      for (std::size_t target = 0; target < targets; ++target) {
        if (part.targets[target].empty()) continue;
        const Vec3 offset = part.targets[target][vertex];
        moves |= offset != Vec3{0.0F};
        position += DVec3(offset) * static_cast<double>(weights[frames_ * width + target]);
      }
      part.positions[vertex] = Vec3(position);
      if (!moves) continue;
      moving.push_back(vertex);
      rest.push_back(position);
    }
    if (moving.empty()) return;
    if (frames_ > places_left / moving.size()) {
      warn_at(DiagnosticId::gltf_part_ignored, *part.json,
              "has morph targets that move {} in {}, which is too much, so it keeps its shape",
              counted(moving.size(), "vertex", "vertices"), counted(frames_, "frame"));
      return;
    }
    places_left -= frames_ * moving.size();
    // The bones that move these vertices already. If it is only one, the shape changes in its space.
    std::vector<std::uint32_t> used;
    for (const std::uint32_t vertex : moving) {
      for (std::size_t slot = 0; slot < 4; ++slot) {
        const Influence& influence = part.influences[vertex * 4 + slot];
        if (influence.weight != 0) used.push_back(influence.joint);
      }
    }
    std::ranges::sort(used);
    used.erase(std::ranges::unique(used).begin(), used.end());
    const Matrix bind = bones_[used.front()].bind;
    const bool is_local = used.size() == 1 && is_invertible(bind) && is_similar(bind);
    FittedMorph fitted{.part = &part, .parent = used.front(), .size = is_local ? glm::length(DVec3(bind[0])) : 1};
    const auto known = is_local || part.skin != kNone ? morphs_.find({part.shape, weights}) : morphs_.end();
    if (known != morphs_.end()) {
      const double ratio = fitted.size / known->second.size;
      if (ratio < 1 + 1e-4 || known->second.max_error * ratio <= tolerance) {
        ++work.done;
        return copy_fit(known->second, used.front(), part);
      }
    }
    const auto keep_shape = [&] {
      warn_at(
          DiagnosticId::fit_cut_short, *part.json,
          "has morph targets that move {} in {}, and keeps its shape: bones for them would take more operations than "
          "are left to this file",
          counted(moving.size(), "vertex", "vertices"), counted(frames_, "frame"));
    };
    if (!work.spend(frames_ * ((is_local ? 0 : 100 * bones_.size()) + moving.size() * (3 * targets + 60)))) {
      return keep_shape();
    }
    std::vector<double> rest_numbers, places, fixed(used.size() * frames_ * 12);
    for (const DVec3& position : rest) rest_numbers.insert(rest_numbers.end(), {position.x, position.y, position.z});
    places.reserve(frames_ * moving.size() * 3);
    std::vector<Matrix> inverse;
    for (const std::uint32_t bone : used)
      inverse.push_back(is_invertible(bones_[bone].bind) ? glm::inverse(bones_[bone].bind) : Matrix(1.0));
    double largest = 0;
    for (std::size_t frame = 0; frame < frames_; ++frame) {
      std::vector<Matrix> palette(used.size(), Matrix(1.0));
      if (!is_local) {
        const std::vector<Matrix> world = worlds(frame);
        for (std::size_t i = 0; i < used.size(); ++i) palette[i] = world[used[i]] * inverse[i];
      }
      for (std::size_t i = 0; i < used.size(); ++i) {
        for (int k = 0; k < 12; ++k)
          fixed[(i * frames_ + frame) * 12 + static_cast<std::size_t>(k)] = palette[i][k % 4][k / 4];
      }
      for (std::size_t i = 0; i < moving.size(); ++i) {
        DVec3 offset(0.0), place(0.0);
        for (std::size_t target = 0; target < targets; ++target) {
          if (part.targets[target].empty()) continue;
          const float change = weights[frame * width + target] - weights[frames_ * width + target];
          offset += DVec3(part.targets[target][moving[i]]) * static_cast<double>(change);
        }
        largest = std::max(largest, glm::length(offset));
        double sum = 0;
        for (std::size_t slot = 0; slot < 4; ++slot) {
          const Influence& influence = part.influences[moving[i] * 4 + slot];
          if (influence.weight == 0) continue;
          const auto bone = static_cast<std::size_t>(std::ranges::lower_bound(used, influence.joint) - used.begin());
          place += apply(palette[bone], rest[i] + offset) * static_cast<double>(influence.weight);
          sum += static_cast<double>(influence.weight);
        }
        if (sum != 0) place /= sum;
        places.insert(places.end(), {place.x, place.y, place.z});
      }
    }
    const Deformation deformation{3, rest_numbers, places, fixed};
    const Fit fit = fit_bones(deformation, tolerance, kMaxFittedBones, work, options_.executor);
    if (fit.influences.empty()) return keep_shape();
    const auto first = static_cast<std::uint32_t>(bones_.size());
    for (std::uint32_t number = 0; number < fit.bones; ++number) {
      const std::string name = repeated(part.name, fmt::format("~morph {}", number + 1));
      if (error_) return;
      if (is_local) {
        (void)add_bone(name, used.front());
      } else {
        Bone& bone = bones_.emplace_back();
        bone.name = name;
        bone.samples.resize(frames_);
        bone_nodes_.push_back(kNone);
      }
      for (std::size_t frame = 0; frame < frames_; ++frame) {
        Matrix motion(1.0);
        for (int k = 0; k < 12; ++k)
          motion[k % 4][k / 4] = fit.motions[(number * frames_ + frame) * 12 + static_cast<std::size_t>(k)];
        if (is_local) motion = inverse[0] * motion * bind;
        bones_.back().samples[frame] = sample_of(decompose(motion));
      }
    }
    for (std::size_t i = 0; i < moving.size(); ++i) {
      for (std::size_t slot = 0; slot < 4; ++slot) {
        const std::uint32_t number = fit.influences[i * 4 + slot];
        const float weight = fit.weights[i * 4 + slot];
        const std::uint32_t bone =
            number < used.size() ? used[number] : first + number - static_cast<std::uint32_t>(used.size());
        part.influences[moving[i] * 4 + slot] = {weight == 0 ? 0 : bone, weight};
      }
    }
    fitted.first = first;
    fitted.bones = fit.bones;
    fitted.max_error = fit.max_error;
    morphs_.insert_or_assign({part.shape, weights}, fitted);
    const DiagnosticId id = fit.max_error <= tolerance ? DiagnosticId::gltf_morph_fitted
                            : fit.is_cut               ? DiagnosticId::fit_cut_short
                                                       : DiagnosticId::gltf_morph_inexact;
    warn_at(
        id, *part.json,
        "has morph targets that move vertices by up to {:.3g}; with {} added, the error is at most {:.3g}, {:.3g} "
        "on average{}",
        largest, counted(fit.bones, "bone"), fit.max_error, fit.mean_error,
        id == DiagnosticId::fit_cut_short ? "; more bones would take more operations than are left to this file" : "");
  }

  /// Returns whether a transform only moves, turns and scales evenly.
  static bool is_similar(const Matrix& matrix) noexcept {
    const DVec3 x(matrix[0]), y(matrix[1]), z(matrix[2]);
    const double size = glm::dot(x, x);
    return std::abs(glm::dot(y, y) - size) + std::abs(glm::dot(z, z) - size) + std::abs(glm::dot(x, y)) +
                   std::abs(glm::dot(y, z)) + std::abs(glm::dot(x, z)) <=
               1e-4 * size &&
           glm::determinant(glm::dmat3(matrix)) > 0;
  }

  // Meshes of the character

  struct State {
    std::vector<std::uint8_t> visible;  ///< Per frame, then in the bind pose.
    std::vector<std::int32_t> z_order;
    std::vector<float> opacity;
    bool operator==(const State&) const = default;
  };

  void add_mesh(const Part& part, std::uint32_t part_number) {
    const auto begin = [&] {
      data.meshes.push_back({part.name, part.image, static_cast<std::uint32_t>(data.vertices.size()), 0,
                             static_cast<std::uint32_t>(data.indices.size()), 0});
      mesh_parts_.push_back(part_number);
    };
    const auto add_vertex = [&](std::size_t number) {
      Vertex vertex{part.positions[number].x, part.positions[number].y, part.uvs[number].x, part.uvs[number].y, {}, {}};
      for (std::size_t slot = 0; slot < 4; ++slot) {
        const Influence& influence = part.influences[number * 4 + slot];
        if (influence.weight == 0) continue;
        vertex.bones[slot] = static_cast<std::uint16_t>(influence.joint);
        vertex.weights[slot] = influence.weight;
      }
      data.vertices.push_back(vertex);
      data.vertices_3d.push_back({part.positions[number].z, part.normals[number]});
      ++data.meshes.back().vertex_count;
    };
    begin();
    if (part.positions.size() <= kMaxVertices) {
      for (std::size_t i = 0; i < part.positions.size(); ++i) add_vertex(i);
      for (const std::uint32_t index : part.indices) data.indices.push_back(static_cast<std::uint16_t>(index));
      data.meshes.back().index_count = static_cast<std::uint32_t>(part.indices.size());
      return;
    }
    std::vector<std::pair<std::size_t, std::uint16_t>> known(part.positions.size());
    for (std::size_t i = 0; i < part.indices.size(); i += 3) {
      if (data.meshes.back().vertex_count + 3 > kMaxVertices) begin();
      for (std::size_t corner = i; corner < i + 3; ++corner) {
        const std::uint32_t index = part.indices[corner];
        if (known[index].first != data.meshes.size()) {
          known[index] = {data.meshes.size(), static_cast<std::uint16_t>(data.meshes.back().vertex_count)};
          add_vertex(index);
        }
        data.indices.push_back(known[index].second);
      }
      data.meshes.back().index_count += 3;
    }
  }

  [[nodiscard]] std::uint32_t governing_bone(const Mesh& mesh) const {
    std::map<std::uint32_t, double> sums;
    for (std::uint32_t i = mesh.first_vertex; i < mesh.first_vertex + mesh.vertex_count; ++i) {
      for (std::size_t slot = 0; slot < 4; ++slot) {
        if (data.vertices[i].weights[slot] != 0)
          sums[data.vertices[i].bones[slot]] += static_cast<double>(data.vertices[i].weights[slot]);
      }
    }
    const auto best = std::ranges::max_element(sums, {}, [](const auto& sum) { return sum.second; });
    return best == sums.end() ? 0 : best->first;
  }

  /// Makes the meshes, and gives each a bone that carries when it is visible, how opaque it is and, in 2D, its order.
  void govern_parts() {
    is_flat_ = (options_.flat || is_own_flat_) && find_flat();
    if (error_) return;
    for (std::uint32_t i = 0; i < parts_.size(); ++i) add_mesh(parts_[i], i);
    std::vector<State> states(parts_.size());
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const Part& part = parts_[i];
      if (const auto shown = shown_.find(part.node); shown != shown_.end()) states[i].visible = shown->second;
      if (std::ranges::count(states[i].visible, 0) == 0) states[i].visible.clear();
      const auto opacity = part.material == kNone ? opacity_.end() : opacity_.find(part.material);
      if (is_flat_ && opacity != opacity_.end()) states[i].opacity = opacity->second;
    }
    if (is_flat_) order_parts(states);
    std::map<std::uint32_t, std::vector<std::pair<const State*, std::uint32_t>>> carried;  // by bone
    for (std::size_t number = 0; number < data.meshes.size(); ++number) {
      const Mesh& mesh = data.meshes[number];
      const State& state = states[mesh_parts_[number]];
      const std::uint32_t governor = governing_bone(mesh);
      auto& known = carried[governor];
      auto found = std::ranges::find_if(known, [&](const auto& each) { return *each.first == state; });
      if (found == known.end()) {
        const std::uint32_t bone = known.empty() ? governor : add_bone(repeated(mesh.name, "~mesh"), governor);
        known.emplace_back(&state, bone);
        found = known.end() - 1;
        bones_[bone].visible = state.visible;
        bones_[bone].z_order = state.z_order;
        bones_[bone].opacity = state.opacity;
      }
      if (found->second == governor) continue;
      if (found->second >= kMaxBones) {
        return fail(DiagnosticId::limit_exceeded, tree_.root(), fmt::format("needs more than {} bones", kMaxBones));
      }
      for (std::uint32_t i = mesh.first_vertex; i < mesh.first_vertex + mesh.vertex_count; ++i) {
        for (std::uint16_t& bone : data.vertices[i].bones) {
          if (bone == governor) bone = static_cast<std::uint16_t>(found->second);
        }
      }
    }
    for (std::size_t i = 0; i < parts_.size() && !is_flat_; ++i) {
      const Part& part = parts_[i];
      if (part.material == kNone || part.material >= materials_json_.size()) continue;
      const Material& material = materials_[part.material];
      if (material.is_fading || material.alpha == Material::Alpha::blend) {
        warn_at(DiagnosticId::gltf_material_simplified, *materials_json_[part.material],
                "is translucent, but is drawn opaque where its opacity is at least a half");
      }
    }
  }

  // 2D

  static bool keeps_plane(const Quat& q) noexcept {
    constexpr float kTolerance = 1e-4F;
    return std::abs(q.x) + std::abs(q.y) < kTolerance || std::abs(q.z) + std::abs(q.w) < kTolerance;
  }

  /// Returns whether all bones stay in planes of constant z, and all meshes lie in one.
  bool find_flat() {
    std::string problem;
    for (const Bone& bone : bones_) {
      if (!problem.empty()) break;
      bool is_kept = keeps_plane(bone.bind_local.rotation);
      for (const Sample& each : bone.samples) is_kept = is_kept && keeps_plane(each.rotation);
      if (!is_kept) problem = fmt::format("bone \"{}\" turns around another axis than z", printable(bone.name));
    }
    for (const Part& part : parts_) {
      if (!problem.empty()) break;
      Box box;
      for (const Vec3& position : part.positions) box.include(position);
      const Vec3 size = box.size();
      if (size.z > 1e-3F * std::max(size.x, size.y)) {
        problem = fmt::format("mesh \"{}\" is {:.3g} deep", printable(part.name), size.z);
      }
    }
    if (problem.empty()) return true;
    if (options_.flat) fail(DiagnosticId::gltf_not_flat, tree_.root(), "cannot be opened in 2D: " + problem);
    return false;
  }

  /// Finds the draw order of all parts in each frame by their depths.
  void order_parts(std::vector<State>& states) {
    std::vector<std::vector<double>> depths(parts_.size(), std::vector<double>(frames_ + 1));
    for (std::size_t frame = 0; frame <= frames_; ++frame) {
      std::vector<Matrix> world;
      if (!is_own_flat_) {
        if (frame < frames_) world = worlds(frame);
        for (const Bone& bone : bones_) {
          if (frame == frames_) world.push_back(bone.bind);
        }
      }
      for (std::size_t i = 0; i < parts_.size(); ++i) {
        const Part& part = parts_[i];
        double& depth = depths[i][frame];
        if (is_own_flat_) {
          depth = static_cast<double>(part.positions[0].z);
          const auto own = part_depth_.find(part.part_node);
          if (own != part_depth_.end()) depth += static_cast<double>(own->second[frame]);
          continue;
        }
        for (std::size_t slot = 0; slot < 4; ++slot) {
          const Influence& influence = part.influences[slot];
          if (influence.weight == 0) continue;
          const Matrix& bind = bones_[influence.joint].bind;
          const Matrix inverse = is_invertible(bind) ? glm::inverse(bind) : Matrix(1.0);
          depth += apply(world[influence.joint] * inverse, DVec3(part.positions[0])).z *
                   static_cast<double>(influence.weight);
        }
      }
    }
    const double step = is_own_flat_ ? number(stored_, "depthStep", 1) : 0;
    std::vector<double> ranks;
    double size = 0;
    for (const Part& part : parts_) {
      for (const Vec3& position : part.positions)
        size = std::max({size, static_cast<double>(std::abs(position.x)), static_cast<double>(std::abs(position.y))});
    }
    if (!(step > 0)) {
      for (const std::vector<double>& of_part : depths) ranks.insert(ranks.end(), of_part.begin(), of_part.end());
      std::ranges::sort(ranks);
      const double same = 1e-6 * size;
      ranks.erase(
          std::unique(ranks.begin(), ranks.end(), [&](double left, double right) { return right - left <= same; }),
          ranks.end());
    }
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      for (const double depth : depths[i]) {
        const double order =
            step > 0 ? std::round(depth / step)
                     : static_cast<double>(std::ranges::upper_bound(ranks, depth + 1e-6 * size) - ranks.begin() - 1);
        states[i].z_order.push_back(static_cast<std::int32_t>(std::clamp(order, -2147483648.0, 2147483647.0)));
      }
    }
  }

  void put(const Sample& sample, std::size_t to, BoneSamples& samples) const {
    samples.x[to] = sample.translation.x;
    samples.y[to] = sample.translation.y;
    samples.scale_x[to] = sample.scale.x;
    samples.scale_y[to] = sample.scale.y;
    const Quat& q = sample.rotation;
    if (!is_flat_) {
      samples.samples_3d[to] = {q, sample.translation.z, sample.scale.z};
      return;
    }
    constexpr double kDegrees = 180 / 3.14159265358979323846;
    if (std::abs(q.x) + std::abs(q.y) < 0.5F) {
      const double angle = 2 * std::atan2(static_cast<double>(q.z), static_cast<double>(q.w)) * kDegrees;
      samples.rotation_degrees[to] = static_cast<float>(std::remainder(angle, 360));
      return;
    }
    // Half a turn around an axis in the plane mirrors it.
    const double angle = 2 * std::atan2(static_cast<double>(q.y), static_cast<double>(q.x)) * kDegrees;
    samples.rotation_degrees[to] = static_cast<float>(std::remainder(angle, 360));
    samples.scale_y[to] = -sample.scale.y;
  }

  void make_character() {
    data.is_3d = !is_flat_;
    if (is_flat_) data.vertices_3d.clear();
    const std::size_t bones = bones_.size();
    for (const Bone& bone : bones_) data.bones.push_back({bone.name, BoneId{bone.parent}});
    const auto copy = [&](std::size_t first, std::size_t count, BoneSamples& samples, bool is_bind) {
      samples.resize(count * bones);
      if (!is_flat_) samples.samples_3d.resize(count * bones);
      bool fades = false;
      for (std::size_t number = 0; number < bones; ++number) {
        const Bone& bone = bones_[number];
        for (std::size_t frame = 0; frame < count; ++frame) {
          const std::size_t to = frame * bones + number, from = first + frame;
          put(is_bind ? bone.bind_local : bone.samples[from], to, samples);
          if (!bone.visible.empty()) samples.visible[to] = bone.visible[from];
          if (!bone.z_order.empty()) samples.z_order[to] = bone.z_order[from];
          if (bone.opacity.empty()) continue;
          samples.opacity[to] = std::clamp(bone.opacity[from], 0.0F, 1.0F);
          fades |= samples.opacity[to] != 1;
        }
      }
      if (!fades) samples.opacity = {};
    };
    copy(frames_, 1, data.bind_pose, true);
    double rate = options_.frames_per_second > 0 || is_flat_ ? 0 : 30;
    std::size_t first = 0;
    for (Animation& animation : animations_) {
      Clip& clip = data.clips.emplace_back();
      clip.name = std::move(animation.name);
      clip.group = std::move(animation.group);
      clip.looping = animation.looping;
      clip.loop_start = animation.loop_start;
      clip.frames_per_second = animation.rate;
      clip.frame_count = animation.frames;
      clip.frame_ends = std::move(animation.ends);
      copy(first, animation.frames, clip.samples, false);
      first += animation.frames;
      rate = std::max(rate, clip.frames_per_second);
    }
    data.frames_per_second = static_cast<std::uint32_t>(std::lround(std::clamp(rate, 1.0, 1.0e6)));
    const JsonNode* const stored = find_field(stored_, "fps");
    if (stored != nullptr && options_.frames_per_second == 0) {
      data.frames_per_second = static_cast<std::uint32_t>(std::min<std::uint64_t>(whole(*stored), 0xFFFFFFFF));
    }
    const JsonNode* const pixel_art = find_field(stored_, "pixelArt");
    data.pixel_art = pixel_art != nullptr && pixel_art->number != 0 && is_flat_;
  }

  inline static const Material kPlain{};

  std::uint64_t pixels_left_ = 0;
  const std::uint64_t max_name_bytes_;
  std::uint64_t name_bytes_left_;
  bool is_own_flat_ = false, is_flat_ = false;
  std::vector<Node> nodes_;
  std::vector<bool> is_in_scene_;
  std::vector<Skin> skins_;
  std::vector<Material> materials_;
  std::map<std::tuple<std::uint32_t, std::array<double, 4>, Material::Alpha, double>, ImageId> images_known_;
  std::vector<Animation> animations_;
  std::vector<Part> parts_;
  std::vector<Bone> bones_;
  std::vector<std::uint32_t> bone_nodes_;  // Node of each bone.
  bool rest_differs_ = false;              // The nodes do not rest in the bind pose.
  std::uint64_t keys_ = 0;
  double total_frames_ = 0;
  std::size_t frames_ = 0;                                    // of all clips
  std::map<std::uint32_t, std::vector<std::uint8_t>> shown_;  // by node, per frame, then at rest
  std::map<std::uint32_t, std::vector<float>> opacity_;       // by material
  std::map<std::uint32_t, std::vector<float>> weights_;       // by node: those of all targets per frame, then at rest
  std::map<std::uint32_t, std::vector<float>> part_depth_;    // by node
  std::map<Morph, FittedMorph> morphs_;
  std::vector<std::uint32_t> mesh_parts_;  // Part of each mesh of the character.
};

}  // namespace
}  // namespace pchr::gltf

namespace pchr {

bool looks_like_gltf(const Source& source) {
  const std::string_view text = gltf::as_text(source.bytes);
  if (text.starts_with("glTF")) return true;
  const std::size_t start =
      text.find_first_not_of(text.starts_with("\xEF\xBB\xBF") ? "\xEF\xBB\xBF \t\r\n" : " \t\r\n");
  if (start == std::string_view::npos || text[start] != '{') return false;
  constexpr std::size_t kSniffedBytes = std::size_t{64} << 10;
  const std::string head(text.substr(start, kSniffedBytes));
  JsonReader reader(JsonText{head});
  enum class Verdict : std::uint8_t { unknown, yes, no } verdict = Verdict::unknown;
  // A truncated text fails here only if none of these keys came before.
  (void)reader.read_document([&] {
    return reader.read_object([&](std::string_view key) {
      static constexpr std::string_view kLists[] = {"accessors", "bufferViews", "buffers", "scenes", "nodes"};
      const bool is_list =
          reader.type() == JsonReader::Type::array && std::ranges::find(kLists, key) != std::end(kLists);
      const bool is_asset = reader.type() == JsonReader::Type::object && key == "asset";
      if (is_list || is_asset) verdict = Verdict::yes;
      if (key == "bones" || key == "armature" || key == "skeleton") verdict = Verdict::no;
      return verdict == Verdict::unknown && reader.skip();
    });
  });
  return verdict == Verdict::yes || (verdict == Verdict::unknown && extension_of(source.path) == ".gltf");
}

Expected<Imported, LoadError> read_gltf(const Source& source, const ReaderOptions& options) {
  std::string copy;
  JsonText json;
  std::optional<std::span<const std::byte>> binary;
  if (gltf::as_text(source.bytes).starts_with("glTF")) {
    const auto broken = [](std::uint64_t offset, std::string detail) {
      return fail(DiagnosticId::gltf_container_broken, offset, std::move(detail));
    };
    const auto number = [&](std::uint64_t offset) {
      std::uint32_t value = 0;
      std::memcpy(&value, source.bytes.data() + offset, sizeof(value));
      return value;
    };
    if (source.bytes.size() < 20) {
      return fail(
          DiagnosticId::truncated, std::uint64_t{0},
          fmt::format("the header and the first chunk need 20 bytes, but the file has {}", source.bytes.size()));
    }
    if (number(4) != 2) {
      return fail(DiagnosticId::unsupported_version, std::uint64_t{4},
                  fmt::format("the version is {}, but 2 is supported", number(4)));
    }
    if (number(8) > source.bytes.size()) {
      return fail(DiagnosticId::truncated, std::uint64_t{8},
                  fmt::format("the header says {} bytes, but the file has {}", number(8), source.bytes.size()));
    }
    std::uint64_t at = 12;
    const std::uint64_t end = number(8);
    while (at + 8 <= end) {
      const std::uint64_t length = number(at);
      const std::uint32_t type = number(at + 4);
      if (length > end - at - 8) {
        return broken(at, fmt::format("a chunk has {} bytes, but only {} remain", length, end - at - 8));
      }
      const auto chunk = source.bytes.subspan(at + 8, length);
      if (type == gltf::kJsonChunk && copy.empty()) {
        copy = gltf::as_text(chunk);
        json = {copy, static_cast<std::size_t>(at) + 8};
      } else if (type == gltf::kBinaryChunk && !binary) {
        binary = chunk;
      }
      at += 8 + length;
    }
    if (copy.empty()) return broken(12, "the file has no JSON chunk");
  } else {
    json.text = gltf::as_text(source.bytes);
    if (source.readable == source.bytes.size() || source.bytes.data()[source.bytes.size()] != std::byte{0})
      json.text = copy = json.text;
    if (json.text.starts_with("\xEF\xBB\xBF")) json = {json.text.substr(3), 3};
  }
  const auto tree = JsonTree::read(json);
  if (!tree) return Unexpected(tree.error());
  Warnings warnings;
  gltf::Reader reader(*tree, binary, source.bytes.size(), options, warnings);
  if (auto problem = reader.read()) return Unexpected(*std::move(problem));
  auto character = CharacterBuilder::build(std::move(reader.data), options.bind_pose, {}, std::move(warnings));
  if (!character) return Unexpected(std::move(character.error()));
  return Imported{.character = *std::move(character), .format = "glTF 2.0"};
}

}  // namespace pchr
