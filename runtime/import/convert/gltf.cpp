// SPDX-License-Identifier: MIT
// Writes characters as glTF 2.0, which uses the same space: right-handed, y up, seen from +z. The draw order of 2D
// characters becomes depth.
#include "character/byte_writer.hpp"
#include "character/fail.hpp"
#include "character/json.hpp"
#include "import/convert/convert.hpp"

#include <pchr/3d.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <ranges>

namespace pchr {
namespace {

// OpenGL constants.
constexpr int kUint8 = 5121, kUint16 = 5123, kFloat = 5126, kVertices = 34962, kIndices = 34963, kNearest = 9728,
              kLinear = 9729, kLinearMipmaps = 9987, kRepeat = 10497, kClamp = 33071;

/// Times and numbers that readers accept.
constexpr double kMaxSeconds = 1e6, kMaxNumber = 1e30;
/// Readers want a key for so many samples of a file with more than so many.
constexpr std::size_t kSamplesPerKey = 64, kFreeSamples = std::size_t{1} << 20;

/// Binary buffer with its views and accessors.
class GltfBuffer {
 public:
  /// Adds a view of `bytes` for the GPU target `target`. Returns its index.
  std::size_t add_view(std::span<const std::byte> bytes, int target = 0) {
    views_.begin_object().fields("buffer", 0, "byteOffset", size_, "byteLength", bytes.size());
    if (target != 0) views_.fields("target", target);
    views_.end_object();
    out_.write_all(bytes);
    size_ += bytes.size();
    for (; size_ % 4 != 0; ++size_) out_.write(std::byte{0});
    return view_count_++;
  }

  /// Adds an accessor of `values`, with their least and greatest value if required. Returns its index.
  template <typename T, typename Bound = std::array<float, 0>>
  std::size_t add(const std::vector<T>& values, int component, std::string_view type, int target = 0,
                  const Bound& min = {}, const Bound& max = {}) {
    const auto bytes = std::as_bytes(std::span(values));
    for (std::size_t at = 0; component == kFloat && at < bytes.size(); at += sizeof(float)) {
      float value = 0;
      std::memcpy(&value, &bytes[at], sizeof(value));
      note(static_cast<double>(value));
    }
    const std::size_t view = add_view(bytes, target);
    accessors_.begin_object().fields("bufferView", view, "componentType", component, "count", values.size(), "type",
                                     type);
    if (min.size() > 0) accessors_.fields("min", min, "max", max);
    accessors_.end_object();
    return accessor_count_++;
  }

  /// Notes a number that the file has, here or in its JSON.
  void note(double value) noexcept {
    if (!(std::abs(value) <= std::abs(largest_))) largest_ = value;
  }
  /// Returns the number of the largest magnitude.
  [[nodiscard]] double largest() const noexcept { return largest_; }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  /// Writes the members that describe the buffer.
  void write(JsonWriter& json) {
    if (size_ == 0) return;
    if (accessor_count_ > 0) json.key("accessors").literal(accessors_.end_array().text);
    json.key("bufferViews").literal(views_.end_array().text);
    json.key("buffers").begin_array().object("byteLength", size_).end_array();
  }
  [[nodiscard]] std::vector<std::byte> take() { return out_.take(); }

 private:
  static JsonWriter begin_list() {
    JsonWriter json;
    json.begin_array(JsonWriter::dense);
    return json;
  }

  ByteWriter out_;
  double largest_ = 0;
  std::size_t size_ = 0, view_count_ = 0, accessor_count_ = 0;
  JsonWriter views_ = begin_list(), accessors_ = begin_list();
};

std::array<float, 3> list(Vec3 value) { return {value.x, value.y, value.z}; }
std::array<float, 4> list(const Quat& value) { return {value.x, value.y, value.z, value.w}; }

/// Local transform of a bone.
struct Local {
  Vec3 translation, scale;
  Quat rotation;
};

Local local_of(const PoseView& pose, std::size_t bone) {
  const Vec2 place{pose.x[bone], pose.y[bone]}, scale{pose.scale_x[bone], pose.scale_y[bone]};
  if (pose.samples_3d.empty()) {
    const double half = static_cast<double>(pose.rotation_degrees[bone]) * (3.14159265358979323846 / 360);
    return {{place.x, place.y, 0},
            {scale.x, scale.y, 1},
            {0, 0, static_cast<float>(std::sin(half)), static_cast<float>(std::cos(half))}};
  }
  const BoneSample3D& depth = pose.samples_3d[bone];
  return {{place.x, place.y, depth.z}, {scale.x, scale.y, depth.scale_z}, normalized(depth.rotation)};
}

/// A mesh with triangles, and what its governing bone says about it.
struct GltfPart {
  std::uint32_t mesh = 0;
  std::size_t governor = 0;
  bool is_hidden = false;     ///< In some frame.
  bool is_reordered = false;  ///< In some frame, its order is not that of the bind pose.
  bool is_fading = false;     ///< In some frame, its opacity is not 1.
  std::size_t material = 0;
  std::vector<std::uint16_t> bones{};  ///< That move it, if it has joints of its own.
  std::size_t first_joint = 0;         ///< Node of the first of these joints.
};

class GltfWriter {
 public:
  GltfWriter(const Character& character, std::span<const Image> images, std::uint64_t max_bytes)
      : character_(character),
        data_(character.data()),
        bind_(character.bind_pose()),
        bones_(character.bones().size()),
        images_(images),
        max_bytes_(max_bytes) {
    for (const Clip& clip : data_.clips) frames_ += clip.frame_count;
  }

  /// Returns the number of the largest magnitude that was written.
  [[nodiscard]] double largest() const noexcept { return buffer_.largest(); }

  std::vector<std::byte> write() {
    find_parts();
    // The nodes are the bones, their root, the meshes, and joints of single meshes. Only its skin moves a mesh.
    json_.begin_object(JsonWriter::dense);
    write_asset();
    json_.fields("scene", 0).key("scenes").begin_array().begin_object().key("nodes").begin_array();
    json_.value(bones_);
    std::vector<std::size_t> order(parts_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    // Viewers that sort by the positions of nodes, which are all equal, draw in this order.
    std::ranges::stable_sort(order, {}, [&](std::size_t part) { return order_at(bind_, parts_[part]); });
    for (const std::size_t part : order) json_.value(first_mesh_node() + part);
    json_.end_array().end_object().end_array();
    write_nodes();
    if (!parts_.empty()) {
      json_.list("meshes", parts_, [&](const GltfPart& part) { write_mesh(part); });
      write_materials();
    }
    write_skins();
    write_animations();
    buffer_.write(json_);
    return file(json_.end_object().text);
  }

 private:
  [[nodiscard]] std::size_t first_mesh_node() const noexcept { return bones_ + 1; }

  std::int32_t order_at(const PoseView& pose, const GltfPart& part) const {
    return data_.is_3d ? 0 : pose.z_order[part.governor];
  }
  bool is_visible_at(const PoseView& pose, const GltfPart& part) const { return pose.visible[part.governor] != 0; }
  float opacity_at(const PoseView& pose, const GltfPart& part) const {
    return data_.is_3d || pose.opacity.empty() ? 1 : pose.opacity[part.governor];
  }
  /// Returns the pose of a key. A clip without frames has one key, which shows the bind pose.
  [[nodiscard]] PoseView pose_at(const Clip& clip, std::uint32_t key) const {
    return clip.frame_count == 0 ? bind_ : clip.samples.frame(key, bones_);
  }

  void find_parts() {
    std::int64_t deepest = 1;
    for (const MeshId id : character_.meshes().ids()) {
      const Mesh& mesh = character_.meshes()[id];
      if (mesh.index_count == 0) continue;
      GltfPart part{.mesh = static_cast<std::uint32_t>(index(id)), .governor = index(character_.governing_bone(id))};
      part.material = static_cast<std::size_t>(mesh.image);
      const auto look_at = [&](const PoseView& pose) {
        part.is_hidden |= !is_visible_at(pose, part);
        part.is_reordered |= order_at(pose, part) != order_at(bind_, part);
        part.is_fading |= opacity_at(pose, part) != 1;
        deepest = std::max(deepest, std::abs(std::int64_t{order_at(pose, part)}));
      };
      look_at(bind_);
      for (const Clip& clip : data_.clips) {
        for (std::uint32_t frame = 0; frame < clip.frame_count; ++frame) {
          look_at(clip.samples.frame(frame, bones_));
        }
      }
      if (part.is_hidden || part.is_reordered) {
        for (const Vertex& vertex : character_.vertices(mesh)) {
          for (std::size_t slot = 0; slot < 4; ++slot) {
            if (vertex.weights[slot] != 0) part.bones.push_back(vertex.bones[slot]);
          }
        }
        std::ranges::sort(part.bones);
        part.bones.erase(std::ranges::unique(part.bones).begin(), part.bones.end());
      }
      parts_.push_back(std::move(part));
    }
    std::size_t next = first_mesh_node() + parts_.size();
    for (GltfPart& part : parts_) {
      part.first_joint = next;
      next += part.bones.size();
      if (!part.is_fading) continue;
      part.material = data_.images.size() + fading_.size();
      fading_.push_back(&part);
    }
    // A power of two, so that depths are exact.
    depth_step_ = std::min(0.125, std::exp2(std::floor(std::log2(512.0 / static_cast<double>(deepest)))));
  }

  void write_asset() {
    json_.key("asset").begin_object().fields("version", "2.0", "generator", "pchr").key("extras").begin_object();
    json_.key("pchr").begin_object().fields("fps", data_.frames_per_second);
    if (!data_.is_3d) json_.fields("depthStep", depth_step_, "pixelArt", data_.pixel_art);
    json_.end_object().end_object().end_object();
    std::vector<std::string_view> extensions;
    const bool hides = std::ranges::any_of(parts_, &GltfPart::is_hidden);
    if (hides || !fading_.empty()) extensions.emplace_back("KHR_animation_pointer");
    if (hides) extensions.emplace_back("KHR_node_visibility");
    if (!data_.is_3d && !parts_.empty() && !data_.images.empty()) extensions.emplace_back("KHR_materials_unlit");
    if (!extensions.empty()) json_.fields("extensionsUsed", extensions);
  }

  void write_nodes() {
    std::vector<std::vector<std::size_t>> children(bones_ + 1);
    for (std::size_t bone = 0; bone < bones_; ++bone) {
      children[std::min(index(data_.bones[bone].parent), bones_)].push_back(bone);
    }
    for (const GltfPart& part : parts_) {
      for (std::size_t i = 0; i < part.bones.size(); ++i) children[part.bones[i]].push_back(part.first_joint + i);
    }
    json_.key("nodes").begin_array();
    for (std::size_t bone = 0; bone < bones_; ++bone) {
      const auto& [translation, scale, rotation] = local_of(bind_, bone);
      for (int axis = 0; axis < 3; ++axis) {
        buffer_.note(static_cast<double>(translation[axis]));
        buffer_.note(static_cast<double>(scale[axis]));
      }
      json_.begin_object().fields("name", data_.bones[bone].name, "translation", list(translation), "rotation",
                                  list(rotation), "scale", list(scale));
      if (!children[bone].empty()) json_.fields("children", children[bone]);
      json_.end_object();
    }
    json_.object("name", "skeleton", "children", children[bones_]);
    std::size_t own_skins = 1;
    for (const GltfPart& part : parts_) {
      const std::size_t mesh = static_cast<std::size_t>(&part - parts_.data());
      json_.begin_object().fields("name", data_.meshes[part.mesh].name, "mesh", mesh);
      json_.fields("skin", part.bones.empty() ? 0 : own_skins++);
      if (part.is_hidden) {
        json_.key("extensions").begin_object().key("KHR_node_visibility");
        json_.object("visible", is_visible_at(bind_, part)).end_object();
      }
      json_.end_object();
    }
    for (const GltfPart& part : parts_) {
      for (const std::uint16_t bone : part.bones) {
        json_.begin_object().fields("name", data_.bones[bone].name + "~" + data_.meshes[part.mesh].name);
        json_.key("extras").begin_object().key("pchr").object("part", true).end_object().end_object();
      }
    }
    json_.end_array();
  }

  void write_mesh(const GltfPart& part) {
    const Mesh& mesh = data_.meshes[part.mesh];
    std::vector<Vec3> positions, normals;
    std::vector<Vec2> uvs;
    std::vector<std::array<std::uint16_t, 4>> joints;
    std::vector<std::array<float, 4>> weights;
    Box box;
    const auto depth = static_cast<float>(order_at(bind_, part) * depth_step_);
    for (std::size_t i = mesh.first_vertex; i < std::size_t{mesh.first_vertex} + mesh.vertex_count; ++i) {
      const Vertex& vertex = data_.vertices[i];
      positions.push_back({vertex.x, vertex.y, data_.is_3d ? data_.vertices_3d[i].z : depth});
      box.include(positions.back());
      if (data_.is_3d) normals.push_back(data_.vertices_3d[i].normal);
      uvs.push_back({vertex.u, vertex.v});
      add_influences(part, vertex, joints.emplace_back(), weights.emplace_back());
    }
    const auto indices = character_.indices(mesh);
    json_.begin_object().fields("name", mesh.name).key("primitives").begin_array();
    json_.begin_object().key("attributes").begin_object();
    json_.fields("POSITION", buffer_.add(positions, kFloat, "VEC3", kVertices, list(box.min), list(box.max)));
    if (data_.is_3d) json_.fields("NORMAL", buffer_.add(normals, kFloat, "VEC3", kVertices));
    json_.fields("TEXCOORD_0", buffer_.add(uvs, kFloat, "VEC2", kVertices));
    json_.fields("JOINTS_0", buffer_.add(joints, kUint16, "VEC4", kVertices));
    json_.fields("WEIGHTS_0", buffer_.add(weights, kFloat, "VEC4", kVertices));
    json_.end_object();
    json_.fields("indices",
                 buffer_.add(std::vector<std::uint16_t>(indices.begin(), indices.end()), kUint16, "SCALAR", kIndices));
    if (!data_.images.empty()) json_.fields("material", part.material);
    json_.end_object().end_array().end_object();
  }

  /// Writes the influences of a vertex. In glTF, weights are positive, their sum is 1, and each joint has only one.
  void add_influences(const GltfPart& part, const Vertex& vertex, std::array<std::uint16_t, 4>& joints,
                      std::array<float, 4>& weights) const {
    double sum = 0;
    std::size_t used = 0;
    for (std::size_t slot = 0; slot < 4; ++slot) {
      if (!(vertex.weights[slot] > 0)) continue;
      const auto found = std::ranges::find(part.bones, vertex.bones[slot]);
      const auto joint =
          part.bones.empty() ? vertex.bones[slot] : static_cast<std::uint16_t>(found - part.bones.begin());
      std::size_t same = slot;
      for (std::size_t earlier = 0; earlier < slot; ++earlier) {
        if (weights[earlier] > 0 && joints[earlier] == joint) same = earlier;
      }
      joints[same] = joint;
      weights[same] += vertex.weights[slot];
      sum += static_cast<double>(vertex.weights[slot]);
      ++used;
    }
    if (!(sum > 0)) {
      weights[0] = 1;
    } else if (std::abs(sum - 1) > 1.9e-7 * static_cast<double>(used)) {
      for (float& weight : weights) weight = static_cast<float>(static_cast<double>(weight) / sum);
    }
  }

  void write_skins() {
    std::vector<std::array<float, 16>> inverse_bind;
    for (std::size_t bone = 0; bone < bones_; ++bone) {
      auto& out = inverse_bind.emplace_back();
      out[10] = out[15] = 1;
      if (data_.is_3d) {
        const Affine3& matrix = character_.inverse_bind_3d()[bone];
        for (int column = 0; column < 4; ++column) {
          for (int row = 0; row < 3; ++row) out[4 * static_cast<std::size_t>(column) + row] = matrix[column][row];
        }
      } else {
        const Affine& matrix = character_.inverse_bind()[bone];
        for (int column = 0; column < 3; ++column) {
          const std::size_t at = column == 2 ? 12 : 4 * static_cast<std::size_t>(column);
          out[at] = matrix[column].x;
          out[at + 1] = matrix[column].y;
        }
      }
    }
    json_.key("skins").begin_array();
    const auto write = [&](const auto& matrices, const auto& joints) {
      json_.object("skeleton", bones_, "inverseBindMatrices", buffer_.add(matrices, kFloat, "MAT4"), "joints", joints);
    };
    // All bones have this one, even if no mesh uses it.
    write(inverse_bind, std::views::iota(std::size_t{0}, bones_));
    for (const GltfPart& part : parts_) {
      if (part.bones.empty()) continue;
      std::vector<std::array<float, 16>> own;
      for (const std::uint16_t bone : part.bones) own.push_back(inverse_bind[bone]);
      write(own, std::views::iota(part.first_joint, part.first_joint + part.bones.size()));
    }
    json_.end_array();
  }

  /// Writes one material per image, and one for each mesh that fades.
  void write_materials() {
    const std::size_t count = data_.images.size();
    if (count == 0) return;
    const auto write_list = [&](std::string_view name, std::size_t size, const auto& write) {
      json_.list(name, std::views::iota(std::size_t{0}, size), write);
    };
    write_list("materials", count + fading_.size(), [&](std::size_t i) {
      const GltfPart* const part = i < count ? nullptr : fading_[i - count];
      const std::size_t image = part == nullptr ? i : index(data_.meshes[part->mesh].image);
      json_.begin_object().fields("name", part == nullptr ? data_.images[i].name : data_.meshes[part->mesh].name,
                                  "doubleSided", true);
      // Transparent pixels of a 3D character are not drawn.
      if (!data_.is_3d || has_alpha(images_[image])) json_.fields("alphaMode", data_.is_3d ? "MASK" : "BLEND");
      json_.key("pbrMetallicRoughness").begin_object().key("baseColorTexture").object("index", image);
      if (part != nullptr) json_.fields("baseColorFactor", std::array{1.0F, 1.0F, 1.0F, opacity_at(bind_, *part)});
      json_.fields("metallicFactor", 0, "roughnessFactor", 0.8).end_object();
      if (!data_.is_3d)
        json_.key("extensions").begin_object().key("KHR_materials_unlit").begin_object().end_object().end_object();
      json_.end_object();
    });
    write_list("textures", count, [&](std::size_t i) { json_.object("sampler", 0, "source", i); });
    write_list("images", count, [&](std::size_t i) {
      json_.object("name", data_.images[i].name, "mimeType", "image/png", "bufferView",
                   buffer_.add_view(images_[i].bytes));
    });
    const int wrap = data_.is_3d ? kRepeat : kClamp;
    json_.key("samplers").begin_array();
    json_.object("magFilter", data_.pixel_art ? kNearest : kLinear, "minFilter",
                 data_.pixel_art ? kNearest : kLinearMipmaps, "wrapS", wrap, "wrapT", wrap);
    json_.end_array();
  }

  /// Returns whether a PNG file has an alpha channel or may have a transparent color.
  static bool has_alpha(const Image& png) {
    const int color_type = png.bytes.size() > 25 ? static_cast<int>(png.bytes[25]) : 6;
    return color_type != 2 && color_type != 0;
  }

  struct Channel {
    std::string pointer;  ///< JSON pointer that replaces `node` and `path`.
    std::size_t node;
    std::string_view path;
    std::string_view interpolation;
    std::size_t times, values;  ///< Accessors.
  };

  void write_animations() {
    bool has_any = false;
    for (const Clip& clip : data_.clips) {
      const std::vector<Channel> channels = add_channels(clip);
      if (!std::exchange(has_any, true)) json_.key("animations").begin_array();
      json_.begin_object().fields("name", clip.name);
      json_.list("samplers", channels, [&](const Channel& channel) {
        json_.object("input", channel.times, "output", channel.values, "interpolation", channel.interpolation);
      });
      json_.key("channels").begin_array();
      for (std::size_t i = 0; i < channels.size(); ++i) {
        json_.begin_object().fields("sampler", i).key("target").begin_object();
        if (channels[i].pointer.empty()) {
          json_.fields("node", channels[i].node, "path", channels[i].path);
        } else {
          json_.fields("path", "pointer").key("extensions").begin_object().key("KHR_animation_pointer");
          json_.object("pointer", channels[i].pointer).end_object();
        }
        json_.end_object().end_object();
      }
      json_.end_array().key("extras").begin_object().key("pchr").begin_object();
      json_.fields("fps", clip.frames_per_second, "frames", clip.frame_count, "looping", clip.looping);
      if (clip.loop_start > 0) json_.fields("loopStart", clip.loop_start);
      if (!clip.group.empty()) json_.fields("group", clip.group);
      if (!clip.frame_ends.empty()) json_.fields("ends", clip.frame_ends);
      buffer_.note(clip.frames_per_second);
      if (!clip.frame_ends.empty()) buffer_.note(clip.frame_ends.back());
      json_.end_object().end_object().end_object();
    }
    if (has_any) json_.end_array();
  }

  std::vector<Channel> add_channels(const Clip& clip) {
    std::vector<Channel> channels;
    std::vector<float> seconds{0};
    const double rate = clip.frames_per_second > 0 ? clip.frames_per_second : 1;
    for (std::uint32_t frame = 1; frame < clip.frame_count; ++frame) {
      const double start = clip.frame_ends.empty() ? frame / rate : clip.frame_ends[frame - 1];
      seconds.push_back(static_cast<float>(std::min(start, kMaxSeconds)));
    }
    const auto keys = static_cast<std::uint32_t>(seconds.size());
    const std::size_t times =
        buffer_.add(seconds, kFloat, "SCALAR", 0, std::array{seconds.front()}, std::array{seconds.back()});
    const std::size_t width = std::max(bones_, parts_.size());
    const std::size_t always = frames_ * width > kFreeSamples ? (width + kSamplesPerKey - 1) / kSamplesPerKey : 0;
    const auto is_still = [](const auto& values, const auto& bind) {
      return std::ranges::all_of(values, [&](const auto& value) { return value == bind; });
    };
    const auto add = [&](std::size_t bone, std::string_view path, const auto& values, const auto& bind,
                         std::string_view type) {
      if (is_still(values, bind) && bone >= always) return;
      channels.push_back({{}, bone, path, "LINEAR", times, buffer_.add(values, kFloat, type)});
    };
    std::vector<Vec3> translations(keys), scales(keys);
    std::vector<Quat> rotations(keys);
    for (std::size_t bone = 0; bone < bones_ && buffer_.size() <= max_bytes_; ++bone) {
      for (std::uint32_t frame = 0; frame < keys; ++frame) {
        const Local local = local_of(pose_at(clip, frame), bone);
        translations[frame] = local.translation;
        scales[frame] = local.scale;
        rotations[frame] = local.rotation;
      }
      const Local bind = local_of(bind_, bone);
      add(bone, "translation", translations, bind.translation, "VEC3");
      add(bone, "rotation", rotations, bind.rotation, "VEC4");
      add(bone, "scale", scales, bind.scale, "VEC3");
    }
    for (const GltfPart& part : parts_) {
      if (buffer_.size() <= max_bytes_) add_part_channels(clip, part, keys, times, channels);
    }
    // A glTF animation needs at least one channel.
    if (channels.empty()) {
      translations.assign(keys, local_of(bind_, 0).translation);
      channels.push_back({{}, 0, "translation", "LINEAR", times, buffer_.add(translations, kFloat, "VEC3")});
    }
    return channels;
  }

  /// Adds the visibility, order and opacity of a mesh. Viewers that do not know KHR_node_visibility see hidden meshes
  /// shrink to a point.
  void add_part_channels(const Clip& clip, const GltfPart& part, std::uint32_t keys, std::size_t times,
                         std::vector<Channel>& channels) {
    std::vector<std::uint8_t> visible;
    std::vector<Vec3> depths, scales;
    std::vector<std::array<float, 4>> colors;
    for (std::uint32_t frame = 0; frame < keys; ++frame) {
      const PoseView pose = pose_at(clip, frame);
      visible.push_back(is_visible_at(pose, part) ? 1 : 0);
      scales.emplace_back(visible.back());
      const std::int64_t moved = std::int64_t{order_at(pose, part)} - order_at(bind_, part);
      depths.emplace_back(0.0F, 0.0F, static_cast<float>(static_cast<double>(moved) * depth_step_));
      colors.push_back({1, 1, 1, opacity_at(pose, part)});
    }
    const auto add = [&](std::size_t node, std::string_view path, std::size_t values, std::string pointer = {}) {
      channels.push_back({std::move(pointer), node, path, "STEP", times, values});
    };
    const std::size_t mesh_node = first_mesh_node() + static_cast<std::size_t>(&part - parts_.data());
    const bool starts_visible = is_visible_at(bind_, part);
    if (std::ranges::find(visible, starts_visible ? 0 : 1) != visible.end()) {
      add(0, {}, buffer_.add(visible, kUint8, "SCALAR"),
          fmt::format("/nodes/{}/extensions/KHR_node_visibility/visible", mesh_node));
    }
    const bool is_hidden = std::ranges::count(visible, 0) > 0;
    const bool is_reordered = std::ranges::any_of(depths, [](const Vec3& depth) { return depth.z != 0; });
    const std::size_t scale = is_hidden ? buffer_.add(scales, kFloat, "VEC3") : 0;
    const std::size_t depth = is_reordered ? buffer_.add(depths, kFloat, "VEC3") : 0;
    for (std::size_t joint = part.first_joint; joint < part.first_joint + part.bones.size(); ++joint) {
      if (is_hidden) add(joint, "scale", scale);
      if (is_reordered) add(joint, "translation", depth);
    }
    const float opacity = opacity_at(bind_, part);
    if (std::ranges::any_of(colors, [&](const auto& color) { return color[3] != opacity; })) {
      add(0, {}, buffer_.add(colors, kFloat, "VEC4"),
          fmt::format("/materials/{}/pbrMetallicRoughness/baseColorFactor", part.material));
    }
  }

  std::vector<std::byte> file(std::string text) {
    while (text.size() % 4 != 0) text += ' ';
    const std::vector<std::byte> binary = buffer_.take();
    const std::size_t binary_bytes = binary.empty() ? 0 : 8 + binary.size();
    ByteWriter out;
    out.write_all(std::string_view("glTF"));
    out.write(std::array{2U, static_cast<std::uint32_t>(12 + 8 + text.size() + binary_bytes),
                         static_cast<std::uint32_t>(text.size())});
    out.write_all(std::string_view("JSON"));
    out.write_all(text);
    if (!binary.empty()) {
      out.write(static_cast<std::uint32_t>(binary.size()));
      out.write_all(std::string_view("BIN\0", 4));
      out.write_all(binary);
    }
    return out.take();
  }

  const Character& character_;
  const CharacterData& data_;
  const PoseView bind_;
  const std::size_t bones_;
  std::span<const Image> images_;  ///< All PNG.
  const std::uint64_t max_bytes_;
  std::size_t frames_ = 0;  ///< Frames of all clips together.
  std::vector<GltfPart> parts_;
  std::vector<const GltfPart*> fading_;
  double depth_step_ = 1;  ///< Depth between neighboring draw orders.
  GltfBuffer buffer_;
  JsonWriter json_;
};

/// Returns a character without bones with one, because animations of glTF move nodes.
Character with_root(CharacterData data) {
  data.bones.push_back({"root"});
  const auto add = [&](BoneSamples& samples, std::uint32_t frames) {
    samples.resize(frames);
    if (data.is_3d) samples.samples_3d.resize(frames);
  };
  add(data.bind_pose, 1);
  for (Clip& clip : data.clips) add(clip.samples, clip.frame_count);
  return Character::build(std::move(data)).value();
}

}  // namespace

Expected<std::vector<std::byte>, Diagnostic> save_gltf(const Character& character, const Limits& limits,
                                                       std::uint64_t max_output_bytes, PngCompression compression) {
  return or_out_of_memory([&]() -> Expected<std::vector<std::byte>, Diagnostic> {
    const CharacterData& data = character.data();
    if (data.bones.empty()) return save_gltf(with_root(data), limits, max_output_bytes, compression);
    const auto images = png_images(data, limits, compression);
    if (!images) return Unexpected(images.error());
    GltfWriter writer(character, *images, max_output_bytes);
    std::vector<std::byte> bytes = writer.write();
    if (auto excess = find_excess(bytes.size(), max_output_bytes)) return Unexpected(*std::move(excess));
    if (!(std::abs(writer.largest()) < kMaxNumber)) {
      return fail(DiagnosticId::too_large_for_format,
                  fmt::format("the scene would have the number {:g}, but readers accept numbers below {:g}",
                              writer.largest(), kMaxNumber));
    }
    constexpr std::size_t kMax = std::numeric_limits<std::uint32_t>::max();
    if (bytes.size() <= kMax) return bytes;
    return fail(DiagnosticId::too_large_for_format,
                fmt::format("the output has {} bytes, but glTF stores at most {}", bytes.size(), kMax));
  });
}

}  // namespace pchr
