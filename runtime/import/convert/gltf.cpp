// SPDX-License-Identifier: MIT
// Writes 3D characters as glTF 2.0, which uses the same space: right-handed, y up, seen from +z.
#include "character/byte_writer.hpp"
#include "character/fail.hpp"
#include "character/json.hpp"
#include "import/convert/convert.hpp"

#include <pchr/3d.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

namespace pchr {
namespace {

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
    const std::size_t view = add_view(std::as_bytes(std::span(values)), target);
    accessors_.begin_object().fields("bufferView", view, "componentType", component, "count", values.size(), "type",
                                     type);
    if (min.size() > 0) accessors_.fields("min", min, "max", max);
    accessors_.end_object();
    return accessor_count_++;
  }

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
  std::size_t size_ = 0, view_count_ = 0, accessor_count_ = 0;
  JsonWriter views_ = begin_list(), accessors_ = begin_list();
};

// OpenGL constants.
constexpr int kUint16 = 5123, kFloat = 5126, kVertices = 34962, kIndices = 34963, kLinear = 9729, kLinearMipmaps = 9987,
              kRepeat = 10497;

std::array<float, 3> list(Vec3 value) { return {value.x, value.y, value.z}; }

/// Local transform of a bone.
struct Local {
  Vec3 translation, scale;
  Quat rotation;
};

Local local_of(const PoseView& pose, std::size_t bone) {
  const BoneSample3D& depth = pose.samples_3d[bone];
  return {{pose.x[bone], pose.y[bone], depth.z},
          {pose.scale_x[bone], pose.scale_y[bone], depth.scale_z},
          normalized(depth.rotation)};
}

class GltfWriter {
 public:
  GltfWriter(const Character& character, std::span<const Image> images, std::uint64_t max_bytes)
      : character_(character), data_(character.data()), images_(images), max_bytes_(max_bytes) {}

  std::vector<std::byte> write() && {
    // The nodes are the bones, their root, and the mesh. Only the skin moves the mesh, so its place does not matter.
    const std::size_t bones = data_.bones.size();
    const auto has_triangles = [](const Mesh& mesh) { return mesh.index_count > 0; };
    const bool has_mesh = std::ranges::any_of(data_.meshes, has_triangles);
    json_.begin_object(JsonWriter::dense).key("asset").object("version", "2.0", "generator", "pchr").fields("scene", 0);
    json_.key("scenes").begin_array().begin_object().key("nodes").begin_array().value(bones);
    if (has_mesh) json_.value(bones + 1);
    json_.end_array().end_object().end_array();
    write_nodes(has_mesh);
    if (has_mesh) {
      json_.key("meshes").begin_array().begin_object().key("primitives").begin_array();
      for (const Mesh& mesh : data_.meshes | std::views::filter(has_triangles)) write_primitive(mesh);
      json_.end_array().end_object().end_array();
      write_skin();
      write_materials();
    }
    write_animations();
    buffer_.write(json_);
    return file(json_.end_object().text);
  }

 private:
  void write_nodes(bool has_mesh) {
    const std::size_t bones = data_.bones.size();
    std::vector<std::vector<std::size_t>> children(bones + 1);
    for (std::size_t bone = 0; bone < bones; ++bone) {
      children[std::min(index(data_.bones[bone].parent), bones)].push_back(bone);
    }
    const auto end_node = [&](std::size_t bone) {
      if (!children[bone].empty()) json_.fields("children", children[bone]);
      json_.end_object();
    };
    json_.key("nodes").begin_array();
    for (std::size_t bone = 0; bone < bones; ++bone) {
      const auto& [translation, scale, rotation] = local_of(character_.bind_pose(), bone);
      json_.begin_object().fields("name", data_.bones[bone].name, "translation", list(translation), "rotation",
                                  std::array{rotation.x, rotation.y, rotation.z, rotation.w}, "scale", list(scale));
      end_node(bone);
    }
    json_.begin_object().fields("name", "skeleton");
    end_node(bones);
    if (has_mesh) json_.object("name", "mesh", "mesh", 0, "skin", 0);
    json_.end_array();
  }

  void write_primitive(const Mesh& mesh) {
    std::vector<Vec3> positions, normals;
    std::vector<Vec2> uvs;
    std::vector<std::array<std::uint16_t, 4>> joints;
    std::vector<std::array<float, 4>> weights;
    Box box;
    for (std::size_t i = mesh.first_vertex; i < std::size_t{mesh.first_vertex} + mesh.vertex_count; ++i) {
      const Vertex& vertex = data_.vertices[i];
      positions.push_back({vertex.x, vertex.y, data_.vertices_3d[i].z});
      box.include(positions.back());
      normals.push_back(data_.vertices_3d[i].normal);
      uvs.push_back({vertex.u, vertex.v});
      auto& bones = joints.emplace_back();
      for (std::size_t slot = 0; slot < 4; ++slot) bones[slot] = vertex.weights[slot] == 0 ? 0 : vertex.bones[slot];
      weights.push_back({vertex.weights[0], vertex.weights[1], vertex.weights[2], vertex.weights[3]});
    }
    const auto indices = character_.indices(mesh);
    const std::size_t position = buffer_.add(positions, kFloat, "VEC3", kVertices, list(box.min), list(box.max));
    const std::size_t normal = buffer_.add(normals, kFloat, "VEC3", kVertices);
    const std::size_t uv = buffer_.add(uvs, kFloat, "VEC2", kVertices);
    const std::size_t joint = buffer_.add(joints, kUint16, "VEC4", kVertices);
    const std::size_t weight = buffer_.add(weights, kFloat, "VEC4", kVertices);
    const std::size_t index =
        buffer_.add(std::vector<std::uint16_t>(indices.begin(), indices.end()), kUint16, "SCALAR", kIndices);
    json_.begin_object().key("attributes");
    json_.object("POSITION", position, "NORMAL", normal, "TEXCOORD_0", uv, "JOINTS_0", joint, "WEIGHTS_0", weight);
    json_.fields("indices", index);
    if (!data_.images.empty()) json_.fields("material", static_cast<std::uint32_t>(mesh.image));
    json_.end_object();
  }

  void write_skin() {
    std::vector<std::array<float, 16>> inverse_bind;
    for (const Affine3& matrix : character_.inverse_bind_3d()) {
      auto& out = inverse_bind.emplace_back();
      for (int column = 0; column < 4; ++column) {
        for (int row = 0; row < 3; ++row) out[4 * static_cast<std::size_t>(column) + row] = matrix[column][row];
      }
      out[15] = 1;
    }
    const std::size_t bones = data_.bones.size();
    json_.key("skins").begin_array().object("skeleton", bones, "inverseBindMatrices",
                                            buffer_.add(inverse_bind, kFloat, "MAT4"), "joints",
                                            std::views::iota(std::size_t{0}, bones));
    json_.end_array();
  }

  /// Writes one material per image.
  void write_materials() {
    const std::size_t count = data_.images.size();
    if (count == 0) return;
    const auto write_list = [&](std::string_view name, const auto& write) {
      json_.list(name, std::views::iota(std::size_t{0}, count), write);
    };
    write_list("materials", [&](std::size_t i) {
      json_.begin_object().fields("name", data_.images[i].name, "doubleSided", true).key("pbrMetallicRoughness");
      json_.begin_object().key("baseColorTexture").object("index", i);
      json_.fields("metallicFactor", 0, "roughnessFactor", 0.8).end_object().end_object();
    });
    write_list("textures", [&](std::size_t i) { json_.object("sampler", 0, "source", i); });
    write_list("images", [&](std::size_t i) {
      json_.object("mimeType", "image/png", "bufferView", buffer_.add_view(images_[i].bytes));
    });
    json_.key("samplers").begin_array();
    json_.object("magFilter", kLinear, "minFilter", kLinearMipmaps, "wrapS", kRepeat, "wrapT", kRepeat).end_array();
  }

  void write_animations() {
    bool has_any = false;
    for (const Clip& clip : data_.clips) {
      std::vector<Channel> channels;
      if (clip.frame_count > 0 && clip.frames_per_second > 0) channels = add_channels(clip);
      // A glTF animation needs at least one channel.
      if (channels.empty()) continue;
      if (!std::exchange(has_any, true)) json_.key("animations").begin_array();
      json_.begin_object().fields("name", clip.name);
      json_.list("samplers", channels,
                 [&](const Channel& channel) { json_.object("input", channel.times, "output", channel.values); });
      json_.key("channels").begin_array();
      for (std::size_t i = 0; i < channels.size(); ++i) {
        json_.begin_object().fields("sampler", i).key("target");
        json_.object("node", channels[i].bone, "path", channels[i].path).end_object();
      }
      json_.end_array().end_object();
    }
    if (has_any) json_.end_array();
  }

  struct Channel {
    std::size_t bone;
    std::string_view path;
    std::size_t times, values;  ///< Accessors.
  };

  std::vector<Channel> add_channels(const Clip& clip) {
    std::vector<Channel> channels;
    std::vector<float> seconds{0};
    for (std::uint32_t frame = 1; frame < clip.frame_count; ++frame) {
      const double start = clip.frame_ends.empty() ? frame / clip.frames_per_second : clip.frame_ends[frame - 1];
      seconds.push_back(static_cast<float>(start));
    }
    std::size_t times = 0;
    const auto add = [&](std::size_t bone, std::string_view path, const auto& values, const auto& bind,
                         std::string_view type) {
      if (std::ranges::all_of(values, [&](const auto& value) { return value == bind; })) return;
      if (channels.empty()) {
        times = buffer_.add(seconds, kFloat, "SCALAR", 0, std::array{seconds.front()}, std::array{seconds.back()});
      }
      channels.push_back({bone, path, times, buffer_.add(values, kFloat, type)});
    };
    const std::size_t bones = data_.bones.size();
    std::vector<Vec3> translations(clip.frame_count), scales(clip.frame_count);
    std::vector<Quat> rotations(clip.frame_count);
    for (std::size_t bone = 0; bone < bones && buffer_.size() <= max_bytes_; ++bone) {
      for (std::uint32_t frame = 0; frame < clip.frame_count; ++frame) {
        const Local local = local_of(clip.samples.frame(frame, bones), bone);
        translations[frame] = local.translation;
        scales[frame] = local.scale;
        rotations[frame] = local.rotation;
      }
      const Local bind = local_of(character_.bind_pose(), bone);
      add(bone, "translation", translations, bind.translation, "VEC3");
      add(bone, "rotation", rotations, bind.rotation, "VEC4");
      add(bone, "scale", scales, bind.scale, "VEC3");
    }
    return channels;
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
  std::span<const Image> images_;  ///< All PNG.
  const std::uint64_t max_bytes_;
  GltfBuffer buffer_;
  JsonWriter json_;
};

}  // namespace

Expected<std::vector<std::byte>, Diagnostic> save_gltf(const Character& character, const Limits& limits,
                                                       std::uint64_t max_output_bytes, PngCompression compression) {
  return or_out_of_memory([&]() -> Expected<std::vector<std::byte>, Diagnostic> {
    const CharacterData& data = character.data();
    if (!data.is_3d) return fail(DiagnosticId::needs_3d);
    const auto images = png_images(data, limits, compression);
    if (!images) return Unexpected(images.error());
    std::vector<std::byte> bytes = GltfWriter(character, *images, max_output_bytes).write();
    if (auto excess = find_excess(bytes.size(), max_output_bytes)) return Unexpected(*std::move(excess));
    constexpr std::size_t kMax = std::numeric_limits<std::uint32_t>::max();
    if (bytes.size() <= kMax) return bytes;
    return fail(DiagnosticId::too_large_for_format,
                fmt::format("the output has {} bytes, but glTF stores at most {}", bytes.size(), kMax));
  });
}

}  // namespace pchr
