// SPDX-License-Identifier: MIT
// Writes 3D characters as glTF 2.0, which uses the same space: right-handed, y up, seen from +z.
#include "character/byte_writer.hpp"
#include "character/fail.hpp"
#include "import/convert/convert.hpp"

#include <pchr/3d.hpp>

#include <fmt/ranges.h>

#include <algorithm>
#include <ranges>

namespace pchr {
namespace {

using Strings = std::vector<std::string>;

std::string quoted_json(std::string_view text) { return '"' + json_escaped(text) + '"'; }

/// Returns a comma and a member with an array value, or nothing if the array is empty.
std::string member(std::string_view name, const Strings& items) {
  return items.empty() ? std::string() : fmt::format(R"(,"{}":[{}])", name, fmt::join(items, ","));
}

/// Binary buffer with its views and accessors.
class GltfBuffer {
 public:
  /// Adds a view of `bytes` for the GPU target `target`. Returns its index.
  std::size_t add_view(std::span<const std::byte> bytes, int target = 0) {
    views_.push_back(fmt::format(R"({{"buffer":0,"byteOffset":{},"byteLength":{}{}}})", size_, bytes.size(),
                                 target == 0 ? std::string() : fmt::format(R"(,"target":{})", target)));
    out_.write_all(bytes);
    size_ += bytes.size();
    for (; size_ % 4 != 0; ++size_) out_.write(std::byte{0});
    return views_.size() - 1;
  }

  /// Adds an accessor of `values`. Returns its index. `bounds` are its "min" and "max" members, if required.
  template <typename T>
  std::size_t add(const std::vector<T>& values, int component, std::string_view type, int target = 0,
                  const std::string& bounds = {}) {
    const std::size_t view = add_view(std::as_bytes(std::span(values)), target);
    accessors_.push_back(fmt::format(R"({{"bufferView":{},"componentType":{},"count":{},"type":"{}"{}}})", view,
                                     component, values.size(), type, bounds));
    return accessors_.size() - 1;
  }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  /// Returns the members that describe the buffer.
  [[nodiscard]] std::string members() const {
    if (size_ == 0) return {};
    return member("accessors", accessors_) + member("bufferViews", views_) +
           fmt::format(R"(,"buffers":[{{"byteLength":{}}}])", size_);
  }
  [[nodiscard]] std::vector<std::byte> take() { return out_.take(); }

 private:
  ByteWriter out_;
  std::size_t size_ = 0;
  Strings views_, accessors_;
};

// OpenGL constants.
constexpr int kUint16 = 5123, kFloat = 5126, kVertices = 34962, kIndices = 34963, kLinear = 9729, kLinearMipmaps = 9987,
              kRepeat = 10497;

std::string list(Vec3 value) { return fmt::format("[{},{},{}]", value.x, value.y, value.z); }

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
    std::string text = R"({"asset":{"version":"2.0","generator":"pchr"},"scene":0)";
    text += fmt::format(R"(,"scenes":[{{"nodes":[{}{}]}}])", bones, has_mesh ? fmt::format(",{}", bones + 1) : "");
    text += member("nodes", nodes(has_mesh));
    if (has_mesh) {
      Strings primitives;
      for (const Mesh& mesh : data_.meshes | std::views::filter(has_triangles)) primitives.push_back(primitive(mesh));
      text += fmt::format(R"(,"meshes":[{{"primitives":[{}]}}])", fmt::join(primitives, ","));
      text += member("skins", {skin()});
      text += materials();
    }
    text += member("animations", animations());
    return file(text + buffer_.members() + "}");
  }

 private:
  Strings nodes(bool has_mesh) {
    std::vector<Strings> children(data_.bones.size() + 1);
    for (std::size_t bone = 0; bone < data_.bones.size(); ++bone) {
      children[std::min(index(data_.bones[bone].parent), data_.bones.size())].push_back(std::to_string(bone));
    }
    Strings nodes;
    for (std::size_t bone = 0; bone < data_.bones.size(); ++bone) {
      const auto& [translation, scale, rotation] = local_of(character_.bind_pose(), bone);
      nodes.push_back(fmt::format(R"({{"name":{},"translation":{},"rotation":[{},{},{},{}],"scale":{}{}}})",
                                  quoted_json(data_.bones[bone].name), list(translation), rotation.x, rotation.y,
                                  rotation.z, rotation.w, list(scale), member("children", children[bone])));
    }
    nodes.push_back(fmt::format(R"({{"name":"skeleton"{}}})", member("children", children.back())));
    if (has_mesh) nodes.emplace_back(R"({"name":"mesh","mesh":0,"skin":0})");
    return nodes;
  }

  std::string primitive(const Mesh& mesh) {
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
    const std::string bounds = fmt::format(R"(,"min":{},"max":{})", list(box.min), list(box.max));
    const std::size_t position = buffer_.add(positions, kFloat, "VEC3", kVertices, bounds);
    const std::size_t normal = buffer_.add(normals, kFloat, "VEC3", kVertices);
    const std::size_t uv = buffer_.add(uvs, kFloat, "VEC2", kVertices);
    const std::size_t joint = buffer_.add(joints, kUint16, "VEC4", kVertices);
    const std::size_t weight = buffer_.add(weights, kFloat, "VEC4", kVertices);
    const std::size_t index =
        buffer_.add(std::vector<std::uint16_t>(indices.begin(), indices.end()), kUint16, "SCALAR", kIndices);
    const std::string material =
        data_.images.empty() ? "" : fmt::format(R"(,"material":{})", static_cast<std::uint32_t>(mesh.image));
    return fmt::format(
        R"({{"attributes":{{"POSITION":{},"NORMAL":{},"TEXCOORD_0":{},"JOINTS_0":{},"WEIGHTS_0":{}}},"indices":{}{}}})",
        position, normal, uv, joint, weight, index, material);
  }

  std::string skin() {
    std::vector<std::array<float, 16>> inverse_bind;
    Strings joints;
    for (std::size_t bone = 0; bone < data_.bones.size(); ++bone) {
      const Affine3& matrix = character_.inverse_bind_3d()[bone];
      auto& out = inverse_bind.emplace_back();
      for (int column = 0; column < 4; ++column) {
        for (int row = 0; row < 3; ++row) out[4 * static_cast<std::size_t>(column) + row] = matrix[column][row];
      }
      out[15] = 1;
      joints.push_back(std::to_string(bone));
    }
    return fmt::format(R"({{"skeleton":{},"inverseBindMatrices":{},"joints":[{}]}})", data_.bones.size(),
                       buffer_.add(inverse_bind, kFloat, "MAT4"), fmt::join(joints, ","));
  }

  /// Returns the members for one material per image.
  std::string materials() {
    Strings materials, textures, images;
    for (std::size_t i = 0; i < data_.images.size(); ++i) {
      materials.push_back(
          fmt::format(R"({{"name":{},"doubleSided":true,"pbrMetallicRoughness":{{"baseColorTexture":{{"index":{}}},)"
                      R"("metallicFactor":0,"roughnessFactor":0.8}}}})",
                      quoted_json(data_.images[i].name), i));
      textures.push_back(fmt::format(R"({{"sampler":0,"source":{}}})", i));
      images.push_back(
          fmt::format(R"({{"mimeType":"image/png","bufferView":{}}})", buffer_.add_view(images_[i].bytes)));
    }
    if (materials.empty()) return {};
    const std::string sampler = fmt::format(R"({{"magFilter":{},"minFilter":{},"wrapS":{},"wrapT":{}}})", kLinear,
                                            kLinearMipmaps, kRepeat, kRepeat);
    return member("materials", materials) + member("textures", textures) + member("images", images) +
           member("samplers", {sampler});
  }

  Strings animations() {
    Strings animations;
    for (const Clip& clip : data_.clips) {
      Strings samplers, channels;
      if (clip.frame_count > 0 && clip.frames_per_second > 0) add_channels(clip, samplers, channels);
      // A glTF animation needs at least one channel.
      if (channels.empty()) continue;
      animations.push_back(fmt::format(R"({{"name":{}{}{}}})", quoted_json(clip.name), member("samplers", samplers),
                                       member("channels", channels)));
    }
    return animations;
  }

  void add_channels(const Clip& clip, Strings& samplers, Strings& channels) {
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
        times = buffer_.add(seconds, kFloat, "SCALAR", 0,
                            fmt::format(R"(,"min":[{}],"max":[{}])", seconds.front(), seconds.back()));
      }
      channels.push_back(
          fmt::format(R"({{"sampler":{},"target":{{"node":{},"path":"{}"}}}})", samplers.size(), bone, path));
      samplers.push_back(fmt::format(R"({{"input":{},"output":{}}})", times, buffer_.add(values, kFloat, type)));
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
