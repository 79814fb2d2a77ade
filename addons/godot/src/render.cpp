#include "classes.hpp"

#include <algorithm>
#include <cmath>

using namespace godot;

namespace {

constexpr int kSamples = 4;  // Per pixel, along each axis.
constexpr std::int64_t kMaxSide = 4096 / kSamples;

struct Color4 {
  float r = 0, g = 0, b = 0, a = 0;  // Premultiplied.
};

struct Texels {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgba;  // Premultiplied.
};

struct Canvas {
  int width, height;
  std::vector<Color4> pixels;
};

float blended(float source, float source_alpha, float below, std::uint8_t mode) {
  if (mode == PCHR_BLEND_MULTIPLY) return source * below + below * (1 - source_alpha);
  if (mode == PCHR_BLEND_SCREEN) return source + below * (1 - source);
  return std::min(source + below * (1 - source_alpha), 1.0F);
}

float cross(const pchr_stream_vertex& a, const pchr_stream_vertex& b, float x, float y) {
  return (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
}

/// Whether a pixel exactly on an edge belongs to the triangle and not to its neighbor.
bool owns_edge(const pchr_stream_vertex& a, const pchr_stream_vertex& b) {
  return a.y < b.y || (a.y == b.y && a.x > b.x);
}

void fill(Canvas& canvas, const Texels& image, std::array<pchr_stream_vertex, 3> v, std::uint8_t mode) {
  float area = cross(v[0], v[1], v[2].x, v[2].y);
  if (area == 0) return;
  if (area < 0) {
    std::swap(v[1], v[2]);
    area = -area;
  }
  const auto [left, right] = std::minmax({v[0].x, v[1].x, v[2].x});
  const auto [top, bottom] = std::minmax({v[0].y, v[1].y, v[2].y});
  const int first_x = std::max(0, static_cast<int>(std::floor(left))),
            first_y = std::max(0, static_cast<int>(std::floor(top)));
  const int end_x = std::min(canvas.width, static_cast<int>(std::ceil(right)) + 1);
  const int end_y = std::min(canvas.height, static_cast<int>(std::ceil(bottom)) + 1);
  for (int row = first_y; row < end_y; ++row) {
    for (int column = first_x; column < end_x; ++column) {
      const float x = static_cast<float>(column) + 0.5F, y = static_cast<float>(row) + 0.5F;
      std::array<float, 3> weights{};
      bool inside = true;
      for (std::size_t i = 0; i < 3 && inside; ++i) {
        const pchr_stream_vertex &a = v[(i + 1) % 3], &b = v[(i + 2) % 3];
        weights[i] = cross(a, b, x, y) / area;
        inside = weights[i] > 0 || (weights[i] == 0 && owns_edge(a, b));
      }
      if (!inside) continue;
      const auto mixed = [&](auto&& value) {
        return weights[0] * value(v[0]) + weights[1] * value(v[1]) + weights[2] * value(v[2]);
      };
      const int u =
          static_cast<int>(mixed([](const auto& vertex) { return vertex.u; }) * static_cast<float>(image.width));
      const int t =
          static_cast<int>(mixed([](const auto& vertex) { return vertex.v; }) * static_cast<float>(image.height));
      const std::size_t texel = std::size_t{4} * (static_cast<std::size_t>(std::clamp(t, 0, image.height - 1)) *
                                                      static_cast<std::size_t>(image.width) +
                                                  static_cast<std::size_t>(std::clamp(u, 0, image.width - 1)));
      std::array<float, 4> source{};
      for (std::size_t i = 0; i < 4; ++i) {
        source[i] = static_cast<float>(image.rgba[texel + i]) / 255 *
                    mixed([i](const auto& vertex) { return static_cast<float>(vertex.color[i]); }) / 255;
      }
      Color4& below = canvas.pixels[static_cast<std::size_t>(row) * static_cast<std::size_t>(canvas.width) +
                                    static_cast<std::size_t>(column)];
      below = {blended(source[0], source[3], below.r, mode), blended(source[1], source[3], below.g, mode),
               blended(source[2], source[3], below.b, mode), blended(source[3], source[3], below.a, mode)};
    }
  }
}

/// Averages the samples of each pixel, and divides by alpha.
PackedByteArray pixels_of(const Canvas& canvas) {
  const int width = canvas.width / kSamples, height = canvas.height / kSamples;
  PackedByteArray bytes;
  bytes.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 4);
  auto out = bytes.elements().begin();
  for (int row = 0; row < height; ++row) {
    for (int column = 0; column < width; ++column) {
      Color4 sum;
      for (int sample = 0; sample < kSamples * kSamples; ++sample) {
        const int x = column * kSamples + sample % kSamples, y = row * kSamples + sample / kSamples;
        const Color4& one = canvas.pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(canvas.width) +
                                          static_cast<std::size_t>(x)];
        sum = {sum.r + one.r, sum.g + one.g, sum.b + one.b, sum.a + one.a};
      }
      const float divisor = sum.a > 0 ? sum.a : 1;
      for (const float value : {sum.r / divisor, sum.g / divisor, sum.b / divisor, sum.a / (kSamples * kSamples)}) {
        *out++ = static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0F, 1.0F) * 255));
      }
    }
  }
  return bytes;
}

}  // namespace

ImageReference PchrCharacter::render(const String& clip_name, std::int64_t frame, std::int64_t width,
                                     std::int64_t height) const {
  if (width < 1 || height < 1 || width > kMaxSide || height > kMaxSide) {
    report_error("PchrCharacter.render(): the size is " + std::to_string(width) + " x " + std::to_string(height) +
                 ", but both must be 1 to " + std::to_string(kMaxSide));
    return {};
  }
  if (character == nullptr) return {};
  const std::string clip = clip_name.utf8();
  const std::uint32_t index = pchr_find_clip(character, clip.c_str());
  pchr_clip found{};
  if (!clip.empty() && (!pchr_get_clip(character, index, &found) || frame < 0 || frame >= found.frame_count)) {
    report_error("PchrCharacter.render(): the character has no frame " + std::to_string(frame) + " of a clip \"" +
                 clip + "\"");
    return {};
  }
  pchr_pose* const pose = pchr_pose_create(character);
  const pchr_clip_time time{static_cast<std::uint32_t>(frame), static_cast<std::uint32_t>(frame), 0};
  if (clip.empty())
    pchr_pose_bind(pose);
  else
    pchr_pose_frame(pose, index, &time);

  Canvas canvas{static_cast<int>(width) * kSamples, static_cast<int>(height) * kSamples, {}};
  canvas.pixels.resize(static_cast<std::size_t>(canvas.width) * static_cast<std::size_t>(canvas.height));
  const Rect2 area = get_bounds(clip_name);
  const float scale = std::min(static_cast<float>(canvas.width) / std::max(area.size.x, 1.0F),
                               static_cast<float>(canvas.height) / std::max(area.size.y, 1.0F));
  pchr_appearance appearance;
  pchr_appearance_init(&appearance, sizeof appearance);
  appearance.placement = {scale,
                          0,
                          0,
                          -scale,
                          static_cast<float>(canvas.width) / 2 - scale * (area.position.x + area.size.x / 2),
                          static_cast<float>(canvas.height) / 2 - scale * (area.position.y + area.size.y / 2)};
  pchr_stream_options options{};
  options.appearance = &appearance;
  pchr_stream* const stream = pchr_stream_create(0);
  pchr_stream_add(stream, pose, &options);

  std::vector<Texels> decoded(pchr_image_count(character));
  for (std::uint32_t i = 0; i < decoded.size(); ++i) {
    pchr_image image{};
    pchr_get_image(character, i, &image);
    decoded[i] = {static_cast<int>(image.width), static_cast<int>(image.height), {}};
    decoded[i].rgba.resize(std::size_t{image.width} * image.height * 4);
    pchr_decode_image(character, i, decoded[i].rgba.data(), decoded[i].rgba.size(), nullptr);
  }
  std::uint32_t count = 0;
  const pchr_stream_command* const commands = pchr_stream_commands(stream, &count);
  const pchr_stream_vertex* const vertices = pchr_stream_vertices(stream, nullptr);
  const std::uint32_t* const indices = pchr_stream_indices(stream, nullptr);
  for (const pchr_stream_command& command : std::span(commands, count)) {
    if (command.image >= decoded.size()) continue;
    for (std::uint32_t i = command.first_index; i < command.first_index + command.index_count; i += 3) {
      fill(canvas, decoded[command.image], {vertices[indices[i]], vertices[indices[i + 1]], vertices[indices[i + 2]]},
           command.blend);
    }
  }
  pchr_stream_free(stream);
  pchr_pose_free(pose);
  return make_image(width, height, pixels_of(canvas));
}
