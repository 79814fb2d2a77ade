// SPDX-License-Identifier: MIT
// Writes Pachario JSON in either dialect, with one bone, vertex or transform per line.
#include "import/json/json.hpp"

#include "character/influences.hpp"

#include <fmt/compile.h>

#include <cmath>
#include <concepts>

namespace pchr {
namespace {

/// Text to be quoted.
struct Quoted {
  std::string_view text;
};

class CharacterWriter {
 public:
  CharacterWriter(const CharacterData& data, JsonDialect dialect, std::span<const std::string> image_paths,
                  std::uint64_t max_bytes)
      : data_(data), v1_(dialect == JsonDialect::v1), image_paths_(image_paths), max_bytes_(max_bytes) {}

  std::vector<std::byte> write() {
    out_.reserve(static_cast<std::size_t>(std::min<std::uint64_t>(approximate_bytes(), max_bytes_)));
    put("{\n  \"version\": 1,\n  \"fps\": ", data_.frames_per_second);
    if (v1_ && data_.reserved_flags != 0) put(",\n  \"flags\": ", data_.reserved_flags);
    put(",\n  \"images\": ");
    put_lines("\n  ", data_.images.size(), [&](std::size_t i) { put_image(i); });
    put(",\n  \"bones\": ");
    put_lines("\n  ", data_.bones.size(), [&](std::size_t i) {
      const auto& [name, parent] = data_.bones[i];
      put("{\"name\": ", Quoted{name}, ", ", kParentKey, static_cast<std::int32_t>(parent), "}");
    });
    put(",\n  \"meshes\": ");
    put_lines("\n  ", data_.meshes.size(), [&](std::size_t i) { put_mesh(data_.meshes[i]); });
    put(",\n  \"animations\": ");
    put_lines("\n  ", data_.clips.size(), [&](std::size_t i) { put_clip(data_.clips[i]); });
    put("\n}\n");
    const auto bytes = std::as_bytes(std::span(out_.data(), out_.size()));
    return {bytes.begin(), bytes.end()};
  }

 private:
  void put_image(std::size_t number) {
    const Image& image = data_.images[number];
    const Quoted name{image.name}, path{image_paths_[number]};
    if (v1_) {
      // Encoding in PCHR v1. The image file itself is always a PNG.
      const std::string_view format = image.encoding == ImageEncoding::rgba8888 ? "rgba8888" : "png";
      put("{\"name\": ", name, ", \"width\": ", image.width, ", \"height\": ", image.height,
          ", \"format\": ", Quoted{format}, ", \"path\": ", path, "}");
    } else {
      put("{\"name\": ", name, ", \"path\": ", path, ", \"width\": ", image.width, ", \"height\": ", image.height,
          ", \"format\": \"png\"}");
    }
  }

  void put_mesh(const Mesh& mesh) {
    put("{\n      \"name\": ", Quoted{mesh.name}, ",\n      ", kImageKey, index(mesh.image), ",\n      \"vertices\": ");
    put_lines("\n      ", mesh.vertex_count,
              [&](std::size_t i) { put_vertex(static_cast<std::uint32_t>(mesh.first_vertex + i)); });
    put(",\n      ", kIndicesKey);
    put_lines("\n      ", mesh.index_count / 3, [&](std::size_t triangle) {
      const std::uint16_t* index = &data_.indices[mesh.first_index + 3 * triangle];
      put(index[0], ", ", index[1], ", ", index[2]);
    });
    put("\n    }");
  }

  void put_vertex(std::uint32_t number) {
    const Vertex& vertex = data_.vertices[number];
    put("{\"x\": ", vertex.x, ", \"y\": ", vertex.y, ", \"u\": ", vertex.u, ", \"v\": ", vertex.v);
    // In both dialects, only a list of bones can have more than four influences.
    if (const auto authored = authored_influences(data_, number); !authored.empty()) {
      put_influences(authored);
    } else if (v1_) {
      const auto& bones = vertex.bones;
      const auto& weights = vertex.weights;
      put(", \"boneIds\": [", bones[0], ", ", bones[1], ", ", bones[2], ", ", bones[3], "], \"boneWeights\": [",
          weights[0], ", ", weights[1], ", ", weights[2], ", ", weights[3], "]");
    } else {
      std::array<AuthoredInfluence, 4> used;
      std::size_t count = 0;
      for (int slot = 0; slot < 4; ++slot) {
        if (vertex.weights[slot] != 0) used[count++] = {number, vertex.bones[slot], vertex.weights[slot]};
      }
      put_influences(std::span(used).first(count));
    }
    put("}");
  }

  void put_influences(std::span<const AuthoredInfluence> influences) {
    put(", \"bones\": [");
    std::string_view comma;
    for (const AuthoredInfluence& influence : influences) {
      put(comma, "{\"idx\": ", influence.bone, ", \"weight\": ", influence.weight, "}");
      comma = ", ";
    }
    put("]");
  }

  void put_clip(const Clip& clip) {
    put("{\n      \"name\": ", Quoted{clip.name}, ",\n      \"loop\": ", clip.looping ? "true" : "false",
        ",\n      \"frames\": ");
    const std::size_t bones = data_.bones.size();
    put_lines("\n      ", clip.frame_count, [&](std::size_t frame) {
      put_lines("\n        ", bones, [&](std::size_t bone) { put_transform(clip.samples, frame * bones + bone); });
    });
    put("\n    }");
  }

  void put_transform(const BoneSamples& samples, std::size_t i) {
    put("{\"x\": ", samples.x[i], ", \"y\": ", samples.y[i], ", \"rotation\": ", samples.rotation_degrees[i],
        ", \"scaleX\": ", samples.scale_x[i], ", \"scaleY\": ", samples.scale_y[i],
        samples.visible[i] != 0 ? ", \"visible\": true, \"zOrder\": " : ", \"visible\": false, \"zOrder\": ",
        samples.z_order[i], "}");
  }

  /// Writes an array with one element per line, indented two columns more than `line`.
  template <class PutElement>
  void put_lines(std::string_view line, std::size_t count, PutElement put_element) {
    put("[");
    for (std::size_t i = 0; i < count && out_.size() <= max_bytes_; ++i) {
      put(i == 0 ? "" : ",", line, "  ");
      put_element(i);
    }
    put(count == 0 ? "" : line, "]");
  }

  template <class... Parts>
  void put(const Parts&... parts) {
    (put_one(parts), ...);
  }

  void put_one(std::string_view text) { out_.append(text); }

  void put_one(std::integral auto number) {
    const fmt::format_int digits(number);
    out_.append(digits.data(), digits.data() + digits.size());
  }

  /// Writes the shortest digits that read back as the same float. Readers parse "-0" as a whole number and lose its
  /// sign.
  void put_one(float number) {
    if (number == 0) return put_one(std::signbit(number) ? std::string_view("-0.0") : std::string_view("0"));
    // Only this float has shortest digits (7.038531e-26) that read back as its neighbor through a double.
    if (std::abs(number) == 0x1.5c87fap-84F) return put_one(number < 0 ? "-7.0385307e-26" : "7.0385307e-26");
    char digits[32];
    out_.append(digits, fmt::format_to(digits, FMT_COMPILE("{}"), number));
  }

  void put_one(const std::same_as<JsonKey> auto& key) { put("\"", key.in(!v1_), "\": "); }

  void put_one(Quoted string) {
    out_.push_back('"');
    out_.append(json_escaped(string.text));
    out_.push_back('"');
  }

  [[nodiscard]] std::size_t approximate_bytes() const {
    std::size_t samples = 0;
    for (const Clip& clip : data_.clips) samples += clip.samples.x.size();
    return 4096 + 128 * (samples + data_.vertices.size()) + 10 * data_.indices.size();
  }

  const CharacterData& data_;
  const bool v1_;
  std::span<const std::string> image_paths_;
  const std::uint64_t max_bytes_;
  fmt::memory_buffer out_;
};

}  // namespace

std::vector<std::byte> write_json(const CharacterData& data, JsonDialect dialect,
                                  std::span<const std::string> image_paths, std::uint64_t max_bytes) {
  return CharacterWriter(data, dialect, image_paths, max_bytes).write();
}

}  // namespace pchr
